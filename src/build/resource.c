/* build/resource.c -- a shader's resources: variables that the host binds memory to, as arguments.
 *
 * All entry points of a module have the same ones, in the order of sets and bindings, so that
 * functions which several of them call find each at one place in the argument block; is_used tells
 * which an entry point needs.
 *
 * Spec: SPIR-V, "Storage Class", "Decoration"; Vulkan, "Shader Interfaces".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "build/layout_state.h"
#include "module/decoration.h"
#include "module/piece.h"
#include "module/resource.h"

/* Descriptors of all arrays together. */
#define MOST_DESCRIPTORS 65536u

bool hd_layout_is_numbered(const HdModule *m, uint32_t storage)
{
    return storage == SpvStorageClassWorkgroup ||
           (!hd_module_is_opencl(m) &&
            (hd_storage_is_bound(storage) || storage == SpvStorageClassUniformConstant));
}

static bool all_members(const HdModule *m, const HdType *t, uint32_t decoration)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (hd_module_member_decoration(m, t->id, i, decoration) == NULL)
            return false;
    return t->count > 0;
}

/* Where the last of the block's first count members ends. They lie in any order, and a block has no
 * bytes behind them, whatever its alignment: it is not an element of anything. */
static uint64_t end_of_members(const HdModule *m, const HdType *block, uint32_t count)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < count; i++) {
        const HdMatrixLayout matrix = hd_module_member_matrix(m, block, i);
        const uint64_t end =
            hd_type_offset(m, block, i) + hd_module_extent(m, hd_type_member(m, block, i), matrix);

        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

/* Bytes of a block without its run-time array, whose stride is noted. */
static uint64_t fixed_bytes(const HdModule *m, const HdType *block, HdResource *r)
{
    const HdType *last;
    uint64_t bytes, start;

    if (r->opaque != HD_OPAQUE_NONE)
        return 0;
    if (block->kind != HD_T_STRUCT || block->count == 0)
        return hd_type_size(block);
    last = hd_type_member(m, block, block->count - 1);
    if (last->kind != HD_T_RUNTIME_ARRAY)
        return end_of_members(m, block, block->count);
    r->stride = hd_type_stride(m, last);
    start = hd_type_offset(m, block, block->count - 1);
    bytes = end_of_members(m, block, block->count - 1);
    return bytes > start ? bytes : start;
}

static const char *name_of(const HdModule *m, HdId variable, const HdType *block)
{
    const char *name = hd_module_name(m, variable);

    if (name == NULL || name[0] == '\0')
        name = hd_module_name(m, block->id);
    return name != NULL ? name : "";
}

/* Restrict; GLSL's compilers say it of every member. */
static bool promises_alone(const HdModule *m, HdId variable, const HdType *block)
{
    return hd_module_decoration(m, variable, SpvDecorationRestrict) != NULL ||
           (block->kind == HD_T_STRUCT && all_members(m, block, SpvDecorationRestrict));
}

/* One variable as an argument: element 0 of it. */
static void describe(const HdModule *m, const HdInst *in, const HdType *block, HdArgInfo *out)
{
    const HdId id = in->w[2];
    HdResource r = {
        .variable = id,
        .set = hd_decoration_value(m, hd_module_decoration(m, id, SpvDecorationDescriptorSet)),
        .binding = hd_decoration_value(m, hd_module_decoration(m, id, SpvDecorationBinding)),
        .is_push = in->w[3] == SpvStorageClassPushConstant,
        .is_shared = hd_module_decoration(m, id, SpvDecorationAliased) != NULL};

    if (in->w[3] == SpvStorageClassUniformConstant)
        r.opaque = hd_type_opaque(block);
    r.is_uniform = in->w[3] == SpvStorageClassUniform &&
                   hd_module_decoration(m, block->id, SpvDecorationBufferBlock) == NULL;
    r.no_write = r.is_uniform || r.is_push || r.opaque == HD_OPAQUE_SAMPLED_IMAGE ||
                 r.opaque == HD_OPAQUE_COMBINED || r.opaque == HD_OPAQUE_UNIFORM_TEXELS ||
                 r.opaque == HD_OPAQUE_SAMPLER ||
                 hd_module_decoration(m, id, SpvDecorationNonWritable) != NULL ||
                 (block->kind == HD_T_STRUCT && all_members(m, block, SpvDecorationNonWritable));
    r.no_read = hd_module_decoration(m, id, SpvDecorationNonReadable) != NULL ||
                (block->kind == HD_T_STRUCT && all_members(m, block, SpvDecorationNonReadable));
    r.fixed_bytes = fixed_bytes(m, block, &r);
    *out = (HdArgInfo){.kind = HD_ARG_BINDING,
                       .size = sizeof(HdBinding),
                       .align = 8,
                       .type = block,
                       .name = name_of(m, id, block),
                       .type_name = hd_module_name(m, block->id),
                       .access = UINT32_MAX,
                       .is_const = r.no_write,
                       .is_restrict = promises_alone(m, id, block),
                       .is_volatile = hd_module_decoration(m, id, SpvDecorationVolatile) != NULL,
                       .resource = r};
}

/* A variable, and where it comes in the order of sets and bindings; push constants come last. */
typedef struct Found {
    uint64_t order;
    uint32_t word;
} Found;

typedef struct Resources {
    const HdModule *m;
    HdBuildLayout *l;
    HdArena *arena;
    HdDiags *diags;
    HD_ARRAY(HdArgInfo) args;
    HD_ARRAY(Found) found;
} Resources;

static uint64_t order_of(const HdModule *m, const HdInst *in)
{
    const HdDecoration *set = hd_module_decoration(m, in->w[2], SpvDecorationDescriptorSet),
                       *binding = hd_module_decoration(m, in->w[2], SpvDecorationBinding);

    if (in->w[3] == SpvStorageClassPushConstant)
        return UINT64_MAX;
    return (uint64_t)hd_decoration_value(m, set) << 32 | hd_decoration_value(m, binding);
}

static int by_order(const void *a, const void *b)
{
    const Found *x = a, *y = b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

static bool is_array(const HdType *t)
{
    return t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;
}

/* Vulkan knows no arrays of arrays of descriptors. */
static bool is_nested(const HdModule *m, uint32_t storage, const HdType *t)
{
    return is_array(t) && is_array(hd_type_element(t)) &&
           hd_module_is_descriptors(m, storage, hd_type_element(t));
}

static HdStatus has_room(const Resources *x, const HdInst *in, uint64_t elements)
{
    if (elements <= MOST_DESCRIPTORS && x->args.count <= MOST_DESCRIPTORS - elements)
        return HD_OK;
    return hd_fail(x->diags, HD_UNSUPPORTED, in->word, "layout.descriptors",
                   "more than %u descriptors", MOST_DESCRIPTORS);
}

static HdStatus add_buffer(Resources *x, const HdInst *in, const HdType *content)
{
    bool is_many = hd_module_is_descriptors(x->m, in->w[3], content);
    bool is_endless = is_many && content->kind == HD_T_RUNTIME_ARRAY;
    uint64_t elements = is_endless ? HD_ENDLESS_DESCRIPTORS : is_many ? hd_type_length(content) : 1;
    HdArgInfo arg;

    if (is_nested(x->m, in->w[3], content))
        return HD_OK; /* using it is refused */
    HD_TRY(has_room(x, in, elements));
    describe(x->m, in, is_many ? hd_type_element(content) : content, &arg);
    arg.resource.elements = is_many ? (uint32_t)elements : 0;
    arg.resource.is_endless = is_endless;
    x->l->resource[in->w[2]] = (uint32_t)x->args.count;
    for (uint32_t i = 0; i < elements; i++) {
        arg.resource.element = i;
        arg.offset = x->l->resource_bytes;
        x->l->resource_bytes += arg.size;
        HD_TRY_PUSH(x->arena, &x->args, arg);
    }
    return HD_OK;
}

/* A heap, whose elements are of no type until they are used. */
static HdStatus add_heap(Resources *x, const HdInst *in)
{
    const HdId id = in->w[2];
    const char *name = hd_module_name(x->m, id);
    HdArgInfo arg = {.kind = HD_ARG_BINDING,
                     .size = sizeof(HdBinding),
                     .align = 8,
                     .type = hd_module_type(x->m, in->w[1]),
                     .name = name != NULL ? name : "",
                     .access = UINT32_MAX,
                     .resource = {.variable = id,
                                  .set = HD_HEAP_SET,
                                  .binding = hd_module_heap(x->m, id) == SpvBuiltInSamplerHeapEXT
                                                 ? HD_HEAP_SAMPLERS
                                                 : HD_HEAP_RESOURCES,
                                  .elements = HD_HEAP_DESCRIPTORS,
                                  .is_heap = true,
                                  .is_shared = true}};

    HD_TRY(has_room(x, in, HD_HEAP_DESCRIPTORS));
    if (arg.resource.binding == HD_HEAP_SAMPLERS)
        arg.resource.opaque = HD_OPAQUE_SAMPLER;
    x->l->resource[id] = (uint32_t)x->args.count;
    for (uint32_t i = 0; i < HD_HEAP_DESCRIPTORS; i++) {
        arg.resource.element = i;
        arg.offset = x->l->resource_bytes;
        x->l->resource_bytes += arg.size;
        HD_TRY_PUSH(x->arena, &x->args, arg);
    }
    return HD_OK;
}

/* A buffer whose variable does not say what is in it: an untyped one without Data Type. */
static bool is_bytes(const HdModule *m, const HdInst *in)
{
    return !hd_module_is_opencl(m) && in->opix == HD_OPIX_UntypedVariableKHR && in->nwords <= 4 &&
           hd_storage_is_bound(in->w[3]) && hd_module_heap(m, in->w[2]) == 0;
}

static HdStatus add_bytes(Resources *x, const HdInst *in)
{
    HdArgInfo arg;

    describe(x->m, in, hd_module_type(x->m, in->w[1]), &arg);
    arg.resource.fixed_bytes = 0;
    arg.offset = x->l->resource_bytes;
    x->l->resource[in->w[2]] = (uint32_t)x->args.count;
    x->l->resource_bytes += arg.size;
    HD_TRY_PUSH(x->arena, &x->args, arg);
    return HD_OK;
}

static bool same_place(const HdResource *a, const HdResource *b)
{
    return !a->is_push && !b->is_push && a->variable != b->variable && a->set == b->set &&
           a->binding == b->binding;
}

static void find_shared(Resources *x)
{
    for (size_t i = 0; i < x->args.count; i++) {
        HdResource *r = &x->args.at[i].resource;

        for (size_t k = 0; k < x->args.count && !r->is_shared && r->element == 0; k++)
            r->is_shared = same_place(r, &x->args.at[k].resource);
        if (r->element != 0)
            r->is_shared = x->args.at[i - 1].resource.is_shared;
    }
}

HdStatus hd_layout_resources(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d)
{
    Resources x = {.m = m, .l = l, .arena = a, .diags = d};
    HD_ARRAY(HdId) privates = {0};
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TAKE(l->resource, HD_NEW(a, uint32_t, m->bound));
    for (uint32_t i = 0; i < m->bound; i++)
        l->resource[i] = UINT32_MAX;
    for (HdInst in = {0}; word < m->first_function && hd_module_next(m, &word, &in);) {
        const HdType *content = hd_inst_is_variable(&in) ? hd_module_content(m, &in) : NULL;

        if (content == NULL) {
            if (hd_inst_is_variable(&in) && hd_module_heap(m, in.w[2]) != 0)
                HD_TRY_PUSH(a, &x.found, ((Found){UINT64_MAX, in.word}));
            else if (is_bytes(m, &in))
                HD_TRY_PUSH(a, &x.found, ((Found){order_of(m, &in), in.word}));
            continue;
        }
        if (in.w[3] == SpvStorageClassPrivate && hd_layout_table(l, in.w[2]) != NULL)
            continue;
        if (in.w[3] == SpvStorageClassPrivate)
            HD_TRY_PUSH(a, &privates, in.w[2]);
        else if (hd_module_is_bound(m, in.w[3], content))
            HD_TRY_PUSH(a, &x.found, ((Found){order_of(m, &in), in.word}));
    }
    if (x.found.count != 0)
        qsort(x.found.at, x.found.count, sizeof *x.found.at, by_order);
    for (size_t i = 0; i < x.found.count; i++) {
        const HdInst in = hd_module_inst(m, x.found.at[i].word);
        const HdType *content = hd_module_content(m, &in);

        HD_TRY(content != NULL    ? add_buffer(&x, &in, content)
               : is_bytes(m, &in) ? add_bytes(&x, &in)
                                  : add_heap(&x, &in));
    }
    find_shared(&x);
    l->resources = x.args.at;
    l->resource_count = (uint32_t)x.args.count;
    l->privates = privates.at;
    l->private_count = (uint32_t)privates.count;
    return HD_OK;
}

/* WorkgroupSize replaces what execution modes say. */
static void built_in_size(const HdModule *m, HdKernelInfo *k)
{
    for (uint32_t i = 0; i < m->decoration_count; i++) {
        const HdDecoration *d = &m->decorations[i];
        const HdConstant *c;
        HdConstant room;

        if (d->decoration != SpvDecorationBuiltIn || d->member != HD_NO_MEMBER ||
            hd_decoration_value(m, d) != SpvBuiltInWorkgroupSize)
            continue;
        c = hd_module_constant(m, d->target);
        for (uint32_t n = 0; c != NULL && c->kind == HD_C_COMPOSITE && n < 3 && n < c->count; n++)
            k->required_local[n] = (uint32_t)hd_constant_at(c, n, &room)->bits;
    }
}

/* Where its heaps are, and what stands for a descriptor that an index does not lead to. */
static void note_descriptors(const HdBuildLayout *l, HdKernelInfo *k, const HdArgInfo *arg)
{
    if (arg->resource.elements != 0)
        k->none_offset = l->resource_bytes;
    if (!arg->resource.is_heap)
        return;
    if (k->heap_bytes == 0)
        k->heap_offset = arg->offset;
    k->heap_bytes = arg->offset + arg->size - k->heap_offset;
}

HdStatus hd_layout_shader(const HdModule *m, HdArena *a, const HdBuildLayout *l, HdDiags *d,
                          HdKernelInfo *k)
{
    if (k->arg_count != 0)
        return hd_fail(d, HD_BAD_INPUT, k->entry->word, "layout.entry",
                       "entry point \"%s\" has parameters; a shader has none", k->name);
    HD_TAKE(k->args, HD_NEW(a, HdArgInfo, (size_t)l->resource_count + 1));
    if (l->resource_count != 0)
        memcpy(k->args, l->resources, l->resource_count * sizeof *k->args);
    k->arg_count = l->resource_count;
    k->block_bytes = l->resource_bytes;
    for (uint32_t i = 0; i < k->arg_count; i++)
        note_descriptors(l, k, &k->args[i]);
    k->block_bytes += k->none_offset != 0 ? (uint32_t)sizeof(HdBinding) : 0;
    k->unbound_offset = k->block_bytes;
    k->block_bytes += (uint32_t)sizeof(HdBinding);
    built_in_size(m, k);
    return HD_OK;
}

void hd_layout_use(const HdBuildLayout *l, HdKernelInfo *k, HdId variable)
{
    uint32_t first = l->resource[variable];

    if (!k->is_shader)
        return;
    if (first == UINT32_MAX) {
        k->refused = k->refused == 0 ? variable : k->refused;
        return;
    }
    for (uint32_t i = first; i < k->arg_count && k->args[i].resource.variable == variable; i++)
        k->args[i].resource.is_used = true;
    k->chooses |= first < k->arg_count && k->args[first].resource.elements != 0;
}

HdStatus hd_layout_check_resources(const HdModule *m, const HdKernelInfo *k, HdDiags *d)
{
    const char *name = k->refused != 0 ? hd_module_name(m, k->refused) : NULL;
    const HdType *content;
    HdInst in;

    if (k->refused == 0 || !hd_module_def(m, k->refused, &in))
        return HD_OK;
    content = hd_module_content(m, &in);
    return hd_fail(
        d, HD_UNSUPPORTED, in.word, "layout.resource",
        "entry point \"%s\" uses %%%u '%s', binding %u.%u, which is %s: shaders that "
        "need one are not run",
        k->name, (unsigned)k->refused, name != NULL ? name : "",
        (unsigned)hd_decoration_value(
            m, hd_module_decoration(m, k->refused, SpvDecorationDescriptorSet)),
        (unsigned)hd_decoration_value(m, hd_module_decoration(m, k->refused, SpvDecorationBinding)),
        content != NULL && is_nested(m, in.w[3], content)
            ? "an array of arrays of descriptors"
            : "an opaque object that is no image and no sampler");
}
