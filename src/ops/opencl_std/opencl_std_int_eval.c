/* ops/opencl_std/opencl_std_int_eval.c -- integer and relational functions of OpenCL.std in the
 * interpreter, in 128 bits, where nothing overflows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/opencl_std/std_eval.h"

__extension__ typedef __int128 Big;
__extension__ typedef unsigned __int128 UnsignedBig;

/* One component's operands: as unsigned and as signed numbers. */
typedef struct Args {
    Big u[3], s[3];
    unsigned bits;
} Args;

static Big clamp(Big x, Big low, Big high)
{
    x = x < low ? low : x;
    return x > high ? high : x; /* of reversed limits too, as compiled code has it */
}

static Big s_saturate(Big x, unsigned bits)
{
    return clamp(x, -((Big)1 << (bits - 1)), ((Big)1 << (bits - 1)) - 1);
}

static Big u_saturate(Big x, unsigned bits)
{
    return clamp(x, 0, ((Big)1 << bits) - 1);
}

static Big magnitude(Big x)
{
    return x < 0 ? -x : x;
}

static Big zeros(const Args *a, bool leading)
{
    unsigned n = 0;

    while (n < a->bits && (a->u[0] >> (leading ? a->bits - 1 - n : n) & 1) == 0)
        n++;
    return n;
}

static Big rotated(const Args *a)
{
    unsigned by = (unsigned)(a->u[1] % a->bits);

    return by == 0 ? a->u[0] : (a->u[0] << by) | (a->u[0] >> (a->bits - by));
}

/* An unsigned product of 64-bit numbers does not fit a signed 128-bit one: its upper half. */
static Big u_high(const Args *a)
{
    UnsignedBig product = (UnsignedBig)a->u[0] * (UnsignedBig)a->u[1];

    return (Big)(product >> a->bits);
}

static Big u_mad_sat(const Args *a)
{
    Big most = ((Big)1 << a->bits) - 1;

    return u_high(a) != 0 ? most : u_saturate((a->u[0] * a->u[1] & most) + a->u[2], a->bits);
}

static Big value_of(uint32_t number, const Args *a)
{
    const Big *s = a->s, *u = a->u;

    switch (number) {
    case OpenCLstd_s_abs: return magnitude(s[0]);
    case OpenCLstd_u_abs: return u[0];
    case OpenCLstd_s_abs_diff: return magnitude(s[0] - s[1]);
    case OpenCLstd_u_abs_diff: return magnitude(u[0] - u[1]);
    case OpenCLstd_s_add_sat: return s_saturate(s[0] + s[1], a->bits);
    case OpenCLstd_u_add_sat: return u_saturate(u[0] + u[1], a->bits);
    case OpenCLstd_s_sub_sat: return s_saturate(s[0] - s[1], a->bits);
    case OpenCLstd_u_sub_sat: return u_saturate(u[0] - u[1], a->bits);
    case OpenCLstd_s_hadd: return (s[0] + s[1]) >> 1;
    case OpenCLstd_u_hadd: return (u[0] + u[1]) >> 1;
    case OpenCLstd_s_rhadd: return (s[0] + s[1] + 1) >> 1;
    case OpenCLstd_u_rhadd: return (u[0] + u[1] + 1) >> 1;
    case OpenCLstd_s_clamp: return clamp(s[0], s[1], s[2]);
    case OpenCLstd_u_clamp: return clamp(u[0], u[1], u[2]);
    case OpenCLstd_s_max: return s[0] > s[1] ? s[0] : s[1];
    case OpenCLstd_u_max: return u[0] > u[1] ? u[0] : u[1];
    case OpenCLstd_s_min: return s[0] < s[1] ? s[0] : s[1];
    case OpenCLstd_u_min: return u[0] < u[1] ? u[0] : u[1];
    case OpenCLstd_s_mul_hi: return s[0] * s[1] >> a->bits;
    case OpenCLstd_u_mul_hi: return u_high(a);
    case OpenCLstd_s_mad_hi: return (s[0] * s[1] >> a->bits) + s[2];
    case OpenCLstd_u_mad_hi: return u_high(a) + u[2];
    case OpenCLstd_s_mad_sat: return s_saturate(s[0] * s[1] + s[2], a->bits);
    case OpenCLstd_u_mad_sat: return u_mad_sat(a);
    case OpenCLstd_s_mul24: return s[0] * s[1]; /* operands of more than 24 bits: undefined */
    case OpenCLstd_u_mul24: return s[0] * s[1];
    case OpenCLstd_s_mad24: return s[0] * s[1] + s[2];
    case OpenCLstd_u_mad24: return s[0] * s[1] + s[2];
    case OpenCLstd_clz: return zeros(a, true);
    case OpenCLstd_ctz: return zeros(a, false);
    case OpenCLstd_popcount: return __builtin_popcountll((unsigned long long)u[0]);
    case OpenCLstd_rotate: return rotated(a);
    default: /* bitselect */ return (u[0] & ~u[2]) | (u[1] & u[2]);
    }
}

/* The second operand where the third is true: not 0 for scalars, the top bit in vectors. */
static HdStatus select_value(HdEval *e, const HdInst *in)
{
    uint64_t bytes, wide;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 3, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    wide = hd_type_size(hd_type_scalar(x[2].type));
    if (hd_type_lanes(x[2].type) != hd_type_lanes(r.type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.components", "operands do not fit");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            int64_t c = hd_int_get(hd_slot_at(&x[2], lane) + i * wide, wide);
            bool second = hd_type_lanes(r.type) == 1 ? c != 0 : c < 0;

            memcpy(hd_slot_at(&r, lane) + i * bytes,
                   hd_slot_at(&x[second ? 1 : 0], lane) + i * bytes, (size_t)bytes);
        }
    return HD_OK;
}

HdStatus hd_std_eval_int(HdEval *e, const HdInst *in)
{
    unsigned count = in->nwords - HD_STD_AT;
    uint64_t bytes;
    HdSlot r, x[3];

    if (in->w[4] == OpenCLstd_select)
        return select_value(e, in);
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, count < 3 ? count : 3, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (unsigned k = 0; k < count && k < 3; k++)
        if (hd_type_size(x[k].type) != hd_type_size(r.type))
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "operands do not fit");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            Args a = {.bits = (unsigned)bytes * 8};

            for (unsigned k = 0; k < count && k < 3; k++) {
                a.u[k] = (Big)hd_bits_get(hd_slot_at(&x[k], lane) + i * bytes, bytes);
                a.s[k] = (Big)hd_int_get(hd_slot_at(&x[k], lane) + i * bytes, bytes);
            }
            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes, (uint64_t)value_of(in->w[4], &a));
        }
    return HD_OK;
}

/* Upper half, lower half into an integer of twice the width. */
HdStatus hd_std_eval_upsample(HdEval *e, const HdInst *in)
{
    uint64_t bytes;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 2, x));
    bytes = hd_type_size(hd_type_scalar(x[0].type));
    if (hd_type_size(hd_type_scalar(r.type)) != 2 * bytes)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "operands do not fit");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            hd_bits_put(hd_slot_at(&r, lane) + i * 2 * bytes, 2 * bytes,
                        hd_bits_get(hd_slot_at(&x[0], lane) + i * bytes, bytes) << (8 * bytes) |
                            hd_bits_get(hd_slot_at(&x[1], lane) + i * bytes, bytes));
    return HD_OK;
}
