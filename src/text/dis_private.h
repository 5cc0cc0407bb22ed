/* text/dis_private.h -- what the disassembler's files share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DIS_PRIVATE_H
#define HD_TEXT_DIS_PRIVATE_H

#include "base/memory.h"
#include "module/operands.h"
#include "text/dis.h"

typedef struct HdDis {
    const uint32_t *words;
    size_t nwords;
    HdDisOptions o;
    HdDiags *d;
    HdStrbuf *out;
    const HdNames *names;
    const HdModule *m; /* for hd_text_inst: where names may come from; else NULL */
    HdOperandTypes types;
    uint64_t *defined; /* ids that were results, a bit set on the heap */
    uint32_t defined_room;
    unsigned nesting;                        /* columns more for the block's opcodes */
    bool in_annotations, in_debug, in_types; /* heading of the section was printed */
} HdDis;

/* Room for `bytes` more at the end of the text; NULL (and out->failed) without memory. */
char *hd_dis_room(HdStrbuf *out, size_t bytes);
/* Append one instruction with its indentation and line break. */
HdStatus hd_dis_inst(HdDis *dis, size_t word);
/* Append one instruction from its opcode on. */
HdStatus hd_dis_body(HdDis *dis, const uint32_t *w, uint32_t nwords, size_t word);
/* Instructions from OpFunction on, block by block: nested or reordered. *word moves behind
 * OpFunctionEnd, or behind the last instruction. */
HdStatus hd_dis_function(HdDis *dis, size_t *word);
/* Report a malformed instruction. */
HdStatus hd_dis_malformed(HdDis *dis, const HdOperandWalk *walk, size_t word);

#endif
