/* interp/shadow.h -- bits without a value: of values (shadow.c) and of memory (shadow_memory.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_SHADOW_H
#define HD_INTERP_SHADOW_H

#include "interp/eval.h"

struct HdInterpFrame;

/* Bits without a value of memory that a part of a slot is loaded from, to the part's own.
 * *origin: where the first of them come from; unchanged if it is not 0. */
void hd_shadow_memory_load_part(HdEval *e, uint64_t address, uint64_t bytes, unsigned char *to,
                                uint32_t *origin);
/* Is there such a bit among these bytes? */
bool hd_shadow_memory_any(HdEval *e, uint64_t address, uint64_t bytes);
void hd_shadow_memory_define(HdEval *e, uint64_t address, uint64_t bytes, bool has_value);
void hd_shadow_memory_put(HdEval *e, uint64_t address, const unsigned char *shadow, uint64_t bytes);
/* A lane has written these bytes of a value without padding: record its uninitialised bits, and
 * report them. */
void hd_shadow_memory_wrote(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                            const HdSlot *x, uint64_t from, uint64_t bytes);
void hd_shadow_memory_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes);

/* After an instruction. */
HdStatus hd_shadow_after(HdEval *e, HdEvalFn *fn, const HdInst *in);
/* Shadow of a slot in the running frame; false when it has none (constants). */
bool hd_shadow_of(const HdEval *e, const HdSlot *s, HdSlot *shadow);
/* Lanes use what has no value. origin: as in frames. bytes != 0: it goes to memory at `at` and is
 * a defect if the host reads that. */
HdStatus hd_shadow_report(HdEval *e, uint64_t lanes, uint32_t origin, const char *use, uint64_t at,
                          uint64_t bytes);
/* The result's shadow has been written: set or clear its mark. */
void hd_shadow_settle(HdEval *e, const HdSlot *shadow, uint32_t slot, uint32_t origin);
/* Copy lanes' shadow from a value in one frame to one in another, with its mark. */
void hd_shadow_pass(HdEval *e, struct HdInterpFrame *to, HdId to_id, struct HdInterpFrame *from,
                    HdId from_id, uint64_t mask);
/* Lanes of a slot of the running frame that have such bits. */
uint64_t hd_shadow_lanes(const HdEval *e, const HdSlot *s, uint64_t mask);
/* Has an operand of the running instruction bits without a value in a lane? */
bool hd_shadow_lane(const HdEval *e, unsigned lane);
/* Where the first operand's bits without a value come from, or those that the work-items of other
 * sub-groups brought. */
uint32_t hd_shadow_origin(const HdEval *e);

#endif
