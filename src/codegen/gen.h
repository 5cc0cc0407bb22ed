/* codegen/gen.h -- what the files of codegen/ share while one function is emitted.
 *
 * A lane-IR value becomes an HdGenValue: `s`, the scalar of lane 0 (uniform and affine values have
 * only that), and `v`, the vector of all lanes (varying values). Addresses have both where they
 * can: the vector is exact for every lane, the scalar is where a contiguous access starts, if `ok`
 * (i1; NULL = always) says when the code runs that no lane's index wrapped, and `same` (a mask;
 * NULL = all) in which lanes choices between two addresses fell as the scalar's did.
 *
 * No LLVM flag that makes poison (nsw, inbounds, nnan …) is ever set: lanes that are switched off
 * compute too, and their poison would reach the others through masks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_GEN_H
#define HD_CODEGEN_GEN_H

#include <llvm-c/Core.h>

#include "codegen/codegen.h"
#include "ir/stream.h"

#define HD_GEN_MOST_LANES 512u /* elements of a vector: of several members of a group together */

/* `s` is lane 0's value, `v` all lanes'. An address that leads only where conditions hold has them:
 * `same`, by lane, `ok`, and `edge`, which matters to accesses with inactive lanes alone: no object
 * spans the 2^32 elements between the lanes on both sides of a wrap. NULL: always. */
typedef struct HdGenValue {
    LLVMValueRef s, v, ok, same, edge;
} HdGenValue;

/* A part of something that was loaded for all lanes together, in memory layout. */
typedef struct HdGenInterleaved {
    LLVMValueRef all; /* lane l's part c is element l * parts + c; NULL: it was not */
    unsigned part, parts;
} HdGenInterleaved;

typedef struct HdGen {
    const HdIrFunc *f;
    unsigned width;
    LLVMContextRef c;
    LLVMModuleRef m;
    LLVMBuilderRef b;
    LLVMBuilderRef entry; /* before the entry block's branch: allocas */
    LLVMValueRef fn;
    LLVMBasicBlockRef latch;
    HdIrStreams streams; /* stores to them may go past the caches */
    uint32_t block;      /* being made */
    bool *in_loop;       /* [blocks] it is part of some loop */
    bool keeps_sums;     /* private_atomics.c */
    bool one_row;        /* as in the request */
    bool waits;          /* the kernel, or what it calls, has YIELDs */
    bool repeats;        /* the function's blocks run for one sub-group after the other */
    LLVMBasicBlockRef *starts, *ends; /* [blocks] first and last LLVM block of a wide block */
    HdGenValue *values;               /* [insts] */
    uint8_t *nan;                     /* [insts] minmax.c; NULL: there is neither FMIN nor FMAX */
    uint32_t *uses;                   /* [insts] how often it is somebody's operand */
    bool *asked;                      /* [insts] masks, or slots of masks: control flow tests
                                       * whether any lane is set */
    HdGenInterleaved *packs;          /* [insts] loads */
    HdIrRef *grouped, *first_of; /* [insts] interleaved_access.c: where an access's group is made,
                                    and that place's first member */
    struct HdSlp *bundles;       /* slp.h; NULL: there are none */
    LLVMValueRef group;          /* HdRtGroup * */
    LLVMValueRef subgroup;       /* i32 */
    LLVMValueRef scatter_room;   /* of some function, see access.c */
    LLVMValueRef last_scatter;   /* of some function, see access.c */
    LLVMValueRef first[3];       /* i32: local id of lane 0, where ids are affine in x */
    const HdIrFunc *kernel;      /* f, or the one that calls it */
    LLVMValueRef *callees;       /* [kernel's callees]; NULL: nothing calls it */
    bool callees_need_first;     /* one of them needs the local id of lane 0 */
    HdArena *scratch;
    struct HdGenRegion *regions; /* regions.c: NULL without */
    uint32_t region;             /* being made */
    LLVMValueRef patience;       /* place: YIELDs of this sub-group until one calls the runtime */
    LLVMValueRef next, *vars;    /* places: region that comes next (i32); [var_count] */
    LLVMTypeRef i1, i8, i32, i64, ptr;
    LLVMTypeRef scalar[HD_IR_TYPE_COUNT], vector[HD_IR_TYPE_COUNT];
    bool is_x86, has_avx2, has_avx512, has_fp16, has_fma, has_vnni; /* of the target */
    const HdCpuCosts *costs;
    struct HdGenMath *math; /* mathcode.c */
    struct {
        bool (*place_of)(void *user, uint32_t place, HdCodegenPlace *out);
        void *user;
        LLVMDIBuilderRef builder; /* NULL: no debug information */
        LLVMMetadataRef scope, other_scope;
        const char *file, *other_file; /* of these */
    } debug;
    struct {
        LLVMValueRef area;        /* operands and results of calls for texels; NULL = none yet */
        LLVMValueRef (*parts)[4]; /* [insts] components of each IMAGE_GET; NULL: there is none */
        uint8_t *looked_at;       /* [insts] which of them something is made of, as bits */
    } image;
    uint64_t private_bytes;
    uint64_t frame_bytes; /* of all functions' frames: private memory and what registers spill */
    char *error;          /* [256], first reason */
    HdStatus status;
} HdGen;

