/* codegen/values.h -- values as LLVM has them: scalars, vectors, constants, conditions of
 * addresses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_VALUES_H
#define HD_CODEGEN_VALUES_H

#include "codegen/gen.h"

void hd_gen_fail(HdGen *g, HdStatus st, const char *fmt, ...) HD_PRINTF(3, 4);
/* Lane 0's scalar; all lanes as a vector (W > 1). */
LLVMValueRef hd_gen_s(HdGen *g, HdIrRef r);
LLVMValueRef hd_gen_v(HdGen *g, HdIrRef r);
LLVMValueRef hd_gen_low_words(HdGen *g, HdIrRef r); /* of an I64, all lanes: the lower 32 bits */
bool hd_gen_has_s(const HdGen *g, HdIrRef r);
/* Is an instruction emitted together with others (slp.h)? */
bool hd_gen_in_bundle(const HdGen *g, HdIrRef r);
bool hd_gen_is_varying(const HdIrInst *in); /* VARYING or ADDRESS */
LLVMValueRef hd_gen_splat(HdGen *g, LLVMValueRef s);
/* So many times, HD_GEN_MOST_LANES at most. */
LLVMValueRef hd_gen_splat_of(HdGen *g, LLVMValueRef s, unsigned n);
/* An integer constant of x's type, in all lanes if that is a vector. */
LLVMValueRef hd_gen_like(HdGen *g, LLVMValueRef x, uint64_t bits);
LLVMValueRef hd_gen_lane_ids(HdGen *g, LLVMTypeRef element); /* <0, 1, …> */
LLVMValueRef hd_gen_u32(HdGen *g, uint32_t x);
LLVMValueRef hd_gen_u64(HdGen *g, uint64_t x);
LLVMTypeRef hd_gen_type_of(HdGen *g, const HdIrInst *in); /* by its shape */
/* Call an overloaded intrinsic. */
LLVMValueRef hd_gen_intrinsic(HdGen *g, const char *name, LLVMTypeRef *over, unsigned overs,
                              LLVMValueRef *args, unsigned nargs);
/* The same of one and two operands, overloaded by their type. */
LLVMValueRef hd_gen_one(HdGen *g, const char *name, LLVMValueRef x);
LLVMValueRef hd_gen_two(HdGen *g, const char *name, LLVMValueRef x, LLVMValueRef y);
/* A stack area of `bytes`, 64-byte aligned, in the entry block. */
LLVMValueRef hd_gen_stack(HdGen *g, uint64_t bytes);
/* The same, aligned to `align` where that is more. */
LLVMValueRef hd_gen_stack_aligned(HdGen *g, uint64_t bytes, uint64_t align);
/* Byte address arithmetic: base + offset (scalar or vector). */
LLVMValueRef hd_gen_offset(HdGen *g, LLVMValueRef base, LLVMValueRef offset);
/* Load a field of HdRtGroup; the same during the whole call. */
LLVMValueRef hd_gen_field(HdGen *g, size_t offset, LLVMTypeRef type);
/* The mask operand of an instruction as <W x i1>, NULL when it has none. */
LLVMValueRef hd_gen_mask(HdGen *g, const HdIrInst *in, HdIrRef r);
/* `ok` and all lanes of the mask active, i1; either may be NULL, and then the result may be. */
LLVMValueRef hd_gen_full(HdGen *g, LLVMValueRef mask, LLVMValueRef ok);
/* ok, and is any lane of the mask active? */
LLVMValueRef hd_gen_any(HdGen *g, LLVMValueRef mask, LLVMValueRef ok);
/* Do so many bytes from an address on, at most a page, lie in one page? I1. If one of them may be
 * read, all may. */
LLVMValueRef hd_gen_in_page(HdGen *g, LLVMValueRef at, uint64_t bytes);
LLVMBasicBlockRef hd_gen_block(HdGen *g, const char *name);
/* What `llvm.loop` of a loop's last branch is to be: !{itself, !{!"name", value}}; value may be
 * NULL.
 */
LLVMValueRef hd_gen_loop_property(HdGen *g, const char *name, LLVMValueRef value);
/* Is `value` the scalar and stride of an address as well? Then whether it is, i1. */
bool hd_gen_leads(const HdGen *g, HdIrRef r, int64_t stride);
/* Is it uniform, equal to its scalar, where hd_gen_ok holds? */
bool hd_gen_is_shared(const HdGen *g, HdIrRef r);
LLVMValueRef hd_gen_ok(HdGen *g, HdIrRef r);
/* The same for the lanes of a mask alone (NULL: all); NULL: always. */
LLVMValueRef hd_gen_ok_for(HdGen *g, HdIrRef r, LLVMValueRef mask);
static inline bool hd_gen_is_always_ok(const HdGen *g, HdIrRef r)
{
    return g->values[r].ok == NULL && g->values[r].same == NULL && g->values[r].edge == NULL;
}
/* Bind to an address the conditions of its operands, and its own if it extends an index. */
void hd_gen_set_ok(HdGen *g, HdIrRef r);
/* One of two values as an address: that of one operand if all lanes have it. False: it is none. */
bool hd_gen_is_choice(HdGen *g, HdIrRef r);
/* Emit vectors of so many lanes from now on. */
void hd_gen_set_width(HdGen *g, unsigned width);
/* Bind a result. */
void hd_gen_set(HdGen *g, HdIrRef r, LLVMValueRef s, LLVMValueRef v);
/* Give a function what every one of a kernel has. */
void hd_gen_attributes(HdGen *g, LLVMValueRef fn);

/* A loop over the lanes of a mask, in order (mask NULL: all). Between begin and end `lane` is the
 * lane's number (i32). Values pass in and out through memory (hd_gen_stack). */
typedef struct HdGenLoop {
    LLVMBasicBlockRef head, body, done;
    LLVMValueRef bits_phi, bits_next, lane;
} HdGenLoop;
void hd_gen_lanes_begin(HdGen *g, LLVMValueRef mask, HdGenLoop *loop);
void hd_gen_lanes_end(HdGen *g, HdGenLoop *loop);
/* Lanes first … first + n - 1 of x; those of x and then those of y. */
LLVMValueRef hd_gen_lanes_of(HdGen *g, LLVMValueRef x, unsigned first, unsigned n);
LLVMValueRef hd_gen_joined(HdGen *g, LLVMValueRef x, LLVMValueRef y);

#endif
