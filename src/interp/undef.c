/* interp/undef.c -- constants of a module that are undefined (OpUndef outside functions), or partly
 * so.
 *
 * They are values of every frame, so that what is computed with them is undefined, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "interp/state.h"

bool hd_undef_is(const HdConstant *c)
{
    HdConstant room;

    if (c->kind == HD_C_UNDEF)
        return hd_type_size(c->type) != 0;
    for (uint32_t i = 0; c->kind == HD_C_COMPOSITE && i < c->count; i++)
        if (hd_undef_is(hd_constant_at(c, i, &room)))
            return true;
    return false;
}

HdStatus hd_undef_place(HdInterpProgram *p, const HdInst *in, const HdConstant *c)
{
    HdId id = hd_inst_result(in);

    if (p->undef_count == p->undef_room &&
        !hd_array_grow(p->arena, (void **)&p->undefs, p->undef_count, &p->undef_room, 1,
                       sizeof *p->undefs))
        return HD_NO_MEMORY;
    p->undefs[p->undef_count++] =
        (HdUndef){.id = id, .offset = p->undef_bytes, .constant = c, .in = *in};
    p->places[id] = (HdPlace){.kind = HD_PLACE_VALUE,
                              .offset = p->undef_bytes,
                              .stride = hd_type_size(c->type),
                              .type = c->type};
    p->undef_bytes += (hd_type_size(c->type) + 15) / 16 * 16;
    return HD_OK;
}

HdStatus hd_undef_fill(const HdInterpRun *r, HdInterpFrame *f, uint32_t width)
{
    for (size_t i = 0; i < r->p->undef_count; i++) {
        const HdUndef *u = &r->p->undefs[i];
        uint64_t bytes = hd_type_size(u->constant->type);
        unsigned char *at = f->values + u->offset * width;

        if (!hd_constant_write(r->p->m, u->constant, at, NULL, NULL))
            return HD_NO_MEMORY;
        for (uint32_t lane = 1; lane < width; lane++)
            memcpy(at + lane * bytes, at, (size_t)bytes);
    }
    return HD_OK;
}

HdStatus hd_undef_shade(const HdInterpRun *r, HdInterpFrame *f, uint32_t width)
{
    for (size_t i = 0; i < r->p->undef_count; i++) {
        const HdUndef *u = &r->p->undefs[i];
        uint64_t bytes = hd_type_size(u->constant->type);
        unsigned char *at = f->values + f->shadow + u->offset * width;

        if (!hd_constant_undefined(r->p->m, u->constant, at))
            return HD_NO_MEMORY;
        for (uint32_t lane = 1; lane < width; lane++)
            memcpy(at + lane * bytes, at, (size_t)bytes);
        f->origin[u->offset / 16] = (uint32_t)i + 1; /* the first numbers of instructions */
    }
    f->dirty += (uint32_t)r->p->undef_count;
    return HD_OK;
}
