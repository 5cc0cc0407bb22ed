/* build/builtin.c -- addresses of variables, and the built-in variables of kernels and shaders.
 *
 * A shader's SubgroupSize counts all lanes, also where the last sub-group has fewer.
 *
 * Built-in variables (Input storage) are not memory. A load of a whole one becomes BUILTINs
 * (ops/memory); any other use of its address sees a private copy that the entry block fills, which
 * SROA splits again.
 *
 * Spec: OpenCL SPIR-V Environment, "Built-in Variables"; SPIR-V, "BuiltIn".
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"
#include "module/calls.h"
#include "module/decoration.h"

typedef struct Builtin {
    uint32_t spirv; /* SpvBuiltIn */
    HdIrBuiltin ir;
    uint8_t components; /* 1, or 3: one per dimension */
} Builtin;

static const Builtin builtins[] = {
    {SpvBuiltInNumWorkgroups, HD_BUILTIN_NUM_GROUPS, 3},
    {SpvBuiltInWorkgroupSize, HD_BUILTIN_LOCAL_SIZE, 3},
    {SpvBuiltInWorkgroupId, HD_BUILTIN_GROUP_ID, 3},
    {SpvBuiltInLocalInvocationId, HD_BUILTIN_LOCAL_ID, 3},
    {SpvBuiltInGlobalInvocationId, HD_BUILTIN_GLOBAL_ID, 3},
    {SpvBuiltInLocalInvocationIndex, HD_BUILTIN_LOCAL_LINEAR_ID, 1},
    {SpvBuiltInWorkDim, HD_BUILTIN_WORK_DIM, 1},
    {SpvBuiltInGlobalSize, HD_BUILTIN_GLOBAL_SIZE, 3},
    {SpvBuiltInEnqueuedWorkgroupSize, HD_BUILTIN_ENQUEUED_LOCAL_SIZE, 3},
    {SpvBuiltInGlobalOffset, HD_BUILTIN_GLOBAL_OFFSET, 3},
    {SpvBuiltInGlobalLinearId, HD_BUILTIN_GLOBAL_LINEAR_ID, 1},
    {SpvBuiltInSubgroupSize, HD_BUILTIN_SUBGROUP_SIZE, 1},
    {SpvBuiltInSubgroupMaxSize, HD_BUILTIN_SUBGROUP_MAX_SIZE, 1},
    {SpvBuiltInNumSubgroups, HD_BUILTIN_NUM_SUBGROUPS, 1},
    {SpvBuiltInNumEnqueuedSubgroups, HD_BUILTIN_NUM_ENQUEUED_SUBGROUPS, 1},
    {SpvBuiltInSubgroupId, HD_BUILTIN_SUBGROUP_ID, 1},
    {SpvBuiltInSubgroupLocalInvocationId, HD_BUILTIN_SUBGROUP_LOCAL_ID, 1},
};

HdIrRef hd_build_id(HdBuild *b, HdIrBuiltin what, unsigned dimension)
{
    HdIrType t = what >= HD_BUILTIN_SUBGROUP_SIZE ? HD_IR_I32 : HD_IR_I64;

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_BUILTIN, t, what, dimension, NULL, 0);
}

static HdIrRef field(HdBuild *b, HdIrBuiltin what)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_BUILTIN, HD_IR_I64, what, 0, NULL, 0);
}

HdIrRef hd_build_array_part(HdBuild *b)
{
    HdIrRef skip = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, field(b, HD_BUILTIN_ARRAY_ROOM),
                                hd_build_id(b, HD_BUILTIN_LOCAL_LINEAR_ID, 0));

    return hd_build_op2(b, HD_IR_ADD, HD_IR_I64, field(b, HD_BUILTIN_ARRAYS), skip);
}

bool hd_build_is_builtin(const HdModule *m, HdId id, uint32_t *builtin)
{
    const HdDecoration *d = hd_module_decoration(m, id, SpvDecorationBuiltIn);

    if (d == NULL || d->operand_count < 1)
        return false;
    *builtin = hd_decoration_value(m, d);
    return true;
}

