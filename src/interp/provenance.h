/* interp/provenance.h -- origins of pointers that are known only at run time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_PROVENANCE_H
#define HD_INTERP_PROVENANCE_H

#include "interp/facts.h"

struct HdInterpRun;
struct HdInterpFrame;

HdStatus hd_provenance_open(struct HdInterpRun *r);
/* The root of e->pointer, for these lanes: MIXED when they differ. */
HdRoot hd_provenance_root(const HdEval *e, uint64_t lanes);
/* Memory gets other contents; what is there is copied along. */
void hd_provenance_wipe(HdEval *e, uint64_t address, uint64_t bytes);
void hd_provenance_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes);
void hd_provenance_store(HdEval *e, HdId object, uint64_t lanes, const uint64_t *address,
                         uint64_t bytes);
/* Behind an instruction whose result has a provenance. */
void hd_provenance_after(HdEval *e, const HdInst *in);
/* An argument or result goes from frame to frame. */
void hd_provenance_pass(HdEval *e, struct HdInterpFrame *to, HdId to_id,
                        const struct HdInterpFrame *from, HdId from_id, uint64_t mask);

#endif
