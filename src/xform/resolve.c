/* xform/resolve.c -- imported functions with an OpenCL built-in's name get a body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/resolve.h"

#include <string.h>

#include "module/constant.h"
#include "module/type.h"
#include "xform/builtin_name.h"

/* What a body is made of. */
typedef enum Kind {
    NONE,
    CONVERT,     /* one conversion */
    ATOMIC,      /* pointer, value: one read-modify-write */
    ATOMIC_ONE,  /* pointer: increment or decrement */
    CONTROL,     /* sub_group_barrier(flags) */
    FENCE,       /* mem_fence(flags) */
    GET_FENCE,   /* pointer to fence flags */
    TO_SPACE,    /* generic pointer to one of another storage class, or null */
    READ_IMAGE,  /* image[, sampler], coordinate[, level, gradients or sample] */
    WRITE_IMAGE, /* image, coordinate[, level], texel */
    IMAGE_QUERY  /* image: SPIR-V's enumerant made OpenCL C's */
} Kind;

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
    uint32_t pointer;    /* ATOMIC: type that the pointer is cast to; 0 = it fits */
    bool own_pointer;    /* that type is made here */
    uint32_t capability; /* that the opcode needs; 0 = none */
    uint32_t sampled;    /* READ_IMAGE with a sampler: type of both together */
    bool own_sampled;    /* that type is made here */
    uint32_t base;       /* IMAGE_QUERY: what is added */
} Plan;

typedef struct Resolve {
    const HdModule *m;
    HdWriter *out;
    Plan *plans; /* [functions] */
    uint32_t bound;
    uint32_t u32; /* id of the 32-bit integer type */
    bool own_u32;
    uint32_t f32, zero; /* the float type and its 0.0, where images are sampled */
    bool own_f32;
    uint32_t v4f; /* four floats, where depth is sampled */
    bool own_v4f;
    uint32_t constants[16], constant_values[16];
    unsigned constant_count;
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

/* Storage class of a function's first parameter; UINT32_MAX when that is no pointer. */
static uint32_t pointer_storage(const HdModule *m, const HdFunction *f)
{
    HdInst param = hd_function_param(m, f, 0);
    const HdType *t = hd_module_type(m, param.w[1]);

    return t != NULL && t->kind == HD_T_POINTER ? t->storage : UINT32_MAX;
}

/* The type that a pointer to `pointee` has in the module, or a new id for it. */
static uint32_t pointer_type(Resolve *r, uint32_t storage, uint32_t pointee, bool *is_new)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);)
        if (in.opix == HD_OPIX_TypePointer && in.w[2] == storage && in.w[3] == pointee)
            return in.w[1];
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].own_pointer && r->m->functions[f].result_type == pointee &&
            pointer_storage(r->m, &r->m->functions[f]) == storage)
            return r->plans[f].pointer;
    *is_new = true;
    return r->bound++;
}

/* clang declares some of these on pointers to bytes. */
static void plan_pointer(Resolve *r, const HdFunction *f, Plan *p)
{
    HdInst param = hd_function_param(r->m, f, 0);
    const HdType *t = hd_module_type(r->m, param.w[1]);

    if (t == NULL || t->kind != HD_T_POINTER || t->is_untyped || t->element == NULL ||
        t->element->id == f->result_type)
        return;
    p->pointer = pointer_type(r, t->storage, f->result_type, &p->own_pointer);
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
        from->storage != SpvStorageClassGeneric || to->element != from->element)
        return false;
    p->kind = TO_SPACE;
    p->opcode = SpvOpGenericCastToPtrExplicit;
    return true;
}

static const HdType *param_type(const Resolve *r, const HdFunction *f, uint32_t i)
{
    return i < f->param_count ? hd_module_type(r->m, hd_function_param(r->m, f, i).w[1]) : NULL;
}

/* The type of an image together with a sampler: the module's, or a new one. */
static void plan_sampled(Resolve *r, const HdType *image, Plan *p)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);) {
        if (in.opix == HD_OPIX_TypeSampledImage && in.w[2] == image->id)
            p->sampled = in.w[1];
        if (in.opix == HD_OPIX_TypeFloat && in.w[2] == 32 && in.nwords == 3)
            r->f32 = in.w[1];
        if (in.opix == HD_OPIX_TypeVector && in.w[2] == r->f32 && in.w[3] == 4)
            r->v4f = in.w[1];
    }
    for (uint32_t f = 0; f < r->m->function_count && p->sampled == 0; f++)
        if (r->plans[f].own_sampled && param_type(r, &r->m->functions[f], 0) == image)
            p->sampled = r->plans[f].sampled;
    if (p->sampled == 0) {
        p->own_sampled = true;
        p->sampled = r->bound++;
    }
    if (r->f32 == 0) {
        r->own_f32 = true;
        r->f32 = r->bound++;
    }
    if (r->zero == 0)
        r->zero = r->bound++;
    if (r->v4f == 0 && hd_type_words(image)[4] == 1) {
        r->own_v4f = true;
        r->v4f = r->bound++;
    }
}

