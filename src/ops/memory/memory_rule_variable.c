/* ops/memory/memory_rule_variable.c -- rules of variable pointers: pointers in logical addressing
 * whose value is not known statically.
 *
 * Spec: SPIR-V, "Universal Validation Rules" (variable pointers), capabilities
 * VariablePointersStorageBuffer and VariablePointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "module/decoration.h"
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"

/* Chains that are longer are not followed to their variable. */
#define MAX_STEPS 64u

static bool applies(const HdVal *v, const HdType *t)
{
    return v->m->addressing == SpvAddressingModelLogical && v->shader && !v->kernel && t != NULL &&
           t->kind == HD_T_POINTER;
}

HdStatus hd_rule_variable_pointer(HdVal *v, const HdInst *in, const HdType *t)
{
    if (!applies(v, t) || t->storage > SpvStorageClassStorageBuffer)
        return HD_OK;
    if (t->storage == SpvStorageClassStorageBuffer) {
        HD_RULE(hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer), "pointer.capability",
                "variable pointers need capability VariablePointersStorageBuffer");
        return HD_OK;
    }
    HD_RULE(t->storage == SpvStorageClassWorkgroup, "pointer.storage",
            "there are no variable pointers of this storage class");
    HD_RULE(hd_val_cap(v, SpvCapabilityVariablePointers), "pointer.capability",
            "variable pointers of storage class Workgroup need capability VariablePointers");
    return HD_OK;
}

bool hd_is_variable_pointer(const HdVal *v, HdId id)
{
    switch (hd_module_opix(v->m, id)) {
    case HD_OPIX_Select:
    case HD_OPIX_Phi:
    case HD_OPIX_FunctionCall:
    case HD_OPIX_Load:
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR:
    case HD_OPIX_ConstantNull: return true;
    default: return false;
    }
}

/* A pointer's origin: `inner` is what it points to as far as that is known, `id` what it is derived
 * from, which a further step may decompose. */
typedef struct Origin {
    HdId id;
    const HdType *inner;
    bool in_matrix; /* some index went into a matrix */
} Origin;

static bool is_matrix(const HdType *t)
{
    return t->kind == HD_T_MATRIX;
}

/* One step of a chain from word `at` on, walking into t. */
static void walk(const HdVal *v, const HdInst *in, uint32_t at, const HdType *t, Origin *o)
{
    for (; at < in->nwords && t != NULL; at++) {
        uint64_t i = 0;

        o->in_matrix |= t->kind == HD_T_MATRIX;
        if (t->kind == HD_T_STRUCT && !hd_module_constant_u64(v->m, in->w[at], &i))
            return;
        t = t->kind == HD_T_RUNTIME_ARRAY ? hd_type_element(t) : hd_type_part(v->m, t, i);
    }
    if (o->inner == NULL)
        o->inner = t;
}

/* Take the last step back; false at the beginning. */
static bool back(const HdVal *v, Origin *o)
{
    HdInst in;
    const HdType *base;

    if (!hd_module_def(v->m, o->id, &in))
        return false;
    switch (in.opix) {
    case HD_OPIX_CopyObject: o->id = in.w[3]; return true;
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain:
        base = hd_module_type_of(v->m, in.w[3]);
        walk(v, &in, 4, base != NULL && base->kind == HD_T_POINTER ? hd_type_element(base) : NULL,
             o);
        o->id = in.w[3];
        return true;
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
        walk(v, &in, 5, hd_module_type(v->m, in.w[3]), o);
        o->id = in.w[4];
        return true;
    case HD_OPIX_Variable:
        base = hd_module_type(v->m, in.w[1]);
        if (o->inner == NULL && base != NULL && base->kind == HD_T_POINTER)
            o->inner = hd_type_element(base);
        return false;
    case HD_OPIX_UntypedVariableKHR:
        if (o->inner == NULL && in.nwords > 4)
            o->inner = hd_module_type(v->m, in.w[4]);
        return false;
    default: return false;
    }
}

static Origin origin(const HdVal *v, HdId pointer)
{
    Origin o = {.id = pointer};

    for (uint32_t i = 0; i < MAX_STEPS && back(v, &o); i++)
        ;
    return o;
}

