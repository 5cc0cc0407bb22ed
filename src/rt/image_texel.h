/* rt/image_texel.h -- texels of one image in vectors: words from and to memory, stored channels
 * from and to the numbers that they stand for. Part of rt/image_body.h.
 *
 * Lanes whose texels lie one after the other, as those of a row do, are loaded and stored together.
 * Every bit is as rt/texel.c has it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_IMAGE_TEXEL_H
#define HD_RT_IMAGE_TEXEL_H

#include "gen/srgb.h"
#include "rt/image_vec.h"
#include "rt/texel.h"

/* Places of v: four stored channels, and the constants that components come from. */
#define NEED(place) (1u << (place))
typedef struct Values {
    U at[6];
} Values;

#if defined(__AVX512F__)
#define STEPS                                                \
    {                                                        \
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 \
    }
#else
#define STEPS                  \
    {                          \
        0, 1, 2, 3, 4, 5, 6, 7 \
    }
#endif

/* Do the lanes of a mask have texels one after the other? Then where lane 0 has or would have its
 * one. */
INLINE bool are_neighbours(I offset, M m, uint32_t bytes, int64_t *first)
{
    const U steps = STEPS;

    I row = (I)(word_of((uint32_t)first_of(offset)) + steps * bytes);

    *first = first_of(offset);
    return is_within(m, equal(offset, row));
}

/* Texels that lie in a vector, or two, of memory from that of lane 0 on: which one each lane has;
 * the others leave *m. */
INLINE I places_in(I offset, unsigned shift, M *m)
{
    U far = (U)offset - (uint32_t)first_of(offset);

    far = far >> shift | far << (32 - shift); /* of other places the upper bits are set */
    *m = inside((I)far, BLOCK);
    return (I)far;
}

/* May what begins with the first lane's texel be loaded at once, if those of `near` lie in it? That
 * lane may be none that reads: its place is a number of no meaning, which can be in front of the
 * image; behind it, nothing is loaded (window_at). */
INLINE bool is_window(I offset, M m, M near)
{
    return first_of(offset) >= 0 && is_within(m, near);
}

/* ---- words -------------------------------------------------------------------------------------
 */

#if defined(__AVX512F__)

/* Four registers of four texels each, to a register for each word; and back. */
INLINE __m512i across(__m512i x)
{
    const __m512i order = (__m512i)(I){0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

    return _mm512_permutexvar_epi32(order, x);
}

INLINE void part_four(const __m512i *z, M m, unsigned need, U *word)
{
    __m512i low = _mm512_unpacklo_epi32(z[0], z[1]), high = _mm512_unpackhi_epi32(z[0], z[1]);
    __m512i low2 = _mm512_unpacklo_epi32(z[2], z[3]), high2 = _mm512_unpackhi_epi32(z[2], z[3]);

    if ((need & NEED(0)) != 0)
        word[0] = kept(m, (U)across(_mm512_unpacklo_epi64(low, low2)));
    if ((need & NEED(1)) != 0)
        word[1] = kept(m, (U)across(_mm512_unpackhi_epi64(low, low2)));
    if ((need & NEED(2)) != 0)
        word[2] = kept(m, (U)across(_mm512_unpacklo_epi64(high, high2)));
    if ((need & NEED(3)) != 0)
        word[3] = kept(m, (U)across(_mm512_unpackhi_epi64(high, high2)));
}

INLINE void join_four(const U *word, __m512i *z)
{
    __m512i x[4];

    for (unsigned i = 0; i < 4; i++)
        x[i] = across((__m512i)word[i]);
    z[0] =
        _mm512_unpacklo_epi64(_mm512_unpacklo_epi32(x[0], x[1]), _mm512_unpacklo_epi32(x[2], x[3]));
    z[1] =
        _mm512_unpackhi_epi64(_mm512_unpacklo_epi32(x[0], x[1]), _mm512_unpacklo_epi32(x[2], x[3]));
    z[2] =
        _mm512_unpacklo_epi64(_mm512_unpackhi_epi32(x[0], x[1]), _mm512_unpackhi_epi32(x[2], x[3]));
    z[3] =
        _mm512_unpackhi_epi64(_mm512_unpackhi_epi32(x[0], x[1]), _mm512_unpackhi_epi32(x[2], x[3]));
}

INLINE void load_four(const unsigned char *base, I offset, M m, unsigned need, U *word)
{
    int32_t at[BLOCK];
    int64_t first;
    __m512i z[4];

    if (is_all(m) && are_neighbours(offset, m, 16, &first)) {
        for (unsigned i = 0; i < 4; i++)
            z[i] = _mm512_loadu_si512(base + first + (size_t)i * 64);
    } else if ((need & (need - 1)) == 0) {
        if ((need & NEED(0)) != 0)
            word[0] = gather_words(base, offset, m);
        if ((need & NEED(1)) != 0)
            word[1] = gather_words(base + 4, offset, m);
        if ((need & NEED(2)) != 0)
            word[2] = gather_words(base + 8, offset, m);
        if ((need & NEED(3)) != 0)
            word[3] = gather_words(base + 12, offset, m);
        return;
    } else {
        offset = (I)kept(m, (U)offset);
        memcpy(at, &offset, sizeof at);
        for (unsigned i = 0; i < 4; i++) {
            const int32_t *o = &at[4 * i];

            z[i] = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(base + o[0])));
            z[i] = _mm512_inserti32x4(z[i], _mm_loadu_si128((const void *)(base + o[1])), 1);
            z[i] = _mm512_inserti32x4(z[i], _mm_loadu_si128((const void *)(base + o[2])), 2);
            z[i] = _mm512_inserti32x4(z[i], _mm_loadu_si128((const void *)(base + o[3])), 3);
        }
    }
    part_four(z, m, need, word);
}

