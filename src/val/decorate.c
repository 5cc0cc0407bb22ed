/* val/decorate.c -- decorations that depend on their target, with groups expanded.
 *
 * Spec: SPIR-V, "Decoration", "BuiltIn", "Universal Validation Rules" (Decorations).
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "base/map.h"
#include "module/decoration.h"
#include "val/rule.h"

#define SPEC "Decoration"

static bool imported(const HdVal *v, const HdDecoration *d)
{
    return d->operand_count != 0 && hd_decoration_last(v->m, d) == SpvLinkageTypeImport;
}

/* An imported function has no body; an exported one has. */
static void check_linkage(HdVal *v, const HdDecorations *x)
{
    const HdDecoration *d = x->d;
    HdInst in = hd_module_inst(v->m, d->word);
    const HdFunction *f = hd_module_function(v->m, x->target);
    uint32_t at = 0, model;

    if (f == NULL)
        return;
    if (imported(v, d) && f->block_count != 0)
        (void)hd_val_fail_spec(v, &in, "decorate.import-body", SPEC,
                               "an imported function must not have a body");
    if (hd_val_next_model(v, x->target, &at, &model))
        (void)hd_val_fail_spec(v, &in, "decorate.entry-point", SPEC,
                               "an entry point must not be imported or exported");
}

/* What a built-in decorates: a member, or a variable. */
static const HdType *builtin_type(HdVal *v, const HdDecorations *d)
{
    const HdType *t = hd_module_type(v->m, d->target);

    if (d->member == HD_NO_MEMBER)
        return hd_val_held(v, d->target);
    return t != NULL && t->kind == HD_T_STRUCT && d->member < t->count
               ? hd_type_member(v->m, t, d->member)
               : NULL;
}

/* Integers as wide as addresses, `count` of them. A module that is about to run may have 32-bit
 * ones (Zig writes them): they hold the same numbers below 2^32. */
static void check_wide(HdVal *v, const HdInst *in, const HdType *e, uint32_t count)
{
    const uint32_t size = hd_module_address_bits(v->m);
    const bool has_count = count == 1 ? hd_is_int_scalar(e)
                                      : e->kind == HD_T_VECTOR && e->count == count && hd_is_int(e);

    if (has_count && hd_type_bits(e) == size)
        return;
    if (has_count && hd_type_bits(e) == 32 && v->options->to_build)
        (void)hd_val_warn(v, in, "builtin.type",
                          "the variable holds 32-bit integers instead of %u-bit ones",
                          (unsigned)size);
    else if (count == 1)
        (void)hd_val_fail_spec(v, in, "builtin.type", "BuiltIn",
                               "the variable must hold a %u-bit integer", (unsigned)size);
    else
        (void)hd_val_fail_spec(v, in, "builtin.type", "BuiltIn",
                               "the variable must hold a vector of three %u-bit integers",
                               (unsigned)size);
}

/* A built-in in OpenCL: Input variables of the type that the built-in has. */
static void check_builtin(HdVal *v, const HdDecorations *x)
{
    const HdDecoration *d = x->d;
    HdInst in = hd_module_inst(v->m, d->word);
    const HdType *e = builtin_type(v, x);

    if (!hd_val_opencl(v) || d->operand_count == 0 || e == NULL)
        return;
    if (x->member == HD_NO_MEMBER &&
        hd_module_type_of(v->m, x->target)->storage != SpvStorageClassInput) {
        (void)hd_val_fail_spec(v, &in, "builtin.storage", "BuiltIn",
                               "a built-in variable must be of storage class Input");
        return;
    }
    switch (hd_decoration_value(v->m, d)) {
    case SpvBuiltInGlobalInvocationId:
    case SpvBuiltInGlobalSize:
    case SpvBuiltInGlobalOffset:
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInEnqueuedWorkgroupSize:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInNumWorkgroups: check_wide(v, &in, e, 3); break;
    case SpvBuiltInGlobalLinearId:
    case SpvBuiltInLocalInvocationIndex: check_wide(v, &in, e, 1); break;
    case SpvBuiltInWorkDim:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupMaxSize:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInNumEnqueuedSubgroups:
    case SpvBuiltInSubgroupId:
    case SpvBuiltInSubgroupLocalInvocationId:
        if (!hd_is_int_scalar(e) || e->bits != 32)
            (void)hd_val_fail_spec(v, &in, "builtin.type", "BuiltIn",
                                   "the variable must hold a 32-bit integer");
        break;
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        if (e->kind != HD_T_VECTOR || e->count != 4 || !hd_is_int(e) || hd_type_bits(e) != 32)
            (void)hd_val_fail_spec(v, &in, "builtin.type", "BuiltIn",
                                   "the variable must hold a vector of four 32-bit integers");
        break;
    default: break;
    }
}

