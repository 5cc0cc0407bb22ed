/* ir/edit.c -- what passes share: replacing values, deleting instructions, updating phis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"

#include <string.h>

#include "ir/each.h"
#include "ir/graph.h"

uint32_t *hd_ir_count_uses(const HdIrFunc *f, HdArena *a)
{
    uint32_t *uses = HD_NEW(a, uint32_t, f->insts.count);

    for (size_t b = 0; b < f->blocks.count && uses != NULL; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef r = f->blocks.at[b].insts.at[i];

            for (unsigned k = 0; k < f->insts.at[r].nargs; k++)
                if (hd_ir_arg_is_value(&f->insts.at[r], k))
                    uses[hd_ir_arg(f, r, k)]++;
        }
    return uses;
}

HdIrRef hd_ir_resolve(HdIrRef *with, size_t count, HdIrRef r)
{
    HdIrRef end = r;

    while (end < count && with[end] != 0)
        end = with[end];
    while (r != end) {
        HdIrRef next = with[r];

        with[r] = end;
        r = next;
    }
    return end;
}

void hd_ir_substitute(HdIrFunc *f, HdIrRef *with, size_t count)
{
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        const HdIrInst *in = &f->insts.at[e.inst];
        HdIrRef *args = hd_ir_args(f, e.inst);

        for (unsigned k = 0; k < in->nargs; k++)
            if (hd_ir_arg_is_value(in, k))
                args[k] = hd_ir_resolve(with, count, args[k]);
    }
}

void hd_ir_sweep(HdIrFunc *f)
{
    for (size_t b = 0; b < f->blocks.count; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        size_t kept = 0;

        for (size_t i = 0; i < block->insts.count; i++)
            if (f->insts.at[block->insts.at[i]].block == b)
                block->insts.at[kept++] = block->insts.at[i];
        block->insts.count = kept;
    }
}

HdStatus hd_ir_raise(HdIrFunc *f, uint32_t block, HdIrRef r)
{
    HdIrBlock *to = &f->blocks.at[block];
    HdIrRef branch = hd_ir_last(f, block);

    HD_TRY_PUSH(f->module->arena, &to->insts, branch);
    to->insts.at[to->insts.count - 2] = r;
    hd_ir_inst(f, r)->block = block;
    return HD_OK;
}

void hd_ir_phi_drop(HdIrFunc *f, uint32_t block, uint32_t pred)
{
    const HdIrBlock *b = &f->blocks.at[block];

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrInst *in = &f->insts.at[b->insts.at[i]];
        HdIrRef *args = hd_ir_args(f, b->insts.at[i]);
        unsigned kept = 0;

        if (in->op != HD_IR_PHI)
            break;
        for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
            if (args[k] == pred)
                continue;
            args[kept] = args[k];
            args[kept + 1] = args[k + 1];
            kept += 2;
        }
        in->nargs = (uint16_t)kept;
    }
}

HdIrRef hd_ir_phi_value(const HdIrFunc *f, HdIrRef phi, uint32_t from)
{
    for (unsigned k = 0; k + 1 < f->insts.at[phi].nargs; k += 2)
        if (hd_ir_arg(f, phi, k) == from)
            return hd_ir_arg(f, phi, k + 1);
    return 0;
}

void hd_ir_phi_rename(HdIrFunc *f, uint32_t block, uint32_t from, uint32_t to)
{
    const HdIrBlock *b = &f->blocks.at[block];

    for (size_t i = 0; i < b->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[b->insts.at[i]];
        HdIrRef *args = hd_ir_args(f, b->insts.at[i]);

        if (in->op != HD_IR_PHI)
            break;
        for (unsigned k = 0; k + 1 < in->nargs; k += 2)
            if (args[k] == from)
                args[k] = to;
    }
}

uint32_t hd_ir_split_edge(HdIrFunc *f, uint32_t from, uint32_t to, uint32_t rank)
{
    uint32_t b = hd_ir_block(f);

    if (b == HD_IR_NOWHERE)
        return b;
    f->blocks.at[b].rank = rank;
    for (uint32_t k = 0; k < f->blocks.at[from].succ_count; k++)
        if (f->blocks.at[from].succ[k] == to)
            f->blocks.at[from].succ[k] = b;
    hd_ir_phi_rename(f, to, from, b);
    return b;
}

void hd_ir_leave_one_way(HdIrFunc *f, uint32_t block, uint32_t to)
{
    HdIrBlock *b = &f->blocks.at[block];
    HdIrInst *last = hd_ir_inst(f, hd_ir_last(f, block));

    b->succ[0] = to;
    b->succ_count = 1;
    b->cases = NULL;
    last->op = HD_IR_BR;
    last->nargs = 0;
}

/* Give a kept block its new number; it is copied to that place of `to`. */
static void renumber_block(HdIrFunc *f, uint32_t from, const uint32_t *map, HdIrBlock *to)
{
    HdIrBlock *b = &f->blocks.at[from];

    for (uint32_t i = 0; i < b->succ_count; i++)
        b->succ[i] = map[b->succ[i]];
    if (b->loop_merge != HD_IR_NOWHERE)
        b->loop_merge = map[b->loop_merge];
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrInst *in = &f->insts.at[b->insts.at[i]];
        HdIrRef *args = hd_ir_args(f, b->insts.at[i]);

        in->block = map[from];
        for (unsigned k = 0; in->op == HD_IR_PHI && k + 1 < in->nargs; k += 2)
            args[k] = map[args[k]];
    }
    to[map[from]] = *b;
}

