/* interp/copies.h -- asynchronous copies in checked runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_COPIES_H
#define HD_INTERP_COPIES_H

struct HdInterpRun;

/* The group has met at a barrier: copies continue after it. */
void hd_copies_go_on(struct HdInterpRun *r);
/* The group has ended: copies that were not waited for are reported. */
void hd_copies_end(struct HdInterpRun *r);

#endif
