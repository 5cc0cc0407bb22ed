/* module/fold.c -- what OpSpecConstantOp computes.
 *
 * Values are lanes of at most 64 bits: a scalar is one lane, a vector several. Float arithmetic is
 * the host's in float and double; half is computed in double and rounded once, which is exact for
 * the four basic operations. Results that the specification leaves undefined (division by zero,
 * shifts past the width) are 0, so that specialising never traps.
 *
 * Spec: SPIR-V, "OpSpecConstantOp".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "module/private.h"

#define MAX_LANES 16u

typedef struct Lanes {
    const HdType *scalar; /* type of one lane */
    uint32_t count;
    uint64_t at[MAX_LANES];
    bool is_undef;
} Lanes;

static uint64_t mask_of(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t extended(uint64_t v, uint32_t bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* ---- floats as bits ------------------------------------------------------------------------ */

static double half_to_double(uint64_t h)
{
    double sign = h & 0x8000 ? -1.0 : 1.0;
    unsigned e = (unsigned)(h >> 10) & 31, f = (unsigned)h & 1023;

    if (e == 31)
        return f != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (e == 0 ? ldexp(f, -24) : ldexp(f + 1024.0, (int)e - 25));
}

/* Round to nearest even. */
static uint64_t double_to_half(double x)
{
    uint64_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x), unit;
    int e;

    if (isnan(x))
        return 0x7e00;
    if (a >= 65520.0)
        return sign | 0x7c00;
    (void)frexp(a, &e);
    /* The distance of neighbouring halves there; never below that of the denormals. */
    unit = ldexp(1.0, e - 11 < -24 ? -24 : e - 11);
    a = nearbyint(a / unit) * unit;
    if (a < 0x1p-14)
        return sign | (uint64_t)ldexp(a, 24);
    (void)frexp(a, &e);
    if (a >= 65536.0)
        return sign | 0x7c00;
    return sign | ((uint64_t)(e + 14) << 10) | ((uint64_t)ldexp(a, 11 - e) & 1023);
}

static double to_double(uint64_t v, uint32_t bits)
{
    if (bits == 16)
        return half_to_double(v);
    if (bits == 32) {
        uint32_t w = (uint32_t)v;
        float f;

        memcpy(&f, &w, sizeof f);
        return (double)f;
    }
    double x;

    memcpy(&x, &v, sizeof x);
    return x;
}

static uint64_t from_double(double x, uint32_t bits)
{
    uint64_t v;

    if (bits == 16)
        return double_to_half(x);
    if (bits == 32) {
        float f = (float)x;
        uint32_t w;

        memcpy(&w, &f, sizeof w);
        return w;
    }
    memcpy(&v, &x, sizeof v);
    return v;
}

/* Float arithmetic done in double and rounded once to float is exact for + - * /: double has more
 * than twice the digits. */
static bool float_op(enum HdOpix op, uint32_t bits, uint64_t x, uint64_t y, uint64_t *out)
{
    double a = to_double(x, bits), b = to_double(y, bits), v;

    switch (op) {
    case HD_OPIX_FAdd: v = a + b; break;
    case HD_OPIX_FSub: v = a - b; break;
    case HD_OPIX_FMul: v = a * b; break;
    case HD_OPIX_FDiv: v = a / b; break;
    case HD_OPIX_FRem: v = fmod(a, b); break;
    case HD_OPIX_FMod:
        v = fmod(a, b);
        if (v != 0 && signbit(v) != signbit(b))
            v += b;
        break;
    default: return false;
    }
    *out = from_double(v, bits);
    return true;
}

/* ---- integers ------------------------------------------------------------------------------ */

static uint64_t shifted(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b)
{
    if (op == HD_OPIX_ShiftRightArithmetic)
        return (uint64_t)(extended(a, bits) >> (b < bits ? b : bits - 1));
    if (b >= bits)
        return 0;
    return op == HD_OPIX_ShiftLeftLogical ? a << b : a >> b;
}

static uint64_t divided(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b)
{
    int64_t sa = extended(a, bits), sb = extended(b, bits), rest;

    if (b == 0)
        return 0;
    if (op == HD_OPIX_UDiv)
        return a / b;
    if (op == HD_OPIX_UMod)
        return a % b;
    if (sb == -1) /* the quotient may not fit */
        return op == HD_OPIX_SDiv ? 0 - a : 0;
    rest = sa % sb;
    if (op == HD_OPIX_SDiv)
        return (uint64_t)(sa / sb);
    if (op == HD_OPIX_SMod && rest != 0 && (rest < 0) != (sb < 0))
        rest += sb;
    return (uint64_t)rest;
}

/* An operation on `count` pairs of integers. */
static bool int_ops(enum HdOpix op, uint32_t bits, uint32_t count, const uint64_t *a,
                    const uint64_t *b, uint64_t *out)
{
    uint64_t mask = mask_of(bits);

    switch (op) {
    case HD_OPIX_IAdd:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] + b[i];
        break;
    case HD_OPIX_ISub:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] - b[i];
        break;
    case HD_OPIX_IMul:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] * b[i];
        break;
    case HD_OPIX_BitwiseOr:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] | b[i];
        break;
    case HD_OPIX_BitwiseXor:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] ^ b[i];
        break;
    case HD_OPIX_BitwiseAnd:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] & b[i];
        break;
    case HD_OPIX_UDiv:
    case HD_OPIX_SDiv:
    case HD_OPIX_UMod:
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
        for (uint32_t i = 0; i < count; i++)
            out[i] = divided(op, bits, a[i], b[i]);
        break;
    case HD_OPIX_ShiftRightLogical:
    case HD_OPIX_ShiftRightArithmetic:
    case HD_OPIX_ShiftLeftLogical:
        for (uint32_t i = 0; i < count; i++)
            out[i] = shifted(op, bits, a[i], b[i]);
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] &= mask;
    return true;
}