/* Words of a window of memory, those beyond `end` not. */
INLINE __m512i window_at(const unsigned char *at, const unsigned char *end)
{
    int64_t left = end - at;

    if (left >= 64)
        return _mm512_loadu_si512(at);
    return _mm512_maskz_loadu_epi32((__mmask16)((1u << (left > 0 ? left / 4 : 0)) - 1), at);
}

INLINE void load_two(const unsigned char *base, const unsigned char *end, I offset, M m, U *word)
{
    const __m512i even = (__m512i)(I){0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
    const __m512i odd = (__m512i)(I){1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
    __mmask8 m0 = (__mmask8)m, m1 = (__mmask8)(m >> 8);
    __m512i low, high, zero = _mm512_setzero_si512();
    int64_t first;
    I place;
    M near;

    if (are_neighbours(offset, m, 8, &first)) {
        low = _mm512_maskz_loadu_epi64(m0, base + first);
        high = _mm512_maskz_loadu_epi64(m1, base + first + 64);
    } else if (place = places_in(offset, 3, &near), is_window(offset, m, near)) {
        low = window_at(base + first, end);
        high = window_at(base + first + 64, end);
        place = (I)((U)place << 1);
        word[0] = kept(m, (U)_mm512_permutex2var_epi32(low, (__m512i)place, high));
        word[1] = kept(m, (U)_mm512_permutex2var_epi32(low, (__m512i)(place | 1), high));
        return;
    } else {
        low =
            _mm512_mask_i32gather_epi64(zero, m0, _mm512_castsi512_si256((__m512i)offset), base, 1);
        high = _mm512_mask_i32gather_epi64(zero, m1, _mm512_extracti64x4_epi64((__m512i)offset, 1),
                                           base, 1);
    }
    word[0] = (U)_mm512_permutex2var_epi32(low, even, high);
    word[1] = (U)_mm512_permutex2var_epi32(low, odd, high);
}

INLINE U load_one(const unsigned char *base, const unsigned char *end, I offset, M m)
{
    int64_t first;
    I place;
    M near;

    if (are_neighbours(offset, m, 4, &first))
        return (U)_mm512_maskz_loadu_epi32(m, base + first);
    place = places_in(offset, 2, &near);
    if (!is_window(offset, m, near))
        return gather_words(base, offset, m);
    return kept(m, (U)_mm512_permutexvar_epi32((__m512i)place, window_at(base + first, end)));
}

/* Two bytes or one, if they lie one after the other. */
INLINE bool load_row(const unsigned char *base, I offset, M m, unsigned bytes, U *word)
{
    int64_t first;

    if (!are_neighbours(offset, m, bytes, &first))
        return false;
    if (bytes == 2)
        *word = widen_words(_mm256_maskz_loadu_epi16(m, base + first));
    else
        *word = (U)_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(m, base + first));
    return true;
}

/* All lanes' words, texel by texel. */
INLINE void join_words(const U *word, unsigned bytes, unsigned char *to)
{
    const __m512i low = (__m512i)(I){0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23};
    __m512i z[4];

    switch (bytes) {
    case 16:
        join_four(word, z);
        for (unsigned i = 0; i < 4; i++)
            _mm512_storeu_si512(to + (size_t)i * 64, z[i]);
        break;
    case 8:
        z[0] = (__m512i)word[0];
        z[1] = (__m512i)word[1];
        _mm512_storeu_si512(to, _mm512_permutex2var_epi32(z[0], low, z[1]));
        _mm512_storeu_si512(to + 64, _mm512_permutex2var_epi32(
                                         z[0], _mm512_add_epi32(low, (__m512i)all_of(8)), z[1]));
        break;
    case 4: _mm512_storeu_si512(to, (__m512i)word[0]); break;
    case 2: _mm256_storeu_si256((void *)to, low_halves(word[0])); break;
    default: store_bytes(to, word[0]); break;
    }
}

#else

INLINE __m256i two_texels(const unsigned char *first, const unsigned char *second)
{
    __m128i low = _mm_loadu_si128((const void *)first);

    return _mm256_inserti128_si256(_mm256_castsi128_si256(low),
                                   _mm_loadu_si128((const void *)second), 1);
}

INLINE void load_four(const unsigned char *base, I offset, M m, unsigned need, U *word)
{
    int32_t at[BLOCK];
    __m256i low, high, low2, high2, row[4];

    offset = (I)kept(m, (U)offset);
    memcpy(at, &offset, sizeof at);
    for (unsigned i = 0; i < 4; i++)
        row[i] = two_texels(base + at[i], base + at[i + 4]);
    low = _mm256_unpacklo_epi32(row[0], row[1]);
    high = _mm256_unpackhi_epi32(row[0], row[1]);
    low2 = _mm256_unpacklo_epi32(row[2], row[3]);
    high2 = _mm256_unpackhi_epi32(row[2], row[3]);
    if ((need & NEED(0)) != 0)
        word[0] = kept(m, (U)_mm256_unpacklo_epi64(low, low2));
    if ((need & NEED(1)) != 0)
        word[1] = kept(m, (U)_mm256_unpackhi_epi64(low, low2));
    if ((need & NEED(2)) != 0)
        word[2] = kept(m, (U)_mm256_unpacklo_epi64(high, high2));
    if ((need & NEED(3)) != 0)
        word[3] = kept(m, (U)_mm256_unpackhi_epi64(high, high2));
}

/* As with vectors twice as long, above. */
INLINE U window_at(const unsigned char *at, const unsigned char *end)
{
    int64_t left = end - at;
    const I steps = (I)STEPS;

    if (left >= 32)
        return (U)_mm256_loadu_si256((const void *)at);
    return (U)_mm256_maskload_epi32((const void *)at,
                                    (__m256i)(steps < all_of((int32_t)(left > 0 ? left / 4 : 0))));
}

/* Word number `place` of sixteen. */
INLINE U one_of_two(U low, U high, U place)
{
    U x = (U)_mm256_permutevar8x32_epi32((__m256i)low, (__m256i)place);
    U y = (U)_mm256_permutevar8x32_epi32((__m256i)high, (__m256i)place);

    return choose((I)place < all_of(8), x, y);
}

INLINE void load_two(const unsigned char *base, const unsigned char *end, I offset, M m, U *word)
{
    int64_t first;
    __m256 low, high;
    U place;
    M near;

    if (is_all(m) && are_neighbours(offset, m, 8, &first)) {
        low = _mm256_loadu_ps((const void *)(base + first));
        high = _mm256_loadu_ps((const void *)(base + first + 32));
        word[0] = (U)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0x88), 0xd8);
        word[1] = (U)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0xdd), 0xd8);
        return;
    }
    place = (U)places_in(offset, 3, &near) << 1;
    if (is_window(offset, m, near)) {
        const unsigned char *at = base + first_of(offset);
        U x = window_at(at, end), y = window_at(at + 32, end);

        word[0] = kept(m, one_of_two(x, y, place));
        word[1] = kept(m, one_of_two(x, y, place | 1));
        return;
    }
    for (unsigned w = 0; w < 2; w++)
        word[w] = gather_words(base + (size_t)w * 4, offset, m);
}

