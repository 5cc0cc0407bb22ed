/* group/live.h -- which values are kept across barriers, and which are rematerialised after them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_LIVE_H
#define HD_GROUP_LIVE_H

#include "group/cut.h"

/* What is larger than a cache line begins at one. */
#define HD_CONTEXT_ALIGN 64u

typedef struct HdLive {
    const HdCut *cut;
    bool *remade;     /* [insts] rematerialised from its operands after a barrier, never kept */
    uint32_t *number; /* [insts] of a value that crosses blocks, or of a SLOT; HD_IR_NOWHERE */
    HdIrRef *value;   /* [count] which that is */
    uint32_t count;
    uint64_t **in;      /* [blocks] numbers of what is needed from the beginning of the block on */
    uint64_t **nonzero; /* [blocks] slots that may hold something else than 0 there */
    uint32_t *at;       /* [count] byte of the context where it is kept, or number of the variable;
                           HD_IR_NOWHERE: it never is */
    bool *is_shared;    /* [count] kept once, in a variable, as it is the same for all sub-groups */
    uint64_t *private_at; /* [insts] ALLOCA: byte of the context */
    uint64_t context_bytes, context_align;
    uint8_t *var_types;
    uint32_t var_count;
} HdLive;

/* Find out. HD_UNSUPPORTED (without a diagnostic): too much to keep book of. */
HdStatus hd_group_live(const HdCut *cut, HdArena *a, HdLive *out);
#endif
