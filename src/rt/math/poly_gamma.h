/* rt/math/poly_gamma.h -- polynomials of erf and gamma for double; made by fit.py, do not edit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_GAMMA_H
#define HD_RT_MATH_POLY_GAMMA_H

/* clang-format off */

/* erf(t) / t for z = t^2, |t| <= 1, error 7.3e-18. */
#define POLY_ERF_D(z)                                                                              \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.abae2434b2ffbp-31, z,                         \
    0x1.d71b032944773p-27), z, -0x1.5c07254973b7ep-23), z, 0x1.b97fd398764e4p-20), z,              \
    -0x1.f4ca4d692930ap-17), z, 0x1.f9a2baa8a53abp-14), z, -0x1.c02db03dd4139p-11), z,             \
    0x1.565bccf92b229p-8), z, -0x1.b82ce311fa93dp-6), z, 0x1.ce2f21a040d16p-4), z,                 \
    -0x1.812746b0379bdp-2), z, 0x1.20dd750429b6dp+0)

/* exp(x^2) erfc(x) / t for x = 2 / t - 2, t = z + 9/16, to 28: even powers, error 2.4e-18. */
#define POLY_ERFC_EVEN_D(z)                                                                        \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.3c6428fad0b8fp-5, z,                   \
    -0x1.227abe7bc3423p-4), z, 0x1.5338cf04a8f58p-4), z, -0x1.d9cf4499c45ecp-5), z,                \
    0x1.69dace356e4fbp-9), z, 0x1.3dc5499d2350cp-5), z, -0x1.2f71b62441482p-5), z,                 \
    0x1.15c66ec288d9cp-10), z, 0x1.5ea27894f8e70p-5), z, -0x1.417b31c2282d5p-4), z,                \
    0x1.cf41ebc29664ep-4), z, -0x1.962868800598dp-3), z, 0x1.29fd9e72667c7p-1), z,                 \
    0x1.1ca626f62100ap-1)

/* exp(x^2) erfc(x) / t for x = 2 / t - 2, t = z + 9/16, to 28: odd ones, error 2.4e-18. */
#define POLY_ERFC_ODD_D(z)                                                                         \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.dc3f391fdb5b2p-5, z,                       \
    -0x1.40880fa023a87p-4), z, 0x1.7becbe334733ap-6), z, 0x1.12d2054d3f433p-5), z,                 \
    -0x1.21ddb564dce8bp-5), z, -0x1.20625897df751p-8), z, 0x1.57c31d2765d12p-5), z,                \
    -0x1.995f38289201cp-5), z, 0x1.ce5b10156a33fp-6), z, 0x1.852e3a5591114p-7), z,                 \
    -0x1.03756c78e85c4p-4), z, 0x1.96581463bbab1p-4), z, 0x1.84622e56cd410p-1)

/* x times the rest of Stirling's series of lgamma(x), z = 1 / x^2, x >= 8, error 5.8e-19. */
#define POLY_GAMMA_D(z)                                                                            \
    MAD(MAD(MAD(MAD(MAD(MAD(0x1.4c3839791292ap-8, z, -0x1.ef980d0e62d90p-10), z,                   \
    0x1.b92c937cedb4ep-11), z, -0x1.38134e16086b1p-11), z, 0x1.a01a017e8a330p-11), z,              \
    -0x1.6c16c16c14af5p-9), z, 0x1.5555555555555p-4)

/* the derivative of lgamma(z + 12), |z| <= 4, error 7.5e-5. */
#define POLY_PSI(z)                                                                                \
    MAD(MAD(MAD(MAD(-0x1.143201708c555p-16, z, 0x1.f75601b7987c6p-13), z,                          \
    -0x1.ec52662fa7b2bp-9), z, 0x1.639578e029e54p-4), z, 0x1.38a86ae14d1a4p+1)

/* lgamma(z + 5/2) / (z + 1/2), |z| <= 1/2, error 6.3e-20. */
#define POLY_LGAMMA_D(z)                                                                           \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.858f8c940e38fp-28,     \
    z, -0x1.f9ca29ad59f93p-27), z, 0x1.18e5ef319e4dap-25), z, -0x1.7831653faee8ep-24), z,          \
    0x1.ff1c5b82ce42ap-23), z, -0x1.58c6c90019b98p-21), z, 0x1.d46d986a7a213p-20), z,              \
    -0x1.41352f1a8dd67p-18), z, 0x1.bd762ee27e78dp-17), z, -0x1.3957c0bcf5905p-15), z,             \
    0x1.c135f7ecc7a36p-14), z, -0x1.4a5d12d1b4490p-12), z, 0x1.f7e461611b679p-11), z,              \
    -0x1.95b11573d7e5dp-9), z, 0x1.646ae6e418aadp-7), z, -0x1.6f0ca9a1c2746p-5), z,                \
    0x1.1200f695b0dd9p-2), z, 0x1.2383e809a67e8p-1)

/* clang-format on */

#endif