static bool compare_op(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b, uint64_t *out)
{
    int64_t sa = extended(a, bits), sb = extended(b, bits);

    switch (op) {
    case HD_OPIX_IEqual:
    case HD_OPIX_LogicalEqual: *out = a == b; return true;
    case HD_OPIX_INotEqual:
    case HD_OPIX_LogicalNotEqual: *out = a != b; return true;
    case HD_OPIX_LogicalOr: *out = a | b; return true;
    case HD_OPIX_LogicalAnd: *out = a & b; return true;
    case HD_OPIX_ULessThan: *out = a < b; return true;
    case HD_OPIX_SLessThan: *out = sa < sb; return true;
    case HD_OPIX_UGreaterThan: *out = a > b; return true;
    case HD_OPIX_SGreaterThan: *out = sa > sb; return true;
    case HD_OPIX_ULessThanEqual: *out = a <= b; return true;
    case HD_OPIX_SLessThanEqual: *out = sa <= sb; return true;
    case HD_OPIX_UGreaterThanEqual: *out = a >= b; return true;
    case HD_OPIX_SGreaterThanEqual: *out = sa >= sb; return true;
    default: return false;
    }
}

/* ---- conversions and other operations on one value ----------------------------------------- */

static uint64_t float_to_int(double x, uint32_t bits, bool is_signed)
{
    double top = ldexp(1.0, (int)bits - (is_signed ? 1 : 0));

    if (isnan(x))
        return 0;
    x = trunc(x);
    if (is_signed) {
        if (x >= top)
            return mask_of(bits - 1);
        return x < -top ? (uint64_t)1 << (bits - 1) : (uint64_t)(int64_t)x & mask_of(bits);
    }
    if (x <= 0)
        return 0;
    return x >= top ? mask_of(bits) : (uint64_t)x;
}

/* To float, rounded once: 64-bit integers have more digits than double. */
static uint64_t int_to_float(uint64_t v, uint32_t from, bool is_signed, uint32_t bits)
{
    int64_t s = extended(v, from);

    if (bits == 64)
        return from_double(is_signed ? (double)s : (double)v, 64);
    if (bits == 32) {
        float f = is_signed ? (float)s : (float)v;

        return from_double((double)f, 32);
    }
    /* Beyond 2^53 every half is infinity, so the inner rounding does not matter. */
    return from_double(is_signed ? (double)s : (double)v, 16);
}

