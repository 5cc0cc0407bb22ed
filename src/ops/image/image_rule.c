/* ops/image/image_rule.c -- rules of images and samplers.
 *
 * Spec: SPIR-V, "Image Instructions", "Image Operands"; OpenCL SPIR-V Environment Specification.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/image/image_rule.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

/* An image type's fields, from its instruction's words. */
typedef struct Image {
    const HdType *sampled_type;
    uint32_t dim, depth, arrayed, ms, sampled, format;
} Image;

static bool image_fields(const HdType *t, Image *out)
{
    const uint32_t *w;

    if (t != NULL && t->kind == HD_T_SAMPLED_IMAGE)
        t = hd_type_element(t);
    if (t == NULL || t->kind != HD_T_IMAGE)
        return false;
    w = hd_type_words(t);
    out->sampled_type = hd_type_element(t);
    out->dim = w[3];
    out->depth = w[4];
    out->arrayed = w[5];
    out->ms = w[6];
    out->sampled = w[7];
    out->format = w[8];
    return true;
}

/* The access qualifier of an image type; UINT32_MAX: it has none. */
static uint32_t qualifier(const HdType *image)
{
    return hd_type_words(image)[0] >> 16 > 9 ? hd_type_words(image)[9] : UINT32_MAX;
}

/* Components of a coordinate, the layer not counted. */
static uint32_t plane_size(uint32_t dim)
{
    switch (dim) {
    case SpvDim1D:
    case SpvDimBuffer: return 1;
    case SpvDim3D:
    case SpvDimCube: return 3;
    default: return 2;
    }
}

/* Reads and writes take coordinates of either kind but in OpenCL. */
static bool reads_or_writes(const HdVal *v, const HdInst *in)
{
    return !hd_val_opencl(v) && (in->opix == HD_OPIX_ImageRead || in->opix == HD_OPIX_ImageWrite ||
                                 in->opix == HD_OPIX_ImageSparseRead);
}

static HdStatus coordinate(HdVal *v, const HdInst *in, uint32_t at, const Image *i, bool sampling)
{
    const HdType *t = hd_val_operand(v, in, at);
    /* A cube is read by face: without a sampler the third component is the face. */
    uint32_t need = plane_size(i->dim) + i->arrayed;

    if (!sampling && i->dim == SpvDimCube)
        need = 3;
    if (sampling)
        HD_RULE(t != NULL && (hd_is_float(t) || (v->kernel && hd_is_int(t))), "image.coordinate",
                "the coordinate is not a float%s", v->kernel ? " or integer" : "");
    else
        HD_RULE(t != NULL && (hd_is_int(t) || (hd_is_float(t) && reads_or_writes(v, in))),
                "image.coordinate", "the coordinate is not an integer");
    HD_RULE(hd_type_bits(t) == 32, "image.coordinate",
            "the coordinate's components have not 32 bits");
    HD_RULE(hd_type_lanes(t) >= need, "image.coordinate-size",
            "the coordinate has %u components, %u are needed", (unsigned)hd_type_lanes(t),
            (unsigned)need);
    return HD_OK;
}

/* Spec: OpenCL SPIR-V Environment Specification, "Data Format for Reading and Writing Images". */
static HdStatus opencl_texel(HdVal *v, const HdInst *in, const HdType *t, const Image *i)
{
    uint32_t bits = hd_type_bits(t);

    HD_RULE(hd_is_int(t) ? bits == 32 && i->depth != 1 : bits == 32 || bits == 16,
            "image.texel-type",
            "in OpenCL texels are 32-bit integers or 16- or 32-bit floats, those of depth images "
            "floats");
    return HD_OK;
}

/* A result or texel. What is sampled has four components; what is read or written may have fewer,
 * but in OpenCL, where it is four or one of a depth image. */
static HdStatus texel(HdVal *v, const HdInst *in, const HdType *t, const Image *i, bool sampling)
{
    HD_RULE(hd_is_numeric(t), "image.texel", "the texel is not a number");
    if (hd_val_opencl(v) && !sampling && i->depth == 1)
        HD_RULE(t->kind != HD_T_VECTOR, "image.texel-depth",
                "the texel of a depth image is a scalar");
    else if (hd_val_opencl(v) || sampling)
        HD_RULE(t->kind == HD_T_VECTOR && t->count == 4, "image.texel",
                "the texel is not a vector of four components");
    if (i->sampled_type != NULL && i->sampled_type->kind != HD_T_VOID)
        HD_RULE(hd_type_scalar(t) == i->sampled_type, "image.sampled-type",
                "the texel's component type is not the image's sampled type");
    return hd_val_opencl(v) ? opencl_texel(v, in, t, i) : HD_OK;
}

/* ---- image operands ------------------------------------------------------------------------ */