HdStatus hd_ir_drop_unreachable(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t *map, kept = 0;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, scratch, &g));
    if (g->reachable == g->count)
        return HD_OK;
    HD_TAKE(map, HD_NEW(scratch, uint32_t, g->count));
    for (uint32_t b = 0; b < g->count; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        map[b] = g->rank[b] != HD_IR_NOWHERE ? kept++ : HD_IR_NOWHERE;
        if (map[b] != HD_IR_NOWHERE)
            continue;
        for (uint32_t i = 0; i < block->succ_count; i++)
            hd_ir_phi_drop(f, block->succ[i], b);
        for (size_t i = 0; i < block->insts.count; i++)
            hd_ir_kill(f, block->insts.at[i]);
    }
    for (uint32_t b = 0; b < g->count; b++)
        if (map[b] != HD_IR_NOWHERE)
            renumber_block(f, b, map, f->blocks.at);
    f->blocks.count = kept;
    *changed = true;
    return HD_OK;
}

HdStatus hd_ir_reorder(HdIrFunc *f, const uint32_t *order, HdArena *scratch)
{
    uint32_t count = (uint32_t)f->blocks.count, *map;
    HdIrBlock *blocks;

    HD_TAKE(map, HD_NEW(scratch, uint32_t, count));
    HD_TAKE(blocks, HD_NEW(scratch, HdIrBlock, count));
    for (uint32_t i = 0; i < count; i++)
        map[order[i]] = i;
    for (uint32_t b = 0; b < count; b++)
        renumber_block(f, b, map, blocks);
    memcpy(f->blocks.at, blocks, count * sizeof *blocks);
    return HD_OK;
}

unsigned hd_ir_icmp_swapped(unsigned how)
{
    static const uint8_t to[] = {
        [HD_IR_EQ] = HD_IR_EQ,   [HD_IR_NE] = HD_IR_NE,   [HD_IR_ULT] = HD_IR_UGT,
        [HD_IR_ULE] = HD_IR_UGE, [HD_IR_UGT] = HD_IR_ULT, [HD_IR_UGE] = HD_IR_ULE,
        [HD_IR_SLT] = HD_IR_SGT, [HD_IR_SLE] = HD_IR_SGE, [HD_IR_SGT] = HD_IR_SLT,
        [HD_IR_SGE] = HD_IR_SLE};

    return to[how];
}

unsigned hd_ir_icmp_inverse(unsigned how)
{
    static const uint8_t to[] = {
        [HD_IR_EQ] = HD_IR_NE,   [HD_IR_NE] = HD_IR_EQ,   [HD_IR_ULT] = HD_IR_UGE,
        [HD_IR_ULE] = HD_IR_UGT, [HD_IR_UGT] = HD_IR_ULE, [HD_IR_UGE] = HD_IR_ULT,
        [HD_IR_SLT] = HD_IR_SGE, [HD_IR_SLE] = HD_IR_SGT, [HD_IR_SGT] = HD_IR_SLE,
        [HD_IR_SGE] = HD_IR_SLT};

    return to[how];
}

