/* val/explicit.c -- explicit layout: types that shaders keep in buffers declare their offsets.
 *
 * Types are visited from the variables that need it, each once. Sizes here are those of the
 * decorations, not OpenCL's.
 *
 * Spec: SPIR-V, "Validation Rules for Shader Capabilities": composite objects in StorageBuffer,
 * PhysicalStorageBuffer, Uniform and PushConstant; SPV_KHR_workgroup_memory_explicit_layout.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/bitset.h"
#include "module/decoration.h"
#include "val/rule.h"

#define SPEC "Validation Rules for Shader Capabilities"

typedef struct Member {
    uint64_t from, size;
    uint32_t index;
} Member;

typedef struct Explicit {
    HdVal *v;
    uint64_t *seen;  /* [bound] types that were visited */
    uint64_t *sizes; /* of structures, by number, in bytes; 0: not known, or not noted yet */
    /* Of arrays, by number: what the innermost one holds (NULL of other types), and the bytes
     * before the last element of its last element, and so on; 0: of one element, or not known. */
    const HdType **inner;
    uint64_t *before;
    bool *unknown;            /* the latter is not known */
    HD_ARRAY(Member) members; /* of the current one */
    HD_ARRAY(const HdType *) todo;
} Explicit;

static HdInst at_type(const HdVal *v, const HdType *t)
{
    return hd_module_inst(v->m, v->m->def[t->id]);
}

/* Bytes of a matrix whose stride and order are those of the member that holds it. */
static uint64_t matrix_size(const HdType *t, uint64_t stride, bool row_major)
{
    uint64_t lines = row_major ? hd_type_element(t)->count : t->count;
    uint64_t line = (uint64_t)hd_type_bits(hd_type_element(t)) / 8 *
                    (row_major ? t->count : hd_type_element(t)->count);

    return stride == 0 || lines == 0 ? 0 : stride * (lines - 1) + line;
}

/* Bytes that a value takes; 0 where it is not known or has no end. `stride`, `row_major`: of
 * matrices, from the member that holds it. Structures are known since note_sizes. */
static uint64_t size_of(const Explicit *x, const HdType *t, uint64_t stride, bool row_major)
{
    uint64_t before = 0, size = 0;

    if (t != NULL && t->kind == HD_T_ARRAY) {
        uint32_t number = hd_type_number(x->v->m, t);

        if (x->unknown[number])
            return 0;
        before = x->before[number];
        t = x->inner[number];
    }
    if (t == NULL)
        return 0;
    switch (t->kind) {
    case HD_T_INT:
    case HD_T_FLOAT: size = t->bits / 8; break;
    case HD_T_VECTOR: size = (uint64_t)hd_type_bits(t) / 8 * t->count; break;
    case HD_T_MATRIX: size = matrix_size(t, stride, row_major); break;
    case HD_T_STRUCT: size = x->sizes[hd_type_number(x->v->m, t)]; break;
    case HD_T_POINTER: size = t->storage == SpvStorageClassPhysicalStorageBuffer ? 8 : 0; break;
    default: break;
    }
    return size == 0 || __builtin_add_overflow(size, before, &size) ? 0 : size;
}

/* What says where a structure's member is; NULL: nothing does. */
typedef struct Place {
    const HdDecoration *offset, *stride;
    bool rows, columns;
} Place;

/* Member i's, of the structure's decorations; to be called for all members in order. */
static Place next_place(HdDecorations *x, uint32_t i)
{
    Place place = {0};

    for (; x->d != NULL && x->member == i; hd_decorations_step(x)) {
        switch (x->d->decoration) {
        case SpvDecorationOffset: place.offset = place.offset ? place.offset : x->d; break;
        case SpvDecorationMatrixStride: place.stride = place.stride ? place.stride : x->d; break;
        case SpvDecorationRowMajor: place.rows = true; break;
        case SpvDecorationColMajor: place.columns = true; break;
        default: break;
        }
    }
    return place;
}

static Member member_at(const Explicit *x, const HdType *t, uint32_t i, const Place *place)
{
    const HdModule *m = x->v->m;
    uint64_t stride = hd_decoration_value(m, place->stride);

    return (Member){.from = hd_decoration_value(m, place->offset),
                    .size = size_of(x, hd_type_member(m, t, i), stride, place->rows),
                    .index = i};
}

/* Arrays of arrays are walked once. */
static void note_array(Explicit *x, const HdType *t)
{
    const HdModule *m = x->v->m;
    const HdType *element = hd_type_element(t);
    uint32_t number = hd_type_number(m, t), below = hd_type_number(m, element);
    uint64_t step =
        hd_decoration_value(m, hd_module_decoration(m, t->id, SpvDecorationArrayStride));
    uint64_t length = hd_type_length(t);
    bool nested = element->kind == HD_T_ARRAY;

    x->inner[number] = nested ? x->inner[below] : element;
    x->unknown[number] = (nested && x->unknown[below]) || step == 0 || length == 0 ||
                         length > UINT32_MAX ||
                         __builtin_add_overflow(nested ? x->before[below] : 0, step * (length - 1),
                                                &x->before[number]);
}

