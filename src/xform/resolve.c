/* xform/resolve.c -- imported functions with an OpenCL built-in's name get a body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/resolve.h"

#include <string.h>

#include "module/constant.h"
#include "module/type.h"
#include "xform/builtin_name.h"
#include "xform/declared.h"
#include "xform/named.h"

/* The parts of a body. */
typedef enum Kind {
    NONE,
    CONVERT,      /* one conversion */
    ATOMIC,       /* pointer, value: one read-modify-write */
    ATOMIC_ONE,   /* pointer: increment or decrement */
    CONTROL,      /* barrier(flags) of a work-group or sub-group */
    FENCE,        /* mem_fence(flags) */
    GET_FENCE,    /* pointer to fence flags */
    TO_SPACE,     /* generic pointer to one of another storage class, or null */
    READ_IMAGE,   /* image, coordinate[, level or sample] */
    SAMPLE_IMAGE, /* image, sampler, coordinate[, level or two gradients] */
    WRITE_IMAGE,  /* image, coordinate[, level], texel */
    IMAGE_QUERY,  /* image: SPIR-V's enumerant made OpenCL C's */
    ITEM,         /* a built-in variable, or the component of one that a number names */
    STANDARD      /* an instruction of OpenCL.std */
} Kind;

/* Bodies read so many parameters. */
#define MAX_PARAMS 5u

/* OpenCL C's first channel order and data type; SPIR-V's are 0. */
#define FIRST_ORDER 0x10B0u
#define FIRST_TYPE  0x10D0u

/* One import being resolved. */
typedef struct Plan {
    Kind kind;
    uint32_t opcode;
    uint32_t scope, semantics; /* values; ATOMIC, CONTROL, FENCE */
    uint32_t result;           /* id of the body's result */
    bool saturate, rounds;
    uint32_t rounding;   /* SpvFPRoundingMode */
    uint32_t capability; /* that the opcode needs; 0 = none */
    uint32_t base;       /* IMAGE_QUERY: what is added; ITEM: index in hd_item_names */
} Plan;

typedef struct Resolve {
    const HdModule *m;
    HdWriter *out;
    HdWriter globals, bodies; /* types and constants that are made; functions instead of imports */
    HdDeclared declared;
    Plan *plans;                   /* [functions] */
    uint32_t items[HD_ITEM_NAMES]; /* ids of built-in variables that are made; 0: none */
    uint32_t standard;             /* id of the import of OpenCL.std; 0: not needed */
    bool makes_standard;           /* the module does not have it */
    uint32_t *fenced; /* [functions] memory semantics of their calls' flags; NULL: not computed */
    uint32_t bound;
} Resolve;

/* ---- planning -----------------------------------------------------------------------------------
 */

static uint32_t rounding_mode(char letter)
{
    switch (letter) {
    case 'z': return SpvFPRoundingModeRTZ;
    case 'p': return SpvFPRoundingModeRTP;
    case 'n': return SpvFPRoundingModeRTN;
    default: return SpvFPRoundingModeRTE;
    }
}

static bool plan_integers(Plan *p, HdNumber from, const HdConvertName *c)
{
    bool widens = from.bits < c->to.bits;

    p->saturate = false;
    if (c->saturate && from.is_signed != c->to.is_signed) {
        p->opcode = from.is_signed ? SpvOpSatConvertSToU : SpvOpSatConvertUToS;
        return true;
    }
    if (from.bits == c->to.bits) {
        p->opcode = SpvOpCopyObject;
        return true;
    }
    p->saturate = c->saturate && !widens;
    p->opcode = from.is_signed ? SpvOpSConvert : SpvOpUConvert;
    return true;
}

