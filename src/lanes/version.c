/* lanes/version.c -- duplication of a kernel, after a test of the values that the copy is for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/version.h"

#include "ir/copy.h"
#include "ir/edit.h"
#include "ir/graph.h"

uint32_t hd_lanes_split_entry(HdIrFunc *f)
{
    uint32_t body = hd_ir_block(f);
    HdIrBlock *from = &f->blocks.at[0], *to = &f->blocks.at[body];
    size_t kept = 0;

    if (f->module->failed || !HD_ARRAY_RESERVE(f->module->arena, &to->insts, from->insts.count))
        return 0;
    for (size_t i = 0; i < from->insts.count; i++) {
        HdIrRef v = from->insts.at[i];

        if (f->insts.at[v].op == HD_IR_ALLOCA) {
            from->insts.at[kept++] = v;
            continue;
        }
        f->insts.at[v].block = body;
        to->insts.at[to->insts.count++] = v;
    }
    from->insts.count = kept;
    to->succ = from->succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    to->rank = from->rank;
    from->succ_count = 0;
    for (uint32_t i = 0; i < to->succ_count; i++)
        hd_ir_phi_rename(f, to->succ[i], 0, body);
    return body;
}

/* What the host gives, once more, in the entry. */
static HdIrRef make_again(HdIrFunc *f, HdIrRef r)
{
    HdIrInst in = f->insts.at[r];
    HdIrRef args[2];

    for (unsigned k = 0; k < in.nargs; k++)
        args[k] = hd_ir_arg(f, r, k);
    for (unsigned k = 0; k < in.nargs; k++)
        args[k] = make_again(f, args[k]);
    return hd_ir_emit_sub(f, 0, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
}

/* Are all values what they should be? In the entry; expected[] is what they then are. */
static HdIrRef make_test(HdIrFunc *f, const HdLaneValue *values, unsigned count, HdIrRef *expected)
{
    HdIrRef all = 0;

    for (unsigned i = 0; i < count; i++) {
        HdIrRef value = make_again(f, values[i].of), both[2] = {all, 0};
        HdIrType type = (HdIrType)f->insts.at[values[i].of].type;

        expected[i] = hd_ir_const(f, 0, type, values[i].value);
        both[1] = hd_ir_emit_sub(f, 0, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, 0,
                                 (HdIrRef[]){value, expected[i]}, 2);
        all = i == 0 ? both[1] : hd_ir_emit(f, 0, HD_IR_AND, HD_IR_BOOL, both, 2);
    }
    return all;
}

/* In the copy values are what the test found them to be. */
static void use_expected(HdIrFunc *f, const HdIrCopy *c, const HdLaneValue *values, unsigned count,
                         const HdIrRef *expected)
{
    for (uint32_t b = 0; b < c->blocks; b++) {
        const HdIrBlock *block = &f->blocks.at[c->copies[b]];

        for (size_t i = 0; c->chosen[b] && i < block->insts.count; i++) {
            const HdIrInst *in = &f->insts.at[block->insts.at[i]];
            HdIrRef *args = hd_ir_args(f, block->insts.at[i]);

            for (unsigned k = 0; k < in->nargs; k++)
                for (unsigned n = 0; hd_ir_arg_is_value(in, k) && n < count; n++)
                    if (args[k] == c->values[values[n].of])
                        args[k] = expected[n];
        }
    }
}

HdStatus hd_lanes_version(HdIrFunc *f, const HdLaneValue *values, unsigned count, HdArena *a)
{
    HdIrRef expected[HD_TWICE_VALUES], test;
    uint32_t body, exit;
    HdIrGraph *g;
    HdIrCopy c;

    HD_TRY(hd_ir_graph(f, a, &g));
    exit = g->order[g->reachable - 1];
    body = hd_lanes_split_entry(f);
    if (body == 0)
        return HD_NO_MEMORY;
    HD_TRY(hd_ir_copy_open(f, a, &c));
    for (uint32_t b = 1; b < g->count; b++)
        c.chosen[b] = b != exit && g->rank[b] != HD_IR_NOWHERE;
    c.chosen[body] = true;
    HD_TRY(hd_ir_copy_make(&c, exit));
    test = make_test(f, values, count, expected);
    use_expected(f, &c, values, count, expected);
    hd_ir_condbr(f, 0, test, c.copies[body], body);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
