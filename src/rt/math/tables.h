/* rt/math/tables.h -- tables of sixteen and their polynomials; made by fit.py, do not edit.
 *
 * The sixteenths of a logarithm: numbers between 3/4 and 3/2 by the first four bits of their
 * mantissas.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_TABLES_H
#define HD_RT_MATH_TABLES_H

/* clang-format off */

/* what a number of the sixteenth is multiplied by. */
static const float s_log_inverse[16] = {
    0x1.000000p+0f, 0x1.d00000p-1f, 0x1.c00000p-1f, 0x1.a00000p-1f,
    0x1.900000p-1f, 0x1.800000p-1f, 0x1.700000p-1f, 0x1.600000p-1f,
    0x1.500000p+0f, 0x1.400000p+0f, 0x1.380000p+0f, 0x1.280000p+0f,
    0x1.200000p+0f, 0x1.180000p+0f, 0x1.100000p+0f, 0x1.000000p+0f,
};

/* minus its log2, short. */
static const float s_log2_high[16] = {
    0x0.0p+0f, 0x1.22d800p-3f, 0x1.8a8800p-3f, 0x1.32c000p-2f,
    0x1.6cb000p-2f, 0x1.a90000p-2f, 0x1.e7e000p-2f, 0x1.14c600p-1f,
    -0x1.91bc00p-2f, -0x1.49a800p-2f, -0x1.244000p-2f, -0x1.acf800p-3f,
    -0x1.5c0000p-3f, -0x1.08c800p-3f, -0x1.664000p-4f, 0x0.0p+0f,
};

/* and the rest. */
static const float s_log2_low[16] = {
    0x0.0p+0f, 0x1.6e155ap-18f, 0x1.80abfcp-19f, -0x1.1c8f12p-22f,
    0x1.ed0cbap-19f, -0x1.a39fbep-20f, -0x1.40358ep-19f, -0x1.3e032ep-18f,
    0x1.5db83ap-20f, 0x1.ed0cbap-20f, -0x1.eac382p-20f, 0x1.0e9258p-18f,
    -0x1.a39fbep-19f, 0x1.3b992cp-18f, 0x1.20a6dep-21f, 0x0.0p+0f,
};

/* the same for double. */
static const double w_log_inverse[16] = {
    0x1.0000000000000p+0, 0x1.d000000000000p-1, 0x1.c000000000000p-1, 0x1.a000000000000p-1,
    0x1.9000000000000p-1, 0x1.8000000000000p-1, 0x1.7000000000000p-1, 0x1.6000000000000p-1,
    0x1.5000000000000p+0, 0x1.4000000000000p+0, 0x1.3800000000000p+0, 0x1.2800000000000p+0,
    0x1.2000000000000p+0, 0x1.1800000000000p+0, 0x1.1000000000000p+0, 0x1.0000000000000p+0,
};

/* minus its logarithm, base 2.72, short. */
static const double w_log_high[16] = {
    0x0.0p+0, 0x1.9335e5d594000p-4, 0x1.1178e8227e000p-3, 0x1.a93ed3c8ae000p-3,
    0x1.f991c6cb3c000p-3, 0x1.269621134e000p-2, 0x1.522ae0738a000p-2, 0x1.7fafa3bd81000p-2,
    -0x1.1675cababa000p-2, -0x1.c8ff7c79aa000p-3, -0x1.9525a9cf46000p-3, -0x1.29552f8200000p-3,
    -0x1.e27076e2b0000p-4, -0x1.6f0d28ae58000p-4, -0x1.f0a30c0118000p-5, 0x0.0p+0,
};

/* and the rest. */
static const double w_log_low[16] = {
    0x0.0p+0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45,
    -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44,
    -0x1.8380e731f55c4p-44, 0x1.7794f689f8434p-45, 0x1.297137d9f158fp-44, 0x1.5b967f4471dfcp-44,
    0x1.a342c2af0003cp-45, 0x1.4b4641b664613p-44, 0x1.d599e83368e91p-45, 0x0.0p+0,
};

