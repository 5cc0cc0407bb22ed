/* rt/lookup_body.h -- lookups of shaders, a vector of a sub-group's lanes at a time. Part of
 * rt/image_body.h.
 *
 * One image and sampler for all lanes; lanes that see different levels are served level by level.
 * What is left (cubes, gathers with four offsets, queries, extremes instead of averages,
 * coordinates that are far outside of an image that repeats) goes to hd_rt_lookup, and every bit of
 * a result is what that gives.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/lookup.h"

/* Indexes that far from 0 are not taken modulo a size in 32 bits. */
#define MOST_REPEATED 4194304.0f

typedef struct Look {
    Call c;
    const HdSampler *sampler;
    HdLookupOperands operands;
    unsigned component; /* that is gathered */
    bool is_unnormalised, has_border;
    uint8_t wrap[3];
    uint32_t border[4]; /* components of its colour */
    bool is_known;      /* form and what is needed are constants */
} Look;

/* What lanes of a block choose. */
typedef struct Levels {
    uint32_t level[BLOCK];
    float further[BLOCK];
    bool linear[BLOCK];
} Levels;

INLINE bool has(const Look *k, uint32_t bits)
{
    return (k->c.how & bits) != 0;
}

/* ---- wrapping ----------------------------------------------------------------------------------
 */

/* Of lanes that read; those that do not may have any number. */
INLINE I modulo(I i, int32_t size)
{
    U all = word_of((uint32_t)size), r;

    if ((size & (size - 1)) == 0)
        return i & all_of(size - 1);
    r = (U)i - (U)to_int(floor_of(to_float(i) * (1.0f / (float)size))) * all; /* or one off */
    r += (U)((I)r >> 31) & all;
    r -= all;
    return (I)(r + ((U)((I)r >> 31) & all));
}

INLINE F clamped(F f, int32_t size)
{
    return least_float(most_float(f, (F){0}), float_of((float)(size - 1)));
}

/* Whole numbers to indexes; those on the border leave m. Of no number it is as of -1. */
INLINE I wrapped(unsigned mode, F f, int32_t size, M *m)
{
    I i;

    switch (mode) {
    case HD_WRAP_REPEAT: return modulo(to_int(f), size);
    case HD_WRAP_MIRROR:
        i = (I)((U)modulo(to_int(f), 2 * size) - word_of((uint32_t)size));
        return all_of(size - 1) - (i ^ (i >> 31));
    case HD_WRAP_EDGE: break;
    case HD_WRAP_MIRROR_EDGE: f = choose_f(less(f, (F){0}), float_of(-1.0f) - f, f); break;
    default: *m = both(*m, both(less_equal((F){0}, f), less(f, float_of((float)size)))); break;
    }
    return to_int(clamped(f, size));
}

/* Can the lanes of a mask be wrapped? */
INLINE bool is_near(unsigned mode, F f, M m)
{
    F size = (F)((U)f & 0x7fffffffu);

    return (mode != HD_WRAP_REPEAT && mode != HD_WRAP_MIRROR) ||
           is_within(m, less(size, float_of(MOST_REPEATED)));
}

/* ---- texels ------------------------------------------------------------------------------------
 */

INLINE int32_t extent(const HdImageLevel *l, unsigned d)
{
    return (int32_t)(d == 0 ? l->width : d == 1 ? l->height : l->depth);
}

INLINE I step_by(const Look *k, const HdImageLevel *l, unsigned d, I i)
{
    if (d == 0)
        return (I)((U)i << (uint32_t)__builtin_ctz(k->c.bytes));
    return (I)((U)i * (uint32_t)(d == 1 ? l->row : l->slice));
}

/* The coordinate in texels of a level. */
INLINE F located(const Look *k, const HdImageLevel *l, unsigned d)
{
    F x = (F)vector_at(&k->c, k->c.coordinate + d);

    if (!k->is_unnormalised)
        x = x * float_of((float)extent(l, d));
    return has(k, HD_LOOKUP_OFFSET) ? x + to_float((I)vector_at(&k->c, k->operands.offset + d)) : x;
}

