/* ops/memory/memory_rule.c -- rules of variables, loads, stores and pointers.
 *
 * Spec: SPIR-V, "Memory Instructions"; what SPV_KHR_untyped_pointers changes of them is here too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "module/decoration.h"
#include "ops/coop/coop_rule.h"
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"

static bool is_runtime_array(const HdType *t)
{
    return t->kind == HD_T_RUNTIME_ARRAY;
}

static bool is_bool_kind(const HdType *t)
{
    return t->kind == HD_T_BOOL;
}

/* ---- variables ----------------------------------------------------------------------------- */

/* Shared with the untyped form: storage class and place. */
static HdStatus variable_place(HdVal *v, const HdInst *in, uint32_t storage)
{
    HD_RULE(storage != SpvStorageClassGeneric, "memory.variable-generic",
            "a variable must not be in storage class Generic");
    HD_RULE((storage == SpvStorageClassFunction) == (v->f != NULL), "memory.variable-place",
            v->f != NULL ? "a variable in a function must be in storage class Function"
                         : "a variable outside functions must not be in storage class Function");
    HD_RULE(storage != SpvStorageClassPhysicalStorageBuffer, "memory.variable-physical",
            "a variable must not be in storage class PhysicalStorageBuffer");
    return HD_OK;
}

static bool is_imported(const HdVal *v, HdId id)
{
    const HdDecoration *link = hd_module_decoration(v->m, id, SpvDecorationLinkageAttributes);

    return link != NULL && link->operand_count != 0 &&
           hd_decoration_last(v->m, link) == SpvLinkageTypeImport;
}

static HdStatus variable_initializer(HdVal *v, const HdInst *in, HdId init, const HdType *type)
{
    enum HdOpix opix = hd_module_opix(v->m, init);
    bool global = (opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR) &&
                  v->m->def[init] < v->m->first_function;

    HD_RULE(in->w[3] != SpvStorageClassInput && in->w[3] != SpvStorageClassPushConstant &&
                in->w[3] != SpvStorageClassTaskPayloadWorkgroupEXT,
            "memory.initializer-storage", "variables of this storage class have no initializer");
    HD_RULE(global || hd_opix_is_constant(opix), "memory.initializer",
            "the initializer is not a constant or module-scope variable");
    HD_RULE(hd_module_type_of(v->m, init) == type, "memory.initializer-type",
            "the initializer has another type than the variable");
    HD_RULE(!is_imported(v, in->w[2]), "memory.initializer-import",
            "an imported variable must have no initializer");
    return HD_OK;
}

/* Is a variable a built-in, or a block of them? */
static bool is_builtin(const HdVal *v, HdId id, const HdType *t)
{
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    return hd_module_decoration(v->m, id, SpvDecorationBuiltIn) != NULL ||
           hd_module_decoration(v->m, t->id, SpvDecorationBuiltIn) != NULL ||
           hd_module_member_decoration(v->m, t->id, 0, SpvDecorationBuiltIn) != NULL;
}

HdStatus hd_rule_variable(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    uint32_t storage = in->w[3];

    HD_RULE(hd_is_pointer(t) && !t->is_untyped, "memory.variable-type",
            "the result type is not an OpTypePointer");
    HD_RULE(t->storage == storage || hd_val_lacks(v, HD_KIND_StorageClass, storage) ||
                hd_val_lacks(v, HD_KIND_StorageClass, t->storage),
            "memory.variable-storage", "the storage class differs from that of the result type");
    HD_TRY(variable_place(v, in, storage));
    HD_RULE(hd_type_element(t) != NULL && hd_type_element(t)->kind != HD_T_VOID &&
                hd_type_element(t)->kind != HD_T_FUNCTION &&
                (hd_type_element(t)->kind != HD_T_OPAQUE || is_imported(v, in->w[2])),
            "memory.variable-pointee", "a variable cannot hold this type");
    if (in->nwords > 4)
        HD_TRY(variable_initializer(v, in, in->w[4], hd_type_element(t)));
    if (v->shader && (!v->kernel || storage != SpvStorageClassUniformConstant) &&
        storage != SpvStorageClassFunction && storage != SpvStorageClassPrivate &&
        storage != SpvStorageClassWorkgroup &&
        !((storage == SpvStorageClassInput || storage == SpvStorageClassOutput) &&
          is_builtin(v, in->w[2], hd_type_element(t))) &&
        storage != SpvStorageClassCrossWorkgroup && storage <= SpvStorageClassStorageBuffer)
        HD_RULE(!hd_type_holds(v, hd_type_element(t), is_bool_kind), "memory.variable-bool",
                "booleans have no layout: they cannot be in this storage class");
    HD_TRY(hd_rule_storage_of(v, in, hd_type_element(t), storage, true));
    HD_TRY(hd_rule_coop_variable(v, in, hd_type_element(t), storage));
    if (v->shader && hd_bit_has(v->limited, hd_type_element(t)->id))
        HD_TRY(hd_rule_variable_narrow(v, in, storage, hd_type_element(t)));
    return hd_rule_pointers_held(v, in, hd_type_element(t));
}

