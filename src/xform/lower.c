/* xform/lower.c -- rewrites newer instructions in terms of older ones.
 *
 * The module is rewritten in order, section by section. Ids keep their numbers; new ones follow.
 * Types and constants that rewritten code needs are looked up by their words among those already
 * written, otherwise declared after them, before the functions. A declaration of the module that
 * has already been created is omitted, and its id becomes that of the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower.h"

#include <string.h>

#include "base/memory.h"
#include "module/decoration.h"
#include "xform/lower_state.h"

static const uint32_t extra[HD_LOWER_EXTRA] = {
    SpvCapabilityInt8,         SpvCapabilityInt16,         SpvCapabilityInt64,
    SpvCapabilityInt64Atomics, SpvCapabilityGroups,        SpvCapabilityGroupNonUniformShuffle,
    SpvCapabilityLinkage,      SpvCapabilityFloat16Buffer, SpvCapabilityFloat16};

#define MAX_CAPABILITIES 8u
#define MAX_EXTENSIONS   3u

/* What goes with a rewriting: capabilities (up to 0) and extensions (up to NULL). */
static const struct {
    unsigned what;
    uint32_t capabilities[MAX_CAPABILITIES];
    const char *extensions[MAX_EXTENSIONS];
} rows[] = {
    {HD_LOWER_UNTYPED, {SpvCapabilityUntypedPointersKHR}, {"SPV_KHR_untyped_pointers"}},
    {HD_LOWER_FLOAT_ATOMICS,
     {SpvCapabilityAtomicFloat16MinMaxEXT, SpvCapabilityAtomicFloat32MinMaxEXT,
      SpvCapabilityAtomicFloat64MinMaxEXT, SpvCapabilityAtomicFloat16AddEXT,
      SpvCapabilityAtomicFloat32AddEXT, SpvCapabilityAtomicFloat64AddEXT},
     {"SPV_EXT_shader_atomic_float_min_max", "SPV_EXT_shader_atomic_float_add",
      "SPV_EXT_shader_atomic_float16_add"}},
    {HD_LOWER_USM,
     {SpvCapabilityUSMStorageClassesINTEL},
     {"SPV_INTEL_usm_storage_classes", "SPV_ALTERA_usm_storage_classes"}},
    {HD_LOWER_EXPECT, {SpvCapabilityExpectAssumeKHR}, {"SPV_KHR_expect_assume"}},
    {HD_LOWER_WRAP, {0}, {"SPV_KHR_no_integer_wrap_decoration"}},
    {HD_LOWER_BITS, {SpvCapabilityBitInstructions}, {"SPV_KHR_bit_instructions"}},
    {HD_LOWER_DOT,
     {SpvCapabilityDotProduct, SpvCapabilityDotProductInput4x8Bit,
      SpvCapabilityDotProductInput4x8BitPacked, SpvCapabilityDotProductInputAll},
     {"SPV_KHR_integer_dot_product"}},
    {HD_LOWER_ONCE, {0}, {"SPV_KHR_linkonce_odr"}},
    {HD_LOWER_WEAK, {SpvCapabilityWeakLinkageAMD}, {"SPV_AMD_weak_linkage"}},
    {HD_LOWER_ROTATE, {SpvCapabilityGroupNonUniformRotateKHR}, {"SPV_KHR_subgroup_rotate"}},
    {HD_LOWER_UNIFORM,
     {SpvCapabilityGroupUniformArithmeticKHR},
     {"SPV_KHR_uniform_group_instructions"}},
    {HD_LOWER_NON_UNIFORM,
     {SpvCapabilityGroupNonUniform, SpvCapabilityGroupNonUniformVote,
      SpvCapabilityGroupNonUniformArithmetic, SpvCapabilityGroupNonUniformBallot,
      SpvCapabilityGroupNonUniformShuffle, SpvCapabilityGroupNonUniformShuffleRelative,
      SpvCapabilityGroupNonUniformClustered, SpvCapabilityGroupNonUniformRotateKHR},
     {"SPV_KHR_subgroup_rotate"}},
    {HD_LOWER_COMPOSITES,
     {SpvCapabilityReplicatedCompositesEXT, SpvCapabilityConstantDataKHR},
     {"SPV_EXT_replicated_composites", "SPV_KHR_constant_data"}},
    {HD_LOWER_BLOCKS,
     {SpvCapabilityWorkgroupMemoryExplicitLayoutKHR,
      SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR,
      SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR},
     {"SPV_KHR_workgroup_memory_explicit_layout"}},
    {HD_LOWER_TRINARY, {0}, {"SPV_AMD_shader_trinary_minmax"}},
    {HD_LOWER_ARRAYS,
     {SpvCapabilityVariableLengthArrayINTEL, SpvCapabilityUntypedVariableLengthArrayINTEL},
     {"SPV_INTEL_variable_length_array"}},
};

