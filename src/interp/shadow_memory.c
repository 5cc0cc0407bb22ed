/* interp/shadow_memory.c -- uninitialised bits in memory: loads, stores, moves.
 *
 * Private and local memory have shadow next to the bytes, global memory in its region.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "interp/plan.h"
#include "interp/provenance.h"
#include "interp/rows.h"
#include "interp/shadow.h"
#include "interp/shadow_at.h"
#include "interp/watch_state.h"

/* ---- where bits in memory come from -------------------------------------------------------- */

/* The place of a cell: that of its lowest bits, in which private memory has no other one, or, where
 * a cell of other memory holds it, one of a few. */
static HdStain *stain_at(const HdWatch *w, uint64_t cell)
{
    uint64_t step = cell * UINT64_C(0x9e3779b97f4a7c15) >> 32 | 1;
    HdStain *free = NULL;

    for (unsigned i = 0; i < 8; i++) {
        HdStain *s = &w->stains[(cell + i * step) % HD_STAINS];

        if (s->cell == cell)
            return s;
        if (free == NULL && s->origin == 0)
            free = s;
    }
    return free != NULL ? free : &w->stains[cell % HD_STAINS];
}

/* Bytes get bits without a value of that origin; 0: of none. */
static void stain(HdEval *e, uint64_t address, uint64_t bytes, uint32_t origin)
{
    uint64_t cell = address / HD_STAIN_BYTES, end = (address + bytes - 1) / HD_STAIN_BYTES + 1;
    HdWatch *w = e->watch;

    if (w->stains == NULL && origin != 0)
        w->stains = hd_alloc_zero(HD_STAINS * sizeof *w->stains);
    if (w->stains == NULL || bytes == 0)
        return;
    end = end - cell > HD_STAINS ? cell + HD_STAINS : end;
    for (; cell < end; cell++)
        if (origin != 0 || stain_at(w, cell)->cell == cell)
            *stain_at(w, cell) = (HdStain){.cell = cell, .origin = origin};
}

/* The origin of the first of some bytes that has one; 0. */
static uint32_t stain_of(const HdEval *e, uint64_t address, uint64_t bytes)
{
    uint64_t cell = address / HD_STAIN_BYTES, end = (address + bytes - 1) / HD_STAIN_BYTES + 1;

    end = end - cell > HD_STAINS ? cell + HD_STAINS : end;
    for (; e->watch->stains != NULL && cell < end; cell++)
        if (stain_at(e->watch, cell)->cell == cell && stain_at(e->watch, cell)->origin != 0)
            return stain_at(e->watch, cell)->origin;
    return 0;
}

/* ---- loads and stores ---------------------------------------------------------------------- */

/* No lane's bytes can lack values: global memory that has no shadow. */
static bool has_all_values(const HdPlan *x)
{
    return x->memory == HD_MEMORY_GLOBAL && x->region != NULL && !x->region->is_undefined &&
           atomic_load_explicit(&x->region->shadow, memory_order_acquire) == NULL;
}

static unsigned char any_of(const unsigned char *at, uint64_t bytes, unsigned char flip)
{
    unsigned char any = 0;

    for (uint64_t i = 0; i < bytes; i++)
        any |= at[i] ^ flip;
    return any;
}

/* The distance from an address to its shadow, if memory has shadow next to it. */
static bool shadow_distance(const HdEval *e, const HdPlan *x, uint64_t *distance)
{
    if (x->memory == HD_MEMORY_PRIVATE)
        *distance = e->run->private_bytes;
    else if (x->memory == HD_MEMORY_LOCAL)
        *distance =
            (uint64_t)(uintptr_t)e->watch->local_shadow - (uint64_t)(uintptr_t)e->run->local;
    else
        return false;
    return true;
}

bool hd_shadow_memory_is_none(const HdEval *e, const HdPlan *x)
{
    uint64_t distance, any = 0;
    unsigned row = hd_lane_row(x->good);
    unsigned word = x->bytes == 0 || (x->bits & (x->bytes - 1)) != 0 ? 0 : (unsigned)x->bytes;

    if (has_all_values(x))
        return true;
    if (!shadow_distance(e, x, &distance))
        return false;
    if (row > 0 && (word == 4 || word == 8))
        return !hd_row_any(x->address, distance, row, word);
    switch (word) {
    case 4:
        for (HD_EACH_LANE(lane, x->good))
            any |= *(const HdU32 *)(uintptr_t)(x->address[lane] + distance);
        return any == 0;
    case 8:
        for (HD_EACH_LANE(lane, x->good))
            any |= *(const HdU64 *)(uintptr_t)(x->address[lane] + distance);
        return any == 0;
    default:
        for (HD_EACH_LANE(lane, x->good))
            any |= any_of((const unsigned char *)(uintptr_t)(x->address[lane] + distance), x->bytes,
                          0);
        return any == 0;
    }
}