/* minus its logarithm, base 2.0, short. */
static const double w_log2_high[16] = {
    0x0.0p+0, 0x1.22dadc2ab4000p-3, 0x1.8a8980abfc000p-3, 0x1.32bfee370e000p-2,
    0x1.6cb0f6865c000p-2, 0x1.a8ff971810000p-2, 0x1.e7df5fe538000p-2, 0x1.14c560fe69000p-1,
    -0x1.91bba891f2000p-2, -0x1.49a784bcd2000p-2, -0x1.24407ab0e0000p-2, -0x1.acf5e2db50000p-3,
    -0x1.5c01a39fbc000p-3, -0x1.08c588cda8000p-3, -0x1.663f6fac90000p-4, 0x0.0p+0,
};

/* and the rest. */
static const double w_log2_low[16] = {
    0x0.0p+0, -0x1.6d25a5b8a19b2p-44, -0x1.66cccab240e90p-46, 0x1.cd0cb4492f1bcp-43,
    0x1.1d406db502403p-43, 0x1.4bc302ffa76fbp-43, 0x1.5669df6a2b592p-43, -0x1.41dfc7d7c3321p-43,
    0x1.1ee969a95f529p-43, 0x1.1d406db502403p-44, -0x1.ce60916e52e91p-44, 0x1.36c101ee13440p-43,
    -0x1.6879fa00b120ap-43, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, 0x0.0p+0,
};

/* minus its logarithm, base 10.0, short. */
static const double w_log10_high[16] = {
    0x0.0p+0, 0x1.5e3966b7e8000p-5, 0x1.db11ed7668000p-5, 0x1.715d0ce368000p-4,
    0x1.b721cd1714000p-4, 0x1.ffbfc2bbc8000p-4, 0x1.25ba8215b0000p-3, 0x1.4d43f8275a000p-3,
    -0x1.e3bc1ab0e0000p-4, -0x1.8cf1838864000p-4, -0x1.5fe80488b0000p-4, -0x1.02428c1f08000p-4,
    -0x1.a30a9d60a0000p-5, -0x1.3ed1199a60000p-5, -0x1.af5f92b010000p-6, 0x0.0p+0,
};

/* and the rest. */
static const double w_log10_low[16] = {
    0x0.0p+0, 0x1.2951bb9cd2fb7p-45, 0x1.5fa196e1e0ddap-44, -0x1.41149840eaa65p-46,
    0x1.7e295f660b9dap-44, -0x1.ff229f20ed3d2p-46, -0x1.007bf2d8bf07ap-44, 0x1.20ca9a2bcc728p-45,
    -0x1.9fe3d562a53f0p-44, -0x1.019365163f2fcp-45, 0x1.606adb567e739p-45, -0x1.5ea6bc2bc8c2cp-52,
    0x1.0163d7e67d282p-45, 0x1.bdafc8ad828b8p-45, 0x1.9f05921f59258p-46, 0x0.0p+0,
};

/* (log2(1 + z) - z / ln(2)) / z^2 for -0.037 <= z <= 0.063, error 2.9e-12. */
#define POLY_LOG2_T(z)                                                                             \
    MADF(MADF(MADF(MADF(-0x1.cbf944p-3f, z, 0x1.27b6e4p-2f), z, -0x1.715d66p-2f), z,               \
    0x1.ec709ep-2f), z, -0x1.715476p-1f)

/* log(1 + z), base 2.72, without its first term, over z^2, error 1.7e-17. */
#define POLY_LOG_DT(z)                                                                             \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.701a6d69bead2p-4, z, 0x1.c6f743d49d240p-4), z,            \
    -0x1.00103e0de9ed5p-3), z, 0x1.24929be02fd17p-3), z, -0x1.55555111d79bap-3), z,                \
    0x1.9999998247033p-3), z, -0x1.000000003715dp-2), z, 0x1.5555555556248p-2), z,                 \
    -0x1.fffffffffffe7p-2)

/* log(1 + z), base 2.0, without its first term, over z^2, error 2.4e-17. */
#define POLY_LOG2_DT(z)                                                                            \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.0987c5423923ep-3, z, 0x1.483042185a098p-3), z,            \
    -0x1.716be520a4c9bp-3), z, 0x1.a617da0367cc0p-3), z, -0x1.ec70979cefe97p-3), z,                \
    0x1.2776c4fe26e19p-2), z, -0x1.7154765307a88p-2), z, 0x1.ec709dc3a16abp-2), z,                 \
    -0x1.71547652b82ecp-1)

