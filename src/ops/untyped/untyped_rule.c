/* ops/untyped/untyped_rule.c -- rules specific to untyped pointers; variables and chains are with
 * their typed relatives in ops/memory.
 *
 * Spec: SPV_KHR_untyped_pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "module/decoration.h"
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"

HdStatus hd_rule_type_untyped_pointer(HdVal *v, const HdInst *in)
{
    HD_RULE(!hd_val_opencl(v) || in->w[2] != SpvStorageClassPrivate, "untyped.storage",
            "kernels have no storage class Private");
    return HD_OK;
}

/* An optional constant integer operand in [low, high]. */
static HdStatus prefetch_operand(HdVal *v, const HdInst *in, uint32_t at, const char *name,
                                 uint64_t high)
{
    const HdConstant *c;
    uint64_t value;

    if (at >= in->nwords)
        return HD_OK;
    c = hd_module_constant(v->m, in->w[at]);
    HD_RULE(c != NULL && hd_is_int_scalar(c->type) && c->kind != HD_C_UNDEF &&
                hd_module_constant_u64(v->m, in->w[at], &value),
            "untyped.prefetch-operand", "%s is not an integer constant", name);
    HD_RULE(value <= high, "untyped.prefetch-range", "%s is %llu, the highest is %llu", name,
            (unsigned long long)value, (unsigned long long)high);
    return HD_OK;
}

/* OpUntypedPrefetchKHR: Pointer, Num Bytes, RW, Locality, Cache Type. */
HdStatus hd_rule_untyped_prefetch(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(p), "untyped.prefetch-pointer", "the operand is not a pointer");
    HD_RULE(p->storage == SpvStorageClassCrossWorkgroup ||
                p->storage == SpvStorageClassDeviceOnlyINTEL ||
                p->storage == SpvStorageClassHostOnlyINTEL,
            "untyped.prefetch-storage", "the pointer must be of storage class CrossWorkgroup");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 2)), "untyped.prefetch-bytes",
            "the number of bytes is not an integer scalar");
    HD_TRY(prefetch_operand(v, in, 3, "RW", 1));
    HD_TRY(prefetch_operand(v, in, 4, "Locality", 3));
    return prefetch_operand(v, in, 5, "Cache Type", 1);
}

/* ---- what shaders access through untyped pointers ------------------------------------------- */

/* Chains that are longer are not followed to their variable. */
#define MAX_STEPS 64u

static bool is_block(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_STRUCT &&
           (hd_module_decoration(v->m, t->id, SpvDecorationBlock) != NULL ||
            hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) != NULL);
}

static const HdType *without_arrays(const HdType *t)
{
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    return t;
}

static bool is_block_array(const HdVal *v, const HdType *t)
{
    return t != NULL && without_arrays(t) != t && is_block(v, without_arrays(t));
}

static bool is_untyped_chain(enum HdOpix opix)
{
    return opix == HD_OPIX_UntypedAccessChainKHR || opix == HD_OPIX_UntypedInBoundsAccessChainKHR ||
           opix == HD_OPIX_UntypedPtrAccessChainKHR ||
           opix == HD_OPIX_UntypedInBoundsPtrAccessChainKHR;
}

/* Is one of the chains that lead to the pointer into a structure? */
static bool comes_from_structure(const HdVal *v, HdId pointer)
{
    const HdType *t;
    HdInst in;

    for (unsigned steps = 0; steps < MAX_STEPS; steps++) {
        if (!hd_module_def(v->m, pointer, &in) || !is_untyped_chain(in.opix))
            return false;
        t = hd_module_type(v->m, in.w[3]);
        if (t != NULL && t->kind == HD_T_STRUCT)
            return true;
        pointer = in.w[4];
    }
    return true;
}

static bool has_layout(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer ||
           storage == SpvStorageClassPhysicalStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassPushConstant || storage == SpvStorageClassWorkgroup;
}

