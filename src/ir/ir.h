/* ir/ir.h -- lane IR: what one work-item does, in SSA form, on scalars.
 *
 * SPIR-V's vectors, structs and arrays are split into scalars before they get here; memory is
 * bytes at 64-bit host addresses, and the access carries the type. A function is an array of
 * instructions (an HdIrRef is an index into it, 0 = none) and an array of blocks that list theirs
 * in order: phis first, one terminator last. Block 0 is the entry and has no predecessors.
 *
 * Passes work in place and may leave dead instructions in the array (block == HD_IR_NOWHERE).
 * lanes/ turns a function of one work-item into one for W lanes ("wide", see the end of the list of
 * operations); codegen/ accepts only wide functions.
 *
 * Memory comes from the module's arena; running out is HD_NO_MEMORY, remembered in `failed` so that
 * a sequence of emits is checked once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_IR_H
#define HD_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"

typedef uint32_t HdIrRef;
#define HD_IR_NOWHERE UINT32_MAX

typedef enum HdIrType {
    HD_IR_VOID,
    HD_IR_BOOL, /* i1; varying ones are masks */
    HD_IR_I8,
    HD_IR_I16,
    HD_IR_I32,
    HD_IR_I64,
    HD_IR_F16,
    HD_IR_F32,
    HD_IR_F64,
    HD_IR_PTR, /* a 64-bit host address */
    HD_IR_TYPE_COUNT
} HdIrType;

/* How a value differs between the lanes of a sub-group. Set by lanes/, HD_SHAPE_VARYING before. */
typedef enum HdIrShape {
    HD_SHAPE_UNIFORM, /* the same in all lanes of the sub-group: scalar code */
    HD_SHAPE_AFFINE,  /* lane 0's value + lane * stride (HdIrInst.stride), modulo the width */
    HD_SHAPE_ADDRESS, /* varying; but lanes that access one object through it do so at lane 0's
                         value + lane * stride */
    HD_SHAPE_VARYING
} HdIrShape;

/* Operations: name, number of value operands (-1 = any), has a result, effects.
 * Effects: P pure; R reads memory; W writes or is ordered; T terminator; C convergent (never
 * moved to other control flow, merged or duplicated). Integer operations wrap. */