/* Lanes in some relation to this one, as bits of two of four I32 components: sub-groups have at
 * most 64 lanes. */
static HdIrRef lane_mask(HdBuild *b, uint32_t builtin)
{
    HdIrRef one = hd_build_const(b, HD_IR_I64, 1);
    HdIrRef id =
        hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I64, false);
    HdIrRef size =
        hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0), HD_IR_I64, false);
    HdIrRef eq = hd_build_op2(b, HD_IR_SHL, HD_IR_I64, one, id);
    HdIrRef below = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, eq, one);
    HdIrRef upto = hd_build_op2(b, HD_IR_OR, HD_IR_I64, below, eq);
    /* All ones shifted right by 64 - size: size is at least 1. */
    HdIrRef missing = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, hd_build_const(b, HD_IR_I64, 64), size);
    HdIrRef all =
        hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, hd_build_const(b, HD_IR_I64, ~UINT64_C(0)), missing);

    switch (builtin) {
    case SpvBuiltInSubgroupEqMask: return eq;
    case SpvBuiltInSubgroupLtMask: return below;
    case SpvBuiltInSubgroupLeMask: return upto;
    case SpvBuiltInSubgroupGeMask: return hd_build_op2(b, HD_IR_XOR, HD_IR_I64, all, below);
    default: /* SubgroupGtMask */ return hd_build_op2(b, HD_IR_XOR, HD_IR_I64, all, upto);
    }
}

static bool is_lane_mask(uint32_t builtin)
{
    return builtin >= SpvBuiltInSubgroupEqMask && builtin <= SpvBuiltInSubgroupLtMask;
}

/* Type of the variable's content: of the pointee, or the data type of an untyped one. */
static const HdType *content(const HdModule *m, HdId variable)
{
    const HdType *pointer = hd_module_type_of(m, variable);
    HdInst in;

    if (pointer == NULL || pointer->kind != HD_T_POINTER)
        return NULL;
    if (!pointer->is_untyped)
        return hd_type_element(pointer);
    if (!hd_module_def(m, variable, &in) || in.opix != HD_OPIX_UntypedVariableKHR || in.nwords < 5)
        return NULL;
    return hd_module_type(m, in.w[4]);
}

static HdStatus unknown(HdBuild *b, HdId variable, const char *why)
{
    const HdEnumerant *e = NULL;
    uint32_t which;

    if (hd_build_is_builtin(b->m, variable, &which))
        e = hd_gram_enumerant(HD_KIND_BuiltIn, which);
    return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[variable], "build.builtin",
                   "built-in variable %%%u%s%s: %s", variable, e != NULL ? ", " : "",
                   e != NULL ? e->name : "", why);
}

/* Words: four I32 components of a mask of lanes. */
static HdStatus split_mask(HdBuild *b, HdId variable, const HdType *t, uint32_t builtin,
                           HdIrRef *to, uint32_t *count)
{
    HdIrRef mask, high, zero;

    if (t->kind != HD_T_VECTOR || t->count != 4 || hd_type_element(t)->kind != HD_T_INT ||
        hd_type_element(t)->bits != 32)
        return unknown(b, variable, "must be a vector of four 32-bit integers");
    mask = lane_mask(b, builtin);
    zero = hd_build_const(b, HD_IR_I32, 0);
    high = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, mask, hd_build_const(b, HD_IR_I64, 32));
    to[0] = hd_build_op1(b, HD_IR_TRUNC, HD_IR_I32, mask);
    to[1] = hd_build_op1(b, HD_IR_TRUNC, HD_IR_I32, high);
    to[2] = to[3] = zero;
    *count = 4;
    return HD_OK;
}

/* ---- quads of two by two ------------------------------------------------------------------- */

static HdIrRef number64(HdBuild *b, uint64_t x)
{
    return hd_build_const(b, HD_IR_I64, x);
}

