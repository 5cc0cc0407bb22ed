/* build/type.c -- SPIR-V types as scalars of the lane IR: split, part by part.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"

/* Types that nest deeper than this are refused: flattening recurses. */
#define MAX_NESTING 256u

HdIrType hd_build_int(unsigned bits)
{
    switch (bits) {
    case 8: return HD_IR_I8;
    case 16: return HD_IR_I16;
    case 32: return HD_IR_I32;
    case 64: return HD_IR_I64;
    default: return HD_IR_VOID;
    }
}

HdIrType hd_build_scalar(const HdType *t)
{
    switch (t->kind) {
    case HD_T_BOOL: return HD_IR_BOOL;
    case HD_T_INT: return hd_build_int(t->bits);
    case HD_T_FLOAT:
        if (t->encoding != 0) /* bits that nothing but conversions looks into */
            return hd_is_bfloat16(t) ? HD_IR_I16 : HD_IR_VOID;
        return t->bits == 16   ? HD_IR_F16
               : t->bits == 32 ? HD_IR_F32
               : t->bits == 64 ? HD_IR_F64
                               : HD_IR_VOID;
    case HD_T_POINTER:
    case HD_T_PIPE_STORAGE: return HD_IR_PTR;
    case HD_T_EVENT:
    case HD_T_DEVICE_EVENT:
    case HD_T_RESERVE_ID:
    case HD_T_NAMED_BARRIER:
    case HD_T_IMAGE:
    case HD_T_SAMPLER:
    case HD_T_QUEUE:
    case HD_T_PIPE: return HD_IR_I64;
    default: return HD_IR_VOID;
    }
}

HdIrSpace hd_build_space(uint32_t storage_class)
{
    switch (storage_class) {
    case SpvStorageClassUniformConstant: return HD_SPACE_CONSTANT;
    case SpvStorageClassPushConstant: return HD_SPACE_CONSTANT;
    case SpvStorageClassWorkgroup: return HD_SPACE_LOCAL;
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassImage:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: return HD_SPACE_GLOBAL;
    case SpvStorageClassFunction:
    case SpvStorageClassInput: /* read through a private copy */
    case SpvStorageClassPrivate: return HD_SPACE_PRIVATE;
    default: return HD_SPACE_GENERIC;
    }
}

/* ---- types that split -------------------------------------------------------------------- */

static HdStatus flatten_at(HdBuild *b, const HdType *t, HdMatrixLayout layout, unsigned depth,
                           const HdBuildFlat **out);

static HdStatus too_large(HdBuild *b, const HdType *t)
{
    return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[t->id], "build.large",
                   "a value of type %%%u would split into more than %u scalars", t->id,
                   HD_BUILD_MAX_SCALARS);
}

/* `count` elements of one type, `stride` bytes apart. */
static HdStatus flatten_elements(HdBuild *b, const HdType *t, uint64_t count, HdMatrixLayout layout,
                                 unsigned depth, HdBuildFlat *flat)
{
    const HdBuildFlat *part;
    uint64_t stride;

    HD_TRY(flatten_at(b, hd_type_element(t), layout, depth + 1, &part));
    stride = hd_module_stride_in(b->m, t, layout);
    if (part->count != 0 && count > HD_BUILD_MAX_SCALARS / part->count)
        return too_large(b, t);
    flat->count = (uint32_t)(count * part->count);
    HD_TAKE(flat->types, HD_NEW(b->arena, HdIrType, flat->count + 1));
    HD_TAKE(flat->offsets, HD_NEW(b->arena, uint64_t, flat->count + 1));
    for (uint32_t i = 0; part->count != 0 && i < flat->count; i++) {
        flat->types[i] = part->types[i % part->count];
        flat->offsets[i] = i / part->count * stride + part->offsets[i % part->count];
    }
    return HD_OK;
}

static HdStatus flatten_struct(HdBuild *b, const HdType *t, unsigned depth, HdBuildFlat *flat)
{
    uint64_t total = 0, offset;
    uint32_t at = 0;

    for (uint32_t m = 0; m < t->count; m++) {
        const HdBuildFlat *part;

        HD_TRY(flatten_at(b, hd_type_member(b->m, t, m), hd_module_member_matrix(b->m, t, m),
                          depth + 1, &part));
        total += part->count;
        if (total > HD_BUILD_MAX_SCALARS)
            return too_large(b, t);
    }
    flat->count = (uint32_t)total;
    HD_TAKE(flat->types, HD_NEW(b->arena, HdIrType, total + 1));
    HD_TAKE(flat->offsets, HD_NEW(b->arena, uint64_t, total + 1));
    for (uint32_t m = 0; m < t->count; m++) {
        const HdBuildFlat *part;

        HD_TRY(flatten_at(b, hd_type_member(b->m, t, m), hd_module_member_matrix(b->m, t, m),
                          depth + 1, &part));
        offset = hd_type_offset(b->m, t, m);
        for (uint32_t i = 0; i < part->count; i++, at++) {
            flat->types[at] = part->types[i];
            flat->offsets[at] = offset + part->offsets[i];
        }
    }
    return HD_OK;
}