/* A constant that is the size of work-groups has no zero. */
static void check_workgroup_size(HdVal *v, const HdDecorations *x)
{
    const HdDecoration *d = x->d;
    const HdConstant *c = hd_module_constant(v->m, x->target);
    HdInst in = hd_module_inst(v->m, d->word);
    HdConstant room;

    if (d->operand_count == 0 || hd_decoration_value(v->m, d) != SpvBuiltInWorkgroupSize ||
        c == NULL || hd_val_is_open(v, c) || (c->kind != HD_C_COMPOSITE && c->kind != HD_C_NULL))
        return;
    for (uint32_t i = 0; i < c->count; i++)
        if (hd_constant_at(c, i, &room)->bits != 0)
            continue;
        else {
            (void)hd_val_fail_spec(v, &in, "builtin.workgroup-size", "BuiltIn",
                                   "a size of work-groups must not be 0");
            return;
        }
}

/* Layout is said once of each thing. */
static bool once(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationOffset:
    case SpvDecorationMatrixStride:
    case SpvDecorationRowMajor:
    case SpvDecorationColMajor:
    case SpvDecorationArrayStride:
    case SpvDecorationBlock:
    case SpvDecorationBufferBlock:
    case SpvDecorationBinding:
    case SpvDecorationDescriptorSet: return true;
    default: return false;
    }
}

/* Producers say these twice; but not with two values. */
static bool has_one_value(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationSpecId:
    case SpvDecorationBuiltIn:
    case SpvDecorationLocation:
    case SpvDecorationComponent:
    case SpvDecorationIndex:
    case SpvDecorationFPRoundingMode:
    case SpvDecorationFPFastMathMode:
    case SpvDecorationLinkageAttributes:
    case SpvDecorationHostAccessINTEL:
    case SpvDecorationAlignment:
    case SpvDecorationAlignmentId:
    case SpvDecorationMaxByteOffset:
    case SpvDecorationMaxByteOffsetId:
    case SpvDecorationFPMaxErrorDecorationINTEL: return true;
    default: return false;
    }
}

static bool is_same(const HdModule *m, const HdDecoration *a, const HdDecoration *b)
{
    return a->operand_count == b->operand_count &&
           memcmp(hd_decoration_operands(m, a), hd_decoration_operands(m, b),
                  a->operand_count * sizeof(uint32_t)) == 0;
}

/* Decorations of which one thing has one at most. */
static const struct {
    uint32_t a, b;
} exclusive[] = {
    {SpvDecorationRowMajor, SpvDecorationColMajor},
    {SpvDecorationBlock, SpvDecorationBufferBlock},
    {SpvDecorationAliased, SpvDecorationRestrict},
    {SpvDecorationAliasedPointer, SpvDecorationRestrictPointer},
    {SpvDecorationNoPerspective, SpvDecorationFlat},
    {SpvDecorationPatch, SpvDecorationCentroid},
    {SpvDecorationPatch, SpvDecorationSample},
    {SpvDecorationCentroid, SpvDecorationSample},
    {SpvDecorationStallEnableALTERA, SpvDecorationStallFreeALTERA},
    {SpvDecorationConduitKernelArgumentALTERA, SpvDecorationRegisterMapKernelArgumentALTERA},
};

static bool is_cache_control(uint32_t d)
{
    return d == SpvDecorationCacheControlLoadINTEL || d == SpvDecorationCacheControlStoreINTEL;
}