/* The nearest layer that there is. */
INLINE I layers_looked_up(const Look *k, const HdImageLevel *l)
{
    int32_t count = (int32_t)k->c.im->layers;
    F x;

    if (!has(k, HD_IMAGE_ARRAYED) || count == 0)
        return (I){0};
    x = (F)vector_at(&k->c, k->c.coordinate + k->c.dimensions);
    return step_by(k, l, 2, to_int(clamped(rounded(x), count)));
}

INLINE U compared(const Look *k, U texel)
{
    F r = (F)vector_at(&k->c, k->operands.fifth), x = (F)texel;
    U one = word_of(0x3f800000), no = {0};
    M equal;

    if (k->c.im->form.is_unorm)
        r = least_float(most_float(r, (F){0}), float_of(1.0f));
    equal = both(less_equal(r, x), less_equal(x, r));
    switch (k->sampler->compare) {
    case HD_COMPARE_NEVER: return no;
    case HD_COMPARE_LESS: return kept(less(r, x), one);
    case HD_COMPARE_EQUAL: return kept(equal, one);
    case HD_COMPARE_LESS_OR_EQUAL: return kept(less_equal(r, x), one);
    case HD_COMPARE_GREATER: return kept(less(x, r), one);
    case HD_COMPARE_NOT_EQUAL: return choose(equal, no, one);
    case HD_COMPARE_GREATER_OR_EQUAL: return kept(less_equal(x, r), one);
    default: return one;
    }
}

#define WANTED(component)                                                                      \
    if ((wanted >> (component)&1) != 0) {                                                      \
        out[component] = v.at[k->c.form.source[component]];                                    \
        if (k->has_border)                                                                     \
            out[component] = choose(is_inside, out[component], word_of(k->border[component])); \
    }

/* Components of the texels of a mask; those of others have no meaning. */
INLINE void load_form(const Look *k, const HdImageLevel *l, I offset, M m, M is_inside,
                      unsigned wanted, U *out)
{
    const HdTexelForm *form = &k->c.form;
    U word[4];
    Values v;

    load_words(k->c.bytes, k->c.need, k->c.im->at + l->offset, k->c.im->at + k->c.im->bytes, offset,
               both(m, is_inside), word);
    decode(form->coding, k->c.need, word, &v);
    v.at[HD_TEXEL_ONE] = word_of(form->is_int ? 1 : 0x3f800000);
    v.at[HD_TEXEL_ZERO] = (U){0};
    WANTED(0)
    WANTED(1)
    WANTED(2)
    WANTED(3)
    if (has(k, HD_LOOKUP_REFERENCE))
        out[0] = compared(k, out[0]);
}
#undef WANTED

static __attribute__((noinline)) void load_any_form(const Look *k, const HdImageLevel *l,
                                                    const I *offset, M m, M is_inside,
                                                    unsigned wanted, U *out)
{
    load_form(k, l, *offset, m, is_inside, wanted, out);
}

INLINE void load_looked_up(const Look *k, const HdImageLevel *l, I offset, M m, M is_inside,
                           unsigned wanted, U *out)
{
    if (k->is_known)
        load_form(k, l, offset, m, is_inside, wanted, out);
    else
        load_any_form(k, l, &offset, m, is_inside, wanted, out);
}

INLINE unsigned wanted_of(const Look *k)
{
    return has(k, HD_LOOKUP_GATHER) ? 1u << k->component : ~HD_IMAGE_UNUSED(k->c.how) & 15u;
}

INLINE bool see_nearest(const Look *k, const HdImageLevel *l, unsigned dimensions, M m, U *out)
{
    M is_inside = lanes_of(0xffff);
    I offset = layers_looked_up(k, l);

    for (unsigned d = 0; d < dimensions; d++) {
        unsigned mode = k->wrap[d];
        F f = floor_of(located(k, l, d));

        if (!is_near(mode, f, m))
            return false;
        offset = moved(offset, step_by(k, l, d, wrapped(mode, f, extent(l, d), &is_inside)));
    }
    load_looked_up(k, l, offset, m, is_inside, wanted_of(k), out);
    return true;
}

