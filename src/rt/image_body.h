/* rt/image_body.h -- images of the usual kinds, a vector of a sub-group's lanes at a time.
 *
 * The including file is compiled for one instruction set and defines IMAGE_CALL, the name of its
 * function. One image and sampler for all lanes, and one level; what is left (lanes with images or
 * levels of their own, multi-sampled images, gradients) goes to hd_rt_image, and every bit of a
 * result is what that gives. Lanes of no meaning are computed along.
 *
 * Accesses to flat images (HD_IMAGE_FLAT_READ and the like) have functions of their own, and in
 * them the common forms of texels code of their own, in which nothing is asked that is known: a
 * function's `form` is a constant there, a copy of the image's elsewhere.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/image_texel.h"

typedef struct Call {
    uint32_t how, lanes;
    const unsigned char *operands;
    unsigned char *results;
    const HdImage *im;
    const HdImageLevel *level;
    HdTexelForm form;
    unsigned bytes; /* of a texel */
    uint64_t sampler;
    unsigned coordinate, dimensions, lod, texel; /* numbers of operands; the second one: of them */
    unsigned need;                               /* places of Values that are looked at */
    float further;                               /* the weight of the next level */
    unsigned block;                              /* the lane that vectors begin with */
    M mask;                                      /* of these lanes */
} Call;

INLINE const HdImage *image_of(const void *operands)
{
    uint64_t image;

    memcpy(&image, operands, sizeof image);
    return (const HdImage *)(uintptr_t)image;
}

INLINE const unsigned char *slot(const Call *c, unsigned operand)
{
    return c->operands + (size_t)operand * 8 * c->lanes;
}

/* Words of an operand. */
INLINE U vector_at(const Call *c, unsigned operand)
{
    U v;

    memcpy(&v, slot(c, operand) + (size_t)c->block * 4, sizeof v);
    return v;
}

INLINE bool is_half(const Call *c)
{
    return HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F16;
}

INLINE U component_at(const Call *c, unsigned k)
{
    H h;

    if ((c->how & HD_IMAGE_SCALAR) != 0 && k > 0)
        return (U){0};
    if (!is_half(c))
        return vector_at(c, c->texel + k);
    memcpy(&h, slot(c, c->texel + k) + (size_t)c->block * 2, sizeof h);
    return (U)widen_halves(h);
}

INLINE void give(const Call *c, unsigned component, U v)
{
    unsigned char *to = c->results + (size_t)component * 8 * c->lanes;
    H h;

    if (is_half(c)) {
        h = to_halves((F)v);
        memcpy(to + (size_t)c->block * 2, &h, sizeof h);
    } else {
        memcpy(to + (size_t)c->block * 4, &v, sizeof v);
    }
}

/* ---- addressing: as in rt/image.c, where it is explained ---------------------------------------
 */

INLINE F nearest_whole(F f)
{
    M is_small = both(less(float_of(-4194304.0f), f), less(f, float_of(4194304.0f)));

    return choose_f(is_small, rounded(f), f);
}

/* Of sizes that floats hold exactly. */
INLINE I index_of(F f, int32_t size)
{
    return to_int(least_float(most_float(floor_of(f), float_of(-1.0f)), float_of((float)size)));
}

INLINE bool repeats(uint64_t sampler, unsigned mode)
{
    return (sampler & 0xff) == mode && (sampler & HD_SAMPLER_NORMALISED) != 0;
}

INLINE F scaled(uint64_t sampler, F s, int32_t size)
{
    F whole = float_of((float)size);

    if (repeats(sampler, HD_ADDRESS_REPEAT))
        return (s - floor_of(s)) * whole;
    if (repeats(sampler, HD_ADDRESS_MIRROR))
        return (F)((U)(s - float_of(2.0f) * nearest_whole(float_of(0.5f) * s)) & 0x7fffffffu) *
               whole;
    return (sampler & HD_SAMPLER_NORMALISED) != 0 ? s * whole : s;
}

