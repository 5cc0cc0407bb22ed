/* rt/image_body.h -- images of the usual kinds, sixteen lanes of a sub-group at a time.
 *
 * The including file is compiled for one instruction set and defines IMAGE_CALL, the name of its
 * function. One image and sampler for all lanes, of one level, whose channels lie apart in memory
 * as bytes, shorts or words that are no halfs; whatever else is asked for goes to hd_rt_image, and
 * every bit of a result is what that gives. Lanes of no meaning are computed along.
 *
 * SPDX-License-Identifier: MIT
 */
#include <immintrin.h>
#include <string.h>

#include "rt/texel.h"

#define BLOCK 16u

typedef float F __attribute__((vector_size(4 * BLOCK)));
typedef int32_t I __attribute__((vector_size(4 * BLOCK)));
typedef uint32_t U __attribute__((vector_size(4 * BLOCK)));

typedef struct Call {
    uint32_t how, lanes;
    const unsigned char *operands;
    unsigned char *results;
    const HdImage *im;
    HdTexelForm form;
    uint64_t sampler;
    unsigned coordinate, dimensions, texel; /* the first two: of operands and their number */
    unsigned block;                         /* the lane that vectors begin with */
    uint64_t mask;                          /* of these lanes */
} Call;

static inline const void *slot(const Call *c, unsigned operand)
{
    return c->operands + (size_t)operand * 8 * c->lanes;
}

static inline U vector_at(const Call *c, unsigned operand)
{
    U v;

    memcpy(&v, (const unsigned char *)slot(c, operand) + (size_t)c->block * 4, sizeof v);
    return v;
}

static inline void give(const Call *c, unsigned component, U v)
{
    memcpy(c->results + (size_t)component * 8 * c->lanes + (size_t)c->block * 4, &v, sizeof v);
}

static inline U choose(I m, U a, U b)
{
    return (a & (U)m) | (b & ~(U)m);
}

static inline I choose_i(I m, I a, I b)
{
    return (I)choose(m, (U)a, (U)b);
}

static inline F choose_f(I m, F a, F b)
{
    return (F)choose(m, (U)a, (U)b);
}

static inline I all_of(int32_t i)
{
    return (I){0} + i;
}

static inline F to_float(I i)
{
    return __builtin_convertvector(i, F);
}

/* ---- what the sets have instructions for -------------------------------------------------------
 */

#if defined(__AVX512F__)
static inline I lanes_of(uint64_t mask)
{
    return (I)_mm512_movm_epi32((__mmask16)mask);
}

static inline F fused(F a, F b, F c)
{
    return (F)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

/* Do the lanes of a mask have words one after the other? Then where lane 0 has or would have its
 * one. */
static inline bool are_neighbours(I offset, __mmask16 m, int64_t *first)
{
    const I steps = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
    I from = offset - steps;
    int32_t one =
        _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(m, (__m512i)from)));

    *first = one;
    return _mm512_mask_cmpneq_epi32_mask(m, (__m512i)from, (__m512i)all_of(one)) == 0;
}

/* Words at base + offset where m says so, else 0. Most often the texels of a row. */
static inline U gather(const unsigned char *base, I offset, I m)
{
    __mmask16 mask = _mm512_movepi32_mask((__m512i)m);
    int64_t first;

    if (are_neighbours(offset, mask, &first))
        return (U)_mm512_maskz_loadu_epi32(mask, base + first);
    return (U)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, (__m512i)offset, base, 1);
}

static inline void scatter(unsigned char *base, I offset, I m, U x)
{
    __mmask16 mask = _mm512_movepi32_mask((__m512i)m);
    int64_t first;

    if (are_neighbours(offset, mask, &first))
        _mm512_mask_storeu_epi32(base + first, mask, (__m512i)x);
    else
        _mm512_mask_i32scatter_epi32(base, mask, (__m512i)offset, (__m512i)x, 1);
}
#else
static inline I lanes_of(uint64_t mask)
{
    const I bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

    return (all_of((int32_t)(mask & 0xffff)) & bits) != 0;
}

