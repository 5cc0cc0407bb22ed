/* xform/resolve_plan.c -- what an imported built-in becomes, by its name and types.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/constant.h"
#include "module/decoration.h"
#include "xform/builtin_name.h"
#include "xform/resolve_state.h"

/* OpenCL C's first channel order and data type; SPIR-V's are 0. */
#define FIRST_ORDER 0x10B0u
#define FIRST_TYPE  0x10D0u

static uint32_t rounding_mode(char letter)
{
    switch (letter) {
    case 'z': return SpvFPRoundingModeRTZ;
    case 'p': return SpvFPRoundingModeRTP;
    case 'n': return SpvFPRoundingModeRTN;
    default: return SpvFPRoundingModeRTE;
    }
}

static void plan_integers(HdNumber from, const HdConvertName *c, HdBodyPlan *p)
{
    bool widens = from.bits < c->to.bits;

    p->saturate = false;
    if (c->saturate && from.is_signed != c->to.is_signed) {
        p->opcode = from.is_signed ? SpvOpSatConvertSToU : SpvOpSatConvertUToS;
    } else if (from.bits == c->to.bits) {
        p->opcode = SpvOpCopyObject;
    } else {
        p->saturate = c->saturate && !widens;
        p->opcode = from.is_signed ? SpvOpSConvert : SpvOpUConvert;
    }
}

static bool plan_convert(const HdFunction *f, const HdBuiltinName *n, HdBodyPlan *p)
{
    HdConvertName c;

    if (f->param_count != 1 || !hd_builtin_convert(n, &c))
        return false;
    p->kind = HD_BODY_CONVERT;
    p->rounding = rounding_mode(c.rounding);
    p->rounds = c.rounding != 0;
    p->saturate = c.saturate;
    if (!n->first.is_float && !c.to.is_float) {
        p->rounds = false;
        plan_integers(n->first, &c, p);
    } else if (n->first.is_float && c.to.is_float) {
        p->saturate = false;
        p->opcode = n->first.bits == c.to.bits ? SpvOpCopyObject : SpvOpFConvert;
        p->rounds = p->rounds && n->first.bits > c.to.bits;
    } else if (n->first.is_float) {
        p->opcode = c.to.is_signed ? SpvOpConvertFToS : SpvOpConvertFToU;
    } else {
        p->saturate = false;
        p->opcode = n->first.is_signed ? SpvOpConvertSToF : SpvOpConvertUToF;
    }
    return true;
}

#define SEQ_CST SpvMemorySemanticsSequentiallyConsistentMask

/* Built-ins by name; the opcode depends on the first parameter's type. */
static const struct {
    const char *name;
    HdBodyKind kind;
    uint32_t unsigned_op, signed_op;
    uint32_t semantics;
    uint32_t float_op; /* 0 = not on floats */
} rows[] = {
    {"atomic_inc", HD_BODY_ATOMIC_ONE, SpvOpAtomicIIncrement, SpvOpAtomicIIncrement, 0, 0},
    {"atomic_dec", HD_BODY_ATOMIC_ONE, SpvOpAtomicIDecrement, SpvOpAtomicIDecrement, 0, 0},
    {"atomic_xchg", HD_BODY_ATOMIC, SpvOpAtomicExchange, SpvOpAtomicExchange, 0,
     SpvOpAtomicExchange},
    {"atomic_min", HD_BODY_ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, 0, 0},
    {"atomic_max", HD_BODY_ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, 0, 0},
    {"atom_inc", HD_BODY_ATOMIC_ONE, SpvOpAtomicIIncrement, SpvOpAtomicIIncrement, 0, 0},
    {"atom_dec", HD_BODY_ATOMIC_ONE, SpvOpAtomicIDecrement, SpvOpAtomicIDecrement, 0, 0},
    {"atom_xchg", HD_BODY_ATOMIC, SpvOpAtomicExchange, SpvOpAtomicExchange, 0, SpvOpAtomicExchange},
    {"atom_min", HD_BODY_ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, 0, 0},
    {"atom_max", HD_BODY_ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, 0, 0},
    {"atomic_fetch_min", HD_BODY_ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, SEQ_CST,
     SpvOpAtomicFMinEXT},
    {"atomic_fetch_max", HD_BODY_ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, SEQ_CST,
     SpvOpAtomicFMaxEXT},
    /* Order and scope are run-time values; the strongest and widest are always right. */
    {"atomic_fetch_min_explicit", HD_BODY_ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, SEQ_CST,
     SpvOpAtomicFMinEXT},
    {"atomic_fetch_max_explicit", HD_BODY_ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, SEQ_CST,
     SpvOpAtomicFMaxEXT},
    {"barrier", HD_BODY_CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"work_group_barrier", HD_BODY_CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"sub_group_barrier", HD_BODY_CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"mem_fence", HD_BODY_FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"read_mem_fence", HD_BODY_FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"write_mem_fence", HD_BODY_FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"get_fence", HD_BODY_GET_FENCE, SpvOpGenericPtrMemSemantics, SpvOpGenericPtrMemSemantics, 0,
     0},
};