/* log(1 + z), base 10.0, without its first term, over z^2, error 7.3e-18. */
#define POLY_LOG10_DT(z)                                                                           \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.3fbafbd035043p-5, z, 0x1.8b2da7c4d9574p-5), z,            \
    -0x1.bcd3e89a2c1d3p-5), z, 0x1.fc4035cdd300dp-5), z, -0x1.287a7282e5957p-4), z,                \
    0x1.63c62760e3110p-4), z, -0x1.bcb7b152ce024p-4), z, 0x1.287a7636f4e9ep-3), z,                 \
    -0x1.bcb7b1526e4f9p-3)

/* (log(1 + z) - z + z^2 / 2) / z^3, error 6.6e-22. */
#define POLY_LOG_POW_D(z)                                                                          \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(-0x1.2bf32385afd24p-4, z, 0x1.73a9fa75a5b9bp-4), z,        \
    -0x1.99b9a6a4649e6p-4), z, 0x1.c71d9a2b2515fp-4), z, -0x1.fffff7fa3fb0ap-4), z,                \
    0x1.249248f4d50e8p-3), z, -0x1.55555555b402bp-3), z, 0x1.999999999e96dp-3), z,                 \
    -0x1.fffffffffffd3p-3), z, 0x1.5555555555555p-2)

/* 2^(i / 16). */
static const double w_exp_16[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0,
};

/* and the rest. */
static const double w_exp_16_low[16] = {
    0x0.0p+0, 0x1.8a62e4adc610bp-54, -0x1.19041b9d78a76p-55, 0x1.9b07eb6c70573p-54,
    0x1.6f46ad23182e4p-55, 0x1.ada0911f09ebcp-55, 0x1.d4397afec42e2p-56, 0x1.6324c054647adp-54,
    -0x1.bdd3413b26456p-54, -0x1.41577ee04992fp-55, 0x1.6e9f156864b27p-54, 0x1.c7c46b071f2bep-56,
    0x1.7a1cd345dcc81p-54, 0x1.11065895048ddp-55, 0x1.2ed02d75b3707p-55, -0x1.e9c23179c2893p-54,
};

/* (e^z - 1 - z) / z^2 for |z| <= ln(2) / 32, error 1.3e-17. */
#define POLY_EXP_16(z)                                                                             \
    MAD(MAD(MAD(MAD(0x1.6c185b156ef0ap-10, z, 0x1.1112391f55a01p-7), z, 0x1.5555555463925p-5),     \
    z, 0x1.5555555492767p-3), z, 0x1.0000000000005p-1)

/* (2^z - 1) / z for |z| <= 1 / 32, error 7.5e-18. */
#define POLY_EXP2_16(z)                                                                            \
    MAD(MAD(MAD(MAD(MAD(0x1.430a93850fd54p-13, z, 0x1.5d89bb8d6b7b1p-10), z,                       \
    0x1.3b2ab6faa1b76p-7), z, 0x1.c6b08d6e928abp-5), z, 0x1.ebfbdff82c59cp-3), z,                  \
    0x1.62e42fefa39fdp-1)

/* (sinh(r) / r - 1) / z for z = r^2, |r| <= ln(2) / 2, error 2.6e-19. */
#define POLY_SINH_D(z)                                                                             \
    MAD(MAD(MAD(MAD(0x1.af5f3396caaa5p-26, z, 0x1.71ddf816142eep-19), z,                           \
    0x1.a01a01affb475p-13), z, 0x1.111111110f67dp-7), z, 0x1.5555555555559p-3)

/* (cosh(r) - 1) / z for z = r^2, |r| <= ln(2) / 2, error 3.4e-18. */
#define POLY_COSH_D(z)                                                                             \
    MAD(MAD(MAD(MAD(0x1.28b0d7cfd73ebp-22, z, 0x1.a01995f2fdbfap-16), z,                           \
    0x1.6c16c185e680cp-10), z, 0x1.555555554feefp-5), z, 0x1.000000000000cp-1)

