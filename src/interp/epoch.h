/* interp/epoch.h -- epochs of checked runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_EPOCH_H
#define HD_INTERP_EPOCH_H

#include "interp/watch_state.h"

/* The number of another epoch of local, or global, memory. */
uint32_t hd_epoch_local(HdWatch *w);
uint32_t hd_epoch_global(HdWatch *w);
/* The sub-group begins another one. */
void hd_epoch_begin(HdEval *e);
/* Epochs that no sub-group is in. */
void hd_epoch_apart(HdWatch *w, uint32_t *local, uint32_t *global);
/* The copy that is not over and touches memory in an epoch; NULL. */
const HdCopy *hd_epoch_copy(const HdWatch *w, uint32_t epoch, bool is_local);

#endif