/* ---- sections before functions ------------------------------------------------------------- */

static bool goes_capability(const HdLower *l, uint32_t capability)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < MAX_CAPABILITIES && rows[i].capabilities[k] != 0; k++)
            if (rows[i].capabilities[k] == capability && (l->o->what & rows[i].what) != 0)
                return true;
    return false;
}

static bool goes_extension(const HdLower *l, const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < MAX_EXTENSIONS && rows[i].extensions[k] != NULL; k++)
            if (strcmp(rows[i].extensions[k], name) == 0 && (l->o->what & rows[i].what) != 0)
                return true;
    return false;
}

/* Before SPIR-V 1.4 the interface is Input and Output variables. */
static void write_entry(HdLower *l, const HdInst *in)
{
    uint32_t behind = 3 + hd_inst_string_words(in, 3);
    bool old = l->o->version != 0 && l->o->version < 0x10400;

    hd_writer_begin(&l->front, in->opcode);
    for (uint32_t i = 1; i < in->nwords; i++) {
        const HdType *t = i >= behind ? hd_module_type_of(l->m, in->w[i]) : NULL;

        if (i >= behind && (hd_lower_is_mask(l, in->w[i]) || hd_lower_is_in_words(l, in->w[i])))
            continue;
        if (i < behind || !old || t == NULL || t->kind != HD_T_POINTER ||
            t->storage == SpvStorageClassInput || t->storage == SpvStorageClassOutput)
            hd_writer_word(&l->front, in->w[i]);
    }
    /* All entry points, whether their functions come to use them or not. */
    for (unsigned b = 0; b < HD_LOWER_BUILTINS; b++) {
        bool listed = l->builtin[b].id == 0;

        for (uint32_t i = behind; i < in->nwords; i++)
            listed |= in->w[i] == l->builtin[b].id;
        if (!listed)
            hd_writer_word(&l->front, l->builtin[b].id);
    }
    hd_writer_end(&l->front);
}

/* What linkers may do with a definition of another linkage than Export needs an extension. */
static void lower_linkage(HdLower *l, const HdInst *in)
{
    const uint32_t linkage = in->w[in->nwords - 1];

    if (in->w[2] == SpvDecorationLinkageAttributes && !l->at->failed &&
        (((l->o->what & HD_LOWER_ONCE) != 0 && linkage == SpvLinkageTypeLinkOnceODR) ||
         ((l->o->what & HD_LOWER_WEAK) != 0 && linkage == SpvLinkageTypeWeakAMD)))
        l->at->words[l->at->count - 1] = SpvLinkageTypeExport;
}

/* Names and decorations stay with the ids that the module gave. */
static HdStatus write_front(HdLower *l, const HdInst *in)
{
    bool done = false;

    l->at = &l->front;
    if ((l->o->what & HD_LOWER_UNTYPED) != 0 && hd_module_is_opencl(l->m))
        HD_TRY(hd_lower_layout(l, in, &done));
    if (done)
        return HD_OK;
    switch (in->opix) {
    case HD_OPIX_EntryPoint: write_entry(l, in); return HD_OK;
    case HD_OPIX_ExecutionModeId:
        if (!hd_lower_local_size(l, in))
            hd_writer_copy(l->at, in);
        return HD_OK;
    case HD_OPIX_Decorate:
        if (hd_lower_decoration(l, in))
            return HD_OK;
        hd_writer_copy(l->at, in);
        lower_linkage(l, in);
        return HD_OK;
    default: hd_writer_copy(l->at, in); return HD_OK;
    }
}

