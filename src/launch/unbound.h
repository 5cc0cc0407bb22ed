/* launch/unbound.h -- launches of shaders where nothing is bound to some of what they use.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_UNBOUND_H
#define HD_LAUNCH_UNBOUND_H

#include "build/guard.h"
#include "launch/args.h"
#include "launch/launch.h"

/* Set the facts `bound` and `filled` by the arguments; without arguments they stay, and are true of
 * kernels.
 */
void hd_unbound_look(HdLaunch *l);
/* Does its code have to be guarded? */
static inline bool hd_unbound_is_needed(const HdLaunch *l)
{
    return l->engine == HD_ENGINE_COMPILED &&
           (l->kernel->chooses || !l->of_args.bound || !l->of_args.filled);
}

/* What guarded code works with. */
typedef struct HdUnboundRun {
    HdArgs args; /* the launch's, but its block is a copy */
    HdUnbound *memory;
} HdUnboundRun;

/* Give a launch such arguments; `u` stays where it is until it is closed. */
HdStatus hd_unbound_open(HdLaunch *l, HdUnboundRun *u);
/* After the launch. HD_BAD_INPUT: it accessed what is not bound. */
HdStatus hd_unbound_tell(const HdUnboundRun *u, HdDiags *d);
void hd_unbound_close(HdUnboundRun *u);

#endif
