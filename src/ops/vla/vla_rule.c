/* ops/vla/vla_rule.c -- rules of variable-length arrays.
 *
 * Spec: SPV_INTEL_variable_length_array, "Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

/* Is there a save that dominates the instruction? The blocks that dominate it are walked upwards;
 * each is searched once, so a function with many arrays costs depth times arrays at worst, which
 * the limit below bounds. */
static bool saved(const HdVal *v, const HdInst *in)
{
    uint32_t block = v->block - v->f->first_block, end = in->word;
    uint64_t budget = (uint64_t)1 << 22;

    if (v->cfg->rank[block] == HD_NO_BLOCK)
        return true;
    for (; block != HD_NO_BLOCK; block = v->cfg->idom[block]) {
        const HdBlock *b = &v->m->blocks[v->f->first_block + block];
        uint32_t word = b->word;

        if (end == 0)
            end = hd_block_end(v->m, b);
        for (HdInst at; word < end && hd_module_next(v->m, &word, &at);) {
            if (at.opix == HD_OPIX_SaveMemoryINTEL)
                return true;
            if (budget-- == 0)
                return true;
        }
        end = 0;
    }
    return false;
}

HdStatus hd_rule_vla(HdVal *v, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *t = hd_val_result(v, in);
    uint64_t length;
    const HdType *element =
        untyped ? hd_module_type(v->m, in->w[3]) : (hd_is_pointer(t) ? t->element : NULL);

    HD_RULE(hd_is_pointer(t) && t->is_untyped == untyped, "vla.result",
            untyped ? "the result type is not an OpTypeUntypedPointerKHR"
                    : "the result type is not an OpTypePointer");
    HD_RULE(t->storage == SpvStorageClassFunction, "vla.storage",
            "the storage class must be Function");
    HD_RULE(element != NULL && hd_is_concrete(v, element), "vla.element",
            "the element type is not a concrete type");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, untyped ? 4 : 3)), "vla.length",
            "the length is not an integer scalar");
    if (v->cfg != NULL && v->block != UINT32_MAX)
        HD_RULE(saved(v, in), "vla.save", "no OpSaveMemoryINTEL dominates the array");
    if (hd_val_known_part(v, in->w[untyped ? 4 : 3], 0, &length) && length == 0)
        return hd_val_warn(v, in, "vla.zero-length",
                           "the length is 0: every access to the array is undefined");
    return HD_OK;
}

HdStatus hd_rule_vla_save(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_pointer(t) && t->storage == SpvStorageClassFunction, "vla.save-result",
            "the result type is not a pointer of storage class Function");
    return HD_OK;
}

/* Of the function; HD_NO_BLOCK for what is in none of them, which is a separate error. */
static uint32_t block_of(const HdVal *v, uint32_t word)
{
    uint32_t b = hd_module_block_before(v->m, word) - v->f->first_block;

    return b < v->f->block_count ? b : HD_NO_BLOCK;
}

/* Does the instruction at word a come before the one at word b on every way to it? */
static bool comes_before(const HdVal *v, uint32_t a, uint32_t b)
{
    uint32_t x = block_of(v, a), y = block_of(v, b);

    if (x == HD_NO_BLOCK || y == HD_NO_BLOCK)
        return false;
    return x == y ? a < b : hd_cfg_dominates(v->cfg, x, y);
}

/* What an earlier restore has freed already: the same save, or one that came after. */
static HdStatus restore_order(HdVal *v, const HdInst *in)
{
    uint32_t word = v->f->word, save = v->m->def[in->w[1]], budget = 1u << 16;

    if (block_of(v, in->word) == HD_NO_BLOCK || v->cfg->rank[block_of(v, in->word)] == HD_NO_BLOCK)
        return HD_OK;
    for (HdInst r; word < in->word && budget-- != 0 && hd_module_next(v->m, &word, &r);) {
        uint32_t other;

        if (r.opix != HD_OPIX_RestoreMemoryINTEL)
            continue;
        other = v->m->def[r.w[1]];
        if (hd_module_opix(v->m, r.w[1]) != HD_OPIX_SaveMemoryINTEL || other < v->f->word ||
            other > in->word || !comes_before(v, r.word, in->word) ||
            !comes_before(v, save, r.word))
            continue;
        if (other == save)
            return hd_val_warn(v, in, "vla.restore-twice",
                               "this state was restored before: the behaviour is undefined");
        if (comes_before(v, other, save))
            return hd_val_warn(v, in, "vla.restore-order",
                               "an earlier state was restored before this one: the behaviour is "
                               "undefined");
    }
    return HD_OK;
}

/* Producers keep a saved state in a variable, and choose between several: such values may be one.
 */
static bool may_be_saved(const HdVal *v, HdId id)
{
    switch (hd_module_opix(v->m, id)) {
    case HD_OPIX_SaveMemoryINTEL:
    case HD_OPIX_Load:
    case HD_OPIX_Phi:
    case HD_OPIX_Select:
    case HD_OPIX_CopyObject:
    case HD_OPIX_Bitcast:
    case HD_OPIX_FunctionCall:
    case HD_OPIX_FunctionParameter:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_CompositeExtract: return true;
    default: return false;
    }
}

HdStatus hd_rule_vla_restore(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(t) && t->storage == SpvStorageClassFunction, "vla.restore-operand",
            "the operand is not a pointer of storage class Function");
    HD_RULE(may_be_saved(v, in->w[1]), "vla.restore-save",
            "the operand is not the result of OpSaveMemoryINTEL");
    if (hd_module_opix(v->m, in->w[1]) != HD_OPIX_SaveMemoryINTEL)
        return HD_OK;
    return v->cfg != NULL && v->block != UINT32_MAX ? restore_order(v, in) : HD_OK;
}
