/* opt/fold_rules.h -- interface between the files of the folding pass.
 *
 * A rule examines one instruction, whose operands are already final, and does one of three things:
 * returns a value to use instead, rewrites the instruction in place and sets `rewritten`, or
 * nothing (0). New instructions are inserted before the one examined.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_FOLD_RULES_H
#define HD_OPT_FOLD_RULES_H

#include "base/map.h"
#include "ir/edit.h"
#include "ir/graph.h"

typedef struct HdFold {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    uint32_t block; /* being examined */
    HdIrRef *with;
    size_t with_count;
    uint32_t *uses;                    /* [with_count] at the start of the round */
    HdMap constants[HD_IR_TYPE_COUNT]; /* bits to CONST in the entry */
    HdIrRef undefined[HD_IR_TYPE_COUNT];
    HD_ARRAY(HdIrRef) new_constants; /* to be put into the entry */
    HD_ARRAY(HdIrRef) list;          /* the block's instructions, anew */
    bool rewritten, failed;
} HdFold;

/* ---- fold_make.c: all 0 without memory; `failed` is set then ---- */

HdIrRef hd_opt_fold_const(HdFold *s, HdIrType t, uint64_t bits);
/* The value of an operation whose operands are all constants, or 0. */
HdIrRef hd_opt_fold_evaluate(HdFold *s, const HdIrInst *in, const HdIrRef *args);
/* An operation before the current instruction; of constants: its value. */
HdIrRef hd_opt_fold_emit(HdFold *s, HdIrOp op, HdIrType t, unsigned sub, const HdIrRef *args,
                         size_t nargs, unsigned flags);
HdIrRef hd_opt_fold_op1(HdFold *s, HdIrOp op, HdIrType t, HdIrRef a);
HdIrRef hd_opt_fold_op2(HdFold *s, HdIrOp op, HdIrType t, HdIrRef a, HdIrRef b, unsigned flags);
HdIrRef hd_opt_fold_icmp(HdFold *s, unsigned how, HdIrRef a, HdIrRef b);
/* Rewrite r in place; its number and type stay. b: 0 for an operation of one operand. */
void hd_opt_fold_rewrite(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef a, HdIrRef b);
/* The same, of any number of operands. */
void hd_opt_fold_rewrite_args(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, const HdIrRef *args,
                              uint32_t n);
/* r becomes an operation of both operands of `product` and a third. */
void hd_opt_fold_take_in(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef product,
                         HdIrRef other);

/* ---- what is known of values ---- */

/* Is r non-negative, as a signed number, where the current block runs? False: unknown. */
bool hd_opt_fold_is_positive(HdFold *s, HdIrRef r);
/* The largest unsigned number that r can be. */
uint64_t hd_opt_fold_most(HdFold *s, HdIrRef r);
/* The same by the branches on the way to a block alone. */
uint64_t hd_opt_fold_most_in(const HdFold *s, HdIrRef r, uint32_t block);
/* How many lower bits of r are 0 for sure. */
unsigned hd_opt_fold_zeros_below(const HdFold *s, HdIrRef r);

/* Of an address: ORs of numbers without a common bit become sums, in place. Were there any? */
bool hd_opt_fold_disjoint(HdFold *s, HdIrRef offset);

/* ---- rules by kind of operation, from fold.c's walk ---- */

HdIrRef hd_opt_fold_int(HdFold *s, HdIrRef r);
HdIrRef hd_opt_fold_division(HdFold *s, HdIrRef r);
HdIrRef hd_opt_fold_compare(HdFold *s, HdIrRef r);
HdIrRef hd_opt_fold_float(HdFold *s, HdIrRef r);
HdIrRef hd_opt_fold_cast(HdFold *s, HdIrRef r);
HdIrRef hd_opt_fold_linear(HdFold *s, HdIrRef r); /* selects */

static inline const HdIrInst *hd_opt_fold_at(const HdFold *s, HdIrRef r)
{
    return &s->f->insts.at[r];
}

/* Did r have one user when the iteration began? Unknown for newer instructions. */
static inline bool hd_opt_fold_has_one_user(const HdFold *s, HdIrRef r)
{
    return r < s->with_count && s->uses[r] == 1;
}

#endif
