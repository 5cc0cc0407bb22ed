/* ir/eval.c -- the value of one pure operation on constants.
 *
 * Integers wrap in the width of their type. Floats are computed in their own format, halves in
 * double and rounded once: exact for + - * / and sqrt, since double has more than twice a half's
 * digits. Results that are NaN are left to the machine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/eval.h"

#include <math.h>

#include "base/half.h"
#include "ir/edit.h"

double hd_ir_to_double(HdIrType t, uint64_t bits)
{
    return hd_float_value(bits, hd_ir_type_bits(t));
}

uint64_t hd_ir_from_double(HdIrType t, double x)
{
    return hd_float_bits(x, hd_ir_type_bits(t));
}

static uint64_t reverse_bits(uint64_t x, unsigned width)
{
    uint64_t out = 0;

    for (unsigned i = 0; i < width; i++)
        out |= (x >> i & 1) << (width - 1 - i);
    return out;
}

static int64_t clamp_signed(HdIrType t, __int128 x)
{
    int64_t most = (int64_t)(hd_ir_ones(t) >> 1);

    return x > most ? most : x < -(__int128)most - 1 ? -most - 1 : (int64_t)x;
}

static uint64_t divide(unsigned op, HdIrType t, uint64_t a, uint64_t b)
{
    int64_t sa = hd_ir_sign_extend(t, a), sb = hd_ir_sign_extend(t, b);

    switch (op) {
    case HD_IR_UDIV: return b == 0 ? 0 : a / b;
    case HD_IR_UREM: return b == 0 ? 0 : a % b;
    case HD_IR_SDIV: return sb == 0 ? 0 : sb == -1 ? 0 - a : (uint64_t)(sa / sb);
    default: return sb == 0 || sb == -1 ? 0 : (uint64_t)(sa % sb);
    }
}

/* Integer operations; the caller cuts the result to the width. */
static bool eval_int(unsigned op, HdIrType t, const uint64_t *x, uint64_t *out)
{
    unsigned width = hd_ir_type_bits(t);
    uint64_t a = x[0], b = op >= HD_IR_CLZ ? 0 : x[1], ones = hd_ir_ones(t);
    int64_t sa = hd_ir_sign_extend(t, a), sb = hd_ir_sign_extend(t, b);
    unsigned shift = (unsigned)(b % width);

    switch (op) {
    case HD_IR_ADD: *out = a + b; return true;
    case HD_IR_SUB: *out = a - b; return true;
    case HD_IR_MUL: *out = a * b; return true;
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: *out = divide(op, t, a, b); return true;
    case HD_IR_AND: *out = a & b; return true;
    case HD_IR_OR: *out = a | b; return true;
    case HD_IR_XOR: *out = a ^ b; return true;
    case HD_IR_SHL: *out = a << shift; return true;
    case HD_IR_LSHR: *out = a >> shift; return true;
    case HD_IR_ASHR: *out = (uint64_t)(sa >> shift); return true;
    case HD_IR_ROTL: *out = shift == 0 ? a : a << shift | a >> (width - shift); return true;
    case HD_IR_UMIN: *out = a < b ? a : b; return true;
    case HD_IR_UMAX: *out = a > b ? a : b; return true;
    case HD_IR_SMIN: *out = sa < sb ? a : b; return true;
    case HD_IR_SMAX: *out = sa > sb ? a : b; return true;
    case HD_IR_UADDSAT: *out = a > ones - b ? ones : a + b; return true;
    case HD_IR_USUBSAT: *out = a > b ? a - b : 0; return true;
    case HD_IR_SADDSAT: *out = (uint64_t)clamp_signed(t, (__int128)sa + sb); return true;
    case HD_IR_SSUBSAT: *out = (uint64_t)clamp_signed(t, (__int128)sa - sb); return true;
    case HD_IR_UMULHI: *out = (uint64_t)((unsigned __int128)a * b >> width); return true;
    case HD_IR_SMULHI: *out = (uint64_t)((__int128)sa * sb >> width); return true;
    case HD_IR_CLZ:
        *out = a == 0 ? width : (uint64_t)(__builtin_clzll(a) - (int)(64 - width));
        return true;
    case HD_IR_CTZ: *out = a == 0 ? width : (uint64_t)__builtin_ctzll(a); return true;
    case HD_IR_POPCOUNT: *out = (uint64_t)__builtin_popcountll(a); return true;
    case HD_IR_BSWAP: *out = __builtin_bswap64(a) >> (64 - width); return true;
    case HD_IR_BITREVERSE: *out = reverse_bits(a, width); return true;
    default: return false;
    }
}

