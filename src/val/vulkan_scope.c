/* val/vulkan_scope.c -- scopes and memory semantics in Vulkan.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/models.h"

#define VUID HD_VUID_SPIRV

static bool is_half(const HdInst *in)
{
    return in->opix == HD_OPIX_ControlBarrierArriveEXT || in->opix == HD_OPIX_ControlBarrierWaitEXT;
}

static bool is_control_barrier(const HdInst *in)
{
    return in->opix == HD_OPIX_ControlBarrier || is_half(in);
}

static uint32_t reached(const HdVal *v)
{
    return hd_val_reached_by(v) & ~(uint32_t)HD_MODEL_OTHERS;
}

HdStatus hd_val_vulkan_execution(HdVal *v, const HdInst *in, uint32_t scope)
{
    const uint32_t no_group = HD_MODEL_FRAGMENT | HD_MODEL_VERTEX | HD_MODEL_GEOMETRY |
                              HD_MODEL_TESSELLATION_EVALUATION |
                              (HD_MODEL_RAY_TRACING & ~(uint32_t)HD_MODEL_CALLABLE);
    const uint32_t with_group = HD_MODEL_GROUPS | HD_MODEL_TESSELLATION_CONTROL;
    bool quad = in->opix == HD_OPIX_GroupNonUniformQuadAllKHR ||
                in->opix == HD_OPIX_GroupNonUniformQuadAnyKHR;

    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return hd_val_fail_spec(v, in, "vulkan.scope-execution",
                                is_half(in) ? VUID("OpControlBarrierArriveEXT", "13553")
                                            : VUID("None", "04636"),
                                "the execution scope must be Workgroup or Subgroup");
    if (v->env->vulkan != 10 && !quad && scope != SpvScopeSubgroup &&
        (hd_gram_insts[in->opix].klass == HD_CLASS_Non_Uniform ||
         in->opix == HD_OPIX_GroupNonUniformRotateKHR))
        return hd_val_fail_spec(v, in, "vulkan.scope-group", VUID("None", "04642"),
                                "operations of groups have the scope Subgroup");
    if (is_control_barrier(in) && scope != SpvScopeSubgroup && (reached(v) & no_group))
        return hd_val_fail_spec(v, in, "vulkan.barrier-model", VUID("OpControlBarrier", "04682"),
                                "an entry point that comes here is of an execution model whose "
                                "barriers have the scope Subgroup");
    if (scope == SpvScopeWorkgroup && (reached(v) & ~with_group))
        return hd_val_fail_spec(v, in, "vulkan.scope-workgroup", VUID("None", "04637"),
                                "an entry point that comes here is of an execution model without "
                                "work-groups");
    return HD_OK;
}

HdStatus hd_val_vulkan_memory(HdVal *v, const HdInst *in, uint32_t scope)
{
    switch (scope) {
    case SpvScopeQueueFamily:
    case SpvScopeDevice:
    case SpvScopeInvocation: return HD_OK;
    case SpvScopeSubgroup:
        if (v->env->vulkan == 10 && !hd_val_cap(v, SpvCapabilitySubgroupBallotKHR) &&
            !hd_val_cap(v, SpvCapabilitySubgroupVoteKHR))
            return hd_val_fail_spec(v, in, "vulkan.scope-subgroup",
                                    VUID("SubgroupVoteKHR", "07951"),
                                    "in Vulkan 1.0 memory scope Subgroup needs capability "
                                    "SubgroupVoteKHR or SubgroupBallotKHR");
        return HD_OK;
    case SpvScopeShaderCallKHR:
        if (reached(v) & ~(uint32_t)HD_MODEL_RAY_TRACING)
            return hd_val_fail_spec(v, in, "vulkan.scope-shader-call", VUID("None", "04640"),
                                    "memory scope ShaderCallKHR is for ray tracing");
        return HD_OK;
    case SpvScopeWorkgroup:
        if (reached(v) & ~(uint32_t)(HD_MODEL_GROUPS | HD_MODEL_TESSELLATION_CONTROL))
            return hd_val_fail_spec(v, in, "vulkan.scope-memory-workgroup", VUID("None", "07321"),
                                    "an entry point that comes here is of an execution model "
                                    "without work-groups");
        if (v->m->memory_model == SpvMemoryModelGLSL450 &&
            (reached(v) & HD_MODEL_TESSELLATION_CONTROL))
            return hd_val_fail_spec(v, in, "vulkan.scope-tessellation",
                                    VUID("ExecutionModel", "07320"),
                                    "in memory model GLSL450 tessellation has no memory scope "
                                    "Workgroup");
        return HD_OK;
    default:
        return hd_val_fail_spec(v, in, "vulkan.scope-memory", VUID("None", "04638"),
                                "this memory scope is not in Vulkan");
    }
}

/* ---- memory semantics ------------------------------------------------------------------------ */