/* The sizes of all structures, each from those of its members, which come before it. */
static HdStatus note_sizes(Explicit *x)
{
    const HdModule *m = x->v->m;
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TAKE(x->sizes, HD_NEW(x->v->pass, uint64_t, hd_type_number_bound(m)));
    HD_TAKE(x->before, HD_NEW(x->v->pass, uint64_t, hd_type_number_bound(m)));
    HD_TAKE(x->inner, HD_NEW(x->v->pass, const HdType *, hd_type_number_bound(m)));
    HD_TAKE(x->unknown, HD_NEW(x->v->pass, bool, hd_type_number_bound(m)));
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        const HdType *t = in.opix == HD_OPIX_TypeStruct || in.opix == HD_OPIX_TypeArray
                              ? hd_module_type(m, in.w[1])
                              : NULL;
        HdDecorations places;
        uint64_t size = 0, end;

        if (t != NULL && t->kind == HD_T_ARRAY)
            note_array(x, t);
        if (t == NULL || t->kind != HD_T_STRUCT)
            continue;
        places = hd_module_decorations(m, t->id);
        for (uint32_t i = 0; i < t->count; i++) {
            Place place = next_place(&places, i);
            Member member = member_at(x, t, i, &place);

            if (!__builtin_add_overflow(member.from, member.size, &end))
                size = end > size ? end : size;
        }
        x->sizes[hd_type_number(m, t)] = size;
    }
    return HD_OK;
}