HdStatus hd_rule_untyped_variable(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *data;
    uint32_t storage = in->w[3];

    HD_RULE(hd_is_pointer(t) && t->is_untyped, "memory.variable-type",
            "the result type is not an OpTypeUntypedPointerKHR");
    HD_RULE(t->storage == storage || hd_val_lacks(v, HD_KIND_StorageClass, storage) ||
                hd_val_lacks(v, HD_KIND_StorageClass, t->storage),
            "memory.variable-storage", "the storage class differs from that of the result type");
    HD_TRY(variable_place(v, in, storage));
    if (in->nwords <= 4) {
        HD_RULE(storage != SpvStorageClassFunction && storage != SpvStorageClassPrivate &&
                    storage != SpvStorageClassWorkgroup,
                "untyped.data-type", "a variable in this storage class needs a data type");
        /* What an OpenCL module allocates has a size; what it imports may leave it to others. */
        HD_RULE(!hd_val_opencl(v) || is_imported(v, in->w[2]), "untyped.data-type",
                "a variable without data type must be imported");
        return HD_OK;
    }
    data = hd_module_type(v->m, in->w[4]);
    HD_RULE(data != NULL && data->kind != HD_T_VOID && data->kind != HD_T_FUNCTION,
            "untyped.data-type", "the data type is not a type that a variable can hold");
    HD_TRY(hd_rule_pointers_held(v, in, data));
    HD_TRY(hd_rule_storage_of(v, in, data, storage, true));
    HD_TRY(hd_rule_coop_variable(v, in, data, storage));
    if (v->shader && hd_bit_has(v->limited, data->id))
        HD_TRY(hd_rule_variable_narrow(v, in, storage, data));
    return in->nwords > 5 ? variable_initializer(v, in, in->w[5], data) : HD_OK;
}

/* ---- loads, stores, copies ----------------------------------------------------------------- */

/* In logical addressing only some instructions make pointers. */
static HdStatus logical_pointer(HdVal *v, const HdInst *in, HdId id)
{
    if (v->m->addressing != SpvAddressingModelLogical ||
        hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer))
        return HD_OK;
    switch (hd_module_opix(v->m, id)) {
    case HD_OPIX_Variable:
    case HD_OPIX_UntypedVariableKHR:
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain:
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_FunctionParameter:
    case HD_OPIX_ImageTexelPointer:
    case HD_OPIX_RawAccessChainNV:
    case HD_OPIX_BufferPointerEXT:
    case HD_OPIX_CopyObject: return HD_OK;
    default:
        return hd_val_fail(v, in, "memory.logical-pointer",
                           "in logical addressing this pointer cannot be used");
    }
}

#define MAX_STEPS 16

/* Is the pointer derived from null? The result of a chain from there is not a variable either. */
static bool is_null(const HdVal *v, HdId pointer)
{
    HdInst in;

    for (unsigned steps = 0; steps < MAX_STEPS && hd_module_def(v->m, pointer, &in); steps++)
        switch (in.opix) {
        case HD_OPIX_ConstantNull: return true;
        case HD_OPIX_CopyObject:
        case HD_OPIX_Bitcast:
        case HD_OPIX_PtrCastToGeneric:
        case HD_OPIX_GenericCastToPtr:
        case HD_OPIX_AccessChain:
        case HD_OPIX_InBoundsAccessChain:
        case HD_OPIX_PtrAccessChain:
        case HD_OPIX_InBoundsPtrAccessChain: pointer = in.w[3]; break;
        case HD_OPIX_UntypedAccessChainKHR:
        case HD_OPIX_UntypedInBoundsAccessChainKHR:
        case HD_OPIX_UntypedPtrAccessChainKHR:
        case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: pointer = in.w[4]; break;
        default: return false;
        }
    return false;
}

