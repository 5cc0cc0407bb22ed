/* module/lookup.c -- types and constants that have been resolved, by their ids.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/constant.h"
#include "module/parts.h"
#include "module/private.h"

/* Pointers that were announced and are declared as something else, while types are resolved. */
static __attribute__((noinline)) const HdType *open_pointer(const HdModule *m, HdId id)
{
    uint64_t at;

    return hd_map_get(&m->types->open, id, &at) ? &m->types->at[at] : NULL;
}

const HdType *hd_module_type(const HdModule *m, HdId id)
{
    const HdTypeTable *types = m->types;
    uint32_t word, n;

    if (id >= m->bound || types == NULL)
        return NULL;
    word = m->def[id];
    n = types->in_epoch[word / 2];
    if (n - 1 < HD_STRETCH_CONSTANT - 1)
        return &types->at[types->before[word / HD_STRETCH] + n - 1];
    return types->open.count != 0 ? open_pointer(m, id) : NULL;
}

const HdType *hd_module_type_of(const HdModule *m, HdId id)
{
    return hd_module_type(m, hd_module_type_id(m, id));
}

uint32_t hd_type_number(const HdModule *m, const HdType *t)
{
    const HdType *place = hd_module_type(m, t->id);

    return place != NULL ? (uint32_t)(place - m->types->at) + 1 : 0;
}

uint32_t hd_type_number_bound(const HdModule *m)
{
    return m->types->count + 1;
}

const HdType *hd_type_scalar(const HdType *t)
{
    return t != NULL && (t->kind == HD_T_VECTOR || hd_is_cooperative(t)) ? hd_type_element(t) : t;
}

uint32_t hd_type_lanes(const HdType *t)
{
    return t->kind == HD_T_VECTOR || hd_is_cooperative(t) ? t->count : 1;
}

const HdType *hd_module_vla_element(const HdModule *m, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *t = hd_module_type(m, in->w[untyped ? 3 : 1]);

    return untyped || t == NULL ? t : hd_type_element(t);
}

uint64_t hd_type_parts(const HdType *t)
{
    switch (t->kind) {
    case HD_T_ARRAY: return hd_type_length(t);
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_STRUCT: return t->count;
    default: return hd_is_cooperative(t) ? t->count : 0;
    }
}

const HdType *hd_type_part(const HdModule *m, const HdType *t, uint64_t i)
{
    if (i >= hd_type_parts(t))
        return NULL;
    return t->kind == HD_T_STRUCT ? hd_type_member(m, t, (uint32_t)i) : hd_type_element(t);
}

HdId hd_type_length_id(const HdModule *m, const HdType *t)
{
    return m->words[m->def[t->id] + 3];
}

const HdType *hd_type_member(const HdModule *m, const HdType *t, uint32_t i)
{
    static const HdType unsound = {.kind = HD_T_POINTER, .bits = 64, .align = 8};
    uint32_t first = t->kind == HD_T_FUNCTION ? 3 : 2;
    const HdType *member = hd_module_type(m, hd_parts_at(m->words + m->def[t->id], first, i));

    return member != NULL ? member : &unsound;
}

const HdConstant *hd_module_constant(const HdModule *m, HdId id)
{
    uint32_t word, n;

    if (id >= m->bound || m->constants == NULL)
        return NULL;
    word = m->def[id];
    n = m->types->in_epoch[word / 2];
    return n > HD_STRETCH_CONSTANT
               ? hd_constant_in(m->constants,
                                m->constants->before[word / HD_STRETCH] + n - HD_STRETCH_CONSTANT)
               : NULL;
}

static const HdConstant *integer(const HdModule *m, HdId id)
{
    const HdConstant *c = hd_module_constant(m, id);

    if (c == NULL || (c->type->kind != HD_T_INT && c->type->kind != HD_T_WIDE_INT) ||
        (c->kind != HD_C_SCALAR && c->kind != HD_C_NULL))
        return NULL;
    return c;
}

bool hd_module_constant_u64(const HdModule *m, HdId id, uint64_t *value)
{
    const HdConstant *c = integer(m, id);

    if (c != NULL)
        *value = c->bits; /* 0 in a null */
    return c != NULL;
}

bool hd_module_constant_i64(const HdModule *m, HdId id, int64_t *value)
{
    const HdConstant *c = integer(m, id);
    unsigned shift;

    if (c == NULL || (c->type->kind == HD_T_WIDE_INT && c->bits > INT64_MAX))
        return false;
    shift = c->type->kind == HD_T_WIDE_INT ? 0 : 64 - c->type->bits;
    *value = (int64_t)(c->bits << shift) >> shift;
    return true;
}
