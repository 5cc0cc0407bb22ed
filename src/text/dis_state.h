/* text/dis_state.h -- what the disassembler's files share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DIS_STATE_H
#define HD_TEXT_DIS_STATE_H

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "module/operands.h"
#include "text/dis.h"

#define HD_DIS_COLUMN 15 /* of opcodes, when indented */

typedef struct HdDis {
    const uint32_t *words;
    size_t nwords;
    HdDisOptions o;
    HdDiags *d;
    HdStrbuf *out;
    const HdNames *names;
    const HdModule *m;  /* for hd_text_inst: where names may come from; else NULL */
    HdGuesses *guesses; /* of m; may be NULL */
    size_t most;        /* for hd_text_inst: bytes of `out` after which it ends; else SIZE_MAX */
    HdOperandTypes types;
    uint64_t *defined; /* ids that were results, a bit set on the heap */
    uint32_t defined_room;
    size_t second;            /* where the text of the operand at w[2] began */
    size_t alignment;         /* column of the comment in the line before, 0 = it had none */
    HdArena *arena;           /* of noted */
    HdMap noted;              /* id to the index in notes, plus 1 */
    HD_ARRAY(HdStrbuf) notes; /* decorations of an id */
    unsigned nesting;         /* columns more for the block's opcodes */
    bool in_annotations, in_debug, in_types; /* heading of the section was printed */
} HdDis;

/* ---- dis_inst.c, dis_flow.c, dis_comment.c ------------------------------------------------- */

/* Append one instruction with its indentation and line break. */
HdStatus hd_dis_inst(HdDis *dis, size_t word);
/* Instructions from OpFunction on, block by block: nested or reordered. *word moves past
 * OpFunctionEnd, or past the last instruction. */
HdStatus hd_dis_function(HdDis *dis, size_t *word);
/* Headings before the first instruction of a section and before functions. */
void hd_dis_heading(HdDis *dis, const HdGramInst *g, enum HdOpix opix, const uint32_t *w);
/* The comment after an instruction whose text began at `line`. */
HdStatus hd_dis_comment(HdDis *dis, enum HdOpix opix, const uint32_t *w, size_t word, size_t line);
void hd_dis_comments_free(HdDis *dis);

#endif