HdStatus hd_rule_known_null(HdVal *v, const HdInst *in, HdId pointer)
{
    const HdType *p = hd_module_type_of(v->m, pointer);

    /* Where null is an address like any other there is no saying. */
    if (!hd_is_pointer(p) || p->storage == SpvStorageClassWorkgroup || !is_null(v, pointer))
        return HD_OK;
    return hd_val_warn(v, in, "memory.null", "the pointer is null: the behaviour is undefined");
}

HdStatus hd_rule_load(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_pointer(p), "memory.pointer", "the operand is not a pointer");
    HD_TRY(logical_pointer(v, in, in->w[3]));
    HD_RULE(t->kind != HD_T_VOID && t->kind != HD_T_FUNCTION && t->kind != HD_T_OPAQUE,
            "memory.load-type", "a value of this type cannot be loaded");
    HD_RULE(p->is_untyped || hd_type_element(p) == t, "memory.load-type",
            "the result type is not the type that the pointer points to");
    HD_RULE(!hd_type_holds(v, t, is_runtime_array) || t->kind == HD_T_OTHER, "memory.load-runtime",
            "a value with a runtime array cannot be loaded");
    HD_TRY(hd_rule_storage_of(v, in, t, p->storage, false));
    HD_TRY(hd_rule_untyped_data(v, in, t, in->w[3]));
    HD_TRY(hd_rule_known_null(v, in, in->w[3]));
    return hd_val_memory_operands(v, in, 4);
}

static bool read_only(uint32_t storage)
{
    return storage == SpvStorageClassUniformConstant || storage == SpvStorageClassInput ||
           storage == SpvStorageClassPushConstant ||
           storage == SpvStorageClassShaderRecordBufferKHR;
}

HdStatus hd_rule_store(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1), *o = hd_val_operand(v, in, 2);

    HD_RULE(hd_is_pointer(p), "memory.pointer", "the operand is not a pointer");
    HD_TRY(logical_pointer(v, in, in->w[1]));
    HD_RULE(p->is_untyped || (hd_type_element(p) != NULL && hd_type_element(p)->kind != HD_T_VOID),
            "memory.store-type", "the pointer points to void");
    HD_RULE(o != NULL && o->kind != HD_T_VOID, "memory.store-object", "the object has no value");
    HD_RULE(!read_only(p->storage), "memory.read-only", "the storage class is read-only");
    HD_RULE(p->is_untyped || hd_type_element(p) == o, "memory.store-type",
            "the object's type is not the type that the pointer points to");
    HD_TRY(hd_rule_storage_of(v, in, o, p->storage, false));
    HD_TRY(hd_rule_untyped_data(v, in, o, in->w[1]));
    HD_TRY(hd_rule_variable_source(v, in, in->w[2]));
    HD_TRY(hd_rule_known_null(v, in, in->w[1]));
    return hd_val_memory_operands(v, in, 3);
}

static HdStatus copy_pointers(HdVal *v, const HdInst *in, const HdType *to, const HdType *from)
{
    HD_RULE(hd_is_pointer(to) && hd_is_pointer(from), "memory.pointer",
            "the operands are not pointers");
    HD_RULE(!read_only(to->storage), "memory.read-only", "the target's storage class is read-only");
    HD_TRY(hd_rule_known_null(v, in, in->w[1]));
    return hd_rule_known_null(v, in, in->w[2]);
}

HdStatus hd_rule_copy_memory(HdVal *v, const HdInst *in)
{
    const HdType *to = hd_val_operand(v, in, 1), *from = hd_val_operand(v, in, 2), *t;

    HD_TRY(copy_pointers(v, in, to, from));
    HD_RULE(!to->is_untyped || !from->is_untyped, "memory.copy-untyped",
            "one of the two pointers must be typed");
    t = to->is_untyped ? hd_type_element(from) : hd_type_element(to);
    HD_RULE(t != NULL && t->kind != HD_T_VOID, "memory.copy-type", "void cannot be copied");
    HD_RULE(to->is_untyped || from->is_untyped || hd_type_element(to) == hd_type_element(from),
            "memory.copy-type", "the pointers point to different types");
    HD_RULE(!hd_type_holds(v, t, is_runtime_array), "memory.copy-runtime",
            "a runtime array has no size to copy");
    HD_TRY(hd_rule_untyped_data(v, in, t, in->w[1]));
    HD_TRY(hd_rule_untyped_data(v, in, t, in->w[2]));
    return hd_val_memory_operands(v, in, 3);
}

