/* interp/race.h -- finding races: what one access conflicts with.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_RACE_H
#define HD_INTERP_RACE_H

#include "interp/race_report.h"

/* One lane's access. value: what it writes, NULL when unknown. */
void hd_race_touch(HdEval *e, unsigned lane, const HdCells *c, uint64_t address, uint64_t bytes,
                   HdEvalAccess how, const void *value);
/* Those of lanes that read, or that write `from` to different places, before they do. */
void hd_race_touch_all(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                       uint64_t bytes, const HdSlot *from, bool is_row);
void hd_race_touch_atomics(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                           uint64_t bytes, HdEvalAccess how);
/* What the lane's access is compared by; is another access over for it? */
HdRaceClock hd_race_clock(const HdEval *e, unsigned lane, const HdCells *c);
bool hd_race_sees(const HdEval *e, const HdRaceClock *k, uint32_t half);

#endif
