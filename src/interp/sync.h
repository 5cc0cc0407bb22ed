/* interp/sync.h -- ordering by atomics and fences.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_SYNC_H
#define HD_INTERP_SYNC_H

#include "interp/watch_state.h"

HdSyncLevel hd_sync_level(const HdEval *e, uint64_t scope);
void hd_sync_atomic(HdEval *e, unsigned lane, uint64_t address, const HdEvalAtomic *a);
/* A barrier, fence or atomic operation makes what it orders available, or visible, to its scope. */
void hd_sync_shows(HdEval *e, uint64_t scope, uint64_t semantics);
void hd_sync_fence(HdEval *e, uint64_t scope, uint64_t semantics);
HdStatus hd_sync_open(struct HdSyncTable **out);
void hd_sync_close(struct HdSyncTable *t);
/* What others know `to` knows as well. */
void hd_sync_learn(HdKnowledge *to, const HdKnowledge *from);
/* Is an epoch among what is over?
 *   item  whose access it is, in its group; HD_OVER_ALL: it is not known
 *   own   first epoch of the group whose local memory it is */
bool hd_sync_knows(const HdKnowledge *k, uint32_t st, uint32_t item, uint32_t own, bool is_local);

#endif
