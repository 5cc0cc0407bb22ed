/* debug/assign.c -- changing the variables of a stopped program.
 *
 * Only the work-item's own copy of a register changes; memory is shared.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "debug/private.h"
#include "interp/shadow.h"

#define MOST_BYTES 128u /* of a vector: 16 numbers of 64 bits */

static HdStatus refuse(HdStrbuf *why, const char *what)
{
    hd_strbuf_add(why, what);
    return HD_BAD_INPUT;
}

/* A number as a value of a scalar type. */
static HdStatus number_bytes(const HdType *t, const HdDebugValue *n, unsigned char *to,
                             HdStrbuf *why)
{
    bool is_real = n->number == HD_DEBUG_FLOAT;

    switch (t->kind) {
    case HD_T_FLOAT:
        if (t->encoding != 0)
            return refuse(why, "numbers of this encoding cannot be set");
        hd_float_put(to, hd_type_size(t), is_real ? n->real : (double)n->integer);
        return HD_OK;
    case HD_T_BOOL: to[0] = is_real ? n->real != 0 : n->integer != 0; return HD_OK;
    case HD_T_INT:
    case HD_T_POINTER:
        if (is_real && !(n->real > -9.2e18 && n->real < 9.2e18))
            return refuse(why, "the number is too large");
        hd_bits_put(to, hd_type_size(t),
                    is_real ? (uint64_t)(int64_t)n->real : (uint64_t)n->integer);
        return HD_OK;
    default: return refuse(why, "only numbers, pointers and values of the same type can be set");
    }
}

/* A column of a matrix whose rows come first. */
static bool is_apart(const HdDebug *d, const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR &&
           hd_debug_stride(d, t) != hd_type_size(hd_type_element(t));
}

static bool is_alike_vector(const HdType *a, const HdType *b)
{
    return b != NULL && a->kind == HD_T_VECTOR && b->kind == HD_T_VECTOR && a->count == b->count &&
           hd_type_element(a)->kind == hd_type_element(b)->kind &&
           hd_type_size(hd_type_element(a)) == hd_type_size(hd_type_element(b)) &&
           hd_type_size(a) <= MOST_BYTES;
}

/* The components of a vector side by side. */
static void vector_bytes(HdDebug *d, const HdDebugValue *v, unsigned char *to)
{
    const uint64_t bytes = hd_type_size(hd_type_element(v->type));
    HdDebugValue part;

    for (uint64_t i = 0; i < hd_type_parts(v->type) && hd_debug_value_part(d, v, i, &part, NULL);
         i++)
        memcpy(to + i * bytes, part.at != NULL ? part.at : part.own, (size_t)bytes);
}

HdStatus hd_debug_assign(HdDebug *d, uint32_t item, const HdDebugValue *place,
                         const HdDebugValue *value, HdStrbuf *why)
{
    const HdType *t = place->type;
    unsigned char small[MOST_BYTES] = {0}, *to;
    const unsigned char *from = small;
    HdDebugValue n;

    if (place->is_builtin)
        return refuse(why, "a built-in variable cannot be set");
    if (place->is_swizzle || is_apart(d, t))
        return refuse(why, "these components do not lie beside each other: set one at a time");
    if (t == NULL || place->at == NULL || !place->is_variable)
        return refuse(why, "this is not a place that a value can be put into");
    if (hd_debug_number(value, &n) && hd_type_parts(t) == 0)
        HD_TRY(number_bytes(t, &n, small, why));
    else if (value->type != NULL && value->type->kind == t->kind &&
             hd_type_size(value->type) == hd_type_size(t) && value->at != NULL &&
             !value->is_swizzle)
        from = value->at;
    else if (is_alike_vector(t, value->type))
        vector_bytes(d, value, small);
    else
        return refuse(why, "only numbers, pointers and values of the same type can be set");
    to = (unsigned char *)(uintptr_t)place->at;
    memmove(to, from, (size_t)hd_type_size(t));
    if (place->address != 0) {
        HdEval *e = &d->r->subs[item / d->r->g->width].e;

        hd_shadow_memory_define(e, place->address, hd_type_size(t), true);
        return HD_OK;
    }
    if (place->shadow != NULL)
        memset((unsigned char *)(uintptr_t)place->shadow, place->flip, (size_t)hd_type_size(t));
    if (place->provenance != NULL)
        *place->provenance = 0;
    return HD_OK;
}

/* The "=" of an assignment; NULL when there is none. */
static const char *equals_in(const char *text)
{
    for (const char *p = strchr(text, '='); p != NULL; p = strchr(p + 1, '=')) {
        if (p[1] == '=')
            p++;
        else if (p > text && strchr("<>!=", p[-1]) == NULL)
            return p;
    }
    return NULL;
}

HdStatus hd_debug_set(HdDebug *d, uint32_t item, uint32_t frame, const char *text,
                      HdDebugValue *out, HdStrbuf *why)
{
    const char *equals = equals_in(text);
    HdStrbuf left = {0};
    HdDebugValue value;
    HdStatus st;

    if (equals == NULL)
        return refuse(why, "set what? EXPR = EXPR");
    hd_strbuf_add_bytes(&left, text, (size_t)(equals - text));
    st = hd_debug_eval(d, item, frame, hd_strbuf_text(&left), out, why);
    hd_strbuf_free(&left);
    HD_TRY(st);
    HD_TRY(hd_debug_eval(d, item, frame, equals + 1, &value, why));
    return hd_debug_assign(d, item, out, &value, why);
}
