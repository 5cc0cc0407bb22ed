/* rt/image_vec.h -- vectors of sixteen lanes for AVX-512, of eight for AVX2, and what images need
 * of them that C has no operators for.
 *
 * A mask (M) is a register of AVX-512's, or a vector of zeros and ones in all bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_IMAGE_VEC_H
#define HD_RT_IMAGE_VEC_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* With an address sanitizer's checks, all in one function takes gcc a minute for each file. */
#if defined(__SANITIZE_ADDRESS__)
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

#if defined(__AVX512F__)
#define BLOCK 16u
typedef __m256i H; /* halves or integers of 16 bits */
#else
#define BLOCK 8u
typedef __m128i H;
#endif

typedef float F __attribute__((vector_size(4 * BLOCK)));
typedef int32_t I __attribute__((vector_size(4 * BLOCK)));
typedef uint32_t U __attribute__((vector_size(4 * BLOCK)));

INLINE I all_of(int32_t i)
{
    return (I){0} + i;
}

INLINE U word_of(uint32_t u)
{
    return (U){0} + u;
}

INLINE F float_of(float f)
{
    return (F)((U){0} + ((union {
                            float f;
                            uint32_t u;
                        }){.f = f})
                            .u);
}

INLINE F to_float(I i)
{
    return __builtin_convertvector(i, F);
}

/* Towards zero; of what fits. */
INLINE I to_int(F f)
{
    return __builtin_convertvector(f, I);
}

#if defined(__AVX512F__)

typedef __mmask16 M;

INLINE M lanes_of(uint64_t mask)
{
    return (M)mask;
}

INLINE bool is_all(M m)
{
    return m == 0xffff;
}

INLINE M both(M a, M b)
{
    return a & b;
}

/* Is b true wherever a is? */
INLINE bool is_within(M a, M b)
{
    return (a & ~b & 0xffff) == 0;
}

/* Lanes of a mask as bits. */
INLINE uint32_t bits_of(M m)
{
    return m;
}

INLINE U choose(M m, U a, U b)
{
    return (U)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}

INLINE U kept(M m, U x)
{
    return (U)_mm512_maskz_mov_epi32(m, (__m512i)x);
}

INLINE M less(F a, F b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}

INLINE M less_equal(F a, F b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

/* 0 <= i < size */
INLINE M inside(I i, int32_t size)
{
    return _mm512_cmplt_epu32_mask((__m512i)i, (__m512i)all_of(size));
}

INLINE M not_less(U a, U b)
{
    return _mm512_cmpge_epu32_mask((__m512i)a, (__m512i)b);
}

INLINE M equal(I a, I b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

INLINE I least(I a, I b)
{
    return (I)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

INLINE I most(I a, I b)
{
    return (I)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

INLINE U least_of_words(U a, U b)
{
    return (U)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

/* a < b ? a : b, which is b where either is not a number; likewise. */
INLINE F least_float(F a, F b)
{
    return (F)_mm512_min_ps((__m512)a, (__m512)b);
}

INLINE F most_float(F a, F b)
{
    return (F)_mm512_max_ps((__m512)a, (__m512)b);
}

INLINE F floor_of(F f)
{
    return (F)_mm512_roundscale_ps((__m512)f, 9);
}

INLINE F rounded(F f)
{
    return (F)_mm512_roundscale_ps((__m512)f, 8);
}

INLINE F fused(F a, F b, F c)
{
    return (F)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

INLINE F widen_halves(H h)
{
    return (F)_mm512_cvtph_ps(h);
}

INLINE H to_halves(F f)
{
    return _mm512_cvtps_ph((__m512)f, 8);
}

/* The lower halves of words, and their lowest bytes. */
INLINE H low_halves(U x)
{
    return _mm512_cvtepi32_epi16((__m512i)x);
}

INLINE void store_bytes(unsigned char *to, U x)
{
    _mm_storeu_si128((void *)to, _mm512_cvtepi32_epi8((__m512i)x));
}

INLINE U widen_words(H h)
{
    return (U)_mm512_cvtepu16_epi32(h);
}

INLINE U gather_words(const void *base, I offset, M m)
{
    return (U)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, (__m512i)offset, base, 1);
}

INLINE int32_t first_of(I x)
{
    return _mm_cvtsi128_si32(_mm512_castsi512_si128((__m512i)x));
}

#else

typedef I M;

INLINE M lanes_of(uint64_t mask)
{
    const I bits = {1, 2, 4, 8, 16, 32, 64, 128};

    return (all_of((int32_t)(mask & 0xff)) & bits) != 0;
}

INLINE M both(M a, M b)
{
    return a & b;
}

INLINE uint32_t bits_of(M m)
{
    return (uint32_t)_mm256_movemask_ps((__m256)m);
}

INLINE bool is_all(M m)
{
    return bits_of(m) == 0xff;
}

INLINE bool is_within(M a, M b)
{
    return bits_of(a & ~b) == 0;
}

INLINE U choose(M m, U a, U b)
{
    return (U)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
}

INLINE U kept(M m, U x)
{
    return x & (U)m;
}

INLINE M less(F a, F b)
{
    return a < b;
}

INLINE M less_equal(F a, F b)
{
    return a <= b;
}

INLINE I least(I a, I b)
{
    return (I)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

INLINE I most(I a, I b)
{
    return (I)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

INLINE U least_of_words(U a, U b)
{
    return (U)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

INLINE M inside(I i, int32_t size)
{
    return (i >= 0) & (i < size);
}

INLINE M not_less(U a, U b)
{
    return least_of_words(a, b) == b;
}

INLINE M equal(I a, I b)
{
    return a == b;
}

INLINE F least_float(F a, F b)
{
    return (F)_mm256_min_ps((__m256)a, (__m256)b);
}

INLINE F most_float(F a, F b)
{
    return (F)_mm256_max_ps((__m256)a, (__m256)b);
}

INLINE F floor_of(F f)
{
    return (F)_mm256_round_ps((__m256)f, 9);
}

INLINE F rounded(F f)
{
    return (F)_mm256_round_ps((__m256)f, 8);
}

INLINE F fused(F a, F b, F c)
{
    return (F)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

INLINE F widen_halves(H h)
{
    return (F)_mm256_cvtph_ps(h);
}

INLINE H to_halves(F f)
{
    return _mm256_cvtps_ph((__m256)f, 8);
}

INLINE H low_halves(U x)
{
    __m256i low = (__m256i)(x & 0xffffu);

    return _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
}

INLINE void store_bytes(unsigned char *to, U x)
{
    __m128i h = low_halves(x & 0xffu);

    _mm_storeu_si64(to, _mm_packus_epi16(h, h));
}

INLINE U widen_words(H h)
{
    return (U)_mm256_cvtepu16_epi32(h);
}

INLINE U gather_words(const void *base, I offset, M m)
{
    return (U)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), base, (__m256i)offset, (__m256i)m,
                                          1);
}

INLINE int32_t first_of(I x)
{
    return _mm_cvtsi128_si32(_mm256_castsi256_si128((__m256i)x));
}

#endif

INLINE I choose_i(M m, I a, I b)
{
    return (I)choose(m, (U)a, (U)b);
}

INLINE F choose_f(M m, F a, F b)
{
    return (F)choose(m, (U)a, (U)b);
}

#endif