/* read_image…, write_image…, get_image_channel_order and -_data_type. */
static bool plan_image(Resolve *r, const HdFunction *f, const HdBuiltinName *n, Plan *p)
{
    const HdType *image = param_type(r, f, 0), *second = param_type(r, f, 1);

    if (image == NULL || image->kind != HD_T_IMAGE)
        return false;
    if (n->len > 10 && strncmp(n->base, "read_image", 10) == 0) {
        bool has_sampler = second != NULL && second->kind == HD_T_SAMPLER;

        if (f->param_count < (has_sampler ? 3 : 2) || f->param_count > (has_sampler ? 5 : 3))
            return false;
        p->kind = READ_IMAGE;
        if (has_sampler)
            plan_sampled(r, image, p);
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

/* What the fence flags of a function's calls order, all of them together; everything when one
 * call's are not known here. */
static uint32_t fenced_memory(const HdModule *m, const HdFunction *f)
{
    static const uint32_t memory[3] = {SpvMemorySemanticsWorkgroupMemoryMask,
                                       SpvMemorySemanticsCrossWorkgroupMemoryMask,
                                       SpvMemorySemanticsImageMemoryMask};
    uint32_t word = m->first_function, all = 0;
    uint64_t flags;

    for (HdInst in; hd_module_next(m, &word, &in);) {
        if (in.opix != HD_OPIX_FunctionCall || in.w[3] != f->id)
            continue;
        if (in.nwords < 5 || !hd_module_constant_u64(m, in.w[4], &flags))
            flags = 7;
        for (unsigned i = 0; i < 3; i++)
            all |= (flags >> i & 1) != 0 ? memory[i] : 0;
    }
    return all;
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
    p->kind = NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!hd_builtin_is(&n, rows[i].name))
            continue;
        p->kind = rows[i].kind;
        p->opcode = n.first.is_signed ? rows[i].signed_op : rows[i].unsigned_op;
        p->scope = p->kind == CONTROL ? SpvScopeSubgroup : SpvScopeDevice;
        p->semantics = rows[i].semantics;
        if (p->kind == CONTROL || p->kind == FENCE)
            p->semantics = SpvMemorySemanticsSequentiallyConsistentMask | fenced_memory(r->m, f);
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
    if (p->kind == ATOMIC || p->kind == ATOMIC_ONE)
        plan_pointer(r, f, p);
}

/* ---- constants ----------------------------------------------------------------------------------
 */

static void find_u32(Resolve *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);)
        if (in.opix == HD_OPIX_TypeInt && in.w[2] == 32 && in.w[3] == 0)
            r->u32 = in.w[1];
    if (r->u32 == 0) {
        r->own_u32 = true;
        r->u32 = r->bound++;
    }
}

static uint32_t constant(Resolve *r, uint32_t value)
{
    for (unsigned i = 0; i < r->constant_count; i++)
        if (r->constant_values[i] == value)
            return r->constants[i];
    r->constant_values[r->constant_count] = value;
    r->constants[r->constant_count] = r->bound++;
    return r->constants[r->constant_count++];
}

/* Every constant that a body may want, made before they are written. */
static void plan_constants(Resolve *r)
{
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        const Plan *p = &r->plans[f];

        if (p->kind == GET_FENCE) {
            constant(r, 8);
            constant(r, 3);
        } else if (p->kind == IMAGE_QUERY) {
            constant(r, p->base);
        } else if (p->kind != NONE && p->kind != CONVERT && p->kind != TO_SPACE &&
                   p->kind != READ_IMAGE && p->kind != WRITE_IMAGE) {
            constant(r, p->scope);
            constant(r, p->semantics);
        }
    }
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void decorate(Resolve *r, uint32_t id, uint32_t decoration, uint32_t operand,
                     bool has_operand)
{
    uint32_t words[3] = {id, decoration, operand};

    hd_writer_inst(r->out, SpvOpDecorate, words, has_operand ? 3 : 2);
}

