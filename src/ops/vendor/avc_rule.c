/* ops/vendor/avc_rule.c -- rules of SPV_INTEL_device_side_avc_motion_estimation: the types of
 * results and operands, by the table avc.def.
 *
 * Spec: SPV_INTEL_device_side_avc_motion_estimation, "Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "ops/shader_rules.h"
#include "ops/vendor/avc_rule.h"

#define FIRST 3 /* word of the first operand */

static const char *const signatures[HD_OPIX_COUNT] = {
#define AVC(opcode, signature) [HD_OPIX_##opcode] = signature,
#include "ops/vendor/avc.def"
#undef AVC
};

/* The types that are the extension's own, and numbers. */
static const struct {
    char letter;
    uint8_t lanes, bits; /* 0: no number */
    enum HdOpix opix;
    const char *name;
} kinds[] = {
    {'b', 1, 8, 0, "an 8-bit integer"},
    {'h', 1, 16, 0, "a 16-bit integer"},
    {'w', 1, 32, 0, "a 32-bit integer"},
    {'q', 1, 64, 0, "a 64-bit integer"},
    {'H', 2, 16, 0, "a vector of two 16-bit integers"},
    {'W', 2, 32, 0, "a vector of two 32-bit integers"},
    {'V', 0, 0, HD_OPIX_TypeVmeImageINTEL, "OpTypeVmeImageINTEL"},
    {'m', 0, 0, HD_OPIX_TypeAvcMcePayloadINTEL, "OpTypeAvcMcePayloadINTEL"},
    {'i', 0, 0, HD_OPIX_TypeAvcImePayloadINTEL, "OpTypeAvcImePayloadINTEL"},
    {'r', 0, 0, HD_OPIX_TypeAvcRefPayloadINTEL, "OpTypeAvcRefPayloadINTEL"},
    {'s', 0, 0, HD_OPIX_TypeAvcSicPayloadINTEL, "OpTypeAvcSicPayloadINTEL"},
    {'M', 0, 0, HD_OPIX_TypeAvcMceResultINTEL, "OpTypeAvcMceResultINTEL"},
    {'I', 0, 0, HD_OPIX_TypeAvcImeResultINTEL, "OpTypeAvcImeResultINTEL"},
    {'R', 0, 0, HD_OPIX_TypeAvcRefResultINTEL, "OpTypeAvcRefResultINTEL"},
    {'S', 0, 0, HD_OPIX_TypeAvcSicResultINTEL, "OpTypeAvcSicResultINTEL"},
    {'1', 0, 0, HD_OPIX_TypeAvcImeResultSingleReferenceStreamoutINTEL,
     "OpTypeAvcImeResultSingleReferenceStreamoutINTEL"},
    {'2', 0, 0, HD_OPIX_TypeAvcImeResultDualReferenceStreamoutINTEL,
     "OpTypeAvcImeResultDualReferenceStreamoutINTEL"},
    {'3', 0, 0, HD_OPIX_TypeAvcImeSingleReferenceStreaminINTEL,
     "OpTypeAvcImeSingleReferenceStreaminINTEL"},
    {'4', 0, 0, HD_OPIX_TypeAvcImeDualReferenceStreaminINTEL,
     "OpTypeAvcImeDualReferenceStreaminINTEL"},
};

/* `what`: how the sentence begins. */
static HdStatus want(HdVal *v, const HdInst *in, const HdType *t, char letter, const char *what)
{
    enum HdOpix opix = t == NULL ? 0 : hd_module_opix(v->m, t->id);
    size_t i = 0;

    if (letter == 'n') {
        HD_RULE(hd_is_int_scalar(t), "vendor.avc", "%s is not an integer", what);
        return HD_OK;
    }
    if (letter == '*')
        letter = opix == HD_OPIX_TypeAvcImeResultINTEL ? 'I' : 'M';
    while (kinds[i].letter != letter)
        i++;
    HD_RULE(t != NULL && (kinds[i].lanes == 0 ? opix == kinds[i].opix
                                              : hd_is_int(t) && hd_type_bits(t) == kinds[i].bits &&
                                                    hd_type_lanes(t) == kinds[i].lanes),
            "vendor.avc", "%s is not %s", what, kinds[i].name);
    return HD_OK;
}

HdStatus hd_rule_avc(HdVal *v, const HdInst *in)
{
    const char *signature = signatures[in->opix];

    HD_TRY(want(v, in, hd_val_result(v, in), signature[0], "the result"));
    for (uint32_t i = FIRST; i < in->nwords; i++) {
        char what[32];

        snprintf(what, sizeof what, "operand %u", hd_val_number(in, i));
        HD_TRY(want(v, in, hd_val_operand(v, in, i), signature[i - FIRST + 1], what));
    }
    return hd_rule_avc_values(v, in);
}

/* OpTypeVmeImageINTEL: 2 image type. Spec: "Types and Variables". */
HdStatus hd_rule_type_vme_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE, "vendor.vme-image",
            "the type is not a type of images");
    HD_RULE(hd_type_words(t)[3] == SpvDim2D, "vendor.vme-image", "the image is not 2D");
    return HD_OK;
}

/* OpVmeImageINTEL: 3 image, 4 sampler. */
HdStatus hd_rule_vme_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *image = hd_val_operand(v, in, 3);

    HD_TRY(want(v, in, t, 'V', "the result"));
    HD_RULE(image != NULL && image->id == hd_type_words(t)[2], "vendor.vme-image",
            "the image is of another type than the VME image's");
    HD_RULE(hd_val_operand(v, in, 4) != NULL && hd_val_operand(v, in, 4)->kind == HD_T_SAMPLER,
            "vendor.vme-image", "the sampler is not a sampler");
    return HD_OK;
}
