/* interp/eval.h -- the interface for the functions that execute instructions (ops/.../..._eval.c).
 *
 * A value of an id is one array over the lanes of a sub-group: lane l's copy is at `at + l *
 * stride`, in OpenCL's memory layout of the type (vectors of 3 occupy the space of 4). Constants
 * are spread over all lanes when they are small, so that most loops see arrays only; large ones and
 * addresses of variables have stride 0. An eval function writes the lanes of `mask` and no others:
 * the values that inactive lanes hold may still be needed.
 *
 * Memory of the program is accessed only through hd_eval_access (which hd_eval_read and
 * hd_eval_write use): watching accesses takes changing one function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_EVAL_H
#define HD_INTERP_EVAL_H

#include <string.h>

#include "interp/interp.h"
#include "module/piece.h"

#define HD_EVAL_LANES 64u /* the widest sub-group */

/* Numbers in memory that was written as something else. */
typedef uint8_t __attribute__((may_alias)) HdU8;
typedef uint16_t __attribute__((may_alias)) HdU16;
typedef uint32_t __attribute__((may_alias)) HdU32;
typedef uint64_t __attribute__((may_alias)) HdU64;
typedef int8_t __attribute__((may_alias)) HdS8;
typedef int16_t __attribute__((may_alias)) HdS16;
typedef int32_t __attribute__((may_alias)) HdS32;
typedef int64_t __attribute__((may_alias)) HdS64;
typedef float __attribute__((may_alias)) HdF32;
typedef double __attribute__((may_alias)) HdF64;

typedef struct HdSlot {
    unsigned char *at; /* lane 0 */
    uint64_t stride;   /* bytes to the next lane; 0: one for all */
    const HdType *type;
} HdSlot;

/* What checked runs know of an instruction (interp/info.c). */
typedef struct HdInstInfo {
    uint32_t number; /* in the program */
    uint32_t result; /* slot + 1; 0 = none that has shadow */
    uint32_t first_use, use_count;
    uint8_t shadow; /* HdShadowKind */
    bool no_signed_wrap, no_unsigned_wrap;
    uint8_t finite;      /* HD_FINITE_…: what operands and result promise not to be */
    uint8_t coherence;   /* HdCoherence: of a load or store */
    bool has_provenance; /* the result, or that of a phi after it, has one or several (provenance.c)
                          */
} HdInstInfo;

#define HD_FINITE_NUMBER 1u /* no NaN */
#define HD_FINITE_BOUND  2u /* no infinity */

/* What the engine does after an eval function. */
typedef enum HdEvalNext {
    HD_EVAL_NEXT,  /* the next instruction */
    HD_EVAL_ENDED, /* the block: hd_eval_goto and hd_eval_leave said where lanes go */
    HD_EVAL_CALL,  /* enter `callee` */
    HD_EVAL_WAIT,  /* wait for the work-group, then run this instruction again in phase 1 */
    HD_EVAL_STAND  /* the same for some sub-groups: hd_eval_named_wait */
} HdEvalNext;

typedef struct HdEval {
    const HdModule *m;
    const HdInterpGroup *g;
    HdDiags *d;
    const HdInst *in; /* being executed */
    uint64_t mask;    /* lanes that execute it */
    uint32_t width;
    uint32_t subgroup; /* number in the group */
    uint32_t first;    /* linear local id of lane 0 */
    uint32_t items;    /* work-items of the group */
    uint32_t phase;
    HdEvalNext next;
    HdId callee;
    uint32_t skip; /* following instructions that it has executed too */
    HdId std;      /* the import of OpenCL.std; 0 = none */
    HdId pointer;  /* whose storage class was queried last: what is accessed next */
    /* Checked runs (interp/watch_state.h); all 0 in plain ones. */
    struct HdWatch *watch;
    const HdInstInfo *info; /* of `in` */
    const void *brings;     /* what is about to be written, for comparison; NULL: unknown */
    bool is_checked;        /* a checked run; false while is_shadow */
    bool is_shadow;         /* hd_eval_use gives the bits without a value, not values */
    uint32_t brought;       /* where the first bits without a value come from that were brought to
                             * the meeting; 0: none */
    uint64_t spoiled;       /* lanes whose result has no value, as the instruction found */
    uint64_t torn;          /* lanes whose result has components without a value: */
    uint64_t parts[16];     /* lanes, by component; set where torn != 0 */
    struct HdInterpRun *run;
    struct HdInterpSub *sub;
    struct HdInterpFrame *frame;
} HdEval;

/* Execute one instruction for the lanes of e->mask. */
typedef HdStatus HdEvalFn(HdEval *e, const HdInst *in);