/* How many parameters a body of that kind reads, and how many more there may be that it has no use
 * for: orders and scopes. */
static bool params_fit(HdBodyKind k, uint32_t count)
{
    switch (k) {
    case HD_BODY_ATOMIC: return count >= 2 && count <= 4;
    case HD_BODY_CONTROL: return count == 1 || count == 2;
    default: return count == 1;
    }
}

/* The capability of 64-bit integers, and of a minimum or maximum of floats. */
static uint32_t capability_of(uint32_t opcode, bool is_float, unsigned bits)
{
    if (!is_float)
        return bits == 64 ? SpvCapabilityInt64Atomics : 0;
    if (opcode != SpvOpAtomicFMinEXT && opcode != SpvOpAtomicFMaxEXT)
        return 0;
    return bits == 16   ? SpvCapabilityAtomicFloat16MinMaxEXT
           : bits == 32 ? SpvCapabilityAtomicFloat32MinMaxEXT
                        : SpvCapabilityAtomicFloat64MinMaxEXT;
}

/* to_global, to_local, to_private; clang calls them by these names. */
static bool plan_to_space(const HdResolve *r, const HdFunction *f, const char *name, HdBodyPlan *p)
{
    const HdType *to = hd_module_type(r->m, f->result_type), *from;

    if (strcmp(name, "__to_global") != 0 && strcmp(name, "__to_local") != 0 &&
        strcmp(name, "__to_private") != 0)
        return false;
    from = f->param_count == 1 ? hd_resolve_param_type(r, f, 0) : NULL;
    if (to == NULL || from == NULL || to->kind != HD_T_POINTER || from->kind != HD_T_POINTER ||
        from->storage != SpvStorageClassGeneric || hd_type_element(to) != hd_type_element(from))
        return false;
    p->kind = HD_BODY_TO_SPACE;
    p->opcode = SpvOpGenericCastToPtrExplicit;
    return true;
}

/* read_image…, write_image…, get_image_channel_order and -_data_type. */
static bool plan_image(const HdResolve *r, const HdFunction *f, const HdBuiltinName *n,
                       HdBodyPlan *p)
{
    const HdType *image = hd_resolve_param_type(r, f, 0), *second = hd_resolve_param_type(r, f, 1);

    if (image == NULL || image->kind != HD_T_IMAGE)
        return false;
    if (n->len > 10 && strncmp(n->base, "read_image", 10) == 0) {
        bool has_sampler = second != NULL && second->kind == HD_T_SAMPLER;

        if (f->param_count < (has_sampler ? 3 : 2) || f->param_count > (has_sampler ? 5 : 3))
            return false;
        p->kind = has_sampler ? HD_BODY_SAMPLE_IMAGE : HD_BODY_READ_IMAGE;
        return true;
    }
    if (n->len > 11 && strncmp(n->base, "write_image", 11) == 0) {
        p->kind = f->param_count == 3 || f->param_count == 4 ? HD_BODY_WRITE_IMAGE : HD_BODY_NONE;
        return p->kind != HD_BODY_NONE;
    }
    p->kind = HD_BODY_IMAGE_QUERY;
    p->opcode =
        hd_builtin_is(n, "get_image_channel_order") ? SpvOpImageQueryOrder : SpvOpImageQueryFormat;
    p->base = p->opcode == SpvOpImageQueryOrder ? FIRST_ORDER : FIRST_TYPE;
    return f->param_count == 1 &&
           (p->opcode == SpvOpImageQueryOrder || hd_builtin_is(n, "get_image_channel_data_type"));
}

/* What the flags of each function's first arguments order, as if all were fence flags: of all its
 * calls together; everything when one call's are not known here. */
static bool find_fences(HdResolve *r)
{
    static const uint32_t memory[3] = {SpvMemorySemanticsWorkgroupMemoryMask,
                                       SpvMemorySemanticsCrossWorkgroupMemoryMask,
                                       SpvMemorySemanticsImageMemoryMask};
    uint32_t word = r->m->first_function;
    uint64_t flags;

    r->fenced = HD_NEW(r->declared.arena, uint32_t, r->m->function_count);
    for (HdInst in; r->fenced != NULL && hd_module_next(r->m, &word, &in);) {
        const HdFunction *f =
            in.opix == HD_OPIX_FunctionCall ? hd_module_function(r->m, in.w[3]) : NULL;

        if (f == NULL)
            continue;
        if (in.nwords < 5 || !hd_module_constant_u64(r->m, in.w[4], &flags))
            flags = 7;
        for (unsigned i = 0; i < 3; i++)
            r->fenced[f - r->m->functions] |= (flags >> i & 1) != 0 ? memory[i] : 0;
    }
    return r->fenced != NULL;
}