#define HD_IR_OPS(O)                                                                               \
    /* values; imm holds the bits of a CONST (zero-extended) */                                    \
    O(CONST, 0, 1, P)                                                                              \
    O(UNDEF, 0, 1, P)                                                                              \
    O(PHI, -1, 1, P)      /* operands: block, value, block, value … (blocks as plain numbers) */ \
    O(PARAM, 0, 1, P)     /* imm: index among the function's scalar parameters */                  \
    O(BUILTIN, 0, 1, P)   /* sub: HdIrBuiltin, imm: dimension. I64, lane and sub-group ones I32 */ \
    O(KARG, 0, 1, P)      /* scalar at byte imm of the argument block; a PTR is an argument of its \
                             own, but with sub 1: part of one */                                   \
    O(KARG_ADDR, 0, 1, P) /* address of byte imm of the argument block (read-only) */              \
    O(LOCAL_ADDR, -1, 1, P)  /* address of byte imm of the group's local memory; with one operand  \
                                (I64) that is added: where a local argument lies */                \
    O(PROGRAM_ADDR, 0, 1, P) /* address of byte imm of the program-scope variables */              \
    O(ALLOCA, 0, 1, P)       /* imm bytes of private memory, aligned to 1 << sub; entry block */   \
    /* integers */                                                                                 \
    O(ADD, 2, 1, P)                                                                                \
    O(SUB, 2, 1, P)                                                                                \
    O(MUL, 2, 1, P)                                                                                \
    O(UDIV, 2, 1, P) /* by zero: 0; no trap. MIN / -1 = MIN */                                     \
    O(SDIV, 2, 1, P)                                                                               \
    O(UREM, 2, 1, P)                                                                               \
    O(SREM, 2, 1, P)                                                                               \
    O(AND, 2, 1, P)                                                                                \
    O(OR, 2, 1, P)                                                                                 \
    O(XOR, 2, 1, P)                                                                                \
    O(SHL, 2, 1, P) /* shift amounts are taken modulo the width; same type as the value */         \
    O(LSHR, 2, 1, P)                                                                               \
    O(ASHR, 2, 1, P)                                                                               \
    O(ROTL, 2, 1, P)                                                                               \
    O(UMIN, 2, 1, P)                                                                               \
    O(UMAX, 2, 1, P)                                                                               \
    O(SMIN, 2, 1, P)                                                                               \
    O(SMAX, 2, 1, P)                                                                               \
    O(UADDSAT, 2, 1, P)                                                                            \
    O(SADDSAT, 2, 1, P)                                                                            \
    O(USUBSAT, 2, 1, P)                                                                            \
    O(SSUBSAT, 2, 1, P)                                                                            \
    O(UMULHI, 2, 1, P)                                                                             \
    O(SMULHI, 2, 1, P)                                                                             \
    O(CLZ, 1, 1, P) /* of 0: the width */                                                          \
    O(CTZ, 1, 1, P)                                                                                \
    O(POPCOUNT, 1, 1, P)                                                                           \
    O(BSWAP, 1, 1, P) /* bytes reversed; a single byte: itself */                                  \
    O(BITREVERSE, 1, 1, P)                                                                         \
    O(DOT4, 3, 1, P) /* I32: products of four bytes each of two I32, and a third one, summed up    \
                        (sub: HD_IR_DOT_LEFT, HD_IR_DOT_RIGHT: whose bytes are signed) */          \
    /* floats (round to nearest even; no contraction unless FMA says so) */                        \
    O(FADD, 2, 1, P)                                                                               \
    O(FSUB, 2, 1, P)                                                                               \
    O(FMUL, 2, 1, P)                                                                               \
    O(FDIV, 2, 1, P)                                                                               \
    O(FMA, 3, 1, P)                                                                                \
    O(FNEG, 1, 1, P)                                                                               \
    O(FABS, 1, 1, P)                                                                               \
    O(FSQRT, 1, 1, P)                                                                              \
    O(FFLOOR, 1, 1, P)                                                                             \
    O(FCEIL, 1, 1, P)                                                                              \
    O(FTRUNC, 1, 1, P)                                                                             \
    O(FRINT, 1, 1, P)                                                                              \
    O(FCOPYSIGN, 2, 1, P)                                                                          \
    O(FMIN, 2, 1, P) /* the other operand when one is NaN */                                       \
    O(FMAX, 2, 1, P)                                                                               \
    O(MATH, -1, 1, P) /* sub: HdMathFn of rt/math; operand and result types as its row says */     \
    /* comparisons: sub is HdIrICmp or HdIrFCmp; BOOL result */                                    \
    O(ICMP, 2, 1, P)                                                                               \
    O(FCMP, 2, 1, P)                                                                               \
    O(SELECT, 3, 1, P) /* BOOL, value if true, value if false */                                   \
    O(FREEZE, 1, 1, P) /* its operand; where that is undefined, some value, the same for all       \
                          users. Nothing is combined across it */                                  \
    /* conversions */                                                                              \
    O(TRUNC, 1, 1, P)                                                                              \
    O(ZEXT, 1, 1, P)                                                                               \
    O(SEXT, 1, 1, P)                                                                               \
    O(FPTRUNC, 1, 1, P)                                                                            \
    O(FPEXT, 1, 1, P)                                                                              \
    O(SITOFP, 1, 1, P)                                                                             \
    O(UITOFP, 1, 1, P)                                                                             \
    O(FPTOSI, 1, 1, P) /* saturates, NaN gives 0; sub 1: else the least */                         \
    O(FPTOUI, 1, 1, P)                                                                             \
    O(BITCAST, 1, 1, P) /* same width; PTR and I64 included */                                     \
    O(CONVERT, 1, 1, P) /* to a float, rounded as sub = HD_IR_CONVERT(…) says */                 \
    /* memory: flags VOLATILE, NONTEMPORAL; sub = HdIrSpace; imm = alignment in bytes */           \
    O(PTRADD, 2, 1, P)   /* address + I64 bytes */                                                 \
    O(IN_SPACE, 1, 1, P) /* the address if it lies in memory of space sub (global, local,          \
                            private), else null */                                                 \
    O(LOAD, -1, 1, R)    /* address [, mask] */                                                    \
    O(STORE, -1, 0, W)   /* address, value [, mask] */                                             \
    O(MEMCPY, -1, 0, W)  /* to, from, I64 bytes [, mask]; no overlap but identity */               \
    O(MEMSET, -1, 0, W)  /* to, I8 value, I64 bytes [, mask] */                                    \
    /* atomics: sub = HdIrRmw; imm = HD_IR_ORDER(order, space) */                                  \
    O(ATOMIC_LOAD, -1, 1, W)    /* address [, mask] */                                             \
    O(ATOMIC_STORE, -1, 0, W)   /* address, value [, mask] */                                      \
    O(ATOMIC_RMW, -1, 1, W)     /* address, value [, mask]; the old value */                       \
    O(ATOMIC_CMPXCHG, -1, 1, W) /* address, new value, comparator [, mask]; the old value */       \
    O(FENCE, 0, 0, W)           /* imm: HD_IR_ORDER */                                             \
    /* all lanes together */                                                                       \
    O(BARRIER, -1, 0, C) /* work-group control barrier [mask]; imm: HD_IR_ORDER, of local memory   \
                            where it is for the work-group alone that memory has an order */       \
    O(YIELD, 0, 0, C)    /* other sub-groups may run; once for all lanes, any number of them */    \
    /* named barriers; operands and results are the same in all lanes */                           \
    O(NAMED_MAKE, -1, 1, C) /* I32 sub-groups [, mask]; imm: number in the kernel; I64 */          \
    O(NAMED_WAIT, -1, 0, C) /* I64 [, mask]: the sub-group waits there */                          \
    O(COLLECTIVE, -1, 1, C) /* sub-group operation: sub = HdIrCollective, imm: cluster size or 0;  \
                               operands [, mask] */                                                \
    O(PRODUCT, -1, 1, C) /* A * B + C of matrices, whose element i along rows is component i / W   \
                            of lane i % W: the result's component 0. All lanes are active; imm:    \
                            HD_IR_SHAPES; operands: components of A, of B, of C. Floats: FMA in    \
                            the order of A's columns. sub HD_IR_PRODUCT_BYTES: a DOT4, of four I8  \
                            of A's rows and an I32 of B */                                         \
    /* effects through the runtime, for each active lane in lane order: sub = HdRtFn */            \
    O(RTCALL, -1, 1, W) /* operands as the function's row in rt/rtfn.def says [, mask] */          \
    /* images: imm as rt/image.h says; operands in that order [, mask] */                          \
    O(IMAGE_GET, -1, 1, R) /* a texel's first component */                                         \
    O(IMAGE_PUT, -1, 0, W)                                                                         \
    O(PART, 1, 1, R) /* result imm of an IMAGE_GET or a PRODUCT of the same block */               \
    /* calls; after inlining only those of functions that stay (HdIrCallee.is_called) */           \
    O(CALL, -1, 0, W)  /* imm: function index; scalar operands [, mask] */                         \
    O(RESULT, 1, 1, P) /* operand: the CALL; imm: index among its scalar results */                \
    /* terminators; targets are in HdIrBlock */                                                    \
    O(BR, 0, 0, T)                                                                                 \
    O(CONDBR, 1, 0, T) /* to succ[0] if true, else succ[1] */                                      \
    O(SWITCH, 1, 0, T) /* to succ[i + 1] where cases[i] matches, else succ[0] */                   \
    O(RET, -1, 0, T)   /* scalar results */                                                        \
    O(UNREACHABLE, 0, 0, T)                                                                        \
    /* made by lanes/, and made an ANY of the wide function */                                     \
    O(ALL, 1, 1, C) /* BOOL, uniform: is this true in all lanes that are together */               \
    /* only in wide functions (made by lanes/) */                                                  \
    O(SLOT, 0, 1, P) /* storage for one value of this `type`: W of them when varying. Its          \
                        ref is used only by SLOT_GET and SLOT_SET. Undefined at first */           \
    O(SLOT_GET, 1, 1, R)                                                                           \
    O(SLOT_SET, -1, 0, W) /* slot, value [, mask: other lanes keep theirs] */                      \
    O(ACTIVE, 0, 1, P)    /* BOOL, varying: the lanes that exist in this sub-group */              \
    O(ANY, 1, 1, C)       /* BOOL, uniform: is any lane of this mask set */                        \
    O(FIRST, 2, 1, C)     /* value, mask: the first set lane's value, uniform */                   \
    O(LANE_MIN, 2, 1, C)  /* I32 value, mask: the smallest over the set lanes, uniform */          \
    /* only in functions of regions (made by group/) */                                            \
    O(CONTEXT, 0, 1, P) /* as ALLOCA: private memory at byte imm of this sub-group's context */    \
    O(CTX_GET, 0, 1, R) /* the value kept at byte imm of this sub-group's context */               \
    O(CTX_SET, 1, 0, W)                                                                            \
    O(VAR_GET, 0, 1, R) /* variable imm of the work-group, as it was when the region began */      \
    O(VAR_SET, 1, 0, W)                                                                            \
    O(NEXT, 0, 0, T) /* at a barrier: region imm follows it; bit 31 of imm: no barrier */

