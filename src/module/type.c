/* module/type.c -- types resolved in one pass, and the layout that OpenCL gives them.
 *
 * A type refers only to types before it, but for pointers announced by OpTypeForwardPointer: those
 * get their HdType at the announcement and their pointee later, so the pass needs no recursion and
 * every cycle goes through a pointer, which has a size of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/type.h"

#include <string.h>

#include "module/private.h"

const HdType *hd_module_type(const HdModule *m, HdId id)
{
    return id < m->bound && m->types != NULL ? hd_table_get(&m->types->of, id, sizeof(HdType))
                                             : NULL;
}

const HdType *hd_module_type_of(const HdModule *m, HdId id)
{
    return hd_module_type(m, hd_module_type_id(m, id));
}

const HdType *hd_type_scalar(const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR ? t->element : t;
}

uint32_t hd_type_lanes(const HdType *t)
{
    return t->kind == HD_T_VECTOR ? t->count : 1;
}

uint64_t hd_type_stride(const HdModule *m, const HdType *t)
{
    const HdDecoration *d;

    if (t->element == NULL)
        return 0;
    d = t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY
            ? hd_module_decoration(m, t->id, SpvDecorationArrayStride)
            : NULL;
    return d != NULL && d->operand_count != 0 && d->operands[0] != 0 ? d->operands[0]
                                                                     : t->element->size;
}

uint64_t hd_type_parts(const HdType *t)
{
    switch (t->kind) {
    case HD_T_ARRAY: return t->length;
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_STRUCT: return t->count;
    default: return 0;
    }
}

const HdType *hd_type_part(const HdType *t, uint64_t i)
{
    if (i >= hd_type_parts(t))
        return NULL;
    return t->kind == HD_T_STRUCT ? t->members[i] : t->element;
}

/* ---- layout -------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n, uint64_t align)
{
    return align == 0 ? n : (n + align - 1) / align * align;
}

/* Sizes saturate: nothing that large can be allocated, so the exact number does not matter. */
#define MAX_SIZE ((uint64_t)1 << 62)

static void layout_struct(const HdModule *m, HdType *t, uint64_t *offsets)
{
    bool packed = hd_module_decoration(m, t->id, SpvDecorationCPacked) != NULL;
    uint64_t end = 0;
    uint32_t align = 1;

    for (uint32_t i = 0; i < t->count; i++) {
        const HdType *member = t->members[i];
        const HdDecoration *d = hd_module_member_decoration(m, t->id, i, SpvDecorationOffset);
        uint64_t at = packed ? end : round_up(end, member->align);

        if (d != NULL && d->operand_count != 0)
            at = d->operands[0];
        offsets[i] = at;
        if (at + member->size > end)
            end = at + member->size;
        if (end > MAX_SIZE)
            end = MAX_SIZE;
        if (!packed && member->align > align)
            align = member->align;
    }
    t->offsets = offsets;
    t->align = align;
    t->size = round_up(end, align);
}

/* Spec: OpenCL C, "Aligned Data Types": a vector is aligned to its size, one of 3 components takes
 * the place of 4. */
/* As large as its alignment: three components take the room of four, seven that of eight. */
static void layout_vector(HdType *t)
{
    for (t->align = 1; t->align < t->count * t->element->size;)
        t->align *= 2;
    t->size = t->align;
}

static void layout(const HdModule *m, HdType *t)
{
    switch (t->kind) {
    case HD_T_BOOL: t->size = t->align = 1; break;
    case HD_T_INT:
    case HD_T_FLOAT:
        for (t->size = 1; t->size * 8 < t->bits;)
            t->size *= 2;
        t->align = (uint32_t)t->size;
        break;
    case HD_T_VECTOR: layout_vector(t); break;
    case HD_T_MATRIX:
        t->align = t->element->align;
        t->size = t->element->size * t->count;
        break;
    case HD_T_ARRAY: {
        uint64_t stride = hd_type_stride(m, t);

        t->align = t->element->align;
        if (stride != 0 && t->length > MAX_SIZE / stride)
            t->size = MAX_SIZE;
        else
            t->size = stride * t->length;
        break;
    }
    case HD_T_RUNTIME_ARRAY: t->align = t->element->align; break;
    case HD_T_IMAGE:
    case HD_T_SAMPLER:
    case HD_T_EVENT:
    case HD_T_DEVICE_EVENT:
    case HD_T_RESERVE_ID:
    case HD_T_QUEUE:
    case HD_T_PIPE:
    case HD_T_PIPE_STORAGE:
    case HD_T_NAMED_BARRIER:
        /* Handles: variables of such types hold a host pointer. */
        t->size = t->align = 8;
        break;
    case HD_T_SAMPLED_IMAGE: /* both of its handles */
        t->size = 16;
        t->align = 8;
        break;
    default: break;
    }
}