static uint32_t fenced_memory(HdResolve *r, const HdFunction *f)
{
    if (r->fenced == NULL && !find_fences(r)) {
        r->declared.failed = true;
        return 0;
    }
    return r->fenced[f - r->m->functions];
}

static bool is_number(const HdType *t, uint32_t bits)
{
    return t != NULL && t->kind == HD_T_INT && t->bits == bits;
}

/* get_global_id and its neighbours. */
static bool plan_item(HdResolve *r, const HdFunction *f, const HdBuiltinName *n, HdBodyPlan *p)
{
    const uint32_t item = hd_item_name(n);
    const HdType *result = hd_module_type(r->m, f->result_type),
                 *dimension = hd_resolve_param_type(r, f, 0);
    const HdItemName *name = &hd_item_names[item];

    if (item == HD_ITEM_NAMES ||
        !is_number(result, name->is_size ? hd_module_address_bits(r->m) : 32) ||
        f->param_count != name->is_vector || (name->is_vector && !is_number(dimension, 32)))
        return false;
    p->kind = HD_BODY_ITEM;
    p->base = item;
    if (r->items[item] == 0)
        r->items[item] = hd_module_decorated(r->m, SpvDecorationBuiltIn, name->builtin);
    if (r->items[item] == 0)
        r->items[item] = r->bound++;
    return true;
}

/* The module's import of OpenCL.std; 0: it has none. */
static uint32_t find_standard(const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_ExtInstImport && strcmp(hd_inst_string(&in, 2), "OpenCL.std") == 0)
            return in.w[1];
    return 0;
}

/* sin, clamp, mad_hi … */
static bool plan_standard(HdResolve *r, const HdFunction *f, const HdBuiltinName *n, HdBodyPlan *p)
{
    p->opcode = hd_std_name(n, f->param_count);
    if (p->opcode == UINT32_MAX || f->param_count > HD_BODY_MAX_PARAMS)
        return false;
    p->kind = HD_BODY_STANDARD;
    if (r->standard == 0)
        r->standard = find_standard(r->m);
    if (r->standard == 0) {
        r->standard = r->bound++;
        r->makes_standard = true;
    }
    return true;
}

/* Barriers, fences and atomics: what the rows say. */
static bool plan_row(HdResolve *r, const HdFunction *f, const HdBuiltinName *n, HdBodyPlan *p)
{
    size_t i = 0;

    while (i < sizeof rows / sizeof *rows && !hd_builtin_is(n, rows[i].name))
        i++;
    if (i == sizeof rows / sizeof *rows || !params_fit(rows[i].kind, f->param_count))
        return false;
    p->kind = rows[i].kind;
    p->opcode = n->first.is_signed ? rows[i].signed_op : rows[i].unsigned_op;
    p->scope = p->kind != HD_BODY_CONTROL              ? SpvScopeDevice
               : hd_builtin_is(n, "sub_group_barrier") ? SpvScopeSubgroup
                                                       : SpvScopeWorkgroup;
    p->semantics = rows[i].semantics;
    if (p->kind == HD_BODY_CONTROL || p->kind == HD_BODY_FENCE)
        p->semantics = SEQ_CST | fenced_memory(r, f);
    if (p->kind != HD_BODY_ATOMIC && p->kind != HD_BODY_ATOMIC_ONE)
        return true;
    p->opcode = n->first.is_float ? rows[i].float_op : p->opcode;
    p->capability = capability_of(p->opcode, n->first.is_float, n->first.bits);
    return p->opcode != 0;
}

/* The name of an import; NULL: the function is none. */
static const char *import_name(const HdModule *m, const HdFunction *f)
{
    const HdDecoration *link = hd_module_decoration(m, f->id, SpvDecorationLinkageAttributes);

    if (f->block_count != 0 || link == NULL || link->operand_count < 2 ||
        hd_decoration_last(m, link) != SpvLinkageTypeImport)
        return NULL;
    return (const char *)hd_decoration_operands(m, link);
}

void hd_resolve_plan(HdResolve *r, const HdFunction *f, HdBodyPlan *p)
{
    const char *name = import_name(r->m, f);
    HdBuiltinName n;

    if (name != NULL &&
        (plan_to_space(r, f, name, p) ||
         (hd_builtin_name(name, &n) &&
          (plan_image(r, f, &n, p) || plan_item(r, f, &n, p) || plan_standard(r, f, &n, p) ||
           plan_row(r, f, &n, p) || plan_convert(f, &n, p)))))
        p->result = r->bound++;
    else
        *p = (HdBodyPlan){.kind = HD_BODY_NONE};
}