INLINE bool find_sides(const Look *k, const HdImageLevel *l, unsigned d, M m, Pair *p)
{
    unsigned mode = k->wrap[d];
    F x = located(k, l, d) - float_of(0.5f), low = floor_of(x);

    if (!is_near(mode, low, m))
        return false;
    if (has(k, HD_LOOKUP_GATHER)) /* what is no number is -1, whose neighbour is 0 */
        low = choose_f(less_equal(low, low), low, float_of(-1.0f));
    for (unsigned i = 0; i < 2; i++) {
        p->is_inside[i] = lanes_of(0xffff);
        p->offset[i] = step_by(
            k, l, d,
            wrapped(mode, i == 0 ? low : low + float_of(1.0f), extent(l, d), &p->is_inside[i]));
    }
    p->weight[1] = x - low;
    p->weight[0] = float_of(1.0f) - p->weight[1];
    return true;
}

/* The corner that bits of n choose among two neighbours in each dimension, with its weight. */
INLINE F see_corner(const Look *k, const HdImageLevel *l, unsigned dimensions, I base,
                    const Pair *pairs, unsigned n, M m, U *out)
{
    F weight = pairs[0].weight[n & 1];
    I offset = moved(base, pairs[0].offset[n & 1]);
    M is_inside = pairs[0].is_inside[n & 1];

    for (unsigned d = 1; d < dimensions; d++) {
        offset = moved(offset, pairs[d].offset[n >> d & 1]);
        is_inside = both(is_inside, pairs[d].is_inside[n >> d & 1]);
        weight *= pairs[d].weight[n >> d & 1];
    }
    load_looked_up(k, l, offset, m, is_inside, wanted_of(k), out);
    return weight;
}

/* -0 is what adding leaves as it is. Texels without a weight have to be left out where they may be
 * infinite or below zero. */
INLINE void add_looked_up(F weight, bool is_tame, unsigned wanted, const U *texel, F *sum)
{
    M is_none = less_equal((F)((U)weight & 0x7fffffffu), (F){0});

    for (unsigned c = 0; c < 4; c++)
        if ((wanted >> c & 1) != 0)
            sum[c] = is_tame ? sum[c] + weight * (F)texel[c]
                             : choose_f(is_none, sum[c], sum[c] + weight * (F)texel[c]);
}

INLINE bool see_linear(const Look *k, const HdImageLevel *l, unsigned dimensions, bool is_tame, M m,
                       U *out)
{
    const F none = (F)word_of(0x80000000);
    I base = layers_looked_up(k, l);
    F sum[4] = {none, none, none, none};
    unsigned wanted = wanted_of(k);
    Pair pairs[3];
    U texel[4];

    for (unsigned d = 0; d < dimensions; d++)
        if (!find_sides(k, l, d, m, &pairs[d]))
            return false;
#define CORNER(n)                                                                                 \
    add_looked_up(see_corner(k, l, dimensions, base, pairs, n, m, texel), is_tame, wanted, texel, \
                  sum)
    if (k->is_known) { /* straight code */
        CORNER(0);
        CORNER(1);
        CORNER(2);
        CORNER(3);
    }
    for (unsigned n = k->is_known ? 4 : 0; n < 1u << dimensions; n++)
        CORNER(n);
#undef CORNER
    for (unsigned c = 0; c < 4; c++)
        out[c] = (U)sum[c];
    return true;
}

/* Of any form, in any number of dimensions. */
static bool see_any(const Look *k, const HdImageLevel *l, bool linear, M m, U *out)
{
    return linear ? see_linear(k, l, k->c.dimensions, false, m, out)
                  : see_nearest(k, l, k->c.dimensions, m, out);
}

/* One component of four texels. */
static bool gather_texels(const Look *k, U *out)
{
    const HdImageLevel *l = &k->c.im->level[0];
    I base = layers_looked_up(k, l);
    Pair pairs[2];
    U texel[4];

    for (unsigned d = 0; d < 2; d++)
        if (!find_sides(k, l, d, k->c.mask, &pairs[d]))
            return false;
    for (unsigned i = 0; i < 4; i++) {
        see_corner(k, l, 2, base, pairs, hd_lookup_gathered[i], k->c.mask, texel);
        out[i] = texel[k->component];
    }
    return true;
}