/* A type or constant that came to be there already goes. */
static void unite(HdLower *l, const HdInst *in, size_t start)
{
    HdId id = in->w[hd_gram_forms[in->opix].result_at], found;

    if (in->opix == HD_OPIX_TypePointer &&
        hd_module_decoration(l->m, id, SpvDecorationArrayStride) != NULL)
        return;
    found = hd_declared_note(&l->declared, in->opix, start);
    if (found == 0 || hd_module_decoration(l->m, id, SpvDecorationSpecId) != NULL)
        return;
    l->map[id] = found;
    hd_bit_add(l->gone, id);
    l->at->count = start;
}

static HdStatus write_declaration(HdLower *l, const HdInst *in)
{
    size_t start;
    bool done = false;

    l->at = &l->globals;
    if (hd_inst_result(in) != 0 && hd_lower_is_mask(l, hd_inst_result(in))) {
        hd_bit_add(l->gone, hd_inst_result(in));
        return HD_OK;
    }
    if (hd_lower_word_variable(l, in))
        return HD_OK;
    if ((l->o->what & HD_LOWER_UNTYPED) != 0)
        HD_TRY(hd_lower_untyped(l, in, &done));
    if (!done && (l->o->what & HD_LOWER_COMPOSITES) != 0)
        HD_TRY(hd_lower_composite(l, in, &done));
    if (done)
        return HD_OK;
    start = l->at->count;
    hd_lower_copy(l, in);
    if (!l->at->failed) {
        uint32_t *w = l->at->words + start;

        if (in->opix == HD_OPIX_TypePointer || in->opix == HD_OPIX_TypeUntypedPointerKHR ||
            in->opix == HD_OPIX_TypeForwardPointer)
            w[2] = hd_lower_storage(l, w[2]);
        if (in->opix == HD_OPIX_Variable || in->opix == HD_OPIX_UntypedVariableKHR)
            w[3] = hd_lower_storage(l, w[3]);
        unite(l, in, start);
    }
    return HD_OK;
}

static HdStatus write_global(HdLower *l, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Capability:
        if (!goes_capability(l, in->w[1]))
            hd_writer_copy(&l->capabilities, in);
        else if (in->w[1] == SpvCapabilityWeakLinkageAMD) /* which implied it */
            hd_lower_need(l, HD_LOWER_LINKAGE);
        return HD_OK;
    case HD_OPIX_Extension:
        if (!goes_extension(l, hd_inst_string(in, 1)))
            hd_writer_copy(&l->imports, in);
        return HD_OK;
    case HD_OPIX_ExtInstImport:
        if (hd_module_extset(l->m, in->w[1]) == HD_EXTSET_OpenCL_std)
            l->std = in->w[1];
        if (hd_module_extset(l->m, in->w[1]) == HD_EXTSET_GLSL_std_450)
            l->glsl = in->w[1];
        if ((l->o->what & HD_LOWER_TRINARY) != 0 &&
            hd_module_extset(l->m, in->w[1]) == HD_EXTSET_SPV_AMD_shader_trinary_minmax)
            hd_bit_add(l->gone, in->w[1]);
        else
            hd_writer_copy(&l->imports, in);
        return HD_OK;
    default: break;
    }
    switch (hd_gram_insts[in->opix].klass) {
    case HD_CLASS_Debug:
    case HD_CLASS_Annotation:
    case HD_CLASS_Mode_Setting:
        if (in->opix != HD_OPIX_Line && in->opix != HD_OPIX_NoLine)
            return write_front(l, in);
        break;
    default: break;
    }
    return write_declaration(l, in);
}

/* ---- functions ----------------------------------------------------------------------------- */