#define ACQUIRE SpvMemorySemanticsAcquireMask
#define RELEASE SpvMemorySemanticsReleaseMask
#define ACQ_REL SpvMemorySemanticsAcquireReleaseMask
#define SEQ_CST SpvMemorySemanticsSequentiallyConsistentMask
#define ORDERS  ((uint32_t)(ACQUIRE | RELEASE | ACQ_REL | SEQ_CST))
#define CLASSES                                                                               \
    ((uint32_t)(SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsWorkgroupMemoryMask | \
                SpvMemorySemanticsImageMemoryMask | SpvMemorySemanticsOutputMemoryMask))

/* The second of two semantics, of what is done where the values differ. */
static HdStatus unequal(HdVal *v, const HdInst *in, uint32_t value)
{
    uint64_t equal;

    if (!hd_val_known_part(v, in->w[5], 0, &equal))
        return HD_OK;
    if ((value & SEQ_CST) > (equal & SEQ_CST) || ((value & ACQUIRE) && !(equal & ORDERS)))
        return hd_val_fail_spec(v, in, "vulkan.unequal-order",
                                VUID("UnequalMemorySemantics", "10876"),
                                "the order where the values differ is stronger than where they "
                                "are equal");
    if (value & ~equal & CLASSES)
        return hd_val_fail_spec(v, in, "vulkan.unequal-storage",
                                VUID("UnequalMemorySemantics", "10877"),
                                "a storage class is ordered only where the values differ");
    if (value & ~equal & SpvMemorySemanticsMakeVisibleMask)
        return hd_val_fail_spec(v, in, "vulkan.unequal-visible",
                                VUID("UnequalMemorySemantics", "10878"),
                                "MakeVisible is set only where the values differ");
    if ((value ^ equal) & SpvMemorySemanticsVolatileMask)
        return hd_val_fail_spec(v, in, "vulkan.unequal-volatile",
                                VUID("UnequalMemorySemantics", "10879"),
                                "Volatile is set in one of the two memory semantics");
    return HD_OK;
}

/* The halves of a split barrier. */
static HdStatus halves(HdVal *v, const HdInst *in, uint32_t orders)
{
    if (in->opix == HD_OPIX_ControlBarrierArriveEXT && orders != 0 && orders != RELEASE)
        return hd_val_fail_spec(v, in, "vulkan.barrier-arrive", VUID("MemorySemantics", "13556"),
                                "what arrives at a barrier has the order Release or none");
    if (in->opix == HD_OPIX_ControlBarrierWaitEXT && orders != 0 && orders != ACQUIRE)
        return hd_val_fail_spec(v, in, "vulkan.barrier-wait", VUID("MemorySemantics", "13557"),
                                "what waits at a barrier has the order Acquire or none");
    return HD_OK;
}

HdStatus hd_val_vulkan_semantics(HdVal *v, const HdInst *in, uint32_t i, uint32_t scope_at,
                                 uint32_t value)
{
    bool exchange =
        in->opix == HD_OPIX_AtomicCompareExchange || in->opix == HD_OPIX_AtomicCompareExchangeWeak;
    uint32_t orders = value & ORDERS;
    uint64_t scope;

    if (orders == SEQ_CST)
        return hd_val_fail_spec(v, in, "vulkan.seq-cst", VUID("MemorySemantics", "10866"),
                                "SequentiallyConsistent is not in Vulkan");
    if (in->opix == HD_OPIX_MemoryBarrier && orders == 0)
        return hd_val_fail_spec(v, in, "vulkan.barrier-relaxed", VUID("MemorySemantics", "10869"),
                                "a memory barrier needs an order");
    if (orders != 0 && !(value & CLASSES))
        return hd_val_fail_spec(v, in, "vulkan.order-alone", VUID("MemorySemantics", "10870"),
                                "an order needs a storage class: UniformMemory, WorkgroupMemory, "
                                "ImageMemory or OutputMemory");
    if (orders == 0 && (value & CLASSES))
        return hd_val_fail_spec(v, in, "vulkan.storage-alone", VUID("MemorySemantics", "10871"),
                                "storage classes need an order: Acquire, Release or "
                                "AcquireRelease");
    if (exchange && i == 6)
        HD_TRY(unequal(v, in, value));
    if (orders != 0 && hd_val_known_part(v, in->w[scope_at], 0, &scope) &&
        scope == SpvScopeInvocation)
        return hd_val_fail_spec(v, in, "vulkan.order-invocation", VUID("None", "04641"),
                                "memory scope Invocation has no order");
    return halves(v, in, orders);
}
