/* lanes/version_rows.c -- code of its own for when all rows of work-items go the same way.
 *
 * Tiles at the edge of a matrix need tests of each row, which those in the middle all pass. A
 * branch and a mask for each row cost as much as the loads that they guard. So where all lanes of
 * all rows go there, one test in front of them finds it, and what the branch guards is there once
 * more, for all rows side by side and under no mask.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/version_rows.h"

#include "ir/copy.h"
#include "ir/edit.h"

#define MOST_GUARDED 48u /* instructions of a piece */
#define MOST_DEPTH   8u  /* of a condition */
#define MOST_PARTS   16u /* of which a condition is the conjunction */
#define MOST_TERMS   6u  /* of an index */

/* Made of ids, arguments and what loops count, of which nothing was loaded. */
static bool is_of_ids(const HdIrFunc *f, HdIrRef v, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[v];

    if (in->op == HD_IR_CONST || in->op == HD_IR_BUILTIN || in->op == HD_IR_KARG ||
        in->op == HD_IR_PHI)
        return true;
    if (depth == 0 || !hd_ir_op_is_pure(in->op))
        return false;
    for (unsigned i = 0; i < in->nargs; i++)
        if (!is_of_ids(f, hd_ir_arg(f, v, i), depth - 1))
            return false;
    return true;
}

/* Is a piece something that its branch guards, and rows can do side by side? */
static bool is_guarded(const HdIrFunc *f, const HdPieces *p, uint32_t piece, const bool *differs)
{
    const HdIrBlock *branch = &f->blocks.at[p->at[piece].branch];
    HdIrRef end = hd_ir_last(f, p->at[piece].branch);
    uint32_t join = p->at[piece].join;
    size_t size = 0;

    if (f->insts.at[end].op != HD_IR_CONDBR ||
        (branch->succ[0] == join) == (branch->succ[1] == join))
        return false;
    for (uint32_t b = 0; b < p->blocks; b++) {
        if (p->of[b] != piece + 1)
            continue;
        size += f->blocks.at[b].insts.count;
        if (hd_lanes_parts_rows(f, differs, b))
            return false;
    }
    return size <= MOST_GUARDED && is_of_ids(f, hd_ir_arg(f, end, 0), MOST_DEPTH);
}

/* ---- before there are rows ----------------------------------------------------------------------
 */

/* An unsigned index: the sum of what is one for all lanes and of what is not. */
typedef struct Index {
    HdIrRef same[MOST_TERMS], other[MOST_TERMS];
    unsigned same_count, other_count;
    uint64_t most; /* that the others can be, all together */
} Index;

static uint64_t most_of(const HdIrFunc *f, HdIrRef v)
{
    const HdIrInst *in = &f->insts.at[v];

    while (in->op == HD_IR_TRUNC || in->op == HD_IR_ZEXT)
        in = &f->insts.at[f->args.at[in->args]];
    if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_LOCAL_ID)
        return HD_IR_MOST_LOCAL_ID;
    if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_GLOBAL_ID)
        return INT32_MAX;
    return hd_ir_most(f, v, MOST_DEPTH);
}

static bool find_terms(const HdIrFunc *f, HdIrRef v, const bool *varies, unsigned depth, Index *x)
{
    if (f->insts.at[v].op == HD_IR_ADD && varies[v] && depth != 0)
        return find_terms(f, hd_ir_arg(f, v, 0), varies, depth - 1, x) &&
               find_terms(f, hd_ir_arg(f, v, 1), varies, depth - 1, x);
    if (x->same_count == MOST_TERMS || x->other_count == MOST_TERMS)
        return false;
    if (!varies[v]) {
        x->same[x->same_count++] = v;
        return true;
    }
    x->other[x->other_count++] = v;
    x->most += most_of(f, v);
    return x->most <= INT32_MAX;
}