static bool plan_convert(Plan *p, const HdBuiltinName *n)
{
    HdConvertName c;

    if (!hd_builtin_convert(n, &c))
        return false;
    p->kind = CONVERT;
    p->rounding = rounding_mode(c.rounding);
    p->rounds = c.rounding != 0;
    p->saturate = c.saturate;
    if (!n->first.is_float && !c.to.is_float) {
        p->rounds = false;
        return plan_integers(p, n->first, &c);
    }
    if (n->first.is_float && c.to.is_float) {
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

/* Built-ins by name. `sign` chooses between two opcodes: unsigned first, then signed. */
static const struct {
    const char *name;
    Kind kind;
    uint32_t unsigned_op, signed_op;
    uint32_t semantics;
    uint32_t float_op; /* 0 = not on floats */
} rows[] = {
    {"atomic_inc", ATOMIC_ONE, SpvOpAtomicIIncrement, SpvOpAtomicIIncrement, 0, 0},
    {"atomic_dec", ATOMIC_ONE, SpvOpAtomicIDecrement, SpvOpAtomicIDecrement, 0, 0},
    {"atomic_xchg", ATOMIC, SpvOpAtomicExchange, SpvOpAtomicExchange, 0, SpvOpAtomicExchange},
    {"atomic_min", ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, 0, 0},
    {"atomic_max", ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, 0, 0},
    {"atom_inc", ATOMIC_ONE, SpvOpAtomicIIncrement, SpvOpAtomicIIncrement, 0, 0},
    {"atom_dec", ATOMIC_ONE, SpvOpAtomicIDecrement, SpvOpAtomicIDecrement, 0, 0},
    {"atom_xchg", ATOMIC, SpvOpAtomicExchange, SpvOpAtomicExchange, 0, SpvOpAtomicExchange},
    {"atom_min", ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, 0, 0},
    {"atom_max", ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, 0, 0},
    {"atomic_fetch_min", ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, SEQ_CST, SpvOpAtomicFMinEXT},
    {"atomic_fetch_max", ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, SEQ_CST, SpvOpAtomicFMaxEXT},
    /* Order and scope are run-time values; the strongest and widest are always right. */
    {"atomic_fetch_min_explicit", ATOMIC, SpvOpAtomicUMin, SpvOpAtomicSMin, SEQ_CST,
     SpvOpAtomicFMinEXT},
    {"atomic_fetch_max_explicit", ATOMIC, SpvOpAtomicUMax, SpvOpAtomicSMax, SEQ_CST,
     SpvOpAtomicFMaxEXT},
    {"barrier", CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"work_group_barrier", CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"sub_group_barrier", CONTROL, SpvOpControlBarrier, SpvOpControlBarrier, 0, 0},
    {"mem_fence", FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"read_mem_fence", FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"write_mem_fence", FENCE, SpvOpMemoryBarrier, SpvOpMemoryBarrier, 0, 0},
    {"get_fence", GET_FENCE, SpvOpGenericPtrMemSemantics, SpvOpGenericPtrMemSemantics, 0, 0},
};

/* How many parameters a body of that kind reads, and how many more there may be that it has no use
 * for: orders and scopes. */
static bool params_fit(Kind k, uint32_t count)
{
    switch (k) {
    case ATOMIC: return count >= 2 && count <= 4;
    case CONTROL: return count == 1 || count == 2;
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
static bool plan_to_space(const Resolve *r, const HdFunction *f, const char *name, Plan *p)
{
    const HdType *to = hd_module_type(r->m, f->result_type), *from;

    if (strcmp(name, "__to_global") != 0 && strcmp(name, "__to_local") != 0 &&
        strcmp(name, "__to_private") != 0)
        return false;
    from = f->param_count == 1 ? hd_module_type(r->m, hd_function_param(r->m, f, 0).w[1]) : NULL;
    if (to == NULL || from == NULL || to->kind != HD_T_POINTER || from->kind != HD_T_POINTER ||
        from->storage != SpvStorageClassGeneric || hd_type_element(to) != hd_type_element(from))
        return false;
    p->kind = TO_SPACE;
    p->opcode = SpvOpGenericCastToPtrExplicit;
    return true;
}

static const HdType *param_type(const Resolve *r, const HdFunction *f, uint32_t i)
{
    return i < f->param_count ? hd_module_type(r->m, hd_function_param(r->m, f, i).w[1]) : NULL;
}

/* read_image…, write_image…, get_image_channel_order and -_data_type. */
static bool plan_image(const Resolve *r, const HdFunction *f, const HdBuiltinName *n, Plan *p)
{
    const HdType *image = param_type(r, f, 0), *second = param_type(r, f, 1);

    if (image == NULL || image->kind != HD_T_IMAGE)
        return false;
    if (n->len > 10 && strncmp(n->base, "read_image", 10) == 0) {
        bool has_sampler = second != NULL && second->kind == HD_T_SAMPLER;

        if (f->param_count < (has_sampler ? 3 : 2) || f->param_count > (has_sampler ? 5 : 3))
            return false;
        p->kind = has_sampler ? SAMPLE_IMAGE : READ_IMAGE;
        return true;
    }
    if (n->len > 11 && strncmp(n->base, "write_image", 11) == 0) {
        p->kind = f->param_count == 3 || f->param_count == 4 ? WRITE_IMAGE : NONE;
        return p->kind != NONE;
    }
    p->kind = IMAGE_QUERY;
    p->opcode =
        hd_builtin_is(n, "get_image_channel_order") ? SpvOpImageQueryOrder : SpvOpImageQueryFormat;
    p->base = p->opcode == SpvOpImageQueryOrder ? FIRST_ORDER : FIRST_TYPE;
    return f->param_count == 1 &&
           (p->opcode == SpvOpImageQueryOrder || hd_builtin_is(n, "get_image_channel_data_type"));
}

/* What the flags of each function's first arguments order, as if all were fence flags: of all its
 * calls together; everything when one call's are not known here. */
static bool find_fences(Resolve *r)
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

static uint32_t fenced_memory(Resolve *r, const HdFunction *f)
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

static uint32_t size_bits(const HdModule *m)
{
    return m->addressing == SpvAddressingModelPhysical32 ? 32 : 64;
}

/* The module's variable of a built-in; 0: it has none. */
static uint32_t find_variable(const HdModule *m, uint32_t builtin)
{
    for (uint32_t i = 0; i < m->decoration_count; i++) {
        const HdDecoration *d = &m->decorations[i];

        if (d->decoration == SpvDecorationBuiltIn && d->member == HD_NO_MEMBER &&
            d->operand_count == 1 && hd_decoration_value(m, d) == builtin)
            return d->target;
    }
    return 0;
}

/* get_global_id and its neighbours. */
static bool plan_item(Resolve *r, const HdFunction *f, const HdBuiltinName *n, Plan *p)
{
    const uint32_t item = hd_item_name(n);
    const HdType *result = hd_module_type(r->m, f->result_type), *dimension = param_type(r, f, 0);
    const HdItemName *name = &hd_item_names[item];

    if (item == HD_ITEM_NAMES || !is_number(result, name->is_size ? size_bits(r->m) : 32) ||
        f->param_count != name->is_vector || (name->is_vector && !is_number(dimension, 32)))
        return false;
    p->kind = ITEM;
    p->base = item;
    if (r->items[item] == 0)
        r->items[item] = find_variable(r->m, name->builtin);
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
static bool plan_standard(Resolve *r, const HdFunction *f, const HdBuiltinName *n, Plan *p)
{
    p->opcode = hd_std_name(n, f->param_count);
    if (p->opcode == UINT32_MAX || f->param_count > MAX_PARAMS)
        return false;
    p->kind = STANDARD;
    if (r->standard == 0)
        r->standard = find_standard(r->m);
    if (r->standard == 0) {
        r->standard = r->bound++;
        r->makes_standard = true;
    }
    return true;
}

static void plan_function(Resolve *r, const HdFunction *f, Plan *p)
{
    const HdDecoration *link = hd_module_decoration(r->m, f->id, SpvDecorationLinkageAttributes);
    HdBuiltinName n;

    if (f->block_count != 0 || link == NULL || link->operand_count < 2 ||
        hd_decoration_last(r->m, link) != SpvLinkageTypeImport)
        return;
    if (plan_to_space(r, f, (const char *)hd_decoration_operands(r->m, link), p)) {
        p->result = r->bound++;
        return;
    }
    if (!hd_builtin_name((const char *)hd_decoration_operands(r->m, link), &n))
        return;
    if (plan_image(r, f, &n, p)) {
        p->result = r->bound++;
        return;
    }
    if (plan_item(r, f, &n, p) || plan_standard(r, f, &n, p)) {
        p->result = r->bound++;
        return;
    }
    p->kind = NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!hd_builtin_is(&n, rows[i].name))
            continue;
        p->kind = rows[i].kind;
        p->opcode = n.first.is_signed ? rows[i].signed_op : rows[i].unsigned_op;
        p->scope = p->kind != CONTROL                       ? SpvScopeDevice
                   : hd_builtin_is(&n, "sub_group_barrier") ? SpvScopeSubgroup
                                                            : SpvScopeWorkgroup;
        p->semantics = rows[i].semantics;
        if (p->kind == CONTROL || p->kind == FENCE)
            p->semantics = SpvMemorySemanticsSequentiallyConsistentMask | fenced_memory(r, f);
        if (p->kind == ATOMIC || p->kind == ATOMIC_ONE) {
            p->opcode = n.first.is_float ? rows[i].float_op : p->opcode;
            p->capability = capability_of(p->opcode, n.first.is_float, n.first.bits);
            if (p->opcode == 0)
                p->kind = NONE;
        }
        break;
    }
    if (p->kind == NONE && !plan_convert(p, &n))
        return;
    if (!params_fit(p->kind, f->param_count)) {
        p->kind = NONE;
        return;
    }
    p->result = r->bound++;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void decorate(Resolve *r, uint32_t id, uint32_t decoration, uint32_t operand,
                     bool has_operand)
{
    uint32_t words[3] = {id, decoration, operand};

    hd_writer_inst(r->out, SpvOpDecorate, words, has_operand ? 3 : 2);
}

static bool makes_item(const Resolve *r, uint32_t item)
{
    return r->items[item] >= r->m->bound;
}

static void write_decorations(Resolve *r)
{
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        const uint32_t words[3] = {r->items[i], SpvDecorationBuiltIn, hd_item_names[i].builtin};

        if (makes_item(r, i))
            hd_writer_inst(r->out, SpvOpDecorate, words, 3);
    }
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        const Plan *p = &r->plans[f];

        if (p->kind != CONVERT)
            continue;
        if (p->saturate)
            decorate(r, p->result, SpvDecorationSaturatedConversion, 0, false);
        if (p->rounds)
            decorate(r, p->result, SpvDecorationFPRoundingMode, p->rounding, true);
    }
}

static uint32_t u32_type(Resolve *r)
{
    return hd_declared_int(&r->declared, 32);
}

static uint32_t constant(Resolve *r, uint32_t value)
{
    const uint32_t words[2] = {u32_type(r), value};

    return hd_declared_constant(&r->declared, SpvOpConstant, words, 2);
}

static uint32_t float_type(Resolve *r)
{
    return hd_declared_type(&r->declared, SpvOpTypeFloat, (const uint32_t[]){32}, 1);
}

static uint32_t zero(Resolve *r)
{
    const uint32_t words[2] = {float_type(r), 0};

    return hd_declared_constant(&r->declared, SpvOpConstant, words, 2);
}

/* One instruction that makes another value than the body's result. */
static uint32_t emit(Resolve *r, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    uint32_t words[4] = {type, r->bound++, a, b};

    hd_writer_inst(&r->bodies, opcode, words, b != 0 ? 4 : 3);
    return words[1];
}

static void read_texel(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    uint32_t operand = hd_type_words(param_type(r, f, 0))[6] == 1 ? SpvImageOperandsSampleMask
                                                                  : SpvImageOperandsLodMask;
    uint32_t w[6] = {f->result_type, p->result, params[0], params[1], operand, params[2]};

    hd_writer_inst(&r->bodies, SpvOpImageRead, w, f->param_count == 3 ? 6 : 4);
}

static void sample_image(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    const HdType *image = param_type(r, f, 0), *result = hd_module_type(r->m, f->result_type);
    bool has_gradients = f->param_count == 5;
    uint32_t both = hd_declared_type(&r->declared, SpvOpTypeSampledImage, &image->id, 1);
    uint32_t w[7] = {f->result_type,
                     p->result,
                     emit(r, SpvOpSampledImage, both, params[0], params[1]),
                     params[2],
                     has_gradients ? SpvImageOperandsGradMask : SpvImageOperandsLodMask,
                     f->param_count == 3 ? zero(r) : params[3],
                     params[4]};

    if (result != NULL && result->kind == HD_T_FLOAT) { /* depth: the first of four components */
        const uint32_t vector[2] = {float_type(r), 4};
        uint32_t part[4] = {f->result_type, p->result, r->bound++, 0};

        w[0] = hd_declared_type(&r->declared, SpvOpTypeVector, vector, 2);
        w[1] = part[2];
        hd_writer_inst(&r->bodies, SpvOpImageSampleExplicitLod, w, has_gradients ? 7 : 6);
        hd_writer_inst(&r->bodies, SpvOpCompositeExtract, part, 4);
        return;
    }
    hd_writer_inst(&r->bodies, SpvOpImageSampleExplicitLod, w, has_gradients ? 7 : 6);
}

static void write_image(Resolve *r, const HdFunction *f, const uint32_t *params)
{
    bool has_level = f->param_count == 4;
    uint32_t w[5] = {params[0], params[1], params[has_level ? 3 : 2], SpvImageOperandsLodMask,
                     params[2]};

    hd_writer_inst(&r->bodies, SpvOpImageWrite, w, has_level ? 5 : 3);
}

/* clang declares some of these on pointers to bytes. */
static uint32_t atomic_pointer(Resolve *r, const HdFunction *f, uint32_t param)
{
    const HdType *t = param_type(r, f, 0);

    if (t == NULL || t->kind != HD_T_POINTER || t->is_untyped || hd_type_element(t) == NULL ||
        hd_type_element(t)->id == f->result_type)
        return param;
    return emit(r, SpvOpBitcast, hd_declared_pointer(&r->declared, t->storage, f->result_type),
                param, 0);
}

/* What a built-in variable has. */
static uint32_t item_type(Resolve *r, const HdItemName *name)
{
    const uint32_t number = hd_declared_int(&r->declared, name->is_size ? size_bits(r->m) : 32);

    if (!name->is_vector)
        return number;
    return hd_declared_type(&r->declared, SpvOpTypeVector, (const uint32_t[]){number, 3}, 2);
}

static void write_variables(Resolve *r)
{
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        uint32_t words[3] = {0, r->items[i], SpvStorageClassInput};

        if (!makes_item(r, i))
            continue;
        words[0] = hd_declared_pointer(&r->declared, words[2], item_type(r, &hd_item_names[i]));
        hd_writer_inst(&r->globals, SpvOpVariable, words, 3);
    }
}

/* The variable, or of its three numbers the one that the first parameter names. */
static void write_item(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    const HdItemName *name = &hd_item_names[p->base];
    const uint32_t boolean = hd_declared_type(&r->declared, SpvOpTypeBool, NULL, 0);
    uint32_t w[5] = {f->result_type, p->result, r->items[p->base], 0, 0}, beyond[3];

    if (!name->is_vector) {
        hd_writer_inst(&r->bodies, SpvOpLoad, w, 3);
        return;
    }
    beyond[0] = f->result_type;
    beyond[1] = name->beyond;
    beyond[2] = 0;
    w[4] = hd_declared_constant(&r->declared, SpvOpConstant, beyond, size_bits(r->m) / 32 + 1);
    w[2] = emit(r, SpvOpULessThan, boolean, params[0], constant(r, 3));
    {
        uint32_t inside[5] = {u32_type(r), r->bound++, w[2], params[0], constant(r, 0)};
        uint32_t all = emit(r, SpvOpLoad, item_type(r, name), r->items[p->base], 0);

        hd_writer_inst(&r->bodies, SpvOpSelect, inside, 5);
        w[3] = emit(r, SpvOpVectorExtractDynamic, f->result_type, all, inside[1]);
    }
    hd_writer_inst(&r->bodies, SpvOpSelect, w, 5);
}

static void write_standard(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    uint32_t w[4 + MAX_PARAMS] = {f->result_type, p->result, r->standard, p->opcode};

    memcpy(w + 4, params, f->param_count * sizeof *w);
    hd_writer_inst(&r->bodies, SpvOpExtInst, w, 4 + f->param_count);
}

static void write_operation(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    uint32_t w[6] = {f->result_type, p->result, params[0], 0, 0, 0};

    switch (p->kind) {
    case CONVERT: hd_writer_inst(&r->bodies, p->opcode, w, 3); break;
    case TO_SPACE:
        w[3] = hd_module_type(r->m, f->result_type)->storage;
        hd_writer_inst(&r->bodies, p->opcode, w, 4);
        break;
    case ATOMIC:
    case ATOMIC_ONE:
        w[2] = atomic_pointer(r, f, params[0]);
        w[3] = constant(r, p->scope);
        w[4] = constant(r, p->semantics);
        w[5] = params[1];
        hd_writer_inst(&r->bodies, p->opcode, w, p->kind == ATOMIC ? 6 : 5);
        break;
    case CONTROL:
        w[0] = w[1] = constant(r, p->scope);
        w[2] = constant(r, p->semantics);
        hd_writer_inst(&r->bodies, p->opcode, w, 3);
        break;
    case FENCE:
        w[0] = constant(r, p->scope);
        w[1] = constant(r, p->semantics);
        hd_writer_inst(&r->bodies, p->opcode, w, 2);
        break;
    case GET_FENCE:
        /* Memory semantics 0x100 (Workgroup) and 0x200 (CrossWorkgroup) are flags 1 and 2. */
        w[2] = emit(r, p->opcode, u32_type(r), params[0], 0);
        w[2] = emit(r, SpvOpShiftRightLogical, u32_type(r), w[2], constant(r, 8));
        w[3] = constant(r, 3);
        hd_writer_inst(&r->bodies, SpvOpBitwiseAnd, w, 4);
        break;
    case READ_IMAGE: read_texel(r, f, p, params); break;
    case SAMPLE_IMAGE: sample_image(r, f, p, params); break;
    case WRITE_IMAGE: write_image(r, f, params); break;
    case IMAGE_QUERY:
        w[2] = emit(r, p->opcode, f->result_type, params[0], 0);
        w[3] = constant(r, p->base);
        hd_writer_inst(&r->bodies, SpvOpIAdd, w, 4);
        break;
    case ITEM: write_item(r, f, p, params); break;
    case STANDARD: write_standard(r, f, p, params); break;
    case NONE: break;
    }
}

static void write_body(Resolve *r, const HdFunction *f, const Plan *p)
{
    HdInst in = hd_module_inst(r->m, f->word);
    uint32_t params[MAX_PARAMS] = {0}, label = r->bound++;
    const HdType *result = hd_module_type(r->m, f->result_type);

    hd_writer_copy(&r->bodies, &in);
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst param = hd_function_param(r->m, f, i);

        if (i < MAX_PARAMS)
            params[i] = param.w[2];
        hd_writer_copy(&r->bodies, &param);
    }
    hd_writer_inst(&r->bodies, SpvOpLabel, &label, 1);
    write_operation(r, f, p, params);
    if (result != NULL && result->kind == HD_T_VOID)
        hd_writer_inst(&r->bodies, SpvOpReturn, NULL, 0);
    else
        hd_writer_inst(&r->bodies, SpvOpReturnValue, &p->result, 1);
    hd_writer_inst(&r->bodies, SpvOpFunctionEnd, NULL, 0);
}