static bool unary_op(enum HdOpix op, const HdType *from, const HdType *to, uint64_t a,
                     uint64_t *out)
{
    uint32_t bits = from->bits;

    switch (op) {
    case HD_OPIX_SNegate: *out = (0 - a) & mask_of(bits); return true;
    case HD_OPIX_Not: *out = ~a & mask_of(bits); return true;
    case HD_OPIX_LogicalNot: *out = a == 0; return true;
    case HD_OPIX_FNegate: *out = a ^ ((uint64_t)1 << (bits - 1)); return true;
    case HD_OPIX_UConvert: *out = a & mask_of(to->bits); return true;
    case HD_OPIX_SConvert: *out = (uint64_t)extended(a, bits) & mask_of(to->bits); return true;
    case HD_OPIX_FConvert: *out = from_double(to_double(a, bits), to->bits); return true;
    case HD_OPIX_QuantizeToF16:
        *out = from_double(half_to_double(double_to_half(to_double(a, bits))), 32);
        return true;
    case HD_OPIX_ConvertFToS: *out = float_to_int(to_double(a, bits), to->bits, true); return true;
    case HD_OPIX_ConvertFToU: *out = float_to_int(to_double(a, bits), to->bits, false); return true;
    case HD_OPIX_ConvertSToF: *out = int_to_float(a, bits, true, to->bits); return true;
    case HD_OPIX_ConvertUToF: *out = int_to_float(a, bits, false, to->bits); return true;
    default: return false;
    }
}

static bool is_kind(const HdType *t, HdTypeKind kind)
{
    return t->kind == kind && (kind != HD_T_FLOAT || t->encoding == 0);
}

/* Do the operand's and the result's kinds of scalar suit a conversion or negation? */
static bool unary_types(enum HdOpix op, const HdType *from, const HdType *to)
{
    switch (op) {
    case HD_OPIX_SNegate:
    case HD_OPIX_Not:
        return is_kind(from, HD_T_INT) && is_kind(to, HD_T_INT) && from->bits == to->bits;
    case HD_OPIX_LogicalNot: return is_kind(from, HD_T_BOOL) && is_kind(to, HD_T_BOOL);
    case HD_OPIX_FNegate: return is_kind(from, HD_T_FLOAT) && from == to;
    case HD_OPIX_UConvert:
    case HD_OPIX_SConvert: return is_kind(from, HD_T_INT) && is_kind(to, HD_T_INT);
    case HD_OPIX_FConvert: return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_FLOAT);
    case HD_OPIX_QuantizeToF16: return is_kind(from, HD_T_FLOAT) && from == to && to->bits == 32;
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertFToU: return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_INT);
    case HD_OPIX_ConvertSToF:
    case HD_OPIX_ConvertUToF: return is_kind(from, HD_T_INT) && is_kind(to, HD_T_FLOAT);
    default: return false;
    }
}

/* ---- lanes --------------------------------------------------------------------------------- */

/* Components of a packed vector: of a size that the compiler knows, so that it reads many at once.
 */
static void unpack(const HdConstant *c, Lanes *out)
{
    const char *at = c->lanes;

    switch (hd_constant_lane_bytes(c->type)) {
    case 1:
        for (uint32_t i = 0; i < out->count; i++)
            out->at[i] = (uint8_t)at[i];
        break;
    case 2:
        for (uint32_t i = 0; i < out->count; i++) {
            uint16_t x;

            memcpy(&x, at + i * sizeof x, sizeof x);
            out->at[i] = x;
        }
        break;
    case 4:
        for (uint32_t i = 0; i < out->count; i++) {
            uint32_t x;

            memcpy(&x, at + i * sizeof x, sizeof x);
            out->at[i] = x;
        }
        break;
    default: memcpy(out->at, at, out->count * sizeof out->at[0]); break;
    }
}

static void pack(const Lanes *v, uint32_t count, size_t bytes, char *at)
{
    switch (bytes) {
    case 1:
        for (uint32_t i = 0; i < count; i++)
            at[i] = (char)v->at[i];
        break;
    case 2:
        for (uint32_t i = 0; i < count; i++)
            memcpy(at + i * 2, &(uint16_t){(uint16_t)v->at[i]}, 2);
        break;
    case 4:
        for (uint32_t i = 0; i < count; i++)
            memcpy(at + i * 4, &(uint32_t){(uint32_t)v->at[i]}, 4);
        break;
    default: memcpy(at, v->at, count * sizeof v->at[0]); break;
    }
}

