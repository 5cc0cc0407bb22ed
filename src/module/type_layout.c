/* module/type_layout.c -- sizes, alignments and offsets of types, as OpenCL C and decorations have
 * them.
 *
 * A module whose memory model is not OpenCL's has no layout but what decorations say. Where they
 * say nothing, its types lie as tightly as scalars may: a vector is aligned as its components are,
 * and one of three takes the room of three. So no access promises more alignment than such a module
 * does, and no value has bytes that its memory lacks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/piece.h"
#include "module/private.h"

/* What HdType.align holds: more than any vector of sixteen components needs. */
#define MAX_ALIGN  0x1ffffu
#define MOST_ALIGN 0x10000u

/* Where members go. */
typedef struct Placing {
    bool packed;
    uint64_t end;
    uint32_t align;
    HdDecorations next; /* those of this and later members, in their order */
} Placing;

static void start_placing(const HdModule *m, const HdType *t, Placing *p)
{
    p->packed = hd_module_decoration(m, t->id, SpvDecorationCPacked) != NULL;
    p->end = 0;
    p->align = 1;
    p->next = hd_module_decorations(m, t->id);
}

/* The Offset of member i; earlier members have been queried. */
static const HdDecoration *next_offset(Placing *p, uint32_t i)
{
    const HdDecoration *offset = NULL;

    for (; p->next.d != NULL && p->next.member <= i; hd_decorations_step(&p->next))
        if (p->next.member == i && offset == NULL &&
            (p->next.d->decoration == SpvDecorationOffset ||
             p->next.d->decoration == SpvDecorationOffsetIdEXT))
            offset = p->next.d;
    return offset;
}

/* What an Offset or ArrayStride says, or one that names a constant. */
static uint64_t amount(const HdModule *m, const HdDecoration *d)
{
    uint64_t n = 0;

    if (d == NULL || (d->decoration != SpvDecorationOffsetIdEXT &&
                      d->decoration != SpvDecorationArrayStrideIdEXT))
        return hd_decoration_value(m, d);
    (void)hd_module_constant_u64(m, hd_decoration_value(m, d), &n);
    return n;
}

/* The offset of the next member, i. */
static uint64_t place_member(const HdModule *m, const HdType *t, uint32_t i, Placing *p)
{
    const HdType *member = hd_type_member(m, t, i);
    const HdDecoration *d = next_offset(p, i);
    uint64_t at = p->packed ? p->end : hd_round_up(p->end, member->align), size;

    if (d != NULL && d->operand_count != 0)
        at = amount(m, d);
    size = hd_type_size(member);
    if (!hd_module_is_opencl(m))
        size = hd_module_extent(m, member, hd_module_member_matrix(m, t, i));
    if (at + size > p->end)
        p->end = at + size;
    if (p->end > HD_MAX_SIZE)
        p->end = HD_MAX_SIZE;
    if (!p->packed && member->align > p->align)
        p->align = member->align;
    return at;
}

uint64_t hd_lay_out_struct(const HdModule *m, HdType *t)
{
    Placing p;

    start_placing(m, t, &p);
    for (uint32_t i = 0; i < t->count; i++)
        (void)place_member(m, t, i, &p);
    t->align = p.align & MAX_ALIGN;
    return hd_round_up(p.end, p.align);
}

static const uint64_t *kept_offsets(const HdModule *m, const HdType *t)
{
    uint64_t at;

    return hd_map_get(&m->types->offsets, t->id, &at) ? (const uint64_t *)(uintptr_t)at : NULL;
}

uint64_t hd_type_offset(const HdModule *m, const HdType *t, uint32_t i)
{
    const uint64_t *kept = kept_offsets(m, t);
    uint64_t at = 0;
    Placing p;

    if (kept != NULL)
        return kept[i];
    start_placing(m, t, &p);
    for (uint32_t k = 0; k <= i; k++)
        at = place_member(m, t, k, &p);
    return at;
}

HdStatus hd_resolve_offsets(HdModule *m, const HdType *t, const uint64_t **out)
{
    uint64_t *offsets;
    Placing p;

    *out = kept_offsets(m, t);
    if (*out != NULL)
        return HD_OK;
    HD_TAKE(offsets, HD_NEW(m->types->arena, uint64_t, (size_t)t->count + 1));
    start_placing(m, t, &p);
    for (uint32_t i = 0; i < t->count; i++)
        offsets[i] = place_member(m, t, i, &p);
    *out = offsets;
    return hd_map_put(m->types->arena, &m->types->offsets, t->id, (uintptr_t)offsets)
               ? HD_OK
               : HD_NO_MEMORY;
}

HdStatus hd_module_lay_out(HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        const HdType *t = in.opix == HD_OPIX_TypeStruct ? hd_module_type(m, in.w[1]) : NULL;
        const uint64_t *offsets;

        if (t != NULL && t->kind == HD_T_STRUCT && t->count > 1) /* of one it is seen at once */
            HD_TRY(hd_resolve_offsets(m, t, &offsets));
    }
    return HD_OK;
}

/* Spec: OpenCL C, "Aligned Data Types": a vector is aligned to its size; one of three components
 * takes the room of four, one of seven that of eight. */
static uint64_t vector_size(const HdType *t)
{
    uint64_t all = t->count * hd_type_size(hd_type_element(t)), size = 1;

    if (all == 0)
        return 0; /* of integers without size */
    while (size < all)
        size *= 2;
    return size;
}

