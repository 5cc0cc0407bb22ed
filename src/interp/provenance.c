/* interp/provenance.c -- origins of pointers that are known only at run time.
 *
 * A pointer that was loaded, passed to a function, selected by a phi or select, or extracted from a
 * composite has a provenance: the number of the variable or argument that it was derived from, 0 if
 * unknown. Trails of values are in their frame, those of pointers in private and local memory next
 * to it, one for each 8 bytes; other writes there erase them. A composite that contains pointers
 * has a provenance for each 8 bytes as well.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/provenance.h"

#include "base/memory.h"
#include "interp/info.h"
#include "interp/room.h"
#include "interp/state.h"
#include "interp/watch_state.h"

/* ---- memory -------------------------------------------------------------------------------- */

HdStatus hd_provenance_open(HdInterpRun *r)
{
    const HdProgramInfo *info = &r->p->info;
    HdWatch *w = r->watch;

    if (!info->stores_pointers)
        return HD_OK;
    HD_TAKE(w->private_provenance,
            hd_room_take(r->room, (r->private_bytes / HD_PROVENANCE_BYTES + 1) * 4));
    HD_TAKE(w->local_provenance,
            hd_room_take(r->room, (r->g->local_bytes / HD_PROVENANCE_BYTES + 1) * 4));
    return HD_OK;
}

/* Where the provenance of a pointer at an address is kept; NULL: nowhere. */
static uint32_t *cell_at(const HdEval *e, uint64_t address)
{
    const HdInterpRun *r = e->run;
    uint64_t at = address - (uint64_t)(uintptr_t)r->subs[0].private_at;

    if (e->watch->private_provenance == NULL)
        return NULL;
    if (at < r->private_bytes)
        return e->watch->private_provenance + at / HD_PROVENANCE_BYTES;
    at = address - (uint64_t)(uintptr_t)r->local;
    return at < r->g->local_bytes ? e->watch->local_provenance + at / HD_PROVENANCE_BYTES : NULL;
}

void hd_provenance_wipe(HdEval *e, uint64_t address, uint64_t bytes)
{
    uint32_t *cell = bytes > 0 ? cell_at(e, address) : NULL;

    if (cell != NULL)
        memset(cell, 0,
               (size_t)((address % HD_PROVENANCE_BYTES + bytes - 1) / HD_PROVENANCE_BYTES + 1) * 4);
}