static bool load(const HdConstant *c, Lanes *out)
{
    const HdType *t = c->type;

    out->is_undef = false;
    out->scalar = hd_type_scalar(t);
    out->count = hd_type_lanes(t);
    if (out->count > MAX_LANES)
        return false;
    if (c->kind == HD_C_COMPOSITE && c->is_packed && t->kind == HD_T_VECTOR) {
        unpack(c, out);
        return true;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        const HdConstant *part = c; /* a null or undefined vector's parts are so, too */
        HdConstant room;

        if (c->kind == HD_C_COMPOSITE)
            part = i < c->count ? hd_constant_at(c, i, &room) : NULL;
        if (part == NULL ||
            (part->kind != HD_C_SCALAR && part->kind != HD_C_NULL && part->kind != HD_C_UNDEF))
            return false;
        out->is_undef |= part->kind == HD_C_UNDEF;
        out->at[i] = part->kind == HD_C_SCALAR ? part->bits : 0;
    }
    return true;
}

/* The caller makes a copy of the result. */
static HdStatus store(HdResolver *r, const HdType *t, const Lanes *v, const HdConstant **out)
{
    HdConstant *c = &r->result;
    size_t bytes;
    char *lanes;

    *out = c;
    if (t->kind != HD_T_VECTOR) {
        *c = (HdConstant){.kind = HD_C_SCALAR, .type = t, .bits = v->at[0]};
        return HD_OK;
    }
    bytes = hd_constant_lane_bytes(t);
    HD_TAKE(lanes, hd_arena_take(r->a, t->count * bytes));
    pack(v, t->count, bytes, lanes);
    *c = (HdConstant){
        .kind = HD_C_COMPOSITE, .type = t, .count = t->count, .is_packed = true, .lanes = lanes};
    return HD_OK;
}

/* ---- operations ---------------------------------------------------------------------------- */

typedef struct Fold {
    HdResolver *r;
    HdArena *a;
    const HdType *type; /* of the result */
    enum HdOpix op;
    const uint32_t *w; /* operands of the inner instruction */
    uint32_t count;
} Fold;

static const HdConstant *operand(const Fold *f, uint32_t i)
{
    return i < f->count ? hd_module_constant(f->r->m, f->w[i]) : NULL;
}

/* address + offset, and addresses that only change their type. */
static HdStatus fold_address(const Fold *f, const HdConstant *x, int64_t add,
                             const HdConstant **out)
{
    HdConstant *c;

    HD_TAKE(c, hd_arena_copy(f->a, x, sizeof *x));
    c->type = f->type;
    c->offset = (int64_t)((uint64_t)c->offset + (uint64_t)add);
    *out = c;
    return HD_OK;
}

/* A number, or its representation, that is a pointer or becomes one. */
static bool is_number(const HdConstant *x)
{
    return x->kind == HD_C_SCALAR || x->kind == HD_C_NULL || x->kind == HD_C_UNDEF;
}

/* The integer, or the pointer that is no address of something, of x's kind. */
static HdStatus fold_number(const Fold *f, const HdConstant *x, uint64_t bits,
                            const HdConstant **out)
{
    const HdType *t = f->type;
    HdConstant *c;

    HD_TAKE(c, hd_constant_new(f->a, x->kind == HD_C_UNDEF ? HD_C_UNDEF : HD_C_SCALAR, t));
    c->bits = bits & mask_of(t->bits);
    if (t->kind == HD_T_POINTER && c->bits == 0 && c->kind == HD_C_SCALAR)
        c->kind = HD_C_NULL;
    *out = c;
    return HD_OK;
}

static HdStatus fold_cast(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *t = f->type;

    if (x == NULL || (t->kind != HD_T_POINTER && t->kind != HD_T_INT))
        return HD_OK;
    if (x->kind == HD_C_ADDRESS)
        return fold_address(f, x, 0, out);
    if (x->type->kind != HD_T_POINTER && x->type->kind != HD_T_INT)
        return HD_OK;
    return is_number(x) ? fold_number(f, x, x->bits, out) : HD_OK;
}

/* Bits are regrouped lowest first. */
static HdStatus fold_bitcast(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *to = hd_type_scalar(f->type);
    uint32_t count = hd_type_lanes(f->type), bit = 0;
    Lanes in, res = {0};
    bool ok;

    if (x == NULL)
        return HD_OK;
    if (f->type->kind == HD_T_POINTER || x->type->kind == HD_T_POINTER)
        return fold_cast(f, out);
    ok = load(x, &in);
    if (!ok || (to->kind != HD_T_INT && to->kind != HD_T_FLOAT) || count > MAX_LANES ||
        in.scalar->bits == 0 || in.count * in.scalar->bits != count * to->bits)
        return HD_OK;
    for (; bit < count * to->bits; bit++)
        res.at[bit / to->bits] |= (in.at[bit / in.scalar->bits] >> (bit % in.scalar->bits) & 1)
                                  << (bit % to->bits);
    return store(f->r, f->type, &res, out);
}