static void write_decorations(Resolve *r)
{
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

static void write_types_and_constants(Resolve *r)
{
    if (r->own_u32) {
        uint32_t type[3] = {r->u32, 32, 0};

        hd_writer_inst(r->out, SpvOpTypeInt, type, 3);
    }
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].own_pointer) {
            const HdFunction *fn = &r->m->functions[f];
            uint32_t words[3] = {r->plans[f].pointer, pointer_storage(r->m, fn), fn->result_type};

            hd_writer_inst(r->out, SpvOpTypePointer, words, 3);
        }
    if (r->own_f32) {
        uint32_t type[2] = {r->f32, 32};

        hd_writer_inst(r->out, SpvOpTypeFloat, type, 2);
    }
    if (r->own_v4f) {
        uint32_t type[3] = {r->v4f, r->f32, 4};

        hd_writer_inst(r->out, SpvOpTypeVector, type, 3);
    }
    if (r->zero != 0) {
        uint32_t words[3] = {r->f32, r->zero, 0};

        hd_writer_inst(r->out, SpvOpConstant, words, 3);
    }
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].own_sampled) {
            uint32_t type[2] = {r->plans[f].sampled, param_type(r, &r->m->functions[f], 0)->id};

            hd_writer_inst(r->out, SpvOpTypeSampledImage, type, 2);
        }
    for (unsigned i = 0; i < r->constant_count; i++) {
        uint32_t words[3] = {r->u32, r->constants[i], r->constant_values[i]};

        hd_writer_inst(r->out, SpvOpConstant, words, 3);
    }
}

static void write_read(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    uint32_t w[8] = {f->result_type, p->result}, count;

    if (p->sampled == 0) {
        w[2] = params[0];
        w[3] = params[1];
        w[4] = hd_type_words(param_type(r, f, 0))[6] == 1 ? SpvImageOperandsSampleMask
                                                          : SpvImageOperandsLodMask;
        w[5] = params[2];
        hd_writer_inst(r->out, SpvOpImageRead, w, f->param_count == 3 ? 6 : 4);
        return;
    }
    w[2] = r->bound++;
    {
        uint32_t both[4] = {p->sampled, w[2], params[0], params[1]};

        hd_writer_inst(r->out, SpvOpSampledImage, both, 4);
    }
    w[3] = params[2];
    w[4] = f->param_count == 5 ? SpvImageOperandsGradMask : SpvImageOperandsLodMask;
    w[5] = f->param_count == 3 ? r->zero : params[3];
    w[6] = params[4];
    count = f->param_count == 5 ? 7 : 6;
    if (f->result_type == r->f32) { /* depth: the first of four components */
        uint32_t part[4] = {f->result_type, p->result, r->bound++, 0};

        w[0] = r->v4f;
        w[1] = part[2];
        hd_writer_inst(r->out, SpvOpImageSampleExplicitLod, w, count);
        hd_writer_inst(r->out, SpvOpCompositeExtract, part, 4);
        return;
    }
    hd_writer_inst(r->out, SpvOpImageSampleExplicitLod, w, count);
}

static void write_image(Resolve *r, const HdFunction *f, const uint32_t *params)
{
    bool has_level = f->param_count == 4;
    uint32_t w[5] = {params[0], params[1], params[has_level ? 3 : 2], SpvImageOperandsLodMask,
                     params[2]};

    hd_writer_inst(r->out, SpvOpImageWrite, w, has_level ? 5 : 3);
}

