/* rt/math/poly.h -- polynomials of the vector mathematics; made by fit.py, do not edit.
 *
 * MAD(a, b, c) is a fused multiply-add, or a product and a sum, of whatever the caller computes in.
 * The _D forms serve double, the others float and half.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_H
#define HD_RT_MATH_POLY_H

/* clang-format off */

/* (e^z - 1 - z) / z^2 for |z| <= ln(2) / 2, error 3.3e-9. */
#define POLY_EXP(z)                                                                                \
    MAD(MAD(MAD(MAD(0x1.6db2d9f80636cp-10, z, 0x1.123abf884f44bp-7), z, 0x1.5554604fa6152p-5),     \
    z, 0x1.555490254ca53p-3), z, 0x1.0000004fabfdcp-1)

/* (e^z - 1 - z) / z^2 for |z| <= ln(2) / 2, error 3.8e-18. */
#define POLY_EXP_D(z)                                                                              \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.af8347154960cp-26, z, 0x1.28ae4b9c73dfap-22), z,       \
    0x1.71dde15f48be7p-19), z, 0x1.a019991e86bc0p-16), z, 0x1.a01a01ba14cf1p-13), z,               \
    0x1.6c16c184836f3p-10), z, 0x1.111111110d905p-7), z, 0x1.55555555506d7p-5), z,                 \
    0x1.5555555555560p-3), z, 0x1.000000000000ap-1)

/* (log((1+s)/(1-s)) / s - 2) / z for z = s^2, s of the logarithm, error 9.6e-12. */
#define POLY_LOG(z)                                                                                \
    MAD(MAD(MAD(0x1.e2f7ede439e05p-3, z, 0x1.2438cdcabe0f4p-2), z, 0x1.999a7aafa664dp-2), z,       \
    0x1.555554fd89e53p-1)

/* the same, error 2.5e-18. */
#define POLY_LOG_D(z)                                                                              \
    MAD(MAD(MAD(MAD(MAD(MAD(0x1.2f070c44f3e8ep-3, z, 0x1.39a1929624801p-3), z,                     \
    0x1.7466406171d78p-3), z, 0x1.c71c52029d45fp-3), z, 0x1.24924941f8dfbp-2), z,                  \
    0x1.999999997fd38p-2), z, 0x1.5555555555592p-1)

/* its rest after 2 + 2/3 z, over z^2, error 2.3e-20. */
#define POLY_LOG_REST_D(z)                                                                         \
    MAD(MAD(MAD(MAD(MAD(MAD(0x1.0e1b61e4b4374p-3, z, 0x1.0f84811ec1a52p-3), z,                     \
    0x1.3b1eb4c0770c7p-3), z, 0x1.745ceb382327dp-3), z, 0x1.c71c72290201cp-3), z,                  \
    0x1.249249245b78ap-2), z, 0x1.9999999999b0bp-2)

/* (sin(r) / r - 1) / z for z = r^2, |r| <= pi / 4, error 3.6e-9. */
#define POLY_SIN(z)                                                                                \
    MAD(MAD(-0x1.994b3d4a3e15fp-13, z, 0x1.11075667a8fc5p-7), z, -0x1.555545811e671p-3)

/* the same, error 2.0e-21. */
#define POLY_SIN_D(z)                                                                              \
    MAD(MAD(MAD(MAD(MAD(MAD(-0x1.aaa3810ca8279p-41, z, 0x1.61208f335c27fp-33), z,                  \
    -0x1.ae645292e025ep-26), z, 0x1.71de3a5335626p-19), z, -0x1.a01a01a018ab3p-13), z,             \
    0x1.111111111110bp-7), z, -0x1.5555555555555p-3)

/* (cos(r) - 1 + z / 2) / z^2 for z = r^2, |r| <= pi / 4, error 9.6e-11. */
#define POLY_COS(z)                                                                                \
    MAD(MAD(0x1.99ff5556b1366p-16, z, -0x1.6c0c819eabca0p-10), z, 0x1.55554aa440a1cp-5)

/* the same, error 4.7e-20. */
#define POLY_COS_D(z)                                                                              \
    MAD(MAD(MAD(MAD(MAD(-0x1.8facd2008ad7bp-37, z, 0x1.1ee9e8920de6ep-29), z,                      \
    -0x1.27e4f80535c32p-22), z, 0x1.a01a019cab770p-16), z, -0x1.6c16c16c15140p-10), z,             \
    0x1.555555555554cp-5)

/* (sin(r) / r - 1) / z for z = r^2, |r| <= pi / 2, error 2.8e-19. */
#define POLY_SINE_D(z)                                                                             \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.8824054e648abp-49, z, -0x1.ae42df78e4320p-41), z,              \
    0x1.6123ca3f560d2p-33), z, -0x1.ae6454c7caac6p-26), z, 0x1.71de3a528037ap-19), z,              \
    -0x1.a01a01a0147aap-13), z, 0x1.11111111110c0p-7), z, -0x1.5555555555555p-3)