static HdStatus fold_unary(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *to = hd_type_scalar(f->type);
    Lanes in, res = {0};
    bool ok;

    if (x == NULL)
        return HD_OK;
    ok = load(x, &in);
    if (!ok || in.count != hd_type_lanes(f->type) || !unary_types(f->op, in.scalar, to))
        return HD_OK;
    for (uint32_t i = 0; i < in.count; i++)
        if (!unary_op(f->op, in.scalar, to, in.at[i], &res.at[i]))
            return HD_OK;
    return store(f->r, f->type, &res, out);
}

static bool binary_lane(enum HdOpix op, const HdType *from, const HdType *to, uint64_t a,
                        uint64_t b, uint64_t *out)
{
    if (is_kind(to, HD_T_BOOL))
        return (from->kind == HD_T_INT || from->kind == HD_T_BOOL) &&
               compare_op(op, from->kind == HD_T_BOOL ? 1 : from->bits, a, b, out);
    if (from->bits != to->bits)
        return false;
    return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_FLOAT) &&
           float_op(op, to->bits, a, b, out);
}

static bool binary_lanes(enum HdOpix op, const HdType *to, const Lanes *a, const Lanes *b,
                         Lanes *out)
{
    if (is_kind(a->scalar, HD_T_INT) && is_kind(to, HD_T_INT))
        return a->scalar->bits == to->bits &&
               int_ops(op, to->bits, a->count, a->at, b->at, out->at);
    for (uint32_t i = 0; i < a->count; i++)
        if (!binary_lane(op, a->scalar, to, a->at[i], b->at[i], &out->at[i]))
            return false;
    return true;
}

static HdStatus fold_binary(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0), *y = operand(f, 1);
    const HdType *to = hd_type_scalar(f->type);
    Lanes a, b, res;
    bool ok, shift;

    if (x == NULL || y == NULL)
        return HD_OK;
    if (x->kind == HD_C_ADDRESS && y->kind == HD_C_SCALAR && y->type->kind == HD_T_INT &&
        (f->op == HD_OPIX_IAdd || f->op == HD_OPIX_ISub)) {
        int64_t by = extended(y->bits, y->type->bits);

        return fold_address(f, x, f->op == HD_OPIX_IAdd ? by : (int64_t)(0 - (uint64_t)by), out);
    }
    ok = load(x, &a);
    if (!ok)
        return HD_OK;
    ok = load(y, &b);
    shift = f->op == HD_OPIX_ShiftLeftLogical || f->op == HD_OPIX_ShiftRightLogical ||
            f->op == HD_OPIX_ShiftRightArithmetic;
    if (!ok || a.count != b.count || a.count != hd_type_lanes(f->type) ||
        a.scalar->kind != b.scalar->kind || (!shift && a.scalar->bits != b.scalar->bits))
        return HD_OK;
    if (!binary_lanes(f->op, to, &a, &b, &res))
        return HD_OK;
    return store(f->r, f->type, &res, out);
}

static HdStatus fold_select(const Fold *f, const HdConstant **out)
{
    const HdConstant *c = operand(f, 0), *x = operand(f, 1), *y = operand(f, 2);
    HdConstant *made;

    if (c == NULL || x == NULL || y == NULL || x->type != y->type || x->type != f->type)
        return HD_OK;
    if (c->type->kind == HD_T_BOOL) {
        *out = c->bits != 0 ? x : y;
        return HD_OK;
    }
    if (c->type->kind != HD_T_VECTOR || c->type->element->kind != HD_T_BOOL ||
        f->type->kind != HD_T_VECTOR || f->type->count != c->type->count)
        return HD_OK;
    HD_TAKE(made, hd_constant_new(f->a, HD_C_COMPOSITE, f->type));
    HD_TAKE(made->parts, HD_NEW(f->a, const HdConstant *, f->type->count));
    made->count = f->type->count;
    for (uint32_t i = 0; i < made->count; i++) {
        const HdConstant *bit;

        HD_TRY(hd_constant_part(f->r->m, f->a, c, i, &bit));
        if (bit == NULL)
            return HD_OK;
        HD_TRY(hd_constant_part(f->r->m, f->a, bit->bits != 0 ? x : y, i, &made->parts[i]));
        if (made->parts[i] == NULL)
            return HD_OK;
    }
    *out = made;
    return HD_OK;
}