HdStatus hd_rule_copy_memory_sized(HdVal *v, const HdInst *in)
{
    const HdType *size = hd_val_operand(v, in, 3);
    const HdConstant *c = hd_module_constant(v->m, in->w[3]);
    enum HdOpix opix = hd_module_opix(v->m, in->w[3]);
    int64_t n;

    HD_TRY(copy_pointers(v, in, hd_val_operand(v, in, 1), hd_val_operand(v, in, 2)));
    HD_RULE(hd_is_int_scalar(size), "memory.copy-size", "the size is not an integer scalar");
    if (opix == HD_OPIX_Constant || opix == HD_OPIX_ConstantNull) {
        /* None: of more than 64 bits. */
        HD_RULE(c == NULL || c->bits != 0, "memory.copy-size", "the size must not be 0");
        HD_RULE(!size->is_signed || !hd_module_constant_i64(v->m, in->w[3], &n) || n > 0,
                "memory.copy-size", "the size must not be negative");
    }
    for (uint32_t i = 1; i <= 2 && c != NULL && opix == HD_OPIX_Constant; i++)
        HD_TRY(hd_rule_copied_narrow(v, in, hd_val_operand(v, in, i), c->bits));
    return hd_val_memory_operands(v, in, 4);
}

/* ---- chains -------------------------------------------------------------------------------- */

#define MAX_INDEXES 255

/* An index that is known and leads out of what it walks into. */
static HdStatus known_index(HdVal *v, const HdInst *in, uint32_t at, const HdType *t)
{
    uint64_t i;

    if ((t->kind != HD_T_VECTOR && t->kind != HD_T_MATRIX && t->kind != HD_T_ARRAY) ||
        !hd_val_known_part(v, in->w[at], 0, &i) || i < hd_type_parts(t) ||
        (t->kind == HD_T_ARRAY &&
         hd_val_is_open(v, hd_module_constant(v->m, hd_type_length_id(v->m, t)))))
        return HD_OK;
    return hd_val_warn(v, in, "chain.out-of-bounds",
                       "index %llu of %llu: an access there is undefined", (unsigned long long)i,
                       (unsigned long long)hd_type_parts(t));
}

/* One index into `t`; *out is the element's type. */
static HdStatus step(HdVal *v, const HdInst *in, uint32_t at, const HdType *t, const HdType **out)
{
    const HdType *index = hd_val_operand(v, in, at);
    const HdConstant *c = hd_module_constant(v->m, in->w[at]);
    int64_t i = 0;

    HD_RULE(hd_is_int_scalar(index), "chain.index", "index %u is not an integer scalar",
            (unsigned)in->w[at]);
    if (t->kind != HD_T_STRUCT) {
        HD_RULE(t->kind == HD_T_VECTOR || t->kind == HD_T_MATRIX || t->kind == HD_T_ARRAY ||
                    t->kind == HD_T_RUNTIME_ARRAY || t->kind == HD_T_OTHER,
                "chain.depth", "the indexes go deeper than the type");
        HD_RULE(v->m->addressing != SpvAddressingModelLogical || !index->is_signed ||
                    hd_module_opix(v->m, in->w[at]) != HD_OPIX_Constant ||
                    (hd_module_constant_i64(v->m, in->w[at], &i) && i >= 0) || !v->shader,
                "chain.negative", "a constant index must not be negative");
        HD_RULE(t->kind != HD_T_OTHER || hd_coop_component(v, t) != NULL, "chain.depth",
                "the indexes go deeper than the type");
        *out = t->kind == HD_T_OTHER ? hd_coop_component(v, t) : hd_type_element(t);
        return known_index(v, in, at, t);
    }
    HD_RULE(hd_module_opix(v->m, in->w[at]) == HD_OPIX_Constant && c != NULL, "chain.struct-index",
            "an index into a structure must be an OpConstant");
    HD_RULE(hd_module_constant_i64(v->m, in->w[at], &i) && i >= 0 && i < (int64_t)t->count,
            "chain.struct-range", "index %lld is not a member of the structure", (long long)i);
    *out = hd_type_member(v->m, t, (uint32_t)i);
    return HD_OK;
}

