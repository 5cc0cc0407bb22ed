/* ops/dot/dot_build.c -- integer dot products to lane IR: those of four bytes as one operation,
 * others as products and sums; those of small floats, computed with floats of 32 bits.
 *
 * Spec: SPIR-V, OpSDot … OpSUDotAccSat. Sums wrap in the result's width; only the last addition
 * of the AccSat forms saturates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ops/build_fns.h"
#include "ops/float/bfloat_build.h"

typedef struct Form {
    bool left_signed, right_signed, saturates;
} Form;

static HdStatus form_of(const HdInst *in, Form *f)
{
    switch (in->opix) {
    case HD_OPIX_SDot: *f = (Form){true, true, false}; return HD_OK;
    case HD_OPIX_UDot: *f = (Form){false, false, false}; return HD_OK;
    case HD_OPIX_SUDot: *f = (Form){true, false, false}; return HD_OK;
    case HD_OPIX_SDotAccSat: *f = (Form){true, true, true}; return HD_OK;
    case HD_OPIX_UDotAccSat: *f = (Form){false, false, true}; return HD_OK;
    case HD_OPIX_SUDotAccSat: *f = (Form){true, false, true}; return HD_OK;
    default: return HD_BUG;
    }
}

/* Is x the load of a byte, `distance` bytes after what `first` loads? */
static bool is_behind(const HdIrFunc *f, HdIrRef first, HdIrRef x, int64_t distance)
{
    const HdIrInst *a = &f->insts.at[first], *in = &f->insts.at[x];
    HdIrRef at = in->op == HD_IR_LOAD ? hd_ir_arg(f, x, 0) : 0;
    int64_t by;

    if (a->op != HD_IR_LOAD || in->op != HD_IR_LOAD || in->sub != a->sub || in->block != a->block ||
        in->flags != a->flags || (in->flags & HD_IR_VOLATILE) != 0)
        return false;
    if (distance == 0)
        return at == hd_ir_arg(f, first, 0);
    return f->insts.at[at].op == HD_IR_PTRADD && hd_ir_arg(f, at, 0) == hd_ir_arg(f, first, 0) &&
           hd_ir_is_number(f, hd_ir_arg(f, at, 1), &by) && by == distance;
}

/* The position in its block of the first of four loads, if nothing is written until the last of
 * them. */
static bool find_first(const HdIrFunc *f, const HdIrBlock *block, const HdIrRef loads[4],
                       size_t *first)
{
    unsigned met = 0;

    for (size_t at = block->insts.count; at > 0 && met < 4; at--) {
        HdIrRef x = block->insts.at[at - 1];

        if (x == loads[0] || x == loads[1] || x == loads[2] || x == loads[3]) {
            *first = at - 1;
            met++;
        } else if (met > 0 && hd_ir_op_has_effects(f->insts.at[x].op)) {
            return false;
        }
    }
    return met == 4;
}

/* Four bytes that were loaded from where they are neighbours: as one word. 0: they were not. */
static HdIrRef loaded_word(HdBuild *b, const HdBuildValue *v)
{
    HdIrFunc *f = b->fn;
    HdIrInst first = f->insts.at[v->at[0]];
    HdIrRef address, word;
    size_t at = 0;

    for (unsigned i = 0; i < 4; i++)
        if (!is_behind(f, v->at[0], v->at[i], (int64_t)i))
            return 0;
    if (!find_first(f, &f->blocks.at[first.block], v->at, &at))
        return 0;
    address = hd_ir_arg(f, v->at[0], 0);
    word =
        hd_ir_insert(f, first.block, at, HD_IR_LOAD, HD_IR_I32, first.sub, first.imm, &address, 1);
    if (word != 0) {
        f->insts.at[word].flags = first.flags;
        f->insts.at[word].place = first.place;
    }
    return word;
}

/* Four bytes in a word, low bits first. */
static HdIrRef packed_word(HdBuild *b, const HdBuildValue *v)
{
    HdIrRef word = loaded_word(b, v);

    if (word != 0)
        return word;
    word = hd_build_resize(b, v->at[0], HD_IR_I32, false);
    for (unsigned i = 1; i < 4; i++) {
        HdIrRef x = hd_build_resize(b, v->at[i], HD_IR_I32, false);

        x = hd_build_op2(b, HD_IR_SHL, HD_IR_I32, x, hd_build_const(b, HD_IR_I32, i * 8));
        word = hd_build_op2(b, HD_IR_OR, HD_IR_I32, word, x);
    }
    return word;
}