void hd_provenance_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes)
{
    const uint32_t *source = cell_at(e, from);
    uint32_t *target = cell_at(e, to);

    if (target == NULL)
        return;
    if (source != NULL && (to | from | bytes) % HD_PROVENANCE_BYTES == 0)
        memmove(target, source, (size_t)(bytes / HD_PROVENANCE_BYTES) * 4);
    else
        hd_provenance_wipe(e, to, bytes);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static uint32_t number_of(HdEval *e, const HdInterpFrame *f, HdId root, HdRootKind kind)
{
    const HdProvenance t = {.root = root,
                            .function = kind == HD_ROOT_PRIVATE ? f->code->number : 0,
                            .base = kind == HD_ROOT_PRIVATE ? f->base : 0};
    HdWatch *w = e->watch;

    for (size_t i = w->provenances.count; i-- > 0;)
        if (memcmp(&w->provenances.at[i], &t, sizeof t) == 0)
            return (uint32_t)i + 1;
    return HD_PUSH(NULL, &w->provenances, t) ? (uint32_t)w->provenances.count : 0;
}

static uint32_t *slot_of(const HdEval *e, const HdInterpFrame *f, uint32_t provenance)
{
    return f->provenances + (uint64_t)(provenance - 1) * e->width;
}

/* How many provenances a value of a type has. */
static uint32_t cells_of(const HdEval *e, HdId id)
{
    const HdType *t = hd_module_type_of(e->m, id);

    return t != NULL ? hd_info_provenance_cells(e->m, t) : 0;
}

/* One of a value in a frame, for lanes of a mask. */
static void provenances_of(HdEval *e, const HdInterpFrame *f, HdId id, uint32_t cell, uint64_t mask,
                           uint32_t *out)
{
    HdRoot root = hd_info_root(e->run->p, id);
    unsigned row = hd_lane_row(mask);
    uint32_t number = 0;

    if (root.provenance != 0) {
        const uint32_t *from = slot_of(e, f, root.provenance + cell);

        if (row > 0)
            memcpy(out, from, row * sizeof *out);
        for (HD_EACH_LANE(lane, row > 0 ? 0 : mask))
            out[lane] = from[lane];
        return;
    }
    if (root.kind != HD_ROOT_UNKNOWN && root.kind != HD_ROOT_ARRAY)
        number = number_of(e, f, root.id, root.kind);
    for (unsigned i = 0; i < row; i++)
        out[i] = number;
    for (HD_EACH_LANE(lane, row > 0 ? 0 : mask))
        out[lane] = number;
}

/* ---- roots --------------------------------------------------------------------------------- */

HdRoot hd_provenance_root(const HdEval *e, uint64_t lanes)
{
    HdRoot root = hd_info_root(e->run->p, e->pointer), found = {0};
    const HdProvenance *t;
    const uint32_t *slot;
    uint32_t first, odd = 0;
    unsigned row = hd_lane_row(lanes);

    root.base = e->frame->base;
    root.function = e->frame->code->number;
    if (root.provenance == 0)
        return root;
    slot = slot_of(e, e->frame, root.provenance);
    first = slot[hd_lane_first(lanes)];
    for (unsigned i = 0; i < row; i++)
        odd |= slot[i] ^ first;
    for (HD_EACH_LANE(lane, row > 0 ? 0 : lanes))
        odd |= slot[lane] ^ first;
    root.kind = odd != 0 ? HD_ROOT_MIXED : HD_ROOT_UNKNOWN;
    if (odd != 0 || first == 0)
        return root;
    t = &e->watch->provenances.at[first - 1];
    found = hd_info_root(e->run->p, t->root);
    found.base = t->base;
    found.function = t->function;
    found.first_index = root.first_index;
    found.index_count = root.index_count;
    return found;
}

/* ---- instructions -------------------------------------------------------------------------- */

void hd_provenance_store(HdEval *e, HdId object, uint64_t lanes, const uint64_t *address,
                         uint64_t bytes)
{
    uint32_t provenances[HD_EVAL_LANES], cells;

    if (e->watch->private_provenance == NULL)
        return;
    for (HD_EACH_LANE(lane, lanes))
        hd_provenance_wipe(e, address[lane], bytes);
    cells = cells_of(e, object);
    for (uint32_t i = 0; i < cells; i++) {
        provenances_of(e, e->frame, object, i, lanes, provenances);
        for (HD_EACH_LANE(lane, lanes)) {
            uint32_t *cell = address[lane] % HD_PROVENANCE_BYTES == 0
                                 ? cell_at(e, address[lane] + i * HD_PROVENANCE_BYTES)
                                 : NULL;

            if (cell != NULL)
                *cell = provenances[lane];
        }
    }
}

static void after_load(HdEval *e, const HdInst *in, uint32_t slot)
{
    const uint32_t cells = cells_of(e, in->w[2]);
    HdSlot p;

    if (hd_eval_use(e, in->w[3], &p) != HD_OK)
        return;
    for (uint32_t i = 0; i < cells; i++)
        for (HD_EACH_LANE(lane, e->mask)) {
            uint64_t address = hd_bits_get(hd_slot_at(&p, lane), 8) + i * HD_PROVENANCE_BYTES;
            const uint32_t *cell = address % HD_PROVENANCE_BYTES == 0 ? cell_at(e, address) : NULL;

            slot_of(e, e->frame, slot + i)[lane] = cell != NULL ? *cell : 0;
        }
}

static void after_select(HdEval *e, const HdInst *in, uint32_t slot)
{
    const uint32_t cells = cells_of(e, in->w[2]);
    uint64_t first = 0;
    HdSlot condition;

    if (hd_eval_use(e, in->w[3], &condition) != HD_OK)
        return;
    for (HD_EACH_LANE(lane, e->mask))
        first |= (uint64_t)(*hd_slot_at(&condition, lane) != 0) << lane;
    for (uint32_t i = 0; i < cells; i++) {
        provenances_of(e, e->frame, in->w[4], i, first, slot_of(e, e->frame, slot + i));
        provenances_of(e, e->frame, in->w[5], i, e->mask & ~first, slot_of(e, e->frame, slot + i));
    }
}

/* One may be another's value, from before. */
static void after_phis(HdEval *e, const HdInst *in)
{
    const uint32_t *slots = e->run->p->info.provenance_slot;
    uint32_t count = e->skip + 1, all = 0, at, *provenances;
    HdId label;

    for (uint32_t i = 0; i < count; i++)
        all += slots[in[i].w[2]] != 0 ? cells_of(e, in[i].w[2]) : 0;
    provenances = hd_eval_scratch(e, (uint64_t)all * e->width * sizeof *provenances);
    if (provenances == NULL)
        return;
    memset(provenances, 0, (size_t)all * e->width * sizeof *provenances);
    for (uint64_t left = e->mask, same; left != 0; left &= ~same) {
        same = hd_eval_same_origin(e, left, &label);
        at = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t cells = slots[in[i].w[2]] != 0 ? cells_of(e, in[i].w[2]) : 0;

            for (unsigned k = 3; k + 1u < in[i].nwords; k += 2)
                for (uint32_t c = 0; c < cells && in[i].w[k + 1] == label; c++)
                    provenances_of(e, e->frame, in[i].w[k], c, same,
                                   provenances + (uint64_t)(at + c) * e->width);
            at += cells;
        }
    }
    at = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; slots[in[i].w[2]] != 0 && c < cells_of(e, in[i].w[2]); c++, at++)
            for (HD_EACH_LANE(lane, e->mask))
                slot_of(e, e->frame, slots[in[i].w[2]] + c)[lane] =
                    provenances[(uint64_t)at * e->width + lane];
}

