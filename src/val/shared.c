/* val/shared.c -- scopes, memory semantics and memory operands, common to many instructions.
 *
 * Spec: SPIR-V, "Scope <id>", "Memory Semantics <id>", "Memory Operands"; OpenCL SPIR-V
 * Environment Specification, "Scope for Execution", "Scope for Memory".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "val/rule.h"

#define SCOPE     "Scope <id>"
#define SEMANTICS "Memory Semantics <id>"
#define OPERANDS  "Memory Operands"
#define ENV       "OpenCL SPIR-V Environment Specification"

/* May a scope, or memory semantics, of a shader be specialised? SPV_NV_cooperative_matrix allows
 * both, SPV_KHR_cooperative_matrix the scope. */
static bool may_be_special(const HdVal *v, const char *spec)
{
    return hd_val_cap(v, SpvCapabilityCooperativeMatrixNV) ||
           (hd_val_cap(v, SpvCapabilityCooperativeMatrixKHR) && strcmp(spec, SCOPE) == 0);
}

/* A 32-bit integer; *known and *value when it is a constant that is not specialised. */
static HdStatus word_operand(HdVal *v, const HdInst *in, uint32_t i, const char *rule,
                             const char *spec, bool *known, uint32_t *value)
{
    const HdType *t = hd_val_operand(v, in, i);
    const HdConstant *c = hd_module_constant(v->m, in->w[i]);
    enum HdOpix opix = hd_module_opix(v->m, in->w[i]);

    *known = false;
    if (!hd_is_int_scalar(t) || t->bits != 32)
        return hd_val_fail_spec(v, in, rule, spec, "id %u is not a 32-bit integer scalar",
                                (unsigned)in->w[i]);
    if (c == NULL || !hd_opix_is_constant(opix)) {
        if (v->shader)
            return hd_val_fail_spec(v, in, rule, spec, "id %u must be a constant",
                                    (unsigned)in->w[i]);
        return HD_OK;
    }
    if (v->shader && hd_gram_insts[opix].klass == HD_CLASS_Constant_Creation && c->is_spec &&
        !may_be_special(v, spec))
        return hd_val_fail_spec(v, in, rule, spec, "id %u must not be a specialisation constant",
                                (unsigned)in->w[i]);
    if (hd_val_is_open(v, c) || (c->kind != HD_C_SCALAR && c->kind != HD_C_NULL))
        return HD_OK;
    *known = true;
    *value = (uint32_t)c->bits;
    return HD_OK;
}

static HdStatus any_scope(HdVal *v, const HdInst *in, uint32_t i, bool *known, uint32_t *scope)
{
    HD_TRY(word_operand(v, in, i, "scope.type", SCOPE, known, scope));
    if (!*known)
        return HD_OK;
    if (hd_gram_enumerant(HD_KIND_Scope, *scope) == NULL)
        return hd_val_fail_spec(v, in, "scope.value", SCOPE, "%u is not a scope", (unsigned)*scope);
    if (*scope == SpvScopeQueueFamily && !hd_val_cap(v, SpvCapabilityVulkanMemoryModel))
        return hd_val_fail_spec(v, in, "scope.queue-family", SCOPE,
                                "scope QueueFamily needs capability VulkanMemoryModel");
    if (*scope == SpvScopeShaderCallKHR && !hd_val_cap(v, SpvCapabilityRayTracingKHR))
        return hd_val_fail_spec(v, in, "scope.shader-call", SCOPE,
                                "scope ShaderCallKHR needs capability RayTracingKHR");
    return HD_OK;
}

HdStatus hd_val_scope(HdVal *v, const HdInst *in, uint32_t i)
{
    uint32_t scope;
    bool known;

    return any_scope(v, in, i, &known, &scope);
}

static bool subgroups(const HdVal *v)
{
    return hd_val_has(v, "cl_khr_subgroups");
}

static bool is_non_uniform(const HdInst *in)
{
    return hd_gram_insts[in->opix].klass == HD_CLASS_Non_Uniform ||
           in->opix == HD_OPIX_GroupNonUniformRotateKHR;
}

/* Instructions whose description has "Execution must be Workgroup or Subgroup Scope". */
static bool is_of_groups(const HdInst *in)
{
    return hd_gram_insts[in->opix].klass == HD_CLASS_Group ||
           hd_gram_insts[in->opix].klass == HD_CLASS_Pipe ||
           in->opix == HD_OPIX_UntypedGroupAsyncCopyKHR;
}