/* Shared by typed and untyped chains: `t` is what the indexes from word `at` on walk into. */
static HdStatus chain(HdVal *v, const HdInst *in, uint32_t at, const HdType *t, const HdType **out)
{
    uint32_t count = in->nwords - at;

    HD_RULE(count <= MAX_INDEXES, "chain.indexes", "more than 255 indexes");
    for (; at < in->nwords; at++) {
        HD_RULE(t != NULL, "chain.depth", "the indexes go deeper than the type");
        HD_TRY(step(v, in, at, t, &t));
        if (t == NULL)
            break;
    }
    *out = t;
    return HD_OK;
}

static bool takes_element(const HdInst *in)
{
    return in->opix == HD_OPIX_PtrAccessChain || in->opix == HD_OPIX_InBoundsPtrAccessChain ||
           in->opix == HD_OPIX_UntypedPtrAccessChainKHR ||
           in->opix == HD_OPIX_UntypedInBoundsPtrAccessChainKHR;
}

/* Does the storage class have its layout said, in this module? */
static bool has_layout(const HdVal *v, uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassPushConstant: return v->shader && !v->kernel;
    case SpvStorageClassWorkgroup:
        return v->shader && hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR);
    default: return false;
    }
}

/* A pointer, or one of a vector of them (SPV_INTEL_masked_gather_scatter); NULL for what is none.
 */
static const HdType *each_pointer(const HdType *t)
{
    t = t != NULL && t->kind == HD_T_VECTOR ? hd_type_element(t) : t;
    return hd_is_pointer(t) ? t : NULL;
}

static bool same_lanes(const HdType *a, const HdType *b)
{
    return (a->kind == HD_T_VECTOR) == (b->kind == HD_T_VECTOR) &&
           hd_type_lanes(a) == hd_type_lanes(b);
}

/* The element of the chains that take one: they make variable pointers. */
static HdStatus element(HdVal *v, const HdInst *in, uint32_t at, const HdType *base)
{
    const HdType *t = hd_val_operand(v, in, at);

    /* Of a vector of pointers each may have its own. */
    HD_RULE(hd_is_int_scalar(t) ||
                (t != NULL && hd_is_int(t) && same_lanes(t, hd_val_result(v, in))),
            "chain.element", "Element is not an integer scalar");
    HD_RULE(!v->shader || v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer),
            "chain.logical", "the instruction needs variable pointers");
    HD_RULE(!has_layout(v, base->storage) ||
                hd_module_decoration(v->m, base->id, SpvDecorationArrayStride) != NULL ||
                hd_module_decoration(v->m, base->id, SpvDecorationArrayStrideIdEXT) != NULL,
            "chain.stride", "the base's type has no ArrayStride");
    return hd_rule_variable_pointer(v, in, hd_val_result(v, in));
}

/* OpAccessChain and its three relatives. Rule ids: chain.…. */
HdStatus hd_rule_access_chain(HdVal *v, const HdInst *in)
{
    const HdType *t = each_pointer(hd_val_result(v, in)),
                 *base = each_pointer(hd_val_operand(v, in, 3)), *part;
    uint32_t at = 4;

    HD_RULE(t != NULL && !t->is_untyped, "chain.result", "the result type is not an OpTypePointer");
    HD_RULE(base != NULL && same_lanes(hd_val_result(v, in), hd_val_operand(v, in, 3)),
            "chain.base", "the base is not a pointer");
    HD_RULE(!base->is_untyped, "chain.base-untyped",
            "the base is an untyped pointer: use the untyped chain");
    HD_RULE(base->storage == t->storage, "chain.storage",
            "base and result have different storage classes");
    if (takes_element(in))
        HD_TRY(element(v, in, at++, base));
    HD_TRY(chain(v, in, at, hd_type_element(base), &part));
    HD_RULE(part == NULL || part == hd_type_element(t), "chain.result-type",
            "the result type points to another type than the indexes lead to");
    return HD_OK;
}