static bool give(HdIrType t, double x, uint64_t *out)
{
    *out = hd_ir_from_double(t, x);
    return !isnan(x);
}

/* + - * / in float must round once: double has too few digits for that only when adding, so compute
 * in float itself. volatile keeps the compiler from contracting or widening. */
static double arith(unsigned op, HdIrType t, double a, double b)
{
    if (t == HD_IR_F32) {
        volatile float x = (float)a, y = (float)b;
        volatile float z = op == HD_IR_FADD   ? x + y
                           : op == HD_IR_FSUB ? x - y
                           : op == HD_IR_FMUL ? x * y
                                              : x / y;

        return (double)z;
    } else {
        volatile double x = a, y = b;
        volatile double z = op == HD_IR_FADD   ? x + y
                            : op == HD_IR_FSUB ? x - y
                            : op == HD_IR_FMUL ? x * y
                                               : x / y;

        return z;
    }
}

static bool eval_float(unsigned op, HdIrType t, const uint64_t *x, uint64_t *out)
{
    uint64_t sign = (uint64_t)1 << (hd_ir_type_bits(t) - 1);
    double a = hd_ir_to_double(t, x[0]), b;

    switch (op) { /* on bits, NaN or not */
    case HD_IR_FNEG: *out = x[0] ^ sign; return true;
    case HD_IR_FABS: *out = x[0] & ~sign; return true;
    case HD_IR_FCOPYSIGN: *out = (x[0] & ~sign) | (x[1] & sign); return true;
    case HD_IR_FSQRT: return give(t, t == HD_IR_F32 ? (double)sqrtf((float)a) : sqrt(a), out);
    case HD_IR_FFLOOR: return give(t, floor(a), out);
    case HD_IR_FCEIL: return give(t, ceil(a), out);
    case HD_IR_FTRUNC: return give(t, trunc(a), out);
    case HD_IR_FRINT: return give(t, nearbyint(a), out);
    default: break;
    }
    b = hd_ir_to_double(t, x[1]);
    switch (op) {
    case HD_IR_FADD:
    case HD_IR_FSUB:
    case HD_IR_FMUL:
    case HD_IR_FDIV: return give(t, arith(op, t, a, b), out);
    case HD_IR_FMA:
        if (t == HD_IR_F16) /* the double one would round twice */
            return false;
        if (t == HD_IR_F32)
            return give(t, (double)fmaf((float)a, (float)b, (float)hd_ir_to_double(t, x[2])), out);
        return give(t, fma(a, b, hd_ir_to_double(t, x[2])), out);
    case HD_IR_FMIN:
    case HD_IR_FMAX:
        if (isnan(a) || isnan(b) || a == b) /* which zero is the machine's choice */
            return false;
        *out = (a < b) == (op == HD_IR_FMIN) ? x[0] : x[1];
        return true;
    default: return false;
    }
}

static bool eval_icmp(unsigned how, HdIrType t, uint64_t a, uint64_t b)
{
    int64_t sa = hd_ir_sign_extend(t, a), sb = hd_ir_sign_extend(t, b);

    switch (how) {
    case HD_IR_EQ: return a == b;
    case HD_IR_NE: return a != b;
    case HD_IR_ULT: return a < b;
    case HD_IR_ULE: return a <= b;
    case HD_IR_UGT: return a > b;
    case HD_IR_UGE: return a >= b;
    case HD_IR_SLT: return sa < sb;
    case HD_IR_SLE: return sa <= sb;
    case HD_IR_SGT: return sa > sb;
    default: return sa >= sb;
    }
}

static bool eval_fcmp(unsigned how, double a, double b)
{
    bool unordered = isnan(a) || isnan(b);

    switch (how) {
    case HD_IR_OEQ: return !unordered && a == b;
    case HD_IR_OGT: return !unordered && a > b;
    case HD_IR_OGE: return !unordered && a >= b;
    case HD_IR_OLT: return !unordered && a < b;
    case HD_IR_OLE: return !unordered && a <= b;
    case HD_IR_ONE: return !unordered && a != b;
    case HD_IR_ORD: return !unordered;
    case HD_IR_UEQ: return unordered || a == b;
    case HD_IR_UGT_F: return unordered || a > b;
    case HD_IR_UGE_F: return unordered || a >= b;
    case HD_IR_ULT_F: return unordered || a < b;
    case HD_IR_ULE_F: return unordered || a <= b;
    case HD_IR_UNE: return unordered || a != b;
    default: return unordered;
    }
}