/* sin(pi r) / r for z = r^2, |r| <= 1 / 2, error 2.6e-19. */
#define POLY_SINPI_D(z)                                                                            \
    MAD(MAD(MAD(MAD(MAD(MAD(MAD(MAD(0x1.9d1b329cf640ap-21, z, -0x1.6f796c51db6cdp-16), z,          \
    0x1.e8f35e5b1ff72p-12), z, -0x1.e3074ddc491dbp-8), z, 0x1.507834851794bp-4), z,                \
    -0x1.32d2cce627516p-1), z, 0x1.466bc6775aa6ep+1), z, -0x1.4abbce625be52p+2), z,                \
    0x1.921fb54442d18p+1)

/* times t^0, error of all 9.6e-9. */
static const float s_tanh_0[16] = {
    0x0.0p+0f, 0x1.10af48p-1f, 0x1.a8dbccp-1f, 0x1.e3c0b0p-1f,
    0x1.f73776p-1f, 0x1.fd4e20p-1f, 0x1.ff2d36p-1f, 0x1.ffbfaep-1f,
    0x1.ffec62p-1f, 0x1.fffa04p-1f, 0x1.fffe2cp-1f, 0x1.ffff72p-1f,
    0x1.ffffd4p-1f, 0x1.fffff2p-1f, 0x1.fffffcp-1f, 0x1.fffffep-1f,
};

/* times t^1, error of all 9.6e-9. */
static const float s_tanh_1[16] = {
    0x1.000000p+0f, 0x1.6ec588p-1f, 0x1.3ee730p-2f, 0x1.b77d6ap-4f,
    0x1.16a7fcp-5f, 0x1.5807f0p-7f, 0x1.a53bcep-9f, 0x1.0139b4p-10f,
    0x1.39e782p-12f, 0x1.7efb44p-14f, 0x1.d339d2p-16f, 0x1.1cfe92p-17f,
    0x1.5bacb2p-19f, 0x1.a823b0p-21f, 0x1.02b5e2p-22f, 0x1.3b9be8p-24f,
};

/* times t^2, error of all 9.6e-9. */
static const float s_tanh_2[16] = {
    0x0.0p+0f, -0x1.86ad0ep-2f, -0x1.08a074p-2f, -0x1.9f3e10p-4f,
    -0x1.11e030p-5f, -0x1.563866p-7f, -0x1.a48e70p-9f, -0x1.01196cp-10f,
    -0x1.39db86p-12f, -0x1.7ef6d8p-14f, -0x1.d33838p-16f, -0x1.1cfe4ep-17f,
    -0x1.5baca0p-19f, -0x1.a823b4p-21f, -0x1.02b5eap-22f, -0x1.3b9bf2p-24f,
};

/* times t^3, error of all 9.6e-9. */
static const float s_tanh_3[16] = {
    -0x1.55546cp-2f, -0x1.2396d8p-5f, 0x1.c526b4p-4f, 0x1.ebac60p-5f,
    0x1.609576p-6f, 0x1.c37be8p-8f, 0x1.177800p-9f, 0x1.56766cp-11f,
    0x1.a259f4p-13f, 0x1.fe9282p-15f, 0x1.377896p-16f, 0x1.7bfce8p-18f,
    0x1.cf9086p-20f, 0x1.1ac26ap-21f, 0x1.58f288p-23f, 0x1.a4cfeap-25f,
};

/* times t^4, error of all 9.6e-9. */
static const float s_tanh_4[16] = {
    0x0.0p+0f, 0x1.2b4bf4p-3f, -0x1.71a304p-8f, -0x1.779178p-6f,
    -0x1.47ee6ap-7f, -0x1.b9e810p-9f, -0x1.15a59ap-10f, -0x1.55c288p-12f,
    -0x1.a20ff8p-14f, -0x1.fe6e76p-16f, -0x1.376cb0p-17f, -0x1.7bf226p-19f,
    -0x1.cf84cap-21f, -0x1.1abb84p-22f, -0x1.58ea36p-24f, -0x1.a4c5cep-26f,
};