/* Import decorations of what is now defined go. */
static bool is_dropped(const Resolve *r, const HdInst *in)
{
    const HdFunction *f;

    if (in->opix != HD_OPIX_Decorate || in->nwords <= 3 ||
        in->w[2] != SpvDecorationLinkageAttributes)
        return false;
    f = hd_module_function(r->m, in->w[1]);
    return f != NULL && r->plans[f - r->m->functions].kind != NONE;
}

/* Is there a body that needs the capability, and the module does not have it? */
static bool lacks(const Resolve *r, uint32_t capability)
{
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].kind != NONE && r->plans[f].capability == capability)
            return !hd_module_has_capability(r->m, capability);
    return false;
}

/* Capabilities that the new bodies need; after the module's own. */
static void write_capabilities(Resolve *r)
{
    static const uint32_t all[] = {SpvCapabilityInt64Atomics, SpvCapabilityAtomicFloat16MinMaxEXT,
                                   SpvCapabilityAtomicFloat32MinMaxEXT,
                                   SpvCapabilityAtomicFloat64MinMaxEXT};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lacks(r, all[i]))
            hd_writer_inst(r->out, SpvOpCapability, &all[i], 1);
}

/* The extension that those of floats come with, unless the module declares it. */
static void write_extension(Resolve *r)
{
    static const char name[] = "SPV_EXT_shader_atomic_float_min_max";
    uint32_t words[(sizeof name + 3) / 4] = {0}, word = HD_MODULE_FIRST_WORD;
    bool is_needed = false;

    for (uint32_t f = 0; f < r->m->function_count; f++)
        is_needed = is_needed || (r->plans[f].capability != 0 &&
                                  r->plans[f].capability != SpvCapabilityInt64Atomics);
    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);)
        if (in.opix == HD_OPIX_Extension && strcmp(hd_inst_string(&in, 1), name) == 0)
            is_needed = false;
    if (!is_needed)
        return;
    memcpy(words, name, sizeof name);
    hd_writer_inst(r->out, SpvOpExtension, words, sizeof words / 4);
}

