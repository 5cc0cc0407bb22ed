/* ir/verify.c -- is a function well formed?
 *
 * Everything later passes rely on: blocks and their successors, operand counts and types, phis
 * that match predecessors, values defined before use. Unreachable blocks need only be well formed
 * in themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"

#define RULE "ir.verify"

typedef struct Verify {
    const HdIrFunc *f;
    HdDiags *d;
    const HdIrGraph *g;
    uint32_t *position; /* of an instruction in its block; UINT32_MAX: in none */
} Verify;

static HdStatus wrong(Verify *v, HdIrRef r, const char *what)
{
    const HdIrInst *in = &v->f->insts.at[r];

    return hd_fail(v->d, HD_BUG, in->place, RULE, "lane IR of %s: %%%u %s in block %u: %s",
                   v->f->name, r, hd_ir_op_name(in->op), in->block, what);
}

static HdStatus wrong_block(Verify *v, size_t b, const char *what)
{
    return hd_fail(v->d, HD_BUG, HD_NO_PLACE, RULE, "lane IR of %s: block %zu: %s", v->f->name, b,
                   what);
}

static HdStatus check_block(Verify *v, uint32_t b)
{
    const HdIrFunc *f = v->f;
    const HdIrBlock *block = &f->blocks.at[b];
    bool phis = true;

    if (block->insts.count == 0)
        return wrong_block(v, b, "is empty");
    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];
        const HdIrInst *in;

        if (r == 0 || r >= f->insts.count)
            return wrong_block(v, b, "lists an instruction that does not exist");
        in = &f->insts.at[r];
        if (in->op >= HD_IR_OP_COUNT || in->type >= HD_IR_TYPE_COUNT)
            return wrong(v, r, "unknown operation or type");
        if (in->block != b)
            return wrong(v, r, "is listed in another block than it names");
        if (v->position[r] != UINT32_MAX)
            return wrong(v, r, "is listed twice");
        v->position[r] = (uint32_t)i;
        if (in->op == HD_IR_PHI && !phis)
            return wrong(v, r, "stands behind other operations");
        phis = phis && in->op == HD_IR_PHI;
        if (hd_ir_op_is_terminator(in->op) != (i + 1 == block->insts.count))
            return wrong(v, r, "terminators stand last and only there");
        if (in->op == HD_IR_ALLOCA && b != 0 && f->width == 0) /* codegen/ puts them all there */
            return wrong(v, r, "belongs into the entry block");
        if ((size_t)in->args + in->nargs > f->args.count)
            return wrong(v, r, "has operands outside the pool");
    }
    return HD_OK;
}

static HdStatus check_succ(Verify *v, uint32_t b)
{
    const HdIrFunc *f = v->f;
    const HdIrBlock *block = &f->blocks.at[b];
    HdIrRef last = hd_ir_last(f, b);
    uint32_t n = block->succ_count;
    bool fits;

    switch (f->insts.at[last].op) {
    case HD_IR_BR: fits = n == 1; break;
    case HD_IR_CONDBR: fits = n == 2; break;
    case HD_IR_SWITCH: fits = n >= 1 && (n == 1 || block->cases != NULL); break;
    default: fits = n == 0; break;
    }
    if (!fits)
        return wrong(v, last, "number of successors");
    for (uint32_t i = 0; i < n; i++)
        if (block->succ[i] >= f->blocks.count || block->succ[i] == 0)
            return wrong(v, last, "a successor does not exist or is the entry");
    if (block->loop_merge != HD_IR_NOWHERE && block->loop_merge >= f->blocks.count)
        return wrong_block(v, b, "its loop's merge block does not exist");
    return HD_OK;
}

/* Type of operand i. */
static HdIrType arg_type(const Verify *v, HdIrRef r, unsigned i)
{
    return (HdIrType)v->f->insts.at[hd_ir_arg(v->f, r, i)].type;
}

/* All operands have the type of the result. */
static bool same_types(const Verify *v, HdIrRef r, unsigned from)
{
    const HdIrInst *in = &v->f->insts.at[r];

    for (unsigned i = from; i < hd_ir_value_args(in); i++)
        if (arg_type(v, r, i) != in->type)
            return false;
    return true;
}