/* times t^5, error of all 9.6e-9. */
static const float s_tanh_5[16] = {
    0x1.10a8a2p-3f, -0x1.98e792p-5f, -0x1.9e8c26p-6f, 0x1.084ad6p-8f,
    0x1.c01560p-9f, 0x1.5261aap-10f, 0x1.b67f42p-12f, 0x1.1055dep-13f,
    0x1.4e0d28p-15f, 0x1.9832c6p-17f, 0x1.f239f8p-19f, 0x1.2ff2aep-20f,
    0x1.72d024p-22f, 0x1.c45f76p-24f, 0x1.13eedep-25f, 0x1.509eaap-27f,
};

/* times t^6, error of all 9.6e-9. */
static const float s_tanh_6[16] = {
    0x0.0p+0f, -0x1.f89316p-6f, 0x1.123a6cp-6f, 0x1.c353acp-10f,
    -0x1.89d5d4p-11f, -0x1.9d827ap-12f, -0x1.1fbc2cp-13f, -0x1.6c9e68p-15f,
    -0x1.c1ea5cp-17f, -0x1.1362a4p-18f, -0x1.504e44p-20f, -0x1.9a66dcp-22f,
    -0x1.f4b604p-24f, -0x1.316cf4p-25f, -0x1.749a00p-27f, -0x1.c68cacp-29f,
};

/* times t^7, error of all 9.6e-9. */
static const float s_tanh_7[16] = {
    -0x1.9c05a4p-5f, 0x1.d5fffcp-6f, -0x1.c36286p-9f, -0x1.d19d3ep-10f,
    0x1.1f4954p-17f, 0x1.7b1372p-14f, 0x1.369192p-15f, 0x1.99b72cp-17f,
    0x1.ff73c2p-19f, 0x1.3a23d6p-20f, 0x1.8009c2p-22f, 0x1.d4cd1ap-24f,
    0x1.1e0232p-25f, 0x1.5cee7cp-27f, 0x1.a9ae24p-29f, 0x1.03a6d8p-30f,
};

/* times t^0, error of all 1.6e-16. */
static const double w_erf_0[16] = {
    0x0.0p+0, 0x1.ad68966569a87p-2, 0x1.762870f720c6fp-1, 0x1.ce1962c0e0d8bp-1,
    0x1.f21c9f12f0677p-1, 0x1.fd0f5317f582fp-1, 0x1.ff87b1913e853p-1, 0x1.fff18ebe2b0e1p-1,
    0x1.fffeb3ebb267bp-1, 0x1.ffffe9bf4098cp-1, 0x1.fffffee3cc32cp-1, 0x1.fffffff57632dp-1,
    0x1.ffffffffb5be5p-1, 0x1.fffffffffe7c0p-1, 0x1.fffffffffffa2p-1, 0x1.fffffffffffffp-1,
};

/* times t^1, error of all 1.6e-16. */
static const double w_erf_1[16] = {
    0x1.20dd750429b6cp+0, 0x1.eff8c4b1375dfp-1, 0x1.39ccc1b136d60p-1, 0x1.24a55399ea230p-2,
    0x1.92470a61b6961p-4, 0x1.978ae8b55ce4fp-6, 0x1.30499b5039566p-8, 0x1.4ee1429bf7bbcp-11,
    0x1.0f9e1b4dd37fdp-14, 0x1.44ba864671542p-18, 0x1.1e1e857adc3bdp-22, 0x1.7397c5a6586b2p-27,
    0x1.63ac6b4e58ae7p-32, 0x1.f5cc771501660p-38, 0x1.04e15ec73c92fp-43, 0x1.8fd4e00141144p-50,
};

/* times t^2, error of all 1.6e-16. */
static const double w_erf_2[16] = {
    0x0.0p+0, -0x1.837a59aa7344bp-2, -0x1.ea4feea4e5b30p-2, -0x1.56f1bdf85e610p-2,
    -0x1.3a47801c56a39p-3, -0x1.8dfda7411cb66p-5, -0x1.649642020337ep-7, -0x1.c9d7f9113cb85p-10,
    -0x1.a8670aa99a418p-13, -0x1.1d67f003e951ep-16, -0x1.1769ce59fc2a1p-20, -0x1.8f2c0951c0f33p-25,
    -0x1.a0ce0dc018581p-30, -0x1.3e8649978cdd6p-35, -0x1.64ac1f96a57d1p-41, -0x1.24d86a158809fp-47,
};