/* The slot that a value is taken from; itself where it is from none. */
static inline HdIrRef hd_gen_kept_in(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_SLOT_GET ? hd_ir_arg(f, r, 0) : r;
}

/* ---- values.c ---- */
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
LLVMBasicBlockRef hd_gen_block(HdGen *g, const char *name);
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

/* ---- arith.c ---- */
LLVMIntPredicate hd_gen_int_predicate(unsigned comparison); /* HdIrICmp */

/* ---- minmax.c ---- */
/* Before the first instruction: look which floats may be NaN. */
HdStatus hd_gen_minmax_open(HdGen *g);
/* The smaller or larger of two floats or vectors, a number where one is NaN. Halves are compared as
 * floats where the processor has no arithmetic of halves: LLVM would call a library for them. */
LLVMValueRef hd_gen_minmax(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y);
/* May one of two equal operations replace both, as far as NaNs are concerned? */
bool hd_gen_has_same_nan(const HdGen *g, HdIrRef a, HdIrRef b);
/* FMIN or FMAX, by what is known of its operands. */
LLVMValueRef hd_gen_fminmax(HdGen *g, HdIrRef r, LLVMValueRef x, LLVMValueRef y);

/* ---- vote.c ---- */
/* Is a condition true in any lane, i1, from a few numbers? NULL: its vector has to be tested. */
LLVMValueRef hd_gen_vote_any(HdGen *g, HdIrRef condition);

/* ---- access.c ---- */
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
/* Lanes first … first + n - 1 of x; those of x and then those of y. */
LLVMValueRef hd_gen_lanes_of(HdGen *g, LLVMValueRef x, unsigned first, unsigned n);
LLVMValueRef hd_gen_joined(HdGen *g, LLVMValueRef x, LLVMValueRef y);

void hd_gen_set_nontemporal(HdGen *g, LLVMValueRef access);

/* ---- alias.c ---- */
/* A pointer that was just emitted points to the memory of `r`, a KARG or LOCAL_ADDR. */
void hd_gen_mark_memory(HdGen *g, HdIrRef r, LLVMValueRef loaded);
/* The kind of memory (ir/memory.h) of an address, or of those of all lanes; kinds of arguments do
 * not repeat. HD_GEN_MEM_UNKNOWN: unknown. */
#define HD_GEN_MEM_UNKNOWN (HD_IR_MEM_ARG + 64u)
unsigned hd_gen_kind_of(const HdGen *g, LLVMValueRef address);
/* After the last function: give LLVM alias information. */
void hd_gen_tell_apart(HdGen *g);

/* ---- call.c ---- */
/* A runtime function (HdRtFn); its operands are in memory, 64 bits each. */
LLVMValueRef hd_gen_call_runtime(HdGen *g, unsigned fn, LLVMValueRef operands);

/* ---- private_atomics.c ---- */
/* Before the first instruction: look whether additions may be kept until groups have run. */
void hd_gen_private_atomics_open(HdGen *g);
/* May this one? */
bool hd_gen_is_kept(const HdGen *g, HdIrRef r);
/* So many additions (i64) are about to be made: shall they be kept, i1? */
LLVMValueRef hd_gen_private_atomics_pay(HdGen *g, LLVMValueRef additions);
/* Keep r's addition of x at one address. */
void hd_gen_private_atomic(HdGen *g, HdIrRef r, LLVMValueRef at, LLVMValueRef x);

/* ---- dot.c ---- */
LLVMValueRef hd_gen_dot4(HdGen *g, HdIrRef r, bool wide);

/* ---- strided.c ---- */
/* Elements between neighbouring lanes, when hd_gen_load_step can load them; else 0. */
unsigned hd_gen_step(const HdGen *g, HdIrRef address, unsigned bytes);
/* Every step-th element from `at`, for all lanes. */
LLVMValueRef hd_gen_load_step(HdGen *g, LLVMTypeRef element, LLVMValueRef at, unsigned step,
                              unsigned bytes, unsigned align);