/* Has a vector the alignment of its components? */
static bool is_tight(const HdType *t)
{
    return t->align == hd_type_element(t)->align;
}

uint64_t hd_type_size_apart(const HdType *t)
{
    switch (t->kind) {
    case HD_T_VECTOR:
        return is_tight(t) ? t->count * hd_type_size(hd_type_element(t)) : vector_size(t);
    case HD_T_MATRIX: return hd_type_size(hd_type_element(t)) * t->count;
    case HD_T_ARRAY: return ((const HdLongType *)(const void *)t)->size;
    case HD_T_STRUCT:
        return t->is_untyped ? ((const HdTypeSize *)(const void *)(t + t->to_size))->size
                             : t->bytes;
    case HD_T_SAMPLED_IMAGE: return 16; /* both of its handles */
    case HD_T_OTHER:
        if (hd_type_is_other(t, SpvOpTypeBufferEXT))
            return HD_DESCRIPTOR_BYTES;
        return hd_type_element(t) != NULL ? hd_type_size(hd_type_element(t)) * t->count : 0;
    default: return 0;
    }
}

void hd_lay_out(const HdModule *m, HdType *t)
{
    uint64_t size = 1;

    switch (t->kind) {
    case HD_T_BOOL: t->align = 1; break;
    case HD_T_INT:
    case HD_T_FLOAT:
        while (size * 8 < t->bits)
            size *= 2;
        t->align = size & MAX_ALIGN;
        break;
    case HD_T_VECTOR:
        size = vector_size(t);
        if (!hd_module_is_opencl(m))
            size = hd_type_element(t)->align;
        t->align = (size < MOST_ALIGN ? size : MOST_ALIGN) & MAX_ALIGN;
        break;
    case HD_T_MATRIX: t->align = hd_type_element(t)->align; break;
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
    case HD_T_SAMPLED_IMAGE: t->align = 8; break;
    case HD_T_OTHER:
        t->align = hd_type_element(t) != NULL                ? hd_type_element(t)->align
                   : hd_type_is_other(t, SpvOpTypeBufferEXT) ? 8
                                                             : 0;
        break;
    default: break;
    }
    t->is_apart = hd_type_size_apart(t) != t->align &&
                  (t->kind == HD_T_VECTOR || t->kind == HD_T_MATRIX ||
                   t->kind == HD_T_SAMPLED_IMAGE || t->kind == HD_T_OTHER);
}

uint64_t hd_type_stride(const HdModule *m, const HdType *t)
{
    const HdDecoration *d;

    if (hd_type_element(t) == NULL)
        return 0;
    d = t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY
            ? hd_module_decoration(m, t->id, SpvDecorationArrayStride)
            : NULL;
    if (d == NULL && t->kind != HD_T_VECTOR && t->kind != HD_T_MATRIX)
        d = hd_module_decoration(m, t->id, SpvDecorationArrayStrideIdEXT);
    return amount(m, d) != 0 ? amount(m, d) : hd_type_size(hd_type_element(t));
}

uint64_t hd_type_pointer_stride(const HdModule *m, const HdType *pointer, const HdType *pointee)
{
    const HdDecoration *d = hd_module_is_opencl(m)
                                ? NULL
                                : hd_module_decoration(m, pointer->id, SpvDecorationArrayStride);

    return hd_decoration_value(m, d) != 0 ? hd_decoration_value(m, d)
                                          : hd_round_up(hd_type_size(pointee), pointee->align);
}

static const HdType *matrix_in(const HdType *t)
{
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    return t->kind == HD_T_MATRIX ? t : NULL;
}

HdMatrixLayout hd_module_member_matrix(const HdModule *m, const HdType *t, uint32_t member)
{
    HdMatrixLayout layout = {0};

    if (matrix_in(hd_type_member(m, t, member)) == NULL)
        return layout;
    layout.stride = hd_decoration_value(
        m, hd_module_member_decoration(m, t->id, member, SpvDecorationMatrixStride));
    layout.is_row_major =
        layout.stride != 0 &&
        hd_module_member_decoration(m, t->id, member, SpvDecorationRowMajor) != NULL;
    return layout;
}

uint64_t hd_module_extent(const HdModule *m, const HdType *t, HdMatrixLayout layout)
{
    const HdType *column;
    uint64_t scalar;

    if (layout.stride == 0 || matrix_in(t) == NULL)
        return hd_type_size(t);
    if (t->kind == HD_T_ARRAY)
        return (hd_type_length(t) - 1) * hd_type_stride(m, t) +
               hd_module_extent(m, hd_type_element(t), layout);
    if (t->kind != HD_T_MATRIX)
        return 0;
    column = hd_type_element(t);
    scalar = hd_type_size(hd_type_scalar(column));
    return layout.is_row_major ? (column->count - 1) * (uint64_t)layout.stride + t->count * scalar
                               : (t->count - 1) * (uint64_t)layout.stride + hd_type_size(column);
}

uint64_t hd_module_alignment(const HdModule *m, HdId id, uint64_t of_type)
{
    const HdDecoration *by_id = hd_module_decoration(m, id, SpvDecorationAlignmentId);
    uint64_t align = of_type ? of_type : 1;
    uint64_t asked = hd_decoration_value(m, hd_module_decoration(m, id, SpvDecorationAlignment));

    if (by_id != NULL && !hd_module_constant_u64(m, hd_decoration_value(m, by_id), &asked))
        return align;
    return asked > align && asked <= HD_MOST_ALIGN && (asked & (asked - 1)) == 0 ? asked : align;
}
