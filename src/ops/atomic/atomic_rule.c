/* ops/atomic/atomic_rule.c -- rules of atomic operations.
 *
 * Spec: SPIR-V, "Atomic Instructions"; SPV_EXT_shader_atomic_float_add,
 * SPV_EXT_shader_atomic_float_min_max.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"

static bool good_storage(const HdVal *v, uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassAtomicCounter:
    case SpvStorageClassImage:
    case SpvStorageClassTaskPayloadWorkgroupEXT: return !hd_val_opencl(v);
    case SpvStorageClassWorkgroup:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassGeneric:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: return true;
    case SpvStorageClassFunction: return !v->shader || v->kernel;
    default: return false;
    }
}

/* OpenCL C has atomic_float; what holds floats of other widths comes with extensions.
 * Spec: OpenCL C, "Atomic integer and floating-point types"; cl_ext_float_atomics. */
static HdStatus moved_float(HdVal *v, const HdInst *in, const HdType *t)
{
    if (!hd_val_opencl(v) || !hd_is_float_scalar(t) || t->bits == 32)
        return HD_OK;
    HD_RULE(hd_val_has(v, "cl_ext_float_atomics") ||
                (t->bits == 64 && (hd_val_has(v, "cl_khr_int64_base_atomics") ||
                                   hd_val_has(v, "cl_khr_int64_extended_atomics"))),
            "atomic.float-width",
            "a float of %u bits has no atomic operations without an extension", (unsigned)t->bits);
    return HD_OK;
}

/* Pointer at word `at`, which must point to `t`; scope and semantics follow it. */
static HdStatus access(HdVal *v, const HdInst *in, uint32_t at, const HdType *t)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "atomic.pointer", "the operand is not a pointer");
    HD_RULE(good_storage(v, p->storage), "atomic.storage",
            "atomic operations cannot use this storage class");
    HD_RULE(p->is_untyped || hd_type_element(p) == t, "atomic.pointee",
            "the pointer points to another type than the value's");
    if (hd_is_int_scalar(t) && t->bits == 64)
        HD_RULE(hd_val_cap(v, SpvCapabilityInt64Atomics), "atomic.int64",
                "64-bit atomics need capability Int64Atomics");
    if (hd_is_int_scalar(t))
        HD_RULE(t->bits == 32 || t->bits == 64 || !v->kernel || !hd_val_opencl(v), "atomic.width",
                "an integer of %u bits has no atomic operations", (unsigned)hd_type_bits(t));
    HD_TRY(hd_rule_known_null(v, in, in->w[at]));
    HD_TRY(hd_val_scope_memory(v, in, at + 1));
    return hd_val_semantics(v, in, at + 2, at + 1);
}

static HdStatus number_result(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_int_scalar(t) || hd_is_float_scalar(t), "atomic.result",
            "the result is not an integer or float scalar");
    return HD_OK;
}

/* SPV_NV_shader_atomic_fp16_vector: two or four halfs, each an atomic of its own. */
static bool is_halfs(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_VECTOR && hd_is_float(t) && hd_type_scalar(t)->encoding == 0 &&
           hd_type_bits(t) == 16 && (t->count == 2 || t->count == 4) &&
           hd_val_cap(v, SpvCapabilityAtomicFloat16VectorNV);
}

HdStatus hd_rule_atomic_load(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_TRY(number_result(v, in, t));
    HD_TRY(moved_float(v, in, t));
    return access(v, in, 3, t);
}

HdStatus hd_rule_atomic_store(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 4), *p = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(p), "atomic.pointer", "the operand is not a pointer");
    HD_RULE(p->is_untyped || hd_is_int_scalar(hd_type_element(p)) ||
                hd_is_float_scalar(hd_type_element(p)),
            "atomic.pointee", "the pointer points to no integer or float scalar");
    HD_RULE(hd_is_int_scalar(t) || hd_is_float_scalar(t), "atomic.value",
            "the value is not an integer or float scalar");
    HD_TRY(moved_float(v, in, t));
    return access(v, in, 1, t);
}

/* OpAtomicExchange takes floats, the others integers. Words: 3 pointer, 6 value. */
HdStatus hd_rule_atomic_rmw(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (in->opix != HD_OPIX_AtomicExchange)
        HD_RULE(hd_is_int_scalar(t), "atomic.result", "the result is not an integer scalar");
    else if (!is_halfs(v, t))
        HD_TRY(number_result(v, in, t));
    HD_TRY(moved_float(v, in, t));
    HD_TRY(access(v, in, 3, t));
    if (in->nwords > 6)
        HD_RULE(hd_val_operand(v, in, 6) == t, "atomic.value",
                "the value's type differs from the result type");
    return HD_OK;
}