/* tan(r) / r is (1 + z NUM) / (1 + z DEN) for z = r^2, |r| <= pi / 4, error 2.1e-17. */
#define POLY_TAN_NUM_D(z)                                                                          \
    MAD(MAD(-0x1.f628405f20ebep-18, z, 0x1.6fc3d8e3288b5p-9), z, -0x1.06b90b08238ddp-3)

/* the other one, error 2.1e-17. */
#define POLY_TAN_DEN_D(z)                                                                          \
    MAD(MAD(-0x1.b51e76906f00dp-13, z, 0x1.7e79d71b5392fp-6), z, -0x1.d8b1dad9671a0p-2)

/* (atan(t) / t - 1) / z for z = t^2, |t| <= 1, error 2.3e-9. */
#define POLY_ATAN(z)                                                                               \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.defd05b9f11cdp-10, z, 0x1.6a8ea5d8cf222p-7), z,           \
    -0x1.01af211228268p-5), z, 0x1.dd0e7af6b919dp-5), z, -0x1.58dc60af9ce5ap-4), z,                \
    0x1.c0d281389cea0p-4), z, -0x1.2426f84ca74dbp-3), z, 0x1.9992766e90a53p-3), z,                 \
    -0x1.55554037d6516p-2)

/* (asin(t) / t - 1) / z for z = t^2, |t| <= 1/2, error 5.0e-9. */
#define POLY_ASIN(z)                                                                               \
    MAD(MAD(MAD(MAD(0x1.59da14c1ace12p-5, z, 0x1.8ba32ed913c34p-6), z, 0x1.748c4ec491773p-5),      \
    z, 0x1.33014f3929375p-4), z, 0x1.5555ca71c6405p-3)

/* the same for |t| <= tan(pi / 8), error 4.6e-20. */
#define POLY_ATAN_D(z)                                                                             \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.f1ed1d251fffbp-7, z,                           \
    -0x1.1239ccf12b9afp-5), z, 0x1.70eea2706c73fp-5), z, -0x1.ab7df75211e30p-5), z,                \
    0x1.e1721885837c5p-5), z, -0x1.110c74697884fp-4), z, 0x1.3b136e50d83acp-4), z,                 \
    -0x1.745d14bba9895p-4), z, 0x1.c71c71b75b71ep-4), z, -0x1.2492492475995p-3), z,                \
    0x1.9999999999652p-3), z, -0x1.5555555555554p-2)

/* (asin(t) / t - 1) / z for z = t^2, |t| <= 1/2, error 1.5e-17. */
#define POLY_ASIN_D(z)                                                                             \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.05ce2f063526ap-5, z,                           \
    -0x1.0af489d006ea0p-6), z, 0x1.40b1d659f2d0cp-6), z, 0x1.aab37d70a8ff5p-8), z,                 \
    0x1.8ee4b46c42bc2p-7), z, 0x1.c6f87a212d973p-7), z, 0x1.1c6c28035befcp-6), z,                  \
    0x1.6e89ef739b56fp-6), z, 0x1.f1c72c6da5585p-6), z, 0x1.6db6db41d2896p-5), z,                  \
    0x1.333333336f8b1p-4), z, 0x1.5555555555387p-3)

/* erf(t) / t for z = t^2, |t| <= 1, error 1.2e-9. */
#define POLY_ERF(z)                                                                                \
    MAD(MAD(MAD(MAD(MAD(MAD(0x1.496a2fb7e7c7dp-14, z, -0x1.a3f6ffd69d7bep-11), z,                  \
    0x1.5405b1eb2a70ep-8), z, -0x1.b7f90d115e0a3p-6), z, 0x1.ce2cf740fd18cp-4), z,                 \
    -0x1.81273de958b9bp-2), z, 0x1.20dd74fe48cbcp+0)

/* exp(x^2) erfc(x) for x = 2 / t - 2, t = z + 5/8, 0 <= x <= 10.6, error 1.9e-9. */
#define POLY_ERFC(z)                                                                               \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.a5b372a043729p-6, z,                           \
    0x1.8a30ac72c4b89p-5), z, -0x1.5293a3a1c6a00p-5), z, -0x1.e2ca9eaf72aa5p-5), z,                \
    0x1.911cdc0e9e133p-4), z, 0x1.8b18fb588a967p-5), z, -0x1.cc17468f9a459p-3), z,                 \
    -0x1.59ffc297bc9fap-4), z, 0x1.4055da111c337p-1), z, 0x1.3465ac9393947p+0), z,                 \
    0x1.2036a094574c8p+0), z, 0x1.839f4ffd23b63p-2)

/* x times the rest of Stirling's series of lgamma(x), z = 1 / x^2, x >= 8, error 3.0e-15. */
#define POLY_GAMMA(z)                                                                              \
    MAD(MAD(MAD(MAD(0x1.952c4829a43ffp-11, z, -0x1.37989b35352f2p-11), z,                          \
    0x1.a01954c9fbffcp-11), z, -0x1.6c16c156b891bp-9), z, 0x1.555555555547dp-4)

/* clang-format on */

#endif