/* times t^3, error of all 1.6e-16. */
static const double w_erf_3[16] = {
    -0x1.812746b03620fp-2, -0x1.cb7bf78e305b3p-3, 0x1.715e595332e19p-5, 0x1.54c0d66d7ac95p-3,
    0x1.0453f90d3c375p-3, 0x1.c24b2053de94dp-5, 0x1.fa73d7eb1da4ap-7, 0x1.856614216d142p-9,
    0x1.a3737e2a2252ep-12, 0x1.40ee07ac071eep-15, 0x1.5fe5d4756aa3ep-19, 0x1.161fb53d007fbp-23,
    0x1.3e380deef7060p-28, 0x1.085b86a70f27ep-33, 0x1.3fa8311bebccep-39, 0x1.19d122104ba44p-45,
};

/* times t^4, error of all 1.6e-16. */
static const double w_erf_4[16] = {
    0x0.0p+0, 0x1.5c0fc77618c10p-3, 0x1.22cdbdb4da37bp-3, 0x1.cf82bac198d8bp-7,
    -0x1.8a7c6a239cf69p-5, -0x1.33137b26df8fcp-5, -0x1.daa3005c26c21p-7, -0x1.c812e602cfc28p-9,
    -0x1.24544f02dc30ep-11, -0x1.02488b68a3485p-14, -0x1.405da04815e75p-18, -0x1.1a2239f4f0826p-22,
    -0x1.638bc509e36b6p-27, -0x1.4256996b939d0p-32, -0x1.a62b716e7d45bp-38, -0x1.909da90232689p-44,
};

/* times t^5, error of all 1.6e-16. */
static const double w_erf_5[16] = {
    0x1.ce2f21992506bp-4, 0x1.4dd7b2d6095ccp-5, -0x1.da50ae47312c7p-5, -0x1.cf38b9a46b225p-5,
    -0x1.075c088556b26p-7, 0x1.a342ba1dae21ap-7, 0x1.250942c146454p-7, 0x1.7e02d8b2a87b5p-9,
    0x1.2e7e764279a7ep-11, 0x1.3b124fcf756a5p-14, 0x1.bfc96a8e75787p-18, 0x1.bb32dd3922b2ap-22,
    0x1.357535ff774cbp-26, 0x1.338c3b5453dfap-31, 0x1.b5c5e7ca3a779p-37, 0x1.c0556fe01f588p-43,
};

/* times t^6, error of all 1.6e-16. */
static const double w_erf_6[16] = {
    0x0.0p+0, -0x1.9ebc1df0e6280p-5, -0x1.75578f71861a3p-6, 0x1.2c17270bf8788p-6,
    0x1.16f9c9cd21a99p-6, 0x1.b4bbc4dd44855p-10, -0x1.997578d75ecb3p-9, -0x1.c5229390dc979p-10,
    -0x1.da496e48c9f96p-12, -0x1.2c59504c45d12p-14, -0x1.f19ff61b56f1fp-18, -0x1.17c6eeacd3770p-21,
    -0x1.b41f2faf9e23ap-26, -0x1.dd9c422e4b454p-31, -0x1.72de126cd3d5ap-36, -0x1.9b1e5d0669912p-42,
};

/* times t^7, error of all 1.6e-16. */
static const double w_erf_7[16] = {
    -0x1.b82cd6a351663p-6, -0x1.09978e82f4378p-8, 0x1.353311f62ee9bp-6, 0x1.e06ba374cf1dcp-8,
    -0x1.74c2f8fd37ca7p-8, -0x1.0493892b8db8cp-8, -0x1.39033a3519460p-15, 0x1.58342114a84e0p-11,
    0x1.176cf2ad4d410p-12, 0x1.c558562cb73b0p-15, 0x1.c0c4dcf45167dp-18, 0x1.22b73689d5d8dp-21,
    0x1.fe6b002b9d96ap-26, 0x1.35e0b5c760562p-30, 0x1.07b31101514e4p-35, 0x1.3d7ae0778ac82p-41,
};