/* How strong a memory order is: relaxed, one-sided, two-sided, sequentially consistent. -1: not
 * known. */
static int strength(const HdVal *v, HdId semantics)
{
    uint64_t bits;

    if (!hd_val_known_part(v, semantics, 0, &bits))
        return -1;
    if (bits & SpvMemorySemanticsSequentiallyConsistentMask)
        return 3;
    if (bits & SpvMemorySemanticsAcquireReleaseMask)
        return 2;
    return (bits & (SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask)) != 0;
}

/* Words: 3 pointer, 4 scope, 5 equal, 6 unequal, 7 value, 8 comparator. */
HdStatus hd_rule_atomic_compare_exchange(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_int_scalar(t), "atomic.result", "the result is not an integer scalar");
    HD_TRY(access(v, in, 3, t));
    HD_TRY(hd_val_semantics(v, in, 6, 4));
    HD_RULE(strength(v, in->w[5]) < 0 || strength(v, in->w[6]) <= strength(v, in->w[5]),
            "atomic.unequal", "Unequal has a stronger memory order than Equal");
    HD_RULE(hd_val_operand(v, in, 7) == t, "atomic.value",
            "the value's type differs from the result type");
    HD_RULE(hd_val_operand(v, in, 8) == t, "atomic.comparator",
            "the comparator's type differs from the result type");
    return HD_OK;
}

static HdStatus flag(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "atomic.pointer", "the operand is not a pointer");
    HD_RULE(p->is_untyped ||
                (hd_is_int_scalar(hd_type_element(p)) && hd_type_element(p)->bits == 32),
            "atomic.flag", "the pointer points to no 32-bit integer");
    return access(v, in, at, hd_type_element(p));
}

HdStatus hd_rule_atomic_flag_set(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "atomic.result",
            "the result is not a bool scalar");
    return flag(v, in, 3);
}

HdStatus hd_rule_atomic_flag_clear(HdVal *v, const HdInst *in)
{
    return flag(v, in, 1);
}

/* Floats: the capability of the width is declared. Rule ids: atomic.result, atomic.capability,
 * atomic.value. */
static HdStatus float_rmw(HdVal *v, const HdInst *in, const uint32_t capability[3])
{
    const HdType *t = hd_val_result(v, in);
    unsigned i;

    HD_RULE(hd_is_float(t) && hd_type_scalar(t)->encoding == 0, "atomic.result",
            "the result is not a 16-, 32- or 64-bit float scalar");
    if (t->kind == HD_T_VECTOR) {
        HD_RULE(is_halfs(v, t), "atomic.result",
                "the result is not a 16-, 32- or 64-bit float scalar");
    } else {
        HD_RULE(t->bits == 16 || t->bits == 32 || t->bits == 64, "atomic.result",
                "the result is not a 16-, 32- or 64-bit float scalar");
        i = t->bits == 16 ? 0 : t->bits == 32 ? 1 : 2;
        HD_RULE(hd_val_cap(v, capability[i]), "atomic.capability",
                "%u-bit float atomics need capability %s", (unsigned)t->bits,
                hd_gram_enumerant(HD_KIND_Capability, capability[i])->name);
    }
    HD_TRY(access(v, in, 3, t));
    HD_RULE(hd_val_operand(v, in, 6) == t, "atomic.value",
            "the value's type differs from the result type");
    return HD_OK;
}

HdStatus hd_rule_atomic_fmnmx(HdVal *v, const HdInst *in)
{
    static const uint32_t capability[3] = {SpvCapabilityAtomicFloat16MinMaxEXT,
                                           SpvCapabilityAtomicFloat32MinMaxEXT,
                                           SpvCapabilityAtomicFloat64MinMaxEXT};

    return float_rmw(v, in, capability);
}

HdStatus hd_rule_atomic_fadd(HdVal *v, const HdInst *in)
{
    static const uint32_t capability[3] = {SpvCapabilityAtomicFloat16AddEXT,
                                           SpvCapabilityAtomicFloat32AddEXT,
                                           SpvCapabilityAtomicFloat64AddEXT};

    return float_rmw(v, in, capability);
}
