/* build/kernel_info.c -- a kernel's arguments and execution modes.
 *
 * Names of argument types are not part of SPIR-V: producers put them into an OpString
 * "kernel_arg_type.<kernel>.<types with commas>"; without one they are made from the types.
 *
 * Spec: OpenCL API, clGetKernelArgInfo; SPIR-V, "Execution Mode".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/round.h"
#include "base/array.h"
#include "base/bisect.h"
#include "build/layout_state.h"
#include "module/decoration.h"

/* An argument block larger than this is refused (the device reports far less). */
#define MAX_BLOCK (UINT32_C(1) << 24)

/* ---- arguments --------------------------------------------------------------------------- */

static HdStatus pointer_kind(const HdModule *m, HdDiags *d, HdId id, HdArgInfo *arg)
{
    const HdType *t = arg->type;

    arg->size = arg->align = 8;
    switch (t->storage) {
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassGeneric:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: arg->kind = HD_ARG_GLOBAL; return HD_OK;
    case SpvStorageClassUniformConstant: arg->kind = HD_ARG_CONSTANT; return HD_OK;
    case SpvStorageClassWorkgroup:
        arg->kind = HD_ARG_LOCAL;
        /* The largest that OpenCL C's types ask for: many producers' pointers are all to bytes. */
        arg->pointee_align = 128;
        if (hd_type_element(t) && hd_type_element(t)->align > 128 &&
            hd_type_element(t)->align <= HD_MOST_ALIGN)
            arg->pointee_align = (uint32_t)hd_type_element(t)->align;
        return HD_OK;
    case SpvStorageClassFunction:
        if (hd_type_element(t) == NULL || hd_type_size(hd_type_element(t)) == 0 ||
            hd_type_size(hd_type_element(t)) > MAX_BLOCK)
            break;
        arg->kind = HD_ARG_BYVAL;
        arg->size = (uint32_t)hd_type_size(hd_type_element(t));
        arg->align = (uint32_t)hd_type_element(t)->align;
        return HD_OK;
    default: break;
    }
    return hd_fail(d, HD_UNSUPPORTED, m->def[id], "layout.argument",
                   "kernel argument %%%u is a pointer that kernels cannot take", id);
}

static HdStatus argument_kind(const HdModule *m, HdDiags *d, HdId id, HdArgInfo *arg)
{
    const HdType *t = arg->type;

    arg->size = arg->align = 8;
    switch (t->kind) {
    case HD_T_POINTER: return pointer_kind(m, d, id, arg);
    case HD_T_IMAGE:
        arg->kind = HD_ARG_IMAGE;
        if ((hd_type_words(t)[0] >> 16) > 9)
            arg->access = hd_type_words(t)[9];
        return HD_OK;
    case HD_T_SAMPLER: arg->kind = HD_ARG_SAMPLER; return HD_OK;
    case HD_T_PIPE:
        arg->kind = HD_ARG_PIPE;
        if ((hd_type_words(t)[0] >> 16) > 2)
            arg->access = hd_type_words(t)[2];
        return HD_OK;
    case HD_T_QUEUE: arg->kind = HD_ARG_QUEUE; return HD_OK;
    default: break;
    }
    if (hd_type_size(t) == 0 || hd_type_size(t) > MAX_BLOCK)
        return hd_fail(d, HD_UNSUPPORTED, m->def[id], "layout.argument",
                       "kernel argument %%%u has a type without a size, or is too large", id);
    arg->kind = HD_ARG_VALUE;
    arg->size = (uint32_t)hd_type_size(t);
    arg->align = t->align ? (uint32_t)t->align : 1;
    return HD_OK;
}

/* ---- names ------------------------------------------------------------------------------- */

static const char *scalar_name(const HdType *t)
{
    if (t->kind == HD_T_BOOL)
        return "bool";
    if (t->kind == HD_T_VOID)
        return "void";
    if (t->kind == HD_T_FLOAT)
        return t->bits == 16 ? "half" : t->bits == 64 ? "double" : "float";
    if (t->kind == HD_T_INT)
        return t->bits == 8 ? "char" : t->bits == 16 ? "short" : t->bits == 64 ? "long" : "int";
    return NULL;
}

