/* rt/math/vec_flat.h -- the functions of flat.h as lane functions of every type; part of
 * vec_body.h.
 *
 * For halves float arithmetic is right too: float has twice a half's digits and two more, so that
 * rounding to float and then to half gives what one rounding would (but for fma, see below).
 *
 * SPDX-License-Identifier: MIT
 */

/* ---- the lists ---- */

#define FLAT_1(M, suffix, s)    \
    M(ceil, ceil##suffix)       \
    M(fabs, fabs##suffix)       \
    M(floor, floor##suffix)     \
    M(fract_int, floor##suffix) \
    M(modf_frac, s##_modf_frac) \
    M(modf_int, trunc##suffix)  \
    M(rint, rint##suffix)       \
    M(round, s##_round)         \
    M(sign, s##_sign)           \
    M(sqrt, sqrt##suffix)       \
    M(trunc, trunc##suffix)

#define FLAT_2(M, suffix, s)        \
    M(copysign, copysign##suffix)   \
    M(div, s##_div)                 \
    M(fdim, s##_fdim)               \
    M(fmax, s##_fmax)               \
    M(fmax_common, s##_fmax_common) \
    M(fmin, s##_fmin)               \
    M(fmin_common, s##_fmin_common) \
    M(maxmag, s##_maxmag)           \
    M(minmag, s##_minmag)           \
    M(step, s##_step)

#define FLAT_3(M, s)      \
    M(fclamp, s##_fclamp) \
    M(mix, s##_mix)       \
    M(smoothstep, s##_smoothstep)

/* ---- lane functions ---- */

#define HALF_CHUNK 64

/* Widen n halves; the last block's spare lanes get zeros. */
static inline void many_halves_in(float *r, const uint16_t *h, uint32_t n)
{
    uint32_t i = 0;

    for (; i + VEC_LANES <= n; i += VEC_LANES)
        halves_in(r + i, h + i);
    if (i < n) {
        uint16_t rest[VEC_LANES] = {0};

        memcpy(rest, h + i, (n - i) * sizeof *h);
        halves_in(r + i, rest);
    }
}

static inline void many_halves_out(uint16_t *h, const float *r, uint32_t n)
{
    uint32_t i = 0;

    for (; i + VEC_LANES <= n; i += VEC_LANES)
        halves_out(h + i, r + i);
    if (i < n) {
        uint16_t rest[VEC_LANES];

        halves_out(rest, r + i);
        memcpy(h + i, rest, (n - i) * sizeof *h);
    }
}

/* Halves are widened, computed as floats over a length the compiler does not know (it unrolls short
 * known ones before it looks for vectors) and narrowed. */
#define HALVES(name, operands, value)                                                          \
    static void name##_f16(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        _Alignas(64) float x[HALF_CHUNK], y[HALF_CHUNK], z[HALF_CHUNK], r[HALF_CHUNK];         \
                                                                                               \
        (void)y;                                                                               \
        (void)z;                                                                               \
        (void)b;                                                                               \
        (void)c;                                                                               \
        for (uint32_t at = 0; at < n; at += HALF_CHUNK) {                                      \
            uint32_t left = n - at < HALF_CHUNK ? n - at : HALF_CHUNK;                         \
            uint32_t whole = (left + VEC_LANES - 1u) & ~(VEC_LANES - 1u);                      \
                                                                                               \
            many_halves_in(x, (const uint16_t *)a + at, left);                                 \
            if (operands > 1)                                                                  \
                many_halves_in(y, (const uint16_t *)b + at, left);                             \
            if (operands > 2)                                                                  \
                many_halves_in(z, (const uint16_t *)c + at, left);                             \
            for (uint32_t i = 0; i < whole; i++)                                               \
                r[i] = value;                                                                  \
            many_halves_out((uint16_t *)dst + at, r, left);                                    \
        }                                                                                      \
    }

#define WHOLE(name, type, F, value)                                                               \
    static void name##_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                             \
        const F *x = a, *y = b, *z = c;                                                           \
        F *r = dst;                                                                               \
                                                                                                  \
        (void)y;                                                                                  \
        (void)z;                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                          \
            r[i] = value;                                                                         \
    }

#define CALL_1(kernel) kernel(x[i])
#define CALL_2(kernel) kernel(x[i], y[i])
#define CALL_3(kernel) kernel(x[i], y[i], z[i])

#define HALVES_1(name, kernel) HALVES(name, 1, CALL_1(kernel))
#define HALVES_2(name, kernel) HALVES(name, 2, CALL_2(kernel))
#define HALVES_3(name, kernel) HALVES(name, 3, CALL_3(kernel))
FLAT_1(HALVES_1, f, s)
FLAT_2(HALVES_2, f, s)
FLAT_3(HALVES_3, s)
HALVES_3(fma, h_fma)
HALVES(fract_value, 1, s_fract(x[i], 0x1.ffcp-1f))

#define FLOATS_1(name, kernel) WHOLE(name, f32, float, CALL_1(kernel))
#define FLOATS_2(name, kernel) WHOLE(name, f32, float, CALL_2(kernel))
#define FLOATS_3(name, kernel) WHOLE(name, f32, float, CALL_3(kernel))
FLAT_1(FLOATS_1, f, s)
FLAT_2(FLOATS_2, f, s)
FLAT_3(FLOATS_3, s)
FLOATS_3(fma, __builtin_fmaf)
WHOLE(fract_value, f32, float, s_fract(x[i], 0x1.fffffep-1f))

#define DOUBLES_1(name, kernel) WHOLE(name, f64, double, CALL_1(kernel))
#define DOUBLES_2(name, kernel) WHOLE(name, f64, double, CALL_2(kernel))
#define DOUBLES_3(name, kernel) WHOLE(name, f64, double, CALL_3(kernel))
FLAT_1(DOUBLES_1, , w)
FLAT_2(DOUBLES_2, , w)
FLAT_3(DOUBLES_3, w)
DOUBLES_3(fma, __builtin_fma)
WHOLE(fract_value, f64, double, w_fract(x[i], 0x1.fffffffffffffp-1))

/* ---- exponents ---- */

#define INTS(name, type, F, value)                                                                \
    static void name##_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                             \
        const F *x = a;                                                                           \
        int32_t *r = dst;                                                                         \
                                                                                                  \
        (void)b;                                                                                  \
        (void)c;                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                          \
            r[i] = value;                                                                         \
    }
INTS(ilogb, f16, uint16_t, e_ilogb((double)hd_half_widen(x[i])))
INTS(ilogb, f32, float, e_ilogb((double)x[i]))
INTS(ilogb, f64, double, e_ilogb(x[i]))
INTS(frexp_exp, f16, uint16_t, e_frexp_exp((double)hd_half_widen(x[i])))
INTS(frexp_exp, f32, float, e_frexp_exp((double)x[i]))
INTS(frexp_exp, f64, double, e_frexp_exp(x[i]))

HALVES(logb, 1, (float)e_logb((double)x[i]))
WHOLE(logb, f32, float, (float)e_logb((double)x[i]))
WHOLE(logb, f64, double, e_logb(x[i]))
HALVES(frexp_mant, 1, (float)e_frexp_mant((double)x[i]))
WHOLE(frexp_mant, f32, float, (float)e_frexp_mant((double)x[i]))
WHOLE(frexp_mant, f64, double, e_frexp_mant(x[i]))

static void ldexp_f32(void *dst, const void *a, const void *b, const void *c, uint32_t n)
{
    const float *x = a;
    const int32_t *k = b;
    float *r = dst;

    (void)c;
    for (uint32_t i = 0; i < n; i++)
        r[i] = (float)e_ldexp((double)x[i], k[i]);
}