#define BIAS         SpvImageOperandsBiasMask
#define LOD          SpvImageOperandsLodMask
#define GRAD         SpvImageOperandsGradMask
#define CONST_OFFSET SpvImageOperandsConstOffsetMask
#define OFFSET       SpvImageOperandsOffsetMask
#define OFFSETS      SpvImageOperandsConstOffsetsMask
#define SAMPLE       SpvImageOperandsSampleMask
#define MIN_LOD      SpvImageOperandsMinLodMask
#define AVAILABLE    SpvImageOperandsMakeTexelAvailableMask
#define VISIBLE      SpvImageOperandsMakeTexelVisibleMask
#define NON_PRIVATE  SpvImageOperandsNonPrivateTexelMask
#define SIGN_EXTEND  SpvImageOperandsSignExtendMask
#define ZERO_EXTEND  SpvImageOperandsZeroExtendMask
#define OPERANDS     "SPIR-V, Image Operands"

static bool is_word(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 32;
}

static bool is_float_word(const HdType *t)
{
    return hd_is_float_scalar(t) && t->bits == 32 && t->encoding == 0;
}

/* An image with levels of detail. */
static bool has_levels(const Image *i)
{
    return (i->dim == SpvDim1D || i->dim == SpvDim2D || i->dim == SpvDim3D ||
            i->dim == SpvDimCube) &&
           !i->ms;
}

/* OpenCL's images have one level but for an extension. */
static HdStatus level(HdVal *v, const HdInst *in, HdId id)
{
    const char *name =
        in->opix == HD_OPIX_ImageWrite ? "cl_khr_mipmap_image_writes" : "cl_khr_mipmap_image";
    const HdConstant *c = hd_module_constant(v->m, id);

    HD_RULE(!hd_val_opencl(v) || hd_val_has(v, name) ||
                (c != NULL && (c->kind == HD_C_NULL || (c->kind == HD_C_SCALAR && c->bits == 0))),
            "image.lod-mipmap", "a Lod that is not 0 needs %s", name);
    return HD_OK;
}

static HdStatus lod(HdVal *v, const HdInst *in, uint32_t at, const Image *i, bool sampling)
{
    const HdType *t = hd_val_operand(v, in, at);

    if (sampling)
        HD_RULE(is_float_word(t), "image.lod", "Lod is not a 32-bit float scalar");
    else
        HD_RULE(is_word(t), "image.lod", "Lod is not a 32-bit integer scalar");
    HD_RULE(i->dim == SpvDim1D || i->dim == SpvDim2D || i->dim == SpvDim3D ||
                i->dim == SpvDimCube || hd_val_opencl(v),
            "image.lod-dim", "Lod needs an image of dimensionality 1D, 2D, 3D or Cube");
    HD_RULE(!i->ms, "image.lod-ms", "a multi-sampled image has no levels");
    return level(v, in, in->w[at]);
}

static HdStatus offset_operand(HdVal *v, const HdInst *in, uint32_t at, const Image *i,
                               bool constant)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(i->dim != SpvDimCube, "image.offset", "a cube takes no offset");
    HD_RULE(t != NULL && hd_is_int(t) && hd_type_bits(t) == 32, "image.offset",
            "the offset is not a 32-bit integer");
    HD_RULE(hd_type_lanes(t) == plane_size(i->dim), "image.offset",
            "the offset has another number of components than the image has dimensions");
    HD_RULE(!constant || hd_val_is_constant(v, in->w[at]), "image.offset",
            "ConstOffset is not a constant");
    return HD_OK;
}

static HdStatus grad(HdVal *v, const HdInst *in, uint32_t at, const Image *i)
{
    for (uint32_t k = at; k < at + 2; k++) {
        const HdType *t = hd_val_operand(v, in, k);

        HD_RULE(t != NULL && hd_is_float(t) && hd_type_bits(t) == 32, "image.grad",
                "a gradient is not a 32-bit float");
        /* OpenCL's coordinates of three dimensions have a component more, and so have gradients. */
        HD_RULE(hd_type_lanes(t) == plane_size(i->dim) ||
                    (v->kernel && i->dim == SpvDim3D && hd_type_lanes(t) == 4),
                "image.grad",
                "a gradient has another number of components than the image has dimensions");
    }
    HD_RULE(!i->ms, "image.grad", "a multi-sampled image has no gradients");
    return HD_OK;
}

/* How an instruction gets at texels; from its opcode, see access_of. */
typedef struct Access {
    bool implicit, explicit, dref, proj, gather, fetch, sparse;
} Access;