static HdStatus lower_inst(HdLower *l, const HdInst *given)
{
    const HdInst one = hd_lower_one_mask(l, given), *in = &one;
    unsigned what = l->o->what;
    bool done = false;

    if (in->opix == HD_OPIX_AssumeTrueKHR && (what & HD_LOWER_EXPECT) != 0)
        return HD_OK;
    if (in->opix == HD_OPIX_ExpectKHR && (what & HD_LOWER_EXPECT) != 0) {
        l->map[in->w[2]] = hd_lower_use(l, in->w[3]);
        return HD_OK;
    }
    if ((in->opix == HD_OPIX_PtrCastToCrossWorkgroupINTEL ||
         in->opix == HD_OPIX_CrossWorkgroupCastToPtrINTEL) &&
        (what & HD_LOWER_USM) != 0) {
        HdId type = hd_lower_use(l, in->w[1]), value = hd_lower_use(l, in->w[3]);
        bool same = type == hd_lower_use(l, hd_module_type_id(l->m, in->w[3]));

        HD_LOWER_OP(l, in->w[2], same ? SpvOpCopyObject : SpvOpBitcast, type, value);
        return HD_OK;
    }
    HD_TRY(hd_lower_mask(l, in, &done));
    if (!done)
        HD_TRY(hd_lower_loop(l, in, &done));
    if (!done)
        HD_TRY(hd_lower_version(l, in, &done));
    if (!done && (what & HD_LOWER_COMPOSITES) != 0)
        HD_TRY(hd_lower_composite(l, in, &done));
    if (!done && (what & HD_LOWER_BITS) != 0)
        HD_TRY(hd_lower_bits(l, in, &done));
    if (!done && (what & HD_LOWER_TRINARY) != 0)
        hd_lower_trinary(l, in, &done);
    if (!done && (what & HD_LOWER_DOT) != 0)
        HD_TRY(hd_lower_dot(l, in, &done));
    if (!done && (what & HD_LOWER_FLOAT_ATOMICS) != 0)
        HD_TRY(hd_lower_float_atomic(l, in, &done));
    if (!done)
        HD_TRY(hd_lower_words(l, in, &done));
    if (!done && (what & (HD_LOWER_ROTATE | HD_LOWER_UNIFORM | HD_LOWER_NON_UNIFORM)) != 0)
        HD_TRY(hd_lower_group(l, in, &done));
    if ((what & HD_LOWER_ARRAYS) != 0)
        HD_TRY(hd_lower_arrays(l, in, &done));
    if (!done && (what & HD_LOWER_UNTYPED) != 0)
        HD_TRY(hd_lower_untyped(l, in, &done));
    if (!done)
        hd_lower_copy(l, in);
    return HD_OK;
}

/* Parents are the last pieces of their blocks. */
static void write_phi(HdLower *l, const HdInst *in)
{
    size_t start = l->at->count;

    hd_lower_copy(l, in);
    for (uint32_t i = 4; !l->at->failed && i < in->nwords; i += 2)
        if (in->w[i] == l->block && hd_lower_again(l, l->block) != 0)
            l->at->words[start + i] = hd_lower_again(l, l->block);
        else if (l->exit_of[in->w[i]] != 0)
            l->at->words[start + i] = l->exit_of[in->w[i]];
}

/* Casts of variables, and what else they need, follow the last of them. */
static void write_casts(HdLower *l)
{
    if (l->room_is_new)
        hd_lower_start_room(l);
    for (size_t i = 0; i < l->casts.count; i++) {
        HdLowerCast c = l->casts.at[i];

        HD_LOWER_OP(l, c.id, SpvOpBitcast, c.type, c.variable);
    }
    l->casts.count = 0;
}

static HdStatus write_functions(HdLower *l)
{
    uint32_t word = l->m->first_function;

    l->at = &l->functions;
    for (HdInst in; hd_module_next(l->m, &word, &in);) {
        if ((l->casts.count != 0 || l->room_is_new) && !hd_inst_is_variable(&in) &&
            in.opix != HD_OPIX_Line && in.opix != HD_OPIX_NoLine)
            write_casts(l);
        if (in.opix == HD_OPIX_Phi)
            write_phi(l, &in);
        else
            HD_TRY(lower_inst(l, &in));
        if (in.opix == HD_OPIX_Label && l->has_arrays[in.w[1]])
            hd_lower_open_room(l);
    }
    return HD_OK;
}