/* Indices that may be outside, to where the mode puts them; those on the border leave m. */
INLINE I settle(uint64_t sampler, I i, int32_t size, M *m)
{
    unsigned mode = sampler & 0xff;

    if (mode == HD_ADDRESS_NONE || mode == HD_ADDRESS_BORDER) {
        *m = both(*m, inside(i, size));
        return i;
    }
    return most(least(i, all_of(size - 1)), (I){0});
}

INLINE int32_t size_of(const Call *c, unsigned dimension)
{
    const HdImageLevel *l = c->level;

    return (int32_t)(dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth);
}

/* Bytes that an index in a dimension is worth; of indices outside, whose texels nobody loads,
 * anything may come. */
INLINE I bytes_of(const Call *c, unsigned dimension, I i)
{
    if (dimension == 0)
        return (I)((U)i << (uint32_t)__builtin_ctz(c->bytes));
    return (I)((U)i * (uint32_t)(dimension == 1 ? c->level->row : c->level->slice));
}

INLINE I moved(I offset, I bytes)
{
    return (I)((U)offset + (U)bytes);
}

/* What the layers add that a sampled coordinate names. */
INLINE I layers_of(const Call *c)
{
    int32_t highest = (int32_t)c->im->layers - 1;
    U x;
    I i;

    if ((c->how & HD_IMAGE_ARRAYED) == 0 || highest < 0)
        return (I){0};
    x = vector_at(c, c->coordinate + c->dimensions);
    i = (c->how & HD_IMAGE_FLOATS) != 0 ? index_of(nearest_whole((F)x), highest + 1) : (I)x;
    return bytes_of(c, 2, most(least(i, all_of(highest)), (I){0}));
}

/* ---- the operations ----------------------------------------------------------------------------
 */

INLINE void load_texels(const Call *c, I offset, M m, Values *v)
{
    const HdTexelForm *form = &c->form;
    U word[4];

    load_words(c->bytes, c->need, c->im->at + c->level->offset, c->im->at + c->im->bytes, offset, m,
               word);
    decode(form->coding, c->need, word, v);
    if ((c->need & NEED(HD_TEXEL_ONE)) != 0) {
        U one = word_of(form->is_int ? 1 : 0x3f800000);

        v->at[HD_TEXEL_ONE] = form->has_opaque_border ? one : kept(m, one);
    }
    if ((c->need & NEED(HD_TEXEL_ZERO)) != 0)
        v->at[HD_TEXEL_ZERO] = (U){0};
}

INLINE void sample_nearest(const Call *c, unsigned dimensions, Values *v)
{
    M m = c->mask;
    I offset = dimensions == 2 && (c->how & HD_IMAGE_ARRAYED) == 0 ? (I){0} : layers_of(c);

    for (unsigned d = 0; d < dimensions; d++) {
        U x = vector_at(c, c->coordinate + d);
        int32_t size = size_of(c, d);
        I i = (I)x;

        if ((c->how & HD_IMAGE_FLOATS) != 0) {
            i = index_of(scaled(c->sampler, (F)x, size), size);
            if (repeats(c->sampler, HD_ADDRESS_REPEAT))
                i = (I)kept(inside(i, size), (U)i);
            else
                i = settle(c->sampler, i, size, &m);
        } else {
            i = settle(c->sampler, i, size, &m);
        }
        offset = moved(offset, bytes_of(c, d, i));
    }
    load_texels(c, offset, m, v);
}

/* Two neighbours in one dimension. */
typedef struct Pair {
    I offset[2];
    M is_inside[2];
    F weight[2];
} Pair;

INLINE void find_pair(const Call *c, unsigned d, Pair *p)
{
    int32_t size = size_of(c, d);
    F u = scaled(c->sampler, (F)vector_at(c, c->coordinate + d), size) - 0.5f, low = floor_of(u);

    for (unsigned k = 0; k < 2; k++) {
        I i = index_of(k == 0 ? low : low + 1.0f, size);

        p->is_inside[k] = lanes_of(0xffff);
        if (repeats(c->sampler, HD_ADDRESS_REPEAT))
            i = choose_i(inside(i, size), i, (I)kept(equal(i, all_of(-1)), (U)all_of(size - 1)));
        else
            i = settle(c->sampler, i, size, &p->is_inside[k]);
        p->offset[k] = bytes_of(c, d, i);
    }
    p->weight[1] = u - low;
    p->weight[0] = 1.0f - p->weight[1];
}