/* The image and the sampler. */
static HdStatus flatten_sampled_image(HdBuild *b, HdBuildFlat *flat)
{
    flat->count = 2;
    HD_TAKE(flat->types, HD_NEW(b->arena, HdIrType, 2));
    HD_TAKE(flat->offsets, HD_NEW(b->arena, uint64_t, 2));
    flat->types[0] = flat->types[1] = HD_IR_I64;
    flat->offsets[0] = 0;
    flat->offsets[1] = 8;
    return HD_OK;
}

static HdStatus flatten_at(HdBuild *b, const HdType *t, HdMatrixLayout layout, unsigned depth,
                           const HdBuildFlat **out)
{
    HdBuildFlat *flat = layout.stride == 0 ? b->flats[t->id] : NULL;

    if (flat) {
        *out = flat;
        return HD_OK;
    }
    if (depth > MAX_NESTING)
        return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[t->id], "build.nesting",
                       "type %%%u nests deeper than %u", t->id, MAX_NESTING);
    HD_TAKE(flat, HD_NEW(b->arena, HdBuildFlat, 1));
    switch (t->kind) {
    case HD_T_VOID: break;
    case HD_T_SAMPLED_IMAGE: HD_TRY(flatten_sampled_image(b, flat)); break;
    case HD_T_VECTOR:
    case HD_T_MATRIX: HD_TRY(flatten_elements(b, t, t->count, layout, depth, flat)); break;
    case HD_T_ARRAY: HD_TRY(flatten_elements(b, t, hd_type_length(t), layout, depth, flat)); break;
    case HD_T_STRUCT: HD_TRY(flatten_struct(b, t, depth, flat)); break;
    default:
        if (hd_is_cooperative(t) && hd_build_lanes(b) != 0) {
            HD_TRY(flatten_elements(b, t, hd_type_components(t, hd_build_lanes(b)), layout, depth,
                                    flat));
            break;
        }
        if (hd_build_scalar(t) == HD_IR_VOID)
            return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[t->id], "build.type",
                           "values of type %%%u (%s) are not supported", t->id,
                           hd_gram_insts[hd_module_opix(b->m, t->id)].name);
        flat->count = 1;
        HD_TAKE(flat->types, HD_NEW(b->arena, HdIrType, 1));
        HD_TAKE(flat->offsets, HD_NEW(b->arena, uint64_t, 1));
        flat->types[0] = hd_build_scalar(t);
    }
    if (layout.stride == 0)
        b->flats[t->id] = flat;
    *out = flat;
    return HD_OK;
}

HdStatus hd_build_flatten(HdBuild *b, const HdType *t, const HdBuildFlat **out)
{
    return flatten_at(b, t, (HdMatrixLayout){0}, 0, out);
}

HdStatus hd_build_flatten_in(HdBuild *b, const HdType *t, HdMatrixLayout layout,
                             const HdBuildFlat **out)
{
    return flatten_at(b, t, layout, 0, out);
}

HdStatus hd_build_part(HdBuild *b, const HdType *t, uint64_t index, uint32_t *first,
                       const HdType **part)
{
    const HdBuildFlat *flat;

    switch (t->kind) {
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_ARRAY:
        if (index >= (t->kind == HD_T_ARRAY ? hd_type_length(t) : t->count))
            break;
        HD_TRY(hd_build_flatten(b, hd_type_element(t), &flat));
        *first = (uint32_t)(index * flat->count);
        *part = hd_type_element(t);
        return HD_OK;
    case HD_T_STRUCT:
        if (index >= t->count)
            break;
        *first = 0;
        for (uint64_t m = 0; m < index; m++) {
            HD_TRY(hd_build_flatten(b, hd_type_member(b->m, t, (uint32_t)m), &flat));
            *first += flat->count;
        }
        *part = hd_type_member(b->m, t, (uint32_t)index);
        return HD_OK;
    default:
        if (!hd_is_cooperative(t))
            break;
        HD_TRY(hd_build_flatten(b, t, &flat));
        if (index >= flat->count)
            break;
        *first = (uint32_t)index;
        *part = hd_type_element(t);
        return HD_OK;
    }
    return hd_fail(b->diags, HD_BAD_INPUT, b->m->def[t->id], "build.part",
                   "type %%%u has no part %llu", t->id, (unsigned long long)index);
}

HdStatus hd_build_type(HdBuild *b, HdId type, const HdType **out)
{
    *out = hd_module_type(b->m, type);
    if (*out == NULL)
        return hd_fail(b->diags, HD_BAD_INPUT, HD_NO_PLACE, "build.type",
                       "%%%u is not a valid type", type);
    return HD_OK;
}

HdStatus hd_build_type_of(HdBuild *b, HdId id, const HdType **out)
{
    *out = hd_module_type_of(b->m, id);
    if (*out == NULL)
        return hd_fail(b->diags, HD_BAD_INPUT, HD_NO_PLACE, "build.type", "%%%u has no sound type",
                       id);
    return HD_OK;
}
