/* ops/image/image_lookup_eval.c -- samples, gathers and queries of levels of shaders in the
 * interpreter, a lane at a time.
 *
 * Checked runs report what Vulkan leaves undefined: nothing is bound, a sampler that does not go
 * with the instruction or the image, coordinates that are no numbers, levels from a quad that is
 * not whole.
 *
 * Spec: Vulkan, "Texel Input Operations", "Image Sample Operations".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/image/image_lookup_eval.h"

#include <math.h>

#include "module/resource.h"
#include "ops/evals.h"

_Static_assert(HD_SAMPLER_IN_SHADER == HD_SAMPLER_CONSTANT, "both are the constant's bit");

/* What an instruction is. */
typedef struct Kind {
    bool implicit, dref, proj, gather, query;
} Kind;

/* An access: its instruction's operands. */
typedef struct Access {
    HdEval *e;
    const HdInst *in;
    const HdType *type; /* of the image */
    Kind kind;
    HdSlot image, coordinate, fifth; /* fifth: a reference or a component */
    uint32_t operands;
    HdSlot bias, lod, dx, dy, offset, min_lod;
    unsigned dimensions; /* of the coordinate */
    bool is_arrayed;
    /* What lanes do wrong. */
    uint64_t no_sampler, mixed, compare, filter, border, unnormalised, endless, broken;
} Access;

static Kind kind_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_ImageSampleImplicitLod: return (Kind){.implicit = true};
    case HD_OPIX_ImageSampleDrefImplicitLod: return (Kind){.implicit = true, .dref = true};
    case HD_OPIX_ImageSampleDrefExplicitLod: return (Kind){.dref = true};
    case HD_OPIX_ImageSampleProjImplicitLod: return (Kind){.implicit = true, .proj = true};
    case HD_OPIX_ImageSampleProjExplicitLod: return (Kind){.proj = true};
    case HD_OPIX_ImageSampleProjDrefImplicitLod:
        return (Kind){.implicit = true, .dref = true, .proj = true};
    case HD_OPIX_ImageSampleProjDrefExplicitLod: return (Kind){.dref = true, .proj = true};
    case HD_OPIX_ImageGather: return (Kind){.gather = true};
    case HD_OPIX_ImageDrefGather: return (Kind){.gather = true, .dref = true};
    case HD_OPIX_ImageQueryLod: return (Kind){.implicit = true, .query = true};
    default: return (Kind){0};
    }
}

static unsigned dimensions_of(const HdType *image)
{
    switch (hd_type_words(image)[3]) {
    case SpvDim1D: return 1;
    case SpvDim2D:
    case SpvDimRect: return 2;
    default: return 3;
    }
}

/* The slot of an image operand, if it is there; `at` moves behind it. */
static HdStatus take(Access *a, uint32_t which, unsigned *at, HdSlot *out)
{
    if ((a->operands & which) == 0)
        return HD_OK;
    return hd_eval_operands(a->e, a->in, (*at)++, 1, out);
}

static HdStatus take_operands(Access *a, unsigned at)
{
    const uint32_t offsets = SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
                             SpvImageOperandsConstOffsetsMask;

    a->operands = at < a->in->nwords && !a->kind.query ? a->in->w[at] : 0;
    at++;
    HD_TRY(take(a, SpvImageOperandsBiasMask, &at, &a->bias));
    HD_TRY(take(a, SpvImageOperandsLodMask, &at, &a->lod));
    HD_TRY(take(a, SpvImageOperandsGradMask, &at, &a->dx));
    HD_TRY(take(a, SpvImageOperandsGradMask, &at, &a->dy));
    /* At most one; only Offsets is behind MinLod. */
    if ((a->operands & offsets) != 0)
        HD_TRY(take(a, a->operands, &at, &a->offset));
    HD_TRY(take(a, SpvImageOperandsMinLodMask, &at, &a->min_lod));
    return take(a, SpvImageOperandsOffsetsMask, &at, &a->offset);
}

