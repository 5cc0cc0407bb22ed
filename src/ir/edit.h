/* ir/edit.h -- what passes share: replacing values, deleting instructions, updating phis.
 *
 * A pass collects replacements in an array with[ref] (0 = keep) and applies them all together;
 * chains are followed. Deleted instructions keep their number, their block is HD_IR_NOWHERE.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_EDIT_H
#define HD_IR_EDIT_H

#include "ir/ir.h"

/* Is operand i a value? The even ones of a PHI are blocks. */
static inline bool hd_ir_arg_is_value(const HdIrInst *in, unsigned i)
{
    return in->op != HD_IR_PHI || (i & 1) != 0;
}

/* How many operands of instructions in blocks each value is, by its number; NULL without memory. */
uint32_t *hd_ir_count_uses(const HdIrFunc *f, HdArena *a);
/* Create an instruction that belongs to `block` but is in no list yet; 0 without memory. */
HdIrRef hd_ir_make(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, unsigned sub,
                   uint64_t imm, const HdIrRef *args, size_t nargs);
/* What a value is replaced by in the end; `count` is the length of `with`, values beyond it stay.
 * Shortens chains. */
HdIrRef hd_ir_resolve(HdIrRef *with, size_t count, HdIrRef r);
/* Replace in all operands of all blocks; `count` is the length of `with`. */
void hd_ir_substitute(HdIrFunc *f, HdIrRef *with, size_t count);
/* Take deleted instructions, and those that moved to another block, out of the blocks' lists. */
void hd_ir_sweep(HdIrFunc *f);
/* Mark as deleted. */
static inline void hd_ir_kill(HdIrFunc *f, HdIrRef r)
{
    f->insts.at[r].block = HD_IR_NOWHERE;
}
/* The last instruction of a block, 0 when it is empty. */
static inline HdIrRef hd_ir_last(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];

    return b->insts.count != 0 ? b->insts.at[b->insts.count - 1] : 0;
}
/* Is a block a loop by itself, left at its end by one of two edges? */
static inline bool hd_ir_is_own_loop(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];

    return b->insts.count != 0 && b->succ_count == 2 &&
           f->insts.at[hd_ir_last(f, block)].op == HD_IR_CONDBR &&
           (b->succ[0] == block) != (b->succ[1] == block);
}
/* How many phis a block begins with. */
static inline size_t hd_ir_phi_count(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];
    size_t n = 0;

    while (n < b->insts.count && f->insts.at[b->insts.at[n]].op == HD_IR_PHI)
        n++;
    return n;
}
/* Move r before the branch that ends a block; the list that contained it is swept later. */
HdStatus hd_ir_raise(HdIrFunc *f, uint32_t block, HdIrRef r);
/* In the phis of `block`: remove the operand from `pred`; or change its predecessor. */
void hd_ir_phi_drop(HdIrFunc *f, uint32_t block, uint32_t pred);
void hd_ir_phi_rename(HdIrFunc *f, uint32_t block, uint32_t from, uint32_t to);
/* A new block, with nothing in it, on the way from one block to another; HD_IR_NOWHERE without
 * memory. */
uint32_t hd_ir_split_edge(HdIrFunc *f, uint32_t from, uint32_t to, uint32_t rank);
/* A block whose branch has several ways goes on to one block. The phis of those that it does not
 * lead to any more are the caller's. */
void hd_ir_leave_one_way(HdIrFunc *f, uint32_t block, uint32_t to);
/* The operand of a phi from a predecessor; 0 = none. */
HdIrRef hd_ir_phi_value(const HdIrFunc *f, HdIrRef phi, uint32_t from);
/* Operand k of the instruction at index *at of block b becomes a load from the ALLOCA that keeps
 * the value from now on: after a value is given copies, promotion (opt/sroa.c) finds the phis that
 * are needed. `kept` has one for each value that had one before, else 0. The load comes before the
 * instruction, which *at then follows, or at the end of the block that a phi names. */
HdStatus hd_ir_fetch(HdIrFunc *f, HdIrRef *kept, uint32_t b, size_t *at, unsigned k);
/* Remove the blocks that the entry does not reach and renumber the others. */
HdStatus hd_ir_drop_unreachable(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Renumber the blocks, all of which the entry reaches: order[i] becomes block i, and order[0] is
 * the entry. */
HdStatus hd_ir_reorder(HdIrFunc *f, const uint32_t *order, HdArena *scratch);
/* Is r a CONST? Its bits in *bits (may be NULL). */
static inline bool hd_ir_is_const(const HdIrFunc *f, HdIrRef r, uint64_t *bits)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op != HD_IR_CONST)
        return false;
    if (bits != NULL)
        *bits = in->imm;
    return true;
}
/* Is it that constant, true or false? */
static inline bool hd_ir_is_truth(const HdIrFunc *f, HdIrRef r, bool value)
{
    return f->insts.at[r].op == HD_IR_CONST && (f->insts.at[r].imm & 1) == value;
}
/* The integer comparison with swapped operands; the inverse comparison.
 */
unsigned hd_ir_icmp_swapped(unsigned how);
unsigned hd_ir_icmp_inverse(unsigned how);
/* All ones in the width of a type. */
static inline uint64_t hd_ir_ones(HdIrType t)
{
    unsigned bits = hd_ir_type_bits(t);

    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}
/* The integer of so many bytes: 1, 2, 4 or 8. */
static inline HdIrType hd_ir_int_of(uint32_t bytes)
{
    return bytes == 1 ? HD_IR_I8 : bytes == 2 ? HD_IR_I16 : bytes == 4 ? HD_IR_I32 : HD_IR_I64;
}
static inline int64_t hd_ir_sign_extend(HdIrType t, uint64_t x)
{
    unsigned shift = 64 - hd_ir_type_bits(t);

    return shift >= 64 ? 0 : (int64_t)(x << shift) >> shift;
}
/* The largest unsigned number that r can be, by at most `depth` operations in each other. */
uint64_t hd_ir_most(const HdIrFunc *f, HdIrRef r, unsigned depth);
/* Is r a CONST of an integer? Which number, as a signed one, in *value. */
static inline bool hd_ir_is_number(const HdIrFunc *f, HdIrRef r, int64_t *value)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op != HD_IR_CONST || hd_ir_is_float((HdIrType)in->type))
        return false;
    *value = hd_ir_sign_extend((HdIrType)in->type, in->imm);
    return true;
}

#endif