HdStatus hd_rule_untyped_access_chain(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *type = hd_module_type(v->m, in->w[3]),
                 *base = hd_val_operand(v, in, 4), *part;
    uint32_t at = 5;

    HD_RULE(hd_is_pointer(t) && t->is_untyped, "chain.result",
            "the result type is not an OpTypeUntypedPointerKHR");
    HD_RULE(type != NULL && type->kind != HD_T_VOID && type->kind != HD_T_FUNCTION,
            "chain.base-type", "Base Type is not a type of something in memory");
    HD_RULE(type->kind != HD_T_POINTER, "chain.base-type", "Base Type must not be a pointer type");
    HD_RULE(hd_is_pointer(base), "chain.base", "the base is not a pointer");
    HD_RULE(base->storage == t->storage, "chain.storage",
            "base and result have different storage classes");
    HD_TRY(hd_rule_untyped_blocks(v, in, type));
    if (takes_element(in))
        HD_TRY(element(v, in, at++, base));
    return chain(v, in, at, type, &part);
}

/* Shared by both OpArrayLength: a structure whose last member is a runtime array. */
static HdStatus array_length(HdVal *v, const HdInst *in, const HdType *s, uint32_t member)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_int_scalar(t) && !t->is_signed &&
                (t->bits == 32 ||
                 (t->bits == 64 && hd_val_cap(v, SpvCapabilityShader64BitIndexingEXT))),
            "memory.length-result", "the result is not an unsigned 32-bit integer");
    HD_RULE(s != NULL && s->kind == HD_T_STRUCT, "memory.length-struct",
            "the operand is not a structure");
    HD_RULE(s->count != 0 && hd_type_member(v->m, s, s->count - 1)->kind == HD_T_RUNTIME_ARRAY,
            "memory.length-array", "the structure's last member is not a runtime array");
    HD_RULE(member == s->count - 1, "memory.length-member",
            "the member is not the structure's last");
    return HD_OK;
}

HdStatus hd_rule_array_length(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_pointer(p), "memory.length-struct", "the operand is not a pointer");
    HD_RULE(!hd_is_variable_pointer(v, in->w[3]) || v->m->addressing != SpvAddressingModelLogical,
            "pointer.array-length", "the operand must be not a variable pointer");
    return array_length(v, in, hd_type_element(p), in->w[4]);
}

HdStatus hd_rule_untyped_array_length(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 4);

    HD_RULE(hd_is_pointer(p), "memory.length-struct", "the operand is not a pointer");
    HD_RULE(!hd_is_variable_pointer(v, in->w[4]) || v->m->addressing != SpvAddressingModelLogical,
            "pointer.array-length", "the operand must be not a variable pointer");
    HD_TRY(array_length(v, in, hd_module_type(v->m, in->w[3]), in->w[5]));
    HD_RULE(hd_module_decoration(v->m, in->w[3], SpvDecorationBlock) != NULL ||
                hd_module_decoration(v->m, in->w[3], SpvDecorationBufferBlock) != NULL,
            "memory.length-block", "the structure is not decorated Block");
    return hd_rule_untyped_descriptor(v, in, in->w[4]);
}

/* ---- comparing and casting pointers -------------------------------------------------------- */

HdStatus hd_rule_generic_semantics(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "memory.semantics-result",
            "the result is not a 32-bit integer");
    HD_RULE(hd_is_pointer(p) && p->storage == SpvStorageClassGeneric, "memory.generic-pointer",
            "the operand is not a pointer of storage class Generic");
    return HD_OK;
}

static HdStatus two_pointers(HdVal *v, const HdInst *in)
{
    const HdType *x = each_pointer(hd_val_operand(v, in, 3)),
                 *y = each_pointer(hd_val_operand(v, in, 4));

    HD_RULE(x != NULL && y != NULL, "memory.pointer", "the operands are not pointers");
    HD_RULE(same_lanes(hd_val_operand(v, in, 3), hd_val_operand(v, in, 4)) &&
                same_lanes(hd_val_operand(v, in, 3), hd_val_result(v, in)),
            "memory.pointer-lanes", "operands and result have different numbers of components");
    HD_RULE(x->storage == y->storage, "memory.pointer-storage",
            "the pointers have different storage classes");
    HD_RULE(x->storage != SpvStorageClassPhysicalStorageBuffer, "memory.pointer-physical",
            "pointers of storage class PhysicalStorageBuffer are compared as integers");
    HD_RULE(x == y || x->is_untyped || y->is_untyped, "memory.pointer-types",
            "the pointers have different types");
    HD_RULE(v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer),
            "memory.pointer-logical", "in logical addressing this needs variable pointers");
    return hd_rule_variable_pointer(v, in, x);
}