/* What the piece makes of values in front of it, made in front of it: in block b. */
static HdIrRef put_early(HdIrFunc *f, const HdIrCopy *c, HdIrRef v, uint32_t b, unsigned depth)
{
    HdIrInst in = f->insts.at[v];
    HdIrRef args[3], r;

    if (!c->chosen[in.block])
        return v;
    if (depth == 0 || in.nargs > 3 || in.op == HD_IR_PHI || !hd_ir_op_is_pure(in.op))
        return 0;
    for (unsigned k = 0; k < in.nargs; k++) {
        args[k] = put_early(f, c, hd_ir_arg(f, v, k), b, depth - 1);
        if (args[k] == 0)
            return 0;
    }
    r = hd_ir_emit_sub(f, b, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
    hd_ir_inst(f, r)->place = in.place;
    return r;
}

static HdIrRef put_sum(HdIrFunc *f, uint32_t b, HdIrRef x, HdIrRef y, unsigned flags)
{
    HdIrRef r = x == 0 ? y : hd_ir_emit(f, b, HD_IR_ADD, HD_IR_I32, (HdIrRef[]){x, y}, 2);

    if (x != 0)
        hd_ir_inst(f, r)->flags |= (HdIrFlags)flags;
    return r;
}

/* Let the copy add the index that v widens up in 64 bits, as lanes side by side then load what lies
 * side by side. In block b it is made sure, as a part of *test, that it does not wrap in 32. */
static void put_index(HdIrFunc *f, const HdIrCopy *c, HdIrRef v, const bool *varies, uint32_t b,
                      HdIrRef *test)
{
    HdIrRef sum = 0, others = 0, limit, args[2];
    Index x = {0};

    if (!find_terms(f, hd_ir_arg(f, v, 0), varies, MOST_TERMS, &x) || x.same_count == 0)
        return;
    for (unsigned i = 0; i < x.same_count + x.other_count; i++) {
        HdIrRef *to = i < x.same_count ? &sum : &others;
        HdIrRef term = i < x.same_count ? x.same[i] : x.other[i - x.same_count];

        term = put_early(f, c, term, b, MOST_DEPTH);
        if (term == 0)
            return;
        *to = put_sum(f, b, *to, term, to == &others ? HD_IR_NUW : 0);
    }
    limit = hd_ir_const(f, b, HD_IR_I32, UINT32_MAX - x.most);
    args[0] = *test;
    args[1] =
        hd_ir_emit_sub(f, b, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULE, 0, (HdIrRef[]){sum, limit}, 2);
    *test = hd_ir_emit(f, b, HD_IR_AND, HD_IR_BOOL, args, 2);
    args[0] = hd_ir_emit(f, b, HD_IR_ZEXT, HD_IR_I64, &sum, 1);
    args[1] = hd_ir_emit(f, b, HD_IR_ZEXT, HD_IR_I64, &others, 1);
    hd_ir_inst(f, c->values[v])->op = HD_IR_ADD;
    hd_ir_inst(f, c->values[v])->flags = HD_IR_NSW | HD_IR_NUW;
    hd_ir_set_args(f, c->values[v], args, 2);
}

/* Such indices of the whole piece. */
static void put_indices(HdIrFunc *f, const HdIrCopy *c, const bool *varies, uint32_t b,
                        HdIrRef *test)
{
    for (uint32_t from = 0; from < c->blocks; from++)
        for (size_t i = 0; c->chosen[from] && i < f->blocks.at[from].insts.count; i++) {
            HdIrRef v = f->blocks.at[from].insts.at[i];
            HdIrRef wide = f->insts.at[v].op == HD_IR_ZEXT ? hd_ir_arg(f, v, 0) : 0;

            if (wide != 0 && f->insts.at[v].type == HD_IR_I64 && varies[v] &&
                f->insts.at[wide].op == HD_IR_ADD && f->insts.at[wide].type == HD_IR_I32 &&
                (f->insts.at[wide].flags & HD_IR_NUW) == 0)
                put_index(f, c, v, varies, b, test);
        }
}

/* The block where the copy and the piece meet, with phis that are to take the place of those of the
 * piece's end: with[]. */
static HdStatus put_meeting(HdIrFunc *f, const HdPieces *p, uint32_t piece, const HdIrCopy *c,
                            uint32_t meeting, HdIrRef *with)
{
    uint32_t join = p->at[piece].join, behind = f->blocks.at[join].succ[0];

    for (size_t i = 0; i < f->blocks.at[join].insts.count; i++) {
        HdIrRef v = f->blocks.at[join].insts.at[i], *args;
        unsigned n = 0;

        if (f->insts.at[v].op != HD_IR_PHI)
            break;
        HD_TAKE(args, HD_NEW(c->a, HdIrRef, f->insts.at[v].nargs + 2u));
        for (unsigned k = 0; k + 1 < f->insts.at[v].nargs; k += 2) {
            uint32_t from = hd_ir_arg(f, v, k);
            HdIrRef value = hd_ir_arg(f, v, k + 1);

            if (p->of[from] != piece + 1)
                continue;
            args[n++] = c->copies[from];
            args[n++] = c->values[value] != 0 ? c->values[value] : value;
        }
        with[v] = hd_ir_emit(f, meeting, HD_IR_PHI, (HdIrType)f->insts.at[v].type, args, n);
    }
    if (f->module->failed)
        return HD_NO_MEMORY;
    hd_ir_br(f, meeting, behind);
    hd_ir_phi_rename(f, behind, join, meeting);
    f->blocks.at[join].succ[0] = meeting;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* All others use the phis of meetings, which use those that they stand for. */
static HdStatus use_meetings(HdIrFunc *f, HdIrRef *with, size_t count, HdArena *a)
{
    hd_ir_substitute(f, with, count);
    for (HdIrRef v = 1; v < count; v++) {
        unsigned n = with[v] != 0 ? f->insts.at[with[v]].nargs : 0;
        HdIrRef *args;

        if (with[v] == 0)
            continue;
        HD_TAKE(args, HD_NEW(a, HdIrRef, n + 2u));
        for (unsigned k = 0; k < n; k++)
            args[k] = hd_ir_arg(f, with[v], k);
        args[n] = f->insts.at[v].block;
        args[n + 1] = v;
        hd_ir_set_args(f, with[v], args, n + 2);
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* The test at the end of the block that led to the piece, and its branch in one behind it. */
static HdStatus put_test(HdIrFunc *f, uint32_t b, unsigned way, const bool *varies, bool is_whole,
                         const HdIrCopy *c)
{
    uint32_t own = hd_ir_block(f), succ[2] = {f->blocks.at[b].succ[0], f->blocks.at[b].succ[1]};
    HdIrRef end = hd_ir_last(f, b), cond = hd_ir_arg(f, end, 0), pair[2];

    if (f->module->failed)
        return HD_NO_MEMORY;
    hd_ir_kill(f, end);
    f->blocks.at[b].insts.count--;
    f->blocks.at[b].succ_count = 0;
    pair[0] = cond;
    pair[1] = way == 0 ? 0 : hd_ir_const(f, b, HD_IR_BOOL, 1);
    if (way != 0)
        pair[0] = hd_ir_emit(f, b, HD_IR_XOR, HD_IR_BOOL, pair, 2);
    put_indices(f, c, varies, b, &pair[0]);
    if (is_whole) {
        hd_ir_br(f, b, c->copies[succ[way]]);
        hd_ir_condbr(f, own, cond, succ[0], succ[1]); /* never reached */
        for (unsigned i = 0; i < 2; i++)
            hd_ir_phi_rename(f, succ[i], b, own);
        return f->module->failed ? HD_NO_MEMORY : HD_OK;
    }
    pair[0] = hd_ir_emit(f, b, HD_IR_ALL, HD_IR_BOOL, pair, 1);
    hd_ir_condbr(f, b, pair[0], c->copies[succ[way]], own);
    hd_ir_condbr(f, own, cond, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++)
        hd_ir_phi_rename(f, succ[i], b, own);
    if (f->module->failed)
        return HD_NO_MEMORY;
    hd_ir_inst(f, hd_ir_last(f, own))->flags |= HD_IR_TESTED;
    return HD_OK;
}

HdStatus hd_lanes_version_rows(HdIrFunc *f, const HdPieces *p, const bool *differs,
                               const bool *varies, bool is_whole, HdArena *a)
{
    size_t count = f->insts.count;
    HdIrRef *with;

    HD_TAKE(with, HD_NEW(a, HdIrRef, count));
    for (uint32_t piece = 0; piece < p->count; piece++) {
        uint32_t branch = p->at[piece].branch, join = p->at[piece].join, meeting;
        HdIrCopy c;

        if (!is_guarded(f, p, piece, differs))
            continue;
        HD_TRY(hd_ir_copy_open(f, a, &c));
        for (uint32_t b = 0; b < p->blocks; b++)
            c.chosen[b] = p->of[b] == piece + 1;
        meeting = hd_ir_block(f);
        if (f->module->failed)
            return HD_NO_MEMORY;
        HD_TRY(hd_ir_copy_make(&c, meeting));
        for (uint32_t b = 0; b < p->blocks; b++)
            for (uint32_t i = 0; c.chosen[b] && i < f->blocks.at[b].succ_count; i++)
                if (f->blocks.at[b].succ[i] == join)
                    f->blocks.at[c.copies[b]].succ[i] = meeting;
        HD_TRY(put_meeting(f, p, piece, &c, meeting, with));
        HD_TRY(put_test(f, branch, f->blocks.at[branch].succ[0] == join, varies, is_whole, &c));
    }
    return use_meetings(f, with, count, a);
}

/* ---- with rows ----------------------------------------------------------------------------------
 */

/* What must be true for v to be. */
static unsigned find_parts(const HdIrFunc *f, HdIrRef v, HdIrRef *parts, unsigned count)
{
    const HdIrInst *in = &f->insts.at[v];
    bool is_both = in->op == HD_IR_AND ||
                   (in->op == HD_IR_SELECT && f->insts.at[hd_ir_arg(f, v, 2)].op == HD_IR_CONST &&
                    (f->insts.at[hd_ir_arg(f, v, 2)].imm & 1) == 0);

    if (is_both && count + 2 <= MOST_PARTS) {
        count = find_parts(f, hd_ir_arg(f, v, 0), parts, count);
        if (count < MOST_PARTS)
            return find_parts(f, hd_ir_arg(f, v, 1), parts, count);
        count--; /* no room: it is one part after all */
    }
    parts[count] = v;
    return count + 1;
}

static HdIrRef put_and(HdIrFunc *f, uint32_t b, HdIrRef x, HdIrRef y)
{
    return x == 0 ? y : hd_ir_emit(f, b, HD_IR_AND, HD_IR_BOOL, (HdIrRef[]){x, y}, 2);
}

HdStatus hd_lanes_versioned_rows(HdIrFunc *f, uint32_t b, const HdRows *rows)
{
    HdIrBlock *block = &f->blocks.at[b];
    HdIrRef end = hd_ir_last(f, b), test, parts[MOST_PARTS], all[2] = {0};
    unsigned count;

    if (block->insts.count < 2 || f->insts.at[end].op != HD_IR_CONDBR)
        return HD_OK;
    test = block->insts.at[block->insts.count - 2];
    if (f->insts.at[test].op != HD_IR_ALL || hd_ir_arg(f, end, 0) != test)
        return HD_OK;
    count = find_parts(f, hd_ir_arg(f, test, 0), parts, 0);
    block->insts.count -= 2;
    for (unsigned i = 0; i < count; i++) {
        HdIrRef v = parts[i], *which = &all[rows->varies[v]];

        *which = put_and(f, b, *which, v);
        for (unsigned row = 1; rows->differs[v] && row < rows->count; row++)
            *which = put_and(f, b, *which, rows->of_row[row][v]);
    }
    if (all[1] != 0)
        all[1] = hd_ir_emit(f, b, HD_IR_ALL, HD_IR_BOOL, &all[1], 1);
    hd_ir_kill(f, test);
    test = all[0] == 0 ? all[1] : all[1] == 0 ? all[0] : put_and(f, b, all[0], all[1]);
    hd_ir_set_args(f, end, &test, 1);
    HD_TRY_PUSH(f->module->arena, &f->blocks.at[b].insts, end);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
