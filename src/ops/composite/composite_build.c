/* ops/composite/composite_build.c -- vectors and other composites to lane IR.
 *
 * A composite is the list of its scalars, so most of this only picks from lists.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/parts.h"
#include "ops/build_fns.h"

/* Constituents in sequence: vectors made from vectors need nothing special. A cooperative matrix
 * has one, which is the value of all its elements. Words: 1 type, 2 result, 3 … constituents. */
HdStatus hd_build_composite_construct(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    const HdType *type;
    uint32_t count = 0, parts = hd_parts_count(b->m, in, 3);
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    if (hd_is_cooperative(type))
        return hd_build_composite_replicate(b, in);
    HD_TRY(hd_build_flatten(b, type, &flat));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    for (uint32_t i = 0; i < parts; i++) {
        HD_TRY(hd_build_use(b, hd_parts_at(in->w, 3, i), &v));
        if (v.count > flat->count - count)
            return hd_build_bad(b, in, "too many constituents");
        memcpy(refs + count, v.at, v.count * sizeof *refs);
        count += v.count;
    }
    if (count != flat->count)
        return hd_build_bad(b, in, "too few constituents");
    return hd_build_bind(b, in->w[2], refs, count);
}

/* The same constituent for each part.
 * Words: 1 type, 2 result, 3 constituent. */
HdStatus hd_build_composite_replicate(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    const HdType *type;
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_flatten(b, type, &flat));
    HD_TRY(hd_build_use(b, in->w[3], &v));
    if (v.count == 0 ? flat->count != 0 : flat->count % v.count != 0)
        return hd_build_bad(b, in, "the constituent is no part of the result");
    HD_TRY(hd_build_room(b, flat->count, &refs));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] = v.at[i % v.count];
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Follow literal indexes from word `at`: the scalars before the part, and its type. */
static HdStatus follow(HdBuild *b, const HdInst *in, unsigned at, const HdType **t, uint32_t *first)
{
    *first = 0;
    for (; at < in->nwords; at++) {
        const HdType *part;
        uint32_t skip;

        HD_TRY(hd_build_part(b, *t, in->w[at], &skip, &part));
        *first += skip;
        *t = part;
    }
    return HD_OK;
}

/* The layout in memory of the matrix, or of its column, that literal indexes from word 4 on lead
 * to.
 */
static HdMatrixLayout matrix_of_part(const HdModule *m, const HdInst *in, const HdType *t)
{
    HdMatrixLayout layout = {0};

    for (unsigned at = 4; at < in->nwords && t != NULL; at++) {
        if (t->kind == HD_T_STRUCT)
            layout = hd_module_member_matrix(m, t, in->w[at]);
        else if (t->kind == HD_T_VECTOR)
            return (HdMatrixLayout){0};
        t = hd_type_part(m, t, in->w[at]);
    }
    return layout;
}

/* A part of a value that is in memory. */
static HdStatus extract_from_memory(HdBuild *b, const HdInst *in, const HdType *whole,
                                    const HdType *part, uint32_t first, HdIrRef memory)
{
    const HdBuildFlat *flat, *part_flat;
    HdBuildAccess how = {.space = HD_SPACE_PRIVATE, .matrix = matrix_of_part(b->m, in, whole)};
    HdIrRef *refs, at;

    HD_TRY(hd_build_flatten(b, whole, &flat));
    HD_TRY(hd_build_flatten(b, part, &part_flat));
    HD_TRY(hd_build_room(b, part_flat->count, &refs));
    if (part_flat->count == 0)
        return hd_build_bind(b, in->w[2], refs, 0);
    at = hd_build_offset(b, memory, flat->offsets[first] - part_flat->offsets[0]);
    if (part_flat->count > HD_BUILD_SPLIT_MAX && how.matrix.stride == 0)
        return hd_build_bind_memory(b, in->w[2], part, at);
    HD_TRY(hd_build_load(b, at, part, &how, refs));
    return hd_build_bind(b, in->w[2], refs, part_flat->count);
}

