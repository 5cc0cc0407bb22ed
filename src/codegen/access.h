/* codegen/access.h -- loads and stores of one or all lanes, by places.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_ACCESS_H
#define HD_CODEGEN_ACCESS_H

#include "codegen/gen.h"

/* One access, or with lane addresses one of each lane; mask NULL: all lanes. */
LLVMValueRef hd_gen_load_at(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                            unsigned align);
/* Returns the store, or NULL where it takes several. */
LLVMValueRef hd_gen_store_at(HdGen *g, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                             unsigned align);
/* May the lines that all lanes of a store scatter to drive each other out of the cache? Not in
 * loops, where each lane mostly writes to the line that it wrote to before; what calls another
 * function may be in one. */
bool hd_gen_may_evict(const HdGen *g, HdIrRef store);
/* For such a store. Stores ask for their lines long before it is their turn, those of several
 * scatters at a time. If all of them belong into a few sets, each drives out lines that are asked
 * for, and waits for its own twice. An operation with a lock between scatters into the same sets
 * keeps stores from asking before all earlier ones are done (docs/measurements.md, "On Zen 5"). */
void hd_gen_scatter_in_turn(HdGen *g, LLVMValueRef value, LLVMValueRef at, unsigned align);
/* Whole lines of memory that the kernel does not read again? If the launch writes more than the
 * caches hold, contiguous vectors use non-temporal stores. */
bool hd_gen_is_stream(const HdGen *g, LLVMTypeRef type, LLVMValueRef at);
void hd_gen_store_stream(HdGen *g, LLVMValueRef *value, unsigned count, LLVMValueRef at,
                         unsigned align);
/* Two ways to the same result: the quick one if `ok` (between begin and next), else the sure one.
 */
typedef struct HdGenWays {
    LLVMBasicBlockRef each, done, ends[2];
} HdGenWays;
void hd_gen_ways_begin(HdGen *g, LLVMValueRef ok, HdGenWays *w);
void hd_gen_ways_next(HdGen *g, HdGenWays *w);
void hd_gen_ways_end(HdGen *g, HdGenWays *w);
/* Behind the end: what the one or the other way made. */
LLVMValueRef hd_gen_either(HdGen *g, HdGenWays *w, LLVMValueRef near, LLVMValueRef each);
/* Of a LOAD or STORE: the type in memory (of several of one size, 0: none: what their bits are),
 * the lanes it is for (0 = all); may it be made together with others at one of their places, and
 * may r stand between one such and where it is made? */
HdIrType hd_gen_access_type(const HdGen *g, HdIrRef r);
HdIrType hd_gen_common_type(const HdGen *g, const HdIrRef *member, unsigned count);
HdIrRef hd_gen_access_mask(const HdGen *g, HdIrRef r);
bool hd_gen_may_group(const HdGen *g, HdIrRef r);
bool hd_gen_may_cross(const HdGen *g, HdIrRef r, HdIrRef access);
/* What all members (0: none at that place) promise of their addresses, at most `bytes`. */
unsigned hd_gen_least_align(const HdGen *g, const HdIrRef *member, unsigned count, unsigned bytes);
/* Stores are emitted at the position of the last of them; `first` is where they were found. */
void hd_gen_defer(HdGen *g, HdIrRef first, const HdIrRef *member, unsigned count);
/* The value of type t `byte` bytes from the beginning of each word; words of n packed values.
 */
LLVMValueRef hd_gen_part(HdGen *g, LLVMValueRef words, unsigned byte, HdIrType t);
LLVMValueRef hd_gen_join(HdGen *g, LLVMValueRef *v, unsigned n, HdIrType t, LLVMTypeRef words);

void hd_gen_set_nontemporal(HdGen *g, LLVMValueRef access);

#endif