/* Masks of sub-groups have an older form where they are loaded as a whole. */
static HdStatus check_masks(HdLower *l, const HdInst *in)
{
    if ((l->o->what & HD_LOWER_NON_UNIFORM) == 0 || in->opix == HD_OPIX_Load)
        return HD_OK;
    for (uint32_t i = 1; i < in->nwords; i++)
        if (hd_inst_is_id(l->m, in, i) && hd_lower_is_mask(l, in->w[i]))
            return hd_lower_fail(l, in, " for a built-in mask of sub-groups");
    return HD_OK;
}

/* Blocks that will be split: a label for each piece, before anything refers to it; and values that
 * are replaced, whose phis may precede them. */
static HdStatus plan_functions(HdLower *l)
{
    uint32_t word = l->m->first_function;
    HdId block = 0, entry = 0;

    for (HdInst in; hd_module_next(l->m, &word, &in);) {
        if (in.opix == HD_OPIX_Function)
            entry = 0;
        if (in.opix == HD_OPIX_Label) {
            block = in.w[1];
            entry = entry != 0 ? entry : block;
        }
        hd_lower_plan_arrays(l, &in, entry);
        if (in.opix == HD_OPIX_ExpectKHR && (l->o->what & HD_LOWER_EXPECT) != 0) {
            l->map[in.w[2]] = hd_lower_use(l, in.w[3]);
            hd_bit_add(l->gone, in.w[2]);
        }
        hd_lower_plan_group(l, &in);
        if (in.opix == HD_OPIX_LoopMerge && l->exit_of[block] != 0)
            HD_TRY(hd_lower_plan_loop(l, &in, block));
        HD_TRY(check_masks(l, &in));
        if (!hd_lower_splits(l, &in))
            continue;
        l->exit_of[block] = l->next++;
        if (!hd_map_put(l->arena, &l->split, in.word, l->exit_of[block]))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Is the capability declared explicitly, and not just implied by one that is removed? */
static bool is_declared(const HdModule *m, uint32_t capability)
{
    for (uint32_t i = 0; i < m->capability_count; i++)
        if (m->capabilities[i] == capability)
            return true;
    return false;
}

static void add_capabilities(HdLower *l)
{
    for (unsigned i = 0; i < HD_LOWER_EXTRA; i++)
        if ((l->needed >> i & 1) != 0 && !is_declared(l->m, extra[i]))
            hd_writer_inst(&l->capabilities, SpvOpCapability, &extra[i], 1);
}

/* A name or decoration of what is no longer there. */
static bool names_gone(const HdLower *l, const uint32_t *w)
{
    switch (w[0] & 0xffff) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
    case SpvOpDecorationGroup: return w[1] < l->m->bound && hd_bit_has(l->gone, w[1]);
    default: return false;
    }
}

static void append_front(const HdLower *l, HdWriter *out)
{
    size_t at = 0;

    out->failed = out->failed || l->front.failed;
    for (HdRawInst in; !out->failed && hd_words_next(l->front.words, l->front.count, &at, &in);)
        if (!names_gone(l, in.w)) {
            hd_writer_words(out, in.w, in.count);
            if (hd_group_applies(in.op))
                hd_groups_drop_targets(out, in.w, l->gone);
        }
}

static HdStatus join(HdLower *l, uint32_t **words, size_t *nwords)
{
    const HdWriter *parts[] = {&l->capabilities, &l->imports, &l->front, &l->globals,
                               &l->functions};
    uint32_t version = l->m->version;
    HdWriter out;
    HdStatus st;

    if (l->o->version != 0 && l->o->version < version)
        version = l->o->version;
    hd_writer_start(&out, version, l->m->generator, l->next);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (parts[p] == &l->front)
            append_front(l, &out);
        else
            hd_writer_append(&out, parts[p]);
    st = l->failed || l->declared.failed ? HD_NO_MEMORY : hd_writer_finish(&out, l->d);
    if (st != HD_OK) {
        hd_writer_free(&out);
        return st;
    }
    *words = out.words;
    *nwords = out.count;
    return HD_OK;
}

static HdStatus write_module(HdLower *l, bool in_pieces, uint32_t **words, size_t *nwords)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TRY(plan_functions(l));
    HD_TRY(hd_lower_plan_words(l));
    for (HdInst in; word < l->m->first_function && hd_module_next(l->m, &word, &in);)
        HD_TRY(write_global(l, &in));
    hd_lower_declare_builtins(l);
    hd_lower_declare_size(l);
    HD_TRY(in_pieces ? hd_lower_write_pieces(l) : write_functions(l));
    HD_TRY(hd_groups_find_unused(l->m, l->gone));
    add_capabilities(l);
    hd_lower_add_extensions(l); /* after them, before the others */
    return join(l, words, nwords);
}