/* ---- levels ------------------------------------------------------------------------------------
 */

INLINE float float_of_lane(const Look *k, unsigned operand, unsigned lane)
{
    float f;

    memcpy(&f, slot(&k->c, operand) + (size_t)lane * 4, sizeof f);
    return f;
}

/* Of the lane that is number `lane` of its block. */
static void choose_level(const Look *k, unsigned lane, Levels *out)
{
    HdLookup u = {.im = k->c.im, .sampler = k->sampler, .dimensions = k->c.dimensions};
    unsigned l = k->c.block + lane;

    for (unsigned d = 0; d < u.dimensions && has(k, HD_IMAGE_GRAD); d++)
        for (unsigned g = 0; g < 2; g++)
            u.slope[g][d] = float_of_lane(k, k->operands.lod + g * u.dimensions + d, l);
    hd_lookup_levels(&u, has(k, HD_IMAGE_GRAD),
                     has(k, HD_IMAGE_LOD) ? float_of_lane(k, k->operands.lod, l) : 0.0f,
                     has(k, HD_LOOKUP_BIAS) ? float_of_lane(k, k->operands.bias, l) : 0.0f,
                     has(k, HD_LOOKUP_LEAST) ? float_of_lane(k, k->operands.least, l) : 0.0f);
    out->level[lane] = u.level;
    out->further[lane] = u.further;
    out->linear[lane] = k->sampler->is_linear[u.lod > 0.0f] && !u.im->form.is_int;
}

/* What lanes see of the level that each has chosen, or of the next one. */
static bool see_levels(const Look *k, const Levels *x, unsigned next, uint32_t lanes, U *out)
{
    U texel[4];

    while (lanes != 0) {
        unsigned first = (unsigned)__builtin_ctz(lanes);
        uint32_t same = 0;

        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctz(left);

            same |= (uint32_t)(x->level[l] == x->level[first] && x->linear[l] == x->linear[first])
                    << l;
        }
        if (!see_any(k, &k->c.im->level[x->level[first] + next], x->linear[first], lanes_of(same),
                     texel))
            return false;
        for (unsigned c = 0; c < 4; c++)
            out[c] = choose(lanes_of(same), texel[c], out[c]);
        lanes &= ~same;
    }
    return true;
}

static bool sample_own_levels(const Look *k, U *out)
{
    uint32_t lanes = bits_of(k->c.mask), mixed = 0;
    U second[4] = {{0}};
    Levels x = {.further = {0}};
    F w;

    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        choose_level(k, l, &x);
        mixed |= (uint32_t)(x.further[l] > 0.0f) << l;
    }
    if (!see_levels(k, &x, 0, lanes, out))
        return false;
    if (mixed == 0)
        return true;
    if (!see_levels(k, &x, 1, mixed, second))
        return false;
    memcpy(&w, x.further, sizeof w);
    for (unsigned c = 0; c < 4; c++)
        out[c] = choose(lanes_of(mixed), (U)((float_of(1.0f) - w) * (F)out[c] + w * (F)second[c]),
                        out[c]);
    return true;
}

/* ---- calls -------------------------------------------------------------------------------------
 */

static void find_border(Look *k)
{
    for (unsigned d = 0; d < k->c.dimensions; d++)
        k->has_border |= k->wrap[d] == HD_WRAP_BORDER;
    for (unsigned c = 0; c < 4 && k->has_border; c++)
        k->border[c] = hd_lookup_border(k->sampler, k->c.im, c);
}

static void find_look(Look *k, uint64_t sampler)
{
    const uint32_t how = k->c.how;

    k->sampler = hd_sampler_record(sampler);
    if (k->sampler == NULL)
        return;
    memcpy(k->wrap, k->sampler->wrap, sizeof k->wrap);
    k->is_unnormalised = k->sampler->is_unnormalised;
    k->operands = hd_lookup_operands(how);
    k->c.coordinate = k->operands.coordinate;
    k->c.dimensions = k->operands.dimensions;
    if (has(k, HD_IMAGE_SCALAR))
        k->c.how |= 14u << HD_IMAGE_UNUSED_AT;
}