static int by_offset(const void *x, const void *y)
{
    const Member *a = x, *b = y;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Mostly they are in order. */
static void sort_members(Member *members, uint32_t count)
{
    uint32_t i = 1;

    while (i < count && members[i - 1].from <= members[i].from)
        i++;
    if (i < count)
        qsort(members, count, sizeof *members, by_offset);
}

static const HdType *without_arrays(const HdType *t)
{
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    return t;
}

/* The same of a structure's member: arrays without length are not nested. */
static const HdType *held_by(const Explicit *x, const HdType *t)
{
    if (t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    if (t->kind == HD_T_ARRAY)
        t = x->inner[hd_type_number(x->v->m, t)];
    return t->kind == HD_T_RUNTIME_ARRAY ? without_arrays(t) : t;
}

/* A member that is a matrix, or arrays of matrices: the strides hold what they go over. */
static void check_matrix(Explicit *x, const HdInst *in, const HdType *t, uint32_t i,
                         const Place *place)
{
    HdVal *v = x->v;
    const HdType *matrix = held_by(x, t);
    uint64_t stride = hd_decoration_value(v->m, place->stride);
    uint64_t line = (uint64_t)hd_type_bits(hd_type_element(matrix)) / 8 *
                    (place->rows ? matrix->count : hd_type_element(matrix)->count);
    uint64_t size;

    if (place->stride == NULL || (!place->rows && !place->columns)) {
        (void)hd_val_fail_spec(v, in, "explicit.matrix", SPEC,
                               "member %u is a matrix without MatrixStride and RowMajor or "
                               "ColMajor, which buffers ask for",
                               (unsigned)i);
        return;
    }
    if (stride < line)
        (void)hd_val_fail_spec(v, in, "explicit.matrix", SPEC,
                               "MatrixStride %llu of member %u is less than the %llu bytes of a %s",
                               (unsigned long long)stride, (unsigned)i, (unsigned long long)line,
                               place->rows ? "row" : "column");
    size = size_of(x, t->kind == HD_T_RUNTIME_ARRAY ? hd_type_element(t) : t, stride, place->rows);
    for (; t != matrix && size != 0; t = hd_type_element(t)) {
        uint64_t step =
            hd_decoration_value(v->m, hd_module_decoration(v->m, t->id, SpvDecorationArrayStride));

        if (t->kind == HD_T_ARRAY)
            size -= step * (hd_type_length(t) - 1); /* an element's */
        if (step != 0 && step < size)
            (void)hd_val_fail_spec(v, in, "explicit.array-stride", SPEC,
                                   "ArrayStride %llu of member %u is less than an element's size",
                                   (unsigned long long)step, (unsigned)i);
    }
}

/* A structure without members, or an array of them, overlaps with nothing. */
static bool has_no_bytes(const HdType *t)
{
    return (t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY) && hd_type_size(t) == 0;
}

static HdStatus check_struct(Explicit *x, const HdType *t)
{
    HdVal *v = x->v;
    HdInst in = at_type(v, t);
    HdDecorations places = hd_module_decorations(v->m, t->id);
    Member *members;
    uint32_t count = 0;
    bool complete = true;

    x->members.count = 0;
    if (!HD_ARRAY_RESERVE(v->pass, &x->members, (size_t)t->count + 1))
        return HD_NO_MEMORY;
    members = x->members.at;
    for (uint32_t i = 0; i < t->count; i++) {
        Place place = next_place(&places, i);

        if (place.offset == NULL) {
            complete = false;
            (void)hd_val_fail_spec(v, &in, "explicit.offset", SPEC,
                                   "member %u has no Offset, which buffers ask for", (unsigned)i);
        }
        if (held_by(x, hd_type_member(v->m, t, i))->kind == HD_T_MATRIX)
            check_matrix(x, &in, hd_type_member(v->m, t, i), i, &place);
        members[count] = member_at(x, t, i, &place);
        count += !has_no_bytes(hd_type_member(v->m, t, i));
    }
    if (!complete)
        return HD_OK;
    sort_members(members, count);
    for (uint32_t i = 1; i < count; i++)
        if (members[i - 1].size > members[i].from - members[i - 1].from ||
            members[i - 1].from == members[i].from)
            (void)hd_val_fail_spec(v, &in, "explicit.overlap", SPEC, "members %u and %u overlap",
                                   (unsigned)members[i - 1].index, (unsigned)members[i].index);
    return HD_OK;
}

static HdStatus check_type(Explicit *x, const HdType *t)
{
    HdVal *v = x->v;
    HdInst in;

    switch (t->kind) {
    case HD_T_STRUCT:
        HD_TRY(check_struct(x, t));
        for (uint32_t i = 0; i < t->count; i++)
            HD_TRY_PUSH(v->pass, &x->todo, hd_type_member(v->m, t, i));
        return HD_OK;
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY: {
        uint64_t stride =
            hd_decoration_value(v->m, hd_module_decoration(v->m, t->id, SpvDecorationArrayStride));

        in = at_type(v, t);
        if (stride == 0)
            (void)hd_val_fail_spec(v, &in, "explicit.array-stride", SPEC,
                                   "the array has no ArrayStride, which buffers ask for");
        else if (stride < size_of(x, hd_type_element(t), 0, false))
            (void)hd_val_fail_spec(v, &in, "explicit.array-stride", SPEC,
                                   "ArrayStride %llu is less than an element's size",
                                   (unsigned long long)stride);
        HD_TRY_PUSH(v->pass, &x->todo, hd_type_element(t));
        return HD_OK;
    }
    default: return HD_OK;
    }
}

static HdStatus check_from(Explicit *x, const HdType *t)
{
    HD_TRY_PUSH(x->v->pass, &x->todo, t);
    while (x->todo.count != 0) {
        t = x->todo.at[--x->todo.count];
        if (hd_bit_has(x->seen, t->id) || hd_bit_has(x->v->failed, t->id))
            continue;
        hd_bit_add(x->seen, t->id);
        HD_TRY(check_type(x, t));
    }
    return HD_OK;
}

static bool is_block(const HdVal *v, const HdType *t, uint32_t storage)
{
    return t->kind == HD_T_STRUCT &&
           (hd_module_decoration(v->m, t->id, SpvDecorationBlock) != NULL ||
            (storage == SpvStorageClassUniform &&
             hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) != NULL));
}

static bool is_laid_out(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassPushConstant || storage == SpvStorageClassWorkgroup;
}

/* Blocks: what is none is opaque, or has no layout by the rules of the client. */
HdStatus hd_val_explicit(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    Explicit x = {.v = v};

    if (!v->shader || v->kernel)
        return HD_OK;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        const HdType *t = NULL;

        if (in.opix == HD_OPIX_Variable && is_laid_out(in.w[3])) {
            t = hd_module_type(v->m, in.w[1]);
            t = t != NULL && t->kind == HD_T_POINTER ? hd_type_element(t) : NULL;
        } else if (in.opix == HD_OPIX_UntypedVariableKHR && is_laid_out(in.w[3]) && in.nwords > 4) {
            t = hd_module_type(v->m, in.w[4]);
        } else if (in.opix == HD_OPIX_TypePointer &&
                   in.w[2] == SpvStorageClassPhysicalStorageBuffer) {
            t = hd_module_type(v->m, in.w[3]);
        }
        if (t == NULL)
            continue;
        if (in.opix != HD_OPIX_TypePointer)
            t = without_arrays(t); /* of descriptors */
        if (!is_block(v, t, in.opix == HD_OPIX_TypePointer ? in.w[2] : in.w[3]))
            continue;
        if (x.seen == NULL) {
            HD_TAKE(x.seen, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(v->m->bound)));
            HD_TRY(note_sizes(&x));
        }
        HD_TRY(check_from(&x, t));
    }
    return HD_OK;
}