typedef struct Halves {
    __m256i at[2];
} Halves;

static inline Halves halves_of(I x)
{
    Halves h;

    memcpy(&h, &x, sizeof h);
    return h;
}

static inline F fused(F a, F b, F c)
{
    Halves x = halves_of((I)a), y = halves_of((I)b), z = halves_of((I)c);

    for (unsigned i = 0; i < 2; i++)
        x.at[i] = (__m256i)_mm256_fmadd_ps((__m256)x.at[i], (__m256)y.at[i], (__m256)z.at[i]);
    memcpy(&a, &x, sizeof a);
    return a;
}

static inline U gather(const unsigned char *base, I offset, I m)
{
    Halves at = halves_of(offset), where = halves_of(m);
    U r;

    for (unsigned i = 0; i < 2; i++)
        at.at[i] = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(), (const int *)(const void *)base, at.at[i], where.at[i], 1);
    memcpy(&r, &at, sizeof r);
    return r;
}

static inline void scatter(unsigned char *base, I offset, I m, U x)
{
    for (unsigned l = 0; l < BLOCK; l++) {
        uint32_t word = x[l];

        if (m[l] != 0)
            memcpy(base + offset[l], &word, 4);
    }
}
#endif

/* ---- addressing: as in rt/image.c, where it is explained ---------------------------------------
 */

static inline F floor_of(F f)
{
    I is_small = (f > -8388608.0f) & (f < 8388608.0f);
    F t = to_float(__builtin_convertvector(choose_f(is_small, f, (F){0}), I));

    t = choose_f(t > f, t - 1.0f, t);
    return choose_f(is_small, t, f);
}

static inline F nearest_whole(F f)
{
    const float whole = 12582912.0f;

    return choose_f((f > -4194304.0f) & (f < 4194304.0f), f + whole - whole, f);
}

static inline I index_of(F f, int32_t size)
{
    I is_low = ~(f >= 0.0f), is_inside;

    f = floor_of(f);
    is_inside = ~is_low & (f < (float)size);
    f = choose_f(is_inside, f, (F){0});
    return choose_i(is_low, all_of(-1),
                    choose_i(is_inside, __builtin_convertvector(f, I), all_of(size)));
}

static inline bool repeats(uint64_t sampler, unsigned mode)
{
    return (sampler & 0xff) == mode && (sampler & HD_SAMPLER_NORMALISED) != 0;
}

static inline F scaled(uint64_t sampler, F s, int32_t size)
{
    if (repeats(sampler, HD_ADDRESS_REPEAT))
        return (s - floor_of(s)) * (float)size;
    if (repeats(sampler, HD_ADDRESS_MIRROR))
        return (F)((U)(s - 2.0f * nearest_whole(0.5f * s)) & 0x7fffffffu) * (float)size;
    return (sampler & HD_SAMPLER_NORMALISED) != 0 ? s * (float)size : s;
}

/* Indices that may be outside, to where the mode puts them; those on the border leave m. */
static inline I settle(uint64_t sampler, I i, int32_t size, I *m)
{
    unsigned mode = sampler & 0xff;

    if (mode == HD_ADDRESS_NONE || mode == HD_ADDRESS_BORDER) {
        *m &= (i >= 0) & (i < size);
        return i;
    }
    return choose_i(i < 0, (I){0}, choose_i(i < size, i, all_of(size - 1)));
}

static inline int32_t size_of(const Call *c, unsigned dimension)
{
    const HdImageLevel *l = &c->im->level[0];

    return (int32_t)(dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth);
}

/* Bytes from one index of a dimension to the next. */
static inline int32_t step_of(const Call *c, unsigned dimension)
{
    const HdImageLevel *l = &c->im->level[0];

    return (int32_t)(dimension == 0 ? c->im->texel_bytes : dimension == 1 ? l->row : l->slice);
}