/* An integer to float, rounded once. */
static bool int_to_float(HdIrType t, bool is_signed, HdIrType from, uint64_t bits, uint64_t *out)
{
    int64_t value = hd_ir_sign_extend(from, bits);
    uint64_t size = is_signed && value < 0 ? 0 - (uint64_t)value : bits;

    if (t == HD_IR_F16) /* double holds what could round; beyond 2^53 all is infinite */
        return give(t, is_signed ? (double)value : (double)bits, out);
    if (t == HD_IR_F32) {
        float x = (float)size;

        return give(t, (double)(is_signed && value < 0 ? -x : x), out);
    }
    return give(t, is_signed ? (double)value : (double)bits, out);
}

static bool float_to_int(HdIrType t, bool is_signed, bool is_plain, double x, uint64_t *out)
{
    unsigned width = hd_ir_type_bits(t);
    double low = is_signed ? -ldexp(1, (int)width - 1) : 0;
    double high = ldexp(1, is_signed ? (int)width - 1 : (int)width);

    if (is_plain)
        *out = x >= low && x < high ? (uint64_t)(int64_t)x : (uint64_t)1 << (width - 1);
    else if (isnan(x))
        *out = 0;
    else if (x <= low)
        *out = is_signed ? (uint64_t)1 << (width - 1) : 0;
    else if (x >= high)
        *out = is_signed ? hd_ir_ones(t) >> 1 : hd_ir_ones(t);
    else
        *out = is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
    return true;
}

static bool eval_conversion(const HdIrInst *in, HdIrType t, HdIrType from, uint64_t x,
                            uint64_t *out)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_BITCAST: *out = x; return true;
    case HD_IR_SEXT: *out = (uint64_t)hd_ir_sign_extend(from, x); return true;
    case HD_IR_FPTRUNC: return give(t, hd_ir_to_double(from, x), out);
    case HD_IR_FPEXT: return give(t, hd_ir_to_double(from, x), out);
    case HD_IR_SITOFP: return int_to_float(t, true, from, x, out);
    case HD_IR_UITOFP: return int_to_float(t, false, from, x, out);
    case HD_IR_FPTOSI: return float_to_int(t, true, in->sub != 0, hd_ir_to_double(from, x), out);
    case HD_IR_FPTOUI: return float_to_int(t, false, false, hd_ir_to_double(from, x), out);
    default: return false;
    }
}

static uint64_t eval_dot(unsigned sub, const uint64_t *x)
{
    uint64_t sum = x[2];

    for (unsigned i = 0; i < 32; i += 8) {
        uint64_t a = x[0] >> i & 0xff, b = x[1] >> i & 0xff;

        if ((sub & HD_IR_DOT_LEFT) != 0)
            a = (uint64_t)hd_ir_sign_extend(HD_IR_I8, a);
        if ((sub & HD_IR_DOT_RIGHT) != 0)
            b = (uint64_t)hd_ir_sign_extend(HD_IR_I8, b);
        sum += a * b;
    }
    return sum;
}

bool hd_ir_eval(const HdIrInst *in, HdIrType from, const uint64_t *x, uint64_t *out)
{
    HdIrType t = (HdIrType)in->type;
    bool done = false;

    if (in->op >= HD_IR_ADD && in->op <= HD_IR_BITREVERSE) {
        done = eval_int(in->op, t, x, out);
    } else if (in->op >= HD_IR_FADD && in->op <= HD_IR_FMAX) {
        done = eval_float(in->op, t, x, out);
    } else if (in->op == HD_IR_DOT4) {
        *out = eval_dot(in->sub, x);
        done = true;
    } else if (in->op == HD_IR_ICMP) {
        *out = eval_icmp(in->sub, from, x[0], x[1]);
        done = true;
    } else if (in->op == HD_IR_FCMP) {
        *out = eval_fcmp(in->sub, hd_ir_to_double(from, x[0]), hd_ir_to_double(from, x[1]));
        done = true;
    } else if (in->op == HD_IR_SELECT) {
        *out = x[0] != 0 ? x[1] : x[2];
        done = true;
    } else if (in->op == HD_IR_FREEZE) {
        *out = x[0];
        done = true;
    } else if (in->op >= HD_IR_TRUNC && in->op <= HD_IR_BITCAST) {
        done = eval_conversion(in, t, from, x[0], out);
    }
    *out &= hd_ir_ones(t);
    return done;
}
