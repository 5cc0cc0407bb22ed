/* ops/group/group_rule.c -- rules of group operations that all invocations reach.
 *
 * Spec: SPIR-V, "Group and Subgroup Instructions"; SPV_KHR_uniform_group_instructions; OpenCL
 * SPIR-V Environment Specification, cl_khr_subgroup_extended_types and
 * cl_khr_work_group_uniform_arithmetic.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/operands.h"
#include "ops/rules.h"

static bool is_size(const HdVal *v, const HdType *t)
{
    uint32_t bits = hd_module_address_bits(v->m);

    return hd_is_int_scalar(t) &&
           (t->bits == bits || v->m->addressing == SpvAddressingModelLogical);
}

static HdStatus event(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(t != NULL && t->kind == HD_T_EVENT, "group.event", "there is no event");
    return HD_OK;
}

static bool copies_to(uint32_t storage, bool local)
{
    return local ? storage == SpvStorageClassWorkgroup
                 : storage == SpvStorageClassCrossWorkgroup ||
                       storage == SpvStorageClassDeviceOnlyINTEL ||
                       storage == SpvStorageClassHostOnlyINTEL;
}

/* Numbers and sizes, of the size of pointers. */
static HdStatus sizes(HdVal *v, const HdInst *in, uint32_t first, uint32_t end)
{
    bool narrow = false;

    for (uint32_t i = first; i < end; i++) {
        const HdType *t = hd_val_operand(v, in, i);

        HD_RULE(hd_is_int_scalar(t), "group.copy-size", "operand %u is not an integer scalar",
                hd_val_number(in, i));
        /* Shipping producers give the stride 32 bits in Physical64 too. */
        HD_RULE(is_size(v, t) ||
                    (hd_val_opencl(v) && t->bits == 32 && (i + 1 == end || v->options->to_build)),
                "group.copy-size", "operand %u must have the size of pointers",
                hd_val_number(in, i));
        narrow |= !is_size(v, t);
    }
    if (narrow)
        return hd_val_warn(v, in, "group.copy-width",
                           "the stride should have the size of pointers");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 elements, 7 stride, 8 event. */
HdStatus hd_rule_group_async_copy(HdVal *v, const HdInst *in)
{
    const HdType *to = hd_val_operand(v, in, 4), *from = hd_val_operand(v, in, 5);

    HD_TRY(event(v, in, hd_val_result(v, in)));
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_RULE(hd_is_pointer(to) && hd_is_pointer(from), "group.pointer",
            "the operands are not pointers");
    HD_RULE(!to->is_untyped && hd_type_element(to) == hd_type_element(from), "group.copy-type",
            "the pointers point to different types");
    HD_RULE(hd_is_numeric(hd_type_element(to)), "group.copy-type",
            "the pointers point to no number or vector of numbers");
    HD_RULE((copies_to(to->storage, true) && copies_to(from->storage, false)) ||
                (copies_to(to->storage, false) && copies_to(from->storage, true)),
            "group.copy-storage",
            "one pointer must be of storage class Workgroup, the other of CrossWorkgroup");
    HD_TRY(sizes(v, in, 6, 8));
    return event(v, in, hd_val_operand(v, in, 8));
}

/* The word after the memory operands at a word. */
static uint32_t behind_operands(const HdInst *in, uint32_t at)
{
    const uint32_t with_operand =
        SpvMemoryAccessAlignedMask | SpvMemoryAccessMakePointerAvailableMask |
        SpvMemoryAccessMakePointerVisibleMask | SpvMemoryAccessAliasScopeINTELMaskMask |
        SpvMemoryAccessNoAliasINTELMaskMask;

    return at + 1 + (uint32_t)__builtin_popcount(in->w[at] & with_operand);
}

/* Words: … 4 destination, 5 source, 6 bytes of an element, 7 elements, 8 stride, 9 event. */
HdStatus hd_rule_untyped_async_copy(HdVal *v, const HdInst *in)
{
    const HdType *to = hd_val_operand(v, in, 4), *from = hd_val_operand(v, in, 5);

    HD_TRY(event(v, in, hd_val_result(v, in)));
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_RULE(hd_is_pointer(to) && hd_is_pointer(from), "group.pointer",
            "the operands are not pointers");
    HD_RULE((copies_to(to->storage, true) && copies_to(from->storage, false)) ||
                (copies_to(to->storage, false) && copies_to(from->storage, true)),
            "group.copy-storage",
            "one pointer must be of storage class Workgroup, the other of CrossWorkgroup");
    HD_RULE(to->is_untyped && from->is_untyped, "group.copy-type", "the pointers are typed");
    HD_TRY(sizes(v, in, 6, 9));
    HD_TRY(event(v, in, hd_val_operand(v, in, 9)));
    if (in->nwords <= 10)
        return HD_OK;
    HD_RULE(behind_operands(in, 10) < in->nwords, "group.copy-operands",
            "there are memory operands for both pointers or none");
    return hd_val_memory_operands(v, in, 10);
}

HdStatus hd_rule_group_wait_events(HdVal *v, const HdInst *in)
{
    const HdType *n = hd_val_operand(v, in, 2), *list = hd_val_operand(v, in, 3);

    HD_TRY(hd_val_scope_execution(v, in, 1));
    HD_RULE(hd_is_int_scalar(n) && n->bits == 32, "group.wait-count",
            "the number of events is not a 32-bit integer");
    HD_RULE(hd_is_pointer(list) &&
                (list->is_untyped ||
                 (hd_type_element(list) != NULL && hd_type_element(list)->kind == HD_T_EVENT)),
            "group.wait-list", "the operand is not a pointer to events");
    return HD_OK;
}

/* OpGroupAll, OpGroupAny. */
HdStatus hd_rule_group_vote(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "group.result",
            "the result is not a bool scalar");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 4)), "group.operand",
            "the predicate is not a bool scalar");
    return HD_OK;
}

