/* check/observer.h -- who looks on at checked runs: heddle_observer of the public header.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_OBSERVER_H
#define HD_CHECK_OBSERVER_H

#include "check/counts.h"
#include "heddle/heddle.h"

/* As heddle_check_observe. */
void hd_check_observe(HdCheck *c, const heddle_observer *o);
/* The check's observer; NULL: it has none. */
const heddle_observer *hd_check_observer(const HdCheck *c);
/* As heddle_check_load_observer. Errors: HD_IO. */
HdStatus hd_check_load_observer(HdCheck *c, const char *path, HdDiags *d);

/* Where an instruction is, as the public interface says it. */
heddle_place hd_count_place(const HdCountCode *code, const HdCountInst *in);

#endif