/* 2 * (quads % count) + a bit of the item. */
static HdIrRef in_quad(HdBuild *b, HdIrRef quads, uint64_t count, HdIrRef item, unsigned bit)
{
    HdIrRef first = hd_build_op2(b, HD_IR_UREM, HD_IR_I64, quads, number64(b, count));
    HdIrRef shifted = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, item, number64(b, bit));

    return hd_build_op2(b, HD_IR_ADD, HD_IR_I64,
                        hd_build_op2(b, HD_IR_SHL, HD_IR_I64, first, number64(b, 1)),
                        hd_build_op2(b, HD_IR_AND, HD_IR_I64, shifted, number64(b, 1)));
}

/* hd_kernel_local_id: where an item lies in its group. */
static void square_ids(HdBuild *b, HdIrRef id[3])
{
    const uint32_t *size = b->kernel->required_local;
    HdIrRef item = hd_build_id(b, HD_BUILTIN_LOCAL_LINEAR_ID, 0);
    HdIrRef quads = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, item, number64(b, 2));

    id[0] = in_quad(b, quads, size[0] / 2, item, 0);
    quads = hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, quads, number64(b, size[0] / 2));
    id[1] = in_quad(b, quads, size[1] / 2, item, 1);
    id[2] = hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, quads, number64(b, size[1] / 2));
}

static HdIrRef times_plus(HdBuild *b, HdIrRef x, uint64_t factor, HdIrRef y)
{
    return hd_build_op2(b, HD_IR_ADD, HD_IR_I64,
                        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, x, number64(b, factor)), y);
}

/* An id that depends on the place in the group, component c of it. */
static HdIrRef square_id(HdBuild *b, HdIrBuiltin what, uint32_t c)
{
    const uint32_t *size = b->kernel->required_local;
    HdIrRef id[3];

    square_ids(b, id);
    if (what == HD_BUILTIN_LOCAL_ID)
        return id[c];
    if (what == HD_BUILTIN_LOCAL_LINEAR_ID)
        return times_plus(b, times_plus(b, id[2], size[1], id[1]), size[0], id[0]);
    return times_plus(b, hd_build_id(b, HD_BUILTIN_GROUP_ID, c), size[c], id[c]);
}

static HdIrRef id_of(HdBuild *b, HdIrBuiltin what, uint32_t c)
{
    if (b->kernel->quads == HD_QUADS_SQUARE &&
        (what == HD_BUILTIN_LOCAL_ID || what == HD_BUILTIN_GLOBAL_ID ||
         what == HD_BUILTIN_LOCAL_LINEAR_ID))
        return square_id(b, what, c);
    return hd_build_id(b, what, c);
}

static const Builtin *row_of(uint32_t which)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (builtins[i].spirv == which)
            return &builtins[i];
    return NULL;
}

HdStatus hd_build_builtin(HdBuild *b, HdId variable, HdIrRef *to, uint32_t *count)
{
    const HdType *t = content(b->m, variable);
    const Builtin *of;
    uint32_t which;

    if (!hd_build_is_builtin(b->m, variable, &which))
        return unknown(b, variable, "an Input variable without BuiltIn decoration");
    if (which == SpvBuiltInSubgroupSize && b->kernel->is_shader)
        which = SpvBuiltInSubgroupMaxSize;
    of = row_of(which);
    if (of == NULL && !is_lane_mask(which) && which != SpvBuiltInDeviceIndex)
        return unknown(b, variable,
                       b->kernel->is_shader
                           ? "not one that compute shaders have here; pass the value in a buffer"
                           : "not one that kernels have; pass the value as an argument");
    if (t == NULL || hd_type_scalar(t)->kind != HD_T_INT)
        return unknown(b, variable, "must hold integers");
    if (is_lane_mask(which))
        return split_mask(b, variable, t, which, to, count);
    if (hd_type_lanes(t) != (of != NULL ? of->components : 1))
        return unknown(b, variable, "has a wrong number of components");
    *count = hd_type_lanes(t);
    if (of == NULL) { /* DeviceIndex, of the only device */
        to[0] = hd_build_const(b, hd_build_scalar(t), 0);
        return HD_OK;
    }
    for (uint32_t c = 0; c < of->components; c++)
        to[c] = hd_build_resize(b, id_of(b, of->ir, c), hd_build_scalar(hd_type_scalar(t)), false);
    return HD_OK;
}

