/* ir/ir.c -- creating and reading lane IR.
 *
 * Everything lives in the module's arena. A failed allocation sets HdIrModule.failed and the
 * emitting function returns 0; instruction 0 exists in every function, so that operands that refer
 * to such results stay in range until the failure is checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/ir.h"

#include <string.h>

#include "base/gather.h"
#include "ir/edit.h"

/* Effects as in HD_IR_OPS. */
enum { P, R, W, C, T };

typedef struct OpRow {
    const char *name;
    int8_t operands;
    uint8_t result, effect;
} OpRow;

static const OpRow rows[HD_IR_OP_COUNT] = {
#define O(name, operands, result, effect) {#name, operands, result, effect},
    HD_IR_OPS(O)
#undef O
};

HdIrModule *hd_ir_module(HdArena *a)
{
    HdIrModule *m = HD_NEW(a, HdIrModule, 1);

    if (m != NULL)
        m->arena = a;
    return m;
}

HdIrFunc *hd_ir_func(HdIrModule *m, const char *name)
{
    HdIrFunc *f = HD_NEW(m->arena, HdIrFunc, 1);
    HdIrInst none = {.block = HD_IR_NOWHERE, .place = UINT32_MAX};

    if (f != NULL) {
        f->module = m;
        f->name = hd_arena_string(m->arena, name, strlen(name));
    }
    if (f == NULL || f->name == NULL || !HD_PUSH(m->arena, &f->insts, none) ||
        hd_ir_block(f) == HD_IR_NOWHERE || !HD_PUSH(m->arena, &m->funcs, f)) {
        m->failed = true;
        return NULL;
    }
    return f;
}

uint32_t hd_ir_block(HdIrFunc *f)
{
    HdIrBlock b = {.rank = HD_IR_NOWHERE, .loop_merge = HD_IR_NOWHERE};

    if (!HD_PUSH(f->module->arena, &f->blocks, b)) {
        f->module->failed = true;
        return HD_IR_NOWHERE;
    }
    return (uint32_t)(f->blocks.count - 1);
}

/* Put operands at the end of the pool. */
static bool pool_args(HdIrFunc *f, const HdIrRef *args, size_t nargs, uint32_t *first)
{
    bool own = f->args.at != NULL && args >= f->args.at && args < f->args.at + f->args.count;
    size_t at = own ? (size_t)(args - f->args.at) : 0;

    if (nargs > UINT16_MAX || f->args.count > UINT32_MAX - nargs ||
        !HD_ARRAY_RESERVE(f->module->arena, &f->args, nargs)) {
        f->module->failed = true;
        return false;
    }
    if (own) /* the pool may have moved */
        args = f->args.at + at;
    *first = (uint32_t)f->args.count;
    if (nargs != 0)
        memmove(f->args.at + f->args.count, args, nargs * sizeof *args);
    f->args.count += nargs;
    return true;
}

HdIrRef hd_ir_make(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, unsigned sub,
                   uint64_t imm, const HdIrRef *args, size_t nargs)
{
    HdIrInst in = {.op = (uint8_t)op,
                   .type = (uint8_t)type,
                   .shape = HD_SHAPE_VARYING,
                   .sub = (uint16_t)sub,
                   .nargs = (uint16_t)nargs,
                   .block = block,
                   .imm = imm,
                   .place = UINT32_MAX};

    if (f->module->failed || block >= f->blocks.count || f->insts.count >= UINT32_MAX ||
        !pool_args(f, args, nargs, &in.args) || !HD_PUSH(f->module->arena, &f->insts, in)) {
        f->module->failed = true;
        return 0;
    }
    return (HdIrRef)(f->insts.count - 1);
}

HdIrRef hd_ir_insert(HdIrFunc *f, uint32_t block, size_t index, HdIrOp op, HdIrType type,
                     unsigned sub, uint64_t imm, const HdIrRef *args, size_t nargs)
{
    HdIrRef r = hd_ir_make(f, block, op, type, sub, imm, args, nargs);
    HdIrBlock *b;

    if (r == 0)
        return 0;
    b = &f->blocks.at[block];
    if (!HD_ARRAY_RESERVE(f->module->arena, &b->insts, 1)) {
        f->module->failed = true;
        f->insts.at[r].block = HD_IR_NOWHERE;
        return 0;
    }
    if (index > b->insts.count)
        index = b->insts.count;
    memmove(b->insts.at + index + 1, b->insts.at + index,
            (b->insts.count - index) * sizeof *b->insts.at);
    b->insts.at[index] = r;
    b->insts.count++;
    return r;
}

HdIrRef hd_ir_emit_sub(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, unsigned sub,
                       uint64_t imm, const HdIrRef *args, size_t nargs)
{
    return hd_ir_insert(f, block, SIZE_MAX, op, type, sub, imm, args, nargs);
}

HdIrRef hd_ir_emit(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, const HdIrRef *args,
                   size_t nargs)
{
    return hd_ir_insert(f, block, SIZE_MAX, op, type, 0, 0, args, nargs);
}

HdIrRef hd_ir_const(HdIrFunc *f, uint32_t block, HdIrType type, uint64_t bits)
{
    unsigned width = hd_ir_type_bits(type);

    if (width < 64)
        bits &= ((uint64_t)1 << width) - 1;
    return hd_ir_emit_sub(f, block, HD_IR_CONST, type, 0, bits, NULL, 0);
}

/* Give a block its successors. */
static bool set_succ(HdIrFunc *f, uint32_t block, uint32_t count, uint32_t first, uint32_t second)
{
    uint32_t *succ = HD_NEW(f->module->arena, uint32_t, count);
    HdIrBlock *b;

    if (succ == NULL || block >= f->blocks.count) {
        f->module->failed = true;
        return false;
    }
    succ[0] = first;
    if (count > 1)
        succ[1] = second;
    b = &f->blocks.at[block];
    b->succ = succ;
    b->succ_count = count;
    b->cases = NULL;
    return true;
}

