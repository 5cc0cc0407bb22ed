/* module/resolve_type.c -- types, found and resolved in one pass.
 *
 * A type refers only to earlier types, except for pointers declared by OpTypeForwardPointer: those
 * get their HdType at the declaration and their pointee later, so the pass needs no recursion and
 * every cycle goes through a pointer, which has a fixed size.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/type.h"

#include <string.h>

#include "base/pages.h"
#include "module/parts.h"
#include "module/private.h"

/* ---- making types -------------------------------------------------------------------------- */

/* Is it an HdLongType, which takes the place of two? */
static bool is_long(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_TypeInt: return in->w[2] > 64;
    case HD_OPIX_TypeVoid:
    case HD_OPIX_TypeBool:
    case HD_OPIX_TypeFloat:
    case HD_OPIX_TypeVector:
    case HD_OPIX_TypeVectorIdEXT:
    case HD_OPIX_TypeMatrix:
    case HD_OPIX_TypeRuntimeArray:
    case HD_OPIX_TypeStruct:
    case HD_OPIX_TypeFunction:
    case HD_OPIX_TypePointer:
    case HD_OPIX_TypeUntypedPointerKHR:
    case HD_OPIX_TypeSampler:
    case HD_OPIX_TypeSampledImage:
    case HD_OPIX_TypeEvent:
    case HD_OPIX_TypeDeviceEvent:
    case HD_OPIX_TypeReserveId:
    case HD_OPIX_TypeQueue:
    case HD_OPIX_TypePipeStorage:
    case HD_OPIX_TypeNamedBarrier:
    case HD_OPIX_TypeOpaque: return false;
    default: return true;
    }
}

static uint32_t places(const HdInst *in)
{
    return !hd_declares_type(in->opix) ? 0 : is_long(in) ? 2 : 1;
}

/* For each two words the place of the type that is declared there, counted in its stretch from 1
 * on.
 */
static HdStatus find_places(HdResolver *r)
{
    const HdModule *m = r->m;
    uint32_t word = HD_MODULE_FIRST_WORD, place = 0;

    HD_TAKE(r->places, hd_alloc_zero((size_t)m->first_function / 2 + 1));
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        if (hd_declares_type(in.opix))
            r->places[in.word / 2] = (uint8_t)(place - m->types->before[in.word / HD_STRETCH] + 1);
        place += places(&in);
    }
    return HD_OK;
}

HdStatus hd_place_types(HdResolver *r)
{
    const HdModule *m = r->m;
    HdTypeTable *types = m->types;
    uint32_t word = HD_MODULE_FIRST_WORD, stretch = 0, structs = 0, announced = 0;
    size_t bytes, more;

    HD_TAKE(types->in_epoch, hd_alloc_zero((size_t)m->nwords / 2 + 1));
    HD_TAKE(types->before,
            hd_alloc_zero(((size_t)m->nwords / HD_STRETCH + 1) * sizeof *types->before));
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        while (stretch < in.word / HD_STRETCH)
            types->before[++stretch] = types->count;
        types->count += places(&in);
        structs += in.opix == HD_OPIX_TypeStruct;
        announced += in.opix == HD_OPIX_TypeForwardPointer;
    }
    /* More are hardly ever used, and zeroed by the system where they are many. */
    bytes = (size_t)types->count * sizeof *types->at;
    more = ((size_t)structs + announced) * sizeof *types->at;
    HD_TAKE(types->at, hd_alloc_zero(bytes + more));
    hd_pages_use_all(types->at, bytes);
    types->more = types->count;
    return announced != 0 ? find_places(r) : HD_OK;
}

void hd_next_place(HdResolver *r, const HdInst *in)
{
    r->place += places(in);
}

/* From now on the id has a type, which is at the next place unless it has been announced. */
static HdType *next_type(HdResolver *r, const HdInst *in)
{
    HdTypeTable *types = r->m->types;

    types->in_epoch[in->word / 2] = (uint8_t)(r->place - types->before[in->word / HD_STRETCH] + 1);
    return &types->at[r->place];
}

static HdType *new_type(HdResolver *r, const HdInst *in, HdTypeKind kind)
{
    HdType *t = next_type(r, in);

    *t = (HdType){.kind = kind, .id = in->w[1]};
    return t;
}