INLINE U load_one(const unsigned char *base, const unsigned char *end, I offset, M m)
{
    int64_t first;
    I place;
    M near;

    if (are_neighbours(offset, m, 4, &first))
        return (U)_mm256_maskload_epi32((const void *)(base + first), (__m256i)m);
    place = places_in(offset, 2, &near);
    if (!is_window(offset, m, near))
        return gather_words(base, offset, m);
    return kept(
        m, (U)_mm256_permutevar8x32_epi32((__m256i)window_at(base + first, end), (__m256i)place));
}

INLINE bool load_row(const unsigned char *base, I offset, M m, unsigned bytes, U *word)
{
    int64_t first;

    if (!is_all(m) || !are_neighbours(offset, m, bytes, &first))
        return false;
    if (bytes == 2)
        *word = widen_words(_mm_loadu_si128((const void *)(base + first)));
    else
        *word = (U)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(base + first)));
    return true;
}

INLINE void store_texels(unsigned char *first, unsigned char *second, __m256i x)
{
    _mm_storeu_si128((void *)first, _mm256_castsi256_si128(x));
    _mm_storeu_si128((void *)second, _mm256_extracti128_si256(x, 1));
}

INLINE void join_words(const U *word, unsigned bytes, unsigned char *to)
{
    __m256i low, high, low2, high2;

    switch (bytes) {
    case 16:
        low = _mm256_unpacklo_epi32((__m256i)word[0], (__m256i)word[1]);
        high = _mm256_unpackhi_epi32((__m256i)word[0], (__m256i)word[1]);
        low2 = _mm256_unpacklo_epi32((__m256i)word[2], (__m256i)word[3]);
        high2 = _mm256_unpackhi_epi32((__m256i)word[2], (__m256i)word[3]);
        store_texels(to, to + 64, _mm256_unpacklo_epi64(low, low2));
        store_texels(to + 16, to + 80, _mm256_unpackhi_epi64(low, low2));
        store_texels(to + 32, to + 96, _mm256_unpacklo_epi64(high, high2));
        store_texels(to + 48, to + 112, _mm256_unpackhi_epi64(high, high2));
        break;
    case 8:
        low = _mm256_unpacklo_epi32((__m256i)word[0], (__m256i)word[1]);
        high = _mm256_unpackhi_epi32((__m256i)word[0], (__m256i)word[1]);
        store_texels(to, to + 32, low);
        store_texels(to + 16, to + 48, high);
        break;
    case 4: memcpy(to, word, sizeof *word); break;
    case 2: _mm_storeu_si128((void *)to, low_halves(word[0])); break;
    default: store_bytes(to, word[0]);
    }
}

