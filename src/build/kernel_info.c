/* build/kernel_info.c -- a kernel's arguments and execution modes.
 *
 * Names of argument types are not part of SPIR-V: producers put them into an OpString
 * "kernel_arg_type.<kernel>.<types with commas>"; without one they are made from the types.
 *
 * Spec: OpenCL API, clGetKernelArgInfo; SPIR-V, "Execution Mode".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "build/layout_private.h"

/* An argument block larger than this is refused (the device reports far less). */
#define MAX_BLOCK (UINT32_C(1) << 24)

/* ---- arguments --------------------------------------------------------------------------- */

static bool has_attribute(const HdModule *m, HdId id, uint32_t attribute)
{
    uint32_t count;
    const HdDecoration *d = hd_module_decorations(m, id, &count);

    for (uint32_t i = 0; i < count; i++)
        if (d[i].decoration == SpvDecorationFuncParamAttr && d[i].operand_count > 0 &&
            hd_decoration_value(m, &d[i]) == attribute)
            return true;
    return false;
}

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
        if (t->element && t->element->align > 128 && t->element->align <= 4096)
            arg->pointee_align = (uint32_t)t->element->align;
        return HD_OK;
    case SpvStorageClassFunction:
        if (t->element == NULL || t->element->size == 0 || t->element->size > MAX_BLOCK)
            break;
        arg->kind = HD_ARG_BYVAL;
        arg->size = (uint32_t)t->element->size;
        arg->align = (uint32_t)t->element->align;
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
    if (t->size == 0 || t->size > MAX_BLOCK)
        return hd_fail(d, HD_UNSUPPORTED, m->def[id], "layout.argument",
                       "kernel argument %%%u has a type without a size, or is too large", id);
    arg->kind = HD_ARG_VALUE;
    arg->size = (uint32_t)t->size;
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
        name = scalar_name(t->element);
        return hd_arena_printf(a, "%s%u", name ? name : "vector", t->count);
    case HD_T_POINTER:
        /* One level only: deeper ones need no better name and could be cyclic. */
        name =
            t->element && t->element->kind == HD_T_POINTER ? "void*" : type_name(m, a, t->element);
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

/* The list behind "<prefix><kernel>." of an OpString; NULL when there is none. */
static const char *listed(const HdModule *m, const char *prefix, const char *kernel)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    size_t prefix_len = strlen(prefix), kernel_len = strlen(kernel);
    HdInst in = {0};

    while (word < m->first_function && hd_module_next(m, &word, &in)) {
        const char *s;

        if (in.opix != HD_OPIX_String)
            continue;
        s = hd_inst_string(&in, 2);
        if (strncmp(s, prefix, prefix_len) == 0 &&
            strncmp(s + prefix_len, kernel, kernel_len) == 0 && s[prefix_len + kernel_len] == '.')
            return s + prefix_len + kernel_len + 1;
    }
    return NULL;
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

static HdStatus name_arguments(const HdModule *m, HdArena *a, HdKernelInfo *k)
{
    const char *types = listed(m, "kernel_arg_type.", k->name);
    const char *qualifiers = listed(m, "kernel_arg_type_qual.", k->name);
    const char *names = listed(m, "kernel_arg_name.", k->name);

    for (uint32_t i = 0; i < k->arg_count; i++) {
        HdArgInfo *arg = &k->args[i];
        size_t len = 0;

        if (types) {
            const char *item = next_item(&types, &len);

            if (len > 0)
                HD_TAKE(arg->type_name, hd_arena_string(a, item, len));
        }
        if (qualifiers) {
            const char *item = next_item(&qualifiers, &len), *text;

            HD_TAKE(text, hd_arena_string(a, item, len));
            /* Not what decorations say besides: compilers add those that they find out. */
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
                    type_name(m, a, arg->kind == HD_ARG_BYVAL ? arg->type->element : arg->type));
    }
    return HD_OK;
}

/* ---- execution modes --------------------------------------------------------------------- */

static void literal_sizes(const HdModule *m, HdId function, uint32_t mode, uint32_t size[3])
{
    uint32_t word = hd_module_execution_mode(m, function, mode);
    HdInst in;

    if (word == 0)
        return;
    in = hd_module_inst(m, word);
    for (unsigned i = 0; i < 3 && 3 + i < in.nwords; i++)
        size[i] = in.w[3 + i];
}

static void constant_sizes(const HdModule *m, HdId function, uint32_t mode, uint32_t *size,
                           unsigned count)
{
    uint32_t word = hd_module_execution_mode(m, function, mode);
    HdInst in;

    if (word == 0)
        return;
    in = hd_module_inst(m, word);
    for (unsigned i = 0; i < count && 3 + i < in.nwords; i++) {
        uint64_t value = 0;

        if (hd_module_constant_u64(m, in.w[3 + i], &value) && value <= UINT32_MAX)
            size[i] = (uint32_t)value;
    }
}

static void one_literal(const HdModule *m, HdId function, uint32_t mode, uint32_t *value)
{
    uint32_t word = hd_module_execution_mode(m, function, mode);
    HdInst in;

    if (word == 0)
        return;
    in = hd_module_inst(m, word);
    if (in.nwords > 3)
        *value = in.w[3];
}

static HdStatus modes(const HdModule *m, HdDiags *d, HdKernelInfo *k)
{
    static const struct {
        uint32_t mode;
        const char *name;
    } refused[] = {{SpvExecutionModeInitializer, "Initializer"},
                   {SpvExecutionModeFinalizer, "Finalizer"}};
    HdId f = k->entry->function;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        uint32_t word = hd_module_execution_mode(m, f, refused[i].mode);

        if (word != 0)
            return hd_fail(d, HD_UNSUPPORTED, word, "layout.mode",
                           "execution mode %s is not supported", refused[i].name);
    }
    literal_sizes(m, f, SpvExecutionModeLocalSize, k->required_local);
    constant_sizes(m, f, SpvExecutionModeLocalSizeId, k->required_local, 3);
    literal_sizes(m, f, SpvExecutionModeLocalSizeHint, k->hint_local);
    constant_sizes(m, f, SpvExecutionModeLocalSizeHintId, k->hint_local, 3);
    one_literal(m, f, SpvExecutionModeVecTypeHint, &k->vec_type_hint);
    one_literal(m, f, SpvExecutionModeSubgroupSize, &k->subgroup_size);
    one_literal(m, f, SpvExecutionModeSubgroupsPerWorkgroup, &k->subgroups_per_group);
    constant_sizes(m, f, SpvExecutionModeSubgroupsPerWorkgroupId, &k->subgroups_per_group, 1);
    return HD_OK;
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
    arg->is_const = has_attribute(m, id, SpvFunctionParameterAttributeNoWrite);
    arg->is_restrict = has_attribute(m, id, SpvFunctionParameterAttributeNoAlias) ||
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
    if (f == NULL)
        return hd_fail(d, HD_BAD_INPUT, entry->word, "layout.entry",
                       "entry point \"%s\" is no function of this module", entry->name);
    out->arg_count = f->param_count;
    HD_TAKE(out->args, HD_NEW(a, HdArgInfo, f->param_count + 1));
    for (uint32_t p = 0; p < f->param_count; p++) {
        HdInst in = hd_function_param(m, f, p);

        HD_TRY(argument(m, a, d, hd_inst_result(&in), out, &out->args[p]));
    }
    out->block_bytes = (out->block_bytes + 7) / 8 * 8;
    HD_TRY(name_arguments(m, a, out));
    return modes(m, d, out);
}
