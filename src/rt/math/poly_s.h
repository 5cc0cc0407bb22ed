/* rt/math/poly_s.h -- polynomials of float mathematics in float; made by fit.py, do not edit.
 *
 * MADF(a, b, c) is a fused multiply-add of floats, or a product and a sum, MAD of doubles.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_S_H
#define HD_RT_MATH_POLY_S_H

/* clang-format off */

/* (e^z - 1 - z) / z^2 for |z| <= ln(2) / 2, error 3.3e-9. */
#define POLY_EXP_S(z)                                                                              \
    MADF(MADF(MADF(MADF(0x1.6db2dap-10f, z, 0x1.123ac0p-7f), z, 0x1.555460p-5f), z,                \
    0x1.555490p-3f), z, 0x1.000000p-1f)

/* (2^z - 1) / z for |z| <= 0.5005, error 1.9e-9. */
#define POLY_EXP2_S(z)                                                                             \
    MADF(MADF(MADF(MADF(MADF(0x1.44903ap-13f, z, 0x1.5f4826p-10f), z, 0x1.3b29aap-7f), z,          \
    0x1.c6aecep-5f), z, 0x1.ebfbe0p-3f), z, 0x1.62e430p-1f)

/* (10^z - 1) / z for |z| <= 0.1507, error 2.0e-9. */
#define POLY_EXP10_S(z)                                                                            \
    MADF(MADF(MADF(MADF(MADF(0x1.a9ed5cp-3f, z, 0x1.158b40p-1f), z, 0x1.2bd662p+0f), z,            \
    0x1.046f5ap+1f), z, 0x1.53524ep+1f), z, 0x1.26bb1cp+1f)

/* (log(1 + z) - z) / z^2, base 2.72, -1/4 <= z <= 1/2, error 4.7e-9. */
#define POLY_LOG_S(z)                                                                              \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(-0x1.7a8262p-5f, z, 0x1.b1db08p-4f), z,                \
    -0x1.0e30a4p-3f), z, 0x1.284cfcp-3f), z, -0x1.54d8eap-3f), z, 0x1.996a5ep-3f), z,              \
    -0x1.00009ap-2f), z, 0x1.5555a4p-2f), z, -0x1.000000p-1f)

/* (log(1 + z) - z) / z^2, base 2.0, -1/4 <= z <= 1/2, error 6.8e-9. */
#define POLY_LOG2_S(z)                                                                             \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(-0x1.110968p-4f, z, 0x1.38f5eep-3f), z,                \
    -0x1.85cd42p-3f), z, 0x1.ab78bap-3f), z, -0x1.ebbd1ep-3f), z, 0x1.2754b4p-2f), z,              \
    -0x1.715556p-2f), z, 0x1.ec7110p-2f), z, -0x1.715476p-1f)

/* (log(1 + z) - z) / z^2, base 10.0, -1/4 <= z <= 1/2, error 2.0e-9. */
#define POLY_LOG10_S(z)                                                                            \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(-0x1.48c4dep-6f, z, 0x1.78d79ap-5f), z,                \
    -0x1.d55e3ep-5f), z, 0x1.015d12p-4f), z, -0x1.280e64p-4f), z, 0x1.639d22p-4f), z,              \
    -0x1.bcb8bep-4f), z, 0x1.287abcp-3f), z, -0x1.bcb7b0p-3f)

/* (sin(r) / r - 1) / z for z = r^2, |r| <= pi / 2, error 6.1e-9. */
#define POLY_SIN_S(z)                                                                              \
    MADF(MADF(MADF(0x1.5db8c6p-19f, z, -0x1.9f6fa6p-13f), z, 0x1.110ed2p-7f), z,                   \
    -0x1.55554cp-3f)

/* sin(pi r) / r for z = r^2, |r| <= 1 / 2, error 5.4e-9. */
#define POLY_SINPI_S(z)                                                                            \
    MADF(MADF(MADF(MADF(0x1.3db67ap-4f, z, -0x1.324c40p-1f), z, 0x1.4668aap+1f), z,                \
    -0x1.4abbc2p+2f), z, 0x1.921fb6p+1f)

/* (tan(r) / r - 1) / z for z = r^2, |r| <= pi / 4, error 2.0e-8. */
#define POLY_TAN_S(z)                                                                              \
    MADF(MADF(MADF(MADF(MADF(0x1.3682acp-7f, z, 0x1.83920cp-9f), z, 0x1.920c92p-6f), z,            \
    0x1.b5463cp-5f), z, 0x1.113004p-3f), z, 0x1.5554d2p-2f)