typedef enum HdIrOp {
#define O(name, operands, result, effect) HD_IR_##name,
    HD_IR_OPS(O)
#undef O
        HD_IR_OP_COUNT
} HdIrOp;

/* HdIrInst.flags, of operations that have them. */
enum {
    HD_IR_NSW = 1, /* ADD SUB MUL SHL NEG: no signed wrap, by the module's promise */
    HD_IR_NUW = 2,
    HD_IR_VOLATILE = 4,
    HD_IR_NONTEMPORAL = 8,
    HD_IR_MASKED = 16,       /* the last operand is a mask: only its lanes act */
    HD_IR_FAST = 32,         /* floats: results may be approximated (fast math allowed) */
    HD_IR_INVARIANT = 64,    /* LOAD: nothing writes this memory while the kernel runs */
    HD_IR_INTERLEAVED = 128, /* ALLOCA and accesses to it: element e of lane l at (e * W + l) */
    HD_IR_UNIFORM = 256,     /* COLLECTIVE, FENCE: all lanes of the sub-group reach it, or none */
    HD_IR_WALKS = 512,       /* LOAD: of few bytes, next to those of the previous iteration
                              * (lanes/walk.h) */
    HD_IR_TESTED = 1024,     /* CONDBR: not reached where all go the way that it guards
                              * (lanes/version_rows.h) */
    HD_IR_GUARD = 2048       /* SELECT between addresses: the first one's surroundings may be
                              * accessed instead of it (build/guard.h) */
};
#define HD_IR_FLAG_COUNT 12u
/* Lanes that lie this far apart at most share the place that a GUARD leads to. */
#define HD_IR_GUARD_STRIDE 64
typedef uint16_t HdIrFlags;