/* By opcode; NULL where there is none: "unsupported instruction". Made from the rows in ops/. */
extern HdEvalFn *const hd_eval_fns[HD_OPIX_COUNT];
/* By opcode: does it matter which lanes reach it together? From the rows, too. */
extern const bool hd_eval_convergent[HD_OPIX_COUNT];

static inline unsigned hd_lane_first(uint64_t mask)
{
    return mask != 0 ? (unsigned)__builtin_ctzll(mask) : HD_EVAL_LANES;
}

static inline unsigned hd_lane_after(uint64_t mask, unsigned lane)
{
    return hd_lane_first(lane >= 63 ? 0 : mask & (~UINT64_C(0) << (lane + 1)));
}

/* How many lanes a mask has when it is that many from 0 on, else 0. */
static inline unsigned hd_lane_row(uint64_t mask)
{
    return (mask & (mask + 1)) == 0 && mask != 0 ? 64 - (unsigned)__builtin_clzll(mask) : 0;
}

/* for (HD_EACH_LANE(lane, mask)) … */
#define HD_EACH_LANE(lane, mask)         \
    unsigned lane = hd_lane_first(mask); \
    (lane) < HD_EVAL_LANES;              \
    (lane) = hd_lane_after((mask), (lane))

static inline unsigned char *hd_slot_at(const HdSlot *s, unsigned lane)
{
    return s->at + s->stride * lane;
}

/* ---- values: values.c ---- */

/* Where an id's value lies. Errors: HD_BAD_INPUT when it has none. */
HdStatus hd_eval_use(HdEval *e, HdId id, HdSlot *s);
/* The same for an operand that says what to move (an index, a condition), in functions that run a
 * second time to move the bits without a value (HD_SHADOW_MOVES): always the value itself. */
HdStatus hd_eval_use_control(HdEval *e, HdId id, HdSlot *s);
/* Where the instruction's result goes. */
HdStatus hd_eval_result(HdEval *e, const HdInst *in, HdSlot *s);
/* Operand words first … first + count - 1. */
HdStatus hd_eval_operands(HdEval *e, const HdInst *in, unsigned first, unsigned count, HdSlot *s);

/* Lanes whose value is another than the first one's. */
uint64_t hd_eval_odd(const HdEval *e, const HdSlot *s);

/* Scalars of 1, 2, 4, 8 bytes. */
uint64_t hd_bits_get(const void *at, uint64_t bytes);
int64_t hd_int_get(const void *at, uint64_t bytes);
void hd_bits_put(void *at, uint64_t bytes, uint64_t bits);
/* Floats of 2, 4, 8 bytes; storing rounds once, as the processor does (hd_number_mode). */
double hd_float_get(const void *at, uint64_t bytes);
void hd_float_put(void *at, uint64_t bytes, double x);

/* Components that a lane has of a scalar, vector or cooperative matrix: of the last, not all that a
 * slot has room for. */
static inline uint32_t hd_eval_components(const HdEval *e, const HdType *t)
{
    return hd_is_cooperative(t) ? hd_type_components(t, e->width) : hd_type_lanes(t);
}

/* Apply a loop to components: r[i] = f(x[0][i], x[1][i] …) for n neighbours. All operands have as
 * many components as the result; their widths are the loop's business. */
typedef void HdLoop(void *r, const void *const *x, size_t n);
HdStatus hd_eval_map(HdEval *e, const HdInst *in, unsigned first, unsigned count, HdLoop *loop);
/* The same with slots given by the caller (at most 4). */
void hd_eval_map_slots(HdEval *e, const HdSlot *r, const HdSlot *x, unsigned count, HdLoop *loop);
/* Copy lanes of one slot to another of the same size. */
void hd_eval_copy(HdEval *e, const HdSlot *to, const HdSlot *from);
/* The same for the lanes of a mask. */
void hd_eval_copy_lanes(uint64_t mask, const HdSlot *to, const HdSlot *from);
/* Scratch memory for one instruction; NULL without memory. Heap; 16-byte aligned. Each call returns
 * the same memory. */
void *hd_eval_scratch(HdEval *e, uint64_t bytes);

/* ---- memory: memory.c ---- */

typedef enum HdEvalAccess {
    HD_EVAL_READ,
    HD_EVAL_WRITE,
    HD_EVAL_ATOMIC,
    HD_EVAL_ATOMIC_READ
} HdEvalAccess;

/* Check an access and give the host address.
 *   storage  class of the pointer
 *   align    what the program promises, in bytes; 0 or 1 = nothing
 * Errors: HD_BAD_INPUT (null, misaligned, outside private or local memory). */
