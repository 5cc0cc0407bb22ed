/* ops/arith/arith_eval.c -- arithmetic in the interpreter.
 *
 * Where the specification leaves the result undefined (division by zero, overflow of a quotient) it
 * is 0, or the dividend, as in lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/loops.h"
#include "module/contract.h"
#include "ops/arith/arith_eval.h"
#include "ops/evals.h"
#include "ops/float/bfloat_eval.h"
#include "ops/float/rounded_eval.h"

HD_INT_LOOPS(negate, (W)0 - (W)x)
HD_INT_LOOPS(add, (W)x + (W)y)
HD_INT_LOOPS(sub, (W)x - (W)y)
HD_INT_LOOPS(mul, (W)x *(W)y)
HD_INT_LOOPS(udiv, y == 0 ? 0 : x / y)
HD_INT_LOOPS(umod, y == 0 ? 0 : x % y)
/* The quotient of the smallest number and -1 does not fit. */
HD_INT_LOOPS(sdiv, y == 0 ? 0 : (S)y == -1 ? (W)0 - (W)x : (W)((S)x / (S)y))
HD_INT_LOOPS(srem, y == 0 || (S)y == -1 ? 0 : (W)((S)x % (S)y))
/* The sign of the divisor. */
HD_INT_LOOPS(smod, y == 0 || (S)y == -1                                  ? 0
                   : (S)x % (S)y != 0 && ((S)x % (S)y < 0) != ((S)y < 0) ? (W)((S)x % (S)y + (S)y)
                                                                         : (W)((S)x % (S)y))

HD_FLOAT_LOOPS(float_add, x + y)
HD_FLOAT_LOOPS(float_sub, x - y)
HD_FLOAT_LOOPS(float_mul, x *y)
HD_FLOAT_LOOPS(float_div, x / y)
HD_FLOAT_LOOPS(frem, (F)fmod((double)x, (double)y))

/* The sign of y; rounded where the remainder moves by y. */
static double floor_mod(double x, double y)
{
    double rem = fmod(x, y);

    if (rem != 0 && (rem < 0) != (y < 0))
        rem += y;
    return copysign(rem, y);
}

/* In float itself: a sum in double would be rounded once where it must be in float's terms; it is
 * rounded again on the way, which for a sum of two floats changes nothing. */
HD_FLOAT_LOOPS(fmodulo, (F)floor_mod((double)x, (double)y))

typedef struct Binary {
    enum HdOpix opix;
    HdLoop *const *loops;
    bool is_float;
} Binary;

static const Binary binaries[] = {
    {HD_OPIX_IAdd, add, false},      {HD_OPIX_ISub, sub, false},
    {HD_OPIX_IMul, mul, false},      {HD_OPIX_SDiv, sdiv, false},
    {HD_OPIX_SRem, srem, false},     {HD_OPIX_SMod, smod, false},
    {HD_OPIX_UDiv, udiv, false},     {HD_OPIX_UMod, umod, false},
    {HD_OPIX_FAdd, float_add, true}, {HD_OPIX_FSub, float_sub, true},
    {HD_OPIX_FMul, float_mul, true}, {HD_OPIX_FDiv, float_div, true},
    {HD_OPIX_FRem, frem, true},      {HD_OPIX_FMod, fmodulo, true},
};

/* ---- checked runs -------------------------------------------------------------------------- */

__extension__ typedef __int128 Exact;

/* Two operands; those of a negation are the same. */
typedef struct Pair {
    HdSlot x[2];
    uint64_t bytes;
    uint32_t count;
    bool is_signed;
} Pair;

static void pair_of(const Pair *p, unsigned lane, uint32_t i, Exact v[2])
{
    for (unsigned k = 0; k < 2; k++) {
        const unsigned char *at = hd_slot_at(&p->x[k], lane) + i * p->bytes;

        v[k] = p->is_signed ? (Exact)hd_int_get(at, p->bytes) : (Exact)hd_bits_get(at, p->bytes);
    }
}