typedef enum HdIrICmp {
    HD_IR_EQ,
    HD_IR_NE,
    HD_IR_ULT,
    HD_IR_ULE,
    HD_IR_UGT,
    HD_IR_UGE,
    HD_IR_SLT,
    HD_IR_SLE,
    HD_IR_SGT,
    HD_IR_SGE
} HdIrICmp;

/* Ordered ones are false, unordered ones true when an operand is NaN. */
typedef enum HdIrFCmp {
    HD_IR_OEQ,
    HD_IR_OGT,
    HD_IR_OGE,
    HD_IR_OLT,
    HD_IR_OLE,
    HD_IR_ONE,
    HD_IR_ORD,
    HD_IR_UEQ,
    HD_IR_UGT_F,
    HD_IR_UGE_F,
    HD_IR_ULT_F,
    HD_IR_ULE_F,
    HD_IR_UNE,
    HD_IR_UNO
} HdIrFCmp;

typedef enum HdIrRmw {
    HD_IR_RMW_XCHG,
    HD_IR_RMW_ADD,
    HD_IR_RMW_SUB,
    HD_IR_RMW_AND,
    HD_IR_RMW_OR,
    HD_IR_RMW_XOR,
    HD_IR_RMW_UMIN,
    HD_IR_RMW_UMAX,
    HD_IR_RMW_SMIN,
    HD_IR_RMW_SMAX,
    HD_IR_RMW_FADD,
    HD_IR_RMW_FMIN,
    HD_IR_RMW_FMAX,
    HD_IR_RMW_FADD_RTZ /* rounded towards zero */
} HdIrRmw;

typedef enum HdIrSpace {
    HD_SPACE_GENERIC, /* anything */
    HD_SPACE_GLOBAL,
    HD_SPACE_CONSTANT,
    HD_SPACE_LOCAL,
    HD_SPACE_PRIVATE
} HdIrSpace;

