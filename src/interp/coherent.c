/* interp/coherent.c -- shaders' accesses that do not concern other invocations, though these are
 * ordered after what they write, or before what they read.
 *
 * In GLSL's memory model an access to a buffer concerns others if its variable or member is
 * Coherent. In Vulkan's it must be NonPrivatePointer, and what was written is made available and
 * visible by the access or by a barrier. Loads are looked at: which invocation wrote last is in the
 * cells of races; where the load concerns others, the instruction that wrote is looked for.
 *
 * check.coherent is reported by race_report.c.
 *
 * Spec: SPIR-V, "Memory Operands", "Decoration"; Vulkan, "Memory Model".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/coherent.h"

#include "interp/coherence.h"
#include "interp/plan.h"
#include "interp/race.h"
#include "interp/state.h"
#include "interp/watch_state.h"
#include "module/piece.h"

#define MOST_LOOKS 64u /* of one load of a group for the other side */

/* Does an access of that kind, in that epoch, concern others? What atomics order counts as shown by
 * them, to other work-groups if one has made anything available or visible to them.
 *   by  MakeAvailable of a store, MakeVisible of a load */
static bool is_shown(const HdEval *e, const HdRaceClock *k, uint8_t coherence, uint32_t epoch,
                     uint32_t by)
{
    const uint32_t shown = k->is_local ? k->w->local_shown : k->w->global_shown;

    if (coherence == HD_COHERENT || coherence == HD_COHERENT_NOT)
        return coherence == HD_COHERENT;
    if (!hd_race_is_own_group(k, epoch))
        return (__atomic_load_n(&e->watch->c->shown, __ATOMIC_RELAXED) & by) != 0;
    return coherence == HD_COHERENT_GROUP || epoch - k->base < shown - k->base ||
           epoch - k->base >= k->low - k->base;
}

/* A lane reads what another one wrote, in order. */
static void look(HdEval *e, unsigned lane, const HdRaceClock *k, HdConflict *x)
{
    const uint32_t epoch = hd_cell_epoch(x->half);
    HdTrace *t = &e->watch->trace[e->info->number];
    bool hides = !is_shown(e, k, e->info->coherence, epoch, SpvMemorySemanticsMakeVisibleMask);
    uint8_t others = HD_COHERENT;
    const HdInst *other;

    if (t->looked >= MOST_LOOKS)
        return;
    t->looked++;
    other = hd_race_other(e, x, epoch - k->base < k->own);
    if (other != NULL && !x->was_atomic)
        others = hd_coherence_of(e->run->p, other);
    if (hides || !is_shown(e, k, others, epoch, SpvMemorySemanticsMakeAvailableMask))
        hd_race_report_hidden(e, lane, k, x, other, !hides);
}

static uint64_t cell_at(const HdEval *e, const HdCells *c, uint64_t address)
{
    const uint64_t *fine = c->region != NULL ? c->region->fine : e->watch->local_fine;
    uint64_t cell = __atomic_load_n(&c->at[(address - c->base) / HD_CELL_BYTES], __ATOMIC_RELAXED);

    if (cell != UINT64_MAX)
        return cell;
    return fine != NULL ? __atomic_load_n(&fine[address - c->base], __ATOMIC_RELAXED) : 0;
}

static void look_lane(HdEval *e, unsigned lane, HdRaceClock *k, const HdCells *c, uint64_t address,
                      uint64_t bytes)
{
    HdConflict x = {.cells = c, .whole = bytes, .how = HD_EVAL_READ, .wrote = true};

    for (uint64_t at = address; at < address + bytes;
         at = (at / HD_CELL_BYTES + 1) * HD_CELL_BYTES) {
        const uint32_t writer = hd_cell_writer(cell_at(e, c, at));
        const uint32_t half = writer & ~HD_CELL_ATOMIC, epoch = hd_cell_epoch(half);

        if (epoch - k->first >= k->count || (epoch == k->first && !k->is_local) ||
            (hd_cell_item(half) == hd_cell_item(k->me) && epoch - k->base < k->own) ||
            !hd_race_sees(e, k, half))
            continue;
        x.address = at;
        x.bytes = 1;
        x.half = half;
        x.was_atomic = half != writer;
        look(e, lane, k, &x);
        return;
    }
}

void hd_coherent_read(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                      uint64_t bytes)
{
    const HdSubWatch *sub = &e->sub->watch;
    HdRaceClock k;

    if (e->watch->is_lost || sub->seen.is_all ||
        e->watch->trace[e->info->number].looked >= MOST_LOOKS)
        return;
    k = hd_race_clock(e, 0, c);
    if (k.low == k.base && sub->seen.over.count == 0 && sub->met.with == 0 && k.begun == k.base)
        return; /* nothing is ordered yet */
    for (HD_EACH_LANE(lane, mask)) {
        k.me = (k.mine << HD_CELL_ITEM_BITS) | (e->first + lane);
        look_lane(e, lane, &k, c, address[lane], bytes);
    }
}