HdStatus hd_eval_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                        uint64_t bytes, uint64_t align, HdEvalAccess how, void **host);
HdStatus hd_eval_read(HdEval *e, unsigned lane, uint32_t storage, uint64_t address, uint64_t align,
                      void *to, uint64_t bytes);
HdStatus hd_eval_write(HdEval *e, unsigned lane, uint32_t storage, uint64_t address, uint64_t align,
                       const void *from, uint64_t bytes);
/* The same of bytes of a value, from byte `first` on, that have no padding: in a checked run its
 * bits without a value are kept. */
HdStatus hd_eval_write_value(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                             uint64_t align, const HdSlot *x, uint64_t first, uint64_t bytes);
/* Storage class of a pointer-typed id; the accesses that follow are through it. */
HdStatus hd_eval_storage(HdEval *e, HdId pointer, uint32_t *storage);
/* Load and store what the active lanes' pointers name; `bytes` of each lane. */
HdStatus hd_eval_load_lanes(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                            const HdSlot *r, uint64_t bytes);
HdStatus hd_eval_store_lanes(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                             const HdSlot *x, uint64_t bytes);
/* The same of values whose members do not lie in memory as they do in a value, or have gaps that
 * are no part of it.
 *   align  of the whole that is promised; 1: none */
HdStatus hd_eval_load_pieces(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                             HdMatrixLayout layout, const HdSlot *r);
HdStatus hd_eval_store_pieces(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                              HdMatrixLayout layout, const HdSlot *x);
/* Has a member of the module a layout of its own for its matrices? */
bool hd_eval_has_matrices(const HdEval *e);
/* Does an access through a pointer need that? `layout` is that of what it points to. */
bool hd_eval_has_pieces(const HdEval *e, HdId pointer, const HdType *t, HdMatrixLayout *layout);
/* What of a value is copied from where to where, from the addresses of two pointers on: pieces
 * where it lies differently in the two, or has gaps. None: all of it, as it is. HD_ARRAY_FREE it.
 */
typedef struct HdEvalMove {
    uint64_t to, from, bytes;
} HdEvalMove;
typedef HD_ARRAY(HdEvalMove) HdEvalMoves;
HdStatus hd_eval_moves(const HdEval *e, HdId to, HdId from, const HdType *t, HdEvalMoves *out);
/* Copy from memory to memory; the places may overlap. */
typedef struct HdEvalSide {
    HdId pointer; /* whose address it is, or comes from */
    uint32_t storage;
    uint64_t address, align;
} HdEvalSide;
HdStatus hd_eval_move(HdEval *e, unsigned lane, const HdEvalSide *to, const HdEvalSide *from,
                      uint64_t bytes);
/* Copy between memory and bytes that nothing but the instruction reaches; bits without a value go
 * along. `takes`: to those bytes. */
HdStatus hd_eval_exchange(HdEval *e, unsigned lane, const HdEvalSide *side, void *own,
                          uint64_t bytes, bool takes);
/* In a checked run: could this memory be fetched? */
void hd_eval_prefetch(HdEval *e, unsigned lane, uint64_t address, uint64_t bytes, bool writes);
/* In a checked run: do two addresses lie in one allocation (its end included)? */
bool hd_eval_same_memory(const HdEval *e, uint64_t a, uint64_t b);
/* A private variable begins or ends to live. */
void hd_eval_born(HdEval *e, uint64_t address, uint64_t bytes);
/* A private variable gets its initializer's value. */
HdStatus hd_eval_initialise(HdEval *e, unsigned lane, uint64_t address, const HdSlot *x);
uint64_t hd_eval_variable_bytes(const HdEval *e, HdId variable);
HdStatus hd_eval_lifetime(HdEval *e, HdId variable, bool begins);
/* Does an address lie in the private memory of any work-item of the group, in local memory? */
bool hd_eval_is_private_of_any(const HdEval *e, uint64_t address);
bool hd_eval_is_local(const HdEval *e, uint64_t address, uint64_t bytes);
/* The program's layout. */
const HdBuildLayout *hd_eval_layout(const HdEval *e);
/* Address of a variable (or ByVal parameter) of the running function. */
HdStatus hd_eval_variable(HdEval *e, const HdInst *in, unsigned lane, uint64_t *address);
/* Variable-length arrays: bytes of a lane's region in use. */
HdStatus hd_eval_grow(HdEval *e, unsigned lane, uint64_t bytes, uint64_t align, uint64_t *address);
uint64_t hd_eval_mark(HdEval *e, unsigned lane);
HdStatus hd_eval_release(HdEval *e, unsigned lane, uint64_t mark);