/* Gather integers of 8 or 16 (aligned) bits as a vector of `type`. */
LLVMValueRef hd_gen_gather_narrow(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask);

/* ---- ahead.c ---- */
/* Before an access: ask for what later sub-groups access there, where the launch has it far away
 * and their places are known. */
void hd_gen_ask_ahead(HdGen *g, HdIrRef r);

/* ---- walk.c ---- */
/* Elements of `size` bytes that are contiguous across the iterations of a loop. Not in regions. */
LLVMValueRef hd_gen_walk(HdGen *g, LLVMTypeRef type, unsigned size, LLVMValueRef at,
                         LLVMValueRef mask);
/* One element from each lane's address: as a part of a word where that is better. */
LLVMValueRef hd_gen_gather(HdGen *g, HdIrType type, LLVMValueRef at, LLVMValueRef mask,
                           unsigned align);

/* ---- interleaved.c ---- */
/* The values m[0] … m[parts - 1] of all lanes in memory layout, if that is cheaper than emitting
 * each separately and combining them; else NULL. */
LLVMValueRef hd_gen_interleaved(HdGen *g, const HdIrRef *m, unsigned parts);

/* ---- slp.c: vectors in functions of width 1 ---- */
/* Before the first instruction. */
HdStatus hd_gen_slp_open(HdGen *g);
/* The instructions of a block in the order in which they are emitted. */
const HdIrRef *hd_gen_order(const HdGen *g, uint32_t block);
/* Is an instruction the first of its bundle, or emitted alone? */
bool hd_gen_leads_bundle(const HdGen *g, HdIrRef r);
/* Emit r's bundle, if r is the first of it; a phi has no operands yet. */
void hd_gen_bundle(HdGen *g, HdIrRef r);
/* The value of a bundle of phis from their edge number `edge`. */
LLVMValueRef hd_gen_bundle_from(HdGen *g, HdIrRef r, unsigned edge);

/* ---- collective.c ---- */
/* A reduction (a scalar, of clusters a vector) or scan; imm as of a COLLECTIVE; mask NULL: all. */
LLVMValueRef hd_gen_reduce(HdGen *g, HdIrCollective op, uint64_t imm, HdIrType t, LLVMValueRef x,
                           LLVMValueRef mask);
/* The first active lane's number, i32; 0 when there is none. How many are active, i64. */
LLVMValueRef hd_gen_first_lane(HdGen *g, LLVMValueRef mask);
LLVMValueRef hd_gen_count(HdGen *g, LLVMValueRef mask);

/* ---- divide.c ---- */
/* UDIV, SDIV, UREM, SREM. No division traps: by zero gives 0 (a remainder too), MIN / -1 gives MIN.
 */
LLVMValueRef hd_gen_divide(HdGen *g, HdIrRef r, HdIrOp op, bool wide, LLVMValueRef x,
                           LLVMValueRef y);

/* ---- half.c ---- */
/* Each for scalars and vectors. */
LLVMValueRef hd_gen_half_from_double(HdGen *g, LLVMValueRef x);
/* Rounded once, of any float type. */
LLVMValueRef hd_gen_fma(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z);

/* ---- mathcode.c ---- */
/* Before the first instruction: look what functions the kernel has. */
HdStatus hd_gen_math_open(HdGen *g, HdArena *scratch);
/* The float type that a function's row is chosen by: of the result, else of the first operand. */
HdIrType hd_gen_math_type(const HdGen *g, HdIrRef r);
/* A function of rt/math, of that type, as code; NULL when it is to be called. *covered says for
 * which lanes the result is right, NULL: all. */
LLVMValueRef hd_gen_math(HdGen *g, HdIrRef r, HdIrType t, bool wide, LLVMValueRef *covered);
/* With AVX-512, of floats or doubles: the smaller or larger, -0 being smaller than 0; a number
 * where one is a quiet NaN, but NaN where one is a signalling one. */
LLVMValueRef hd_gen_range(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y);
/* x / y of vectors of 16 floats within 2 units in the last place, with AVX-512. */
LLVMValueRef hd_gen_divide_fast(HdGen *g, LLVMValueRef x, LLVMValueRef y);

/* ---- callee.c: functions that a kernel calls ---- */
/* Before the kernel's first instruction: declare them. */
HdStatus hd_gen_callees_open(HdGen *g, HdArena *scratch);
/* Switch to one of them; the block before its first one. */
LLVMBasicBlockRef hd_gen_callee_begin(HdGen *g, uint32_t number);
/* At the end of a block of such a function: RET, UNREACHABLE. */
void hd_gen_return(HdGen *g, HdIrRef r);