HdStatus hd_rule_variable_source(HdVal *v, const HdInst *in, HdId pointer)
{
    const HdType *t = hd_module_type_of(v->m, pointer);
    Origin o;

    if (!applies(v, t) ||
        (t->storage != SpvStorageClassStorageBuffer && t->storage != SpvStorageClassWorkgroup))
        return HD_OK;
    o = origin(v, pointer);
    HD_RULE(!o.in_matrix && (o.inner == NULL || !hd_type_holds(v, o.inner, is_matrix)),
            "pointer.matrix", "a variable pointer must not point to a matrix, or to a part of one");
    HD_RULE(o.inner == NULL || t->storage != SpvStorageClassStorageBuffer ||
                o.inner->kind != HD_T_ARRAY ||
                hd_module_decoration(v->m, hd_type_element(o.inner)->id, SpvDecorationBlock) ==
                    NULL,
            "pointer.descriptors", "a variable pointer must not point to an array of blocks");
    return HD_OK;
}

/* Functions that are longer are not looked through. */
#define MAX_WORDS 65536u

HdStatus hd_rule_variable_argument(HdVal *v, const HdInst *in, HdId pointer, const HdFunction *f,
                                   uint32_t number)
{
    const HdType *t = hd_module_type_of(v->m, pointer);
    uint32_t word = f->word;
    HdInst parameter;
    Origin o;

    if (!applies(v, t) || !hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer) ||
        (t->storage != SpvStorageClassStorageBuffer && t->storage != SpvStorageClassWorkgroup))
        return HD_OK;
    o = origin(v, pointer);
    if ((!o.in_matrix && (o.inner == NULL || !hd_type_holds(v, o.inner, is_matrix))) ||
        number >= f->param_count || f->end - f->word > MAX_WORDS)
        return HD_OK;
    parameter = hd_function_param(v->m, f, number);
    for (HdInst i; word < f->end && hd_module_next(v->m, &word, &i);) {
        bool taken = false;

        if (i.opix != HD_OPIX_Select && i.opix != HD_OPIX_Phi && i.opix != HD_OPIX_PtrAccessChain &&
            i.opix != HD_OPIX_UntypedPtrAccessChainKHR)
            continue;
        for (uint32_t k = 3; k < i.nwords; k++)
            taken = taken || i.w[k] == parameter.w[2];
        HD_RULE(!taken, "pointer.matrix",
                "a variable pointer must not point to a matrix, or to a part of one; the called "
                "function makes its parameter one");
    }
    return HD_OK;
}

HdStatus hd_rule_variable_pair(HdVal *v, const HdInst *in, HdId x, HdId y)
{
    const HdType *t = hd_module_type_of(v->m, x);
    Origin a, b;

    if (!applies(v, t) || t->storage != SpvStorageClassStorageBuffer ||
        hd_val_cap(v, SpvCapabilityVariablePointers))
        return HD_OK;
    a = origin(v, x);
    b = origin(v, y);
    HD_RULE(a.id == b.id ||
                (hd_module_opix(v->m, a.id) != HD_OPIX_Variable &&
                 hd_module_opix(v->m, a.id) != HD_OPIX_UntypedVariableKHR) ||
                (hd_module_opix(v->m, b.id) != HD_OPIX_Variable &&
                 hd_module_opix(v->m, b.id) != HD_OPIX_UntypedVariableKHR),
            "pointer.buffers", "pointers into different buffers need capability VariablePointers");
    return HD_OK;
}

static bool is_logical_pointer(const HdType *t)
{
    return t->kind == HD_T_POINTER && t->storage <= SpvStorageClassStorageBuffer;
}

static bool is_workgroup_pointer(const HdType *t)
{
    return t->kind == HD_T_POINTER && t->storage == SpvStorageClassWorkgroup;
}

static bool is_other_pointer(const HdType *t)
{
    return is_logical_pointer(t) && !is_workgroup_pointer(t) &&
           t->storage != SpvStorageClassStorageBuffer;
}

/* Pointers of physical storage buffers say whether others alias them. */
static HdStatus aliasing(HdVal *v, const HdInst *in, const HdType *data)
{
    bool aliased = hd_module_decoration(v->m, in->w[2], SpvDecorationAliasedPointer) != NULL,
         restricted = hd_module_decoration(v->m, in->w[2], SpvDecorationRestrictPointer) != NULL;

    while (data->kind == HD_T_ARRAY || data->kind == HD_T_RUNTIME_ARRAY)
        data = hd_type_element(data);
    if (data->kind != HD_T_POINTER || data->storage != SpvStorageClassPhysicalStorageBuffer)
        return HD_OK;
    HD_RULE(aliased != restricted, "memory.variable-aliasing",
            "a variable that holds such a pointer is decorated with one of AliasedPointer and "
            "RestrictPointer");
    return HD_OK;
}

