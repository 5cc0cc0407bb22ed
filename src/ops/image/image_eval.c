/* ops/image/image_eval.c -- image instructions in the interpreter, a lane at a time.
 *
 * Checked runs report what the specification leaves undefined: coordinates outside the image if no
 * sampler clamps them, texels of another kind than the image's, samplers that do not match the
 * coordinate. (Whether an image may be read and written is checked when it becomes an argument.)
 *
 * Spec: OpenCL C, "Image Addressing and Filtering"; OpenCL SPIR-V Environment Specification, "Image
 * Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/image/image_eval.h"

#include <math.h>

#include "ops/evals.h"
#include "ops/image/image_shape.h"

/* An access: its instruction's operands. */
typedef struct Access {
    HdEval *e;
    const HdInst *in;
    const HdType *type; /* of the image */
    HdSlot image, coordinate;
    HdSlot lod, gradients[2], offset, sample;
    bool has_lod, has_gradients, has_offset, has_sample, is_sampled;
    unsigned dimensions;
    bool is_arrayed, is_float; /* is_float: the coordinate */
    /* What lanes do wrong. */
    uint64_t mixed, unfit, endless, unordered;
    HdImageWrong wrong; /* places outside */
} Access;

static const HdType *image_of(const HdEval *e, HdId id)
{
    return hd_type_image(hd_module_type_of(e->m, id));
}