static HdStatus fold_shuffle(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0), *y = operand(f, 1);
    HdConstant *made;

    if (x == NULL || y == NULL || f->type->kind != HD_T_VECTOR || x->type->kind != HD_T_VECTOR ||
        y->type->kind != HD_T_VECTOR || x->type->element != f->type->element ||
        y->type->element != f->type->element || f->count != f->type->count + 2)
        return HD_OK;
    HD_TAKE(made, hd_constant_new(f->a, HD_C_COMPOSITE, f->type));
    HD_TAKE(made->parts, HD_NEW(f->a, const HdConstant *, f->type->count));
    made->count = f->type->count;
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t at = f->w[2 + i], first = x->type->count;

        if (at == UINT32_MAX) {
            HD_TAKE(made->parts[i], hd_constant_new(f->a, HD_C_UNDEF, f->type->element));
            continue;
        }
        HD_TRY(hd_constant_part(f->r->m, f->a, at < first ? x : y, at < first ? at : at - first,
                                &made->parts[i]));
        if (made->parts[i] == NULL)
            return HD_OK;
    }
    *out = made;
    return HD_OK;
}

/* What was replaced last counts. */
static HdStatus spell_composite(const HdResolver *r, const HdConstant *x, const HdConstant **parts)
{
    for (; x->is_replaced; x = x->replaced->of)
        if (parts[x->replaced->at] == NULL)
            parts[x->replaced->at] = x->replaced->part;
    for (uint32_t i = 0; i < x->count; i++)
        if (parts[i] == NULL)
            HD_TRY(hd_constant_part(r->m, r->a, x, i, &parts[i]));
    return HD_OK;
}

#define FAR 64u /* steps to a part */

/* A composite in which many parts have been replaced is spelled out when it is read: it may be read
 * again. The table is not handed out yet. */
static HdStatus spell_in_place(HdResolver *r, const HdConstant *x)
{
    HdConstant *own = (HdConstant *)(uintptr_t)x;
    const HdConstant **parts;

    r->read_budget -= x->count;
    HD_TAKE(parts, HD_NEW(r->a, const HdConstant *, x->count));
    HD_TRY(spell_composite(r, x, parts));
    own->parts = parts;
    own->is_replaced = false;
    return HD_OK;
}

/* A part of a composite; NULL where there is none, or looking for it takes too long. */
static HdStatus part_of(const Fold *f, const HdConstant *x, uint32_t i, const HdConstant **out)
{
    uint64_t steps = x->is_replaced ? x->replaced->depth : 0;

    *out = NULL;
    if (steps > f->r->steps)
        return HD_OK;
    f->r->steps -= steps;
    if (steps > FAR && x->count <= f->r->read_budget)
        HD_TRY(spell_in_place(f->r, x));
    return hd_constant_part(f->r->m, f->a, x, i, out);
}

static HdStatus fold_extract(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);

    for (uint32_t i = 1; x != NULL && i < f->count; i++)
        HD_TRY(part_of(f, x, f->w[i], &x));
    if (x != NULL && x->type == f->type)
        *out = x;
    return HD_OK;
}

/* The parts of a null or undefined constant: those of an array are all alike. */
static HdStatus spell_alike(const Fold *f, const HdConstant *x, uint32_t count,
                            const HdConstant **parts)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 && x->type->kind != HD_T_STRUCT)
            parts[i] = parts[0];
        else
            HD_TRY(hd_constant_part(f->r->m, f->a, x, i, &parts[i]));
    }
    return HD_OK;
}

/* A composite to be filled in. Of the one that is the result the caller makes a copy. */
static HdStatus new_composite(const Fold *f, const HdType *type, bool is_result, HdConstant **out)
{
    *out = &f->r->result;
    if (!is_result)
        HD_TAKE(*out, hd_constant_new(f->a, HD_C_COMPOSITE, type));
    **out = (HdConstant){.kind = HD_C_COMPOSITE, .type = type};
    return HD_OK;
}