/* The opcodes of image accesses occur twice in the same order: plain, and sparse. */
static Access access_of(const HdInst *in)
{
    uint32_t op = hd_gram_insts[in->opix].opcode;
    bool sparse = op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseDrefGather;

    if (sparse)
        op -= SpvOpImageSparseSampleImplicitLod - SpvOpImageSampleImplicitLod;
    return (Access){
        .implicit = op == SpvOpImageSampleImplicitLod || op == SpvOpImageSampleDrefImplicitLod ||
                    op == SpvOpImageSampleProjImplicitLod ||
                    op == SpvOpImageSampleProjDrefImplicitLod,
        .explicit = op == SpvOpImageSampleExplicitLod || op == SpvOpImageSampleDrefExplicitLod ||
                    op == SpvOpImageSampleProjExplicitLod ||
                    op == SpvOpImageSampleProjDrefExplicitLod,
        .dref = op == SpvOpImageSampleDrefImplicitLod || op == SpvOpImageSampleDrefExplicitLod ||
                op == SpvOpImageSampleProjDrefImplicitLod ||
                op == SpvOpImageSampleProjDrefExplicitLod || op == SpvOpImageDrefGather,
        .proj = op >= SpvOpImageSampleProjImplicitLod && op <= SpvOpImageSampleProjDrefExplicitLod,
        .gather = op == SpvOpImageGather || op == SpvOpImageDrefGather ||
                  in->opix == HD_OPIX_ImageGatherQCOM,
        .fetch = op == SpvOpImageFetch,
        .sparse = sparse,
    };
}

static HdStatus bias(HdVal *v, const HdInst *in, uint32_t at, const Image *i)
{
    HD_RULE(is_float_word(hd_val_operand(v, in, at)), "image.bias",
            "Bias is not a 32-bit float scalar");
    HD_RULE(has_levels(i), "image.bias", "this image has no levels for Bias to choose from");
    return HD_OK;
}

/* ConstOffsets: four pairs. */
static HdStatus four_offsets(HdVal *v, const HdInst *in, uint32_t at, const Image *i)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(i->dim != SpvDimCube, "image.offset", "a cube takes no offset");
    HD_RULE(t != NULL && t->kind == HD_T_ARRAY && hd_type_length(t) == 4 &&
                hd_type_element(t)->kind == HD_T_VECTOR && hd_type_element(t)->count == 2 &&
                hd_is_int(hd_type_element(t)) && hd_type_bits(hd_type_element(t)) == 32,
            "image.const-offsets", "ConstOffsets is not an array of four pairs of 32-bit integers");
    HD_RULE(hd_val_is_constant(v, in->w[at]), "image.const-offsets",
            "ConstOffsets is not a constant");
    return HD_OK;
}

/* May the instruction take Lod? Reads and writes in OpenCL environments by an extension, see
 * `level`. */
static bool takes_lod(const HdVal *v, const HdInst *in, const Access *how)
{
    switch (in->opix) {
    case HD_OPIX_ImageRead:
    case HD_OPIX_ImageWrite:
    case HD_OPIX_ImageSparseRead:
        return hd_val_cap(v, SpvCapabilityImageReadWriteLodAMD) ||
               (v->kernel && (hd_val_opencl(v) || hd_val_cap(v, SpvCapabilityImageMipmap)));
    default: break;
    }
    if (how->gather && !how->dref)
        return hd_val_cap(v, SpvCapabilityImageGatherBiasLodAMD);
    return how->explicit || how->fetch;
}

/* MakeTexelAvailable, MakeTexelVisible and their scopes, which begin at word `at`. */
static HdStatus made_texels(HdVal *v, const HdInst *in, uint32_t at, uint32_t mask)
{
    bool write = in->opix == HD_OPIX_ImageWrite,
         read = in->opix == HD_OPIX_ImageRead || in->opix == HD_OPIX_ImageSparseRead;

    if (!(mask & (AVAILABLE | VISIBLE)))
        return HD_OK;
    if ((!write && (mask & AVAILABLE)) || (!read && (mask & VISIBLE)))
        return hd_val_fail_spec(v, in, "image.make-texel", OPERANDS,
                                "MakeTexelAvailable is for writes, MakeTexelVisible for reads");
    if (!(mask & NON_PRIVATE))
        return hd_val_fail_spec(v, in, "image.make-texel", OPERANDS,
                                "MakeTexelAvailable and MakeTexelVisible need NonPrivateTexel");
    return hd_val_scope_memory(v, in, at);
}

/* SignExtend and ZeroExtend, by the type of what is read or written. */
static HdStatus extended(HdVal *v, const HdInst *in, uint32_t mask)
{
    const HdType *t =
        in->opix == HD_OPIX_ImageWrite ? hd_val_operand(v, in, 3) : hd_val_result(v, in);

    if (!(mask & (SIGN_EXTEND | ZERO_EXTEND)))
        return HD_OK;
    if ((mask & SIGN_EXTEND) && (mask & ZERO_EXTEND))
        return hd_val_fail_spec(v, in, "image.extend", OPERANDS,
                                "SignExtend and ZeroExtend exclude each other");
    if (t != NULL && t->kind == HD_T_STRUCT && t->count == 2)
        t = hd_type_member(v->m, t, 1);
    if (t == NULL || !hd_is_int(t) || ((mask & ZERO_EXTEND) && hd_type_scalar(t)->is_signed))
        return hd_val_fail_spec(v, in, "image.extend", OPERANDS,
                                "the texel is not an %sinteger scalar or vector",
                                (mask & ZERO_EXTEND) ? "unsigned " : "");
    return HD_OK;
}