/* Words of the image, the coordinate and the image operands' mask. */
static HdStatus open_access(HdEval *e, const HdInst *in, unsigned image, unsigned coordinate,
                            unsigned mask_at, Access *a)
{
    uint32_t mask = mask_at < in->nwords ? in->w[mask_at] : 0;
    unsigned at = mask_at + 1;

    *a = (Access){.e = e, .in = in, .type = image_of(e, in->w[image])};
    if (a->type == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the operand is not an image");
    e->pointer = in->w[image];
    a->dimensions = hd_image_dimensions(a->type);
    a->is_arrayed = hd_image_is_layered(a->type);
    HD_TRY(hd_eval_operands(e, in, image, 1, &a->image));
    HD_TRY(hd_eval_operands(e, in, coordinate, 1, &a->coordinate));
    a->is_float = hd_type_scalar(a->coordinate.type)->kind == HD_T_FLOAT;
    if (hd_type_lanes(a->coordinate.type) < a->dimensions + a->is_arrayed)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the coordinate is too short");
    if ((mask & SpvImageOperandsLodMask) != 0) {
        a->has_lod = true;
        HD_TRY(hd_eval_operands(e, in, at++, 1, &a->lod));
    }
    if ((mask & SpvImageOperandsGradMask) != 0) {
        a->has_gradients = true;
        HD_TRY(hd_eval_operands(e, in, at, 2, a->gradients));
        at += 2;
    }
    if ((mask & (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask)) != 0) {
        a->has_offset = true;
        HD_TRY(hd_eval_operands(e, in, at++, 1, &a->offset));
    }
    if ((mask & SpvImageOperandsSampleMask) != 0) {
        a->has_sample = true;
        HD_TRY(hd_eval_operands(e, in, at, 1, &a->sample));
    }
    return HD_OK;
}

/* The image that a lane names. */
static HdStatus descriptor(HdEval *e, const HdSlot *s, unsigned lane, const HdImage **out)
{
    return hd_image_look_up(e, lane, hd_bits_get(hd_slot_at(s, lane), 8), out);
}

static double number_at(const HdSlot *s, unsigned lane, unsigned component)
{
    const HdType *t = hd_type_scalar(s->type);
    const unsigned char *at = hd_slot_at(s, lane) + component * hd_type_size(t);

    return t->kind == HD_T_FLOAT ? hd_float_get(at, hd_type_size(t))
                                 : (double)hd_int_get(at, hd_type_size(t));
}

/* ---- addressing ---------------------------------------------------------------------------- */

/* A whole number that any image's size is far from. */
static int64_t whole(double x)
{
    const double far = 1099511627776.0;

    return isnan(x) ? -1 : (int64_t)(x < -far ? -far : x > far ? far : floor(x));
}

/* Where a coordinate lies among `size` texels. */
static float located(uint64_t sampler, float s, float size)
{
    float twice;

    if ((sampler & HD_SAMPLER_NORMALISED) == 0)
        return s;
    switch (sampler & 0xff) {
    case HD_ADDRESS_REPEAT: return (s - floorf(s)) * size;
    case HD_ADDRESS_MIRROR: twice = 2.0f * rintf(0.5f * s); return fabsf(s - twice) * size;
    default: return s * size;
    }
}

static int64_t clamped(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* The texel of an index; -1 and `size`: the border. */
static int64_t addressed(uint64_t sampler, int64_t i, int64_t size)
{
    switch (sampler & 0xff) {
    case HD_ADDRESS_NONE: return i;
    case HD_ADDRESS_BORDER: return clamped(i, -1, size);
    case HD_ADDRESS_REPEAT:
        if ((sampler & HD_SAMPLER_NORMALISED) != 0 && i < 0)
            i += size;
        else if ((sampler & HD_SAMPLER_NORMALISED) != 0 && i > size - 1)
            i -= size;
        return clamped(i, 0, size - 1);
    default: return clamped(i, 0, size - 1);
    }
}

static int64_t size_of(const HdImage *im, uint32_t level, unsigned dimension)
{
    const HdImageLevel *l = &im->level[level];

    return dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth;
}

static int64_t layer_of(const Access *a, const HdImage *im, unsigned lane)
{
    double x;

    if (!a->is_arrayed)
        return 0;
    x = number_at(&a->coordinate, lane, a->dimensions);
    return clamped(whole(rint(x)), 0, (int64_t)im->layers - 1);
}

/* ---- sampling ------------------------------------------------------------------------------ */

typedef struct Sample {
    Access *a;
    const HdImage *im;
    uint64_t sampler;
    unsigned lane;
    HdImagePlace place; /* its level and layer; at: of filters */
} Sample;

static void note_outside(const Sample *s)
{
    if ((s->sampler & 0xff) == HD_ADDRESS_NONE && !hd_image_has(s->im, &s->place))
        hd_image_note_outside(&s->a->wrong, s->lane, s->im, &s->place);
}

static HdStatus nearest(Sample *s, double texel[4])
{
    for (unsigned d = 0; d < s->a->dimensions; d++) {
        double x = number_at(&s->a->coordinate, s->lane, d);
        int64_t size = size_of(s->im, s->place.level, d);

        if (s->a->is_float)
            x = located(s->sampler, (float)x, (float)size);
        s->place.at[d] = addressed(s->sampler, whole(x), size);
    }
    note_outside(s);
    return hd_image_fetch(s->a->e, s->lane, s->im, &s->place, texel);
}

/* The weighted sum of the 2, 4 or 8 texels around: in float, red to alpha. */
static HdStatus linear(Sample *s, double texel[4])
{
    int64_t low[3] = {0};
    float weight[3] = {0}, sum[4] = {0};

    for (unsigned d = 0; d < s->a->dimensions; d++) {
        float u = located(s->sampler, (float)number_at(&s->a->coordinate, s->lane, d),
                          (float)size_of(s->im, s->place.level, d)) -
                  0.5f;

        low[d] = whole(u);
        weight[d] = u - floorf(u);
    }
    for (unsigned k = 0; k < 1u << s->a->dimensions; k++) {
        float w = 1.0f;
        double corner[4];

        for (unsigned d = 0; d < s->a->dimensions; d++) {
            unsigned second = k >> d & 1;

            w *= second ? weight[d] : 1.0f - weight[d];
            s->place.at[d] =
                addressed(s->sampler, low[d] + second, size_of(s->im, s->place.level, d));
        }
        note_outside(s);
        HD_TRY(hd_image_fetch(s->a->e, s->lane, s->im, &s->place, corner));
        for (unsigned c = 0; c < 4; c++) {
            sum[c] += w * (float)corner[c];
            if (!isfinite(corner[c]))
                s->a->unordered |= UINT64_C(1) << s->lane;
        }
    }
    for (unsigned c = 0; c < 4; c++)
        texel[c] = sum[c];
    return HD_OK;
}

static HdStatus sample_level(Sample *s, double texel[4])
{
    bool filters =
        (s->sampler & HD_SAMPLER_LINEAR) != 0 && s->a->is_float && !hd_image_is_integer(s->im);

    return filters ? linear(s, texel) : nearest(s, texel);
}

static double limit_of(uint64_t sampler, unsigned shift)
{
    uint32_t bits = (uint32_t)(sampler >> shift & 0xfffff) << HD_SAMPLER_LOD_DROP;

    return hd_float_get(&bits, 4);
}

/* Spec: OpenCL Extension Specification, cl_khr_mipmap_image: the longer of the gradients, scaled to
 * level 0. */
static double lod_of_gradients(const Access *a, const HdImage *im, unsigned lane)
{
    double longest = 0;

    for (unsigned g = 0; g < 2; g++) {
        double length = 0;

        for (unsigned d = 0; d < a->dimensions; d++)
            length =
                hypot(length, number_at(&a->gradients[g], lane, d) * (double)size_of(im, 0, d));
        longest = length > longest ? length : longest;
    }
    return log2(longest);
}

static double lod_of(const Sample *s)
{
    double lod = 0, low = limit_of(s->sampler, HD_SAMPLER_MIN);
    double high =
        s->sampler >> HD_SAMPLER_MAX != 0 ? limit_of(s->sampler, HD_SAMPLER_MAX) : HUGE_VAL;

    if (s->a->has_gradients)
        lod = lod_of_gradients(s->a, s->im, s->lane);
    else if (s->a->has_lod)
        lod = number_at(&s->a->lod, s->lane, 0);
    if (isnan(lod) || lod < low)
        lod = low;
    return lod > high ? high : lod;
}

static HdStatus sample(Sample *s, double texel[4])
{
    int64_t last = (int64_t)s->im->levels - 1;
    double lod, second[4];
    float w;

    if (last == 0)
        return sample_level(s, texel);
    lod = lod_of(s);
    if ((s->sampler & HD_SAMPLER_MIXED) == 0 || hd_image_is_integer(s->im)) {
        if (lod > 0.5)
            s->place.level = (uint32_t)clamped(whole(ceil(lod + 0.5) - 1), 0, last);
        return sample_level(s, texel);
    }
    s->place.level = (uint32_t)clamped(whole(lod), 0, last);
    HD_TRY(sample_level(s, texel));
    if (lod <= 0 || s->place.level == (uint32_t)last)
        return HD_OK;
    w = (float)(lod - floor(lod));
    s->place.level++;
    HD_TRY(sample_level(s, second));
    for (unsigned c = 0; c < 4 && w > 0; c++)
        texel[c] = (1.0f - w) * (float)texel[c] + w * (float)second[c];
    return HD_OK;
}

/* ---- what is wrong ------------------------------------------------------------------------- */

/* Has the image such texels? */
static void look_at(Access *a, unsigned lane, const HdImage *im, const HdType *texel)
{
    bool is_float = hd_type_scalar(texel)->kind == HD_T_FLOAT;

    if (is_float == hd_image_is_integer(im) && im->texel_bytes != 0)
        a->mixed |= UINT64_C(1) << lane;
}

/* Samplers that the coordinate does not go with. */
static void look_at_sampler(Access *a, unsigned lane, const HdImage *im, uint64_t sampler)
{
    unsigned mode = sampler & 0xff;
    bool normalised = (sampler & HD_SAMPLER_NORMALISED) != 0;

    if (a->is_float ? (mode == HD_ADDRESS_REPEAT || mode == HD_ADDRESS_MIRROR) && !normalised
                    : normalised || (sampler & HD_SAMPLER_LINEAR) != 0)
        a->unfit |= UINT64_C(1) << lane;
    if (((sampler & HD_SAMPLER_LINEAR) != 0 && hd_image_is_integer(im)) ||
        (im->levels > 1 && !normalised))
        a->unfit |= UINT64_C(1) << lane;
}

/* Coordinates, and levels, that are numbers. */
static void look_at_numbers(Access *a, unsigned lane)
{
    bool is_finite = !a->has_lod || !isnan(number_at(&a->lod, lane, 0));

    for (unsigned d = 0; d < a->dimensions + a->is_arrayed; d++)
        is_finite = is_finite && isfinite(number_at(&a->coordinate, lane, d));
    if (!is_finite)
        a->endless |= UINT64_C(1) << lane;
}

static HdStatus tell(Access *a, bool writes)
{
    HdEval *e = a->e;

    if (!e->is_checked)
        return HD_OK;
    if (a->mixed != 0)
        HD_TRY(hd_eval_defect(e, a->mixed, "check.image-format",
                              "integers are for images of integers, floats for all others",
                              "texels are %s as another kind of number than the image has",
                              writes ? "written" : "read"));
    if (a->unfit != 0)
        HD_TRY(hd_eval_defect(e, a->unfit, "check.image-sampler",
                              "integer coordinates need a sampler without normalised coordinates "
                              "and filter, repeating and images with levels one with normalised "
                              "coordinates, images of integers one without filter",
                              "a sampler that does not go with the coordinate or the image"));
    if (a->endless != 0)
        HD_TRY(hd_eval_defect(e, a->endless, "check.image-coordinate",
                              "look at what the coordinate is computed from",
                              "a coordinate or level that is infinite or no number"));
    if (a->unordered != 0)
        hd_eval_note(e, a->unordered, "check.image-texel",
                     "keep such texels out of what is filtered",
                     "a filter over texels that are infinite or no numbers");
    return hd_image_tell_outside(e, e->pointer, a->type, &a->wrong, writes ? "write" : "read");
}

/* ---- instructions -------------------------------------------------------------------------- */

static void give(const HdSlot *r, unsigned lane, const double texel[4])
{
    const HdType *t = hd_type_scalar(r->type);

    for (unsigned c = 0; c < hd_type_lanes(r->type) && c < 4; c++) {
        unsigned char *at = hd_slot_at(r, lane) + c * hd_type_size(t);

        if (t->kind == HD_T_FLOAT)
            hd_float_put(at, hd_type_size(t), texel[c]);
        else
            hd_bits_put(at, hd_type_size(t), (uint64_t)whole(texel[c]));
    }
}

/* Words: 3 sampled image, 4 coordinate, 5 operands. */
HdStatus hd_eval_image_sample(HdEval *e, const HdInst *in)
{
    Access a;
    HdSlot r;

    if (e->g->kernel->is_shader)
        return hd_eval_image_lookup(e, in);
    HD_TRY(open_access(e, in, 3, 4, 5, &a));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        Sample s = {.a = &a, .lane = lane};
        double texel[4];

        HD_TRY(descriptor(e, &a.image, lane, &s.im));
        s.sampler = hd_bits_get(hd_slot_at(&a.image, lane) + 8, 8);
        s.place.layer = layer_of(&a, s.im, lane);
        look_at(&a, lane, s.im, r.type);
        look_at_sampler(&a, lane, s.im, s.sampler);
        look_at_numbers(&a, lane);
        HD_TRY(sample(&s, texel));
        give(&r, lane, texel);
    }
    return tell(&a, false);
}

/* Where an access without a sampler goes. */
static HdImagePlace place_of(const Access *a, unsigned lane)
{
    HdImagePlace p = {0};
    int64_t level = a->has_lod ? whole(number_at(&a->lod, lane, 0)) : 0;

    for (unsigned d = 0; d < a->dimensions; d++)
        p.at[d] = whole(number_at(&a->coordinate, lane, d)) +
                  (a->has_offset ? whole(number_at(&a->offset, lane, d)) : 0);
    if (a->is_arrayed)
        p.layer = whole(number_at(&a->coordinate, lane, a->dimensions));
    if (a->has_sample)
        p.sample = whole(number_at(&a->sample, lane, 0));
    p.level = level < 0 || level > HD_IMAGE_LEVELS ? HD_IMAGE_LEVELS : (uint32_t)level;
    return p;
}

/* Are texels integers of 64 bits? */
static bool is_wide(const HdType *texel)
{
    return hd_type_scalar(texel)->kind == HD_T_INT && hd_type_scalar(texel)->bits == 64;
}

static HdStatus read_wide(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                          const HdSlot *r)
{
    uint64_t texel[4] = {0, 0, 0, 1};

    HD_TRY(hd_image_fetch_wide(e, lane, im, p, &texel[0]));
    for (unsigned c = 0; c < hd_type_lanes(r->type) && c < 4; c++)
        hd_bits_put(hd_slot_at(r, lane) + c * 8, 8, texel[c]);
    return HD_OK;
}

/* Words: 3 image, 4 coordinate, 5 operands. */
HdStatus hd_eval_image_read(HdEval *e, const HdInst *in)
{
    Access a;
    HdSlot r;

    HD_TRY(open_access(e, in, 3, 4, 5, &a));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        const HdImage *im;
        HdImagePlace p;
        double texel[4];

        HD_TRY(descriptor(e, &a.image, lane, &im));
        p = place_of(&a, lane);
        look_at(&a, lane, im, r.type);
        if (!hd_image_has(im, &p))
            hd_image_note_outside(&a.wrong, lane, im, &p);
        if (is_wide(r.type)) {
            HD_TRY(read_wide(e, lane, im, &p, &r));
            continue;
        }
        HD_TRY(hd_image_fetch(e, lane, im, &p, texel));
        give(&r, lane, texel);
    }
    return tell(&a, false);
}