/* May another decoration of the same thing contradict, though this one may be said twice? */
static bool contradicts(uint32_t decoration)
{
    bool found = decoration == SpvDecorationFuncParamAttr || is_cache_control(decoration);

    for (size_t i = 0; i < sizeof exclusive / sizeof *exclusive; i++)
        found |= exclusive[i].a == decoration || exclusive[i].b == decoration;
    return found;
}

static bool are(uint32_t x, uint32_t y, uint32_t a, uint32_t b)
{
    return (x == a && y == b) || (x == b && y == a);
}

static bool exclude(const HdModule *m, const HdDecoration *a, const HdDecoration *b)
{
    if (a->decoration == SpvDecorationFuncParamAttr && b->decoration == SpvDecorationFuncParamAttr)
        return are(hd_decoration_last(m, a), hd_decoration_last(m, b),
                   SpvFunctionParameterAttributeZext, SpvFunctionParameterAttributeSext);
    if (a->decoration == b->decoration && is_cache_control(a->decoration))
        return hd_decoration_value(m, a) == hd_decoration_value(m, b); /* of one level */
    for (size_t i = 0; i < sizeof exclusive / sizeof *exclusive; i++)
        if (are(a->decoration, b->decoration, exclusive[i].a, exclusive[i].b))
            return true;
    return false;
}

/* The last ones of a thing that may be said once only or contradict. */
#define LAST 32u
typedef struct Said {
    HdId target;
    uint32_t member, count;
    const HdDecoration *last[LAST];
} Said;

static void check_once(HdVal *v, const HdDecorations *x, Said *s)
{
    const HdDecoration *d = x->d;
    HdInst in = hd_module_inst(v->m, d->word);

    if (s->target != x->target || s->member != x->member) {
        s->target = x->target;
        s->member = x->member;
        s->count = 0;
    }
    s->last[s->count++ % LAST] = d;
    for (uint32_t k = s->count - 1; k-- > 0 && s->count - k <= LAST;) {
        const HdDecoration *e = s->last[k % LAST];

        if (e->decoration == d->decoration &&
            (once(d->decoration) || (has_one_value(d->decoration) && !is_same(v->m, d, e)))) {
            (void)hd_val_fail_spec(v, &in, "decorate.twice", "Decoration",
                                   "the same thing is decorated so already");
            return;
        }
        if (exclude(v->m, e, d)) {
            (void)hd_val_fail_spec(v, &in, "decorate.contradiction", "Decoration",
                                   "another decoration of the same thing contradicts");
            return;
        }
    }
}

static bool is_block(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_STRUCT &&
           (hd_module_decoration(v->m, t->id, SpvDecorationBlock) != NULL ||
            hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) != NULL);
}

/* The set of structures and arrays that hold a block; pointers are not entered. Types come before
 * what they are part of. */
static HdStatus note_holders(HdVal *v, uint64_t **out)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    uint64_t *set;

    HD_TAKE(set, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(v->m->bound)));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        const HdType *t = hd_gram_forms[in.opix].is_type ? hd_module_type(v->m, in.w[1]) : NULL;
        uint32_t parts = t == NULL ? 0
                         : t->kind == HD_T_STRUCT
                             ? t->count
                             : t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;

        for (uint32_t i = 0; i < parts; i++) {
            const HdType *part =
                t->kind == HD_T_STRUCT ? hd_type_member(v->m, t, i) : hd_type_element(t);

            if (is_block(v, part) || hd_bit_has(set, part->id)) {
                hd_bit_add(set, t->id);
                break;
            }
        }
    }
    *out = set;
    return HD_OK;
}