/* Collective functions of work-groups came with OpenCL 2.0; cl_khr_work_group_uniform_arithmetic
 * brings its own. */
static bool is_collective(const HdInst *in)
{
    return hd_gram_insts[in->opix].klass == HD_CLASS_Group &&
           hd_gram_insts[in->opix].needs.capabilities[0] == SpvCapabilityGroups;
}

HdStatus hd_val_scope_execution(HdVal *v, const HdInst *in, uint32_t i)
{
    uint32_t scope = 0;
    bool known, copy = in->opix == HD_OPIX_GroupAsyncCopy || in->opix == HD_OPIX_GroupWaitEvents ||
                       in->opix == HD_OPIX_UntypedGroupAsyncCopyKHR;

    HD_TRY(any_scope(v, in, i, &known, &scope));
    if (!known)
        return HD_OK;
    if (is_non_uniform(in) && scope != SpvScopeSubgroup &&
        (in->opix != HD_OPIX_GroupNonUniformRotateKHR || scope != SpvScopeWorkgroup))
        return hd_val_fail_spec(v, in, "scope.execution", SCOPE,
                                "the execution scope must be Subgroup");
    if (is_of_groups(in) && scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return hd_val_fail_spec(v, in, "scope.group", SCOPE,
                                "the execution scope must be Workgroup or Subgroup");
    if (hd_val_vulkan(v))
        return hd_val_vulkan_execution(v, in, scope);
    if (!hd_val_opencl(v))
        return HD_OK;
    if (scope == SpvScopeWorkgroup && v->env->opencl == 12 && !copy && is_collective(in))
        return hd_val_fail_spec(v, in, "scope.execution-workgroup", ENV,
                                "operations of work-groups need OpenCL 2.0");
    if (scope == SpvScopeWorkgroup && !is_non_uniform(in))
        return HD_OK;
    if (scope == SpvScopeSubgroup && !copy) {
        /* The capability of a non-uniform instruction brings its scope. */
        if (is_non_uniform(in) || subgroups(v))
            return HD_OK;
        return hd_val_fail_spec(v, in, "scope.execution-subgroup", ENV,
                                "execution scope Subgroup needs cl_khr_subgroups");
    }
    return hd_val_fail_spec(v, in, "scope.execution-opencl", ENV,
                            "this execution scope is not allowed here in OpenCL");
}

static bool is_barrier(const HdInst *in)
{
    return in->opix == HD_OPIX_ControlBarrier || in->opix == HD_OPIX_MemoryBarrier;
}

static bool is_atomic(const HdInst *in)
{
    return hd_gram_insts[in->opix].klass == HD_CLASS_Atomic;
}

/* OpenCL 1.2 knows barriers of work-groups and relaxed atomics of the device, nothing between. */
static HdStatus scope_memory_12(HdVal *v, const HdInst *in, uint32_t scope)
{
    if (is_atomic(in) && scope != SpvScopeDevice)
        return hd_val_fail_spec(v, in, "scope.memory-1.2", ENV,
                                "in OpenCL 1.2 the memory scope of atomics is Device");
    if (is_barrier(in) && scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return hd_val_fail_spec(v, in, "scope.memory-1.2", ENV,
                                "in OpenCL 1.2 the memory scope of barriers is Workgroup");
    return HD_OK;
}

/* What a device's atomics and fences can: 0 when nothing is known of it. */
static uint64_t atomic_capabilities(const HdVal *v, const HdInst *in)
{
    return is_atomic(in) ? v->env->atomic_memory : is_barrier(in) ? v->env->atomic_fence : 0;
}

/* Later versions: the scopes that the device's atomic capabilities name. */
static HdStatus scope_memory_device(HdVal *v, const HdInst *in, uint32_t scope)
{
    static const uint32_t needed[] = {
        [SpvScopeCrossDevice] = HD_VAL_ATOMIC_SCOPE_ALL_DEVICES,
        [SpvScopeDevice] = HD_VAL_ATOMIC_SCOPE_DEVICE,
        [SpvScopeWorkgroup] = HD_VAL_ATOMIC_SCOPE_WORK_GROUP,
        [SpvScopeInvocation] = HD_VAL_ATOMIC_SCOPE_WORK_ITEM,
    };
    uint64_t has = atomic_capabilities(v, in);

    if (is_atomic(in) && scope == SpvScopeInvocation)
        return (v->options->to_build ? hd_val_warn : hd_val_fail)(
            v, in, "scope.memory-invocation",
            "scope Invocation is for fences; atomics that nobody else sees are plain operations");
    if (has != 0 && scope != SpvScopeSubgroup && (has & needed[scope]) == 0)
        return hd_val_fail_spec(v, in, "scope.memory-device", ENV,
                                "the device's atomic capabilities lack this memory scope");
    return HD_OK;
}

HdStatus hd_val_scope_memory(HdVal *v, const HdInst *in, uint32_t i)
{
    uint32_t scope = 0;
    bool known;

    HD_TRY(any_scope(v, in, i, &known, &scope));
    if (!known)
        return HD_OK;
    if (scope == SpvScopeDevice && hd_val_cap(v, SpvCapabilityVulkanMemoryModel) &&
        !hd_val_cap(v, SpvCapabilityVulkanMemoryModelDeviceScope))
        return hd_val_fail_spec(v, in, "scope.device", SCOPE,
                                "scope Device in the Vulkan memory model needs capability "
                                "VulkanMemoryModelDeviceScope");
    if (hd_val_vulkan(v))
        return hd_val_vulkan_memory(v, in, scope);
    if (!hd_val_opencl(v))
        return HD_OK;
    if (scope == SpvScopeSubgroup && (!subgroups(v) || (v->env->opencl == 12 && is_atomic(in))))
        return hd_val_fail_spec(v, in, "scope.memory-subgroup", ENV,
                                "memory scope Subgroup needs cl_khr_subgroups");
    if (v->env->opencl == 12)
        return scope_memory_12(v, in, scope);
    return scope_memory_device(v, in, scope);
}

#define ACQUIRE SpvMemorySemanticsAcquireMask
#define RELEASE SpvMemorySemanticsReleaseMask
#define ACQ_REL SpvMemorySemanticsAcquireReleaseMask
#define SEQ_CST SpvMemorySemanticsSequentiallyConsistentMask
/* All bits that memory semantics have. */
#define KNOWN                                                                                   \
    ((uint32_t)(ACQUIRE | RELEASE | ACQ_REL | SEQ_CST | SpvMemorySemanticsUniformMemoryMask |   \
                SpvMemorySemanticsSubgroupMemoryMask | SpvMemorySemanticsWorkgroupMemoryMask |  \
                SpvMemorySemanticsCrossWorkgroupMemoryMask |                                    \
                SpvMemorySemanticsAtomicCounterMemoryMask | SpvMemorySemanticsImageMemoryMask | \
                SpvMemorySemanticsOutputMemoryMask | SpvMemorySemanticsMakeAvailableMask |      \
                SpvMemorySemanticsMakeVisibleMask | SpvMemorySemanticsVolatileMask))

/* What each instruction does not accept. `i` distinguishes the two of a compare-exchange. */
static HdStatus semantics_12(HdVal *v, const HdInst *in, uint32_t orders)
{
    if (is_atomic(in) && orders != 0)
        return hd_val_fail_spec(v, in, "semantics.order-1.2", ENV,
                                "in OpenCL 1.2 the memory order of atomics is Relaxed");
    if (is_barrier(in) && orders != SEQ_CST)
        return hd_val_fail_spec(v, in, "semantics.order-1.2", ENV,
                                "in OpenCL 1.2 the memory order of barriers is "
                                "SequentiallyConsistent");
    return HD_OK;
}

/* Later versions: the orders that the device's atomic capabilities name. */
static HdStatus semantics_device(HdVal *v, const HdInst *in, uint32_t orders)
{
    uint64_t has = atomic_capabilities(v, in);
    uint64_t needed = orders == 0         ? HD_VAL_ATOMIC_ORDER_RELAXED
                      : orders == SEQ_CST ? HD_VAL_ATOMIC_ORDER_SEQ_CST
                                          : HD_VAL_ATOMIC_ORDER_ACQ_REL;

    if (has != 0 && (has & needed) == 0)
        return hd_val_fail_spec(v, in, "semantics.order-device", ENV,
                                "the device's atomic capabilities lack this memory order");
    return HD_OK;
}

static HdStatus semantics_of(HdVal *v, const HdInst *in, uint32_t i, uint32_t value)
{
    uint32_t wrong = 0;

    switch (in->opix) {
    case HD_OPIX_AtomicFlagClear: wrong = ACQUIRE | ACQ_REL; break;
    case HD_OPIX_AtomicCompareExchange:
    case HD_OPIX_AtomicCompareExchangeWeak: wrong = i == 6 ? RELEASE | ACQ_REL : 0; break;
    case HD_OPIX_AtomicLoad: wrong = RELEASE | ACQ_REL; break;
    case HD_OPIX_AtomicStore: wrong = ACQUIRE | ACQ_REL; break;
    default: break;
    }
    if (value & wrong)
        return hd_val_fail_spec(v, in, "semantics.order", SEMANTICS,
                                "the memory order does not suit %s", hd_gram_insts[in->opix].name);
    return HD_OK;
}

HdStatus hd_val_semantics(HdVal *v, const HdInst *in, uint32_t i, uint32_t scope_at)
{
    uint32_t value = 0, orders;
    bool known;

    HD_TRY(word_operand(v, in, i, "semantics.type", SEMANTICS, &known, &value));
    if (!known)
        return HD_OK;
    orders = value & (ACQUIRE | RELEASE | ACQ_REL | SEQ_CST);
    if ((orders & (orders - 1)) != 0)
        return hd_val_fail_spec(v, in, "semantics.orders", SEMANTICS,
                                "at most one of Acquire, Release, AcquireRelease and "
                                "SequentiallyConsistent can be set");
    if (value & ~KNOWN)
        return hd_val_fail_spec(v, in, "semantics.bits", SEMANTICS,
                                "0x%x has bits that mean nothing", (unsigned)value);
    if (orders == SEQ_CST && v->m->memory_model == SpvMemoryModelVulkan)
        return hd_val_fail_spec(v, in, "semantics.seq-cst", SEMANTICS,
                                "SequentiallyConsistent is not in the Vulkan memory model");
    if ((value & SpvMemorySemanticsUniformMemoryMask) && !v->shader)
        return hd_val_fail_spec(v, in, "semantics.uniform", SEMANTICS,
                                "UniformMemory needs capability Shader");
    if ((value & (SpvMemorySemanticsOutputMemoryMask | SpvMemorySemanticsMakeAvailableMask |
                  SpvMemorySemanticsMakeVisibleMask)) &&
        !hd_val_cap(v, SpvCapabilityVulkanMemoryModel))
        return hd_val_fail_spec(v, in, "semantics.vulkan", SEMANTICS,
                                "OutputMemory, MakeAvailable and MakeVisible need capability "
                                "VulkanMemoryModel");
    if ((value & SpvMemorySemanticsVolatileMask) != 0 &&
        (hd_gram_insts[in->opix].klass != HD_CLASS_Atomic ||
         !hd_val_cap(v, SpvCapabilityVulkanMemoryModel)))
        return hd_val_fail_spec(v, in, "semantics.volatile", SEMANTICS,
                                "Volatile is for atomic instructions in the Vulkan memory model");
    if ((value & SpvMemorySemanticsAtomicCounterMemoryMask) != 0 &&
        !hd_val_cap(v, SpvCapabilityAtomicStorage))
        (void)hd_val_warn(v, in, "semantics.counter", /* shipping producers always say it */
                          "AtomicCounterMemory needs capability AtomicStorage");
    if ((value & SpvMemorySemanticsMakeAvailableMask) && !(orders & (RELEASE | ACQ_REL)))
        return hd_val_fail_spec(v, in, "semantics.make", SEMANTICS,
                                "MakeAvailable needs Release or AcquireRelease");
    if ((value & SpvMemorySemanticsMakeVisibleMask) && !(orders & (ACQUIRE | ACQ_REL)))
        return hd_val_fail_spec(v, in, "semantics.make", SEMANTICS,
                                "MakeVisible needs Acquire or AcquireRelease");
    if ((value & (SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask)) &&
        !(value &
          (SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsSubgroupMemoryMask |
           SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsCrossWorkgroupMemoryMask |
           SpvMemorySemanticsAtomicCounterMemoryMask | SpvMemorySemanticsImageMemoryMask |
           SpvMemorySemanticsOutputMemoryMask)))
        return hd_val_fail_spec(v, in, "semantics.storage", SEMANTICS,
                                "MakeAvailable and MakeVisible need a storage class");
    if (hd_val_opencl(v) && v->env->opencl == 12)
        HD_TRY(semantics_12(v, in, orders));
    else if (hd_val_opencl(v))
        HD_TRY(semantics_device(v, in, orders));
    HD_TRY(semantics_of(v, in, i, value));
    return hd_val_vulkan(v) ? hd_val_vulkan_semantics(v, in, i, scope_at, value) : HD_OK;
}

/* NonPrivatePointer is for memory that others can see. */
static HdStatus non_private(HdVal *v, const HdInst *in, uint32_t mask)
{
    uint32_t first = in->opix == HD_OPIX_Load ? 3 : 1, end = first + 1;

    if (!(mask & SpvMemoryAccessNonPrivatePointerMask))
        return HD_OK;
    if (in->opix == HD_OPIX_CopyMemory || in->opix == HD_OPIX_CopyMemorySized)
        end = 3;
    else if (in->opix != HD_OPIX_Load && in->opix != HD_OPIX_Store)
        return HD_OK;
    for (uint32_t i = first; i < end; i++) {
        const HdType *p = hd_val_operand(v, in, i);

        if (!hd_is_pointer(p))
            continue;
        switch (p->storage) {
        case SpvStorageClassUniformConstant:
        case SpvStorageClassInput:
        case SpvStorageClassOutput:
        case SpvStorageClassPrivate:
        case SpvStorageClassFunction:
        case SpvStorageClassPushConstant:
            return hd_val_fail_spec(v, in, "memory.non-private", OPERANDS,
                                    "NonPrivatePointer is for memory that other invocations see");
        default: break;
        }
    }
    return HD_OK;
}

HdStatus hd_val_memory_operands(HdVal *v, const HdInst *in, uint32_t i)
{
    const uint32_t aliases =
        SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask;
    uint32_t mask, masks = 0;

    while (i < in->nwords) {
        bool load = in->opix == HD_OPIX_Load || in->opix == HD_OPIX_CooperativeMatrixLoadKHR,
             store = in->opix == HD_OPIX_Store || in->opix == HD_OPIX_CooperativeMatrixStoreKHR;

        mask = in->w[i++];
        masks++;
        HD_TRY(non_private(v, in, mask));
        if (mask & SpvMemoryAccessAlignedMask) {
            uint32_t align = in->w[i++];

            if (align == 0 || (align & (align - 1)) != 0)
                return hd_val_fail_spec(v, in, "memory.alignment", OPERANDS,
                                        "alignment %u is not a power of two", (unsigned)align);
        }
        if (mask & SpvMemoryAccessMakePointerAvailableMask) {
            if (load || !(mask & SpvMemoryAccessNonPrivatePointerMask) || (masks == 2 && !load))
                return hd_val_fail_spec(v, in, "memory.available", OPERANDS,
                                        "MakePointerAvailable is for what is written, with "
                                        "NonPrivatePointer");
            HD_TRY(hd_val_scope_memory(v, in, i++));
        }
        if (mask & SpvMemoryAccessMakePointerVisibleMask) {
            if (store || !(mask & SpvMemoryAccessNonPrivatePointerMask) ||
                (masks == 1 && i + 1 < in->nwords))
                return hd_val_fail_spec(v, in, "memory.visible", OPERANDS,
                                        "MakePointerVisible is for what is read, with "
                                        "NonPrivatePointer");
            HD_TRY(hd_val_scope_memory(v, in, i++));
        }
        for (uint32_t alias = mask & aliases; alias != 0; alias &= alias - 1)
            if (hd_module_opix(v->m, in->w[i++]) != HD_OPIX_AliasScopeListDeclINTEL)
                return hd_val_fail_spec(v, in, "memory.alias", OPERANDS,
                                        "id %u is not a list of alias scopes",
                                        (unsigned)in->w[i - 1]);
        if (masks == 2 && v->m->version < 0x10400 && in->opix != HD_OPIX_UntypedGroupAsyncCopyKHR)
            return hd_val_fail_spec(v, in, "memory.two-masks", OPERANDS,
                                    "two masks of memory operands need SPIR-V 1.4");
    }
    return HD_OK;
}