/* times t^8, error of all 1.6e-16. */
static const double w_erf_8[16] = {
    0x0.0p+0, 0x1.7074939214fd9p-7, 0x1.39c8a7bd0b9fcp-10, -0x1.8df7ec0bc27aap-8,
    -0x1.760c85075d167p-10, 0x1.9f5a2c365e5bbp-10, 0x1.6a6d8ea202bbap-11, -0x1.48c1e57c01feep-14,
    -0x1.d2ac77c670a57p-14, -0x1.0dba1acca8b7bp-15, -0x1.4b9de82dc88cep-18, -0x1.f8adac684142ap-22,
    -0x1.f8b018e91e3c2p-26, -0x1.5638fefefa276p-30, -0x1.40c8bd225f1c4p-35, -0x1.a4ff23c065db3p-41,
};

/* times t^9, error of all 1.6e-16. */
static const double w_erf_9[16] = {
    0x1.5651f8e38b713p-8, -0x1.89e5ac35efde4p-13, -0x1.fc2a37800ae2dp-9, 0x1.46743ef41670cp-13,
    0x1.a3cb3de773c25p-10, 0x1.66cb0a9ce9b6ap-14, -0x1.71ef40267a9b2p-12, -0x1.4fbbdc6f8ff8dp-14,
    0x1.ab07eccbe6439p-16, 0x1.ea59f4e207724p-17, 0x1.9133542163ca8p-19, 0x1.70bee50593147p-22,
    0x1.aa2d36559e99cp-26, 0x1.458123cad4bc3p-30, 0x1.51d11096fb527p-35, 0x1.e4c5bc0d9684bp-41,
};

/* times t^10, error of all 1.6e-16. */
static const double w_erf_10[16] = {
    0x0.0p+0, -0x1.0413cd023621dp-9, 0x1.9bcc3dbfa1b3ep-12, 0x1.116a28d0cde7dp-10,
    -0x1.02a7c405dc461p-12, -0x1.4a61c1c90bac2p-12, 0x1.6427861bf6207p-15, 0x1.e4153de807212p-15,
    0x1.040bb4f764cdfp-18, -0x1.31ea305218be0p-18, -0x1.871890a4edb99p-20, -0x1.c6735ff29275cp-23,
    -0x1.35f0686217d40p-26, -0x1.0de63192b290ep-30, -0x1.38af9d5c41aa9p-35, -0x1.edb4742675075p-41,
};

/* times t^11, error of all 1.6e-16. */
static const double w_erf_11[16] = {
    -0x1.b901550a4b0a9p-11, 0x1.5d6a850413570p-13, 0x1.2b27e50c886a1p-11, -0x1.f97f980733847p-13,
    -0x1.90ecaa41d60bep-13, 0x1.910468306adf2p-14, 0x1.4ec1ee8a121f8p-15, -0x1.ff20580895a04p-17,
    -0x1.ae8c66bfc619dp-18, 0x1.059e2b39aa28ap-21, 0x1.25174cfe9704fp-21, 0x1.dcc4b509c99e7p-24,
    0x1.911193416cea3p-27, 0x1.99e6065fe9cd0p-31, 0x1.0f59fe3b7a664p-35, 0x1.e19657c42ba73p-41,
};

/* times t^12, error of all 1.6e-16. */
static const double w_erf_12[16] = {
    0x0.0p+0, 0x1.2c2a0fc879249p-12, -0x1.113840b646fd1p-13, -0x1.ca0e960ce4e5bp-14,
    0x1.66c5b79ed91ccp-14, 0x1.11a0354d3ca0ap-16, -0x1.6a9acf09a6d95p-16, -0x1.da30e77f5aca8p-20,
    0x1.6ace480ba76acp-19, 0x1.aabdf93ed6ab6p-22, -0x1.1bee72bc767f7p-23, -0x1.8fc7beb9df309p-25,
    -0x1.ae7fe22fc33cap-28, -0x1.040f474445c53p-31, -0x1.882f73233e3b5p-36, -0x1.83cfd5b464401p-41,
};

/* clang-format on */

#endif