/* Of indices outside, whose texels nobody loads, anything may come. */
static inline I moved(I offset, I i, int32_t step)
{
    return (I)((U)offset + (U)i * (uint32_t)step);
}

/* ---- texels ------------------------------------------------------------------------------------
 */

static inline U ones_of(unsigned bits)
{
    return (U){0} + (bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX);
}

/* x / most, rounded as a division is: what the estimate lacks is exact. */
static inline F divided(F x, float most)
{
    const F divisor = (F){0} + most, inverse = (F){0} + 1.0f / most;
    F q = x * inverse;

    return fused(fused(-q, divisor, x), inverse, q);
}

static inline U decode(const HdTexelForm *t, U raw)
{
    I x = (I)(raw << (32 - t->bits)) >> (int)(32 - t->bits);
    float most = t->bits == 8 ? 255.0f : 65535.0f;
    F f;

    switch (t->kind) {
    case HD_KIND_UNORM: return (U)divided(to_float((I)raw), most);
    case HD_KIND_SNORM:
        f = divided(to_float(x), t->bits == 8 ? 127.0f : 32767.0f);
        return (U)choose_f(f < -1.0f, (F){0} - 1.0f, f);
    case HD_KIND_SINT: return (U)x;
    default: return raw;
    }
}

/* The words that texels lie in. Of those below four bytes: the aligned word around, which is in one
 * page with them. */
static inline void load_words(const Call *c, const unsigned char *base, I offset, I m, U *word)
{
    I low;

    if (c->im->texel_bytes >= 4) {
        for (unsigned w = 0; w < c->im->texel_bytes / 4; w++)
            word[w] = gather(base + (size_t)w * 4, offset, m);
        return;
    }
    low = (offset + (int32_t)((uintptr_t)base & 3)) & 3;
    word[0] = gather(base, offset - low, m) >> (U)(low * 8);
}

/* Components of the texels at base + offset; of lanes that are not in m the border's. */
static inline void load_texels(const Call *c, const unsigned char *base, I offset, I m, U *out)
{
    const HdTexelForm *t = &c->form;
    const float one = 1.0f;
    U word[4], whole;

    whole = (U){0} + 1u;
    if (t->kind != HD_KIND_SINT && t->kind != HD_KIND_UINT)
        whole = (U)((F){0} + one);
    load_words(c, base, offset, m, word);
    for (unsigned k = 0; k < 4; k++) {
        unsigned source = t->source[k], bit = source * t->bits;

        if (source >= 4) {
            out[k] = source == HD_TEXEL_ONE ? whole : (U){0};
        } else {
            out[k] = decode(t, word[bit / 32] >> bit % 32 & ones_of(t->bits));
        }
        out[k] = choose(m, out[k], k == 3 && t->has_opaque_border ? whole : (U){0});
    }
}

/* Numbers from low to high, rounded; a NaN is 0. */
static inline I clamp_round(F f, float low, float high)
{
    const float whole = 12582912.0f;
    F r = choose_f(f < high, f + whole - whole, (F){0} + high);

    r = choose_f(f > low, r, choose_f(f <= low, (F){0} + low, (F){0}));
    return __builtin_convertvector(r, I);
}

static inline U encode(const HdTexelForm *t, U x)
{
    int32_t high = (int32_t)(UINT32_MAX >> (33 - t->bits));
    float most = t->bits == 8 ? 255.0f : 65535.0f, low = 0.0f;
    I i = (I)x;

    if (t->kind == HD_KIND_SNORM) {
        most = (most - 1) / 2;
        low = -most - 1;
    }
    switch (t->kind) {
    case HD_KIND_UNORM:
    case HD_KIND_SNORM: return (U)clamp_round((F)x * most, low, most) & ones_of(t->bits);
    case HD_KIND_SINT:
        i = choose_i(i < high, i, all_of(high));
        return (U)choose_i(i > -high - 1, i, all_of(-high - 1)) & ones_of(t->bits);
    case HD_KIND_UINT: return choose(x < ones_of(t->bits), x, ones_of(t->bits));
    default: return x;
    }
}