/* ---- what is bound to a shader: bound.c ---- */

/* Lanes' indexes into an array of descriptors differ from the first one's: a defect unless the
 * module says NonUniform. */
HdStatus hd_eval_descriptors_differ(HdEval *e, HdId index, uint64_t odd);
/* What a descriptor that there is not binds in a checked run: no host has memory from here to twice
 * as far. */
#define HD_EVAL_NOWHERE (UINT64_C(1) << 62)
/* What the index-th of the descriptors at an address binds; nothing if there is no such one, which
 * is a defect. */
HdStatus hd_eval_descriptor(HdEval *e, unsigned lane, uint64_t at, uint64_t index, HdBinding *out);
/* The address of the index-th of the descriptors at an address; HD_EVAL_NOWHERE if there is no such
 * one, which is a defect. */
HdStatus hd_eval_descriptor_at(HdEval *e, unsigned lane, uint64_t at, uint64_t index,
                               uint64_t *out);
/* What the descriptor of an image or a sampler at an address binds. */
HdStatus hd_eval_opaque(HdEval *e, unsigned lane, uint64_t at, HdBinding *out);
/* What the descriptor of a heap at an address binds. */
HdStatus hd_eval_heap(HdEval *e, unsigned lane, uint64_t at, HdBinding *out);
/* What is bound to the block that a pointer leads to. */
HdStatus hd_eval_bound(HdEval *e, unsigned lane, HdId pointer, HdBinding *out);

/* ---- control: run.c ---- */

/* A lane, or those of a mask, go to a block, or leave the function. */
HdStatus hd_eval_goto(HdEval *e, unsigned lane, HdId label);
HdStatus hd_eval_goto_lanes(HdEval *e, uint64_t mask, HdId label);
void hd_eval_leave(HdEval *e);
/* The lanes of a mask that came from the same block as its first, and that block's label. */
uint64_t hd_eval_same_origin(const HdEval *e, uint64_t mask, HdId *label);
/* Call when the result has been written there. */
void hd_eval_returned(HdEval *e, HdId value);
/* Where the caller expects the result of the running function; false if there is none. */
bool hd_eval_return_slot(HdEval *e, HdSlot *s);

/* Meet all sub-groups of the work-group. Call at the start of an eval function:
 *   give   what this sub-group's active lanes bring, or NULL
 *   *met   false: return HD_OK immediately; the instruction runs again when all have arrived. After
 *          that hd_eval_given has the operands of each work-item (NULL: it did not arrive). */
HdStatus hd_eval_meet(HdEval *e, const HdSlot *give, bool *met);
const void *hd_eval_given(const HdEval *e, uint32_t item);
/* The bits without a value of what it brought. NULL: it did not arrive, or all bits have values. */
const void *hd_eval_lacking(const HdEval *e, uint32_t item);

/* In a checked run: reports if lanes of the sub-group are elsewhere, or have ended, at an
 * instruction that all of it must reach together. */
HdStatus hd_eval_needs_all(HdEval *e);
/* In a checked run: reports if lanes bring different values of an operand that must be the same in
 * all of them. `what`: "a distance". */
HdStatus hd_eval_needs_uniform(HdEval *e, const HdSlot *s, const char *what);

/* ---- reservations of pipes, in a checked run: holds.c ---- */

/* A lane has made one; it is committed. */
HdStatus hd_eval_hold(HdEval *e, unsigned lane, uint64_t pipe, uint64_t id, uint32_t packets);
void hd_eval_let_go(HdEval *e, uint64_t pipe, uint64_t id);
/* Does the work-group hold it? Is this the first time that the packet is read or written? True in a
 * plain run. */
bool hd_eval_holds(const HdEval *e, uint64_t pipe, uint64_t id);
bool hd_eval_hold_first(HdEval *e, uint64_t pipe, uint64_t id, uint32_t index);

/* ---- named barriers: named.c ---- */

/* The named barrier that the instruction makes, this time: a handle, never 0. */
HdStatus hd_eval_named_make(HdEval *e, uint32_t subgroups, uint64_t *handle);
/* Wait at one. Call at the start of an eval function; *met as in hd_eval_meet.
 *   semantics  what the wait orders; 0 = nothing */
HdStatus hd_eval_named_wait(HdEval *e, uint64_t handle, uint64_t semantics, bool *met);

/* In a checked run: does this sub-group, when it executes the instruction for the n-th time, bring
 * what the others did? Those that come later are compared with the first. */
#define HD_EVAL_BROUGHT 5u
bool hd_eval_agrees(HdEval *e, const uint64_t brought[HD_EVAL_BROUGHT]);

