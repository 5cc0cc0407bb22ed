/* val/explicit.c -- explicit layout: what shaders keep in buffers says where its parts are.
 *
 * Types are gone through from the variables that need it, each once. Sizes here are those of the
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
#include "val/rule.h"

#define SPEC "Validation Rules for Shader Capabilities"

typedef struct Explicit {
    HdVal *v;
    uint64_t *seen; /* [bound] types that were looked at */
    HD_ARRAY(const HdType *) todo;
} Explicit;

static HdInst at_type(const HdVal *v, const HdType *t)
{
    return hd_module_inst(v->m, v->m->def[t->id]);
}

/* Bytes that a value takes; 0 where it is not known or has no end. `major`: of a matrix, from the
 * member that holds it. */
static uint64_t size_of(const HdVal *v, const HdType *t, uint64_t matrix_stride, bool row_major,
                        unsigned depth)
{
    uint64_t size = 0;

    if (t == NULL || depth > 32)
        return 0;
    switch (t->kind) {
    case HD_T_INT:
    case HD_T_FLOAT: return t->bits / 8;
    case HD_T_VECTOR: return (uint64_t)hd_type_bits(t) / 8 * t->count;
    case HD_T_MATRIX: {
        uint64_t lines = row_major ? t->element->count : t->count;
        uint64_t line = (uint64_t)hd_type_bits(t) / 8 * (row_major ? t->count : t->element->count);

        return matrix_stride == 0 || lines == 0 ? 0 : matrix_stride * (lines - 1) + line;
    }
    case HD_T_ARRAY: {
        uint64_t stride =
            hd_decoration_value(v->m, hd_module_decoration(v->m, t->id, SpvDecorationArrayStride));
        uint64_t element = size_of(v, t->element, matrix_stride, row_major, depth + 1);

        if (stride == 0 || element == 0 || hd_type_length(t) == 0 || hd_type_length(t) > UINT32_MAX)
            return 0;
        return stride * (hd_type_length(t) - 1) + element;
    }
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t offset = hd_decoration_value(
                v->m, hd_module_member_decoration(v->m, t->id, i, SpvDecorationOffset));
            uint64_t stride = hd_decoration_value(
                v->m, hd_module_member_decoration(v->m, t->id, i, SpvDecorationMatrixStride));
            bool rows = hd_module_member_decoration(v->m, t->id, i, SpvDecorationRowMajor) != NULL;
            uint64_t end = offset + size_of(v, hd_type_member(v->m, t, i), stride, rows, depth + 1);

            size = end > size ? end : size;
        }
        return size;
    case HD_T_POINTER: return t->storage == SpvStorageClassPhysicalStorageBuffer ? 8 : 0;
    default: return 0;
    }
}

typedef struct Member {
    uint64_t from, size;
    uint32_t index;
} Member;

static int by_offset(const void *x, const void *y)
{
    const Member *a = x, *b = y;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static const HdType *without_arrays(const HdType *t)
{
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = t->element;
    return t;
}

static HdStatus check_struct(Explicit *x, const HdType *t)
{
    HdVal *v = x->v;
    HdInst in = at_type(v, t);
    Member *members;
    bool complete = true;

    HD_TAKE(members, HD_NEW(v->a, Member, (size_t)t->count + 1));
    for (uint32_t i = 0; i < t->count; i++) {
        const HdDecoration *offset =
            hd_module_member_decoration(v->m, t->id, i, SpvDecorationOffset);
        const HdDecoration *stride =
            hd_module_member_decoration(v->m, t->id, i, SpvDecorationMatrixStride);
        bool rows = hd_module_member_decoration(v->m, t->id, i, SpvDecorationRowMajor) != NULL;
        bool columns = hd_module_member_decoration(v->m, t->id, i, SpvDecorationColMajor) != NULL;

        if (offset == NULL) {
            complete = false;
            (void)hd_val_fail_spec(v, &in, "explicit.offset", SPEC,
                                   "member %u has no Offset, which buffers ask for", (unsigned)i);
        }
        if (without_arrays(hd_type_member(v->m, t, i))->kind == HD_T_MATRIX &&
            (stride == NULL || (!rows && !columns)))
            (void)hd_val_fail_spec(v, &in, "explicit.matrix", SPEC,
                                   "member %u is a matrix without MatrixStride and RowMajor or "
                                   "ColMajor, which buffers ask for",
                                   (unsigned)i);
        members[i] = (Member){
            hd_decoration_value(v->m, offset),
            size_of(v, hd_type_member(v->m, t, i), hd_decoration_value(v->m, stride), rows, 0), i};
    }
    if (!complete)
        return HD_OK;
    qsort(members, t->count, sizeof *members, by_offset);
    for (uint32_t i = 1; i < t->count; i++)
        if (members[i - 1].from + members[i - 1].size > members[i].from)
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
            HD_TRY_PUSH(v->a, &x->todo, hd_type_member(v->m, t, i));
        return HD_OK;
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY: {
        uint64_t stride =
            hd_decoration_value(v->m, hd_module_decoration(v->m, t->id, SpvDecorationArrayStride));

        in = at_type(v, t);
        if (stride == 0)
            (void)hd_val_fail_spec(v, &in, "explicit.array-stride", SPEC,
                                   "the array has no ArrayStride, which buffers ask for");
        else if (stride < size_of(v, t->element, 0, false, 0))
            (void)hd_val_fail_spec(v, &in, "explicit.array-stride", SPEC,
                                   "ArrayStride %llu is less than an element's size",
                                   (unsigned long long)stride);
        HD_TRY_PUSH(v->a, &x->todo, t->element);
        return HD_OK;
    }
    default: return HD_OK;
    }
}

static HdStatus check_from(Explicit *x, const HdType *t)
{
    HD_TRY_PUSH(x->v->a, &x->todo, t);
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
            t = t != NULL && t->kind == HD_T_POINTER ? t->element : NULL;
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
        if (x.seen == NULL)
            HD_TAKE(x.seen, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
        HD_TRY(check_from(&x, t));
    }
    return HD_OK;
}