/* ---- parts of composites ------------------------------------------------------------------- */

/* `count` provenances of a value, from its `from`-th on, go to a frame's places. */
static void take(HdEval *e, HdId id, uint32_t from, uint32_t count, uint32_t slot)
{
    for (uint32_t i = 0; i < count; i++)
        provenances_of(e, e->frame, id, from + i, e->mask, slot_of(e, e->frame, slot + i));
}

static uint64_t part_offset(const HdModule *m, const HdType *t, uint32_t i)
{
    return t->kind == HD_T_STRUCT ? hd_type_offset(m, t, i) : i * hd_type_stride(m, t);
}

/* The first provenance of the part that literal indexes from word `at` on lead to; false: it has
 * none.
 */
static bool cell_of_part(const HdEval *e, const HdInst *in, unsigned at, HdId whole, uint32_t *cell)
{
    const HdType *t = hd_module_type_of(e->m, whole);
    uint64_t offset = 0;

    for (; at < in->nwords && t != NULL; at++) {
        offset += part_offset(e->m, t, in->w[at]);
        t = hd_type_part(e->m, t, in->w[at]);
    }
    *cell = (uint32_t)(offset / HD_PROVENANCE_BYTES);
    return offset % HD_PROVENANCE_BYTES == 0;
}

static void after_extract(HdEval *e, const HdInst *in, uint32_t slot)
{
    uint32_t cell;

    if (cell_of_part(e, in, 4, in->w[3], &cell))
        take(e, in->w[3], cell, cells_of(e, in->w[2]), slot);
}

static void after_insert(HdEval *e, const HdInst *in, uint32_t slot)
{
    uint32_t cell;

    take(e, in->w[4], 0, cells_of(e, in->w[2]), slot);
    if (cell_of_part(e, in, 5, in->w[2], &cell))
        take(e, in->w[3], 0, cells_of(e, in->w[3]), slot + cell);
}

static void after_construct(HdEval *e, const HdInst *in, uint32_t slot)
{
    const HdType *t = hd_module_type_of(e->m, in->w[2]);

    for (unsigned i = 3; i < in->nwords; i++) {
        uint64_t offset = part_offset(e->m, t, i - 3);

        if (offset % HD_PROVENANCE_BYTES == 0)
            take(e, in->w[i], 0, cells_of(e, in->w[i]),
                 slot + (uint32_t)(offset / HD_PROVENANCE_BYTES));
    }
}

void hd_provenance_after(HdEval *e, const HdInst *in)
{
    uint32_t slot = e->run->p->info.provenance_slot[in->w[2]];

    switch (in->opix) {
    case HD_OPIX_Load: after_load(e, in, slot); break;
    case HD_OPIX_Select: after_select(e, in, slot); break;
    case HD_OPIX_Phi: after_phis(e, in); break;
    case HD_OPIX_CompositeExtract: after_extract(e, in, slot); break;
    case HD_OPIX_CompositeInsert: after_insert(e, in, slot); break;
    case HD_OPIX_CompositeConstruct: after_construct(e, in, slot); break;
    case HD_OPIX_CopyObject:
    case HD_OPIX_CopyLogical: take(e, in->w[3], 0, cells_of(e, in->w[2]), slot); break;
    default: break;
    }
}

void hd_provenance_pass(HdEval *e, HdInterpFrame *to, HdId to_id, const HdInterpFrame *from,
                        HdId from_id, uint64_t mask)
{
    uint32_t slot = e->run->p->info.provenance_slot[to_id];

    for (uint32_t i = 0; slot != 0 && i < cells_of(e, to_id); i++)
        provenances_of(e, from, from_id, i, mask, slot_of(e, to, slot + i));
}
