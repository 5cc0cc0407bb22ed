/* ir/fold.h -- between the files of the folding pass.
 *
 * A rule looks at one instruction, whose operands are already what they will be, and does one of
 * three things: returns a value to use instead, rewrites the instruction in place and says so in
 * `rewritten`, or nothing (0). New instructions go before the one looked at.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_FOLD_H
#define HD_IR_FOLD_H

#include "base/map.h"
#include "ir/edit.h"
#include "ir/graph.h"

typedef struct HdIrFold {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    uint32_t block; /* being looked at */
    HdIrRef *with;
    size_t with_count;
    uint32_t *uses;                    /* [with_count] at the start of the round */
    HdMap constants[HD_IR_TYPE_COUNT]; /* bits to CONST in the entry */
    HdIrRef undefined[HD_IR_TYPE_COUNT];
    HD_ARRAY(HdIrRef) new_constants; /* to be put into the entry */
    HD_ARRAY(HdIrRef) list;          /* the block's instructions, anew */
    bool rewritten, failed;
} HdIrFold;

/* A constant (0 without memory; `failed` is set then). */
HdIrRef hd_ir_fold_const(HdIrFold *s, HdIrType t, uint64_t bits);
/* One or two operands, before the current instruction; constants are computed. */
HdIrRef hd_ir_fold_op1(HdIrFold *s, HdIrOp op, HdIrType t, HdIrRef a);
HdIrRef hd_ir_fold_op2(HdIrFold *s, HdIrOp op, HdIrType t, HdIrRef a, HdIrRef b, unsigned flags);
HdIrRef hd_ir_fold_icmp(HdIrFold *s, unsigned how, HdIrRef a, HdIrRef b);
/* Rewrite r in place; its number and type stay. b: 0 for an operation of one operand. */
void hd_ir_fold_rewrite(HdIrFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef a, HdIrRef b);
/* The same, of any number of operands. */
void hd_ir_fold_rewrite_args(HdIrFold *s, HdIrRef r, HdIrOp op, unsigned flags, const HdIrRef *args,
                             uint32_t n);
/* r becomes an operation of both operands of `product` and a third. */
void hd_ir_fold_take_in(HdIrFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef product,
                        HdIrRef other);

/* Is r not negative, as a signed number, where the block that is looked at runs? False: not known.
 */
bool hd_ir_fold_is_positive(HdIrFold *s, HdIrRef r);
/* How many lower bits of r are 0 for sure. */
unsigned hd_ir_fold_zeros_below(const HdIrFold *s, HdIrRef r);
/* Rules by kind of operation. */
HdIrRef hd_ir_fold_int(HdIrFold *s, HdIrRef r);
HdIrRef hd_ir_fold_division(HdIrFold *s, HdIrRef r);
HdIrRef hd_ir_fold_compare(HdIrFold *s, HdIrRef r);
HdIrRef hd_ir_fold_float(HdIrFold *s, HdIrRef r);
HdIrRef hd_ir_fold_cast(HdIrFold *s, HdIrRef r);

static inline const HdIrInst *hd_ir_fold_at(const HdIrFold *s, HdIrRef r)
{
    return &s->f->insts.at[r];
}

/* Did r have one user when the round began? Not known of what is newer. */
static inline bool hd_ir_fold_has_one_user(const HdIrFold *s, HdIrRef r)
{
    return r < s->with_count && s->uses[r] == 1;
}

#endif