/* Spec: Block: not nested, and its arrays have no stride. */
static HdStatus check_block(HdVal *v, const HdDecorations *x, uint64_t **holders)
{
    const HdDecoration *d = x->d;
    const HdType *t = hd_module_type(v->m, x->target);
    HdInst in = hd_module_inst(v->m, d->word);

    if (t == NULL || x->member != HD_NO_MEMBER || !v->shader)
        return HD_OK;
    if (d->decoration == SpvDecorationArrayStride) {
        if ((t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY) &&
            is_block(v, hd_type_element(t)))
            (void)hd_val_fail_spec(v, &in, "decorate.block-stride", "Decoration",
                                   "an array of blocks has no ArrayStride");
        return HD_OK;
    }
    if (*holders == NULL)
        HD_TRY(note_holders(v, holders));
    if (t->kind == HD_T_STRUCT && hd_bit_has(*holders, t->id))
        (void)hd_val_fail_spec(v, &in, "decorate.block-nested", "Decoration",
                               "a block must not hold another one");
    return HD_OK;
}

/* Spec: VulkanMemoryModel; SPV_KHR_float_controls2. */
static void check_model(HdVal *v, const HdDecoration *d)
{
    HdInst in = hd_module_inst(v->m, d->word);
    const uint32_t more = SpvFPFastMathModeAllowContractMask | SpvFPFastMathModeAllowReassocMask;

    if (d->decoration != SpvDecorationFPFastMathMode) {
        if (hd_val_cap(v, SpvCapabilityVulkanMemoryModel))
            (void)hd_val_fail_spec(v, &in, "decorate.vulkan", "Memory Model",
                                   "in the Vulkan memory model operands say this, not decorations");
        return;
    }
    if (d->operand_count != 0 &&
        (hd_decoration_value(v->m, d) & SpvFPFastMathModeAllowTransformMask) &&
        (hd_decoration_value(v->m, d) & more) != more)
        (void)hd_val_fail_spec(v, &in, "decorate.fast-math", "FP Fast Math Mode",
                               "AllowTransform needs AllowContract and AllowReassoc");
}

/* Spec: SPV_INTEL_global_variable_host_access: the host identifies variables by these names. */
static HdStatus check_host_name(HdVal *v, const HdDecorations *x, HdStrMap *names)
{
    const HdDecoration *d = x->d;
    const char *name = (const char *)(hd_decoration_operands(v->m, d) + 1);
    size_t len = strnlen(name, (d->operand_count - 1u) * sizeof(uint32_t));
    HdInst in = hd_module_inst(v->m, d->word);
    uint64_t target;

    if (hd_strmap_get(names, name, len, &target)) {
        if (target != x->target)
            (void)hd_val_fail_spec(v, &in, "decorate.host-name", "Decoration",
                                   "another variable has this name for the host");
        return HD_OK;
    }
    return hd_strmap_put(v->pass, names, name, len, x->target) ? HD_OK : HD_NO_MEMORY;
}

static HdStatus check_decoration(HdVal *v, const HdDecorations *x, Said *said, uint64_t **holders,
                                 HdStrMap *host_names)
{
    const HdDecoration *d = x->d;

    if (once(d->decoration) || has_one_value(d->decoration) || contradicts(d->decoration))
        check_once(v, x, said);
    switch (d->decoration) {
    case SpvDecorationLinkageAttributes: check_linkage(v, x); break;
    case SpvDecorationHostAccessINTEL:
        if (d->operand_count > 1)
            return check_host_name(v, x, host_names);
        break;
    case SpvDecorationBuiltIn:
        check_builtin(v, x);
        check_workgroup_size(v, x);
        break;
    case SpvDecorationBlock:
    case SpvDecorationBufferBlock:
    case SpvDecorationArrayStride: return check_block(v, x, holders);
    case SpvDecorationCoherent:
    case SpvDecorationVolatile:
    case SpvDecorationFPFastMathMode: check_model(v, d); break;
    default: break;
    }
    return HD_OK;
}

HdStatus hd_val_decorations(HdVal *v)
{
    HdStrMap host_names = {0};
    uint64_t *holders = NULL; /* of blocks */
    Said said = {0};

    for (HdDecorations x = hd_module_all_decorations(v->m); x.d != NULL; hd_decorations_step(&x))
        if (x.target < v->m->bound && v->m->def[x.target] != 0)
            HD_TRY(check_decoration(v, &x, &said, &holders, &host_names));
    return HD_OK;
}
