/* ops/image/image_vulkan_rule.c -- rules that Vulkan adds to image instructions.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

#define VUID HD_VUID_SPIRV

/* The image type of an operand; NULL: it has none. */
static const HdType *image_of(const HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    if (t != NULL && t->kind == HD_T_POINTER)
        t = hd_type_element(t);
    if (t != NULL && t->kind == HD_T_SAMPLED_IMAGE)
        t = hd_type_element(t);
    return t != NULL && t->kind == HD_T_IMAGE ? t : NULL;
}

HdStatus hd_vulkan_texel_pointer(HdVal *v, const HdInst *in)
{
    bool typed = in->opix == HD_OPIX_ImageTexelPointer;
    const HdType *t = typed ? image_of(v, in, 3) : hd_module_type(v->m, in->w[3]);
    uint32_t format;

    if (t == NULL || t->kind != HD_T_IMAGE)
        return HD_OK;
    format = hd_type_words(t)[8];
    if (format == SpvImageFormatR64i || format == SpvImageFormatR64ui ||
        format == SpvImageFormatR32f || format == SpvImageFormatR32i ||
        format == SpvImageFormatR32ui ||
        (hd_val_cap(v, SpvCapabilityAtomicFloat16VectorNV) &&
         (format == SpvImageFormatRg16f || format == SpvImageFormatRgba16f)))
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.texel-format",
                            typed ? VUID("OpImageTexelPointer", "04658")
                                  : VUID("OpUntypedImageTexelPointerEXT", "11416"),
                            "texels of this format are not accessed atomically: R64i, R64ui, "
                            "R32f, R32i and R32ui are");
}

HdStatus hd_vulkan_image_query(HdVal *v, const HdInst *in)
{
    const HdType *t = image_of(v, in, 3);

    if (t != NULL && hd_type_words(t)[7] != 1)
        return hd_val_fail_spec(v, in, "vulkan.image-query", VUID("OpImageQuerySizeLod", "04659"),
                                "levels are asked of images whose Sampled operand is 1");
    return HD_OK;
}

/* ---- lookups --------------------------------------------------------------------------------- */

static bool is_gather(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_ImageGather:
    case HD_OPIX_ImageDrefGather:
    case HD_OPIX_ImageSparseGather:
    case HD_OPIX_ImageSparseDrefGather: return true;
    default: return false;
    }
}

static bool has_reference(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_ImageSampleDrefImplicitLod:
    case HD_OPIX_ImageSampleDrefExplicitLod:
    case HD_OPIX_ImageSampleProjDrefImplicitLod:
    case HD_OPIX_ImageSampleProjDrefExplicitLod:
    case HD_OPIX_ImageDrefGather:
    case HD_OPIX_ImageSparseSampleDrefImplicitLod:
    case HD_OPIX_ImageSparseSampleDrefExplicitLod:
    case HD_OPIX_ImageSparseDrefGather: return true;
    default: return false;
    }
}

/* The word of the image operands. */
static uint32_t operands_at(const HdInst *in)
{
    return in->opix == HD_OPIX_ImageWrite ? 4 : has_reference(in) || is_gather(in) ? 6 : 5;
}

static HdStatus gather(HdVal *v, const HdInst *in)
{
    if ((in->opix == HD_OPIX_ImageGather || in->opix == HD_OPIX_ImageSparseGather) &&
        !hd_val_is_constant(v, in->w[5]))
        return hd_val_fail_spec(v, in, "vulkan.gather", VUID("OpImageGather", "04664"),
                                "the component that is gathered is a constant");
    return HD_OK;
}