/* ---- image.c ---- */
/* Before the first instruction: room for the components of texels. */
HdStatus hd_gen_image_open(HdGen *g, HdArena *scratch);

/* Emit one instruction; each file knows its own operations and answers false for others'. */
bool hd_gen_arith(HdGen *g, HdIrRef r);   /* arith.c */
bool hd_gen_convert(HdGen *g, HdIrRef r); /* convert.c */
/* The same operations on vectors of all lanes, which their operands are given as; NULL: another
 * file's. */
LLVMValueRef hd_gen_arith_of_all(HdGen *g, HdIrRef r);
LLVMValueRef hd_gen_convert_of_all(HdGen *g, HdIrRef r);
bool hd_gen_table(HdGen *g, HdIrRef r);              /* table.c: likewise */
bool hd_gen_interleaved_access(HdGen *g, HdIrRef r); /* interleaved_access.c: before memory.c */
bool hd_gen_runs(HdGen *g, HdIrRef r);               /* runs.c: likewise */
bool hd_gen_memory(HdGen *g, HdIrRef r);             /* memory.c */
bool hd_gen_lanes(HdGen *g, HdIrRef r);              /* lanes.c: ids, masks, slots */
bool hd_gen_collective(HdGen *g, HdIrRef r);         /* collective.c */
bool hd_gen_atomic(HdGen *g, HdIrRef r);             /* atomic.c */
bool hd_gen_call(HdGen *g, HdIrRef r);               /* call.c: math, runtime functions, barriers */
bool hd_gen_image(HdGen *g, HdIrRef r);              /* image.c */
bool hd_gen_context(HdGen *g, HdIrRef r);            /* regions.c: what is kept across barriers */
bool hd_gen_callee(HdGen *g, HdIrRef r);             /* callee.c: parameters, calls, results */

/* ---- call.c: sub-groups that may wait for others ---- */
/* Where the blocks begin to run for a sub-group, and the allocas' builder has been placed. */
void hd_gen_begin_patience(HdGen *g);
/* Has this sub-group waited for others, which others run meanwhile? i1. */
LLVMValueRef hd_gen_is_alone(HdGen *g);

/* ---- prefetch.c ---- */
/* Code is about to read that many bytes: prefetch what a grid-stride loop will read there some
 * iterations later. */
void hd_gen_prefetch(HdGen *g, HdIrRef load, uint64_t bytes);

/* ---- debug.c ---- */
/* Once the function exists, the kernel first; for each instruction before its code; at the end.
 */
void hd_gen_debug_open(HdGen *g, const HdCodegenRequest *q);
void hd_gen_debug_at(HdGen *g, const HdIrInst *in);
void hd_gen_debug_close(HdGen *g);

/* ---- loop.c ---- */
/* Does code need the local id of lane 0: of one function; of the kernel with all that it calls? */
bool hd_gen_asks_first(const HdIrFunc *f, unsigned width);
bool hd_gen_needs_first(const HdGen *g);
/* x + y, the next count of a loop over sub-groups, hidden from LLVM's loop passes: they would spend
 * a quarter of a small kernel's compile time analysing the induction variable, and leave it
 * unchanged. An expect intrinsic hides the value, and disappears in code. */
LLVMValueRef hd_gen_count_on(HdGen *g, LLVMValueRef x, unsigned y);
/* From `entry` on, the loop over this call's sub-groups around what begins with `start`; g->latch
 * is its end. */
void hd_gen_loop(HdGen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef start);
/* Local sizes in x and y, and the local id of sub-group `from`'s lane 0, i32. */
void hd_gen_start_ids(HdGen *g, LLVMValueRef from, LLVMValueRef size[2], LLVMValueRef id[3]);
/* The id of the next sub-group's lane 0, when g->first is this one's. */
void hd_gen_next_ids(HdGen *g, LLVMValueRef size[2], LLVMValueRef id[3]);

/* ---- regions.c: functions of regions ---- */
/* The address of byte `at` of this sub-group's context. */
LLVMValueRef hd_gen_record(HdGen *g, uint64_t at);
typedef struct HdGenRegion {
    LLVMBasicBlockRef begin, latch; /* before the loop over sub-groups, at its end */
    LLVMValueRef subgroup, first[3], record;
} HdGenRegion;

/* From the entry block on: the ways between regions, and a loop over sub-groups for each. */
void hd_gen_regions(HdGen *g, HdArena *scratch);
/* Blocks are made in order; one of the next region may begin here. */
void hd_gen_enter_region(HdGen *g, uint32_t block);
/* At the end of a block: record the next region of this sub-group. */
void hd_gen_next(HdGen *g, HdIrRef r);

#endif
