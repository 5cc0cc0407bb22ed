/* opt/fold.c -- constant folding and algebraic identities: the walk, selects, phis and addresses.
 *
 * Blocks are walked in order, so operands are simplified before their users. Each constant ends up
 * once in the entry block. Constant parts of addresses move outwards, so that accesses to
 * neighbours share the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#include "ir/memory.h"
#include "opt/pass.h"

/* Rounds over a function, as a fold may make room for another one: a bound of compile time. */
#define MAX_ROUNDS 4
/* Instructions from a pointer back to where it comes from. */
#define MAX_DEPTH 8

/* ---- selects --------------------------------------------------------------------------------- */

/* select(a < b, a, b) and its relatives. */
static HdIrRef fold_minmax(HdFold *s, HdIrRef r)
{
    HdIrFunc *f = s->f;
    const HdIrInst *cond = hd_opt_fold_at(s, hd_ir_arg(f, r, 0));
    HdIrRef yes = hd_ir_arg(f, r, 1), no = hd_ir_arg(f, r, 2), a, b;
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    HdIrOp op;

    if (cond->op != HD_IR_ICMP || t < HD_IR_I8 || t > HD_IR_I64)
        return 0;
    a = hd_ir_arg(f, hd_ir_arg(f, r, 0), 0);
    b = hd_ir_arg(f, hd_ir_arg(f, r, 0), 1);
    if (!(a == yes && b == no) && !(a == no && b == yes))
        return 0;
    switch (cond->sub) {
    case HD_IR_ULT:
    case HD_IR_ULE: op = a == yes ? HD_IR_UMIN : HD_IR_UMAX; break;
    case HD_IR_UGT:
    case HD_IR_UGE: op = a == yes ? HD_IR_UMAX : HD_IR_UMIN; break;
    case HD_IR_SLT:
    case HD_IR_SLE: op = a == yes ? HD_IR_SMIN : HD_IR_SMAX; break;
    case HD_IR_SGT:
    case HD_IR_SGE: op = a == yes ? HD_IR_SMAX : HD_IR_SMIN; break;
    default: return 0;
    }
    hd_opt_fold_rewrite(s, r, op, 0, a, b);
    return 0;
}

/* The condition that c negates, or 0. */
static HdIrRef negated(const HdFold *s, HdIrRef c)
{
    const HdIrInst *in = hd_opt_fold_at(s, c);
    uint64_t bits;

    if (in->op != HD_IR_XOR || in->type != HD_IR_BOOL ||
        !hd_ir_is_const(s->f, hd_ir_arg(s->f, c, 1), &bits) || bits != 1)
        return 0;
    return hd_ir_arg(s->f, c, 0);
}

static HdIrRef fold_select(HdFold *s, HdIrRef r)
{
    HdIrFunc *f = s->f;
    HdIrRef cond = hd_ir_arg(f, r, 0), yes = hd_ir_arg(f, r, 1), no = hd_ir_arg(f, r, 2), inner;
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    uint64_t a = 0, b = 0;
    bool a_known = hd_ir_is_const(f, yes, &a), b_known = hd_ir_is_const(f, no, &b);

    if (hd_opt_fold_at(s, cond)->op == HD_IR_CONST)
        return hd_opt_fold_at(s, cond)->imm != 0 ? yes : no;
    if (yes == no)
        return yes;
    if (hd_opt_fold_at(s, yes)->op == HD_IR_UNDEF && b_known)
        return no;
    if (hd_opt_fold_at(s, no)->op == HD_IR_UNDEF && a_known)
        return yes;
    inner = negated(s, cond);
    if (inner != 0) {
        const HdIrRef args[3] = {inner, no, yes};

        hd_ir_set_args(f, r, args, 3);
        s->rewritten = true;
        return 0;
    }
    if (yes == cond || no == cond) { /* as a && b and a || b are written by way of a phi */
        const HdIrRef args[3] = {cond, yes == cond ? hd_opt_fold_const(s, HD_IR_BOOL, 1) : yes,
                                 no == cond ? hd_opt_fold_const(s, HD_IR_BOOL, 0) : no};

        hd_ir_set_args(f, r, args, 3);
        s->rewritten = true;
        return 0;
    }
    if (a_known && b_known && t == HD_IR_BOOL) {
        if (a != 0)
            return cond;
        hd_opt_fold_rewrite(s, r, HD_IR_XOR, 0, cond, hd_opt_fold_const(s, HD_IR_BOOL, 1));
    } else if (a_known && b_known && b == 0 && t >= HD_IR_I8 && t <= HD_IR_I64 &&
               (a == 1 || a == hd_ir_ones(t))) {
        hd_opt_fold_rewrite(s, r, a == 1 ? HD_IR_ZEXT : HD_IR_SEXT, 0, cond, 0);
    } else {
        HdIrRef linear = hd_opt_fold_linear(s, r);

        return linear != 0 ? linear : fold_minmax(s, r);
    }
    return 0;
}