/* The mask at word `at` and what follows it; the reader has proved the number of operands. */
static HdStatus image_operands(HdVal *v, const HdInst *in, uint32_t at, const Image *i,
                               bool sampling)
{
    uint32_t mask = at < in->nwords ? in->w[at] : 0, offsets;
    Access how = access_of(in);

    at++;
    HD_RULE(!(mask & BIAS) || how.implicit ||
                (how.gather && !how.dref && hd_val_cap(v, SpvCapabilityImageGatherBiasLodAMD)),
            "image.bias", "Bias is for implicit-lod instructions");
    if (mask & BIAS)
        HD_TRY(bias(v, in, at++, i));
    HD_RULE(!(mask & LOD) || takes_lod(v, in, &how), "image.lod-implicit",
            "Lod is for explicit-lod instructions and fetches");
    HD_RULE((mask & (LOD | GRAD)) != (LOD | GRAD), "image.lod-grad",
            "Lod and Grad exclude each other");
    HD_RULE(!hd_val_opencl(v) || !(mask & (CONST_OFFSET | OFFSET | OFFSETS | MIN_LOD)),
            "image.opencl-operands", "OpenCL has no offsets and no MinLod");
    offsets = mask & (CONST_OFFSET | OFFSET | OFFSETS);
    HD_RULE((offsets & (offsets - 1)) == 0, "image.offsets", "there is more than one offset");
    if (mask & LOD)
        HD_TRY(lod(v, in, at++, i, sampling));
    if (mask & GRAD) {
        HD_RULE(how.explicit, "image.grad", "Grad is for explicit-lod sampling");
        HD_RULE(!hd_val_opencl(v) || hd_val_has(v, "cl_khr_mipmap_image"), "image.grad-mipmap",
                "gradients need cl_khr_mipmap_image");
        HD_TRY(grad(v, in, at, i));
        at += 2;
    }
    if (mask & CONST_OFFSET)
        HD_TRY(offset_operand(v, in, at++, i, true));
    if (mask & OFFSET)
        HD_TRY(offset_operand(v, in, at++, i, false));
    HD_RULE(!(mask & OFFSETS) || how.gather, "image.const-offsets", "ConstOffsets is for gathers");
    if (mask & OFFSETS)
        HD_TRY(four_offsets(v, in, at++, i));
    if (mask & SAMPLE) {
        HD_RULE(i->ms, "image.sample", "Sample is for multi-sampled images");
        HD_RULE(!sampling, "image.sample", "Sample is for fetches, reads and writes");
        HD_RULE(is_word(hd_val_operand(v, in, at)), "image.sample",
                "Sample is not a 32-bit integer scalar");
        at++;
    } else {
        HD_RULE(!i->ms || sampling, "image.sample", "a multi-sampled image needs Sample");
    }
    if (mask & MIN_LOD) {
        HD_RULE(how.implicit || (mask & GRAD), "image.min-lod",
                "MinLod goes with implicit lod or Grad");
        HD_RULE(is_float_word(hd_val_operand(v, in, at)), "image.min-lod",
                "MinLod is not a 32-bit float scalar");
        HD_RULE(has_levels(i), "image.min-lod", "this image has no levels for MinLod to bound");
        at++;
    }
    HD_TRY(made_texels(v, in, at, mask));
    return extended(v, in, mask);
}

/* ---- instructions -------------------------------------------------------------------------- */

/* An image type, and that of a sampled image's: whether it is of depth matters only where it is
 * used, so that glslang makes an image of depth of another one. */
static bool is_image_of(const HdType *image, const HdType *sampled)
{
    const uint32_t *a, *b;

    if (image == sampled || image == NULL || sampled == NULL || image->kind != HD_T_IMAGE ||
        sampled->kind != HD_T_IMAGE)
        return image == sampled;
    a = hd_type_words(image);
    b = hd_type_words(sampled);
    for (uint32_t i = 2; i < a[0] >> 16; i++)
        if (i != 4 && a[i] != b[i])
            return false;
    return a[0] == b[0];
}

HdStatus hd_rule_sampled_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *s = hd_val_operand(v, in, 4);

    HD_RULE(t->kind == HD_T_SAMPLED_IMAGE, "image.result", "the result is not a sampled image");
    HD_RULE(is_image_of(hd_val_operand(v, in, 3), hd_type_element(t)), "image.operand",
            "the image's type is not that of the result");
    HD_RULE(s != NULL && s->kind == HD_T_SAMPLER, "image.sampler", "the operand is not a sampler");
    return HD_OK;
}