uint64_t hd_ir_most(const HdIrFunc *f, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[r];
    const HdIrRef *args = hd_ir_args(f, r);
    uint64_t ones = hd_ir_ones((HdIrType)in->type), a, b, c;

    if (in->op == HD_IR_CONST)
        return in->imm;
    if (depth-- == 0 || hd_ir_is_float((HdIrType)in->type))
        return ones;
    switch ((HdIrOp)in->op) {
    case HD_IR_ZEXT: return hd_ir_most(f, args[0], depth);
    case HD_IR_TRUNC: a = hd_ir_most(f, args[0], depth); return a < ones ? a : ones;
    case HD_IR_AND:
    case HD_IR_UMIN:
        a = hd_ir_most(f, args[0], depth);
        b = hd_ir_most(f, args[1], depth);
        return a < b ? a : b;
    case HD_IR_SELECT:
        a = hd_ir_most(f, args[1], depth);
        b = hd_ir_most(f, args[2], depth);
        return a > b ? a : b;
    case HD_IR_UREM:
        a = hd_ir_most(f, args[0], depth);
        return hd_ir_is_const(f, args[1], &c) && c != 0 && c <= a ? c - 1 : a;
    case HD_IR_LSHR:
        return hd_ir_is_const(f, args[1], &c) && c < 64 ? hd_ir_most(f, args[0], depth) >> c : ones;
    case HD_IR_MUL:
        a = hd_ir_most(f, args[0], depth);
        b = hd_ir_most(f, args[1], depth);
        return !__builtin_mul_overflow(a, b, &c) && c < ones ? c : ones;
    case HD_IR_ADD:
        a = hd_ir_most(f, args[0], depth);
        b = hd_ir_most(f, args[1], depth);
        return !__builtin_add_overflow(a, b, &c) && c < ones ? c : ones;
    case HD_IR_SUB: /* from a constant, and not below 0 */
        return hd_ir_is_const(f, args[0], &a) && hd_ir_most(f, args[1], depth) <= a ? a : ones;
    case HD_IR_OR:
    case HD_IR_XOR:
        a = hd_ir_most(f, args[0], depth) | hd_ir_most(f, args[1], depth);
        return a == 0 ? 0 : UINT64_MAX >> __builtin_clzll(a);
    case HD_IR_SHL:
        a = hd_ir_most(f, args[0], depth);
        return hd_ir_is_const(f, args[1], &c) && c < 64 && a <= ones >> c ? a << c : ones;
    case HD_IR_SEXT:
        a = hd_ir_most(f, args[0], depth);
        return a <= hd_ir_ones((HdIrType)f->insts.at[args[0]].type) >> 1 ? a : ones;
    default: return ones;
    }
}

/* Where a value is kept; made when first needed. */
static HdStatus keep(HdIrFunc *f, HdIrRef *kept, HdIrRef r)
{
    HdIrType t = (HdIrType)f->insts.at[r].type;
    uint32_t b = f->insts.at[r].block;
    HdIrRef args[2] = {0, r};
    size_t at = 0;

    if (kept[r] != 0)
        return HD_OK;
    HD_TAKE(args[0],
            hd_ir_insert(f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, 3, hd_ir_type_bytes(t), NULL, 0));
    while (f->blocks.at[b].insts.at[at] != r)
        at++;
    do
        at++;
    while (f->insts.at[f->blocks.at[b].insts.at[at]].op == HD_IR_PHI);
    if (hd_ir_insert(f, b, at, HD_IR_STORE, HD_IR_VOID, HD_SPACE_PRIVATE, 0, args, 2) == 0)
        return HD_NO_MEMORY;
    kept[r] = args[0];
    return HD_OK;
}

HdStatus hd_ir_fetch(HdIrFunc *f, HdIrRef *kept, uint32_t b, size_t *at, unsigned k)
{
    HdIrRef user = f->blocks.at[b].insts.at[*at], value = hd_ir_arg(f, user, k), x;
    HdIrType t = (HdIrType)f->insts.at[value].type;
    bool is_phi = f->insts.at[user].op == HD_IR_PHI;

    HD_TRY(keep(f, kept, value));
    if (is_phi) {
        b = hd_ir_arg(f, user, k - 1);
        HD_TAKE(x, hd_ir_insert(f, b, f->blocks.at[b].insts.count - 1, HD_IR_LOAD, t,
                                HD_SPACE_PRIVATE, 0, &kept[value], 1));
    } else {
        HD_TAKE(x, hd_ir_insert(f, b, *at, HD_IR_LOAD, t, HD_SPACE_PRIVATE, 0, &kept[value], 1));
        ++*at;
    }
    hd_ir_args(f, user)[k] = x;
    return HD_OK;
}
