/* val/body.c -- every instruction's own rule, and that definitions dominate their uses.
 *
 * Spec: SPIR-V, "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "base/bisect.h"
#include "base/bitset.h"
#include "val/rule.h"

#define SPEC "Universal Validation Rules"

enum { MAX_COPIES = 16 };

/* Block of this function in which the word lies; HD_NO_BLOCK: before all blocks. */
static uint32_t block_at(const HdVal *v, uint32_t word)
{
    const HdBlock *blocks = v->m->blocks + v->f->first_block;
    uint32_t after;

    HD_BISECT(after, v->f->block_count, blocks[after].word > word);
    return after == 0 ? HD_NO_BLOCK : after - 1;
}

/* In unreachable blocks anything may be used. */
static HdStatus check_use(HdVal *v, const HdInst *in, HdId id, uint32_t user)
{
    const HdBlock *in_block;
    uint32_t def, block;

    if (hd_bit_has(v->failed, id))
        return HD_BAD_INPUT; /* reported where it is defined */
    def = v->m->def[id];
    if (v->f == NULL || def < v->m->first_function ||
        hd_operand_types_label(&v->m->operand_types, id, &block))
        return HD_OK; /* of labels the graph says which are wrong */
    in_block = v->m->blocks + v->f->first_block + user;
    if (user != HD_NO_BLOCK && def >= in_block->word && def < hd_block_end(v->m, in_block))
        return HD_OK; /* in the same block, and not after it: ids.c has checked that */
    if (v->m->function_of[id] != 0)
        return HD_OK;
    if (def < v->f->word || def >= v->f->end)
        return hd_val_fail_spec(v, in, "id.scope", SPEC, "id %u belongs to another function",
                                (unsigned)id);
    if (v->cfg == NULL || user == HD_NO_BLOCK || v->cfg->rank[user] == HD_NO_BLOCK)
        return HD_OK;
    block = block_at(v, def);
    if (block != HD_NO_BLOCK && !hd_cfg_dominates(v->cfg, block, user))
        return hd_val_fail_spec(v, in, "id.dominance", SPEC,
                                "the definition of id %u does not dominate this use", (unsigned)id);
    return HD_OK;
}

/* A phi uses each value at the end of the block that it comes from. */
static HdStatus check_phi_uses(HdVal *v, const HdInst *in)
{
    HdStatus st = HD_OK;

    for (uint32_t i = 3; i + 1 < in->nwords; i += 2) {
        uint32_t parent = hd_module_block(v->m, in->w[i + 1]);

        if (parent == UINT32_MAX || parent < v->f->first_block ||
            parent - v->f->first_block >= v->f->block_count)
            continue; /* the phi's rule says it */
        if (check_use(v, in, in->w[i], parent - v->f->first_block) != HD_OK)
            st = HD_BAD_INPUT;
    }
    return st;
}

static HdStatus check_uses(HdVal *v, const HdInst *in)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    uint32_t user = v->block == UINT32_MAX ? HD_NO_BLOCK : v->block - v->f->first_block;
    bool plain;
    HdStatus st = HD_OK;

    if (in->opix == HD_OPIX_Phi && v->f != NULL)
        return check_phi_uses(v, in);
    for (uint32_t left = hd_form_used(form) & ~((uint32_t)1 << form->type_at); left != 0;
         left &= left - 1)
        if (check_use(v, in, in->w[__builtin_ctz(left)], user) != HD_OK)
            st = HD_BAD_INPUT;
    if (in->nwords <= form->prefix + 1u)
        return st;
    plain = hd_form_is_plain(form, in->nwords);
    for (uint32_t i = form->prefix + 1u; i < in->nwords; i++)
        if (plain ? hd_form_is_id(form, i) : hd_bit_has(v->m->id_words, in->word + i))
            if (check_use(v, in, in->w[i], user) != HD_OK)
                st = HD_BAD_INPUT;
    return st;
}

/* Is it an OpSampledImage's result, or, as glslang's nonuniformEXT makes one, a copy of it? */
static bool is_sampled(const HdVal *v, HdId id)
{
    HdInst copy;

    for (unsigned i = 0; i < MAX_COPIES && hd_module_opix(v->m, id) == HD_OPIX_CopyObject &&
                         hd_module_def(v->m, id, &copy);
         i++)
        id = copy.w[3];
    return hd_module_opix(v->m, id) == HD_OPIX_SampledImage;
}

static bool takes_sampled(const HdInst *in)
{
    return in->opix == HD_OPIX_CopyObject || hd_gram_insts[in->opix].klass == HD_CLASS_Image ||
           hd_gram_insts[in->opix].klass == HD_CLASS_Reserved;
}

/* Where an image meets its sampler, it is looked up: in the same block, by an image instruction. */
static HdStatus check_sampled(HdVal *v, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &v->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        HdId id = part.klass == HD_OPERAND_ID ? in->w[part.at] : 0;

        if (id == 0 || !is_sampled(v, id) || in->opix == HD_OPIX_ExtInst)
            continue;
        if (!takes_sampled(in))
            return hd_val_fail_spec(v, in, "image.sampled-use", SPEC,
                                    "a sampled image is for image instructions");
        if (v->block != UINT32_MAX && v->m->def[id] < v->m->blocks[v->block].word)
            return hd_val_fail_spec(v, in, "image.sampled-block", SPEC,
                                    "a sampled image is used in the block that makes it");
    }
    return HD_OK;
}