static void write_operation(Resolve *r, const HdFunction *f, const Plan *p, const uint32_t *params)
{
    uint32_t w[6] = {f->result_type, p->result, params[0], 0, 0, 0};

    if (p->pointer != 0) {
        uint32_t cast[3] = {p->pointer, r->bound++, params[0]};

        hd_writer_inst(r->out, SpvOpBitcast, cast, 3);
        w[2] = cast[1];
    }
    switch (p->kind) {
    case CONVERT: hd_writer_inst(r->out, p->opcode, w, 3); break;
    case TO_SPACE:
        w[3] = hd_module_type(r->m, f->result_type)->storage;
        hd_writer_inst(r->out, p->opcode, w, 4);
        break;
    case ATOMIC:
    case ATOMIC_ONE:
        w[3] = constant(r, p->scope);
        w[4] = constant(r, p->semantics);
        w[5] = params[1];
        hd_writer_inst(r->out, p->opcode, w, p->kind == ATOMIC ? 6 : 5);
        break;
    case CONTROL:
        w[0] = w[1] = constant(r, p->scope);
        w[2] = constant(r, p->semantics);
        hd_writer_inst(r->out, p->opcode, w, 3);
        break;
    case FENCE:
        w[0] = constant(r, p->scope);
        w[1] = constant(r, p->semantics);
        hd_writer_inst(r->out, p->opcode, w, 2);
        break;
    case GET_FENCE: {
        /* Memory semantics 0x100 (Workgroup) and 0x200 (CrossWorkgroup) are flags 1 and 2. */
        uint32_t shift[4] = {r->u32, r->bound++, 0, constant(r, 8)};
        uint32_t mask[4] = {f->result_type, p->result, shift[1], constant(r, 3)};
        uint32_t semantics[3] = {r->u32, r->bound++, params[0]};

        shift[2] = semantics[1];
        hd_writer_inst(r->out, p->opcode, semantics, 3);
        hd_writer_inst(r->out, SpvOpShiftRightLogical, shift, 4);
        hd_writer_inst(r->out, SpvOpBitwiseAnd, mask, 4);
        break;
    }
    case READ_IMAGE: write_read(r, f, p, params); break;
    case WRITE_IMAGE: write_image(r, f, params); break;
    case IMAGE_QUERY: {
        uint32_t query[3] = {f->result_type, r->bound++, params[0]};
        uint32_t sum[4] = {f->result_type, p->result, query[1], constant(r, p->base)};

        hd_writer_inst(r->out, p->opcode, query, 3);
        hd_writer_inst(r->out, SpvOpIAdd, sum, 4);
        break;
    }
    case NONE: break;
    }
}

static void write_body(Resolve *r, const HdFunction *f, const Plan *p)
{
    HdInst in = hd_module_inst(r->m, f->word);
    uint32_t params[5] = {0}, label = r->bound++;
    bool is_void = p->kind == CONTROL || p->kind == FENCE || p->kind == WRITE_IMAGE;

    hd_writer_copy(r->out, &in);
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst param = hd_function_param(r->m, f, i);

        if (i < 5)
            params[i] = param.w[2];
        hd_writer_copy(r->out, &param);
    }
    hd_writer_inst(r->out, SpvOpLabel, &label, 1);
    write_operation(r, f, p, params);
    if (is_void)
        hd_writer_inst(r->out, SpvOpReturn, NULL, 0);
    else
        hd_writer_inst(r->out, SpvOpReturnValue, &p->result, 1);
    hd_writer_inst(r->out, SpvOpFunctionEnd, NULL, 0);
}

static uint32_t function_index(const Resolve *r, uint32_t id)
{
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->m->functions[f].id == id && r->plans[f].kind != NONE)
            return f;
    return UINT32_MAX;
}

/* Import decorations of what is now defined go. */
static bool is_dropped(const Resolve *r, const HdInst *in)
{
    return in->opix == HD_OPIX_Decorate && in->nwords > 3 &&
           in->w[2] == SpvDecorationLinkageAttributes && function_index(r, in->w[1]) != UINT32_MAX;
}

/* Capabilities that the new bodies need; behind the module's own. */
static void write_capabilities(Resolve *r)
{
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        uint32_t capability = r->plans[f].capability;
        bool is_known = capability == 0 || hd_module_has_capability(r->m, capability);

        for (uint32_t k = 0; k < f; k++)
            is_known = is_known || r->plans[k].capability == capability;
        if (!is_known)
            hd_writer_inst(r->out, SpvOpCapability, &capability, 1);
    }
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

static void write_module(Resolve *r)
{
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
        if (!is_dropped(r, &in))
            hd_writer_copy(r->out, &in);
    }
    write_types_and_constants(r);
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
    /* Declarations stand before definitions, so the new bodies come last. */
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].kind != NONE)
            write_body(r, &r->m->functions[f], &r->plans[f]);
    hd_writer_set_bound(r->out, r->bound);
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
    for (uint32_t f = 0; f < m->function_count; f++) {
        plan_function(&r, &m->functions[f], &r.plans[f]);
        *done = *done || r.plans[f].kind != NONE;
    }
    if (*done) {
        find_u32(&r);
        plan_constants(&r);
        write_module(&r);
    }
    hd_arena_drop(a);
    if (out->failed) {
        hd_writer_free(out);
        return HD_NO_MEMORY;
    }
    return HD_OK;
}