/* An undefined value is 0 from here on. */
static HdIrRef fold_freeze(HdFold *s, HdIrRef r)
{
    HdIrRef x = hd_ir_arg(s->f, r, 0);

    switch (hd_opt_fold_at(s, x)->op) {
    case HD_IR_UNDEF: return hd_opt_fold_const(s, (HdIrType)hd_opt_fold_at(s, r)->type, 0);
    case HD_IR_FREEZE: return x;
    default: return 0;
    }
}

/* ---- phis ------------------------------------------------------------------------------------ */

/* The value of v on the edge from `from` to `to`: the branch may determine a select. */
static HdIrRef on_edge(HdFold *s, HdIrRef v, uint32_t from, uint32_t to)
{
    const HdIrBlock *b = &s->f->blocks.at[from];
    HdIrRef end = hd_ir_last(s->f, from), cond;
    const HdIrInst *in = hd_opt_fold_at(s, v);

    if (end == 0 || hd_opt_fold_at(s, end)->op != HD_IR_CONDBR || b->succ[0] == b->succ[1])
        return v;
    cond = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, end, 0));
    if (v == cond)
        return hd_opt_fold_const(s, HD_IR_BOOL, b->succ[0] == to);
    if (in->op != HD_IR_SELECT ||
        hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, v, 0)) != cond)
        return v;
    return hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, v, b->succ[0] == to ? 1 : 2));
}

/* An undefined value in the entry block, which dominates everything. */
static HdIrRef undefined_value(HdFold *s, HdIrType t)
{
    if (s->undefined[t] == 0) {
        s->undefined[t] = hd_ir_make(s->f, 0, HD_IR_UNDEF, t, 0, 0, NULL, 0);
        if (s->undefined[t] == 0 || !HD_PUSH(s->arena, &s->new_constants, s->undefined[t]))
            s->failed = true;
    }
    return s->undefined[t];
}

/* The one value of a phi. One that is undefined on some ways must be there on all of them. */
static HdIrRef fold_phi(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrRef value = 0;
    HdIrType type = (HdIrType)in->type;
    unsigned nargs = in->nargs;
    bool has_undefined = false;
    uint32_t block = in->block;

    for (unsigned i = 1; i < nargs; i += 2) {
        HdIrRef given = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, i));
        HdIrRef v = on_edge(s, given, hd_ir_arg(s->f, r, i - 1), block);

        if (v != given) {
            hd_ir_args(s->f, r)[i] = v;
            s->rewritten = true;
        }
        if (v == r || v == value)
            continue;
        if (hd_opt_fold_at(s, v)->op == HD_IR_UNDEF) {
            has_undefined = true;
            continue;
        }
        if (value != 0)
            return 0;
        value = v;
    }
    if (value == 0)
        return has_undefined ? undefined_value(s, type) : 0;
    if (has_undefined) {
        uint32_t from = hd_opt_fold_at(s, value)->block;

        if (hd_opt_fold_at(s, value)->op != HD_IR_CONST &&
            (from == block || !hd_ir_dominates(s->g, from, block)))
            return 0;
    }
    return value;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The beginning of the memory that a LOCAL_ADDR leads into. */
