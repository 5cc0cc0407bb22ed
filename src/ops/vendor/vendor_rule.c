/* ops/vendor/vendor_rule.c -- rules of extension instructions for kernels that no OpenCL
 * environment has. Most are validated, never built.
 *
 * Spec: SPV_INTEL_shader_integer_functions2,
 * SPV_INTEL_media_block_io, SPV_INTEL_masked_gather_scatter, SPV_INTEL_bindless_images,
 * SPV_ALTERA_fpga_reg, SPV_ALTERA_task_sequence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"
#include "ops/shader_rules.h"

static HdStatus same_operands(HdVal *v, const HdInst *in, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        HD_RULE(hd_val_operand(v, in, i) == hd_val_result(v, in), "vendor.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    return HD_OK;
}

/* OpConvertHandleToImageINTEL … OpConvertHandleToSampledImageINTEL: 3 handle, an address. Spec:
 * SPV_INTEL_bindless_images. */
HdStatus hd_rule_handle(HdVal *v, const HdInst *in)
{
    HdTypeKind kind = in->opix == HD_OPIX_ConvertHandleToImageINTEL     ? HD_T_IMAGE
                      : in->opix == HD_OPIX_ConvertHandleToSamplerINTEL ? HD_T_SAMPLER
                                                                        : HD_T_SAMPLED_IMAGE;
    const HdType *t = hd_val_operand(v, in, 3);

    HD_RULE(hd_val_result(v, in)->kind == kind, "vendor.handle-result",
            "the result is not what the handle is converted to");
    HD_RULE(hd_is_int_scalar(t) && t->bits == hd_module_address_bits(v->m), "vendor.handle",
            "the handle is not an integer of the size of pointers");
    return HD_OK;
}

static HdStatus constant_word(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && hd_val_is_constant(v, in->w[at]),
            "vendor.constant", "id %u is not a constant of a 32-bit integer type",
            (unsigned)in->w[at]);
    return HD_OK;
}

/* OpUCountLeadingZerosINTEL … OpUMul32x16INTEL: 3, [4] operands. */
HdStatus hd_rule_integer_functions(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o;
    bool is_signed = in->opix == HD_OPIX_IAddSatINTEL || in->opix == HD_OPIX_ISubSatINTEL ||
                     in->opix == HD_OPIX_IAverageINTEL ||
                     in->opix == HD_OPIX_IAverageRoundedINTEL || in->opix == HD_OPIX_IMul32x16INTEL;
    bool words =
        in->nwords == 4 || in->opix == HD_OPIX_IMul32x16INTEL || in->opix == HD_OPIX_UMul32x16INTEL;

    HD_RULE(hd_is_int(t) && (is_signed || !hd_type_scalar(t)->is_signed), "vendor.result",
            "the result is not an %sinteger scalar or vector", is_signed ? "" : "unsigned ");
    HD_RULE(!words || hd_type_bits(t) == 32, "vendor.result", "the result has not 32 bits");
    if (in->opix != HD_OPIX_AbsISubINTEL)
        return same_operands(v, in, 3, in->nwords);
    for (uint32_t i = 3; i < 5; i++) {
        o = hd_val_operand(v, in, i);
        HD_RULE(o != NULL && hd_is_int(o) && hd_type_lanes(o) == hd_type_lanes(t) &&
                    hd_type_bits(o) == hd_type_bits(t),
                "vendor.operand", "operand %u has not the result's shape", hd_val_number(in, i));
    }
    return HD_OK;
}

/* OpSubgroupImageMediaBlockReadINTEL: 3 image, 4 coordinate, 5 width, 6 height;
 * OpSubgroupImageMediaBlockWriteINTEL: 1 image, 2 coordinate, 3 width, 4 height, 5 data. */