/* What is written, and where, has a value. Coordinates may have more components than the image has
 * dimensions, texels more than it has channels. */
static HdStatus need_values(HdEval *e, const HdInst *in, const Access *a)
{
    unsigned count = a->dimensions + (a->is_arrayed ? 1u : 0u);
    const HdImage *im;

    HD_TRY(hd_eval_needs_parts(e, in->w[2], (1u << count) - 1, "the place of a texel depends on"));
    if (e->mask == 0)
        return HD_OK;
    HD_TRY(descriptor(e, &a->image, hd_lane_first(e->mask), &im));
    return hd_eval_needs_parts(e, in->w[3], hd_image_parts(im), "a texel is written with");
}

/* Words: 1 image, 2 coordinate, 3 texel, 4 operands. */
HdStatus hd_eval_image_write(HdEval *e, const HdInst *in)
{
    Access a;
    HdSlot x;

    HD_TRY(open_access(e, in, 1, 2, 4, &a));
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    HD_TRY(need_values(e, in, &a));
    for (HD_EACH_LANE(lane, e->mask)) {
        const HdType *t = hd_type_scalar(x.type);
        double texel[4] = {0};
        const HdImage *im;
        HdImagePlace p;

        HD_TRY(descriptor(e, &a.image, lane, &im));
        p = place_of(&a, lane);
        look_at(&a, lane, im, x.type);
        if (!hd_image_has(im, &p)) {
            hd_image_note_outside(&a.wrong, lane, im, &p);
            continue;
        }
        if (is_wide(x.type)) {
            HD_TRY(hd_image_put_wide(e, lane, im, &p, hd_bits_get(hd_slot_at(&x, lane), 8)));
            continue;
        }
        for (unsigned c = 0; c < hd_type_lanes(x.type) && c < 4; c++) {
            const unsigned char *at = hd_slot_at(&x, lane) + c * hd_type_size(t);
            bool is_unsigned = hd_image_is_unsigned(im) && t->kind == HD_T_INT;

            texel[c] =
                is_unsigned ? (double)hd_bits_get(at, hd_type_size(t)) : number_at(&x, lane, c);
        }
        HD_TRY(hd_image_put(e, lane, im, &p, texel));
    }
    return tell(&a, true);
}

