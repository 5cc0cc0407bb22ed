/* interp/stretch.c -- stretches: what a sub-group does from one synchronisation to the next. Races
 * are told by their numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/state.h"

uint32_t hd_stretch_global(HdWatch *w)
{
    if (w->global_next + 1 >= w->global_end)
        w->is_lost = true;
    else
        w->global_next++;
    return w->global_next - 1;
}

uint32_t hd_stretch_local(HdWatch *w)
{
    if (w->local_next + 1 < HD_CELL_STRETCHES)
        w->local_next++;
    return w->local_next - 1;
}

void hd_stretch_begin(HdEval *e)
{
    HdSubWatch *sub = &e->sub->watch;

    sub->must_step = false;
    sub->local = hd_stretch_local(e->watch);
    sub->global = hd_stretch_global(e->watch);
}

void hd_stretch_apart(HdWatch *w, uint32_t *local, uint32_t *global)
{
    *local = hd_stretch_local(w);
    *global = hd_stretch_global(w);
}

const HdCopy *hd_stretch_copy(const HdWatch *w, uint32_t stretch, bool is_local)
{
    for (size_t i = 0; i < w->copies.count; i++)
        if ((is_local ? w->copies.at[i].local : w->copies.at[i].global) == stretch)
            return &w->copies.at[i];
    return NULL;
}