static HdIrRef local_memory(HdFold *s, const HdIrInst *in, HdIrRef address)
{
    return hd_opt_fold_emit(s, HD_IR_LOCAL_ADDR, HD_IR_PTR, in->sub, hd_ir_args(s->f, address),
                            in->nargs, 0);
}

/* PTRADD: constants are gathered outside, into the object's own address where it has one. */
static HdIrRef fold_ptradd(HdFold *s, HdIrRef r)
{
    HdIrFunc *f = s->f;
    HdIrRef base = hd_ir_arg(f, r, 0), by = hd_ir_arg(f, r, 1), inner, inner_by;
    HdIrInst b = *hd_opt_fold_at(s, base), step = *hd_opt_fold_at(s, by);
    uint64_t c, d;

    if (hd_opt_fold_disjoint(s, by)) {
        s->rewritten = true;
        return 0;
    }
    if (hd_ir_is_const(f, by, &c)) {
        if (c == 0)
            return base;
        if (c <= INT32_MAX && b.imm <= INT32_MAX &&
            (b.op == HD_IR_KARG_ADDR || b.op == HD_IR_PROGRAM_ADDR || b.op == HD_IR_LOCAL_ADDR)) {
            HdIrInst *in = hd_ir_inst(f, r);

            in->op = b.op;
            in->sub = b.sub;
            in->imm = b.imm + c;
            hd_ir_set_args(f, r, hd_ir_args(f, base), b.nargs);
            s->rewritten = true;
            return 0;
        }
    }
    if (b.op == HD_IR_LOCAL_ADDR && b.imm != 0) {
        /* one form, from wherever the constant comes: all variables share what is added to them */
        inner = local_memory(s, &b, base);
        inner = hd_opt_fold_op2(s, HD_IR_PTRADD, HD_IR_PTR, inner, by, 0);
        hd_opt_fold_rewrite(s, r, HD_IR_PTRADD, 0, inner, hd_opt_fold_const(s, HD_IR_I64, b.imm));
        return 0;
    }
    if (b.op == HD_IR_PTRADD) {
        inner = hd_ir_arg(f, base, 0);
        inner_by = hd_ir_arg(f, base, 1);
        if (hd_ir_is_const(f, inner_by, &d)) {
            if (hd_ir_is_const(f, by, &c))
                hd_opt_fold_rewrite(s, r, HD_IR_PTRADD, 0, inner,
                                    hd_opt_fold_const(s, HD_IR_I64, c + d));
            else
                hd_opt_fold_rewrite(s, r, HD_IR_PTRADD, 0,
                                    hd_opt_fold_op2(s, HD_IR_PTRADD, HD_IR_PTR, inner, by, 0),
                                    inner_by);
            return 0;
        }
    }
    if (step.op == HD_IR_ADD && hd_ir_is_const(f, hd_ir_arg(f, by, 1), NULL)) {
        inner_by = hd_ir_arg(f, by, 1);
        inner = hd_opt_fold_op2(s, HD_IR_PTRADD, HD_IR_PTR, base, hd_ir_arg(f, by, 0), 0);
        hd_opt_fold_rewrite(s, r, HD_IR_PTRADD, 0, inner, inner_by);
    }
    return 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Kinds of memory that a generic address may lead to (ir/memory.h), where it can be told. A phi in
 * which it ends again adds nothing. */
static unsigned memory_of(HdFold *s, HdIrRef address, HdIrRef phi, unsigned depth)
{
    HdIrRef r = hd_ir_resolve(s->with, s->with_count, address);
    const HdIrInst *in = hd_opt_fold_at(s, r);
    unsigned kinds = 0;

    if (r == phi)
        return 0;
    if (depth == 0)
        return HD_IR_MEM_ALL;
    switch (in->op) {
    case HD_IR_PTRADD:
    case HD_IR_BITCAST:
    case HD_IR_FREEZE: return memory_of(s, hd_ir_arg(s->f, r, 0), phi, depth - 1);
    case HD_IR_SELECT:
        return memory_of(s, hd_ir_arg(s->f, r, 1), phi, depth - 1) |
               memory_of(s, hd_ir_arg(s->f, r, 2), phi, depth - 1);
    case HD_IR_PHI:
        for (unsigned i = 1; i < in->nargs && kinds != HD_IR_MEM_ALL; i += 2)
            kinds |= memory_of(s, hd_ir_arg(s->f, r, i), phi != 0 ? phi : r, depth - 1);
        return kinds;
    default: return hd_ir_memory_at(s->f, r, HD_SPACE_GENERIC);
    }
}

/* IN_SPACE of an address whose memory is known. */
static HdIrRef fold_in_space(HdFold *s, HdIrRef r)
{
    HdIrRef address = hd_ir_arg(s->f, r, 0);
    unsigned wanted = hd_ir_memory_of_space(hd_opt_fold_at(s, r)->sub);
    unsigned kinds = memory_of(s, address, 0, MAX_DEPTH);

    if (kinds == 0) /* the program's constants, say */
        return 0;
    if ((kinds & ~wanted) == 0)
        return address;
    return (kinds & wanted) == 0 ? hd_opt_fold_const(s, HD_IR_PTR, 0) : 0;
}

/* An atomic operation at a generic address that leads to local memory alone, as those of OpenCL C
 * 2.0 are written: one thread does all of a work-group. */
static void fold_atomic(HdFold *s, HdIrRef r)
{
    HdIrInst *in = &s->f->insts.at[r];

    if ((in->imm >> 8 & 255) != HD_SPACE_GENERIC ||
        memory_of(s, hd_ir_arg(s->f, r, 0), 0, MAX_DEPTH) != 1u << HD_IR_MEM_LOCAL)
        return;
    in->imm |= (uint64_t)HD_SPACE_LOCAL << 8;
    s->rewritten = true;
}

static bool is_known(const void *pass, HdIrRef r, uint64_t *bits)
{
    return hd_ir_is_const(((const HdFold *)pass)->f, r, bits);
}

/* What a program's constants hold at a place that is known. */
static HdIrRef fold_load(HdFold *s, HdIrRef r)
{
    uint64_t at, bits;

    if (!hd_ir_table_at(s->f, r, is_known, s, &at) || !hd_ir_table_read(s->f, r, at, &bits))
        return 0;
    return hd_opt_fold_const(s, (HdIrType)hd_opt_fold_at(s, r)->type, bits);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static HdIrRef fold_inst(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrRef value;

    if (in->op == HD_IR_PHI)
        return fold_phi(s, r);
    if (in->op == HD_IR_LOAD)
        return fold_load(s, r);
    if (hd_ir_op_is_atomic(in->op))
        fold_atomic(s, r);
    if (!hd_ir_op_is_pure(in->op) || in->nargs == 0)
        return 0;
    value = hd_opt_fold_evaluate(s, in, hd_ir_args(s->f, r));
    if (value != 0)
        return value;
    switch (in->op) {
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: return hd_opt_fold_division(s, r);
    case HD_IR_ICMP:
    case HD_IR_FCMP: return hd_opt_fold_compare(s, r);
    case HD_IR_SELECT: return fold_select(s, r);
    case HD_IR_FREEZE: return fold_freeze(s, r);
    case HD_IR_PTRADD: return fold_ptradd(s, r);
    case HD_IR_IN_SPACE: return fold_in_space(s, r);
    default: break;
    }
    if (in->op >= HD_IR_ADD && in->op <= HD_IR_BITREVERSE)
        return hd_opt_fold_int(s, r);
    if (in->op >= HD_IR_FADD && in->op <= HD_IR_FMAX)
        return hd_opt_fold_float(s, r);
    if (in->op >= HD_IR_TRUNC && in->op <= HD_IR_BITCAST)
        return hd_opt_fold_cast(s, r);
    return 0;
}

/* A branch on a negated condition has its targets swapped. */
static void fold_branch(HdFold *s, HdIrRef r)
{
    HdIrBlock *b = &s->f->blocks.at[s->block];
    HdIrRef inner = negated(s, hd_ir_arg(s->f, r, 0));
    uint32_t yes = b->succ[0];

    if (inner == 0)
        return;
    hd_ir_args(s->f, r)[0] = inner;
    b->succ[0] = b->succ[1];
    b->succ[1] = yes;
    s->rewritten = true;
}

static HdStatus fold_block(HdFold *s, uint32_t b, bool *changed)
{
    HdIrFunc *f = s->f;
    HdIrBlock *block = &f->blocks.at[b];

    s->block = b;
    s->list.at = NULL;
    s->list.count = s->list.room = 0;
    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i], value = 0;
        HdIrInst *in = hd_ir_inst(f, r);

        for (unsigned k = 0; k < in->nargs; k++)
            if (hd_ir_arg_is_value(in, k))
                hd_ir_args(f, r)[k] = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(f, r, k));
        if (in->op == HD_IR_CONST) {
            value = hd_opt_fold_const(s, (HdIrType)in->type, in->imm);
            if (value == r)
                value = 0; /* otherwise only a merge: no reason for another iteration */
        } else {
            /* a rule that rewrites may make way for the next one */
            for (unsigned tries = 0; tries < 8 && value == 0; tries++) {
                s->rewritten = false;
                value = fold_inst(s, r);
                if (hd_opt_fold_at(s, r)->op == HD_IR_CONDBR)
                    fold_branch(s, r);
                *changed = *changed || s->rewritten;
                if (!s->rewritten)
                    break;
            }
            *changed = *changed || value != 0;
        }
        if (s->failed)
            return HD_NO_MEMORY;
        if (value != 0) {
            s->with[r] = value;
            hd_ir_kill(f, r);
        } else {
            HD_TRY_PUSH(f->module->arena, &s->list, r);
        }
    }
    block->insts.at = s->list.at;
    block->insts.count = s->list.count;
    block->insts.room = s->list.room;
    return HD_OK;
}