static HdStatus open_access(HdEval *e, const HdInst *in, Access *a)
{
    *a = (Access){.e = e,
                  .in = in,
                  .type = hd_type_image(hd_module_type_of(e->m, in->w[3])),
                  .kind = kind_of(in)};
    if (a->type == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the operand is not a sampled image");
    e->pointer = in->w[3];
    a->dimensions = dimensions_of(a->type);
    a->is_arrayed = hd_type_words(a->type)[5] == 1 && !a->kind.query;
    HD_TRY(hd_eval_operands(e, in, 3, 1, &a->image));
    HD_TRY(hd_eval_operands(e, in, 4, 1, &a->coordinate));
    if (hd_type_lanes(a->coordinate.type) < a->dimensions + a->is_arrayed)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the coordinate is too short");
    if (a->kind.dref || a->kind.gather)
        HD_TRY(hd_eval_operands(e, in, 5, 1, &a->fifth));
    return take_operands(a, a->kind.dref || a->kind.gather ? 6 : 5);
}

static float float_at(const HdSlot *s, unsigned lane, unsigned component)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(s->type));

    return (float)hd_float_get(hd_slot_at(s, lane) + component * bytes, bytes);
}

/* Integers, also those of arrays of pairs. */
static int32_t int_at(const HdSlot *s, unsigned lane, unsigned number)
{
    return (int32_t)hd_int_get(hd_slot_at(s, lane) + number * 4, 4);
}

/* ---- coordinates and levels ------------------------------------------------------------------ */

/* A component, divided if the instruction projects. */
static float projected(const Access *a, unsigned lane, unsigned component)
{
    float x = float_at(&a->coordinate, lane, component);

    return a->kind.proj ? x / float_at(&a->coordinate, lane, a->dimensions) : x;
}

static float reference_at(const Access *a, unsigned lane)
{
    float x = float_at(&a->fifth, lane, 0);

    return a->kind.proj ? x / float_at(&a->coordinate, lane, a->dimensions) : x;
}

/* Differences to the neighbours in the quad. */
static void implicit_slopes(Access *a, unsigned lane, HdLook *k)
{
    unsigned quad = lane & ~3u, x = quad | (lane & 2), y = quad | (lane & 1);

    if ((a->e->mask >> quad & 15) != 15) {
        a->broken |= UINT64_C(1) << lane;
        return;
    }
    for (unsigned d = 0; d < a->dimensions; d++) {
        k->dx[d] = projected(a, x | 1, d) - projected(a, x, d);
        k->dy[d] = projected(a, y | 2, d) - projected(a, y, d);
    }
}

static void find_level(Access *a, unsigned lane, HdLook *k)
{
    bool has_grad = (a->operands & SpvImageOperandsGradMask) != 0;
    bool differs = a->kind.implicit && a->e->g->kernel->quads != HD_QUADS_NONE;

    for (unsigned d = 0; d < a->dimensions && has_grad; d++) {
        k->dx[d] = float_at(&a->dx, lane, d);
        k->dy[d] = float_at(&a->dy, lane, d);
    }
    if (differs)
        implicit_slopes(a, lane, k);
    if (k->is_cube)
        hd_look_face(k);
    if (has_grad || differs)
        hd_look_scale(k);
    if ((a->operands & SpvImageOperandsLodMask) != 0)
        k->lambda_base = float_at(&a->lod, lane, 0);
    if ((a->operands & SpvImageOperandsBiasMask) != 0)
        k->bias = float_at(&a->bias, lane, 0);
    if ((a->operands & SpvImageOperandsMinLodMask) != 0)
        k->min_lod = float_at(&a->min_lod, lane, 0);
    hd_look_level(k);
}

/* RNE, between the first and the last layer. */
static int64_t layer_of(const Access *a, const HdImage *im, unsigned lane)
{
    int64_t faces = hd_type_words(a->type)[3] == SpvDimCube ? 6 : 1, count = im->layers / faces;
    float x;

    if (!a->is_arrayed || count == 0)
        return 0;
    x = rintf(float_at(&a->coordinate, lane, a->dimensions));
    if (isnan(x) || x < 0)
        return 0;
    return faces * (x > (float)(count - 1) ? count - 1 : (int64_t)x);
}