/* ---- asynchronous copies: copies.c ---- */

typedef struct HdEvalCopy {
    HdEvalSide to, from;
    uint64_t to_step, from_step; /* bytes from element to element */
    uint64_t bytes, count;       /* of an element; of them */
} HdEvalCopy;

/* Begin a copy. A work-group's is begun by every sub-group, the first one makes it.
 *   event   in: one that the copy is to share, or 0; out: its own */
HdStatus hd_eval_begin_copy(HdEval *e, const HdEvalCopy *c, uint64_t scope, uint64_t *event);
/* The work-group waits for an event's copies; for those of all events that it has named, which may
 * be one several times. */
HdStatus hd_eval_await_copy(HdEval *e, uint64_t event);
void hd_eval_end_wait(HdEval *e);
/* Copies that are under way come before those that begin later. */
void hd_eval_fence_copies(HdEval *e);

/* What an atomic instruction does with the places that lanes name. */
typedef struct HdEvalAtomic {
    const HdSlot *pointer;
    uint32_t storage;
    uint64_t bytes, align; /* align: of a component, where each is an atomic of its own */
    uint64_t scope;
    uint64_t semantics; /* bits, as hd_eval_semantics gives them */
    HdEvalAccess how;
    bool reads, replaces;     /* replaces: the old contents do not matter (stores, exchanges) */
    bool orders;              /* acquires or releases, or fences may make it do so */
    const HdSlot *comparator; /* one lane's: what it compares with to write; NULL: it does */
    uint64_t unequal;         /* semantics where it does not write */
} HdEvalAtomic;
/* Lanes are about to act, one after another. *good: those that may; the others have nothing to act
 * on, and are reported. */
HdStatus hd_eval_atomics(HdEval *e, HdEvalAtomic *a, uint64_t *good);
/* The instruction reads what another work-group may store for this one, in memory of a storage
 * class; it changes what others read. A group that goes on asking, and does not act, waits. */
void hd_eval_asks(HdEval *e, uint32_t storage);
void hd_eval_acts(HdEval *e, uint32_t storage);
/* Value of a memory semantics operand: the union over the lanes. */
HdStatus hd_eval_semantics(HdEval *e, HdId id, uint64_t *bits);
/* Value of a scope operand: the widest that one of the lanes names. */
HdStatus hd_eval_scope(HdEval *e, HdId id, uint64_t *scope);
/* What a barrier or fence orders: `execution` is UINT64_MAX for a fence. */
void hd_eval_order(HdEval *e, uint64_t execution, uint64_t memory, uint64_t semantics);

/* ---- defects: fail.c ---- */

/* In a checked run: note what lanes do wrong, and continue (HD_OK). Elsewhere: hd_eval_bad.
 *   hint   how to mend it; NULL */
HdStatus hd_eval_defect(HdEval *e, uint64_t lanes, const char *rule, const char *hint,
                        const char *fmt, ...) HD_PRINTF(5, 6);
/* What is told next is told of the call that entered the function, if a call did. */
void hd_eval_report_call(HdEval *e);
/* Nothing that is wrong, but worth knowing; plain runs say nothing. */
void hd_eval_note(HdEval *e, uint64_t lanes, const char *rule, const char *hint, const char *fmt,
                  ...) HD_PRINTF(5, 6);
/* Something depends on an operand: say so when it has no value. `what`: "a branch depends on". */
HdStatus hd_eval_needs(HdEval *e, HdId id, const char *what);
/* The same of some components of it, a bit each. */
HdStatus hd_eval_needs_parts(HdEval *e, HdId id, uint32_t parts, const char *what);
/* The result is undefined in these lanes: it depends on what `rule` forbids, which is reported when
 * it takes effect. */
static inline void hd_eval_spoil(HdEval *e, uint64_t lanes)
{
    e->spoiled |= lanes;
}

/* The same for one component of a vector, or a scalar. */
static inline void hd_eval_spoil_part(HdEval *e, uint64_t lanes, uint32_t part)
{
    if (e->torn == 0)
        memset(e->parts, 0, sizeof e->parts);
    e->torn |= lanes;
    e->parts[part % 16] |= lanes;
}

/* "what the program does wrong", at the instruction. lane: HD_EVAL_LANES = no one in particular. */
HdStatus hd_eval_bad(HdEval *e, unsigned lane, const char *rule, const char *fmt, ...)
    HD_PRINTF(4, 5);
/* "what is not done here". */
HdStatus hd_eval_unsupported(HdEval *e, const char *fmt, ...) HD_PRINTF(2, 3);

#endif