/* OpImageSampleExplicitLod: 3 sampled image, 4 coordinate, 5 operands. */
HdStatus hd_rule_image_sample(HdVal *v, const HdInst *in)
{
    const HdType *s = hd_val_operand(v, in, 3);
    Image i;

    HD_TRY(hd_rule_image_unmatched(v, in, 3));
    HD_RULE(s != NULL && s->kind == HD_T_SAMPLED_IMAGE && image_fields(s, &i), "image.operand",
            "the operand is not a sampled image");
    HD_RULE(!i.ms, "image.sample-ms", "a multi-sampled image cannot be sampled");
    HD_RULE(i.dim != SpvDimBuffer || !hd_val_opencl(v), "image.sample-buffer",
            "a buffer cannot be sampled");
    HD_RULE(!hd_val_opencl(v) || qualifier(hd_type_element(s)) != SpvAccessQualifierWriteOnly,
            "image.access", "the image is write-only");
    HD_TRY(texel(v, in, hd_val_result(v, in), &i, true));
    HD_TRY(coordinate(v, in, 4, &i, true));
    HD_RULE((in->w[5] & (LOD | GRAD)) != 0, "image.lod-missing", "Lod or Grad is needed");
    return image_operands(v, in, 5, &i, true);
}

HdStatus hd_rule_image_fetch(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 3);
    Image i;

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE && image_fields(t, &i), "image.operand",
            "the operand is not an image");
    HD_RULE(i.sampled == 1 && i.dim != SpvDimCube, "image.fetch",
            "this image cannot be fetched from");
    HD_TRY(texel(v, in, hd_val_result(v, in), &i, true));
    HD_TRY(coordinate(v, in, 4, &i, false));
    return image_operands(v, in, 5, &i, false);
}

/* What a shader declares to get at storage images of some shapes. */
static HdStatus storage_image(HdVal *v, const HdInst *in, const Image *i)
{
    uint32_t need = i->dim == SpvDim1D                   ? SpvCapabilityImage1D
                    : i->dim == SpvDimRect               ? SpvCapabilityImageRect
                    : i->dim == SpvDimBuffer             ? SpvCapabilityImageBuffer
                    : i->dim == SpvDimCube && i->arrayed ? SpvCapabilityImageCubeArray
                    : i->ms && i->arrayed                ? SpvCapabilityImageMSArray
                                                         : SpvCapabilityMatrix;

    if (v->kernel || !v->shader || i->sampled != 2)
        return HD_OK;
    HD_RULE(need == SpvCapabilityMatrix || hd_val_cap(v, need), "image.storage-capability",
            "this storage image needs capability %s",
            hd_gram_enumerant(HD_KIND_Capability, need)->name);
    return HD_OK;
}

HdStatus hd_rule_image_read(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 3);
    Image i;

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE && image_fields(t, &i), "image.operand",
            "the operand is not an image");
    HD_RULE(i.dim != SpvDimTileImageDataEXT, "image.tile", "a tile image is read by attachment");
    HD_RULE(i.sampled != 1 || !v->shader || v->kernel, "image.read",
            "an image that is used with a sampler cannot be read");
    HD_RULE(!hd_val_opencl(v) || qualifier(t) != SpvAccessQualifierWriteOnly, "image.access",
            "the image is write-only");
    HD_TRY(storage_image(v, in, &i));
    HD_TRY(texel(v, in, hd_val_result(v, in), &i, false));
    HD_TRY(coordinate(v, in, 4, &i, false));
    return image_operands(v, in, 5, &i, false);
}

/* Words: 1 image, 2 coordinate, 3 texel, 4 operands. */
HdStatus hd_rule_image_write(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 1), *x = hd_val_operand(v, in, 3);
    Image i;

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE && image_fields(t, &i), "image.operand",
            "the operand is not an image");
    HD_RULE(i.dim != SpvDimSubpassData, "image.write", "SubpassData cannot be written");
    HD_RULE(i.sampled != 1 || !v->shader || v->kernel, "image.write",
            "an image that is used with a sampler cannot be written");
    HD_RULE(i.dim != SpvDimTileImageDataEXT, "image.tile", "a tile image cannot be written");
    HD_RULE(!hd_val_opencl(v) || qualifier(t) != SpvAccessQualifierReadOnly, "image.access",
            "the image is read-only");
    HD_RULE(!hd_val_opencl(v) || i.dim != SpvDim3D || hd_val_has(v, "cl_khr_3d_image_writes"),
            "image.write-3d", "writing 3D images needs cl_khr_3d_image_writes");
    HD_RULE(!hd_val_opencl(v) || !i.ms, "image.write-ms", "multi-sampled images cannot be written");
    HD_TRY(storage_image(v, in, &i));
    HD_TRY(texel(v, in, x == NULL ? hd_val_operand(v, in, 2) : x, &i, false));
    HD_TRY(coordinate(v, in, 2, &i, false));
    return image_operands(v, in, 4, &i, false);
}