static void open_lane(Access *a, unsigned lane, HdLook *k)
{
    const uint32_t one = SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask;

    k->is_cube = hd_type_words(a->type)[3] == SpvDimCube;
    k->dimensions = k->is_cube ? 2 : a->dimensions;
    k->layer = layer_of(a, k->im, lane);
    for (unsigned d = 0; d < a->dimensions; d++) {
        k->coordinate[d] = projected(a, lane, d);
        if ((a->operands & one) != 0)
            k->offset[d] = int_at(&a->offset, lane, d);
    }
    find_level(a, lane, k);
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* "Border Color", of the components that the format has. */
static void border_texel(const HdLook *k, double texel[4])
{
    uint32_t parts = hd_image_parts(k->im);
    unsigned colour = k->sampler->border / 2;

    for (unsigned c = 0; c < 4; c++) {
        bool is_one = colour == 2 || (colour == 1 && c == 3);
        uint32_t is_int = k->sampler->border & 1;
        float one = 1;

        texel[c] = is_one ? 1 : 0;
        if ((parts >> c & 1) == 0)
            texel[c] = c == 3;
        else if (is_one && is_int != 0 && !hd_image_is_integer(k->im))
            texel[c] = hd_float_get((const unsigned char *)&is_int, 4);
        else if (is_one && is_int == 0 && hd_image_is_integer(k->im))
            texel[c] = (double)hd_bits_get((const unsigned char *)&one, 4);
    }
}

static bool compared(unsigned op, float reference, float texel)
{
    bool less = reference<texel, equal = reference == texel, greater = reference> texel;

    switch (op) {
    case HD_COMPARE_NEVER: return false;
    case HD_COMPARE_ALWAYS: return true;
    case HD_COMPARE_LESS: return less;
    case HD_COMPARE_EQUAL: return equal;
    case HD_COMPARE_LESS_OR_EQUAL: return less || equal;
    case HD_COMPARE_GREATER: return greater;
    case HD_COMPARE_NOT_EQUAL: return !equal;
    default: return greater || equal;
    }
}

static HdStatus fetch(const Access *a, unsigned lane, const HdLook *k, const HdImagePlace *p,
                      double texel[4])
{
    float reference;

    if (hd_image_has(k->im, p))
        HD_TRY(hd_image_fetch(a->e, lane, k->im, p, texel));
    else
        border_texel(k, texel);
    if (!a->kind.dref)
        return HD_OK;
    reference = reference_at(a, lane);
    if (hd_image_is_unorm(k->im))
        reference = isnan(reference) ? 0 : fminf(fmaxf(reference, 0), 1);
    texel[0] = compared(k->sampler->compare, reference, (float)texel[0]);
    return HD_OK;
}

/* Add to a sum, or make it the least or the greatest. */
static double reduced(const HdSampler *s, bool is_first, double sum, float weight, double x)
{
    switch (s->reduction) {
    case HD_REDUCE_MIN: return is_first || x < sum ? x : sum;
    case HD_REDUCE_MAX: return is_first || x > sum ? x : sum;
    default: return is_first ? weight * (float)x : (float)sum + weight * (float)x;
    }
}

static bool filters(const HdLook *k)
{
    return k->sampler->is_linear[k->lambda > 0 ? 1 : 0] && !hd_image_is_integer(k->im);
}

static HdStatus sample_level(const Access *a, unsigned lane, const HdLook *k, uint32_t level,
                             double texel[4])
{
    HdLookTexel from[8];
    unsigned count = hd_look_texels(k, level, filters(k), from);
    bool is_first = true;
    double x[4];

    for (unsigned n = 0; n < count; n++) {
        if (from[n].weight == 0)
            continue;
        HD_TRY(fetch(a, lane, k, &from[n].place, x));
        for (unsigned c = 0; c < 4; c++)
            texel[c] =
                count == 1 ? x[c] : reduced(k->sampler, is_first, texel[c], from[n].weight, x[c]);
        is_first = false;
    }
    return HD_OK;
}

static HdStatus sample(const Access *a, unsigned lane, const HdLook *k, double texel[4])
{
    uint32_t level = (uint32_t)k->d;
    float delta = k->d - floorf(k->d);
    double next[4] = {0};

    HD_TRY(sample_level(a, lane, k, level, texel));
    if (!(delta > 0))
        return HD_OK;
    HD_TRY(sample_level(a, lane, k, level + 1, next));
    for (unsigned c = 0; c < 4; c++)
        texel[c] = reduced(k->sampler, false, reduced(k->sampler, true, 0, 1 - delta, texel[c]),
                           delta, next[c]);
    return HD_OK;
}

/* ---- gathers --------------------------------------------------------------------------------- */

/* The texels in the order of the result: i0 j1, i1 j1, i1 j0, i0 j0; or i0 j0 at four offsets. */
static void find_four(const Access *a, unsigned lane, HdLook *k, HdLookTexel out[4])
{
    static const unsigned order[4] = {2, 3, 1, 0};
    HdLookTexel from[8];

    if (a->offset.at == NULL || a->offset.type->kind != HD_T_ARRAY) {
        hd_look_texels(k, 0, true, from);
        for (unsigned n = 0; n < 4; n++)
            out[n] = from[order[n]];
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        k->offset[0] = int_at(&a->offset, lane, 2 * n);
        k->offset[1] = int_at(&a->offset, lane, 2 * n + 1);
        hd_look_texels(k, 0, true, from);
        out[n] = from[0];
    }
}

static HdStatus gather(const Access *a, unsigned lane, HdLook *k, double texel[4])
{
    unsigned component = a->kind.dref ? 0 : (unsigned)int_at(&a->fifth, lane, 0) & 3;
    bool is_int = hd_image_is_integer(k->im);
    HdLookTexel from[4];
    double sum = 0; /* a float, but of integers */

    find_four(a, lane, k, from);
    for (unsigned n = 0; n < 4; n++) {
        double x[4] = {0};

        if (from[n].exists)
            HD_TRY(fetch(a, lane, k, &from[n].place, x));
        texel[n] = x[component];
        if (from[n].exists)
            sum = is_int ? sum + x[component] : (float)sum + (float)x[component];
    }
    for (unsigned n = 0; n < 4; n++)
        if (!from[n].exists)
            texel[n] = is_int ? sum / 3 : (float)sum / 3;
    return HD_OK;
}

/* ---- what is wrong --------------------------------------------------------------------------- */

/* Spec: Vulkan, VkSamplerCreateInfo, unnormalizedCoordinates. */
static bool suits_unnormalised(const Access *a, const HdLook *k)
{
    uint32_t dim = hd_type_words(a->type)[3];

    for (unsigned d = 0; d < a->dimensions && d < 2; d++)
        if (k->sampler->wrap[d] != HD_WRAP_EDGE && k->sampler->wrap[d] != HD_WRAP_BORDER)
            return false;
    return (dim == SpvDim1D || dim == SpvDim2D) && !a->is_arrayed && k->im->levels == 1 &&
           !a->kind.implicit && !a->kind.dref && !a->kind.proj && a->offset.at == NULL &&
           k->sampler->is_linear[0] == k->sampler->is_linear[1] && !k->sampler->mixes_levels;
}

static bool has_border(const Access *a, const HdLook *k)
{
    bool is_cube = hd_type_words(a->type)[3] == SpvDimCube;

    for (unsigned d = 0; d < a->dimensions && !is_cube && !a->kind.query; d++)
        if (k->sampler->wrap[d] == HD_WRAP_BORDER)
            return true;
    return false;
}

static void look_at_sampler(Access *a, unsigned lane, const HdLook *k, const HdType *result)
{
    const HdSampler *s = k->sampler;
    uint64_t bit = UINT64_C(1) << lane;
    bool is_int = hd_image_is_integer(k->im);

    if (!a->kind.query && (hd_type_scalar(result)->kind == HD_T_INT) != is_int)
        a->mixed |= bit;
    if (!a->kind.query && s->has_compare != a->kind.dref)
        a->compare |= bit;
    if (is_int && !a->kind.gather && !a->kind.query &&
        (s->is_linear[0] || s->is_linear[1] || s->mixes_levels))
        a->filter |= bit;
    if (has_border(a, k) && (s->border & 1) != is_int)
        a->border |= bit;
    if (s->is_unnormalised && !suits_unnormalised(a, k))
        a->unnormalised |= bit;
}

static void look_at_numbers(Access *a, unsigned lane)
{
    bool is_finite =
        (a->operands & SpvImageOperandsLodMask) == 0 || !isnan(float_at(&a->lod, lane, 0));

    for (unsigned d = 0; d < a->dimensions + a->is_arrayed; d++)
        is_finite = is_finite && isfinite(d < a->dimensions ? projected(a, lane, d)
                                                            : float_at(&a->coordinate, lane, d));
    if (!is_finite)
        a->endless |= UINT64_C(1) << lane;
}

static HdStatus tell_sampler(const Access *a)
{
    HdEval *e = a->e;

    if (a->compare != 0)
        HD_TRY(hd_eval_defect(e, a->compare, "check.image-sampler",
                              "a comparison (Dref) takes a sampler with compare=, other "
                              "instructions one without",
                              a->kind.dref ? "a comparison with a sampler that does not compare"
                                           : "a sampler that compares, without a reference"));
    if (a->filter != 0)
        HD_TRY(hd_eval_defect(e, a->filter, "check.image-sampler",
                              "take the nearest texel and the nearest level",
                              "a linear filter for an image of integers"));
    if (a->border != 0)
        HD_TRY(hd_eval_defect(e, a->border, "check.image-sampler",
                              "colours of borders are integers (int-…) for images of integers "
                              "alone",
                              "a border of another kind of number than the image has"));
    if (a->unnormalised != 0)
        HD_TRY(hd_eval_defect(e, a->unnormalised, "check.image-sampler",
                              "they are for images of one and two dimensions, without layers and "
                              "further levels, explicit levels, and no reference, projection or "
                              "offset; addressing is edge or border",
                              "a sampler with unnormalised coordinates that does not go with the "
                              "image or the instruction"));
    return HD_OK;
}

static HdStatus tell(const Access *a)
{
    HdEval *e = a->e;

    if (!e->is_checked)
        return HD_OK;
    if (a->no_sampler != 0)
        HD_TRY(hd_eval_defect(e, a->no_sampler, "check.null",
                              "bind a sampler, --bind SET.BINDING=sampler=…",
                              "access with a sampler where nothing is bound"));
    if (a->mixed != 0)
        HD_TRY(hd_eval_defect(e, a->mixed, "check.image-format",
                              "integers are for images of integers, floats for all others",
                              "texels are read as another kind of number than the image has"));
    HD_TRY(tell_sampler(a));
    if (a->endless != 0)
        HD_TRY(hd_eval_defect(e, a->endless, "check.image-coordinate",
                              "look at what the coordinate is computed from",
                              "a coordinate or level that is infinite or no number"));
    if (a->broken == 0)
        return HD_OK;
    return hd_eval_defect(e, a->broken, "check.derivative",
                          "take it out of the branch, or give the level",
                          "a level from derivatives, where not all invocations of the quad are");
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void give(const HdSlot *r, unsigned lane, const double texel[4])
{
    const HdType *t = hd_type_scalar(r->type);
    uint64_t bytes = hd_type_size(t);

    for (unsigned c = 0; c < hd_type_lanes(r->type) && c < 4; c++) {
        unsigned char *at = hd_slot_at(r, lane) + c * bytes;

        if (t->kind == HD_T_FLOAT)
            hd_float_put(at, bytes, texel[c]);
        else
            hd_bits_put(at, bytes, (uint64_t)(int64_t)texel[c]);
    }
}

/* Without an image, or a sampler, the lane's result is 0. */
static HdStatus open_bound(Access *a, unsigned lane, HdLook *k, bool *is_bound)
{
    const unsigned char *both = hd_slot_at(&a->image, lane);

    *k = (HdLook){.sampler = hd_sampler_record(hd_bits_get(both + 8, 8))};
    HD_TRY(hd_image_look_up(a->e, lane, hd_bits_get(both, 8), &k->im));
    *is_bound = k->im->level[0].width != 0 && k->sampler != NULL;
    if (k->im->level[0].width != 0 && k->sampler == NULL)
        a->no_sampler |= UINT64_C(1) << lane;
    return HD_OK;
}

static HdStatus look_up(Access *a, unsigned lane, HdLook *k, double texel[4])
{
    open_lane(a, lane, k);
    if (a->kind.query) {
        texel[0] = k->d;
        texel[1] = k->lambda_raw;
        return HD_OK;
    }
    return a->kind.gather ? gather(a, lane, k, texel) : sample(a, lane, k, texel);
}

/* Words: 3 sampled image, 4 coordinate, [5 reference or component], image operands. */
HdStatus hd_eval_image_lookup(HdEval *e, const HdInst *in)
{
    Access a;
    HdSlot r;

    HD_TRY(open_access(e, in, &a));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        double texel[4] = {0};
        bool is_bound;
        HdLook k;

        HD_TRY(open_bound(&a, lane, &k, &is_bound));
        if (is_bound) {
            look_at_sampler(&a, lane, &k, r.type);
            look_at_numbers(&a, lane);
            HD_TRY(look_up(&a, lane, &k, texel));
        }
        give(&r, lane, texel);
    }
    return tell(&a);
}