/* Words: 1 type, 2 result, 3 composite, 4 … indexes. */
HdStatus hd_build_composite_extract(HdBuild *b, const HdInst *in)
{
    const HdBuildValue *known = hd_build_peek(b, in->w[3]);
    const HdType *whole, *part;
    const HdBuildFlat *flat;
    HdBuildValue v;
    uint32_t first;

    HD_TRY(hd_build_type_of(b, in->w[3], &whole));
    part = whole;
    HD_TRY(follow(b, in, 4, &part, &first));
    if (known && known->memory)
        return extract_from_memory(b, in, whole, part, first, known->memory);
    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_flatten(b, part, &flat));
    if (first > v.count || flat->count > v.count - first)
        return HD_BUG;
    return hd_build_bind(b, in->w[2], v.at + first, flat->count);
}

/* Words: 1 type, 2 result, 3 object, 4 composite, 5 … indexes. */
HdStatus hd_build_composite_insert(HdBuild *b, const HdInst *in)
{
    const HdType *t;
    HdBuildValue object, v;
    uint32_t first;
    HdIrRef *refs;

    HD_TRY(hd_build_type_of(b, in->w[4], &t));
    HD_TRY(follow(b, in, 5, &t, &first));
    HD_TRY(hd_build_use(b, in->w[3], &object));
    HD_TRY(hd_build_use(b, in->w[4], &v));
    if (first > v.count || object.count > v.count - first)
        return hd_build_bad(b, in, "object does not fit");
    HD_TRY(hd_build_room(b, v.count, &refs));
    memcpy(refs, v.at, v.count * sizeof *refs);
    memcpy(refs + first, object.at, object.count * sizeof *refs);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 vector, 4 index. Out of range is undefined: the last one then. */
HdStatus hd_build_vector_extract_dynamic(HdBuild *b, const HdInst *in)
{
    HdIrRef index, r;
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_use1(b, in->w[4], &index));
    if (v.count == 0)
        return hd_build_bad(b, in, "vector has no components");
    r = v.at[v.count - 1];
    for (uint32_t i = v.count - 1; i-- > 0;) {
        HdIrRef is =
            hd_build_icmp(b, HD_IR_EQ, index, hd_build_const(b, hd_build_type_at(b, index), i));

        r = hd_build_select(b, hd_build_type_at(b, r), is, v.at[i], r);
    }
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 type, 2 result, 3 vector, 4 component, 5 index. */
HdStatus hd_build_vector_insert_dynamic(HdBuild *b, const HdInst *in)
{
    HdIrRef index, part, *refs;
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_use1(b, in->w[4], &part));
    HD_TRY(hd_build_use1(b, in->w[5], &index));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrRef is =
            hd_build_icmp(b, HD_IR_EQ, index, hd_build_const(b, hd_build_type_at(b, index), i));

        refs[i] = hd_build_select(b, hd_build_type_at(b, part), is, part, v.at[i]);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 and 4 vectors, 5 … literals, all ones = undefined. */
HdStatus hd_build_vector_shuffle(HdBuild *b, const HdInst *in)
{
    uint32_t count = in->nwords - 5u;
    HdBuildValue v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[3], &v[0]));
    HD_TRY(hd_build_use(b, in->w[4], &v[1]));
    HD_TRY(hd_build_room(b, count, &refs));
    if (v[0].count == 0)
        return hd_build_bad(b, in, "vector has no components");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = in->w[5 + i];

        if (from == UINT32_MAX)
            refs[i] = hd_build_op0(b, HD_IR_UNDEF, hd_build_type_at(b, v[0].at[0]));
        else if (from < v[0].count)
            refs[i] = v[0].at[from];
        else if (from - v[0].count < v[1].count)
            refs[i] = v[1].at[from - v[0].count];
        else
            return hd_build_bad(b, in, "component is out of range");
    }
    return hd_build_bind(b, in->w[2], refs, count);
}

/* OpCopyObject, and OpCopyLogical, whose types differ only in what does not matter to values.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_copy_object(HdBuild *b, const HdInst *in)
{
    const HdBuildValue *known = hd_build_peek(b, in->w[3]);
    const HdType *t;
    HdBuildValue v;

    if (known && known->memory && in->opix == HD_OPIX_CopyObject) {
        HD_TRY(hd_build_type_of(b, in->w[3], &t));
        return hd_build_bind_memory(b, in->w[2], t, known->memory);
    }
    HD_TRY(hd_build_use(b, in->w[3], &v));
    return hd_build_bind(b, in->w[2], v.at, v.count);
}

/* OpFreezeKHR; OpArithmeticFenceEXT, which nothing is combined across either.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_freeze(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = hd_build_op1(b, HD_IR_FREEZE, hd_build_type_at(b, v.at[i]), v.at[i]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}
