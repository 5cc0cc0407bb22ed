/* build/value.c -- SPIR-V values as scalars: split types, constants, values of ids.
 *
 * A constant has no instruction in a function: its scalars are emitted where it is used, in the
 * block that is current, so that they always dominate their use. Folding and CSE join them later.
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
    case SpvStorageClassWorkgroup: return HD_SPACE_LOCAL;
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

static HdStatus flatten_at(HdBuild *b, const HdType *t, unsigned depth, const HdBuildFlat **out);

static HdStatus too_large(HdBuild *b, const HdType *t)
{
    return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[t->id], "build.large",
                   "a value of type %%%u would split into more than %u scalars", t->id,
                   HD_BUILD_MAX_SCALARS);
}

/* `count` elements of one type, `stride` bytes apart. */
static HdStatus flatten_elements(HdBuild *b, const HdType *t, uint64_t count, unsigned depth,
                                 HdBuildFlat *flat)
{
    const HdBuildFlat *part;
    uint64_t stride;

    HD_TRY(flatten_at(b, hd_type_element(t), depth + 1, &part));
    stride = hd_type_stride(b->m, t);
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

        HD_TRY(flatten_at(b, hd_type_member(b->m, t, m), depth + 1, &part));
        total += part->count;
        if (total > HD_BUILD_MAX_SCALARS)
            return too_large(b, t);
    }
    flat->count = (uint32_t)total;
    HD_TAKE(flat->types, HD_NEW(b->arena, HdIrType, total + 1));
    HD_TAKE(flat->offsets, HD_NEW(b->arena, uint64_t, total + 1));
    for (uint32_t m = 0; m < t->count; m++) {
        const HdBuildFlat *part;

        HD_TRY(flatten_at(b, hd_type_member(b->m, t, m), depth + 1, &part));
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

static HdStatus flatten_at(HdBuild *b, const HdType *t, unsigned depth, const HdBuildFlat **out)
{
    HdBuildFlat *flat = b->flats[t->id];

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
    case HD_T_VECTOR: HD_TRY(flatten_elements(b, t, t->count, depth, flat)); break;
    case HD_T_ARRAY: HD_TRY(flatten_elements(b, t, hd_type_length(t), depth, flat)); break;
    case HD_T_STRUCT: HD_TRY(flatten_struct(b, t, depth, flat)); break;
    default:
        if (hd_is_cooperative(t) && b->subgroup_size != 0) {
            HD_TRY(flatten_elements(b, t, hd_type_components(t, b->subgroup_size), depth, flat));
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
    b->flats[t->id] = flat;
    *out = flat;
    return HD_OK;
}

HdStatus hd_build_flatten(HdBuild *b, const HdType *t, const HdBuildFlat **out)
{
    return flatten_at(b, t, 0, out);
}

HdStatus hd_build_part(HdBuild *b, const HdType *t, uint64_t index, uint32_t *first,
                       const HdType **part)
{
    const HdBuildFlat *flat;

    switch (t->kind) {
    case HD_T_VECTOR:
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

/* ---- constants --------------------------------------------------------------------------- */

static HdStatus address_constant(HdBuild *b, const HdConstant *c, HdIrRef *to)
{
    HD_TRY(hd_build_variable(b, c->base, to));
    if (c->offset != 0) {
        HdIrRef bytes = hd_build_const(b, HD_IR_I64, (uint64_t)c->offset);

        *to = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, *to, bytes);
    }
    if (c->type->kind == HD_T_INT) /* OpSpecConstantOp ConvertPtrToU */
        *to = hd_build_resize(b, hd_build_bitcast(b, *to, HD_IR_I64), hd_build_scalar(c->type),
                              false);
    return HD_OK;
}

/* The scalars of a constant, written to `to`. */
static HdStatus put_constant(HdBuild *b, const HdConstant *c, HdIrRef *to)
{
    const HdBuildFlat *flat;
    uint32_t at = 0, parts;

    HD_TRY(hd_build_flatten(b, c->type, &flat));
    switch (c->kind) {
    case HD_C_SCALAR:
    case HD_C_SAMPLER: to[0] = hd_build_const(b, flat->types[0], c->bits); return HD_OK;
    case HD_C_NULL:
        for (uint32_t i = 0; i < flat->count; i++)
            to[i] = hd_build_const(b, flat->types[i], 0);
        return HD_OK;
    case HD_C_UNDEF:
        for (uint32_t i = 0; i < flat->count; i++)
            to[i] = hd_build_op0(b, HD_IR_UNDEF, flat->types[i]);
        return HD_OK;
    case HD_C_ADDRESS: return address_constant(b, c, to);
    case HD_C_COMPOSITE:
        /* A work-item has some of a cooperative matrix's elements. */
        parts = hd_is_cooperative(c->type) ? flat->count : c->count;
        for (uint32_t i = 0; i < parts; i++) {
            const HdBuildFlat *part;
            HdConstant room;
            const HdConstant *of = hd_constant_at(c, i, &room);

            HD_TRY(hd_build_flatten(b, of->type, &part));
            if (part->count > flat->count - at)
                return HD_BUG;
            HD_TRY(put_constant(b, of, to + at));
            at += part->count;
        }
        return at == flat->count ? HD_OK : HD_BUG;
    }
    return hd_fail(b->diags, HD_UNSUPPORTED, b->m->def[c->type->id], "build.constant",
                   "constants of type %%%u are not supported", c->type->id);
}

/* ---- ids --------------------------------------------------------------------------------- */

const HdBuildValue *hd_build_peek(HdBuild *b, HdId id)
{
    const HdBuildValue *v = id < b->m->bound ? &b->values[id] : NULL;

    return v && (v->at || v->memory) ? v : NULL;
}

static HdStatus use_memory(HdBuild *b, HdId id, const HdBuildValue *v, HdBuildValue *out)
{
    const HdBuildAccess how = {.space = HD_SPACE_PRIVATE};
    const HdType *t;

    HD_TRY(hd_build_type_of(b, id, &t));
    HD_TAKE(out->at, HD_NEW(b->arena, HdIrRef, v->count + 1));
    out->count = v->count;
    return hd_build_load(b, v->memory, t, &how, out->at);
}

HdStatus hd_build_use(HdBuild *b, HdId id, HdBuildValue *out)
{
    const HdBuildValue *v = hd_build_peek(b, id);
    const HdConstant *c;
    const HdBuildFlat *flat;

    *out = (HdBuildValue){0};
    if (v && v->memory)
        return use_memory(b, id, v, out);
    if (v) {
        *out = *v;
        return HD_OK;
    }
    c = hd_module_constant(b->m, id);
    if (c && c->kind != HD_C_ADDRESS) {
        HD_TRY(hd_build_flatten(b, c->type, &flat));
        HD_TAKE(out->at, HD_NEW(b->arena, HdIrRef, flat->count + 1));
        out->count = flat->count;
        return put_constant(b, c, out->at);
    }
    HD_TAKE(out->at, HD_NEW(b->arena, HdIrRef, 1));
    out->count = 1;
    if (c)
        return address_constant(b, c, out->at);
    return hd_build_variable(b, id, out->at);
}

HdStatus hd_build_use1(HdBuild *b, HdId id, HdIrRef *out)
{
    HdBuildValue v;

    *out = 0;
    HD_TRY(hd_build_use(b, id, &v));
    if (v.count != 1)
        return hd_fail(b->diags, HD_BAD_INPUT, b->m->def[id < b->m->bound ? id : 0], "build.scalar",
                       "%%%u is not a scalar", id);
    *out = v.at[0];
    return HD_OK;
}

HdStatus hd_build_bind(HdBuild *b, HdId id, const HdIrRef *refs, uint32_t count)
{
    HdBuildValue *v = &b->values[id];

    HD_TAKE(v->at, HD_NEW(b->arena, HdIrRef, count + 1));
    for (uint32_t i = 0; i < count; i++)
        v->at[i] = refs[i];
    v->count = count;
    v->memory = 0;
    return HD_OK;
}

HdStatus hd_build_bind_op0(HdBuild *b, const HdInst *in, HdIrOp op)
{
    const HdBuildFlat *flat;
    const HdType *t;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] = hd_build_op0(b, op, flat->types[i]);
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

HdStatus hd_build_bind_memory(HdBuild *b, HdId id, const HdType *t, HdIrRef address)
{
    const HdBuildFlat *flat;
    HdBuildValue *v = &b->values[id];

    HD_TRY(hd_build_flatten(b, t, &flat));
    v->at = NULL;
    v->count = flat->count;
    v->memory = address;
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}
