/* ir/print.c -- lane IR as text (docs/lane-ir.md).
 *
 * SPDX-License-Identifier: MIT
 */

#include "ir/text.h"

const char *hd_ir_sub_name(unsigned op, unsigned sub)
{
    static const char *const icmp[] = {"eq",  "ne",  "ult", "ule", "ugt",
                                       "uge", "slt", "sle", "sgt", "sge"};
    static const char *const fcmp[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                       "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
    static const char *const rmw[] = {"xchg", "add",  "sub",  "and",  "or",   "xor",  "umin",
                                      "umax", "smin", "smax", "fadd", "fmin", "fmax", "fadd_rtz"};
    static const char *const space[] = {"generic", "global", "constant", "local", "private"};
    static const char *const builtin[] = {
        "global_id",         "local_id",          "group_id",
        "global_size",       "local_size",        "enqueued_local_size",
        "num_groups",        "global_offset",     "work_dim",
        "global_linear_id",  "local_linear_id",   "subgroup_size",
        "subgroup_max_size", "num_subgroups",     "num_enqueued_subgroups",
        "subgroup_id",       "subgroup_local_id", "arrays",
        "array_room",        "array_soft",        "round_start",
        "one_round"};
    static const char *const coll[] = {"add",
                                       "mul",
                                       "umin",
                                       "umax",
                                       "smin",
                                       "smax",
                                       "and",
                                       "or",
                                       "xor",
                                       "fadd",
                                       "fmul",
                                       "fmin",
                                       "fmax",
                                       "all",
                                       "any",
                                       "all_equal",
                                       "elect",
                                       "broadcast",
                                       "broadcast_first",
                                       "shuffle",
                                       "shuffle_xor",
                                       "shuffle_up",
                                       "shuffle_down",
                                       "rotate",
                                       "ballot",
                                       "match"};
#define NAME(list) (sub < sizeof(list) / sizeof *(list) ? (list)[sub] : NULL)
    switch (op) {
    case HD_IR_ICMP: return NAME(icmp);
    case HD_IR_FCMP: return NAME(fcmp);
    case HD_IR_BUILTIN: return NAME(builtin);
    case HD_IR_COLLECTIVE: return NAME(coll);
    case HD_IR_ATOMIC_RMW: return NAME(rmw);
    case HD_IR_LOAD:
    case HD_IR_STORE:
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: return NAME(space);
    default: return NULL;
    }
#undef NAME
}

const char *hd_ir_flag_name(unsigned bit)
{
    static const char *const names[HD_IR_FLAG_COUNT] = {
        "nsw",       "nuw",         "volatile",   "nontemporal", "masked", "fast",
        "invariant", "interleaved", "uniform_op", "walks",       "tested", "guard"};

    return bit < HD_IR_FLAG_COUNT ? names[bit] : "?";
}

const char *hd_ir_shape_name(unsigned shape)
{
    static const char *const names[] = {"uniform", "affine", "address", "varying"};

    return shape < 4 ? names[shape] : "?";
}

static void print_head(const HdIrInst *in, HdIrRef r, HdStrbuf *out)
{
    const char *sub = hd_ir_sub_name(in->op, in->sub);

    hd_strbuf_printf(out, "  %%%u = %s", r, hd_ir_op_name(in->op));
    if (sub != NULL)
        hd_strbuf_printf(out, ".%s", sub);
    else if (in->sub != 0)
        hd_strbuf_printf(out, ".%u", in->sub);
    hd_strbuf_printf(out, " %s", hd_ir_type_name(in->type));
    for (unsigned bit = 0; bit < HD_IR_FLAG_COUNT; bit++)
        if ((in->flags >> bit & 1) != 0)
            hd_strbuf_printf(out, " %s", hd_ir_flag_name(bit));
    if (in->imm != 0 || in->op == HD_IR_CONST)
        hd_strbuf_printf(out, hd_ir_is_float(in->type) ? " imm 0x%llx" : " imm %llu",
                         (unsigned long long)in->imm);
    if (in->shape != HD_SHAPE_VARYING)
        hd_strbuf_printf(out, " %s", hd_ir_shape_name(in->shape));
    if (in->stride != 0)
        hd_strbuf_printf(out, " stride %lld", (long long)in->stride);
    if (in->place != UINT32_MAX)
        hd_strbuf_printf(out, " @%u", in->place);
}

static void print_inst(const HdIrFunc *f, const HdIrBlock *b, HdIrRef r, HdStrbuf *out)
{
    const HdIrInst *in = &f->insts.at[r];

    print_head(in, r, out);
    for (unsigned i = 0; i < in->nargs; i++) {
        const char *comma = i != 0 ? ", " : " ";

        if (in->op != HD_IR_PHI)
            hd_strbuf_printf(out, "%s%%%u", comma, hd_ir_arg(f, r, i));
        else if ((i & 1) == 0)
            hd_strbuf_printf(out, "%s%u:", comma, hd_ir_arg(f, r, i));
        else
            hd_strbuf_printf(out, " %%%u", hd_ir_arg(f, r, i));
    }
    if (hd_ir_op_is_terminator(in->op) && b->succ_count != 0) {
        hd_strbuf_add(out, " ->");
        for (uint32_t i = 0; i < b->succ_count; i++) {
            hd_strbuf_add(out, i != 0 ? ", " : " ");
            if (in->op == HD_IR_SWITCH && i != 0)
                hd_strbuf_printf(out, "%llu: ", (unsigned long long)b->cases[i - 1]);
            hd_strbuf_printf(out, "%u", b->succ[i]);
        }
    }
    hd_strbuf_add_char(out, '\n');
}

static void print_types(const uint8_t *types, uint32_t count, HdStrbuf *out)
{
    for (uint32_t i = 0; i < count; i++)
        hd_strbuf_printf(out, "%s%s", i != 0 ? ", " : "", hd_ir_type_name(types[i]));
}

void hd_ir_print(const HdIrFunc *f, HdStrbuf *out)
{
    hd_strbuf_printf(out, "%s @", f->is_kernel ? "kernel" : "func");
    hd_strbuf_add_json(out, f->name);
    hd_strbuf_add(out, " (");
    print_types(f->param_types, f->param_count, out);
    hd_strbuf_add(out, ") -> (");
    print_types(f->result_types, f->result_count, out);
    hd_strbuf_add_char(out, ')');
    if (f->callee.must_inline)
        hd_strbuf_add(out, " must_inline");
    if (f->waits.has_barrier)
        hd_strbuf_add(out, " has_barrier");
    if (f->waits.needs_fibers)
        hd_strbuf_add(out, " needs_fibers");
    if (f->waits.lanes_wait)
        hd_strbuf_add(out, " lanes_wait");
    if (f->width != 0)
        hd_strbuf_printf(out, " width %u", f->width);
    hd_strbuf_add(out, " {\n");
    for (size_t b = 0; b < f->blocks.count; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        hd_strbuf_printf(out, "block %zu", b);
        if (block->rank != HD_IR_NOWHERE)
            hd_strbuf_printf(out, " rank %u", block->rank);
        if (block->loop_merge != HD_IR_NOWHERE)
            hd_strbuf_printf(out, " merge %u", block->loop_merge);
        hd_strbuf_add(out, ":\n");
        for (size_t i = 0; i < block->insts.count; i++)
            print_inst(f, block, block->insts.at[i], out);
    }
    hd_strbuf_add(out, "}\n");
}