/* New constants are at the top of the entry block, before their uses. */
static HdStatus place_constants(HdFold *s)
{
    HdIrBlock *entry = &s->f->blocks.at[0];
    HD_ARRAY(HdIrRef) list = {0};

    if (s->new_constants.count == 0)
        return HD_OK;
    for (size_t i = 0; i < s->new_constants.count; i++)
        HD_TRY_PUSH(s->f->module->arena, &list, s->new_constants.at[i]);
    for (size_t i = 0; i < entry->insts.count; i++)
        HD_TRY_PUSH(s->f->module->arena, &list, entry->insts.at[i]);
    entry->insts.at = list.at;
    entry->insts.count = list.count;
    entry->insts.room = list.room;
    return HD_OK;
}

/* Constants of the entry come first, so that they serve the whole function. */
static HdStatus gather_constants(HdFold *s)
{
    HdIrBlock *entry = &s->f->blocks.at[0];
    size_t kept = 0;

    for (size_t i = 0; i < entry->insts.count; i++) {
        HdIrRef r = entry->insts.at[i];
        const HdIrInst *in = hd_opt_fold_at(s, r);

        if (in->op == HD_IR_CONST && !hd_map_get(&s->constants[in->type], in->imm, NULL)) {
            if (!hd_map_put(s->arena, &s->constants[in->type], in->imm, r))
                return HD_NO_MEMORY;
            HD_TRY_PUSH(s->arena, &s->new_constants, r);
        } else {
            entry->insts.at[kept++] = r;
        }
    }
    entry->insts.count = kept;
    return HD_OK;
}

static HdStatus fold_round(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    HdFold s = {.f = f, .arena = scratch, .with_count = f->insts.count};
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    HD_TAKE(s.with, HD_NEW(scratch, HdIrRef, s.with_count));
    HD_TAKE(s.uses, hd_ir_count_uses(f, scratch));
    HD_TRY(gather_constants(&s));
    for (uint32_t i = 0; i < g->reachable; i++)
        HD_TRY(fold_block(&s, g->order[i], changed));
    HD_TRY(place_constants(&s));
    hd_ir_substitute(f, s.with, s.with_count);
    return HD_OK;
}

HdStatus hd_opt_fold(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    bool again = true;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    for (unsigned round = 0; again && round < MAX_ROUNDS; round++) {
        again = false;
        HD_TRY(fold_round(f, scratch, &again));
        *changed = *changed || again;
    }
    return HD_OK;
}