/* The loaded slot gets the memory's shadow. */
void hd_shadow_memory_load(HdEval *e, const HdPlan *x, const HdSlot *r)
{
    uint32_t slot = e->info->result - 1;
    bool dirty = e->frame->origin[slot] != 0, found = false;
    uint32_t origin = 0;
    HdSlot shadow = *r;

    if (!dirty && hd_shadow_memory_is_none(e, x))
        return;
    shadow.at += e->frame->shadow;
    if (dirty)
        for (HD_EACH_LANE(lane, e->mask))
            memset(hd_slot_at(&shadow, lane), 0, (size_t)hd_type_size(r->type));
    for (HD_EACH_LANE(lane, x->good)) {
        unsigned char flip, *from = hd_shadow_at(e, x->address[lane], false, &flip);

        if (from == NULL || any_of(from, x->bytes, flip) == 0)
            continue;
        if (!found)
            origin = stain_of(e, x->address[lane], x->bytes);
        found = true;
        for (uint64_t i = 0; i < x->bytes; i++)
            hd_slot_at(&shadow, lane)[i] = from[i] ^ flip;
    }
    if (found || dirty)
        hd_shadow_settle(e, &shadow, slot, origin != 0 ? origin : e->info->number + 1);
}

void hd_shadow_memory_load_part(HdEval *e, uint64_t address, uint64_t bytes, unsigned char *to,
                                uint32_t *origin)
{
    unsigned char flip, *from = hd_shadow_at(e, address, false, &flip);

    if (from == NULL || any_of(from, bytes, flip) == 0)
        return;
    if (*origin == 0)
        *origin = stain_of(e, address, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        to[i] = from[i] ^ flip;
}

/* Is this a variable that holds nothing but one value of that size: a number, or a union? */
static bool holds_one(const HdModule *m, HdId pointer, uint64_t bytes)
{
    const HdType *t = hd_module_type_of(m, pointer);
    HdInst in;

    if (!hd_module_def(m, pointer, &in) || t == NULL)
        return false;
    if (in.opix == HD_OPIX_Bitcast)
        return hd_module_def(m, in.w[3], &in) && in.opix == HD_OPIX_Variable &&
               holds_one(m, in.w[2], bytes);
    t = in.opix == HD_OPIX_Variable && t->kind == HD_T_POINTER ? hd_type_element(t) : NULL;
    if (t != NULL && t->kind == HD_T_STRUCT && t->count == 1)
        t = hd_type_member(m, t, 0);
    return t != NULL && (t->kind == HD_T_INT || t->kind == HD_T_FLOAT) && hd_type_size(t) == bytes;
}

/* Is this certainly one value, not what compilers make of copies: bytes of a structure with its
 * padding? */
static bool is_one_value(const HdModule *m, HdId id)
{
    HdInst in;

    if (!hd_module_def(m, id, &in))
        return false;
    if (in.opix == HD_OPIX_UConvert || in.opix == HD_OPIX_SConvert)
        return hd_module_def(m, in.w[3], &in) && in.opix == HD_OPIX_Load &&
               is_one_value(m, in.w[2]);
    if (in.opix == HD_OPIX_Load)
        return holds_one(m, in.w[3], hd_type_size(hd_module_type(m, in.w[1])));
    return hd_gram_insts[in.opix].klass == HD_CLASS_Arithmetic;
}

static bool is_all_ones(const unsigned char *at, uint64_t bytes)
{
    bool all = bytes != 0;

    for (uint64_t i = 0; i < bytes; i++)
        all = all && at[i] == 0xff;
    return all;
}

/* Do whole components lack a value, or some bits of a byte? Padding and parts that are copied along
 * are whole bytes of a component that has others, or members of a composite: they do not count.
 * `is_one`: there is none. */
static bool is_spoiled(const HdSlot *shadow, unsigned lane, bool is_one)
{
    const HdType *t = shadow->type;
    uint64_t bytes = hd_type_size(hd_type_scalar(t));

    uint32_t count = hd_type_lanes(t);

    if (t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY)
        return is_all_ones(hd_slot_at(shadow, lane), hd_type_size(t));
    /* Compilers store vectors of 3 as vectors of 4. */
    count -= t->kind == HD_T_VECTOR && count == 4;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at = hd_slot_at(shadow, lane) + i * bytes;
        bool part = false;

        for (uint64_t b = 0; b < bytes; b++)
            part = part || (at[b] != 0 && (is_one || at[b] != 0xff));
        if (part || is_all_ones(at, bytes))
            return true;
    }
    return false;
}