static bool fits(const Pair *p, Exact v)
{
    unsigned bits = (unsigned)p->bytes * 8;
    Exact one = 1;

    return p->is_signed ? v >= -(one << (bits - 1)) && v < one << (bits - 1)
                        : v >= 0 && v < one << bits;
}

static bool is_division(const HdInst *in)
{
    return in->opix == HD_OPIX_SDiv || in->opix == HD_OPIX_SRem || in->opix == HD_OPIX_SMod ||
           in->opix == HD_OPIX_UDiv || in->opix == HD_OPIX_UMod;
}

/* Where the module asks for poison (ArithmeticPoisonKHR, a mode of all its entry points or none), a
 * quotient that does not exist has no value; elsewhere behaviour is undefined. */
static bool gives_poison(const HdEval *e)
{
    return hd_module_has_capability(e->m, SpvCapabilityPoisonFreezeKHR);
}

static HdStatus check_division(HdEval *e, const Pair *p)
{
    uint64_t zero = 0, large = 0;

    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < p->count; i++) {
            Exact v[2];

            pair_of(p, lane, i, v);
            if (v[1] == 0)
                zero |= UINT64_C(1) << lane;
            else if (p->is_signed && v[1] == -1 && !fits(p, -v[0]))
                large |= UINT64_C(1) << lane;
        }
    if (gives_poison(e)) {
        hd_eval_spoil(e, zero | large);
        return HD_OK;
    }
    if (zero != 0)
        HD_TRY(hd_eval_defect(e, zero, "check.division", "test the divisor first",
                              "division by zero"));
    if (large != 0)
        HD_TRY(hd_eval_defect(e, large, "check.division", "test the divisor first",
                              "the quotient of the smallest number and -1 does not fit"));
    return HD_OK;
}

/* Results that wrap where the program promised that they do not have no value. */
static void check_wrap(HdEval *e, const HdInst *in, Pair *p)
{
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < p->count; i++)
            for (unsigned s = 0; s < 2; s++) {
                Exact v[2], r;

                if (!(s == 0 ? e->info->no_unsigned_wrap : e->info->no_signed_wrap))
                    continue;
                p->is_signed = s == 1;
                pair_of(p, lane, i, v);
                r = in->opix == HD_OPIX_IAdd   ? v[0] + v[1]
                    : in->opix == HD_OPIX_ISub ? v[0] - v[1]
                    : in->opix == HD_OPIX_IMul ? v[0] * v[1]
                                               : -v[0];
                if (!fits(p, r))
                    hd_eval_spoil(e, UINT64_C(1) << lane);
            }
}

/* What a checked run says to operands of an integer operation. */
static HdStatus check_integers(HdEval *e, const HdInst *in)
{
    Pair p = {.is_signed = in->opix != HD_OPIX_UDiv && in->opix != HD_OPIX_UMod};

    if (!is_division(in) && !e->info->no_signed_wrap && !e->info->no_unsigned_wrap)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[3], &p.x[0]));
    HD_TRY(hd_eval_use(e, in->w[in->nwords > 4 ? 4 : 3], &p.x[1]));
    p.bytes = hd_type_size(hd_type_scalar(p.x[0].type));
    p.count = hd_eval_components(e, p.x[0].type);
    if (is_division(in)) {
        if (!gives_poison(e))
            HD_TRY(hd_eval_needs(e, in->w[4], "a divisor is"));
        return check_division(e, &p);
    }
    check_wrap(e, in, &p);
    return HD_OK;
}

/* Rounded once, in every width: the product of two halfs or floats is exact in double; a sum that
 * is not is made odd, so that rounding it again cannot go wrong. */
static double fma_odd(double x, double y, double z)
{
    double product = x * y, sum = product + z, part, error;
    uint64_t bits;

    if (!isfinite(sum))
        return sum;
    part = sum - product;
    error = (product - (sum - part)) + (z - part);
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && (bits & 1) == 0) {
        bool grow = (error > 0) == (sum > 0);

        bits = grow ? bits + 1 : bits - 1;
        memcpy(&sum, &bits, sizeof sum);
    }
    return sum;
}