/* Conversions: from what to what. */
static bool conversion_fits(unsigned op, HdIrType from, HdIrType to)
{
    unsigned a = hd_ir_type_bits(from), b = hd_ir_type_bits(to);
    bool a_int = hd_ir_is_int(from) || from == HD_IR_BOOL,
         b_int = hd_ir_is_int(to) || to == HD_IR_BOOL;

    switch (op) {
    case HD_IR_TRUNC: return a_int && b_int && a > b;
    case HD_IR_ZEXT:
    case HD_IR_SEXT: return a_int && b_int && a < b;
    case HD_IR_FPTRUNC: return hd_ir_is_float(from) && hd_ir_is_float(to) && a > b;
    case HD_IR_FPEXT: return hd_ir_is_float(from) && hd_ir_is_float(to) && a < b;
    case HD_IR_SITOFP:
    case HD_IR_UITOFP: return a_int && hd_ir_is_float(to);
    case HD_IR_FPTOSI:
    case HD_IR_FPTOUI: return hd_ir_is_float(from) && hd_ir_is_int(to);
    case HD_IR_BITCAST: return a == b && a != 0;
    default: return from != HD_IR_VOID && to != HD_IR_VOID;
    }
}

/* Operands' types of operations that touch memory. */
static const char *check_memory(const Verify *v, HdIrRef r)
{
    const HdIrInst *in = &v->f->insts.at[r];
    unsigned n = hd_ir_value_args(in);
    static const uint8_t wanted[HD_IR_OP_COUNT] = {
        [HD_IR_LOAD] = 1,       [HD_IR_STORE] = 2,          [HD_IR_MEMCPY] = 3,
        [HD_IR_MEMSET] = 3,     [HD_IR_ATOMIC_LOAD] = 1,    [HD_IR_ATOMIC_STORE] = 2,
        [HD_IR_ATOMIC_RMW] = 2, [HD_IR_ATOMIC_CMPXCHG] = 3,
    };

    if (n != wanted[in->op])
        return "number of operands";
    if (arg_type(v, r, 0) != HD_IR_PTR)
        return "address is not a PTR";
    switch (in->op) {
    case HD_IR_MEMCPY:
        return arg_type(v, r, 1) == HD_IR_PTR && arg_type(v, r, 2) == HD_IR_I64 ? NULL : "types";
    case HD_IR_MEMSET:
        return arg_type(v, r, 1) == HD_IR_I8 && arg_type(v, r, 2) == HD_IR_I64 ? NULL : "types";
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return same_types(v, r, 1) ? NULL : "types";
    case HD_IR_STORE:
    case HD_IR_ATOMIC_STORE: return in->type == HD_IR_VOID ? NULL : "stores have no result";
    default: return in->type != HD_IR_VOID ? NULL : "loads have a result";
    }
}

/* Do the operands of a call match a function that is kept? Inlining checks the others itself. */
static bool call_fits(const Verify *v, HdIrRef r)
{
    const HdIrInst *in = &v->f->insts.at[r];
    const HdIrFunc *to =
        in->imm < v->f->module->funcs.count ? v->f->module->funcs.at[in->imm] : NULL;

    if (v->f->width != 0 || to == NULL || !to->callee.is_called)
        return true;
    for (unsigned i = 0; i < in->nargs && i < to->param_count; i++)
        if (arg_type(v, r, i) != to->param_types[i])
            return false;
    return in->nargs == to->param_count;
}