/* image2d_array_msaa_depth_t and the like. */
static const char *image_name(HdArena *a, const HdType *t)
{
    const uint32_t *w = hd_type_words(t);

    if (w[3] > SpvDimBuffer)
        return "image";
    return hd_arena_printf(a, "image%s%s%s%s_t",
                           w[3] == SpvDim1D       ? "1d"
                           : w[3] == SpvDim2D     ? "2d"
                           : w[3] == SpvDim3D     ? "3d"
                           : w[3] == SpvDimBuffer ? "1d_buffer"
                                                  : "",
                           w[5] == 1 ? "_array" : "", w[6] == 1 ? "_msaa" : "",
                           w[4] == 1 ? "_depth" : "");
}

static const char *type_name(const HdModule *m, HdArena *a, const HdType *t)
{
    const char *name;

    if (t == NULL)
        return "void";
    if (scalar_name(t))
        return scalar_name(t);
    switch (t->kind) {
    case HD_T_VECTOR:
        name = scalar_name(hd_type_element(t));
        return hd_arena_printf(a, "%s%u", name ? name : "vector", t->count);
    case HD_T_POINTER:
        /* One level only: deeper ones need no better name and could be cyclic. */
        name = hd_type_element(t) && hd_type_element(t)->kind == HD_T_POINTER
                   ? "void*"
                   : type_name(m, a, hd_type_element(t));
        return name ? hd_arena_printf(a, "%s*", name) : NULL;
    case HD_T_STRUCT:
        name = hd_module_name(m, t->id);
        if (name && strncmp(name, "struct.", 7) == 0)
            return hd_arena_printf(a, "struct %s", name + 7);
        return name ? name : "struct";
    case HD_T_SAMPLER: return "sampler_t";
    case HD_T_QUEUE: return "queue_t";
    case HD_T_PIPE: return "pipe";
    case HD_T_IMAGE: return image_name(a, t);
    default: return "";
    }
}

/* The strings of a module that name arguments, sorted by strcmp: searching all strings for those of
 * a thousand kernels would take longer than the kernels. */
typedef HD_ARRAY(const char *) Texts;

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static HdStatus find_texts(const HdModule *m, HdArena *a, Texts *out)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    while (word < m->first_function && hd_module_next(m, &word, &in))
        if (in.opix == HD_OPIX_String && strncmp(hd_inst_string(&in, 2), "kernel_arg_", 11) == 0)
            HD_TRY_PUSH(a, out, hd_inst_string(&in, 2));
    if (out->count != 0)
        qsort(out->at, out->count, sizeof *out->at, by_text);
    return HD_OK;
}

/* The list after "<prefix><kernel>."; *out is NULL if there is none. */
static HdStatus listed(const Texts *texts, HdArena *a, const char *prefix, const char *kernel,
                       const char **out)
{
    const char *key;
    size_t i, len;

    *out = NULL;
    if (texts->count == 0)
        return HD_OK;
    HD_TAKE(key, hd_arena_printf(a, "%s%s.", prefix, kernel));
    len = strlen(key);
    HD_BISECT(i, texts->count, strncmp(texts->at[i], key, len) >= 0);
    if (i < texts->count && strncmp(texts->at[i], key, len) == 0)
        *out = texts->at[i] + len;
    return HD_OK;
}

/* Take the next comma-separated item; commas inside parentheses or angles belong to it. */
static const char *next_item(const char **at, size_t *len)
{
    const char *start = *at, *p = start;
    int depth = 0;

    for (; *p && (*p != ',' || depth > 0); p++) {
        depth += *p == '(' || *p == '<';
        depth -= *p == ')' || *p == '>';
    }
    *len = (size_t)(p - start);
    *at = *p ? p + 1 : p;
    return start;
}