HD_FLOAT_LOOP(fma_h, HdU16, double, hd_half_to_double, HD_TO_HALF, fma_odd(x, y, z))
HD_FLOAT_LOOP(fma_f, HdF32, double, (double), (float), fma_odd(x, y, z))
HD_FLOAT_LOOP(fma_d, HdF64, double, HD_SAME, HD_SAME, fma(x, y, z))

/* Towards zero: the sum of an exact product is cut twice, which is as once. */
HD_FLOAT_LOOP(cut_h, HdU16, double, hd_half_to_double, HD_TO_HALF, x *y + z)
HD_FLOAT_LOOP(cut_f, HdF32, double, (double), (float), x *y + z)

HdLoop *hd_arith_fused(const HdEval *e, const HdInst *in, unsigned size)
{
    if (hd_eval_truncates(e, in->w[1]) || !hd_module_may_contract(e->m, in))
        return NULL;
    return size == 2 ? fma_d : fma_f;
}

/* x * y - z and z - x * y */
HD_FLOAT_LOOP(less_f, HdF32, double, (double), (float), fma_odd(x, y, -z))
HD_FLOAT_LOOP(less_d, HdF64, double, HD_SAME, HD_SAME, fma(x, y, -z))
HD_FLOAT_LOOP(from_f, HdF32, double, (double), (float), fma_odd(-x, y, z))
HD_FLOAT_LOOP(from_d, HdF64, double, HD_SAME, HD_SAME, fma(-x, y, z))

/* The product of a vector and a number, and a vector. */
static HdStatus fuse_scalar(HdEval *e, const HdInst *in, HdLoop *loop)
{
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 3, x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t at = i * hd_type_size(x[1].type);
            const void *args[3] = {hd_slot_at(&x[0], lane) + at, hd_slot_at(&x[1], lane),
                                   hd_slot_at(&x[2], lane) + at};

            loop(hd_slot_at(&r, lane) + at, args, 1);
        }
    return HD_OK;
}

/* A sum or difference whose operand is a product, of which only the result is rounded. */
static HdStatus contracted(HdEval *e, const HdInst *in, const HdContraction *c)
{
    static HdLoop *const loops[3][2] = {{fma_f, fma_d}, {less_f, less_d}, {from_f, from_d}};
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));
    unsigned kind = in->opix == HD_OPIX_FAdd ? 0 : c->at == 3 ? 1 : 2;
    const uint32_t words[6] = {in->w[0],        in->w[1],        in->w[2],
                               c->product.w[3], c->product.w[4], in->w[c->at == 3 ? 4 : 3]};
    HdLoop *loop = loops[kind][t->bits == 64];
    HdInst fused = *in;

    fused.w = words;
    fused.nwords = 6;
    return c->product.opix == HD_OPIX_FMul ? hd_eval_map(e, &fused, 3, 3, loop)
                                           : fuse_scalar(e, &fused, loop);
}

/* Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_binary(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    HdContraction contraction;
    HdNumberMode mode;

    if (!hd_eval_truncates(e, in->w[1]) && hd_module_contraction(e->m, in, &contraction))
        return contracted(e, in, &contraction);
    if (in->opix == HD_OPIX_FDiv && hd_eval_rounding(e, in->w[2], &mode))
        return hd_eval_rounded(e, in, 3, 2, mode);
    if (e->is_checked && t != NULL && t->kind == HD_T_INT)
        HD_TRY(check_integers(e, in));
    for (size_t i = 0; t && i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].opix == in->opix)
            return hd_eval_map(
                e, in, 3, 2,
                binaries[i].loops[binaries[i].is_float ? hd_float_size(t) : hd_int_size(t)]);
    return HD_BUG;
}

static void flip_2(void *r, const void *const *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((HdU16 *)r)[i] = ((const HdU16 *)x[0])[i] ^ 0x8000u;
}

static void flip_4(void *r, const void *const *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((HdU32 *)r)[i] = ((const HdU32 *)x[0])[i] ^ 0x80000000u;
}

static void flip_8(void *r, const void *const *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((HdU64 *)r)[i] = ((const HdU64 *)x[0])[i] ^ UINT64_C(1) << 63;
}

/* OpSNegate, OpFNegate (which turns the sign of NaN too).
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_negate(HdEval *e, const HdInst *in)
{
    static HdLoop *const flips[5] = {flip_2, flip_4, flip_8, NULL, flip_2};
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));

    if (t == NULL)
        return HD_BUG;
    if (e->is_checked && t->kind == HD_T_INT)
        HD_TRY(check_integers(e, in));
    return hd_eval_map(e, in, 3, 1,
                       in->opix == HD_OPIX_FNegate ? flips[hd_float_size(t)]
                                                   : negate[hd_int_size(t)]);
}

/* Words: 1 type, 2 result, 3 vector, 4 scalar. */
HdStatus hd_eval_vector_times_scalar(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    HdSlot r, x[2];
    HdLoop *loop;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    loop = float_mul[hd_float_size(hd_type_scalar(r.type))];
    if (loop == NULL)
        return hd_eval_unsupported(e, "operands of this type");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t at = i * hd_type_size(x[1].type);
            const void *args[3] = {hd_slot_at(&x[0], lane) + at, hd_slot_at(&x[1], lane), NULL};

            loop(hd_slot_at(&r, lane) + at, args, 1);
        }
    return HD_OK;
}

/* Of bfloat16: products and sums are floats of 32 bits, and the last one is rounded. */
static void dot_short(HdEval *e, const HdSlot *r, const HdSlot *x, const HdSlot *y)
{
    for (HD_EACH_LANE(lane, e->mask)) {
        uint32_t bits;
        float sum = 0;

        for (uint32_t i = 0; i < hd_type_lanes(x->type); i++) {
            uint64_t left = hd_bits_get(hd_slot_at(x, lane) + i * UINT64_C(2), 2);
            uint64_t right = hd_bits_get(hd_slot_at(y, lane) + i * UINT64_C(2), 2);
            float product =
                hd_eval_bfloat16_get((uint32_t)left) * hd_eval_bfloat16_get((uint32_t)right);

            sum = i == 0 ? product : sum + product;
        }
        memcpy(&bits, &sum, sizeof bits);
        hd_bits_put(hd_slot_at(r, lane), 2, hd_eval_bfloat16_of(bits));
    }
}

/* Products added from the first component on, each rounded unless it may be fused with the sum.
 * Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_dot(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    HdSlot r, x[2];
    HdLoop *fused;
    unsigned size;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    if (hd_is_bfloat16(r.type)) {
        dot_short(e, &r, &x[0], &x[1]);
        return HD_OK;
    }
    size = hd_float_size(r.type);
    if (size > 2)
        return hd_eval_unsupported(e, "operands of this type");
    fused = hd_arith_fused(e, in, size);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x[0].type); i++) {
            unsigned char product[8];
            void *sum = hd_slot_at(&r, lane);
            const void *factors[3] = {hd_slot_at(&x[0], lane) + i * hd_type_size(r.type),
                                      hd_slot_at(&x[1], lane) + i * hd_type_size(r.type), sum};
            const void *terms[3] = {sum, product, NULL};

            if (i > 0 && fused != NULL) {
                fused(sum, factors, 1);
                continue;
            }
            float_mul[size](i == 0 ? sum : product, factors, 1);
            if (i > 0)
                float_add[size](sum, terms, 1);
        }
    return HD_OK;
}

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

/* The two members of one component's result. */
static void extended(const HdInst *in, uint64_t x, uint64_t y, unsigned bits, uint64_t part[2])
{
    uint64_t keep = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    SignedWide sx = (SignedWide)(int64_t)(x << (64 - bits)) >> (64 - bits);
    SignedWide sy = (SignedWide)(int64_t)(y << (64 - bits)) >> (64 - bits);
    Wide w;

    switch (in->opix) {
    case HD_OPIX_IAddCarry: w = (Wide)x + y; break;
    case HD_OPIX_ISubBorrow:
        part[0] = (x - y) & keep;
        part[1] = x < y;
        return;
    case HD_OPIX_UMulExtended: w = (Wide)x * y; break;
    default: w = (Wide)(sx * sy); break;
    }
    part[0] = (uint64_t)w & keep;
    part[1] = (uint64_t)(w >> bits) & keep;
}