/* Formats of signed and unsigned numbers are read as such. */
static HdStatus signedness(HdVal *v, const HdInst *in, const HdType *image, uint32_t mask)
{
    const HdType *t = hd_type_element(image);
    uint32_t format = hd_type_words(image)[8];
    bool format_signed = (format >= SpvImageFormatRgba32i && format <= SpvImageFormatR8i) ||
                         format == SpvImageFormatR64i;
    bool is_signed = (mask & SpvImageOperandsSignExtendMask) ||
                     (!(mask & SpvImageOperandsZeroExtendMask) && t != NULL && t->is_signed);

    if (format == SpvImageFormatUnknown || t == NULL || t->kind != HD_T_INT ||
        format_signed == is_signed)
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.image-sign", VUID("Image", "04965"),
                            "the format's numbers are %s, and are accessed as %s ones",
                            format_signed ? "signed" : "unsigned",
                            is_signed ? "signed" : "unsigned");
}

/* Storage images without format. */
static HdStatus format(HdVal *v, const HdInst *in, const uint32_t *image)
{
    bool write = in->opix == HD_OPIX_ImageWrite;

    if ((!write && in->opix != HD_OPIX_ImageRead && in->opix != HD_OPIX_ImageSparseRead) ||
        image[8] != SpvImageFormatUnknown || image[3] == SpvDimSubpassData)
        return HD_OK;
    if (!hd_val_cap(v, write ? SpvCapabilityStorageImageWriteWithoutFormat
                             : SpvCapabilityStorageImageReadWithoutFormat))
        return hd_val_fail_spec(v, in, "vulkan.image-unknown", VUID("OpTypeImage", "04656"),
                                "an image without format needs capability %s",
                                write ? "StorageImageWriteWithoutFormat"
                                      : "StorageImageReadWithoutFormat");
    return HD_OK;
}

/* Subpass images are read where the fragment is. */
static HdStatus subpass(HdVal *v, const HdInst *in, const uint32_t *image)
{
    uint64_t x = 1, y = 1;

    if (in->opix != HD_OPIX_ImageRead || image[3] != SpvDimSubpassData)
        return HD_OK;
    if (hd_val_known_part(v, in->w[4], 0, &x) && hd_val_known_part(v, in->w[4], 1, &y) && x == 0 &&
        y == 0)
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.subpass", VUID("SubpassData", "04660"),
                            "the coordinate of a subpass image is a constant (0, 0)");
}

static HdStatus texel(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (in->opix != HD_OPIX_ImageRead && in->opix != HD_OPIX_ImageSparseRead)
        return HD_OK;
    if (in->opix == HD_OPIX_ImageSparseRead && t->kind == HD_T_STRUCT && t->count == 2)
        t = hd_type_member(v->m, t, 1);
    if (t->kind != HD_T_VECTOR || t->count != 4)
        return hd_val_fail_spec(v, in, "vulkan.image-read", VUID("Result", "04780"),
                                "what is read is a vector of four components");
    return HD_OK;
}

HdStatus hd_vulkan_image_lookup(HdVal *v, const HdInst *in)
{
    const HdType *image = image_of(v, in, in->opix == HD_OPIX_ImageWrite ? 1 : 3);
    uint32_t at = operands_at(in), mask = at < in->nwords ? in->w[at] : 0;

    if (image == NULL)
        return HD_OK;
    if (has_reference(in) && hd_type_words(image)[3] == SpvDim3D)
        return hd_val_fail_spec(v, in, "vulkan.dref", VUID("OpImage", "04777"),
                                "a three-dimensional image is not compared with a reference");
    if ((mask & SpvImageOperandsOffsetMask) && !is_gather(in) &&
        !hd_val_feature(v, HD_VULKAN_MAINTENANCE8))
        return hd_val_fail_spec(v, in, "vulkan.image-offset",
                                HD_VUID("RuntimeSpirv", "Offset", "10213"),
                                "operand Offset is for gathers; other instructions take "
                                "ConstOffset, or the device maintenance8 "
                                "(--allow-offset-texture-operand)");
    HD_TRY(gather(v, in));
    HD_TRY(texel(v, in));
    HD_TRY(subpass(v, in, hd_type_words(image)));
    HD_TRY(format(v, in, hd_type_words(image)));
    return signedness(v, in, image, mask);
}
