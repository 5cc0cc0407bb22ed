/* rt/math/vec_rest.h -- rests of divisions, neighbours and what else looks at bits, as lane
 * functions; part of vec_body.h.
 *
 * Rests in one step are vectors; with a lane that needs more, or has no rest, each goes by itself.
 *
 * SPDX-License-Identifier: MIT
 */

#define RESTS(name, type, F, R, near, kernel, all)                                                \
    static void name##_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                             \
        const F *x = a, *y = b;                                                                   \
        R *r = dst;                                                                               \
        int odd = 0;                                                                              \
                                                                                                  \
        (void)c;                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                          \
            odd |= !near(x[i], y[i]);                                                             \
        if (odd == 0) {                                                                           \
            for (uint32_t i = 0; i < n; i++)                                                      \
                r[i] = kernel(x[i], y[i]);                                                        \
            return;                                                                               \
        }                                                                                         \
        for (uint32_t i = 0; i < n; i++)                                                          \
            r[i] = near(x[i], y[i]) ? kernel(x[i], y[i]) : (R)all((double)x[i], (double)y[i]);    \
    }

RESTS(fmod, f32, float, float, s_rest_is_near, s_fmod, w_fmod_all)
RESTS(fmod, f64, double, double, w_rest_is_near, w_fmod, w_fmod_all)
RESTS(remainder, f32, float, float, s_rest_is_near, s_remainder, w_remainder_all)
RESTS(remainder, f64, double, double, w_rest_is_near, w_remainder, w_remainder_all)
RESTS(remquo_quo, f32, float, int32_t, s_rest_is_near, s_remquo_quo, w_remquo_quo_all)
RESTS(remquo_quo, f64, double, int32_t, w_rest_is_near, w_remquo_quo, w_remquo_quo_all)

/* Of halves all quotients are small in double. */
#define HALF_REST(kernel)                                   \
    (((fabsf(y[i]) == INFINITY) & (fabsf(x[i]) < INFINITY)) \
         ? x[i]                                             \
         : (float)kernel((double)x[i], (double)y[i]))
HALVES(fmod, 2, HALF_REST(w_fmod))
HALVES(remainder, 2, HALF_REST(w_remainder))

WHOLE(nextafter, f32, float, s_nextafter(x[i], y[i]))
WHOLE(nextafter, f64, double, w_nextafter(x[i], y[i]))
INTS(lgamma_sign, f32, float, s_lgamma_sign(x[i]))
INTS(lgamma_sign, f64, double, w_lgamma_sign(x[i]))

static void ldexp_f64(void *dst, const void *a, const void *b, const void *c, uint32_t n)
{
    const double *x = a;
    const int32_t *k = b;
    double *r = dst;

    (void)c;
    for (uint32_t i = 0; i < n; i++)
        r[i] = w_ldexp(x[i], k[i]);
}

#define NANS(type, F, U, kernel)                                                               \
    static void nan_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        const U *x = a;                                                                        \
        F *r = dst;                                                                            \
                                                                                               \
        (void)b;                                                                               \
        (void)c;                                                                               \
        for (uint32_t i = 0; i < n; i++)                                                       \
            r[i] = kernel(x[i]);                                                               \
    }
NANS(f32, float, uint32_t, s_nan)
NANS(f64, double, uint64_t, w_nan)
