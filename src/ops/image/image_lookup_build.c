/* ops/image/image_lookup_build.c -- samples, gathers and queries of levels of shaders to lane IR.
 *
 * Projection and derivatives are computed here; what follows in Vulkan's equations is the
 * runtime's (rt/lookup.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"
#include "ops/build_fns.h"
#include "ops/derivative/derivative_build.h"
#include "ops/image/image_ask.h"

/* What an instruction is, besides what bits of `how` say. */
typedef struct Lookup {
    HdBuild *b;
    const HdInst *in;
    const HdType *image;
    bool implicit, projects;
    unsigned dimensions; /* of the coordinate; a cube's are three */
    HdIrRef divisor;
    HdImageAsk ask;
} Lookup;

static void set_kind(Lookup *l)
{
    uint32_t *how = &l->ask.how;

    switch (l->in->opix) {
    case HD_OPIX_ImageSampleProjDrefImplicitLod: l->projects = true; /* fall through */
    case HD_OPIX_ImageSampleDrefImplicitLod:
        *how |= HD_LOOKUP_REFERENCE;
        l->implicit = true;
        break;
    case HD_OPIX_ImageSampleProjDrefExplicitLod: l->projects = true; /* fall through */
    case HD_OPIX_ImageSampleDrefExplicitLod: *how |= HD_LOOKUP_REFERENCE; break;
    case HD_OPIX_ImageSampleProjImplicitLod: l->projects = true; /* fall through */
    case HD_OPIX_ImageSampleImplicitLod: l->implicit = true; break;
    case HD_OPIX_ImageSampleProjExplicitLod: l->projects = true; break;
    case HD_OPIX_ImageDrefGather: *how |= HD_LOOKUP_REFERENCE; /* fall through */
    case HD_OPIX_ImageGather: *how |= HD_LOOKUP_GATHER; break;
    case HD_OPIX_ImageQueryLod:
        *how |= HD_LOOKUP_QUERY;
        l->implicit = true;
        break;
    default: break;
    }
}

static bool has(const Lookup *l, uint32_t bit)
{
    return (l->ask.how & bit) != 0;
}

static unsigned dimensions_of(const HdType *image)
{
    switch (hd_type_words(image)[3]) {
    case SpvDim1D: return 1;
    case SpvDim2D:
    case SpvDimRect: return 2;
    case SpvDim3D:
    case SpvDimCube: return 3;
    default: return 0;
    }
}

static HdIrRef divided(Lookup *l, HdIrRef x)
{
    return l->projects ? hd_build_op2(l->b, HD_IR_FDIV, HD_IR_F32, x, l->divisor) : x;
}

/* Words: 4 coordinate. */
static HdStatus coordinate(Lookup *l)
{
    bool arrayed = hd_type_words(l->image)[5] == 1 && !has(l, HD_LOOKUP_QUERY);
    unsigned need = l->dimensions + arrayed;
    HdBuildValue v;

    HD_TRY(hd_build_use(l->b, l->in->w[4], &v));
    if (l->dimensions == 0)
        return hd_build_unsupported(l->b, l->in, "images of this dimensionality");
    if (v.count < need + l->projects)
        return hd_build_bad(l->b, l->in, "the coordinate has too few components");
    if (l->projects)
        l->divisor = hd_image_to_f32(l->b, v.at[l->dimensions]);
    for (unsigned i = 0; i < need; i++)
        hd_image_add(&l->ask, divided(l, hd_image_to_f32(l->b, v.at[i])));
    l->ask.how |= HD_IMAGE_FLOATS | need << HD_IMAGE_COORDS_AT;
    l->ask.how |= arrayed ? HD_IMAGE_ARRAYED : 0;
    l->ask.how |= hd_type_words(l->image)[3] == SpvDimCube ? HD_LOOKUP_CUBE : 0;
    return HD_OK;
}

/* Words: 5 reference or component. */
static HdStatus fifth(Lookup *l)
{
    HdIrRef x;

    if (!has(l, HD_LOOKUP_REFERENCE) && !has(l, HD_LOOKUP_GATHER))
        return HD_OK;
    HD_TRY(hd_build_use1(l->b, l->in->w[5], &x));
    hd_image_add(&l->ask, has(l, HD_LOOKUP_REFERENCE) ? divided(l, hd_image_to_f32(l->b, x))
                                                      : hd_image_to_i32(l->b, x));
    return HD_OK;
}

/* ---- image operands -------------------------------------------------------------------------- */

/* A float that follows; `bit` says that it is there. */
static HdStatus number(Lookup *l, HdId id, uint32_t bit)
{
    HdIrRef x;

    HD_TRY(hd_build_use1(l->b, id, &x));
    hd_image_add(&l->ask, hd_image_to_f32(l->b, x));
    l->ask.how |= bit;
    return HD_OK;
}