typedef enum HdIrOrder {
    HD_IR_RELAXED,
    HD_IR_ACQUIRE,
    HD_IR_RELEASE,
    HD_IR_ACQ_REL,
    HD_IR_SEQ_CST
} HdIrOrder;
#define HD_IR_ORDER(order, space) ((uint64_t)(order) | (uint64_t)(space) << 8)

typedef enum HdIrBuiltin {
    HD_BUILTIN_GLOBAL_ID,
    HD_BUILTIN_LOCAL_ID,
    HD_BUILTIN_GROUP_ID,
    HD_BUILTIN_GLOBAL_SIZE,
    HD_BUILTIN_LOCAL_SIZE,
    HD_BUILTIN_ENQUEUED_LOCAL_SIZE,
    HD_BUILTIN_NUM_GROUPS,
    HD_BUILTIN_GLOBAL_OFFSET,
    HD_BUILTIN_WORK_DIM,
    HD_BUILTIN_GLOBAL_LINEAR_ID,
    HD_BUILTIN_LOCAL_LINEAR_ID,
    HD_BUILTIN_SUBGROUP_SIZE,
    HD_BUILTIN_SUBGROUP_MAX_SIZE,
    HD_BUILTIN_NUM_SUBGROUPS,
    HD_BUILTIN_NUM_ENQUEUED_SUBGROUPS,
    HD_BUILTIN_SUBGROUP_ID,
    HD_BUILTIN_SUBGROUP_LOCAL_ID,
    HD_BUILTIN_ARRAYS, /* fields of HdRtGroup, for variable-length arrays; I64 */
    HD_BUILTIN_ARRAY_ROOM,
    HD_BUILTIN_ARRAY_SOFT,
    HD_BUILTIN_ROUND_START, /* likewise, for loops whose iterations the launch distributes */
    HD_BUILTIN_ONE_ROUND,
    HD_BUILTIN_COUNT
} HdIrBuiltin;

/* The largest local id, in any dimension of any launch, is not above this. */
#define HD_IR_MOST_LOCAL_ID 65535u

typedef enum HdIrCollective {
    /* one operand, same type back */
    HD_COLL_ADD,
    HD_COLL_MUL,
    HD_COLL_UMIN,
    HD_COLL_UMAX,
    HD_COLL_SMIN,
    HD_COLL_SMAX,
    HD_COLL_AND,
    HD_COLL_OR,
    HD_COLL_XOR,
    HD_COLL_FADD,
    HD_COLL_FMUL,
    HD_COLL_FMIN,
    HD_COLL_FMAX,
    /* votes: BOOL operand and result; ALL_EQUAL takes any type */
    HD_COLL_ALL,
    HD_COLL_ANY,
    HD_COLL_ALL_EQUAL,
    HD_COLL_ELECT,
    /* value, I32 lane */
    HD_COLL_BROADCAST,
    HD_COLL_BROADCAST_FIRST,
    HD_COLL_SHUFFLE,
    HD_COLL_SHUFFLE_XOR,
    HD_COLL_SHUFFLE_UP,
    HD_COLL_SHUFFLE_DOWN,
    HD_COLL_ROTATE,
    /* BOOL operand, I64 result: bit l is lane l */
    HD_COLL_BALLOT,
    /* any operand, I64 result: the lanes with the same value */
    HD_COLL_MATCH
} HdIrCollective;
/* imm of a COLLECTIVE that reduces; HD_COLL_PARTED is added where a second operand, I64, says which
 * lanes do so together */
enum { HD_COLL_REDUCE = 0, HD_COLL_INCLUSIVE = 1, HD_COLL_EXCLUSIVE = 2, HD_COLL_PARTED = 4 };
/* imm of a BROADCAST_FIRST that is the address of a sub-group's block (opt/first_lane.c) */
#define HD_COLL_OF_BLOCK             1u
#define HD_IR_COLL_IMM(how, cluster) ((uint64_t)(how) | (uint64_t)(cluster) << 8)

/* sub of DOT4 */
enum { HD_IR_DOT_LEFT = 1, HD_IR_DOT_RIGHT = 2 };

/* sub of PRODUCT, with those of DOT4 */
enum { HD_IR_PRODUCT_BYTES = 4 };
/* imm of PRODUCT: rows of A, rows of B, columns of B, each below 2^20 */
#define HD_IR_SHAPES(rows, depth, columns) \
    ((uint64_t)(rows) | (uint64_t)(depth) << 20 | (uint64_t)(columns) << 40)

