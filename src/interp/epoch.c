/* interp/epoch.c -- epochs: what a sub-group does from one synchronisation to the next. Races
 * are told by their numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/epoch.h"

#include "interp/state.h"
#include "interp/watch_state.h"

uint32_t hd_epoch_global(HdWatch *w)
{
    if (w->global_next + 1 >= w->global_end)
        w->is_lost = true;
    else
        w->global_next++;
    return w->global_next - 1;
}

uint32_t hd_epoch_local(HdWatch *w)
{
    if (w->local_next + 1 < HD_CELL_EPOCHS)
        w->local_next++;
    return w->local_next - 1;
}

void hd_epoch_begin(HdEval *e)
{
    HdSubWatch *sub = &e->sub->watch;

    sub->must_step = false;
    sub->local = hd_epoch_local(e->watch);
    sub->global = hd_epoch_global(e->watch);
}

void hd_epoch_apart(HdWatch *w, uint32_t *local, uint32_t *global)
{
    *local = hd_epoch_local(w);
    *global = hd_epoch_global(w);
}

const HdCopy *hd_epoch_copy(const HdWatch *w, uint32_t epoch, bool is_local)
{
    for (size_t i = 0; i < w->copies.count; i++)
        if ((is_local ? w->copies.at[i].local : w->copies.at[i].global) == epoch)
            return &w->copies.at[i];
    return NULL;
}