/* Bytes in words, or vectors of four bytes that come from memory, where they are words. */
static bool are_words(HdBuild *b, const HdBuildValue *v)
{
    const HdIrInst *at[2];

    for (unsigned i = 0; i < 2; i++) {
        if (v[i].count != 4 || hd_build_type_at(b, v[i].at[0]) != HD_IR_I8)
            return false;
        at[i] = &b->fn->insts.at[v[i].at[0]];
    }
    return at[0]->op == HD_IR_LOAD || at[1]->op == HD_IR_LOAD;
}

static HdIrRef dot_words(HdBuild *b, const Form *f, HdIrRef x, HdIrRef y, HdIrType t)
{
    HdIrRef args[3] = {x, y, hd_build_const(b, HD_IR_I32, 0)};
    unsigned signs =
        (f->left_signed ? HD_IR_DOT_LEFT : 0u) | (f->right_signed ? HD_IR_DOT_RIGHT : 0u);

    return hd_build_resize(
        b, hd_ir_emit_sub(b->fn, b->block, HD_IR_DOT4, HD_IR_I32, signs, 0, args, 3), t,
        f->left_signed);
}

static HdIrRef dot_numbers(HdBuild *b, const Form *f, const HdBuildValue *v, HdIrType t)
{
    HdIrRef sum = 0;

    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef x = hd_build_resize(b, v[0].at[i], t, f->left_signed);
        HdIrRef y = hd_build_resize(b, v[1].at[i], t, f->right_signed);
        HdIrRef product = hd_build_op2(b, HD_IR_MUL, t, x, y);

        sum = i == 0 ? product : hd_build_op2(b, HD_IR_ADD, t, sum, product);
    }
    return sum;
}

/* Words: 1 type, 2 result, 3 and 4 vectors [, 5 accumulator] [, packed vector format]. */
HdStatus hd_build_int_dot(HdBuild *b, const HdInst *in)
{
    const HdType *type;
    HdBuildValue v[2];
    HdIrRef sum, acc;
    HdIrType t;
    Form f;

    HD_TRY(form_of(in, &f));
    HD_TRY(hd_build_type(b, in->w[1], &type));
    t = hd_build_scalar(type);
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    if (in->nwords > (f.saturates ? 6u : 5u)) {
        for (unsigned i = 0; i < 2; i++)
            if (v[i].count != 1 || hd_build_type_at(b, v[i].at[0]) != HD_IR_I32)
                return hd_build_bad(b, in, "a packed operand must be a 32-bit integer");
        sum = dot_words(b, &f, v[0].at[0], v[1].at[0], t);
    } else if (are_words(b, v)) {
        sum = dot_words(b, &f, packed_word(b, &v[0]), packed_word(b, &v[1]), t);
    } else {
        sum = dot_numbers(b, &f, v, t);
    }
    if (f.saturates) {
        HD_TRY(hd_build_use1(b, in->w[5], &acc));
        sum = hd_build_op2(b, f.left_signed ? HD_IR_SADDSAT : HD_IR_UADDSAT, t, sum, acc);
    }
    return hd_build_bind(b, in->w[2], &sum, 1);
}

static HdIrRef widened(HdBuild *b, HdIrRef x, bool is_bfloat)
{
    return is_bfloat                             ? hd_build_from_bfloat16(b, x)
           : hd_build_type_at(b, x) == HD_IR_F32 ? x
                                                 : hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, x);
}

/* Products of 16-bit floats are exact with 32 bits; sums are rounded to them, a result of 16 bits
 * once more. Words: 1 type, 2 result, 3 and 4 vectors, 5 accumulator.
 * Spec: SPV_VALVE_mixed_float_dot_product: order and precision are the implementation's. */
HdStatus hd_build_mixed_dot(HdBuild *b, const HdInst *in)
{
    const HdType *type, *operand;
    HdIrRef sum = 0, acc;
    HdBuildValue v[2];
    bool from, to;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_type_of(b, in->w[3], &operand));
    from = hd_is_bfloat16(hd_type_scalar(operand));
    to = hd_is_bfloat16(type);
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_use1(b, in->w[5], &acc));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef x = hd_build_op2(b, HD_IR_FMUL, HD_IR_F32, widened(b, v[0].at[i], from),
                                 widened(b, v[1].at[i], from));

        sum = i == 0 ? x : hd_build_op2(b, HD_IR_FADD, HD_IR_F32, sum, x);
    }
    sum = hd_build_op2(b, HD_IR_FADD, HD_IR_F32, sum, widened(b, acc, to));
    if (type->bits == 16)
        sum = to ? hd_build_to_bfloat16(b, sum) : hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, sum);
    return hd_build_bind(b, in->w[2], &sum, 1);
}