/* A new record of what is replaced. They are taken several at a time, without holes. */
static HdReplaced *new_replaced(HdResolver *r)
{
    if (r->replaced_left == 0) {
        r->replaced = HD_NEW(r->a, HdReplaced, HD_TABLE_CHUNK);
        if (r->replaced == NULL)
            return NULL;
        r->replaced_left = HD_TABLE_CHUNK;
    }
    return &r->replaced[HD_TABLE_CHUNK - r->replaced_left--];
}

/* A copy of a composite. How many parts a module may spell out this way is limited, so that
 * hostile null arrays cost little. */
static HdStatus spelled_out(const Fold *f, const HdConstant *x, bool is_result, HdConstant **out)
{
    uint64_t parts = hd_type_parts(x->type);

    *out = NULL;
    if (parts == 0 || parts > f->r->budget ||
        (x->kind != HD_C_COMPOSITE && x->kind != HD_C_NULL && x->kind != HD_C_UNDEF))
        return HD_OK;
    f->r->budget -= parts;
    HD_TRY(new_composite(f, x->type, is_result, out));
    HD_TAKE((*out)->parts, HD_NEW(f->a, const HdConstant *, parts));
    (*out)->count = (uint32_t)parts;
    if (x->kind == HD_C_COMPOSITE)
        HD_TRY(spell_composite(f->r, x, (*out)->parts));
    else
        HD_TRY(spell_alike(f, x, (uint32_t)parts, (*out)->parts));
    return HD_OK;
}

#define FEW_PARTS 4u /* are copied in less room than what says that one is replaced */

/* A composite in which part i is to be put into *place; NULL in *out where there is none. It is
 * spelled out for every half of the parts that have been replaced, so that none is far. */
static HdStatus replaced(const Fold *f, const HdConstant *x, uint32_t i, bool is_result,
                         HdConstant **out, const HdConstant ***place)
{
    uint32_t depth = x->is_replaced ? x->replaced->depth : 0;
    HdReplaced *r;

    *out = NULL;
    if (i >= hd_type_parts(x->type))
        return HD_OK;
    if (x->kind != HD_C_COMPOSITE || x->count <= FEW_PARTS || depth >= x->count / 2) {
        HD_TRY(spelled_out(f, x, is_result, out));
        *place = *out != NULL ? &(*out)->parts[i] : NULL;
        return HD_OK;
    }
    HD_TAKE(r, new_replaced(f->r));
    *r = (HdReplaced){.of = x, .at = i, .depth = depth + 1};
    HD_TRY(new_composite(f, x->type, is_result, out));
    (*out)->count = x->count;
    (*out)->is_replaced = true;
    (*out)->replaced = r;
    *place = &r->part;
    return HD_OK;
}

static HdStatus insert_lane(const Fold *f, const HdConstant *vector, uint64_t bits,
                            const HdConstant **out)
{
    Lanes lanes;

    if (f->count != 3 || f->w[2] >= vector->count || !load(vector, &lanes))
        return HD_OK;
    lanes.at[f->w[2]] = bits;
    return store(f->r, f->type, &lanes, out);
}

static HdStatus fold_insert(const Fold *f, const HdConstant **out)
{
    const HdConstant *object = operand(f, 0), *at = operand(f, 1), *root = NULL;
    const HdConstant **place = &root;
    const HdType *t = f->type;

    if (object == NULL || at == NULL || at->type != t)
        return HD_OK;
    if (at->is_packed && t->kind == HD_T_VECTOR && object->kind == HD_C_SCALAR &&
        object->type == t->element)
        return insert_lane(f, at, object->bits, out);
    for (uint32_t i = 2; i < f->count; i++) {
        const HdConstant *whole = at;
        const HdConstant **inner;
        HdConstant *copy;

        if (i + 1 < f->count) {
            HD_TRY(part_of(f, whole, f->w[i], &at));
            if (at == NULL)
                return HD_OK;
        }
        t = hd_type_part(f->r->m, t, f->w[i]);
        HD_TRY(replaced(f, whole, f->w[i], i == 2, &copy, &inner));
        if (copy == NULL)
            return HD_OK;
        *place = copy;
        place = inner;
    }
    if (t != object->type)
        return HD_OK;
    *place = object;
    *out = root;
    return HD_OK;
}