static HdStatus name_arguments(const HdModule *m, const Texts *texts, HdArena *a, HdKernelInfo *k)
{
    const char *types, *qualifiers, *names;

    HD_TRY(listed(texts, a, "kernel_arg_type.", k->name, &types));
    HD_TRY(listed(texts, a, "kernel_arg_type_qual.", k->name, &qualifiers));
    HD_TRY(listed(texts, a, "kernel_arg_name.", k->name, &names));
    for (uint32_t i = 0; i < k->arg_count; i++) {
        HdArgInfo *arg = &k->args[i];
        size_t len = 0;

        if (types) {
            const char *item = next_item(&types, &len);

            if (len > 0)
                HD_TAKE(arg->type_name, hd_arena_string(a, item, len));
            arg->has_source_type = len > 0;
        }
        if (qualifiers) {
            const char *item = next_item(&qualifiers, &len), *text;

            HD_TAKE(text, hd_arena_string(a, item, len));
            /* Without what decorations add: compilers add decorations that they have inferred. */
            arg->is_const = strstr(text, "const") != NULL;
            arg->is_restrict = strstr(text, "restrict") != NULL;
            arg->is_volatile = strstr(text, "volatile") != NULL;
        }
        if (names) {
            const char *item = next_item(&names, &len);

            if (len > 0)
                HD_TAKE(arg->name, hd_arena_string(a, item, len));
        }
        if (arg->type_name == NULL)
            HD_TAKE(arg->type_name,
                    type_name(m, a,
                              arg->kind == HD_ARG_BYVAL ? hd_type_element(arg->type) : arg->type));
    }
    return HD_OK;
}

HdStatus hd_layout_name_arguments(const HdModule *m, HdArena *a, HdBuildLayout *l)
{
    Texts texts = {0};

    HD_TRY(find_texts(m, a, &texts));
    for (uint32_t k = 0; k < hd_layout_count(l); k++)
        HD_TRY(name_arguments(m, &texts, a, &l->kernels[k]));
    return HD_OK;
}

/* ---- execution modes --------------------------------------------------------------------- */

static void literals(const HdModule *m, uint32_t word, uint32_t *value, unsigned count)
{
    HdInst in;

    if (word == 0)
        return;
    in = hd_module_inst(m, word);
    for (unsigned i = 0; i < count && 3 + i < in.nwords; i++)
        value[i] = in.w[3 + i];
}

static void constants(const HdModule *m, uint32_t word, uint32_t *value, unsigned count)
{
    HdInst in;

    if (word == 0)
        return;
    in = hd_module_inst(m, word);
    for (unsigned i = 0; i < count && 3 + i < in.nwords; i++) {
        uint64_t v = 0;

        if (hd_module_constant_u64(m, in.w[3 + i], &v) && v <= UINT32_MAX)
            value[i] = (uint32_t)v;
    }
}

/* Work-groups consist of whole quads. */
static HdStatus check_quads(HdDiags *d, const HdKernelInfo *k)
{
    const uint32_t *size = k->required_local;

    if (k->quads == HD_QUADS_SQUARE && (size[0] % 2 != 0 || size[1] % 2 != 0 || size[0] == 0))
        return hd_fail(d, HD_BAD_INPUT, k->entry->word, "layout.mode",
                       "\"%s\" has DerivativeGroupQuadsKHR, which needs even sizes in x and y, not "
                       "%u and %u",
                       k->name, (unsigned)size[0], (unsigned)size[1]);
    if (k->quads == HD_QUADS_LINEAR &&
        ((uint64_t)size[0] * size[1] * size[2] % 4 != 0 || size[0] == 0))
        return hd_fail(d, HD_BAD_INPUT, k->entry->word, "layout.mode",
                       "\"%s\" has DerivativeGroupLinearKHR, which needs a multiple of four "
                       "invocations",
                       k->name);
    return HD_OK;
}