/* ---- the three operations ----------------------------------------------------------------------
 */

static inline void sample_nearest(const Call *c, bool is_float, U *out)
{
    I offset = {0}, m = lanes_of(c->mask);

    for (unsigned d = 0; d < c->dimensions; d++) {
        U x = vector_at(c, c->coordinate + d);
        int32_t size = size_of(c, d);
        I i = (I)x;

        if (is_float)
            i = index_of(scaled(c->sampler, (F)x, size), size);
        if (is_float && repeats(c->sampler, HD_ADDRESS_REPEAT))
            i = choose_i((i >= 0) & (i < size), i, (I){0});
        else
            i = settle(c->sampler, i, size, &m);
        offset = moved(offset, i, step_of(c, d));
    }
    load_texels(c, c->im->at + c->im->level[0].offset, offset, m, out);
}

/* Two neighbours in one dimension. */
typedef struct Pair {
    I offset[2], is_inside[2];
    F weight[2];
} Pair;

static inline Pair pair_of(const Call *c, unsigned d)
{
    int32_t size = size_of(c, d);
    F u = scaled(c->sampler, (F)vector_at(c, c->coordinate + d), size) - 0.5f, low = floor_of(u);
    Pair p;

    for (unsigned k = 0; k < 2; k++) {
        I i = index_of(k == 0 ? low : low + 1.0f, size);

        p.is_inside[k] = all_of(-1);
        if (repeats(c->sampler, HD_ADDRESS_REPEAT))
            i = choose_i(i < 0, all_of(size - 1), choose_i(i < size, i, (I){0}));
        else
            i = settle(c->sampler, i, size, &p.is_inside[k]);
        p.offset[k] = moved((I){0}, i, step_of(c, d));
    }
    p.weight[1] = u - low;
    p.weight[0] = 1.0f - p.weight[1];
    return p;
}

