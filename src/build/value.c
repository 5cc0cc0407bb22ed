/* build/value.c -- SPIR-V values as scalars: constants, values of ids.
 *
 * A constant has no instruction in a function: its scalars are emitted where it is used, in the
 * block that is current, so that they always dominate their use. Folding and CSE join them later.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"

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

HdStatus hd_build_operands(HdBuild *b, const HdInst *in, unsigned first, unsigned count,
                           HdBuildValue *out)
{
    for (unsigned i = 0; i < count; i++) {
        HD_TRY(hd_build_use(b, in->w[first + i], &out[i]));
        if (out[i].count != out[0].count)
            return hd_build_bad(b, in, "operands differ in their number of components");
    }
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