/* Is there one level, whose texels are taken in one way? */
static bool is_plain(const Look *k)
{
    return k->c.im->levels == 1 &&
           (k->sampler->is_linear[0] == k->sampler->is_linear[1] || k->c.im->form.is_int);
}

static bool is_usual_look(const Look *k)
{
    return !has(k, HD_LOOKUP_CUBE | HD_LOOKUP_OFFSETS | HD_LOOKUP_QUERY) &&
           is_usual_call(k->c.how & ~HD_IMAGE_SAMPLE_NUMBER, k->c.lanes) && k->c.im != NULL &&
           k->c.im->level[0].width != 0;
}

static bool look_at_block(Look *k, bool plain, U *out)
{
    if (has(k, HD_LOOKUP_GATHER))
        return gather_texels(k, out);
    if (plain)
        return see_any(k, &k->c.im->level[0], k->sampler->is_linear[0] && !k->c.im->form.is_int,
                       k->c.mask, out);
    return sample_own_levels(k, out);
}

#define GIVE_LOOKED_UP(n)                         \
    if ((HD_IMAGE_UNUSED(k.c.how) >> (n)&1) == 0) \
        give(&k.c, n, out[n]);

/* ---- flat images, in the usual ways ------------------------------------------------------------
 */

/* One level and one filter, so that levels of detail have no meaning; the same addressing in each
 * dimension. Everything but the image is a constant here. */
INLINE bool look_flat(bool linear, unsigned mode, unsigned dimensions, HdCommonForm common,
                      uint32_t how, uint32_t lanes, uint64_t mask, const void *operands,
                      void *results)
{
    const uint32_t open = 15u << HD_IMAGE_UNUSED_AT | HD_IMAGE_I32 << HD_IMAGE_COMPONENT_AT;
    Look k = {.c = {.how = how & open, .operands = operands, .results = results},
              .wrap = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
              .is_known = true};
    Call *c = &k.c;
    U out[4];

    c->lanes = lanes < BLOCK ? BLOCK : lanes;
    c->im = image_of(operands);
    c->coordinate = 2;
    c->dimensions = dimensions;
    know(c, common);
    BLOCKS
    {
        bool is_tame =
            common == HD_COMMON_RGBA8 || common == HD_COMMON_BGRA8 || common == HD_COMMON_R8;
        bool is_seen = linear ? see_linear(&k, &c->im->level[0], dimensions, is_tame, c->mask, out)
                              : see_nearest(&k, &c->im->level[0], dimensions, c->mask, out);

        if (!is_seen)
            return false;
        GIVE_LOOKED_UP(0)
        GIVE_LOOKED_UP(1)
        GIVE_LOOKED_UP(2)
        GIVE_LOOKED_UP(3)
    }
    return true;
}

#define LOOK_FLAT uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results
#define LOOK(name, linear, mode, dimensions, common)                                               \
    static bool name##_##common(LOOK_FLAT)                                                         \
    {                                                                                              \
        return look_flat(linear, mode, dimensions, HD_COMMON_##common, how, lanes, mask, operands, \
                         results);                                                                 \
    }
#define EACH_COMMON(row, ...)                                                       \
    row(__VA_ARGS__, RGBA8) row(__VA_ARGS__, BGRA8) row(__VA_ARGS__, R8)            \
        row(__VA_ARGS__, RGBA8_INT) row(__VA_ARGS__, RGBA16F) row(__VA_ARGS__, R32) \
            row(__VA_ARGS__, RGBA32)
#define EACH_LOOK(row)                                                                          \
    row(edge_2d_nearest, false, HD_WRAP_EDGE, 2) row(edge_2d_linear, true, HD_WRAP_EDGE, 2)     \
        row(edge_3d_nearest, false, HD_WRAP_EDGE, 3) row(edge_3d_linear, true, HD_WRAP_EDGE, 3) \
            row(repeat_2d_nearest, false, HD_WRAP_REPEAT, 2)                                    \
                row(repeat_2d_linear, true, HD_WRAP_REPEAT, 2)