static bool opens_types(const HdInst *in)
{
    return (in->opix != HD_OPIX_NONE &&
            hd_gram_insts[in->opix].klass == HD_CLASS_Type_Declaration) ||
           (in->opix != HD_OPIX_NONE &&
            hd_gram_insts[in->opix].klass == HD_CLASS_Constant_Creation);
}

/* An entry point with the variables that bodies read in its interface. */
static void write_entry(Resolve *r, const HdInst *in, const HdEntryPoint *e)
{
    hd_writer_begin(r->out, SpvOpEntryPoint);
    for (uint32_t i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, in->w[i]);
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        bool has = r->items[i] == 0;

        for (uint32_t k = 0; k < e->interface_count; k++)
            has = has || e->interface[k] == r->items[i];
        if (!has)
            hd_writer_word(r->out, r->items[i]);
    }
    hd_writer_end(r->out);
}

static void write_import(Resolve *r)
{
    if (!r->makes_standard)
        return;
    hd_writer_begin(r->out, SpvOpExtInstImport);
    hd_writer_word(r->out, r->standard);
    hd_writer_string(r->out, "OpenCL.std", 10);
    hd_writer_end(r->out);
}

static void write_module(Resolve *r)
{
    uint32_t entry = 0;
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool decorated = false, capable = false;

    hd_writer_start(r->out, r->m->version, r->m->generator, r->bound);
    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);) {
        if (!capable && in.opix != HD_OPIX_Capability) {
            write_capabilities(r);
            write_extension(r);
            capable = true;
        }
        if (!decorated && opens_types(&in)) {
            write_decorations(r);
            decorated = true;
        }
        if (in.opix == HD_OPIX_MemoryModel)
            write_import(r);
        if (entry < r->m->entry_count && in.word == r->m->entries[entry].word)
            write_entry(r, &in, &r->m->entries[entry++]);
        else if (!is_dropped(r, &in))
            hd_writer_copy(r->out, &in);
    }
    hd_writer_append(r->out, &r->globals);
    word = r->m->first_function;
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        const HdFunction *fn = &r->m->functions[f];

        for (HdInst in; word < fn->word && hd_module_next(r->m, &word, &in);)
            hd_writer_copy(r->out, &in);
        for (HdInst in; word < fn->end && hd_module_next(r->m, &word, &in);)
            if (r->plans[f].kind == NONE)
                hd_writer_copy(r->out, &in);
    }
    for (HdInst in; hd_module_next(r->m, &word, &in);)
        hd_writer_copy(r->out, &in);
    /* Declarations precede definitions, so the new bodies come last. */
    hd_writer_append(r->out, &r->bodies);
    hd_writer_set_bound(r->out, r->bound);
}