/* The private copy of a built-in, filled in the entry block, once per function. */
static HdStatus builtin_copy(HdBuild *b, HdId id, HdIrRef *out)
{
    const HdBuildAccess how = {.space = HD_SPACE_PRIVATE};
    const HdType *t = content(b->m, id);
    uint32_t block = b->block, count;
    HdIrRef parts[16];
    HdStatus st;

    if (b->builtins[id]) {
        *out = b->builtins[id];
        return HD_OK;
    }
    b->block = 0;
    st = hd_build_builtin(b, id, parts, &count);
    if (st == HD_OK) {
        *out = b->builtins[id] = hd_build_alloca(b, hd_type_size(t), t->align);
        HD_TRY_PUSH(b->arena, &b->copied, id);
        st = hd_build_store(b, *out, t, parts, &how);
    }
    b->block = block;
    return st;
}

HdIrRef hd_build_table(HdBuild *b, HdId id)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_PROGRAM_ADDR, HD_IR_PTR, 0,
                          hd_layout_table(b->layout, id)->offset, NULL, 0);
}

HdStatus hd_build_variable(HdBuild *b, HdId id, HdIrRef *out)
{
    const HdBuildLayout *l = b->layout;
    const HdType *t;
    HdInst in;

    if (!hd_module_def(b->m, id, &in))
        return hd_fail(b->diags, HD_BAD_INPUT, HD_NO_PLACE, "build.undefined",
                       "%%%u is used but not defined", id);
    if (in.opix == HD_OPIX_Function) {
        *out = hd_build_const(b, HD_IR_PTR,
                              hd_module_function_address(hd_module_function_index(b->m, id)));
        return HD_OK;
    }
    if (!hd_inst_is_variable(&in) && in.opix != HD_OPIX_ConstantPipeStorage)
        return hd_fail(b->diags, HD_UNSUPPORTED, in.word, "build.value",
                       "%%%u (%s) cannot be used as a value here", id, hd_gram_insts[in.opix].name);
    HD_TRY(hd_build_type_of(b, id, &t));
    if (t->storage == SpvStorageClassInput)
        return builtin_copy(b, id, out);
    if (t->storage == SpvStorageClassWorkgroup && l->local_offset[id] != UINT64_MAX) {
        *out = hd_ir_emit_sub(b->fn, b->block, HD_IR_LOCAL_ADDR, HD_IR_PTR, 0, l->local_offset[id],
                              NULL, 0);
        return HD_OK;
    }
    if (l->resource[id] != UINT32_MAX && b->kernel->is_shader)
        return hd_build_resource(b, id, out);
    if (hd_layout_table(l, id) != NULL) {
        *out = hd_build_table(b, id);
        return HD_OK;
    }
    if (l->program_offset[id] != UINT64_MAX) {
        *out = hd_ir_emit_sub(b->fn, b->block, HD_IR_PROGRAM_ADDR, HD_IR_PTR, 0,
                              l->program_offset[id], NULL, 0);
        return HD_OK;
    }
    return hd_fail(b->diags, HD_UNSUPPORTED, in.word, "build.variable",
                   "variable %%%u (%s) has no place in memory", id,
                   hd_module_name(b->m, id) ? hd_module_name(b->m, id) : "unnamed");
}

HdStatus hd_build_resource(HdBuild *b, HdId id, HdIrRef *out)
{
    const HdArgInfo *arg = &b->kernel->args[b->layout->resource[id]];

    if (arg->resource.elements != 0 || arg->resource.opaque != HD_OPAQUE_NONE)
        *out = hd_ir_emit_sub(b->fn, b->block, HD_IR_KARG_ADDR, HD_IR_PTR, 0, arg->offset, NULL, 0);
    else
        *out = hd_ir_emit_sub(b->fn, b->block, HD_IR_KARG, HD_IR_PTR, arg->resource.is_shared,
                              arg->offset, NULL, 0);
    return HD_OK;
}