/* Results are structs of two: low parts, then high parts, carries or borrows.
 * Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_extended(HdEval *e, const HdInst *in)
{
    HdSlot r, x[2];
    uint64_t bytes, offset[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    if (r.type->kind != HD_T_STRUCT || r.type->count != 2 ||
        hd_type_member(e->m, r.type, 0) != x[0].type)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the result has a wrong type");
    bytes = hd_type_size(hd_type_scalar(x[0].type));
    for (unsigned k = 0; k < 2; k++)
        offset[k] = hd_type_offset(e->m, r.type, k);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x[0].type); i++) {
            uint64_t part[2];

            extended(in, hd_bits_get(hd_slot_at(&x[0], lane) + i * bytes, bytes),
                     hd_bits_get(hd_slot_at(&x[1], lane) + i * bytes, bytes), (unsigned)bytes * 8,
                     part);
            for (unsigned k = 0; k < 2; k++)
                hd_bits_put(hd_slot_at(&r, lane) + offset[k] + i * bytes, bytes, part[k]);
        }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 … 5 operands. */
HdStatus hd_eval_fma(HdEval *e, const HdInst *in)
{
    static HdLoop *const loops[2][5] = {{fma_h, fma_f, fma_d, NULL, NULL},
                                        {cut_h, cut_f, fma_d, NULL, NULL}};
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));
    unsigned first = in->opix == HD_OPIX_FmaKHR ? 3 : 5; /* or OpenCL.std fma */
    HD_EVAL_ROUNDED_AS(e, in->w[1]);

    return t == NULL ? HD_BUG
                     : hd_eval_map(e, in, first, 3,
                                   loops[hd_eval_truncates(e, in->w[1])][hd_float_size(t)]);
}

/* Words: 1 type, 2 result, 3 and 4 factors, 5 summand. */
HdStatus hd_eval_bfloat_muladd(HdEval *e, const HdInst *in)
{
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 3, x));
    for (HD_EACH_LANE(lane, e->mask)) {
        float a = hd_bfloat_to_float((uint16_t)hd_bits_get(hd_slot_at(&x[0], lane), 2));
        float b = hd_bfloat_to_float((uint16_t)hd_bits_get(hd_slot_at(&x[1], lane), 2));
        float sum;

        memcpy(&sum, hd_slot_at(&x[2], lane), sizeof sum);
        sum = fmaf(a, b, sum);
        memcpy(hd_slot_at(&r, lane), &sum, sizeof sum);
    }
    return HD_OK;
}

HD_FLOAT_LOOPS(sigmoid, (F)(1 / (1 + exp(-(double)x))))

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_sigmoid(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));

    return t == NULL ? HD_BUG : hd_eval_map(e, in, 3, 1, sigmoid[hd_float_size(t)]);
}

/* OpExpectKHR is its value.
 * Words: 1 type, 2 result, 3 value, 4 expected. */
HdStatus hd_eval_expect(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    hd_eval_copy(e, &r, &x);
    return HD_OK;
}

/* OpAssumeTrueKHR. Words: 1 condition. */
HdStatus hd_eval_assume(HdEval *e, const HdInst *in)
{
    uint64_t broken = 0;
    HdSlot x;

    HD_TRY(hd_eval_use(e, in->w[1], &x));
    HD_TRY(hd_eval_needs(e, in->w[1], "an assumption depends on"));
    for (HD_EACH_LANE(lane, e->mask))
        if (*hd_slot_at(&x, lane) == 0)
            broken |= UINT64_C(1) << lane;
    if (broken == 0)
        return HD_OK;
    return hd_eval_defect(e, broken, "check.assume",
                          "what is told to the compiler must hold: it may build on it",
                          "an assumption does not hold");
}