/* sub of CONVERT: numeric kinds and rounding as rt/math/convert.h has them. */
#define HD_IR_CONVERT(from, to, round) ((uint16_t)((from) | (to) << 4 | (round) << 8))

typedef struct HdIrInst {
    uint8_t op;    /* HdIrOp */
    uint8_t type;  /* HdIrType of the result */
    uint8_t shape; /* HdIrShape */
    uint16_t sub;
    uint16_t nargs;
    uint32_t args;  /* first operand in HdIrFunc.args */
    uint32_t block; /* HD_IR_NOWHERE: deleted or not placed */
    uint64_t imm;
    int64_t stride; /* AFFINE: difference between neighbouring lanes */
    uint32_t place; /* word of the SPIR-V instruction it comes from; UINT32_MAX = none */
    HdIrFlags flags;
} HdIrInst;

typedef struct HdIrBlock {
    HD_ARRAY(HdIrRef) insts; /* in order; the last is the terminator */
    uint32_t *succ;          /* CONDBR: 2, BR: 1, SWITCH: 1 + case_count */
    uint32_t succ_count;
    uint64_t *cases; /* SWITCH: succ_count - 1 values, zero-extended */
    uint32_t rank;   /* position in the fixed execution order (module/cfg.h), set by build/ and kept
                        by passes; equal ranks only for blocks split from one. HD_IR_NOWHERE: not
                        set (if any is not, graph.h finds an order of its own) */
    uint32_t loop_merge; /* block that OpLoopMerge names as merge of the loop headed here, or
                            HD_IR_NOWHERE */
    bool is_enclosed;    /* opt/enclose.c has been at the loop headed here */
    uint8_t along; /* in a loop that can be vectorised if the kernel runs item by item: bytes of the
                    * widest element; 0: it cannot. Set by lanes/along.c */
    uint8_t ways;  /* of a wide function: one of so many ways of a switch at which lanes part leads
                    * here, and no other; 0: none does */
    bool as_one;   /* of a wide function: heads a loop that all lanes in it leave in one round */
    bool seldom;   /* reached: where all lanes come here, they have a copy of it
                      (lanes/version_full.h) */
    bool sparse;   /* hardly any lane comes here (lanes/sparse.h) */
} HdIrBlock;

/* A number that local ids in x are compared with. */
typedef struct HdIrLimit {
    HdIrRef value;    /* CONST or VAR_GET of I32 or I64 */
    bool is_unsigned; /* else signed */
    bool is_last;     /* the id that is equal still counts */
} HdIrLimit;

#define HD_IR_MOST_LIMITS 4u

/* A piece of a wide function that runs for all sub-groups before another one does. */
typedef struct HdIrRegion {
    uint32_t first, count; /* blocks; it begins with the first one */
    uint32_t weight;       /* instructions, roughly */
    /* Set by group/: sub-groups all of whose ids in x are above each of these, the others being 0,
     * do nothing here. */
    HdIrLimit limits[HD_IR_MOST_LIMITS];
    uint32_t limit_count;
} HdIrRegion;

/* Dimensions of the NDRange that lanes count along (lanes/vector_dim.c). */
typedef struct HdIrDims {
    uint8_t taken;    /* it has changed places with x; 0: that is x itself */
    uint8_t possible; /* bit i: dimension i could have been taken, had it been allowed */
} HdIrDims;

/* A grid-stride loop that is the whole kernel: a work-item has the iterations with the indices
 * get_global_id(0) and then every get_global_size(0), in one-dimensional launches without an offset
 * and with whole groups only (opt/grid_stride.c). */
typedef struct HdIrStride {
    uint32_t bytes;              /* of global memory in an iteration of a work-item; 0: there is
                                  * none */
    uint8_t bits;                /* of the bound */
    bool is_constant, is_signed; /* the bound: an argument at .bound, or that number itself */
    uint64_t bound;
    uint64_t most; /* indices may become so large */
} HdIrStride;

/* A function as others call it. */
typedef struct HdIrCallee {
    bool must_inline; /* contains BARRIER or COLLECTIVE, itself or through calls; set by build/ */
    bool is_called;   /* calls of it stay calls; set by opt/calls.c */
    bool is_masked;   /* wide: the mask of the calling lanes follows its parameters; else all lanes
                       * call */
    /* HdIrShape of each; made by lanes/ for functions that are called. Of one work-item: UNIFORM
     * where the result is the same in all lanes if all parameters are. */
    uint8_t *result_shapes;
    uint8_t *param_shapes; /* wide */
} HdIrCallee;