/* ---- making types -------------------------------------------------------------------------- */

static HdStatus new_type(HdResolver *r, const HdInst *in, HdTypeKind kind, HdType **out)
{
    HdId id = in->w[1];

    HD_TAKE(*out, hd_table_new(r->a, &r->m->types->of, sizeof **out));
    (*out)->kind = kind;
    (*out)->id = id;
    (*out)->words = in->w;
    return HD_OK;
}

static void keep(HdResolver *r, HdType *t)
{
    layout(r->m, t);
    hd_table_keep(&r->m->types->of, t->id);
}

static HdStatus pointer_of(HdResolver *r, HdId id, uint32_t storage, const HdInst *in, HdType **out)
{
    HdType *t;

    HD_TAKE(t, hd_table_new(r->a, &r->m->types->of, sizeof *t));
    t->kind = HD_T_POINTER;
    t->id = id;
    t->storage = storage;
    t->bits = r->m->addressing == SpvAddressingModelPhysical32 ? 32 : 64;
    t->size = t->align = t->bits / 8;
    t->words = in->w;
    hd_table_keep(&r->m->types->of, id);
    *out = t;
    return HD_OK;
}

static HdStatus resolve_pointer(HdResolver *r, const HdInst *in)
{
    const HdType *pointee;
    HdType *t;

    if (in->opix == HD_OPIX_TypeForwardPointer) {
        if (in->w[1] < r->m->bound && r->m->types->of.at[in->w[1]] == 0)
            return pointer_of(r, in->w[1], in->w[2], in, &t);
        return HD_OK;
    }
    if (in->opix == HD_OPIX_TypeUntypedPointerKHR) {
        HD_TRY(pointer_of(r, in->w[1], in->w[2], in, &t));
        t->is_untyped = true;
        return HD_OK;
    }
    pointee = hd_module_type(r->m, in->w[3]);
    /* The announced one is completed in place: others may hold it. */
    t = hd_table_get(&r->m->types->of, in->w[1], sizeof *t);
    if (pointee == NULL) {
        r->m->types->of.at[in->w[1]] = 0;
        return HD_OK;
    }
    if (t == NULL || t->storage != in->w[2])
        HD_TRY(pointer_of(r, in->w[1], in->w[2], in, &t));
    t->element = pointee;
    t->words = in->w;
    return HD_OK;
}

/* A type that can be a part of another: everything with values of its own. */
static bool can_be_part(const HdType *t)
{
    return t != NULL && t->kind != HD_T_VOID && t->kind != HD_T_FUNCTION;
}

static HdStatus resolve_struct(HdResolver *r, const HdInst *in)
{
    HdType *t;
    uint64_t *offsets;

    for (uint32_t i = 2; i < in->nwords; i++)
        if (!can_be_part(hd_module_type(r->m, in->w[i])))
            return HD_OK;
    HD_TRY(new_type(r, in, HD_T_STRUCT, &t));
    t->count = (uint32_t)in->nwords - 2;
    HD_TAKE(t->members, HD_NEW(r->a, const HdType *, t->count));
    HD_TAKE(offsets, HD_NEW(r->a, uint64_t, t->count));
    for (uint32_t i = 0; i < t->count; i++)
        t->members[i] = hd_module_type(r->m, in->w[i + 2]);
    keep(r, t);
    layout_struct(r->m, t, offsets);
    return HD_OK;
}

static HdStatus resolve_function_type(HdResolver *r, const HdInst *in)
{
    HdType *t;

    for (uint32_t i = 2; i < in->nwords; i++) {
        const HdType *part = hd_module_type(r->m, in->w[i]);

        if (part == NULL || part->kind == HD_T_FUNCTION || (i > 2 && part->kind == HD_T_VOID))
            return HD_OK;
    }
    HD_TRY(new_type(r, in, HD_T_FUNCTION, &t));
    t->element = hd_module_type(r->m, in->w[2]);
    t->count = (uint32_t)in->nwords - 3;
    HD_TAKE(t->members, HD_NEW(r->a, const HdType *, t->count));
    for (uint32_t i = 0; i < t->count; i++)
        t->members[i] = hd_module_type(r->m, in->w[i + 3]);
    keep(r, t);
    return HD_OK;
}