/* Words: 3 image, 4 sampler: both handles, in sequence. */
HdStatus hd_eval_sampled_image(HdEval *e, const HdInst *in)
{
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    for (HD_EACH_LANE(lane, e->mask)) {
        memcpy(hd_slot_at(&r, lane), hd_slot_at(&x[0], lane), 8);
        memcpy(hd_slot_at(&r, lane) + 8, hd_slot_at(&x[1], lane), 8);
    }
    return HD_OK;
}

HdStatus hd_eval_image_of(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    for (HD_EACH_LANE(lane, e->mask))
        memcpy(hd_slot_at(&r, lane), hd_slot_at(&x, lane), 8);
    return HD_OK;
}

/* OpImageQueryFormat, Order, Levels, Samples: 3 image. */
HdStatus hd_eval_image_query_word(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    e->pointer = in->w[3];
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        const HdImage *im;
        uint32_t word;

        HD_TRY(descriptor(e, &x, lane, &im));
        switch (in->opix) {
        case HD_OPIX_ImageQueryFormat: word = im->type; break;
        case HD_OPIX_ImageQueryOrder: word = im->order; break;
        case HD_OPIX_ImageQueryLevels: word = im->levels; break;
        case HD_OPIX_ImageQuerySamples: word = im->samples; break;
        default: return HD_BUG;
        }
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), word);
    }
    return HD_OK;
}