static HdStatus modes(const HdModule *m, const HdModes *all, HdDiags *d, HdKernelInfo *k)
{
    enum {
        INITIALIZER,
        FINALIZER,
        SIZE,
        SIZE_ID,
        HINT,
        HINT_ID,
        TYPE,
        WIDTH,
        FULL,
        PER_GROUP,
        PER_GROUP_ID,
        MOST_SIZE,
        MOST_DIMS,
        NO_OFFSET,
        QUADS,
        LINEAR,
        COUNT
    };
    static const uint32_t wanted[COUNT] = {[INITIALIZER] = SpvExecutionModeInitializer,
                                           [FINALIZER] = SpvExecutionModeFinalizer,
                                           [SIZE] = SpvExecutionModeLocalSize,
                                           [SIZE_ID] = SpvExecutionModeLocalSizeId,
                                           [HINT] = SpvExecutionModeLocalSizeHint,
                                           [HINT_ID] = SpvExecutionModeLocalSizeHintId,
                                           [TYPE] = SpvExecutionModeVecTypeHint,
                                           [WIDTH] = SpvExecutionModeSubgroupSize,
                                           [FULL] = SpvExecutionModeSubgroupSizeFullQCOM,
                                           [PER_GROUP] = SpvExecutionModeSubgroupsPerWorkgroup,
                                           [PER_GROUP_ID] = SpvExecutionModeSubgroupsPerWorkgroupId,
                                           [MOST_SIZE] = SpvExecutionModeMaxWorkgroupSizeINTEL,
                                           [MOST_DIMS] = SpvExecutionModeMaxWorkDimINTEL,
                                           [NO_OFFSET] = SpvExecutionModeNoGlobalOffsetINTEL,
                                           [QUADS] = SpvExecutionModeDerivativeGroupQuadsKHR,
                                           [LINEAR] = SpvExecutionModeDerivativeGroupLinearKHR};
    uint32_t at[COUNT];

    hd_module_execution_modes(m, all, k->entry->function, wanted, COUNT, at);
    k->hook = at[INITIALIZER] != 0 ? HD_HOOK_INITIALIZER
              : at[FINALIZER] != 0 ? HD_HOOK_FINALIZER
                                   : HD_HOOK_NONE;
    if (k->hook != HD_HOOK_NONE && k->arg_count != 0)
        return hd_fail(d, HD_UNSUPPORTED, k->entry->word, "layout.mode",
                       "\"%s\" has arguments, and an execution mode by which it runs without the "
                       "host: Initializer or Finalizer",
                       k->name);
    literals(m, at[SIZE], k->required_local, 3);
    constants(m, at[SIZE_ID], k->required_local, 3);
    literals(m, at[HINT], k->hint_local, 3);
    constants(m, at[HINT_ID], k->hint_local, 3);
    literals(m, at[TYPE], &k->vec_type_hint, 1);
    literals(m, at[WIDTH], &k->subgroup_size, 1);
    /* A kernel that asks for neither gets one of the two. */
    if (at[FULL] != 0)
        k->subgroup_size = HD_LARGEST_SUBGROUP;
    else if (k->subgroup_size == 0 && hd_module_has_capability(m, SpvCapabilitySubgroupSizeQCOM))
        k->subgroup_size = HD_LARGEST_SUBGROUP / 2;
    literals(m, at[PER_GROUP], &k->subgroups_per_group, 1);
    constants(m, at[PER_GROUP_ID], &k->subgroups_per_group, 1);
    literals(m, at[MOST_SIZE], k->most_local, 3);
    k->most_dims = 3;
    literals(m, at[MOST_DIMS], &k->most_dims, 1);
    k->no_offset = at[NO_OFFSET] != 0;
    hd_layout_float_modes(m, all, k);
    k->quads = at[QUADS] != 0 ? HD_QUADS_SQUARE : at[LINEAR] != 0 ? HD_QUADS_LINEAR : HD_QUADS_NONE;
    return check_quads(d, k);
}

/* ---- one kernel -------------------------------------------------------------------------- */

