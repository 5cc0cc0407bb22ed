/* launch/choose.h -- what a launch runs as, where its caller leaves that open.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_CHOOSE_H
#define HD_LAUNCH_CHOOSE_H

#include "launch/ndrange.h"

/* Fill in what does not depend on code: sizes and width that the caller left open, and what the
 * environment asks for.
 *   is_empty  set when there is nothing to run
 * Errors: HD_BAD_INPUT (dimensions, width). */
HdStatus hd_launch_resolve(const HdLaunch *from, HdLaunch *l, bool *is_empty, HdDiags *d);

/* Choose sizes of groups and sub-groups, the dimension that lanes count along and the rows that a
 * work-item does, and compile the variants of code that these need.
 *   from     as the caller gave it
 *   l        resolved; sizes are changed to those that run
 *   threads  of the pool
 *   n        set to the launch l and its code
 * Errors: those of hd_program_code; HD_UNSUPPORTED where l->is_made and code is missing. */
HdStatus hd_launch_choose(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d,
                          HdNdrange *n);

/* HdFormRequest.coarsen of launches that allow it. */
uint8_t hd_launch_coarsen(void);

#endif