static bool has_extended_types(const HdVal *v, const HdInst *in)
{
    uint64_t scope;

    return hd_val_has(v, "cl_khr_subgroup_extended_types") &&
           hd_module_constant_u64(v->m, in->w[3], &scope) && scope == SpvScopeSubgroup;
}

/* Vectors and narrow integers are broadcast by an extension, and in sub-groups only. */
static HdStatus broadcast_type(HdVal *v, const HdInst *in, const HdType *t)
{
    uint64_t scope;

    if (!hd_val_opencl(v) || !hd_module_constant_u64(v->m, in->w[3], &scope))
        return HD_OK;
    HD_RULE(!hd_is_bool(t), "group.bool", "in OpenCL the value must be a number");
    HD_RULE((t->kind != HD_T_VECTOR && (!hd_is_int(t) || hd_type_bits(t) >= 32)) ||
                has_extended_types(v, in),
            "group.width",
            "broadcasting this type needs cl_khr_subgroup_extended_types and scope Subgroup");
    return HD_OK;
}

/* Words: 3 scope, 4 value, 5 local id (scalar, or vector of 2 or 3). */
HdStatus hd_rule_group_broadcast(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *id = hd_val_operand(v, in, 5);

    HD_RULE(hd_is_numeric(t) || hd_is_bool(t), "group.result",
            "the result is not a scalar or vector of numbers");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_TRY(broadcast_type(v, in, t));
    HD_RULE(hd_val_operand(v, in, 4) == t, "group.operand",
            "the value's type differs from the result type");
    HD_RULE(id != NULL && hd_is_int(id) && hd_type_lanes(id) <= 3, "group.local-id",
            "the local id is not an integer scalar or vector of 2 or 3");
    return HD_OK;
}

/* The instructions of SPV_KHR_uniform_group_instructions are of work-groups in OpenCL. */
static HdStatus workgroup_only(HdVal *v, const HdInst *in)
{
    uint64_t scope;

    HD_RULE(!hd_operands_is_uniform_group(in->opix) || !hd_val_opencl(v) ||
                !hd_module_constant_u64(v->m, in->w[3], &scope) || scope == SpvScopeWorkgroup,
            "group.workgroup", "in OpenCL the scope must be Workgroup");
    return HD_OK;
}

static HdStatus operation(HdVal *v, const HdInst *in, bool ok, const char *what)
{
    HD_RULE(ok, "group.result", "the result is not %s", what);
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_TRY(workgroup_only(v, in));
    HD_RULE(in->w[4] <= SpvGroupOperationExclusiveScan, "group.operation",
            "the group operation must be Reduce, InclusiveScan or ExclusiveScan");
    HD_RULE(hd_val_operand(v, in, 5) == hd_val_result(v, in), "group.operand",
            "the operand's type differs from the result type");
    return HD_OK;
}

HdStatus hd_rule_group_int(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_TRY(operation(v, in, hd_val_opencl(v) ? hd_is_int_scalar(t) : hd_is_int(t),
                     "an integer scalar"));
    if (hd_val_opencl(v))
        HD_RULE(t->bits >= 32 || has_extended_types(v, in), "group.width",
                "integers of %u bits need cl_khr_subgroup_extended_types and scope Subgroup",
                (unsigned)t->bits);
    return HD_OK;
}

HdStatus hd_rule_group_float(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    return operation(v, in, hd_val_opencl(v) ? hd_is_float_scalar(t) : hd_is_float(t),
                     "a float scalar");
}

HdStatus hd_rule_group_logical(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    return operation(v, in, hd_val_opencl(v) ? hd_is_bool_scalar(t) : hd_is_bool(t),
                     "a bool scalar");
}

/* OpReadClockKHR: 3 scope. Not in the core specification: SPV_KHR_shader_clock. */
HdStatus hd_rule_read_clock(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *scope = hd_val_operand(v, in, 3);
    uint64_t value;

    HD_RULE((hd_is_int_scalar(t) && t->bits == 64 && !t->is_signed) ||
                (t->kind == HD_T_VECTOR && t->count == 2 && hd_is_int(t) && hd_type_bits(t) == 32 &&
                 !hd_type_element(t)->is_signed),
            "group.clock-result",
            "the result is not an unsigned 64-bit integer or vector of two 32-bit ones");
    HD_RULE(hd_is_int_scalar(scope) && scope->bits == 32, "scope.type",
            "the scope is not a 32-bit integer");
    if (!hd_module_constant_u64(v->m, in->w[3], &value))
        return HD_OK;
    HD_RULE(hd_gram_enumerant(HD_KIND_Scope, (uint32_t)value) != NULL, "scope.value",
            "%u is not a scope", (unsigned)value);
    /* Spec: cl_khr_kernel_clock. */
    HD_RULE(!hd_val_opencl(v) || value == SpvScopeSubgroup || value == SpvScopeDevice ||
                value == SpvScopeWorkgroup,
            "group.clock-scope", "the scope must be Subgroup, Workgroup or Device");
    return HD_OK;
}