HdStatus hd_rule_image_of(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 3);

    HD_RULE(hd_val_result(v, in)->kind == HD_T_IMAGE, "image.result", "the result is not an image");
    HD_RULE(o != NULL && o->kind == HD_T_SAMPLED_IMAGE &&
                hd_type_element(o) == hd_val_result(v, in),
            "image.operand", "the operand is not a sampled image of the result type");
    return HD_OK;
}

static HdStatus queried(HdVal *v, const HdInst *in, Image *i)
{
    const HdType *t = hd_val_operand(v, in, 3);

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE && image_fields(t, i), "image.operand",
            "the operand is not an image");
    return HD_OK;
}

/* OpImageQueryFormat, OpImageQueryOrder. */
HdStatus hd_rule_image_query_word(HdVal *v, const HdInst *in)
{
    Image i;

    HD_RULE(hd_is_int_scalar(hd_val_result(v, in)), "image.result",
            "the result is not an integer scalar");
    HD_TRY(queried(v, in, &i));
    HD_RULE(i.dim != SpvDimTileImageDataEXT, "image.tile", "a tile image has no format to ask for");
    return HD_OK;
}

static HdStatus size_result(HdVal *v, const HdInst *in, const Image *i)
{
    const HdType *t = hd_val_result(v, in);
    uint32_t need = i->dim == SpvDimCube ? 2 : plane_size(i->dim);

    HD_RULE(hd_is_int(t), "image.result", "the result is not an integer scalar or vector");
    HD_RULE(hd_type_lanes(t) == need + i->arrayed, "image.size-result",
            "the result has %u components, %u are needed", (unsigned)hd_type_lanes(t),
            (unsigned)(need + i->arrayed));
    return HD_OK;
}

HdStatus hd_rule_image_query_size_lod(HdVal *v, const HdInst *in)
{
    Image i;

    HD_TRY(queried(v, in, &i));
    HD_RULE(i.dim == SpvDim1D || i.dim == SpvDim2D || i.dim == SpvDim3D || i.dim == SpvDimCube,
            "image.size-dim", "the image has a dimensionality without levels");
    HD_RULE(!i.ms || hd_val_has(v, "cl_khr_gl_msaa_sharing"), "image.size-ms",
            "a multi-sampled image has no levels");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 4)) && hd_val_operand(v, in, 4)->bits == 32,
            "image.lod", "Lod is not a 32-bit integer scalar");
    HD_TRY(level(v, in, in->w[4]));
    return size_result(v, in, &i);
}

HdStatus hd_rule_image_query_size(HdVal *v, const HdInst *in)
{
    Image i;

    HD_TRY(queried(v, in, &i));
    if (i.dim == SpvDim1D || i.dim == SpvDim2D || i.dim == SpvDim3D || i.dim == SpvDimCube)
        HD_RULE(i.ms || i.sampled == 0 || i.sampled == 2, "image.size-sampled",
                "an image that is sampled is asked with a level");
    else
        HD_RULE(i.dim == SpvDimBuffer || i.dim == SpvDimRect, "image.size-dim",
                "an image of this dimensionality has no size");
    return size_result(v, in, &i);
}

/* OpImageQueryLevels, OpImageQuerySamples. */
HdStatus hd_rule_image_query_count(HdVal *v, const HdInst *in)
{
    Image i;

    HD_RULE(hd_is_int_scalar(hd_val_result(v, in)), "image.result",
            "the result is not an integer scalar");
    HD_TRY(queried(v, in, &i));
    if (in->opix == HD_OPIX_ImageQuerySamples)
        HD_RULE(i.dim == SpvDim2D && i.ms == 1, "image.samples",
                "the image is not 2D and multi-sampled");
    else
        HD_RULE(i.dim == SpvDim1D || i.dim == SpvDim2D || i.dim == SpvDim3D || i.dim == SpvDimCube,
                "image.levels", "an image of this dimensionality has no levels");
    HD_RULE(in->opix != HD_OPIX_ImageQueryLevels || !hd_val_opencl(v) ||
                hd_val_has(v, "cl_khr_mipmap_image"),
            "image.levels-mipmap", "the number of levels needs cl_khr_mipmap_image");
    return HD_OK;
}