static void write_bodies(Resolve *r)
{
    hd_declared_know(&r->declared, r->m);
    write_variables(r);
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].kind != NONE)
            write_body(r, &r->m->functions[f], &r->plans[f]);
}

HdStatus hd_xform_resolve(const HdModule *m, HdWriter *out, bool *done)
{
    HdArena *a = hd_arena_open();
    Resolve r = {.m = m, .out = out, .bound = m->bound};

    *done = false;
    *out = (HdWriter){0};
    if (a == NULL)
        return HD_NO_MEMORY;
    r.plans = HD_NEW(a, Plan, m->function_count + 1u);
    if (r.plans == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    r.declared = (HdDeclared){.arena = a, .out = &r.globals, .next = &r.bound};
    for (uint32_t f = 0; f < m->function_count; f++) {
        plan_function(&r, &m->functions[f], &r.plans[f]);
        *done = *done || r.plans[f].kind != NONE;
    }
    if (*done) {
        write_bodies(&r);
        write_module(&r);
    }
    out->failed = out->failed || r.declared.failed;
    hd_writer_free(&r.globals);
    hd_writer_free(&r.bodies);
    hd_arena_drop(a);
    if (out->failed) {
        hd_writer_free(out);
        return HD_NO_MEMORY;
    }
    return HD_OK;
}