HdStatus hd_rule_pointers_held(HdVal *v, const HdInst *in, const HdType *data)
{
    uint32_t storage = in->w[3];

    if (!v->shader || v->kernel)
        return HD_OK;
    HD_TRY(aliasing(v, in, data));
    if (v->m->addressing != SpvAddressingModelLogical ||
        !hd_type_holds(v, data, is_logical_pointer))
        return HD_OK;
    HD_RULE(hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer), "memory.variable-pointer",
            "in logical addressing a variable cannot hold a pointer");
    HD_RULE(storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate,
            "memory.variable-pointer",
            "a variable that holds pointers is of storage class Function or Private");
    HD_RULE(!hd_type_holds(v, data, is_other_pointer) &&
                (!hd_type_holds(v, data, is_workgroup_pointer) ||
                 hd_val_cap(v, SpvCapabilityVariablePointers)),
            "memory.variable-pointer", "there are no variable pointers of this storage class");
    return HD_OK;
}

/* OpPredicatedLoadINTEL: 3 pointer, 4 predicate, 5 default. OpPredicatedStoreINTEL: 1 pointer,
 * 2 object, 3 predicate. */
HdStatus hd_rule_predicated(HdVal *v, const HdInst *in)
{
    bool load = in->opix == HD_OPIX_PredicatedLoadINTEL;
    const HdType *p = hd_val_operand(v, in, load ? 3 : 1);
    const HdType *t = load ? hd_val_result(v, in) : hd_val_operand(v, in, 2);

    HD_RULE(hd_is_pointer(p), "memory.pointer", "the operand is not a pointer");
    HD_RULE(load || p->storage != SpvStorageClassUniformConstant, "memory.predicated",
            "the storage class is read-only");
    HD_RULE(hd_is_numeric(t), "memory.predicated", "what is moved is not a number or vector");
    HD_RULE(p->is_untyped || hd_type_element(p) == t, "memory.predicated",
            "the pointer points to another type");
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, load ? 4 : 3)), "memory.predicated",
            "the predicate is not a bool scalar");
    HD_RULE(!load || hd_val_operand(v, in, 5) == t, "memory.predicated",
            "the default's type differs from the result type");
    HD_RULE(in->nwords <= (load ? 6u : 4u) || !(in->w[load ? 6 : 4] & SpvMemoryAccessVolatileMask),
            "memory.predicated", "a predicated access is not volatile");
    return hd_val_memory_operands(v, in, load ? 6 : 4);
}

/* ---- what some storage classes do not hold -------------------------------------------------- */

static bool is_long(const HdType *t)
{
    return t->kind == HD_T_VECTOR && t->count > 4;
}

/* Capability Vector16 has the others everywhere. */
static bool is_long_and_odd(const HdType *t)
{
    return is_long(t) && t->count != 8 && t->count != 16;
}

static bool is_part_of_byte(const HdType *t)
{
    return t->kind == HD_T_FLOAT && t->bits < 8;
}

/* Spec: SPV_EXT_long_vector, "Universal Validation Rules". */
static bool has_long_vectors(uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
    case SpvStorageClassUniform:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassPushConstant:
    case SpvStorageClassShaderRecordBufferKHR:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyALTERA:
    case SpvStorageClassHostOnlyALTERA:
    case SpvStorageClassGeneric: return true;
    default: return false;
    }
}

/* Spec: SPV_EXT_ocp_microscaling_types, SPV_INTEL_int4: four-bit integers are checked where they
 * are allocated. */
HdStatus hd_rule_storage_of(HdVal *v, const HdInst *in, const HdType *t, uint32_t storage,
                            bool allocated)
{
    bool own = storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate;

    if (allocated && !has_long_vectors(storage) && hd_val_cap(v, SpvCapabilityLongVectorEXT) &&
        !hd_val_cap(v, SpvCapabilityVectorAnyINTEL))
        HD_RULE(
            !hd_type_holds(v, t, hd_val_cap(v, SpvCapabilityVector16) ? is_long_and_odd : is_long),
            "memory.long-vector", "vectors of this length are not in this storage class");
    if (own || v->nibbles == NULL || !hd_bit_has(v->nibbles, t->id))
        return HD_OK;
    HD_RULE(!allocated && !hd_type_holds(v, t, is_part_of_byte), "memory.part-of-byte",
            "numbers that do not fill bytes are in storage classes Function and Private");
    return HD_OK;
}