#define LOOKS(name, linear, mode, dimensions) EACH_COMMON(LOOK, name, linear, mode, dimensions)
EACH_LOOK(LOOKS)

/* The number of a way in the order of EACH_LOOK; -1: it is none of them. */
INLINE int flat_look(uint32_t how, const HdSampler *s)
{
    const uint32_t rare = HD_LOOKUP_CUBE | HD_LOOKUP_REFERENCE | HD_LOOKUP_GATHER |
                          HD_LOOKUP_OFFSET | HD_LOOKUP_OFFSETS | HD_LOOKUP_QUERY |
                          HD_IMAGE_ARRAYED | HD_IMAGE_SCALAR;
    unsigned dimensions = HD_IMAGE_COORDS(how);
    bool is_edge = s->wrap[0] == HD_WRAP_EDGE;

    if ((how & rare) != 0 || dimensions < 2 || s->is_linear[0] != s->is_linear[1] ||
        s->is_unnormalised || s->reduction != HD_REDUCE_AVERAGE || s->wrap[1] != s->wrap[0] ||
        (!is_edge && (s->wrap[0] != HD_WRAP_REPEAT || dimensions == 3)) ||
        (dimensions == 3 && s->wrap[2] != s->wrap[0]))
        return -1;
    return (is_edge ? 2 * (int)(dimensions - 2) : 4) + s->is_linear[0];
}

/* ---- gathers from flat images, in the usual way
 * --------------------------------------------------
 */

/* One channel of texels of a usual form. */
INLINE U load_channel(const Call *c, const HdImageLevel *l, unsigned channel, I offset)
{
    const unsigned coding = c->form.coding;
    const unsigned at = coding == HD_CODING_WORDS  ? channel
                        : coding == HD_CODING_HALF ? channel / 2
                                                   : 0;
    const unsigned shift = coding == HD_CODING_WORDS  ? 0
                           : coding == HD_CODING_HALF ? channel % 2 * 16
                                                      : channel * 8;
    U word;
    Values v;

    load_words(c->bytes < 4 ? c->bytes : 4, NEED(0), c->im->at + l->offset + (size_t)at * 4,
               c->im->at + c->im->bytes, offset, c->mask, &word);
    word >>= word_of(shift);
    decode(coding, NEED(0), &word, &v);
    return v.at[0];
}

/* One component of four texels, at the edge or inside; the form is a constant here. */
INLINE bool gather_flat(HdCommonForm common, unsigned component, LOOK_FLAT)
{
    const uint32_t open = 15u << HD_IMAGE_UNUSED_AT | HD_IMAGE_I32 << HD_IMAGE_COMPONENT_AT;
    Look k = {
        .c = {.how = (how & open) | HD_LOOKUP_GATHER, .operands = operands, .results = results},
        .wrap = {HD_WRAP_EDGE, HD_WRAP_EDGE},
        .is_known = true};
    Call *c = &k.c;
    const HdImageLevel *l;

    c->lanes = lanes < BLOCK ? BLOCK : lanes;
    c->im = image_of(operands);
    c->coordinate = 2;
    l = &c->im->level[0];
    know(c, common);
    if (c->form.source[component] >= c->form.channels)
        return false;
    BLOCKS
    {
        Pair pairs[2];

        for (unsigned d = 0; d < 2; d++)
            (void)find_sides(&k, l, d, c->mask, &pairs[d]);
        for (unsigned i = 0; i < 4; i++)
            if ((HD_IMAGE_UNUSED(c->how) >> i & 1) == 0)
                give(c, i,
                     load_channel(c, l, c->form.source[component],
                                  moved(pairs[0].offset[hd_lookup_gathered[i] & 1],
                                        pairs[1].offset[hd_lookup_gathered[i] >> 1])));
    }
    return true;
}