/* Types of everything else; NULL when they fit. */
static const char *check_types(const Verify *v, HdIrRef r)
{
    const HdIrInst *in = &v->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;

    if (in->op >= HD_IR_ADD && in->op <= HD_IR_BITREVERSE) {
        bool logic = in->op == HD_IR_AND || in->op == HD_IR_OR || in->op == HD_IR_XOR;

        return (hd_ir_is_int(t) || (logic && t == HD_IR_BOOL)) && same_types(v, r, 0) ? NULL
                                                                                      : "types";
    }
    if (in->op >= HD_IR_FADD && in->op <= HD_IR_FMAX)
        return hd_ir_is_float(t) && same_types(v, r, 0) ? NULL : "types";
    if (in->op >= HD_IR_TRUNC && in->op <= HD_IR_CONVERT)
        return conversion_fits(in->op, arg_type(v, r, 0), t) ? NULL : "types";
    if ((in->op >= HD_IR_LOAD && in->op <= HD_IR_MEMSET) || hd_ir_op_is_atomic(in->op))
        return check_memory(v, r);
    switch (in->op) {
    case HD_IR_DOT4: return t == HD_IR_I32 && same_types(v, r, 0) ? NULL : "types";
    case HD_IR_CONST: return t != HD_IR_VOID && in->imm <= hd_ir_ones(t) ? NULL : "bits";
    case HD_IR_ICMP:
    case HD_IR_FCMP:
        return t == HD_IR_BOOL && arg_type(v, r, 0) == arg_type(v, r, 1) &&
                       hd_ir_is_float(arg_type(v, r, 0)) == (in->op == HD_IR_FCMP)
                   ? NULL
                   : "types";
    case HD_IR_SELECT:
        return arg_type(v, r, 0) == HD_IR_BOOL && same_types(v, r, 1) ? NULL : "types";
    case HD_IR_FREEZE: return same_types(v, r, 0) ? NULL : "types";
    case HD_IR_PTRADD:
        return t == HD_IR_PTR && arg_type(v, r, 0) == HD_IR_PTR && arg_type(v, r, 1) == HD_IR_I64
                   ? NULL
                   : "types";
    case HD_IR_IN_SPACE: return t == HD_IR_PTR && arg_type(v, r, 0) == HD_IR_PTR ? NULL : "types";
    case HD_IR_CONDBR: return arg_type(v, r, 0) == HD_IR_BOOL ? NULL : "condition is not a BOOL";
    case HD_IR_SWITCH: return hd_ir_is_int(arg_type(v, r, 0)) ? NULL : "selector is not an integer";
    case HD_IR_CALL: return call_fits(v, r) ? NULL : "operands";
    case HD_IR_RESULT:
        return v->f->insts.at[hd_ir_arg(v->f, r, 0)].op == HD_IR_CALL ? NULL : "not of a CALL";
    case HD_IR_PART: {
        const HdIrInst *get = &v->f->insts.at[hd_ir_arg(v->f, r, 0)];

        return ((get->op == HD_IR_IMAGE_GET && in->imm < 4) ||
                (get->op == HD_IR_PRODUCT && in->imm < get->nargs)) &&
                       get->block == in->block && get->type == t
                   ? NULL
                   : "not of an IMAGE_GET or a PRODUCT here";
    }
    case HD_IR_PRODUCT:
        return in->nargs >= 3 && arg_type(v, r, in->nargs - 1u) == t ? NULL : "types";
    case HD_IR_PARAM:
        return in->imm < v->f->param_count && v->f->param_types[in->imm] == t ? NULL
                                                                              : "no such parameter";
    case HD_IR_RET: {
        if (in->nargs != v->f->result_count)
            return "number of results";
        for (unsigned i = 0; i < in->nargs; i++)
            if (arg_type(v, r, i) != v->f->result_types[i])
                return "type of a result";
        return NULL;
    }
    default: return NULL;
    }
}

/* Is the value there when block `b` reaches instruction number `at`? */
static bool is_defined(const Verify *v, HdIrRef value, uint32_t b, uint32_t at)
{
    uint32_t from = v->f->insts.at[value].block;

    if (from == b)
        return v->position[value] < at;
    return hd_ir_dominates(v->g, from, b);
}