#define PLACES(x) PLACE(0, x) PLACE(1, x) PLACE(2, x) PLACE(3, x) PLACE(4, x) PLACE(5, x)
#define PLACE(place, x)               \
    if ((c->need & NEED(place)) != 0) \
        v->at[place] = (U)(x(place));

#define WEIGHTED(place) ((F)v->at[place] + weight * (F)corner.at[place])
#define BLACK(place)    ((F){0})

/* The texel that bits of k choose among two neighbours in each dimension, with its weight. */
INLINE void add_corner(const Call *c, unsigned dimensions, I base, const Pair *pairs, unsigned k,
                       Values *v)
{
    F weight = pairs[0].weight[k & 1];
    I offset = moved(base, pairs[0].offset[k & 1]);
    M m = both(c->mask, pairs[0].is_inside[k & 1]);
    Values corner;

    for (unsigned d = 1; d < dimensions; d++) {
        offset = moved(offset, pairs[d].offset[k >> d & 1]);
        m = both(m, pairs[d].is_inside[k >> d & 1]);
        weight *= pairs[d].weight[k >> d & 1];
    }
    load_texels(c, offset, m, &corner);
    PLACES(WEIGHTED)
}

/* Straight code where dimensions, two of them, and form are constants. */
INLINE void sample_linear(const Call *c, unsigned dimensions, bool is_common, Values *v)
{
    I base = dimensions == 2 && (c->how & HD_IMAGE_ARRAYED) == 0 ? (I){0} : layers_of(c);
    Pair pairs[3];

    for (unsigned d = 0; d < dimensions; d++)
        find_pair(c, d, &pairs[d]);
    PLACES(BLACK)
    if (is_common) {
        add_corner(c, 2, base, pairs, 0, v);
        add_corner(c, 2, base, pairs, 1, v);
        add_corner(c, 2, base, pairs, 2, v);
        add_corner(c, 2, base, pairs, 3, v);
        return;
    }
    for (unsigned k = 0; k < 1u << dimensions; k++)
        add_corner(c, dimensions, base, pairs, k, v);
}

INLINE bool is_linear(const Call *c)
{
    return (c->sampler & HD_SAMPLER_LINEAR) != 0 && (c->how & HD_IMAGE_FLOATS) != 0 &&
           HD_IMAGE_COMPONENT(c->how) != HD_IMAGE_I32;
}

/* Without a sampler: offsets of what is inside. */
INLINE I offsets_of(const Call *c, unsigned dimensions, M *m)
{
    I offset = {0};

    *m = c->mask;
    for (unsigned d = 0; d < dimensions; d++) {
        I i = (I)vector_at(c, c->coordinate + d);

        *m = both(*m, inside(i, size_of(c, d)));
        offset = moved(offset, bytes_of(c, d, i));
    }
    if ((c->how & HD_IMAGE_ARRAYED) != 0) {
        I i = (I)vector_at(c, c->coordinate + dimensions);

        *m = both(*m, inside(i, (int32_t)c->im->layers));
        offset = moved(offset, bytes_of(c, 2, i));
    }
    return offset;
}

INLINE void write_texels(const Call *c, unsigned dimensions)
{
    U word[4], component[4];
    M m;
    I offset = offsets_of(c, dimensions, &m);

    for (unsigned k = 0; k < 4; k++)
        component[k] = component_at(c, k);
    encode_words(c->form.coding, c->form.channels, c->form.stored, component, word);
    store_words(c->bytes, c->im->at + c->level->offset, offset, m, word);
}

#define GIVE(k)                                                                                   \
    if ((HD_IMAGE_UNUSED(c->how) >> (k)&1) == 0 && ((k) == 0 || (c->how & HD_IMAGE_SCALAR) == 0)) \
        give(c, k, v->at[c->form.source[k]]);

INLINE void give_values(const Call *c, const Values *v){GIVE(0) GIVE(1) GIVE(2) GIVE(3)}

/* ---- flat images -------------------------------------------------------------------------------
 */