/* Of a variable's own type its own pass says what is missing; where a variable that is no block has
 * no layout either, as in the peer's tests, there is none to differ from. */
static bool is_laid_out(const HdVal *v, uint32_t storage, const HdType *t, const HdType *held)
{
    return !has_layout(storage) || hd_bit_has(v->laid_out, t->id) || t == held;
}

HdStatus hd_rule_untyped_data(HdVal *v, const HdInst *in, const HdType *data, HdId pointer)
{
    const HdType *p;

    if (v->laid_out == NULL || !hd_val_cap(v, SpvCapabilityUntypedPointersKHR))
        return HD_OK;
    p = hd_module_type_of(v->m, pointer);
    if (!p->is_untyped)
        return HD_OK;
    HD_RULE(is_laid_out(v, p->storage, data, hd_val_held(v, pointer)), "untyped.layout",
            "this type has parts without Offset or ArrayStride");
    HD_TRY(hd_rule_untyped_narrow(v, in, p->storage, data));
    HD_RULE(without_arrays(data)->kind != HD_T_MATRIX || comes_from_structure(v, pointer),
            "untyped.matrix", "a matrix is reached by a chain into the structure that holds it");
    return HD_OK;
}

HdStatus hd_rule_untyped_blocks(HdVal *v, const HdInst *in, const HdType *base_type)
{
    HdId id = in->w[4];
    const HdType *held = NULL;
    uint32_t storage;
    HdInst base;

    if (v->laid_out == NULL || !hd_val_cap(v, SpvCapabilityUntypedPointersKHR))
        return HD_OK;
    while (hd_module_def(v->m, id, &base) && base.opix == HD_OPIX_CopyObject)
        id = base.w[3];
    if (hd_inst_is_variable(&base))
        held = hd_val_held(v, id);
    HD_RULE(
        (!is_block_array(v, base_type) && !is_block_array(v, held)) || base_type == held,
        "untyped.block-array",
        "an array of blocks is Base Type where Base is a variable of this type, and only there");
    storage = hd_module_type_of(v->m, in->w[4])->storage;
    HD_RULE(is_laid_out(v, storage, base_type, held), "untyped.layout",
            "Base Type has parts without Offset or ArrayStride");
    HD_RULE(!has_layout(storage) || base_type->kind != HD_T_MATRIX, "untyped.matrix",
            "a matrix is reached by a chain into the structure that holds it");
    return hd_rule_untyped_narrow(v, in, storage, base_type);
}

/* Where a chain's indexes begin; 0: it is none. */
static unsigned indexes_of(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: return 4;
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: /* behind the element */
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return 5;
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return 6;
    default: return 0;
    }
}

/* Do a chain's indexes, which begin at the word `at`, choose a block among those of an array? */
static bool chooses_block(const HdVal *v, const HdInst *chain, unsigned at)
{
    const bool untyped = is_untyped_chain(chain->opix);
    const HdType *t = untyped ? hd_module_type(v->m, chain->w[3])
                              : hd_type_element(hd_module_type_of(v->m, chain->w[3]));

    for (; at < chain->nwords && t != NULL &&
           (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY);
         at++)
        t = hd_type_element(t);
    return at >= chain->nwords && t != NULL && is_block(v, t);
}

HdStatus hd_rule_untyped_descriptor(HdVal *v, const HdInst *in, HdId pointer)
{
    unsigned at;
    HdInst def;

    while (hd_module_def(v->m, pointer, &def) && def.opix == HD_OPIX_CopyObject)
        pointer = def.w[3];
    at = indexes_of(def.opix);
    /* A variable, or what a function is given, or a chain that stays at one. */
    HD_RULE(at == 0 || (at == 5 && def.nwords == 5) || chooses_block(v, &def, at),
            "untyped.descriptor",
            "the pointer is neither a variable nor an element of an array of blocks");
    return HD_OK;
}