HdStatus hd_rule_image_query_lod(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *s = hd_val_operand(v, in, 3);
    Image i;

    HD_RULE(t->kind == HD_T_VECTOR && t->count == 2 && hd_is_float(t), "image.result",
            "the result is not a vector of two floats");
    HD_RULE(s != NULL && s->kind == HD_T_SAMPLED_IMAGE && image_fields(s, &i), "image.operand",
            "the operand is not a sampled image");
    HD_RULE(i.dim == SpvDim1D || i.dim == SpvDim2D || i.dim == SpvDim3D || i.dim == SpvDimCube,
            "image.levels", "an image of this dimensionality has no levels");
    HD_RULE(hd_is_float(hd_val_operand(v, in, 4)), "image.coordinate",
            "the coordinate is not a float");
    i.arrayed = 0; /* the layer is not queried */
    return coordinate(v, in, 4, &i, true);
}

/* Words: 3 pointer to image, 4 coordinate, 5 sample; untyped, the image's type comes before them.
 */
HdStatus hd_rule_image_texel_pointer(HdVal *v, const HdInst *in)
{
    const bool is_typed = in->opix == HD_OPIX_ImageTexelPointer;
    const unsigned at = is_typed ? 3 : 4;
    const HdType *t = hd_val_result(v, in), *p = hd_val_operand(v, in, at), *image;
    uint64_t sample;
    uint32_t need;
    Image i;

    HD_RULE(hd_is_pointer(t) && t->storage == SpvStorageClassImage, "image.texel-pointer",
            "the result is not a pointer of storage class Image");
    HD_RULE(t->is_untyped ||
                (hd_type_element(t) != NULL &&
                 (hd_type_element(t)->kind == HD_T_INT || hd_type_element(t)->kind == HD_T_FLOAT ||
                  hd_type_element(t)->kind == HD_T_VOID)),
            "image.texel-pointer", "the result points to no number");
    HD_RULE(hd_is_pointer(p) &&
                (is_typed ? p->is_untyped || image_fields(hd_type_element(p), &i) : p->is_untyped),
            "image.operand", "the operand is not a pointer to an image");
    image = is_typed ? hd_type_element(p) : hd_module_type(v->m, in->w[3]);
    if (is_typed && p->is_untyped)
        return HD_OK;
    HD_RULE(image_fields(image, &i), "image.operand", "the type is not that of an image");
    HD_RULE(t->is_untyped || hd_type_element(t) == i.sampled_type, "image.sampled-type",
            "the pointer's type is not the image's sampled type");
    HD_RULE(i.dim != SpvDimSubpassData, "image.texel-pointer", "SubpassData has no texel pointers");
    HD_RULE(i.dim != SpvDimTileImageDataEXT, "image.tile", "a tile image has no texel pointers");
    HD_TRY(coordinate(v, in, at + 1, &i, false));
    need = i.dim == SpvDimCube ? 3 : plane_size(i.dim) + i.arrayed;
    HD_RULE(hd_type_lanes(hd_val_operand(v, in, at + 1)) == need, "image.coordinate-size",
            "the coordinate has not exactly %u components", (unsigned)need);
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, at + 2)), "image.sample",
            "Sample is not an integer scalar");
    HD_RULE(i.ms || (hd_module_constant_u64(v->m, in->w[at + 2], &sample) && sample == 0),
            "image.sample", "Sample must be 0 for an image that is not multi-sampled");
    return HD_OK;
}

/* ---- sampling as shaders have it ----------------------------------------------------------- */

/* The type of what is read: after the residency code of a sparse access. */
static HdStatus accessed(HdVal *v, const HdInst *in, bool sparse, const HdType **out)
{
    const HdType *t = hd_val_result(v, in);

    *out = t;
    if (!sparse)
        return HD_OK;
    HD_RULE(t->kind == HD_T_STRUCT && t->count == 2 && hd_is_int_scalar(hd_type_member(v->m, t, 0)),
            "image.sparse-result", "the result is not a structure of an integer and a texel");
    *out = hd_type_member(v->m, t, 1);
    return HD_OK;
}

static HdStatus shader_dim(HdVal *v, const HdInst *in, const Image *i, const Access *how)
{
    HD_RULE(!i->ms, "image.sample-ms", "a multi-sampled image cannot be sampled");
    if (how->gather)
        HD_RULE(i->dim == SpvDim2D || i->dim == SpvDimCube || i->dim == SpvDimRect,
                "image.gather-dim", "an image of this dimensionality cannot be gathered from");
    if (how->proj)
        HD_RULE((i->dim == SpvDim1D || i->dim == SpvDim2D || i->dim == SpvDim3D ||
                 i->dim == SpvDimRect) &&
                    !i->arrayed,
                "image.proj-dim", "this image takes no coordinate to be projected");
    return HD_OK;
}

/* OpImageSampleImplicitLod … OpImageSparseDrefGather but what OpenCL has too. Words: 3 sampled
 * image, 4 coordinate, [5 reference or component], operands. */