INLINE void act_flat(Call *c, unsigned way, bool is_common)
{
    Values v;
    M m;

    switch (way) {
    case HD_IMAGE_FLAT_WRITE: write_texels(c, 2); return;
    case HD_IMAGE_FLAT_READ: {
        I offset = offsets_of(c, 2, &m);

        load_texels(c, offset, m, &v);
        break;
    }
    case HD_IMAGE_FLAT_INTS: sample_nearest(c, 2, &v); break;
    default:
        if (is_linear(c))
            sample_linear(c, 2, is_common, &v);
        else
            sample_nearest(c, 2, &v);
    }
    give_values(c, &v);
}

/* What is known of a form. */
INLINE void know_form(Call *c, unsigned coding, unsigned bytes, unsigned channels,
                      bool is_blue_first)
{
    unsigned wanted = ~HD_IMAGE_UNUSED(c->how) & 15u;
    bool is_int = HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_I32;

    c->bytes = bytes;
    if (coding != HD_CODING_WORDS) { /* which are floats or integers */
        c->how &= ~(3u << HD_IMAGE_COMPONENT_AT);
        c->how |= coding == HD_CODING_UINT8 ? HD_IMAGE_I32 << HD_IMAGE_COMPONENT_AT : 0;
    }
    if (channels == 1) {
        c->form = (HdTexelForm){.coding = (uint8_t)coding,
                                .channels = 1,
                                .is_int = is_int,
                                .has_opaque_border = true,
                                .source = {0, HD_TEXEL_ZERO, HD_TEXEL_ZERO, HD_TEXEL_ONE}};
        c->need = (wanted & 1) | ((wanted & 6) != 0 ? NEED(HD_TEXEL_ZERO) : 0) |
                  ((wanted & 8) != 0 ? NEED(HD_TEXEL_ONE) : 0);
    } else if (is_blue_first) {
        c->form = (HdTexelForm){.coding = (uint8_t)coding,
                                .channels = 4,
                                .source = {2, 1, 0, 3},
                                .stored = {2, 1, 0, 3}};
        c->need = (wanted & 10) | (wanted & 1) << 2 | (wanted >> 2 & 1);
    } else {
        c->form = (HdTexelForm){.coding = (uint8_t)coding,
                                .channels = 4,
                                .source = {0, 1, 2, 3},
                                .stored = {0, 1, 2, 3}};
        c->need = wanted;
    }
}

/* One of the common forms. */
INLINE void know(Call *c, HdCommonForm common)
{
    switch (common) {
    case HD_COMMON_RGBA8: know_form(c, HD_CODING_UNORM8, 4, 4, false); break;
    case HD_COMMON_BGRA8: know_form(c, HD_CODING_UNORM8, 4, 4, true); break;
    case HD_COMMON_R8: know_form(c, HD_CODING_UNORM8, 1, 1, false); break;
    case HD_COMMON_RGBA8_INT: know_form(c, HD_CODING_UINT8, 4, 4, false); break;
    case HD_COMMON_RGBA16F: know_form(c, HD_CODING_HALF, 8, 4, false); break;
    case HD_COMMON_R32: know_form(c, HD_CODING_WORDS, 4, 1, false); break;
    case HD_COMMON_RGBA32: know_form(c, HD_CODING_WORDS, 16, 4, false); break;
    default: __builtin_unreachable();
    }
}

INLINE void find_needs(Call *c)
{
    unsigned wanted = ~HD_IMAGE_UNUSED(c->how) & ((c->how & HD_IMAGE_SCALAR) != 0 ? 1u : 15u);

    c->form = c->im->form;
    c->bytes = c->im->texel_bytes;
    c->need = 0;
    for (unsigned k = 0; k < 4; k++)
        c->need |= (wanted >> k & 1) << c->form.source[k];
}

/* Lanes from `block` on, as many as a vector has. */
#define FLAT \
    uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results, unsigned block