static HdStatus enter_function(HdVal *v, const HdInst *in)
{
    HdCfg *cfg = NULL;
    HdStatus st;

    v->f = hd_module_function(v->m, in->w[2]);
    v->cfg = NULL;
    v->saves = NULL;
    v->block = UINT32_MAX;
    if (v->f == NULL || v->f->block_count == 0)
        return HD_OK;
    st = hd_cfg_build_dominators(v->m, v->f, v->fa, v->brief, v->d, &cfg);
    if (st == HD_NO_MEMORY)
        return st;
    v->cfg = cfg;
    return cfg != NULL ? hd_val_flow(v) : HD_OK;
}

static void leave_function(HdVal *v)
{
    hd_arena_clear(v->fa);
    hd_arena_clear(v->brief);
    v->f = NULL;
    v->cfg = NULL;
    v->saves = NULL;
    v->block = UINT32_MAX;
}

static void forget(HdVal *v, const HdInst *in)
{
    if (hd_inst_result(in) != 0)
        hd_bit_add(v->failed, hd_inst_result(in));
}

/* A type that the rule found nothing wrong with and that has no HdType all the same rests on one
 * that is wrong; it is not reported twice. */
static HdStatus run_rule(HdVal *v, const HdInst *in)
{
    HdRule *rule = hd_val_rules[in->opix];
    bool is_type = hd_gram_forms[in->opix].is_type;
    HdStatus st = HD_OK;

    if (is_type && in->word >= v->m->first_function) {
        forget(v, in); /* the layout was said to be wrong */
        return HD_OK;
    }
    if (hd_inst_type(in) != 0 && hd_module_type(v->m, in->w[1]) == NULL) {
        forget(v, in); /* the type itself has been reported, in OpenCL */
        return HD_OK;
    }
    if (rule != NULL && !v->unusable[in->opix])
        st = rule(v, in);
    if (st == HD_OK && hd_val_vulkan(v) && hd_val_vulkan_rules[in->opix] != NULL &&
        !v->unusable[in->opix])
        st = hd_val_vulkan_rules[in->opix](v, in);
    if (st == HD_OK && is_type && in->opix != HD_OPIX_TypeForwardPointer &&
        hd_module_type(v->m, in->w[1]) == NULL) {
        /* Outside OpenCL there are types that this program does not need to understand. */
        if (hd_val_opencl(v))
            st = hd_val_fail(v, in, "type.unsound",
                             "the type cannot be resolved before the program runs");
        forget(v, in);
    }
    if (st == HD_OK && hd_val_opencl(v) && in->opix == HD_OPIX_SpecConstantOp &&
        hd_module_constant(v->m, in->w[2]) == NULL)
        st = hd_val_fail(v, in, "constant.unsound",
                         "the operation has no value before the program runs");
    if (st == HD_BAD_INPUT) {
        forget(v, in);
        return HD_OK;
    }
    return st;
}

static bool uses_failed(const HdVal *v, const HdInst *in)
{
    return hd_bit_has(v->bad_words, in->word);
}

static HdStatus check_inst(HdVal *v, const HdInst *in)
{
    if (in->opix == HD_OPIX_NONE)
        return HD_OK;
    if (in->opix == HD_OPIX_Label && v->f != NULL)
        v->block = hd_module_block(v->m, in->w[1]);
    if (uses_failed(v, in) || (hd_inst_type(in) != 0 && hd_bit_has(v->failed, hd_inst_type(in)))) {
        forget(v, in);
        return HD_OK;
    }
    if (check_uses(v, in) != HD_OK) {
        forget(v, in);
        return HD_OK;
    }
    if (v->any_limited && hd_val_limited_uses(v, in, &v->m->operand_types) != HD_OK) {
        forget(v, in);
        return HD_OK;
    }
    if (v->any_small && hd_val_small_uses(v, in) != HD_OK) {
        forget(v, in);
        return HD_OK;
    }
    if (v->any_sampled && v->f != NULL)
        (void)check_sampled(v, in);
    if (hd_val_vulkan(v) && v->f != NULL)
        (void)hd_val_vulkan_uses(v, in);
    return run_rule(v, in);
}

HdStatus hd_val_body_range(HdVal *v, uint32_t word, uint32_t end)
{
    HdStatus st = HD_OK;

    HD_TAKE(v->fa, hd_arena_open_in(v->a));
    v->brief = hd_arena_open();
    st = v->brief != NULL ? HD_OK : HD_NO_MEMORY;
    for (HdInst in; st == HD_OK && word < end && hd_module_next(v->m, &word, &in);) {
        if (in.opix == HD_OPIX_Function)
            st = enter_function(v, &in);
        else
            st = check_inst(v, &in);
        if (in.opix == HD_OPIX_FunctionEnd)
            leave_function(v);
    }
    if (v->brief != NULL)
        leave_function(v);
    hd_arena_drop(v->fa);
    hd_arena_drop(v->brief);
    v->fa = v->brief = NULL;
    return st;
}

/* What functions use of each other is their declarations: those come first, so that the rest can be
 * checked in any order. */
static HdStatus check_declarations(HdVal *v)
{
    HdStatus st = HD_OK;

    for (uint32_t i = 0; i < v->m->function_count && st == HD_OK; i++) {
        HdInst in = hd_module_inst(v->m, v->m->functions[i].word);

        v->f = &v->m->functions[i];
        st = check_inst(v, &in);
    }
    v->f = NULL;
    return st;
}

HdStatus hd_val_body_outside(HdVal *v)
{
    HD_TRY(hd_val_body_range(v, HD_MODULE_FIRST_WORD, v->m->first_function));
    return check_declarations(v);
}