static void set_element(HdType *t, const HdType *element)
{
    t->to_element = element != NULL ? (int32_t)(element - t) : 0;
}

static void make_pointer(HdResolver *r, const HdInst *in, HdType *t)
{
    bool small = r->m->addressing == SpvAddressingModelPhysical32;

    *t = (HdType){.kind = HD_T_POINTER,
                  .id = in->w[1],
                  .bits = small ? 32 : 64,
                  .align = small ? 4 : 8,
                  .storage = in->w[2]};
}

/* OpTypeForwardPointer. */
static HdStatus announce(HdResolver *r, const HdInst *in)
{
    HdModule *m = r->m;
    HdTypeTable *types = m->types;
    HdId id = in->w[1];
    uint32_t word = id < m->bound ? m->def[id] : 0;
    enum HdOpix opix = hd_module_opix(m, id);

    if (id >= m->bound || hd_module_type(m, id) != NULL)
        return HD_OK;
    if ((opix == HD_OPIX_TypePointer || opix == HD_OPIX_TypeUntypedPointerKHR) &&
        word < m->first_function) {
        types->in_epoch[word / 2] = r->places[word / 2];
        make_pointer(r, in, &types->at[types->before[word / HD_STRETCH] + r->places[word / 2] - 1]);
        return HD_OK;
    }
    make_pointer(r, in, &types->at[types->more]);
    return hd_map_put(r->a, &types->open, id, types->more++) ? HD_OK : HD_NO_MEMORY;
}

static void resolve_pointer(HdResolver *r, const HdInst *in)
{
    const HdType *pointee = NULL;
    HdType *t;

    if (in->opix == HD_OPIX_TypePointer) {
        pointee = hd_module_type(r->m, in->w[3]);
        if (pointee == NULL) {
            r->m->types->in_epoch[in->word / 2] = 0; /* others may hold what was announced */
            return;
        }
    }
    t = next_type(r, in);
    make_pointer(r, in, t);
    t->is_untyped = in->opix == HD_OPIX_TypeUntypedPointerKHR;
    set_element(t, pointee);
}

/* A type that can be a part of another: everything that has values. */
static bool can_be_part(const HdType *t)
{
    return t != NULL && t->kind != HD_T_VOID && t->kind != HD_T_FUNCTION;
}

static HdStatus resolve_struct(HdResolver *r, const HdInst *in)
{
    HdTypeTable *types = r->m->types;
    uint32_t count = hd_parts_count(r->m, in, 2);
    uint64_t size;
    HdType *t;

    for (uint32_t i = 0; i < count; i++)
        if (!can_be_part(hd_module_type(r->m, hd_parts_at(in->w, 2, i))))
            return HD_OK;
    t = new_type(r, in, HD_T_STRUCT);
    t->count = count;
    size = hd_lay_out_struct(r->m, t);
    t->is_apart = true;
    t->is_untyped = size > UINT32_MAX;
    if (t->is_untyped) {
        t->to_size = (int32_t)(&types->at[types->more] - t);
        *(HdTypeSize *)(void *)&types->at[types->more++] = (HdTypeSize){.size = size};
    } else {
        t->bytes = (uint32_t)size;
    }
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
    t = new_type(r, in, HD_T_FUNCTION);
    set_element(t, hd_module_type(r->m, in->w[2]));
    t->count = (uint32_t)in->nwords - 3;
    return HD_OK;
}

static HdStatus resolve_array(HdResolver *r, const HdInst *in)
{
    const HdType *element = hd_module_type(r->m, in->w[2]);
    uint64_t length = 0, stride, size;
    bool sized = in->opix == HD_OPIX_TypeArray;
    HdType *t;

    if (!can_be_part(element))
        return HD_OK;
    if (sized && !hd_module_constant_u64(r->m, in->w[3], &length))
        return HD_OK;
    t = new_type(r, in, sized ? HD_T_ARRAY : HD_T_RUNTIME_ARRAY);
    set_element(t, element);
    t->align = element->align;
    t->is_apart = true;
    if (!sized)
        return HD_OK;
    t->count = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    stride = length != 0 ? hd_type_stride(r->m, t) : 0;
    size = stride != 0 && length > HD_MAX_SIZE / stride ? HD_MAX_SIZE : stride * length;
    ((HdLongType *)(void *)t)->length = length;
    ((HdLongType *)(void *)t)->size = size;
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
                     element->kind != HD_T_WIDE_INT && element->kind != HD_T_FLOAT &&
                     element->kind != HD_T_POINTER)
        return HD_OK;
    t = new_type(r, in, matrix ? HD_T_MATRIX : HD_T_VECTOR);
    set_element(t, element);
    t->count = (uint32_t)length;
    hd_lay_out(r->m, t);
    return HD_OK;
}