#endif

/* Two bytes of each lane, at addresses that are not even. */
static U load_odd(const unsigned char *base, I offset, M m)
{
    uint32_t part[BLOCK] = {0};
    int32_t at[BLOCK];
    U word;

    memcpy(at, &offset, sizeof at);
    for (uint32_t left = bits_of(m); left != 0; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        memcpy(&part[l], base + at[l], 2);
    }
    memcpy(&word, part, sizeof word);
    return word;
}

/* The words that texels lie in; 0 of lanes that are not in m. Of those below four bytes that do not
 * lie in a row: the aligned word around, which is in one page with them if they are aligned. */
INLINE void load_words(unsigned bytes, unsigned need, const unsigned char *base,
                       const unsigned char *end, I offset, M m, U *word)
{
    I low;

    switch (bytes) {
    case 16: load_four(base, offset, m, need & 15, word); return;
    case 8: load_two(base, end, offset, m, word); return;
    case 4: word[0] = load_one(base, end, offset, m); return;
    case 2:
        if (load_row(base, offset, m, 2, &word[0]))
            return;
        break;
    default:
        if (load_row(base, offset, m, 1, &word[0]))
            return;
    }
    low = (I)((U)offset + (uint32_t)((uintptr_t)base & 3)) & 3;
    if (bytes == 2 && !is_within(m, inside(low & 1, 1))) {
        word[0] = load_odd(base, offset, m);
        return;
    }
    word[0] = gather_words(base, (I)((U)offset - (U)low), m) >> (U)(low * 8);
    word[0] &= bytes == 2 ? 0xffffu : 0xffu;
}

INLINE void store_words(unsigned bytes, unsigned char *base, I offset, M m, const U *word)
{
    unsigned char all[BLOCK * 16];
    int32_t at[BLOCK];
    int64_t first;

    if (is_all(m) && are_neighbours(offset, m, bytes, &first)) {
        join_words(word, bytes, base + first);
        return;
    }
    join_words(word, bytes, all);
    memcpy(at, &offset, sizeof at);
    for (uint32_t left = bits_of(m); left != 0; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        const unsigned char *from = all + (size_t)l * bytes;
        unsigned char *to = base + at[l];

        switch (bytes) {
        case 16: memcpy(to, from, 16); break;
        case 8: memcpy(to, from, 8); break;
        case 4: memcpy(to, from, 4); break;
        case 2: memcpy(to, from, 2); break;
        default: *to = *from;
        }
    }
}