#define GATHER(name, common)                                                                    \
    static bool name##_##common(unsigned component, LOOK_FLAT)                                  \
    {                                                                                           \
        return gather_flat(HD_COMMON_##common, component, how, lanes, mask, operands, results); \
    }
EACH_COMMON(GATHER, gather)

/* With nothing but a coordinate and one component for all. */
INLINE bool gather_up_flat(const HdSampler *s, LOOK_FLAT)
{
#define ENTRY_GATHER(name, common) [HD_COMMON_##common] = name##_##common,
    static bool (*const gathers[HD_COMMON_FORMS])(unsigned component,
                                                  LOOK_FLAT) = {EACH_COMMON(ENTRY_GATHER, gather)};
    const uint32_t rare = HD_LOOKUP_CUBE | HD_LOOKUP_REFERENCE | HD_LOOKUP_OFFSET |
                          HD_LOOKUP_OFFSETS | HD_LOOKUP_QUERY | HD_IMAGE_ARRAYED | HD_IMAGE_SCALAR;
    const Call c = {.how = how, .lanes = lanes, .operands = operands};
    uint32_t component;

    return (how & rare) == 0 && HD_IMAGE_COORDS(how) == 2 && !s->is_unnormalised &&
           s->reduction == HD_REDUCE_AVERAGE && s->wrap[0] == HD_WRAP_EDGE &&
           s->wrap[1] == HD_WRAP_EDGE &&
           is_same(&c, hd_lookup_operands(how).fifth, mask, &component) &&
           gathers[image_of(operands)->form.common](component & 3, how, lanes, mask, operands,
                                                    results);
}

/* false: look_up is to do it. */
INLINE bool look_up_flat(LOOK_FLAT)
{
#define ENTRY_COMMON(name, linear, mode, dimensions, common) [HD_COMMON_##common] = name##_##common,
#define ENTRY_LOOK(name, linear, mode, dimensions) \
    {EACH_COMMON(ENTRY_COMMON, name, linear, mode, dimensions)},
    static bool (*const looks[][HD_COMMON_FORMS])(LOOK_FLAT) = {EACH_LOOK(ENTRY_LOOK)};
    const HdImage *im = image_of(operands);
    const HdSampler *s;
    uint64_t sampler;
    int way;

    if (im == NULL || (how & HD_IMAGE_SHARED) == 0 || lanes < BLOCK ||
        im->form.flat != 1 + HD_IMAGE_COMPONENT(how) || im->form.common == HD_COMMON_NONE)
        return false;
    memcpy(&sampler, (const unsigned char *)operands + (size_t)8 * lanes, sizeof sampler);
    s = hd_sampler_record(sampler);
    if (s != NULL && (how & HD_LOOKUP_GATHER) != 0)
        return gather_up_flat(s, how, lanes, mask, operands, results);
    way = s != NULL ? flat_look(how, s) : -1;
    if (way >= 0 && im->form.is_int)
        way &= ~1;
    return way >= 0 && looks[way][im->form.common](how, lanes, mask, operands, results);
}

/* false: hd_rt_lookup is to do it. */
static bool look_up(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands,
                    void *results)
{
    Look k = {.c = {.how = how, .lanes = lanes, .operands = operands, .results = results}};
    Call *c = &k.c;
    uint64_t sampler;
    bool plain;
    U out[4] = {{0}};

    c->im = image_of(operands);
    if (!is_usual_look(&k))
        return false;
    memcpy(&sampler, slot(c, 1), sizeof sampler);
    find_look(&k, sampler);
    if (k.sampler == NULL || k.sampler->reduction != HD_REDUCE_AVERAGE || !is_usual_image(c))
        return false;
    if (has(&k, HD_LOOKUP_GATHER) && !has(&k, HD_LOOKUP_REFERENCE) &&
        !is_same(c, k.operands.fifth, mask, &k.component))
        return false;
    k.component &= 3;
    find_needs(c);
    if (has(&k, HD_LOOKUP_GATHER))
        c->need = NEED(c->form.source[k.component]);
    find_border(&k);
    plain = is_plain(&k);
    BLOCKS
    {
        if (!look_at_block(&k, plain, out))
            return false;
        GIVE_LOOKED_UP(0)
        GIVE_LOOKED_UP(1)
        GIVE_LOOKED_UP(2)
        GIVE_LOOKED_UP(3)
    }
    return true;
}