HdStatus hd_rule_media_block(HdVal *v, const HdInst *in)
{
    bool reads = in->opix == HD_OPIX_SubgroupImageMediaBlockReadINTEL;
    uint32_t image = reads ? 3 : 1;
    const HdType *data = reads ? hd_val_result(v, in) : hd_val_operand(v, in, 5), *t;

    t = hd_val_operand(v, in, image);
    HD_RULE(t != NULL && t->kind == HD_T_IMAGE && hd_type_words(t)[7] != 1, "vendor.media-image",
            "the operand is not an image whose Sampled is 0 or 2");
    t = hd_val_operand(v, in, image + 1);
    HD_RULE(t != NULL && t->kind == HD_T_VECTOR && hd_is_int(t), "vendor.media-coordinate",
            "the coordinate is not a vector of integers");
    HD_TRY(constant_word(v, in, image + 2));
    HD_TRY(constant_word(v, in, image + 3));
    HD_RULE(data != NULL && hd_is_int(data), "vendor.media-data",
            "what is moved is not an integer scalar or vector");
    return HD_OK;
}

/* OpMaskedGatherINTEL: 3 pointers, 4 alignment, 5 mask, 6 values of inactive lanes;
 * OpMaskedScatterINTEL: 1 values, 2 pointers, 3 alignment, 4 mask. */
HdStatus hd_rule_masked(HdVal *v, const HdInst *in)
{
    bool gathers = in->opix == HD_OPIX_MaskedGatherINTEL;
    const HdType *values = gathers ? hd_val_result(v, in) : hd_val_operand(v, in, 1),
                 *p = hd_val_operand(v, in, gathers ? 3 : 2),
                 *mask = hd_val_operand(v, in, gathers ? 5 : 4);
    uint32_t alignment;

    HD_RULE(p != NULL && p->kind == HD_T_VECTOR && hd_is_pointer(hd_type_element(p)),
            "vendor.pointer", "the pointers are not a vector of them");
    HD_RULE(values != NULL && values->kind == HD_T_VECTOR && values->count == p->count &&
                (hd_type_element(p)->is_untyped ||
                 hd_type_element(values) == hd_type_element(hd_type_element(p))),
            "vendor.masked-type", "the values are not a vector of what the pointers point to");
    HD_RULE(mask != NULL && mask->kind == HD_T_VECTOR && hd_type_element(mask)->kind == HD_T_BOOL &&
                mask->count == p->count,
            "vendor.mask", "the mask is not a vector of as many booleans");
    alignment = in->w[gathers ? 4 : 3];
    HD_RULE((alignment & (alignment - 1)) == 0, "vendor.mask-alignment",
            "the alignment is 0 or a power of two");
    /* One value for all is what the specification requires, one for each what producers emit. */
    HD_RULE(!gathers || hd_val_operand(v, in, 6) == hd_type_element(values) ||
                hd_val_operand(v, in, 6) == values,
            "vendor.mask-fill", "operand 4 is neither a component of the result nor one for each");
    return HD_OK;
}

static bool is_sequence(const HdType *t)
{
    return hd_type_is_other(t, SpvOpTypeTaskSequenceALTERA);
}

/* OpTaskSequenceCreateALTERA: 3 function, 4 pipelined, 5 mode of clusters, and two capacities. */
HdStatus hd_rule_task_create(HdVal *v, const HdInst *in)
{
    HD_RULE(is_sequence(hd_val_result(v, in)), "vendor.task-sequence",
            "the result is not a task sequence");
    HD_RULE(hd_module_opix(v->m, in->w[3]) == HD_OPIX_Function, "vendor.task-function",
            "id %u is not a function", (unsigned)in->w[3]);
    HD_RULE((int32_t)in->w[4] >= -1, "vendor.task-mode",
            "Pipelined is -1, 0 or a number of cycles");
    HD_RULE((int32_t)in->w[5] >= -1 && (int32_t)in->w[5] <= 1, "vendor.task-mode",
            "ClusterMode is -1, 0 or 1");
    return HD_OK;
}

/* OpTaskSequenceAsyncALTERA, OpTaskSequenceReleaseALTERA: 1 sequence; OpTaskSequenceGetALTERA: 3.
 */
HdStatus hd_rule_task(HdVal *v, const HdInst *in)
{
    uint32_t at = in->opix == HD_OPIX_TaskSequenceGetALTERA ? 3 : 1;

    HD_RULE(is_sequence(hd_val_operand(v, in, at)), "vendor.task-sequence",
            "id %u is not a task sequence", (unsigned)in->w[at]);
    return HD_OK;
}