static inline void sample_linear(const Call *c, U *out)
{
    Pair pairs[3];
    F sum[4] = {{0}, {0}, {0}, {0}};

    for (unsigned d = 0; d < c->dimensions; d++)
        pairs[d] = pair_of(c, d);
    for (unsigned k = 0; k < 1u << c->dimensions; k++) {
        I offset = {0}, m = lanes_of(c->mask);
        F weight = (F){0} + 1.0f;
        U corner[4];

        for (unsigned d = 0; d < c->dimensions; d++) {
            offset = moved(offset, pairs[d].offset[k >> d & 1], 1);
            m &= pairs[d].is_inside[k >> d & 1];
            weight *= pairs[d].weight[k >> d & 1];
        }
        load_texels(c, c->im->at + c->im->level[0].offset, offset, m, corner);
        for (unsigned i = 0; i < 4; i++)
            sum[i] += weight * (F)corner[i];
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = (U)sum[i];
}

/* Without a sampler: offsets of what is inside. */
static inline I offsets_of(const Call *c, I *m)
{
    I offset = {0};

    *m = lanes_of(c->mask);
    for (unsigned d = 0; d < c->dimensions; d++) {
        I i = (I)vector_at(c, c->coordinate + d);

        *m &= (i >= 0) & (i < size_of(c, d));
        offset = moved(offset, i, step_of(c, d));
    }
    return offset;
}

static inline void write_texels(const Call *c)
{
    const HdTexelForm *t = &c->form;
    U word[4] = {{0}, {0}, {0}, {0}};
    I m, offset = offsets_of(c, &m);

    for (unsigned channel = 0; channel < t->channels; channel++) {
        unsigned bit = channel * t->bits, k = 0;

        while (k < 4 && t->source[k] != channel)
            k++;
        k = k < 4 ? k : 0; /* what has no meaning gets red, as in rt/texel.c */
        word[bit / 32] |= encode(t, vector_at(c, c->texel + k)) << bit % 32;
    }
    for (unsigned w = 0; w < c->im->texel_bytes / 4; w++)
        scatter(c->im->at + c->im->level[0].offset + (size_t)w * 4, offset, m, word[w]);
}

static inline void act(const Call *c)
{
    bool is_float = (c->how & HD_IMAGE_FLOATS) != 0;
    I m, offset;
    U out[4];

    switch (HD_IMAGE_OPERATION(c->how)) {
    case HD_IMAGE_SAMPLE:
        if ((c->sampler & HD_SAMPLER_LINEAR) != 0 && is_float &&
            HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F32)
            sample_linear(c, out);
        else
            sample_nearest(c, is_float, out);
        break;
    case HD_IMAGE_READ:
        offset = offsets_of(c, &m);
        load_texels(c, c->im->at + c->im->level[0].offset, offset, m, out);
        break;
    default: write_texels(c); return;
    }
    for (unsigned k = 0; k < 4; k++)
        give(c, k, out[k]);
}

/* ---- what goes this way ------------------------------------------------------------------------
 */

static inline bool is_usual_call(uint32_t how, uint32_t lanes)
{
    bool samples = HD_IMAGE_OPERATION(how) == HD_IMAGE_SAMPLE;
    uint32_t rare = HD_IMAGE_ARRAYED | HD_IMAGE_SCALAR | HD_IMAGE_SAMPLE_NUMBER;

    /* Of one level a sample's level of detail chooses nothing. */
    return (how & (samples ? rare : rare | HD_IMAGE_LOD)) == 0 && lanes >= 8 &&
           (how & HD_IMAGE_SHARED) != 0 && HD_IMAGE_COMPONENT(how) != HD_IMAGE_F16;
}

/* Are its texels where 32-bit offsets reach, and of a form for vectors? */
static inline bool is_usual_image(const Call *c)
{
    const HdImage *im = c->im;
    const HdImageLevel *l = &im->level[0];
    const HdTexelForm *t = &c->form;
    bool is_int = t->kind == HD_KIND_SINT || t->kind == HD_KIND_UINT;

    if (!t->is_plain || (t->kind == HD_KIND_FLOAT && t->bits != 32) || im->levels != 1 ||
        im->samples != 1 || im->bytes > INT32_MAX || l->width > INT32_MAX ||
        l->height > INT32_MAX || l->depth > INT32_MAX ||
        is_int != (HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_I32))
        return false;
    if (im->texel_bytes >= 4)
        return true;
    if (HD_IMAGE_OPERATION(c->how) == HD_IMAGE_WRITE)
        return false;
    return im->texel_bytes == 1 || (((uintptr_t)im->at | l->offset | l->row | l->slice) & 1) == 0;
}

static inline void find_operands(Call *c)
{
    bool samples = HD_IMAGE_OPERATION(c->how) == HD_IMAGE_SAMPLE;
    uint64_t image;

    memcpy(&image, slot(c, 0), 8);
    c->im = (const HdImage *)(uintptr_t)image;
    hd_rt_texel_form(c->im, &c->form);
    c->dimensions = HD_IMAGE_COORDS(c->how);
    c->coordinate = samples ? 2 : 1;
    c->texel = c->coordinate + c->dimensions;
    if (samples)
        memcpy(&c->sampler, slot(c, 1), 8);
}

void IMAGE_CALL(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
    Call c = {.how = how, .lanes = lanes, .operands = operands, .results = results};

    if (!is_usual_call(how, lanes)) {
        hd_rt_image(how, lanes, mask, operands, results);
        return;
    }
    find_operands(&c);
    if (!is_usual_image(&c)) {
        hd_rt_image(how, lanes, mask, operands, results);
        return;
    }
    for (c.block = 0; c.block < lanes; c.block += BLOCK) {
        c.mask = mask >> c.block & 0xffff;
        act(&c);
    }
}