/* Integers of any width are SPV_ALTERA_arbitrary_precision_integers'. */
static HdStatus resolve_number(HdResolver *r, const HdInst *in)
{
    HdTypeKind kind = in->opix == HD_OPIX_TypeInt ? HD_T_INT : HD_T_FLOAT;
    HdType *t;

    if (kind == HD_T_INT && in->w[2] > 64)
        kind = HD_T_WIDE_INT;
    if (in->w[2] == 0 || (kind == HD_T_FLOAT && in->w[2] > 64))
        return HD_OK;
    t = new_type(r, in, kind);
    if (kind == HD_T_WIDE_INT)
        ((HdLongType *)(void *)t)->words = in->w;
    t->bits = kind == HD_T_WIDE_INT ? 127 : in->w[2] & 0x7f;
    if (kind == HD_T_FLOAT)
        t->encoding = in->nwords > 3 ? in->w[3] + 1 : 0;
    else
        t->is_signed = in->w[3] != 0;
    hd_lay_out(r->m, t);
    return HD_OK;
}

static HdStatus resolve_plain(HdResolver *r, const HdInst *in, HdTypeKind kind)
{
    bool has_words = kind == HD_T_IMAGE || kind == HD_T_PIPE || kind == HD_T_OTHER;
    HdType *t;

    t = new_type(r, in, kind);
    if (has_words)
        ((HdLongType *)(void *)t)->words = in->w;
    if (kind == HD_T_IMAGE || kind == HD_T_SAMPLED_IMAGE)
        set_element(t, hd_module_type(r->m, in->w[2]));
    hd_lay_out(r->m, t);
    return HD_OK;
}

/* Words of OpTypeCooperativeMatrixKHR. */
enum { COMPONENT = 2, ROWS = 4, COLUMNS = 5 };

/* More elements are left to the grammar. */
#define MOST_ELEMENTS (UINT64_C(1) << 24)

static HdStatus resolve_cooperative(HdResolver *r, const HdInst *in)
{
    const HdType *element = hd_module_type(r->m, in->w[COMPONENT]);
    uint64_t rows, columns;
    HdType *t;

    t = new_type(r, in, HD_T_OTHER);
    ((HdLongType *)(void *)t)->words = in->w;
    if (element == NULL || (element->kind != HD_T_INT && element->kind != HD_T_FLOAT) ||
        !hd_module_constant_u64(r->m, in->w[ROWS], &rows) ||
        !hd_module_constant_u64(r->m, in->w[COLUMNS], &columns) || rows == 0 || columns == 0 ||
        rows > MOST_ELEMENTS || columns > MOST_ELEMENTS / rows)
        return HD_OK;
    set_element(t, element);
    t->count = (uint32_t)(rows * columns);
    hd_lay_out(r->m, t);
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
    case HD_OPIX_TypeForwardPointer: return announce(r, in);
    case HD_OPIX_TypePointer:
    case HD_OPIX_TypeUntypedPointerKHR: resolve_pointer(r, in); return HD_OK;
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
    case HD_OPIX_TypeCooperativeMatrixKHR: return resolve_cooperative(r, in);
    default: return resolve_plain(r, in, HD_T_OTHER);
    }
}

void hd_type_shape(const HdModule *m, const HdType *t, uint32_t *rows, uint32_t *columns)
{
    uint64_t n = 0;

    (void)hd_module_constant_u64(m, hd_type_words(t)[COLUMNS], &n);
    *columns = (uint32_t)n;
    *rows = n != 0 ? t->count / *columns : 0;
}