/* (atan(t) / t - 1) / z for z = t^2, |t| <= 1, error 2.3e-9. */
#define POLY_ATAN_S(z)                                                                             \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(-0x1.defd06p-10f, z, 0x1.6a8ea6p-7f), z,               \
    -0x1.01af22p-5f), z, 0x1.dd0e7ap-5f), z, -0x1.58dc60p-4f), z, 0x1.c0d282p-4f), z,              \
    -0x1.2426f8p-3f), z, 0x1.999276p-3f), z, -0x1.555540p-2f)

/* (asin(t) / t - 1) / z for z = t^2, |t| <= 1/2, error 5.0e-9. */
#define POLY_ASIN_S(z)                                                                             \
    MADF(MADF(MADF(MADF(0x1.59da14p-5f, z, 0x1.8ba32ep-6f), z, 0x1.748c4ep-5f), z,                 \
    0x1.330150p-4f), z, 0x1.5555cap-3f)

/* (atanh(s) / s - 1) / z for z = s^2, |s| <= 0.21, error 4.2e-9. */
#define POLY_ATANH_S(z)                                                                            \
    MADF(MADF(0x1.38de7ep-3f, z, 0x1.991254p-3f), z, 0x1.5555d4p-2f)

/* (sinh(r) / r - 1) / z for z = r^2, |r| <= ln(2) / 2, error 1.3e-8. */
#define POLY_SINH_S(z)                                                                             \
    MADF(0x1.122882p-7f, z, 0x1.5554aep-3f)

/* (cosh(r) - 1) / z for z = r^2, |r| <= ln(2) / 2, error 4.8e-11. */
#define POLY_COSH_S(z)                                                                             \
    MADF(MADF(0x1.6d9844p-10f, z, 0x1.55547ep-5f), z, 0x1.000000p-1f)

/* erf(t) / t for z = t^2, |t| <= 1, error 1.2e-9. */
#define POLY_ERF_S(z)                                                                              \
    MADF(MADF(MADF(MADF(MADF(MADF(0x1.496a30p-14f, z, -0x1.a3f700p-11f), z, 0x1.5405b2p-8f),       \
    z, -0x1.b7f90ep-6f), z, 0x1.ce2cf8p-4f), z, -0x1.81273ep-2f), z, 0x1.20dd74p+0f)

/* -log(1 - erf(t + 5/2)), 1 <= t + 5/2 <= 4, error of erf, error 1.5e-8. */
#define POLY_ERF_FAR_S(z)                                                                          \
    MADF(MADF(MADF(MADF(MADF(0x1.2d929ep-10f, z, -0x1.a13c52p-12f), z, 0x1.a1ee5ep-7f), z,         \
    0x1.e3bf54p-1f), z, 0x1.5694d2p+2f), z, 0x1.f3a2c0p+2f)

/* exp(x^2) erfc(x) / t for x = 2 / t - 2, t = z + 5/8, 0 <= x <= 10.6, error 3.7e-9. */
#define POLY_ERFC_S(z)                                                                             \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(MADF(0x1.2af146p-5f, z, 0x1.0c43f4p-5f), z,       \
    -0x1.08f858p-4f), z, -0x1.59e022p-6f), z, 0x1.c7eed0p-4f), z, -0x1.58667cp-6f), z,             \
    -0x1.b12cb6p-3f), z, 0x1.86ced2p-5f), z, 0x1.3111b0p-1f), z, 0x1.aa2054p-1f), z,               \
    0x1.36190cp-1f)

/* (e^z - 1) / z for |z| <= ln(2) / 2, error 9.4e-8. */
#define POLY_EXP_FAST(z)                                                                           \
    MADF(MADF(MADF(MADF(0x1.1293eap-7f, z, 0x1.573e3ap-5f), z, 0x1.5553b8p-3f), z,                 \
    0x1.fffdbap-2f), z, 0x1.000000p+0f)

/* (2^z - 1) / z for |z| <= 1 / 2, error 9.4e-8. */
#define POLY_EXP2_FAST(z)                                                                          \
    MADF(MADF(MADF(MADF(0x1.5f774ep-10f, z, 0x1.3cee3cp-7f), z, 0x1.c6ae66p-5f), z,                \
    0x1.ebf9b0p-3f), z, 0x1.62e432p-1f)

/* log2(1 + z) / z, -1/4 <= z <= 1/2, error 4.8e-8. */
#define POLY_LOG2_FAST(z)                                                                          \
    MADF(MADF(MADF(MADF(MADF(MADF(MADF(-0x1.759414p-4f, z, 0x1.9ca25ep-3f), z,                     \
    -0x1.01ea74p-2f), z, 0x1.29bb80p-2f), z, -0x1.70e922p-2f), z, 0x1.ec5846p-2f), z,              \
    -0x1.715510p-1f), z, 0x1.715484p+0f)

/* clang-format on */

#endif