HdStatus hd_rule_ptr_compare(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool(hd_val_result(v, in)), "memory.compare-result",
            "the result is not a bool scalar");
    return two_pointers(v, in);
}

HdStatus hd_rule_ptr_diff(HdVal *v, const HdInst *in)
{
    const HdType *x;

    HD_RULE(hd_is_int(hd_val_result(v, in)), "memory.diff-result",
            "the result is not an integer scalar");
    HD_TRY(two_pointers(v, in));
    HD_RULE(hd_val_operand(v, in, 3) == hd_val_operand(v, in, 4), "memory.pointer-types",
            "the pointers have different types");
    x = each_pointer(hd_val_operand(v, in, 3));
    HD_RULE(x->is_untyped || (hd_type_element(x) != NULL && hd_type_element(x)->kind != HD_T_VOID &&
                              hd_type_element(x)->kind != HD_T_FUNCTION),
            "memory.diff-pointee", "the pointers point to what is in no array");
    return HD_OK;
}

static bool specific(uint32_t storage)
{
    return storage == SpvStorageClassWorkgroup || storage == SpvStorageClassCrossWorkgroup ||
           storage == SpvStorageClassFunction;
}

static HdStatus same_pointee(HdVal *v, const HdInst *in, const HdType *x, const HdType *y)
{
    /* LLVM's back end, which knows no pointees, takes function pointers for pointers to bytes. */
    if (v->options->to_build && y->storage == SpvStorageClassCodeSectionINTEL)
        return HD_OK;
    HD_RULE(x->is_untyped || y->is_untyped || hd_type_element(x) == hd_type_element(y),
            "memory.cast-pointee", "the pointers point to different types");
    return HD_OK;
}

static HdStatus cast_lanes(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_operand(v, in, 3) == NULL ||
                same_lanes(hd_val_result(v, in), hd_val_operand(v, in, 3)),
            "memory.pointer-lanes", "operand and result have different numbers of components");
    return HD_OK;
}

HdStatus hd_rule_ptr_to_generic(HdVal *v, const HdInst *in)
{
    const HdType *t = each_pointer(hd_val_result(v, in)),
                 *o = each_pointer(hd_val_operand(v, in, 3));

    HD_TRY(cast_lanes(v, in));
    HD_RULE(t != NULL && t->storage == SpvStorageClassGeneric, "memory.cast-result",
            "the result is not a pointer of storage class Generic");
    HD_RULE(o != NULL && (specific(o->storage) || o->storage == SpvStorageClassDeviceOnlyINTEL ||
                          o->storage == SpvStorageClassHostOnlyINTEL ||
                          o->storage == SpvStorageClassCodeSectionINTEL),
            "memory.cast-operand",
            "the operand is not a pointer of storage class Workgroup, CrossWorkgroup or Function");
    return same_pointee(v, in, t, o);
}

HdStatus hd_rule_generic_to_ptr(HdVal *v, const HdInst *in)
{
    const HdType *t = each_pointer(hd_val_result(v, in)),
                 *o = each_pointer(hd_val_operand(v, in, 3));

    HD_TRY(cast_lanes(v, in));
    HD_RULE(t != NULL && (specific(t->storage) || t->storage == SpvStorageClassCodeSectionINTEL),
            "memory.cast-result",
            "the result is not a pointer of storage class Workgroup, CrossWorkgroup or Function");
    HD_RULE(o != NULL && o->storage == SpvStorageClassGeneric, "memory.cast-operand",
            "the operand is not a pointer of storage class Generic");
    return same_pointee(v, in, t, o);
}

HdStatus hd_rule_generic_to_ptr_explicit(HdVal *v, const HdInst *in)
{
    HD_TRY(hd_rule_generic_to_ptr(v, in));
    HD_RULE(each_pointer(hd_val_result(v, in))->storage == in->w[4], "memory.cast-storage",
            "the storage class differs from that of the result type");
    return HD_OK;
}