static HdStatus resolve_array(HdResolver *r, const HdInst *in)
{
    const HdType *element = hd_module_type(r->m, in->w[2]);
    uint64_t length = 0;
    HdType *t;

    if (!can_be_part(element))
        return HD_OK;
    if (in->opix == HD_OPIX_TypeArray && !hd_module_constant_u64(r->m, in->w[3], &length))
        return HD_OK;
    HD_TRY(new_type(r, in, in->opix == HD_OPIX_TypeArray ? HD_T_ARRAY : HD_T_RUNTIME_ARRAY, &t));
    t->element = element;
    t->length = length;
    t->count = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    keep(r, t);
    return HD_OK;
}

static HdStatus resolve_vector(HdResolver *r, const HdInst *in)
{
    const HdType *element = hd_module_type(r->m, in->w[2]);
    bool matrix = in->opix == HD_OPIX_TypeMatrix;
    uint64_t length;
    HdType *t;

    if (in->opix == HD_OPIX_TypeVectorIdEXT) {
        if (!hd_module_constant_u64(r->m, in->w[3], &length))
            return HD_OK;
    } else {
        length = in->w[3];
    }
    if (element == NULL || length == 0 || length > 65535)
        return HD_OK;
    if (matrix ? element->kind != HD_T_VECTOR
               : element->kind != HD_T_BOOL && element->kind != HD_T_INT &&
                     element->kind != HD_T_FLOAT && element->kind != HD_T_POINTER)
        return HD_OK;
    HD_TRY(new_type(r, in, matrix ? HD_T_MATRIX : HD_T_VECTOR, &t));
    t->element = element;
    t->count = (uint32_t)length;
    keep(r, t);
    return HD_OK;
}

static HdStatus resolve_number(HdResolver *r, const HdInst *in)
{
    HdType *t;

    if (in->w[2] == 0 || in->w[2] > 64)
        return HD_OK;
    HD_TRY(new_type(r, in, in->opix == HD_OPIX_TypeInt ? HD_T_INT : HD_T_FLOAT, &t));
    t->bits = in->w[2];
    if (t->kind == HD_T_INT)
        t->is_signed = in->w[3] != 0;
    else
        t->encoding = (uint16_t)(in->nwords > 3 ? in->w[3] + 1 : 0);
    keep(r, t);
    return HD_OK;
}

static HdStatus resolve_plain(HdResolver *r, const HdInst *in, HdTypeKind kind)
{
    HdType *t;

    HD_TRY(new_type(r, in, kind, &t));
    if (kind == HD_T_IMAGE || kind == HD_T_SAMPLED_IMAGE)
        t->element = hd_module_type(r->m, in->w[2]);
    keep(r, t);
    return HD_OK;
}

HdStatus hd_resolve_type(HdResolver *r, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_TypeVoid: return resolve_plain(r, in, HD_T_VOID);
    case HD_OPIX_TypeBool: return resolve_plain(r, in, HD_T_BOOL);
    case HD_OPIX_TypeInt:
    case HD_OPIX_TypeFloat: return resolve_number(r, in);
    case HD_OPIX_TypeVector:
    case HD_OPIX_TypeVectorIdEXT:
    case HD_OPIX_TypeMatrix: return resolve_vector(r, in);
    case HD_OPIX_TypeArray:
    case HD_OPIX_TypeRuntimeArray: return resolve_array(r, in);
    case HD_OPIX_TypeStruct: return resolve_struct(r, in);
    case HD_OPIX_TypeFunction: return resolve_function_type(r, in);
    case HD_OPIX_TypePointer:
    case HD_OPIX_TypeForwardPointer:
    case HD_OPIX_TypeUntypedPointerKHR: return resolve_pointer(r, in);
    case HD_OPIX_TypeImage: return resolve_plain(r, in, HD_T_IMAGE);
    case HD_OPIX_TypeSampler: return resolve_plain(r, in, HD_T_SAMPLER);
    case HD_OPIX_TypeSampledImage: return resolve_plain(r, in, HD_T_SAMPLED_IMAGE);
    case HD_OPIX_TypeEvent: return resolve_plain(r, in, HD_T_EVENT);
    case HD_OPIX_TypeDeviceEvent: return resolve_plain(r, in, HD_T_DEVICE_EVENT);
    case HD_OPIX_TypeReserveId: return resolve_plain(r, in, HD_T_RESERVE_ID);
    case HD_OPIX_TypeQueue: return resolve_plain(r, in, HD_T_QUEUE);
    case HD_OPIX_TypePipe: return resolve_plain(r, in, HD_T_PIPE);
    case HD_OPIX_TypePipeStorage: return resolve_plain(r, in, HD_T_PIPE_STORAGE);
    case HD_OPIX_TypeNamedBarrier: return resolve_plain(r, in, HD_T_NAMED_BARRIER);
    case HD_OPIX_TypeOpaque: return resolve_plain(r, in, HD_T_OPAQUE);
    default: return resolve_plain(r, in, HD_T_OTHER);
    }
}