/* ---- from channels -----------------------------------------------------------------------------
 */

/* x / most, rounded as a division is: so it is for each x from -most to most that channels have
 * (tests/launch/image_test.c). */
INLINE F divided(F x, float most)
{
    float inverse = 1.0f / most, rest = (float)(1.0 / (double)most - (double)inverse);

    return fused(x, float_of(inverse), x * float_of(rest));
}

INLINE U unsigned_at(const U *word, unsigned channel, unsigned bits)
{
    unsigned bit = channel * bits, place = bit % 32;
    U x = word[bit / 32];

    if (place != 0)
        x >>= place;
    return place + bits < 32 ? x & ((UINT32_C(1) << bits) - 1) : x;
}

INLINE I signed_at(const U *word, unsigned channel, unsigned bits)
{
    unsigned bit = channel * bits;

    return (I)(word[bit / 32] << (32 - bits - bit % 32)) >> (int)(32 - bits);
}

INLINE U unorm_at(const U *word, unsigned channel, unsigned bits)
{
    return (U)divided(to_float((I)unsigned_at(word, channel, bits)), bits == 8 ? 255.0f : 65535.0f);
}

INLINE U snorm_at(const U *word, unsigned channel, unsigned bits)
{
    F f = divided(to_float(signed_at(word, channel, bits)), bits == 8 ? 127.0f : 32767.0f);

    return (U)most_float(f, float_of(-1.0f));
}

INLINE U half_at(const U *word, unsigned channel)
{
    return (U)widen_halves(low_halves(unsigned_at(word, channel, 16)));
}

INLINE U srgb_at(const U *word, unsigned channel)
{
    if (channel == 3)
        return unorm_at(word, channel, 8);
    return gather_words(srgb_linear, (I)unsigned_at(word, channel, 8) * 4, lanes_of(0xffff));
}

INLINE U field_at(U word, unsigned shift, unsigned bits)
{
    uint32_t most = (UINT32_C(1) << bits) - 1;

    return (U)divided(to_float((I)(word >> shift & most)), (float)most);
}

/* What a channel of a packed word lies at, from its lowest bit on; bits 0: there is none. */
typedef struct Field {
    uint8_t shift, bits;
} Field;

INLINE Field field_of(unsigned coding, unsigned channel)
{
    static const Field fields[][4] = {{{11, 5}, {5, 6}, {0, 5}},
                                      {{10, 5}, {5, 5}, {0, 5}},
                                      {{20, 10}, {10, 10}, {0, 10}},
                                      {{22, 10}, {12, 10}, {2, 10}, {0, 2}},
                                      {{8, 24}}};

    return fields[coding - HD_CODING_565][channel];
}

#define CHANNEL(number, x)               \
    {                                    \
        enum { channel = number };       \
        if ((need & NEED(channel)) != 0) \
            v->at[channel] = (x);        \
    }
#define CHANNELS(x) CHANNEL(0, x) CHANNEL(1, x) CHANNEL(2, x) CHANNEL(3, x) break

/* The stored channels that are needed; of packed words as field_of says. */
INLINE void decode(unsigned coding, unsigned need, const U *word, Values *v)
{
    switch (coding) {
    case HD_CODING_WORDS: CHANNELS(word[channel]);
    case HD_CODING_HALF: CHANNELS(half_at(word, channel));
    case HD_CODING_UNORM8: CHANNELS(unorm_at(word, channel, 8));
    case HD_CODING_UNORM16: CHANNELS(unorm_at(word, channel, 16));
    case HD_CODING_SNORM8: CHANNELS(snorm_at(word, channel, 8));
    case HD_CODING_SNORM16: CHANNELS(snorm_at(word, channel, 16));
    case HD_CODING_UINT8: CHANNELS(unsigned_at(word, channel, 8));
    case HD_CODING_UINT16: CHANNELS(unsigned_at(word, channel, 16));
    case HD_CODING_SINT8: CHANNELS((U)signed_at(word, channel, 8));
    case HD_CODING_SINT16: CHANNELS((U)signed_at(word, channel, 16));
    case HD_CODING_SRGB: CHANNELS(srgb_at(word, channel));
    case HD_CODING_565:
        CHANNELS(channel == 1 ? field_at(word[0], 5, 6)
                              : field_at(word[0], channel == 0 ? 11 : 0, 5));
    case HD_CODING_555: CHANNELS(field_at(word[0], channel < 3 ? 10u - 5 * channel : 0, 5));
    case HD_CODING_101010: CHANNELS(field_at(word[0], channel < 3 ? 20u - 10 * channel : 0, 10));
    case HD_CODING_101010_2:
        CHANNELS(channel < 3 ? field_at(word[0], 22u - 10 * channel, 10) : field_at(word[0], 0, 2));
    default: CHANNELS(field_at(word[0], 8, 24));
    }
}
#undef CHANNELS
#undef CHANNEL