/* Memory gets the stored slot's shadow. */
void hd_shadow_memory_store(HdEval *e, const HdPlan *x, const HdSlot *from)
{
    HdSlot shadow;
    bool dirty = e->frame->dirty > 0 && hd_shadow_of(e, from, &shadow);
    uint32_t origin = 0;
    uint64_t spoiled = 0, distance;
    bool is_one = false;

    if (dirty)
        origin = e->frame->origin[(uint64_t)(from->at - e->frame->values) / e->width / 16];
    dirty = origin != 0;
    if (!dirty && has_all_values(x))
        return;
    if (dirty && e->in->opix == HD_OPIX_Store && x->memory == HD_MEMORY_GLOBAL)
        is_one = is_one_value(e->m, hd_module_inst(e->m, e->in->word).w[2]);
    if (!dirty && shadow_distance(e, x, &distance)) {
        if (x->is_row)
            memset((void *)(uintptr_t)(x->low + distance), 0, (size_t)(x->high - x->low));
        for (HD_EACH_LANE(lane, x->is_row ? 0 : x->good))
            memset((void *)(uintptr_t)(x->address[lane] + distance), 0, (size_t)x->bytes);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        bool any = dirty && any_of(hd_slot_at(&shadow, lane), x->bytes, 0) != 0;
        unsigned char flip, *to = hd_shadow_at(e, x->address[lane], any, &flip);

        if (to == NULL)
            continue;
        if (any) {
            for (uint64_t i = 0; i < x->bytes; i++)
                to[i] = hd_slot_at(&shadow, lane)[i] ^ flip;
            stain(e, x->address[lane], x->bytes, origin);
        } else {
            memset(to, flip, (size_t)x->bytes);
        }
        if (any && x->memory == HD_MEMORY_GLOBAL && is_spoiled(&shadow, lane, is_one))
            spoiled |= UINT64_C(1) << lane;
    }
    if (spoiled != 0)
        hd_shadow_report(e, spoiled, origin, "the kernel wrote", x->low, x->high - x->low);
}

void hd_shadow_memory_wrote(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                            const HdSlot *x, uint64_t from, uint64_t bytes)
{
    HdSlot shadow;
    uint32_t origin;

    if (e->frame->dirty == 0 || !hd_shadow_of(e, x, &shadow))
        return;
    origin = e->frame->origin[(uint64_t)(x->at - e->frame->values) / e->width / 16];
    if (origin == 0)
        return;
    hd_shadow_memory_put(e, address, hd_slot_at(&shadow, lane) + from, bytes);
    stain(e, address, bytes, origin);
    if (hd_plan_memory(e, storage, address) == HD_MEMORY_GLOBAL &&
        any_of(hd_slot_at(&shadow, lane) + from, bytes, 0) != 0)
        hd_shadow_report(e, UINT64_C(1) << lane, origin, "the kernel wrote", address, bytes);
}

bool hd_shadow_memory_any(HdEval *e, uint64_t address, uint64_t bytes)
{
    unsigned char flip, *at = hd_shadow_at(e, address, false, &flip);

    return at != NULL && any_of(at, bytes, flip) != 0;
}

void hd_shadow_memory_define(HdEval *e, uint64_t address, uint64_t bytes, bool has_value)
{
    unsigned char flip, *at = hd_shadow_at(e, address, !has_value, &flip);

    hd_provenance_wipe(e, address, bytes);
    if (!has_value)
        stain(e, address, bytes, 0);
    if (at != NULL)
        memset(at, has_value ? flip : flip ^ 0xff, (size_t)bytes);
}

void hd_shadow_memory_put(HdEval *e, uint64_t address, const unsigned char *shadow, uint64_t bytes)
{
    unsigned char flip, *at = hd_shadow_at(e, address, true, &flip);

    for (uint64_t i = 0; at != NULL && i < bytes; i++)
        at[i] = shadow[i] ^ flip;
}

void hd_shadow_memory_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes)
{
    unsigned char from_flip, to_flip;
    unsigned char *source = hd_shadow_at(e, from, false, &from_flip);
    bool any = source != NULL && any_of(source, bytes, from_flip) != 0;
    unsigned char *at = hd_shadow_at(e, to, any, &to_flip);

    hd_provenance_move(e, to, from, bytes);
    if (at == NULL)
        return;
    if (!any) {
        memset(at, to_flip, (size_t)bytes);
        return;
    }
    memmove(at, source, (size_t)bytes);
    stain(e, to, bytes, stain_of(e, from, bytes));
    for (uint64_t i = 0; i < bytes && from_flip != to_flip; i++)
        at[i] ^= 0xff;
}
