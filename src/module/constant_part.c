/* module/constant_part.c -- new constants, and parts of others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/parts.h"
#include "module/private.h"

HdConstant *hd_constant_new(HdArena *a, HdConstantKind kind, const HdType *type)
{
    HdConstant *c = HD_NEW(a, HdConstant, 1);

    if (c != NULL) {
        c->kind = (uint8_t)kind;
        c->type = type;
    }
    return c;
}

HdStatus hd_constant_part(const HdModule *m, HdArena *a, const HdConstant *c, uint64_t i,
                          const HdConstant **out)
{
    const HdType *type = hd_type_part(m, c->type, i);
    HdConstant room;

    *out = NULL;
    if (type == NULL)
        return HD_OK;
    if (c->kind == HD_C_COMPOSITE) {
        *out = i < c->count ? hd_constant_at(c, (uint32_t)i, &room) : NULL;
        if (*out == &room)
            HD_TAKE(*out, hd_arena_copy(a, &room, sizeof room));
        return HD_OK;
    }
    if (c->kind == HD_C_NULL || c->kind == HD_C_UNDEF)
        HD_TAKE(*out, hd_constant_new(a, c->kind, type));
    return HD_OK;
}