/* ---- to channels -------------------------------------------------------------------------------
 */

/* Numbers from low to high, rounded; a NaN is 0. */
INLINE I clamp_round(F f, float low, float high)
{
    const F whole = float_of(12582912.0f); /* has no fraction bits left: adding it rounds */
    F r = choose_f(less(f, float_of(high)), f + whole - whole, float_of(high));
    M is_low = less_equal(f, float_of(low)), is_high = less(float_of(low), f);

    return to_int(choose_f(is_high, r, choose_f(is_low, float_of(low), (F){0})));
}

INLINE U encode_srgb(F f)
{
    U bits, step;

    f = most_float(f, (F)word_of(SRGB_LEAST)); /* a NaN becomes black */
    bits = least_of_words((U)f, word_of(0x3f7fffff));
    step = gather_words(srgb_steps, (I)((bits - SRGB_LEAST) >> SRGB_BITS) * 4, lanes_of(0xffff));
    return (step >> 24) +
           kept(not_less(bits & ((1u << SRGB_BITS) - 1), step & 0xffffffu), word_of(1));
}

INLINE U encode_int(U x, unsigned bits)
{
    int32_t high = (INT32_C(1) << (bits - 1)) - 1;

    return (U)most(least((I)x, all_of(high)), all_of(-high - 1)) & ((UINT32_C(1) << bits) - 1);
}

INLINE U encode_norm(U x, float low, float high, uint32_t mask)
{
    return (U)clamp_round((F)x * float_of(high), low, high) & mask;
}

INLINE U encode(unsigned coding, unsigned channel, U x)
{
    switch (coding) {
    case HD_CODING_HALF: return widen_words(to_halves((F)x));
    case HD_CODING_UNORM8: return encode_norm(x, 0.0f, 255.0f, 0xff);
    case HD_CODING_UNORM16: return encode_norm(x, 0.0f, 65535.0f, 0xffff);
    case HD_CODING_SNORM8: return encode_norm(x, -128.0f, 127.0f, 0xff);
    case HD_CODING_SNORM16: return encode_norm(x, -32768.0f, 32767.0f, 0xffff);
    case HD_CODING_UINT8: return least_of_words(x, word_of(0xff));
    case HD_CODING_UINT16: return least_of_words(x, word_of(0xffff));
    case HD_CODING_SINT8: return encode_int(x, 8);
    case HD_CODING_SINT16: return encode_int(x, 16);
    case HD_CODING_SRGB:
        return channel < 3 ? encode_srgb((F)x) : encode_norm(x, 0.0f, 255.0f, 0xff);
    default: return x;
    }
}

INLINE unsigned bits_of_coding(unsigned coding)
{
    switch (coding) {
    case HD_CODING_WORDS: return 32;
    case HD_CODING_UNORM8:
    case HD_CODING_SNORM8:
    case HD_CODING_UINT8:
    case HD_CODING_SINT8:
    case HD_CODING_SRGB: return 8;
    default: return 16;
    }
}

/* Components to the words of a texel. */
INLINE void encode_words(unsigned coding, unsigned channels, const uint8_t *stored,
                         const U *component, U *word)
{
    unsigned bits = bits_of_coding(coding);

    for (unsigned i = 0; i < 4; i++)
        word[i] = (U){0};
    for (unsigned channel = 0; channel < channels; channel++) {
        U x = component[stored[channel]];

        if (coding >= HD_CODING_565) {
            Field f = field_of(coding, channel);
            float high = (float)((UINT32_C(1) << f.bits) - 1);

            if (f.bits == 0)
                break;
            word[0] |= (U)clamp_round((F)x * float_of(high), 0.0f, high) << f.shift;
        } else {
            unsigned bit = channel * bits;

            word[bit / 32] |= encode(coding, channel, x) << bit % 32;
        }
    }
}

#endif