/* Step into a type by an index; NULL when there is no such element. */
static const HdType *step(const Fold *f, const HdType *t, const HdConstant *index, int64_t *offset)
{
    const uint64_t *kept;
    int64_t i;

    if (index == NULL || index->type->kind != HD_T_INT ||
        (index->kind != HD_C_SCALAR && index->kind != HD_C_NULL))
        return NULL;
    i = extended(index->bits, index->type->bits);
    if (t->kind == HD_T_STRUCT) {
        if (i < 0 || i >= (int64_t)t->count)
            return NULL;
        (void)hd_resolve_offsets(f->r->m, t, &kept); /* not having them costs time only */
        *offset = (int64_t)((uint64_t)*offset + hd_type_offset(f->r->m, t, (uint32_t)i));
        return hd_type_member(f->r->m, t, (uint32_t)i);
    }
    if (t->element == NULL || t->kind == HD_T_POINTER)
        return NULL;
    *offset = (int64_t)((uint64_t)*offset + (uint64_t)i * hd_type_stride(f->r->m, t));
    return t->element;
}

/* Spec: OpAccessChain, OpPtrAccessChain, SPV_KHR_untyped_pointers. */
static HdStatus fold_chain(const Fold *f, bool untyped, bool element, const HdConstant **out)
{
    uint32_t at = untyped ? 1 : 0;
    const HdConstant *base = operand(f, at++);
    const HdType *t;
    int64_t offset = 0;

    if (base == NULL || f->type->kind != HD_T_POINTER || base->type->kind != HD_T_POINTER ||
        (base->kind != HD_C_ADDRESS && !is_number(base)))
        return HD_OK;
    t = untyped ? hd_module_type(f->r->m, f->w[0]) : base->type->element;
    if (t == NULL)
        return HD_OK;
    for (uint32_t i = at; i < f->count; i++)
        if (operand(f, i) != NULL && operand(f, i)->kind == HD_C_UNDEF)
            return fold_number(f, operand(f, i), 0, out);
    if (element) {
        const HdConstant *i = operand(f, at++);

        if (i == NULL || i->type->kind != HD_T_INT ||
            (i->kind != HD_C_SCALAR && i->kind != HD_C_NULL))
            return HD_OK;
        offset = (int64_t)((uint64_t)extended(i->bits, i->type->bits) * t->size);
    }
    for (; at < f->count; at++) {
        t = step(f, t, operand(f, at), &offset);
        if (t == NULL)
            return HD_OK;
    }
    if (base->kind == HD_C_ADDRESS)
        return fold_address(f, base, offset, out);
    return fold_number(f, base, base->kind == HD_C_UNDEF ? 0 : base->bits + (uint64_t)offset, out);
}

static HdStatus fold_one(const Fold *f, const HdConstant **out)
{
    switch (f->op) {
    case HD_OPIX_Select: return fold_select(f, out);
    case HD_OPIX_VectorShuffle: return fold_shuffle(f, out);
    case HD_OPIX_CompositeExtract: return fold_extract(f, out);
    case HD_OPIX_CompositeInsert: return fold_insert(f, out);
    case HD_OPIX_Bitcast: return fold_bitcast(f, out);
    case HD_OPIX_ConvertPtrToU:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_CrossWorkgroupCastToPtrINTEL:
    case HD_OPIX_PtrCastToCrossWorkgroupINTEL:
    case HD_OPIX_PtrCastToGeneric: return fold_cast(f, out);
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: return fold_chain(f, false, false, out);
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: return fold_chain(f, false, true, out);
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return fold_chain(f, true, false, out);
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return fold_chain(f, true, true, out);
    default: return f->count == 1 ? fold_unary(f, out) : fold_binary(f, out);
    }
}

HdStatus hd_resolve_spec_op(HdResolver *r, const HdInst *in, const HdConstant **out)
{
    Fold f = {.r = r, .a = r->a};

    *out = NULL;
    f.type = hd_module_type(r->m, in->w[1]);
    /* The caller copies the value, of which only composites have parts elsewhere. */
    if (f.type != NULL && hd_type_parts(f.type) == 0) {
        if (r->scratch == NULL)
            HD_TAKE(r->scratch, hd_arena_open());
        hd_arena_clear(r->scratch);
        f.a = r->scratch;
    }
    f.op = hd_gram_find(in->w[3]);
    f.w = in->w + 4;
    f.count = (uint32_t)in->nwords - 4;
    return fold_one(&f, out);
}