static HdStatus gradients(Lookup *l, unsigned at)
{
    l->ask.how |= HD_IMAGE_GRAD;
    for (unsigned g = 0; g < 2; g++) {
        HdBuildValue v;

        HD_TRY(hd_build_use(l->b, l->in->w[at + g], &v));
        if (v.count < l->dimensions)
            return hd_build_bad(l->b, l->in, "a gradient has too few components");
        for (unsigned i = 0; i < l->dimensions; i++)
            hd_image_add(&l->ask, hd_image_to_f32(l->b, v.at[i]));
    }
    return HD_OK;
}

/* The coordinate, which follows image and sampler, differs between the members of a quad. */
static void differences(Lookup *l)
{
    l->ask.how |= HD_IMAGE_GRAD;
    for (unsigned g = 0; g < 2; g++)
        for (unsigned i = 0; i < l->dimensions; i++)
            hd_image_add(&l->ask, hd_build_difference(l->b, l->ask.args[2 + i], g == 1, false));
}

static HdStatus offsets(Lookup *l, HdId id, bool four)
{
    unsigned count = four ? 8 : l->dimensions;
    HdBuildValue v;

    HD_TRY(hd_build_use(l->b, id, &v));
    if (v.count < count)
        return hd_build_bad(l->b, l->in, "the offset has too few components");
    for (unsigned i = 0; i < count; i++)
        hd_image_add(&l->ask, hd_image_to_i32(l->b, v.at[i]));
    l->ask.how |= four ? HD_LOOKUP_OFFSETS : HD_LOOKUP_OFFSET;
    return HD_OK;
}

#define LOD      SpvImageOperandsLodMask
#define GRAD     SpvImageOperandsGradMask
#define ONE      (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask)
#define FOUR     SpvImageOperandsConstOffsetsMask
#define FOUR_VAR SpvImageOperandsOffsetsMask
#define KNOWN                                                                                     \
    (SpvImageOperandsBiasMask | LOD | GRAD | ONE | FOUR | FOUR_VAR | SpvImageOperandsMinLodMask | \
     SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsVolatileTexelMask |                    \
     SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask |                            \
     SpvImageOperandsNontemporalMask)

/* The mask at word `at`, if there is one, and what follows it. */
static HdStatus image_operands(Lookup *l, unsigned at)
{
    const HdInst *in = l->in;
    uint32_t mask = at < in->nwords && !has(l, HD_LOOKUP_QUERY) ? in->w[at] : 0;

    at++;
    if ((mask & ~(uint32_t)KNOWN) != 0)
        return hd_build_unsupported(l->b, in, "these image operands");
    if ((mask & SpvImageOperandsBiasMask) != 0)
        HD_TRY(number(l, in->w[at++], HD_LOOKUP_BIAS));
    if ((mask & LOD) != 0)
        HD_TRY(number(l, in->w[at++], HD_IMAGE_LOD));
    if ((mask & GRAD) != 0) {
        HD_TRY(gradients(l, at));
        at += 2;
    }
    if (l->implicit && l->b->kernel->quads != HD_QUADS_NONE)
        differences(l);
    if ((mask & (ONE | FOUR)) != 0)
        HD_TRY(offsets(l, in->w[at++], (mask & FOUR) != 0));
    if ((mask & FOUR_VAR) != 0)
        HD_TRY(offsets(l, in->w[in->nwords - 1], true));
    return (mask & SpvImageOperandsMinLodMask) != 0 ? number(l, in->w[at], HD_LOOKUP_LEAST) : HD_OK;
}

/* Words: 3 sampled image, 4 coordinate, [5 reference or component], image operands. */
HdStatus hd_build_image_lookup(HdBuild *b, const HdInst *in)
{
    Lookup l = {.b = b,
                .in = in,
                .image = hd_type_image(hd_module_type_of(b->m, in->w[3])),
                .ask = {.how = HD_IMAGE_LOOKUP}};
    HdBuildValue v;
    const HdType *t;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    if (l.image == NULL || v.count != 2)
        return hd_build_bad(b, in, "the operand is not a sampled image");
    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (hd_type_scalar(t)->bits == 64)
        return hd_build_unsupported(b, in, "texels of 64 bits with a sampler");
    l.dimensions = dimensions_of(l.image);
    set_kind(&l);
    hd_image_add(&l.ask, v.at[0]);
    hd_image_add(&l.ask, v.at[1]);
    HD_TRY(coordinate(&l));
    HD_TRY(fifth(&l));
    HD_TRY(image_operands(&l, has(&l, HD_LOOKUP_REFERENCE | HD_LOOKUP_GATHER) ? 6 : 5));
    return hd_build_image_get(b, in, &l.ask);
}