static HdStatus lower_in(HdLower *l, uint32_t **words, size_t *nwords);

static void free_writers(HdLower *l)
{
    hd_writer_free(&l->capabilities);
    hd_writer_free(&l->imports);
    hd_writer_free(&l->front);
    hd_writer_free(&l->globals);
    hd_writer_free(&l->functions);
}

/* Lower what was written in pieces. Places in it are none of the module that was given. */
static HdStatus lower_pieces(const HdLower *first, const uint32_t *words, size_t nwords,
                             uint32_t **words_out, size_t *nwords_out)
{
    HdModule *m = NULL;
    HdDiags own;
    HdLower l = {.o = first->o, .d = &own, .together = first->together, .in_pieces = true};
    HdStatus st;

    hd_diags_init(&own);
    st = hd_module_read(words, nwords, true, &own, &m);
    if (st == HD_OK) {
        l.m = m;
        l.next = m->bound;
        st = lower_in(&l, words_out, nwords_out);
    }
    for (size_t i = 0; i < own.count; i++)
        own.at[i].word = HD_NO_PLACE;
    hd_diags_append(first->d, &own);
    hd_diags_drop(&own);
    free_writers(&l);
    hd_arena_drop(l.arena);
    hd_module_drop(m);
    return st;
}

/* First nothing but that all work-items come to operations of sub-groups, then all else. */
static HdStatus lower_twice(HdLower *l, uint32_t **words, size_t *nwords)
{
    const HdLowerOptions *o = l->o, nothing = {0};
    uint32_t *made = NULL;
    size_t count = 0;
    HdStatus st;

    hd_lower_want(l, HD_LOWER_LANE);
    l->o = &nothing;
    st = write_module(l, true, &made, &count);
    l->o = o;
    if (st == HD_OK)
        st = lower_pieces(l, made, count, words, nwords);
    hd_free(made);
    return st;
}

static HdStatus lower_in(HdLower *l, uint32_t **words, size_t *nwords)
{
    bool parted = false;

    HD_TAKE(l->arena, hd_arena_open());
    l->declared = (HdDeclared){.arena = l->arena, .out = &l->globals, .next = &l->next};
    HD_TAKE(l->map, HD_NEW(l->arena, HdId, l->m->bound));
    HD_TAKE(l->points_to, HD_NEW(l->arena, const HdType *, l->m->bound));
    HD_TAKE(l->gone, HD_NEW(l->arena, uint64_t, HD_BITSET_WORDS(l->m->bound)));
    HD_TAKE(l->exit_of, HD_NEW(l->arena, HdId, l->m->bound));
    HD_TAKE(l->has_arrays, HD_NEW(l->arena, bool, l->m->bound));
    if ((l->o->what & HD_LOWER_NON_UNIFORM) != 0) {
        HD_TRY(hd_lower_find_flow(l));
        if (!l->in_pieces)
            HD_TRY(hd_lower_find_parted(l, &parted));
    }
    return parted ? lower_twice(l, words, nwords) : write_module(l, false, words, nwords);
}

HdStatus hd_xform_lower(const HdModule *m, const HdLowerOptions *options, HdDiags *d,
                        uint32_t **words, size_t *nwords)
{
    HdLower l = {.m = m, .o = options, .d = d, .next = m->bound};
    HdStatus st;

    *words = NULL;
    *nwords = 0;
    st = lower_in(&l, words, nwords);
    free_writers(&l);
    hd_arena_drop(l.arena);
    return st;
}
