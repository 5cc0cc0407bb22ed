/* module/constant.c -- new constants, parts of others, and their bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/constant.h"

#include <string.h>

#include "base/array.h"
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

/* ---- bytes --------------------------------------------------------------------------------- */

typedef struct Pending {
    const HdConstant *c;
    uint32_t next; /* part to write next */
    unsigned char *at;
} Pending;

static uint64_t part_offset(const HdModule *m, const HdType *t, uint32_t i)
{
    if (t->kind == HD_T_STRUCT)
        return hd_type_offset(m, t, i);
    if (t->kind == HD_T_ARRAY && hd_type_length(t) != 0)
        return hd_type_size(t) / hd_type_length(t) * i; /* the stride, decorated or natural */
    return hd_type_size(hd_type_element(t)) * i;
}

static void write_leaf(const HdConstant *c, unsigned char *at, HdAddressOf *address, void *user)
{
    uint64_t bits = c->bits;

    if (c->kind == HD_C_ADDRESS)
        bits = address != NULL ? address(user, c->base) + (uint64_t)c->offset : 0;
    for (uint64_t i = 0; i < hd_type_size(c->type) && i < 8; i++)
        at[i] = (unsigned char)(bits >> (8 * i));
}

/* Each leaf of a constant: its bytes, or which of them have no value. */
typedef struct Writing {
    const HdModule *m;
    HdAddressOf *address;
    void *user;
    bool undefined;
} Writing;

static void write_one(const Writing *w, const HdConstant *c, unsigned char *at)
{
    if (w->undefined && c->kind == HD_C_UNDEF)
        memset(at, 0xff, (size_t)hd_type_size(c->type));
    else if (!w->undefined && c->kind != HD_C_NULL && c->kind != HD_C_UNDEF)
        write_leaf(c, at, w->address, w->user);
}

static bool write_all(const Writing *w, const HdConstant *c, void *bytes)
{
    HD_ARRAY(Pending) stack = {0};
    bool ok = hd_type_size(c->type) != 0;

    if (!ok)
        return false;
    memset(bytes, 0, (size_t)hd_type_size(c->type));
    ok = HD_PUSH(NULL, &stack, ((Pending){.c = c, .at = bytes}));
    while (ok && stack.count != 0) {
        Pending *top = &stack.at[stack.count - 1];

        if (top->c->kind != HD_C_COMPOSITE) {
            write_one(w, top->c, top->at);
            stack.count--;
        } else if (top->next == top->c->count || hd_type_size(top->c->type) == 0) {
            stack.count--;
        } else {
            uint32_t i = top->next++;
            HdConstant room;
            Pending part = {.c = hd_constant_at(top->c, i, &room),
                            .at = top->at + part_offset(w->m, top->c->type, i)};

            if (part.c == &room)
                write_one(w, part.c, part.at);
            else
                ok = HD_PUSH(NULL, &stack, part);
        }
    }
    HD_ARRAY_FREE(&stack);
    return ok;
}

bool hd_constant_write(const HdModule *m, const HdConstant *c, void *bytes, HdAddressOf *address,
                       void *user)
{
    const Writing w = {.m = m, .address = address, .user = user};

    return write_all(&w, c, bytes);
}

bool hd_constant_undefined(const HdModule *m, const HdConstant *c, void *bytes)
{
    const Writing w = {.m = m, .undefined = true};

    return write_all(&w, c, bytes);
}