static HdStatus argument(const HdModule *m, HdArena *a, HdDiags *d, HdId id, HdKernelInfo *k,
                         HdArgInfo *arg)
{
    uint64_t offset = k->block_bytes;

    arg->type = hd_module_type_of(m, id);
    arg->access = UINT32_MAX;
    if (arg->type == NULL)
        return hd_fail(d, HD_BAD_INPUT, m->def[id], "layout.argument",
                       "kernel argument %%%u has no sound type", id);
    HD_TRY(argument_kind(m, d, id, arg));
    offset = (offset + arg->align - 1) / arg->align * arg->align;
    if (offset + arg->size > MAX_BLOCK)
        return hd_fail(d, HD_UNSUPPORTED, m->def[id], "layout.argument",
                       "the kernel's arguments are too large");
    arg->offset = (uint32_t)offset;
    k->block_bytes = (uint32_t)offset + arg->size;
    HD_TAKE(arg->name, hd_arena_string(a, hd_module_name(m, id) ? hd_module_name(m, id) : "",
                                       hd_module_name(m, id) ? strlen(hd_module_name(m, id)) : 0));
    arg->is_const = hd_module_is_decorated(m, id, SpvDecorationFuncParamAttr,
                                           SpvFunctionParameterAttributeNoWrite);
    arg->is_restrict = hd_module_is_decorated(m, id, SpvDecorationFuncParamAttr,
                                              SpvFunctionParameterAttributeNoAlias) ||
                       hd_module_decoration(m, id, SpvDecorationRestrict) != NULL;
    arg->is_volatile = hd_module_decoration(m, id, SpvDecorationVolatile) != NULL;
    return HD_OK;
}

HdStatus hd_layout_kernel(const HdModule *m, HdArena *a, HdDiags *d, const HdEntryPoint *entry,
                          HdKernelInfo *out)
{
    const HdFunction *f = hd_module_function(m, entry->function);

    out->entry = entry;
    out->name = entry->name;
    out->is_shader = entry->model == SpvExecutionModelGLCompute;
    if (f == NULL)
        return hd_fail(d, HD_BAD_INPUT, entry->word, "layout.entry",
                       "entry point \"%s\" is not a function of this module", entry->name);
    out->arg_count = f->param_count;
    HD_TAKE(out->args, HD_NEW(a, HdArgInfo, f->param_count + 1));
    for (uint32_t p = 0; p < f->param_count; p++) {
        HdInst in = hd_function_param(m, f, p);

        HD_TRY(argument(m, a, d, hd_inst_result(&in), out, &out->args[p]));
        if (out->args[p].kind == HD_ARG_LOCAL && out->args[p].pointee_align > out->local_align)
            out->local_align = out->args[p].pointee_align;
    }
    out->block_bytes = (uint32_t)hd_round_up(out->block_bytes, 8);
    return HD_OK;
}

/* What the host does not launch goes to the end. */
static HdStatus put_hooks_last(HdArena *a, HdBuildLayout *l)
{
    uint32_t count = hd_layout_count(l), n = 0;
    HdKernelInfo *sorted;

    for (uint32_t i = 0; i < l->kernel_count; i++)
        n += l->kernels[i].hook != HD_HOOK_NONE;
    if (n == 0)
        return HD_OK;
    HD_TAKE(sorted, HD_NEW(a, HdKernelInfo, count + 1));
    l->kernel_count -= n;
    l->hook_count = n;
    n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (l->kernels[i].hook == HD_HOOK_NONE)
            sorted[n++] = l->kernels[i];
    for (uint32_t i = 0; i < count; i++)
        if (l->kernels[i].hook != HD_HOOK_NONE)
            sorted[n++] = l->kernels[i];
    l->kernels = sorted;
    return HD_OK;
}

HdStatus hd_layout_modes(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d)
{
    HdModes all;

    HD_TRY(hd_module_find_modes(m, a, &all));
    for (uint32_t i = 0; i < hd_layout_count(l); i++)
        HD_TRY(modes(m, &all, d, &l->kernels[i]));
    return put_hooks_last(a, l);
}