/* How sub-groups, or their lanes, wait for each other in a function: noted by build/, and by opt/
 * when it is done; lanes/ and group/ keep it for the wide function. */
typedef struct HdIrWaits {
    bool has_barrier;
    bool needs_fibers; /* sub-groups stop elsewhere than at BARRIERs (YIELD …): each needs a stack
                        * of its own */
    bool lanes_wait;   /* for each other, so that sub-groups had better be of one (opt/wait.c) */
    bool sees_others;  /* it may bring in what other sub-groups store (opt/wait.c) */
} HdIrWaits;

/* The lanes of a wide function: made by lanes/. */
typedef struct HdIrLanes {
    uint32_t parts;  /* > 1: width is that of a part of the launch's sub-groups; a call runs so many
                      * parts for each sub-group, one after another */
    uint32_t merged; /* > 1: width is that of so many of the launch's sub-groups together */
    HdIrDims dims;   /* of a kernel */
    bool by_rows;    /* each row of a group begins a sub-group: HdLaunchFacts in jit/variant.h */
    bool has_rows;   /* in some loop lanes traverse rows of their own, of words (lanes/rows.c) */
    bool rows_once;  /* of words, in an outermost loop, rows that may be far apart */
    /* Of a kernel: functions by the numbers in CALLs, NULL: not called. */
    struct HdIrFunc **callees;
    uint32_t callee_count;
} HdIrLanes;

/* What a wide kernel has in place of barriers: made by group/. */
typedef struct HdIrRegions {
    HdIrRegion *at; /* they begin at region 0 */
    uint32_t count;
    bool agree;             /* all sub-groups go the same way from region to region */
    uint64_t context_bytes; /* of one sub-group */
    uint32_t context_align; /* a power of two, 64 at least */
    uint8_t *var_types;     /* HdIrType of the work-group's variables */
    uint32_t var_count;
} HdIrRegions;

typedef struct HdIrFunc {
    struct HdIrModule *module;
    const char *name;
    HD_ARRAY(HdIrInst) insts;            /* [0] is unused */
    HD_ARRAY(HdIrRef) args;              /* operand pool */
    HD_ARRAY(HdIrBlock) blocks;          /* [0] is the entry */
    uint8_t *param_types, *result_types; /* HdIrType */
    uint32_t param_count, result_count;
    uint32_t width; /* wide functions: W; 0 before lanes/ */
    bool is_kernel;
    HdIrCallee callee;
    HdIrWaits waits;
    HdIrStride stride;   /* of a kernel; set by opt/grid_stride.c */
    HdIrLanes lanes;     /* zeroed while width is 0 */
    HdIrRegions regions; /* zeroed before group/ */
} HdIrFunc;

/* What program-scope variables hold when a program starts. */
typedef struct HdIrProgram {
    const unsigned char *bytes;
    uint64_t size;
    const uint64_t *addresses; /* offsets of eight bytes each that hold what only a launch knows */
    size_t address_count;
} HdIrProgram;

/* Which functions are called rather than inlined. */
typedef enum HdIrCalls {
    HD_IR_CALLS_NONE,
    HD_IR_CALLS_LARGE, /* those whose copies would make a kernel large */
    HD_IR_CALLS_ALL    /* testing: all that may be */
} HdIrCalls;

typedef struct HdIrModule {
    HdArena *arena; /* not owned */
    HD_ARRAY(HdIrFunc *) funcs;
    HdIrCalls calls;
    HD_ARRAY(uint32_t) called; /* numbers of functions that stay, callees first */
    bool
        structured; /* of a shader: every loop has its merge block, and its rounds are iterations */
    bool is_for_width; /* the number of lanes of a sub-group is in it */
    bool no_offset;    /* the global offset is 0 */
    bool apart;        /* no two pointer arguments of the kernel lead to the same memory */
    bool may_miss;     /* an index may leave its array of descriptors (build/guard.h) */
    HdIrProgram program;
    struct HdPassLog *log; /* of the passes over it (ir/pass.h); NULL: none is kept */
    bool failed;           /* an allocation failed while emitting */
} HdIrModule;