/* OpImageQuerySize, OpImageQuerySizeLod: 3 image, [4 level]. */
HdStatus hd_eval_image_query_size(HdEval *e, const HdInst *in)
{
    const HdType *image = image_of(e, in->w[3]);
    uint64_t outside = 0, bytes;
    HdSlot r, x, lod;

    HD_TRY(hd_eval_result(e, in, &r));
    e->pointer = in->w[3];
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    if (in->opix == HD_OPIX_ImageQuerySizeLod)
        HD_TRY(hd_eval_operands(e, in, 4, 1, &lod));
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned count = image != NULL ? hd_image_dimensions(image) : 0;
        int64_t level = in->opix == HD_OPIX_ImageQuerySizeLod ? whole(number_at(&lod, lane, 0)) : 0;
        const HdImage *im;

        HD_TRY(descriptor(e, &x, lane, &im));
        if (level < 0 || level >= (int64_t)im->levels) {
            outside |= UINT64_C(1) << lane;
            level = clamped(level, 0, HD_IMAGE_LEVELS - 1);
        }
        for (unsigned d = 0; d < count; d++)
            hd_bits_put(hd_slot_at(&r, lane) + d * bytes, bytes,
                        (uint64_t)size_of(im, (uint32_t)level, d));
        if (count > 0 && hd_image_is_arrayed(image))
            hd_bits_put(hd_slot_at(&r, lane) + count * bytes, bytes,
                        im->layers / (hd_image_is_cube(image) ? 6 : 1));
    }
    if (outside != 0 && e->is_checked)
        return hd_eval_defect(e, outside, "check.image-level", "compare with the number of levels",
                              "the size of a level that the image does not have");
    return HD_OK;
}