static HdStatus check_phi(Verify *v, HdIrRef r)
{
    const HdIrInst *in = &v->f->insts.at[r];
    uint32_t b = in->block, preds = v->g->pred_first[b + 1] - v->g->pred_first[b];

    if (in->nargs % 2 != 0 || in->nargs / 2 != preds)
        return wrong(v, r, "needs one value for each predecessor");
    for (unsigned i = 0; i < in->nargs; i += 2) {
        uint32_t from = hd_ir_arg(v->f, r, i);
        HdIrRef value = hd_ir_arg(v->f, r, i + 1);
        bool found = false;

        for (uint32_t e = v->g->pred_first[b]; e < v->g->pred_first[b + 1]; e++)
            found = found || v->g->pred[e] == from;
        for (unsigned k = 0; k < i; k += 2)
            found = found && hd_ir_arg(v->f, r, k) != from;
        if (!found)
            return wrong(v, r, "names a block that is not a predecessor, or twice");
        if (v->f->insts.at[value].type != in->type)
            return wrong(v, r, "types");
        if (v->g->rank[from] != HD_IR_NOWHERE && !is_defined(v, value, from, UINT32_MAX))
            return wrong(v, r, "a value is not defined at the end of its predecessor");
    }
    return HD_OK;
}

static HdStatus check_inst(Verify *v, HdIrRef r, uint32_t at)
{
    const HdIrFunc *f = v->f;
    const HdIrInst *in = &f->insts.at[r];
    int wanted = hd_ir_op_operands(in->op);
    bool reached = v->g->rank[in->block] != HD_IR_NOWHERE;
    const char *what;

    if (wanted >= 0 && in->nargs != (unsigned)wanted)
        return wrong(v, r, "number of operands");
    if (hd_ir_op_has_result(in->op) != (in->type != HD_IR_VOID) && in->op != HD_IR_RTCALL)
        return wrong(v, r, "result type");
    for (unsigned i = 0; i < in->nargs; i++) {
        HdIrRef value = hd_ir_arg(f, r, i);

        if (!hd_ir_arg_is_value(in, i))
            continue;
        if (value == 0 || value >= f->insts.count || v->position[value] == UINT32_MAX)
            return wrong(v, r, "uses a value that is in no block");
        if (f->insts.at[value].type == HD_IR_VOID && in->op != HD_IR_RESULT)
            return wrong(v, r, "uses something without a result");
        if (f->insts.at[value].op == HD_IR_SLOT &&
            (i != 0 || (in->op != HD_IR_SLOT_GET && in->op != HD_IR_SLOT_SET)))
            return wrong(v, r, "slots are only for SLOT_GET and SLOT_SET");
        if (in->op != HD_IR_PHI && reached && !is_defined(v, value, in->block, at))
            return wrong(v, r, "uses a value before it is defined");
    }
    if ((in->flags & HD_IR_MASKED) != 0 &&
        (in->nargs == 0 || arg_type(v, r, in->nargs - 1u) != HD_IR_BOOL))
        return wrong(v, r, "its mask is not a BOOL");
    if (f->width == 0 && (in->op >= HD_IR_SLOT || (in->flags & HD_IR_MASKED) != 0))
        return wrong(v, r, "is for wide functions");
    if (in->op == HD_IR_PHI)
        return check_phi(v, r);
    what = check_types(v, r);
    return what != NULL ? wrong(v, r, what) : HD_OK;
}

static HdStatus verify_in(const HdIrFunc *f, HdArena *a, HdDiags *d)
{
    Verify v = {.f = f, .d = d};
    HdIrGraph *g;

    if (f->module->failed)
        return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "ir.memory", "no memory for lane IR");
    HD_TAKE(v.position, HD_NEW(a, uint32_t, f->insts.count));
    for (size_t i = 0; i < f->insts.count; i++)
        v.position[i] = UINT32_MAX;
    if (f->blocks.count == 0)
        return wrong_block(&v, 0, "there is no entry");
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        HD_TRY(check_block(&v, b));
        HD_TRY(check_succ(&v, b));
    }
    HD_TRY(hd_ir_graph(f, a, &g));
    v.g = g;
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t i = 0; i < f->blocks.at[b].insts.count; i++)
            HD_TRY(check_inst(&v, f->blocks.at[b].insts.at[i], i));
    return HD_OK;
}

HdStatus hd_ir_verify(const HdIrFunc *f, HdDiags *d)
{
    HdArena *a = hd_arena_open();
    HdStatus st = a != NULL ? verify_in(f, a, d) : HD_NO_MEMORY;

    hd_arena_drop(a);
    return st;
}
