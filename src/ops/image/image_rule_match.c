/* ops/image/image_rule_match.c -- rules of block matching and weighted sampling: the textures
 * involved are marked by decorations, and are not used for anything else.
 *
 * Spec: SPV_QCOM_image_processing, SPV_QCOM_image_processing2.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/image/image_rule.h"
#include "ops/shader_rules.h"

/* The variable that an image, sampler or sampled image is loaded from. part: which operand of an
 * OpSampledImage. 0: it is no load. */
static HdId loaded_from(const HdVal *v, HdId id, uint32_t part)
{
    HdInst in;

    if (hd_module_def(v->m, id, &in) && in.opix == HD_OPIX_SampledImage)
        id = in.w[part];
    return hd_module_def(v->m, id, &in) && in.opix == HD_OPIX_Load ? in.w[3] : 0;
}

enum { IMAGE = 3, SAMPLER = 4 }; /* words of OpSampledImage */

static HdStatus decorated(HdVal *v, const HdInst *in, uint32_t at, uint32_t part,
                          uint32_t decoration)
{
    HdId variable = loaded_from(v, in->w[at], part);

    HD_RULE(variable != 0, "image.match-load", "operand %u is not loaded from a variable",
            hd_val_number(in, at));
    HD_RULE(hd_module_decoration(v->m, variable, decoration) != NULL, "image.match-decoration",
            "the variable that operand %u is loaded from is not decorated with %s",
            hd_val_number(in, at), hd_gram_enumerant(HD_KIND_Decoration, decoration)->name);
    return HD_OK;
}

/* OpImageSampleWeightedQCOM: 3 texture, 4 coordinates, 5 weights. Block matches: 3 target, 4
 * coordinates, 5 reference, 6 coordinates, 7 block size. */
HdStatus hd_rule_image_match(HdVal *v, const HdInst *in)
{
    const HdType *image = hd_val_operand(v, in, 3);
    bool window = in->opix == HD_OPIX_ImageBlockMatchWindowSSDQCOM ||
                  in->opix == HD_OPIX_ImageBlockMatchWindowSADQCOM;

    HD_RULE(image != NULL && image->kind == HD_T_SAMPLED_IMAGE, "image.operand",
            "the operand is not a sampled image");
    if (in->opix == HD_OPIX_ImageBoxFilterQCOM)
        return HD_OK;
    if (in->opix == HD_OPIX_ImageSampleWeightedQCOM)
        return decorated(v, in, 5, IMAGE, SpvDecorationWeightTextureQCOM);
    for (uint32_t at = 3; at <= 5; at += 2) {
        HD_TRY(decorated(v, in, at, IMAGE, SpvDecorationBlockMatchTextureQCOM));
        if (window)
            HD_TRY(decorated(v, in, at, SAMPLER, SpvDecorationBlockMatchSamplerQCOM));
    }
    return HD_OK;
}

static bool is_matched(const HdVal *v, HdId variable)
{
    return variable != 0 &&
           (hd_module_decoration(v->m, variable, SpvDecorationWeightTextureQCOM) != NULL ||
            hd_module_decoration(v->m, variable, SpvDecorationBlockMatchTextureQCOM) != NULL ||
            hd_module_decoration(v->m, variable, SpvDecorationBlockMatchSamplerQCOM) != NULL);
}

HdStatus hd_rule_image_unmatched(HdVal *v, const HdInst *in, uint32_t at)
{
    if (!hd_val_cap(v, SpvCapabilityTextureBlockMatchQCOM) &&
        !hd_val_cap(v, SpvCapabilityTextureSampleWeightedQCOM) &&
        !hd_val_cap(v, SpvCapabilityTextureBlockMatch2QCOM))
        return HD_OK;
    HD_RULE(!is_matched(v, loaded_from(v, in->w[at], IMAGE)) &&
                !is_matched(v, loaded_from(v, in->w[at], SAMPLER)),
            "image.match-use", "what is decorated for block matches or weights is for those only");
    return HD_OK;
}

/* OpImageGatherQCOM: 6 mode. */
HdStatus hd_rule_image_gather_mode(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 6);
    uint64_t mode;

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "image.gather-mode",
            "Mode is not a 32-bit integer scalar");
    if (!hd_val_known_part(v, in->w[6], 0, &mode))
        return HD_OK;
    HD_RULE(mode < 4, "image.gather-mode", "%llu is not a mode to gather in",
            (unsigned long long)mode);
    HD_RULE(hd_val_cap(v, mode == 0 ? SpvCapabilityImageGatherLinearQCOM
                                    : SpvCapabilityImageGatherExtendedModesQCOM),
            "image.gather-mode", "this mode needs capability %s",
            mode == 0 ? "ImageGatherLinearQCOM" : "ImageGatherExtendedModesQCOM");
    return HD_OK;
}