HdStatus hd_rule_image_shader(HdVal *v, const HdInst *in)
{
    const HdType *s = hd_val_operand(v, in, 3), *t, *x = hd_val_operand(v, in, 5);
    Access how = access_of(in);
    uint32_t at = in->opix == HD_OPIX_ImageGatherQCOM ? 7 : how.dref || how.gather ? 6 : 5;
    Image i;

    HD_TRY(hd_rule_image_unmatched(v, in, 3));
    HD_TRY(accessed(v, in, how.sparse, &t));
    HD_RULE(s != NULL && s->kind == (how.fetch ? HD_T_IMAGE : HD_T_SAMPLED_IMAGE) &&
                image_fields(s, &i),
            "image.operand", "the operand is not %s", how.fetch ? "an image" : "a sampled image");
    if (how.fetch)
        HD_RULE(i.sampled == 1 && i.dim != SpvDimCube, "image.fetch",
                "this image cannot be fetched from");
    else
        HD_TRY(shader_dim(v, in, &i, &how));
    if (how.dref)
        HD_RULE(i.sampled_type == NULL || hd_type_scalar(t) == i.sampled_type, "image.sampled-type",
                "the result is not of the image's sampled type");
    if (how.dref && !how.gather) {
        HD_RULE(hd_is_int_scalar(t) || hd_is_float_scalar(t), "image.texel",
                "the result of a comparison is a scalar");
    } else {
        HD_TRY(texel(v, in, t, &i, true));
    }
    if (how.proj) {
        const HdType *c = hd_val_operand(v, in, 4);

        HD_RULE(c != NULL && hd_type_lanes(c) > plane_size(i.dim), "image.coordinate-size",
                "the coordinate needs a component to divide by");
    }
    HD_TRY(coordinate(v, in, 4, &i, !how.fetch));
    if (how.dref)
        HD_RULE(hd_is_float_scalar(x) && x->bits == 32, "image.reference",
                "the reference is not a 32-bit float scalar");
    else if (how.gather)
        HD_RULE(hd_is_int_scalar(x) && x->bits == 32, "image.component",
                "the component is not a 32-bit integer scalar");
    if (in->opix == HD_OPIX_ImageGatherQCOM)
        HD_TRY(hd_rule_image_gather_mode(v, in));
    if (!how.implicit && !how.gather && !how.fetch)
        HD_RULE((in->w[at] & (LOD | GRAD)) != 0, "image.lod-missing", "Lod or Grad is needed");
    return image_operands(v, in, at, &i, !how.fetch);
}

/* OpImageSparseRead. */
HdStatus hd_rule_image_sparse_read(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 3), *t;
    Image i;

    HD_TRY(accessed(v, in, true, &t));
    HD_RULE(o != NULL && o->kind == HD_T_IMAGE && image_fields(o, &i), "image.operand",
            "the operand is not an image");
    HD_RULE(i.dim != SpvDimSubpassData, "image.read", "SubpassData has no sparse reads");
    HD_RULE(i.dim != SpvDimTileImageDataEXT, "image.tile", "a tile image has no sparse reads");
    HD_TRY(storage_image(v, in, &i));
    HD_TRY(texel(v, in, t, &i, false));
    HD_TRY(coordinate(v, in, 4, &i, false));
    return image_operands(v, in, 5, &i, false);
}

/* OpColorAttachmentReadEXT: 3 attachment, [4 sample]. OpDepthAttachmentReadEXT,
 * OpStencilAttachmentReadEXT: [3 sample]. */
HdStatus hd_rule_attachment_read(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    uint32_t sample = in->opix == HD_OPIX_ColorAttachmentReadEXT ? 4 : 3;
    Image i;

    switch (in->opix) {
    case HD_OPIX_ColorAttachmentReadEXT:
        HD_RULE(hd_is_numeric(t), "image.result", "the result is not a number or vector");
        HD_RULE(hd_val_operand(v, in, 3) != NULL && hd_val_operand(v, in, 3)->kind == HD_T_IMAGE &&
                    image_fields(hd_val_operand(v, in, 3), &i) && i.dim == SpvDimTileImageDataEXT,
                "image.operand", "the attachment is not a tile image");
        HD_RULE(hd_type_scalar(t) == i.sampled_type, "image.sampled-type",
                "the result's component type is not the image's sampled type");
        break;
    case HD_OPIX_DepthAttachmentReadEXT:
        HD_RULE(hd_is_float_scalar(t) && t->bits == 32, "image.result",
                "the result is not a 32-bit float scalar");
        break;
    default:
        HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "image.result",
                "the result is not a 32-bit integer scalar");
        break;
    }
    HD_RULE(in->nwords <= sample || hd_is_int_scalar(hd_val_operand(v, in, sample)), "image.sample",
            "Sample is not an integer scalar");
    return HD_OK;
}

/* OpImageSparseTexelsResident: 3 residency code. */
HdStatus hd_rule_texels_resident(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "image.result",
            "the result is not a bool scalar");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 3)), "image.resident-code",
            "the residency code is not an integer scalar");
    return HD_OK;
}