/* ---- making ------------------------------------------------------------------------------ */
HdIrModule *hd_ir_module(HdArena *a);
/* Add an empty function with one (entry) block. NULL without memory. */
HdIrFunc *hd_ir_func(HdIrModule *m, const char *name);
/* Add a block and return its number. */
uint32_t hd_ir_block(HdIrFunc *f);
/* Append an instruction to a block. Operands are copied. Returns 0 when memory ran out (then
 * module->failed is set and later emits do nothing harmful). */
HdIrRef hd_ir_emit(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, const HdIrRef *args,
                   size_t nargs);
/* Append `op` with a sub-operation and an immediate. */
HdIrRef hd_ir_emit_sub(HdIrFunc *f, uint32_t block, HdIrOp op, HdIrType type, unsigned sub,
                       uint64_t imm, const HdIrRef *args, size_t nargs);
/* The same, before the instruction at `index` of the block. */
HdIrRef hd_ir_insert(HdIrFunc *f, uint32_t block, size_t index, HdIrOp op, HdIrType type,
                     unsigned sub, uint64_t imm, const HdIrRef *args, size_t nargs);
/* A constant of `type` with these bits, appended to the block (folding and CSE merge them later).
 */
HdIrRef hd_ir_const(HdIrFunc *f, uint32_t block, HdIrType type, uint64_t bits);
/* Terminators. */
void hd_ir_br(HdIrFunc *f, uint32_t block, uint32_t target);
void hd_ir_condbr(HdIrFunc *f, uint32_t block, HdIrRef cond, uint32_t yes, uint32_t no);
/* Replace an instruction's operands (same or another number). */
void hd_ir_set_args(HdIrFunc *f, HdIrRef inst, const HdIrRef *args, size_t nargs);

/* ---- reading ----------------------------------------------------------------------------- */
static inline HdIrInst *hd_ir_inst(HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}
static inline HdIrRef *hd_ir_args(const HdIrFunc *f, HdIrRef r)
{
    return &f->args.at[f->insts.at[r].args];
}
static inline HdIrRef hd_ir_arg(const HdIrFunc *f, HdIrRef r, unsigned i)
{
    return f->args.at[f->insts.at[r].args + i];
}
unsigned hd_ir_type_bytes(HdIrType t); /* BOOL: 1 */
unsigned hd_ir_type_bits(HdIrType t);  /* BOOL: 1 */
static inline bool hd_ir_is_int(HdIrType t)
{
    return t >= HD_IR_I8 && t <= HD_IR_I64;
}
static inline bool hd_ir_is_float(HdIrType t)
{
    return t >= HD_IR_F16 && t <= HD_IR_F64;
}
static inline bool hd_ir_op_is_atomic(unsigned op)
{
    return op >= HD_IR_ATOMIC_LOAD && op <= HD_IR_ATOMIC_CMPXCHG;
}
const char *hd_ir_op_name(unsigned op);
const char *hd_ir_type_name(unsigned type);
bool hd_ir_op_is_terminator(unsigned op);
bool hd_ir_op_is_costly(unsigned op);     /* takes ten times an addition, or calls a function */
bool hd_ir_op_has_effects(unsigned op);   /* W, C or T: may not be deleted when unused */
bool hd_ir_op_is_convergent(unsigned op); /* C */
bool hd_ir_op_is_pure(unsigned op);       /* P */
bool hd_ir_op_talks(unsigned op);         /* lanes get values of each other */
/* Is it another one for each work-item of a sub-group? */
bool hd_ir_builtin_is_of_item(HdIrBuiltin which);
/* HdGather (base/gather.h): which lanes wait for each other in front of the instruction; the most
 * that an instruction of a block asks for. */
unsigned hd_ir_gather(const HdIrInst *in);
unsigned hd_ir_block_gather(const HdIrFunc *f, uint32_t block);
bool hd_ir_op_commutes(unsigned op); /* the first two operands may change places */
int hd_ir_op_operands(unsigned op);  /* as in HD_IR_OPS; -1 = any number */
bool hd_ir_op_has_result(unsigned op);
/* Number of value operands before an optional mask. */
unsigned hd_ir_value_args(const HdIrInst *in);

/* ---- checking -------------------------------------------------------------------------------- */
/* Check every invariant; HD_BUG with a diagnostic at the first one broken. */
HdStatus hd_ir_verify(const HdIrFunc *f, HdDiags *d);

#endif