void hd_ir_br(HdIrFunc *f, uint32_t block, uint32_t target)
{
    if (set_succ(f, block, 1, target, 0))
        hd_ir_emit(f, block, HD_IR_BR, HD_IR_VOID, NULL, 0);
}

void hd_ir_condbr(HdIrFunc *f, uint32_t block, HdIrRef cond, uint32_t yes, uint32_t no)
{
    if (set_succ(f, block, 2, yes, no))
        hd_ir_emit(f, block, HD_IR_CONDBR, HD_IR_VOID, &cond, 1);
}

void hd_ir_set_args(HdIrFunc *f, HdIrRef inst, const HdIrRef *args, size_t nargs)
{
    HdIrInst *in = &f->insts.at[inst];
    uint32_t first;

    if (nargs <= in->nargs) {
        if (nargs != 0)
            memmove(f->args.at + in->args, args, nargs * sizeof *args);
        in->nargs = (uint16_t)nargs;
        return;
    }
    if (!pool_args(f, args, nargs, &first))
        return;
    in->args = first;
    in->nargs = (uint16_t)nargs;
}

unsigned hd_ir_type_bits(HdIrType t)
{
    static const uint8_t bits[HD_IR_TYPE_COUNT] = {0, 1, 8, 16, 32, 64, 16, 32, 64, 64};

    return (unsigned)t < HD_IR_TYPE_COUNT ? bits[t] : 0;
}

unsigned hd_ir_type_bytes(HdIrType t)
{
    return (hd_ir_type_bits(t) + 7) / 8;
}

const char *hd_ir_op_name(unsigned op)
{
    return op < HD_IR_OP_COUNT ? rows[op].name : "?";
}

const char *hd_ir_type_name(unsigned type)
{
    static const char *const names[HD_IR_TYPE_COUNT] = {"void", "bool", "i8",  "i16", "i32",
                                                        "i64",  "f16",  "f32", "f64", "ptr"};

    return type < HD_IR_TYPE_COUNT ? names[type] : "?";
}

bool hd_ir_op_is_terminator(unsigned op)
{
    return op < HD_IR_OP_COUNT && rows[op].effect == T;
}

bool hd_ir_op_is_costly(unsigned op)
{
    switch (op) {
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM:
    case HD_IR_FDIV:
    case HD_IR_FSQRT:
    case HD_IR_MATH:
    case HD_IR_CONVERT:
    case HD_IR_IMAGE_GET:
    case HD_IR_IMAGE_PUT: return true;
    default: return false;
    }
}

bool hd_ir_op_has_effects(unsigned op)
{
    return op < HD_IR_OP_COUNT &&
           (rows[op].effect == W || rows[op].effect == C || rows[op].effect == T);
}

bool hd_ir_op_is_convergent(unsigned op)
{
    return op < HD_IR_OP_COUNT && rows[op].effect == C;
}

bool hd_ir_op_talks(unsigned op)
{
    return op == HD_IR_COLLECTIVE || op == HD_IR_PRODUCT;
}

unsigned hd_ir_gather(const HdIrInst *in)
{
    bool uniform = (in->flags & HD_IR_UNIFORM) != 0;

    switch ((HdIrOp)in->op) {
    case HD_IR_BARRIER:
    case HD_IR_NAMED_WAIT: return HD_GATHER_ALL;
    case HD_IR_COLLECTIVE:
    case HD_IR_PRODUCT: return uniform ? HD_GATHER_ALL : HD_GATHER_ROUND;
    case HD_IR_FENCE: return uniform ? HD_GATHER_ALL : HD_GATHER_NONE;
    default: return HD_GATHER_NONE;
    }
}

unsigned hd_ir_block_gather(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];
    unsigned most = HD_GATHER_NONE;

    for (size_t i = 0; i < b->insts.count; i++) {
        unsigned kind = hd_ir_gather(&f->insts.at[b->insts.at[i]]);

        most = kind > most ? kind : most;
    }
    return most;
}

bool hd_ir_op_is_pure(unsigned op)
{
    return op < HD_IR_OP_COUNT && rows[op].effect == P;
}

bool hd_ir_builtin_is_of_item(HdIrBuiltin which)
{
    switch (which) {
    case HD_BUILTIN_GLOBAL_ID:
    case HD_BUILTIN_LOCAL_ID:
    case HD_BUILTIN_GLOBAL_LINEAR_ID:
    case HD_BUILTIN_LOCAL_LINEAR_ID:
    case HD_BUILTIN_SUBGROUP_LOCAL_ID: return true;
    default: return false;
    }
}

bool hd_ir_op_commutes(unsigned op)
{
    switch (op) {
    case HD_IR_ADD:
    case HD_IR_MUL:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_UMIN:
    case HD_IR_UMAX:
    case HD_IR_SMIN:
    case HD_IR_SMAX:
    case HD_IR_UADDSAT:
    case HD_IR_SADDSAT:
    case HD_IR_UMULHI:
    case HD_IR_SMULHI:
    case HD_IR_FADD:
    case HD_IR_FMUL:
    case HD_IR_FMA: return true;
    default: return false;
    }
}

int hd_ir_op_operands(unsigned op)
{
    return op < HD_IR_OP_COUNT ? rows[op].operands : 0;
}

bool hd_ir_op_has_result(unsigned op)
{
    return op < HD_IR_OP_COUNT && rows[op].result != 0;
}

unsigned hd_ir_value_args(const HdIrInst *in)
{
    unsigned n = in->nargs;

    return (in->flags & HD_IR_MASKED) != 0 && n != 0 ? n - 1 : n;
}