INLINE void flat(unsigned way, HdCommonForm common, FLAT)
{
    /* Other bits are known. */
    uint32_t open = 15u << HD_IMAGE_UNUSED_AT | HD_IMAGE_I32 << HD_IMAGE_COMPONENT_AT;
    Call c = {.how = (how & open) | (way == HD_IMAGE_FLAT_FLOATS ? HD_IMAGE_FLOATS : 0),
              .lanes = lanes,
              .operands = operands,
              .results = results,
              .block = block,
              .mask = lanes_of(mask)};
    bool samples = way == HD_IMAGE_FLAT_INTS || way == HD_IMAGE_FLAT_FLOATS;

    if (lanes < 8)
        __builtin_unreachable();
    c.im = image_of(operands);
    c.level = &c.im->level[0];
    c.coordinate = samples ? 2 : 1;
    c.texel = c.coordinate + 2;
    if (samples)
        memcpy(&c.sampler, slot(&c, 1), 8);
    if (common == HD_COMMON_NONE)
        find_needs(&c);
    else
        know(&c, common);
    act_flat(&c, way, common != HD_COMMON_NONE);
}

/* A function for each way and form, with no more of a frame than that needs. */
#define WAY(way, common)                                                                      \
    static void way##_##common(FLAT)                                                          \
    {                                                                                         \
        flat(HD_IMAGE_##way, HD_COMMON_##common, how, lanes, mask, operands, results, block); \
    }
#define EACH_FORM(row, way)                                                         \
    row(way, NONE) row(way, RGBA8) row(way, BGRA8) row(way, R8) row(way, RGBA8_INT) \
        row(way, RGBA16F) row(way, R32) row(way, RGBA32)

EACH_FORM(WAY, FLAT_INTS)
EACH_FORM(WAY, FLAT_FLOATS)
EACH_FORM(WAY, FLAT_READ)
EACH_FORM(WAY, FLAT_WRITE)

/* ---- other images ------------------------------------------------------------------------------
 */

#define BLOCKS                                                        \
    for (c->block = 0, c->mask = lanes_of(mask); c->block < c->lanes; \
         c->block += BLOCK, c->mask = lanes_of(mask >> (c->block & 63)))

static void read_any(Call *c, uint64_t mask)
{
    Values v;
    M m;

    BLOCKS
    {
        I offset = offsets_of(c, c->dimensions, &m);

        load_texels(c, offset, m, &v);
        give_values(c, &v);
    }
}

static void write_any(Call *c, uint64_t mask)
{
    BLOCKS
    write_texels(c, c->dimensions);
}

static void sample_any(Call *c, uint64_t mask)
{
    const HdImageLevel *level = c->level;
    Values values[2];

    BLOCKS
    {
        for (unsigned i = 0; i < (c->further > 0.0f ? 2 : 1); i++) {
            Values *v = &values[i];

            c->level = level + i;
            if (is_linear(c))
                sample_linear(c, c->dimensions, false, v);
            else
                sample_nearest(c, c->dimensions, v);
        }
        if (c->further > 0.0f)
            for (unsigned i = 0; i < 6; i++)
                if ((c->need & NEED(i)) != 0)
                    values[0].at[i] = (U)((1.0f - c->further) * (F)values[0].at[i] +
                                          c->further * (F)values[1].at[i]);
        give_values(c, &values[0]);
    }
}

/* ---- what goes this way ------------------------------------------------------------------------
 */

INLINE bool is_usual_call(uint32_t how, uint32_t lanes)
{
    return (how & HD_IMAGE_SAMPLE_NUMBER) == 0 && lanes >= 8 && (how & HD_IMAGE_SHARED) != 0 &&
           HD_IMAGE_COMPONENT(how) != HD_IMAGE_I64;
}

INLINE bool is_usual_image(const Call *c)
{
    return c->im->form.coding != HD_CODING_OTHER &&
           c->im->form.is_int == (HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_I32);
}

/* Have all lanes of the mask the same word? */
static bool is_same(const Call *c, unsigned operand, uint64_t mask, uint32_t *word)
{
    const unsigned char *at = slot(c, operand);

    memcpy(word, at + (mask != 0 ? (size_t)__builtin_ctzll(mask) : 0) * 4, 4);
    for (; mask != 0; mask &= mask - 1) {
        uint32_t one;

        memcpy(&one, at + (size_t)__builtin_ctzll(mask) * 4, 4);
        if (one != *word)
            return false;
    }
    return true;
}

/* The level of an image that has several, or that is asked for one by number. */
static bool find_level(Call *c, uint64_t mask)
{
    bool samples = HD_IMAGE_OPERATION(c->how) == HD_IMAGE_SAMPLE;
    uint32_t word = 0;
    float lod;

    if (samples && c->im->levels == 1)
        return true;
    if ((c->how & HD_IMAGE_GRAD) != 0 ||
        ((c->how & HD_IMAGE_LOD) != 0 && !is_same(c, c->lod, mask, &word)))
        return false;
    if (samples) {
        memcpy(&lod, &word, sizeof lod);
        word = hd_rt_image_level(c->im, c->sampler, lod, HD_IMAGE_COMPONENT(c->how) != HD_IMAGE_I32,
                                 &c->further);
    }
    if (word >= c->im->levels)
        return false;
    c->level = &c->im->level[word];
    return true;
}

INLINE void find_operands(Call *c)
{
    bool samples = HD_IMAGE_OPERATION(c->how) == HD_IMAGE_SAMPLE;

    c->im = image_of(c->operands);
    c->level = &c->im->level[0];
    c->coordinate = samples ? 2 : 1;
    c->lod = c->coordinate + HD_IMAGE_COORDS(c->how);
    c->texel = c->lod + ((c->how & HD_IMAGE_LOD) != 0);
    c->dimensions = HD_IMAGE_COORDS(c->how) - ((c->how & HD_IMAGE_ARRAYED) != 0);
    c->further = 0.0f;
    find_needs(c);
    if (samples)
        memcpy(&c->sampler, slot(c, 1), 8);
}

static void any_way(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands,
                    void *results)
{
    Call c = {.how = how, .lanes = lanes, .operands = operands, .results = results};

    if (!is_usual_call(how, lanes)) {
        hd_rt_image(how, lanes, mask, operands, results);
        return;
    }
    find_operands(&c);
    if (!is_usual_image(&c) ||
        ((c.im->levels > 1 || (how & HD_IMAGE_LOD) != 0) && !find_level(&c, mask))) {
        hd_rt_image(how, lanes, mask, operands, results);
        return;
    }
    switch (HD_IMAGE_OPERATION(how)) {
    case HD_IMAGE_SAMPLE: sample_any(&c, mask); break;
    case HD_IMAGE_READ: read_any(&c, mask); break;
    default: write_any(&c, mask);
    }
}

#include "rt/lookup_body.h"

void IMAGE_CALL(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
#define ENTRY(way, common) [HD_IMAGE_##way][HD_COMMON_##common] = way##_##common,
    static void (*const ways[HD_IMAGE_WAYS][HD_COMMON_FORMS])(FLAT) = {
        EACH_FORM(ENTRY, FLAT_INTS) EACH_FORM(ENTRY, FLAT_FLOATS) EACH_FORM(ENTRY, FLAT_READ)
            EACH_FORM(ENTRY, FLAT_WRITE)};
    const HdTexelForm *form;
    unsigned way, block = 0;

    if (BLOCK == 16 && lanes == 8) { /* half of each vector would have no meaning */
        hd_rt_image_v3(how, lanes, mask, operands, results);
        return;
    }
    if (HD_IMAGE_OPERATION(how) == HD_IMAGE_LOOKUP) {
        if (!look_up_flat(how, lanes, mask, operands, results) &&
            !look_up(how, lanes, mask, operands, results))
            hd_rt_lookup(how, lanes, mask, operands, results);
        return;
    }
    form = &image_of(operands)->form;
    way = HD_IMAGE_WAY(how);
    if (way == HD_IMAGE_ANY_WAY || form->flat != 1 + HD_IMAGE_COMPONENT(how)) {
        any_way(how, lanes, mask, operands, results);
        return;
    }
    for (; block + BLOCK < lanes; block += BLOCK, mask >>= BLOCK)
        ways[way][form->common](how, lanes, mask, operands, results, block);
    ways[way][form->common](how, lanes, mask, operands, results, block);
}
