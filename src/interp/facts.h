/* interp/facts.h -- what checked runs know of a program before it runs: indexes, origins of
 * pointers, variables, and how values without bits spread. info.c finds it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_FACTS_H
#define HD_INTERP_FACTS_H

#include "base/array.h"
#include "interp/eval.h"

/* How an instruction's result depends on operands' bits without a value. */
typedef enum HdShadowKind {
    HD_SHADOW_SPREADS, /* a component has none when a bit of its operands' has none */
    HD_SHADOW_MOVES,   /* the function run on shadow gives the result's */
    HD_SHADOW_OWN,     /* the function does it itself */
    HD_SHADOW_FREEZES, /* every bit of the result has a value */
    HD_SHADOW_CARRIES, /* integers: from the lowest such bit up */
    HD_SHADOW_AND,
    HD_SHADOW_OR,
    HD_SHADOW_XOR,
    HD_SHADOW_SHIFTS,
    HD_SHADOW_EQUALS
} HdShadowKind;

/* By opcode; from a table in ops/. */
extern const unsigned char hd_eval_shadow[HD_OPIX_COUNT];

/* An index that a chain has into an array of known length. */
typedef struct HdIndexCheck {
    HdId index;
    uint64_t extent;
    bool is_matrix; /* of a cooperative matrix, of which a work-item has a part */
} HdIndexCheck;

/* Where a pointer comes from: the variable or parameter that chains and casts lead to. */
typedef enum HdRootKind {
    HD_ROOT_UNKNOWN,
    HD_ROOT_ARGUMENT, /* of the kernel */
    HD_ROOT_PRIVATE,
    HD_ROOT_LOCAL,
    HD_ROOT_PROGRAM,
    HD_ROOT_ARRAY, /* variable-length; argument: id of its length, bytes: of an element */
    HD_ROOT_MIXED  /* each lane has its own */
} HdRootKind;

typedef struct HdRoot {
    HdId id; /* 0 = unknown */
    HdRootKind kind;
    uint32_t provenance; /* != 0: known only at run time (provenance.c); place in the frame + 1 */
    uint32_t argument;   /* its number */
    uint32_t function;   /* of PRIVATE, known at run time: the frame begins at `base` */
    uint8_t promise; /* HD_PROMISE_…, of the parameter that the function itself leads it back to */
    uint64_t base;
    uint64_t offset, bytes; /* in the function's, the group's, the program's memory */
    uint32_t first_index, index_count;
} HdRoot;

#define HD_PROMISE_NO_WRITE 1u
#define HD_PROMISE_NO_READ  2u

typedef struct HdVariableInfo {
    HdId id;
    uint64_t offset, bytes; /* in the function's private memory */
    uint32_t function;
    uint32_t number; /* in the function */
} HdVariableInfo;

typedef struct HdProgramInfo {
    HD_ARRAY(uint32_t) uses; /* slots that an instruction's operands are in */
    HD_ARRAY(HdIndexCheck) indexes;
    HD_ARRAY(HdVariableInfo) variables; /* private ones, by function, by offset */
    HdRoot *roots;                      /* [bound] */
    uint32_t *provenance_slot;          /* [bound] first place in frames + 1; 0 = has none */
    uint32_t *variable_number;          /* [bound] of private ones, in their function */
    uint32_t inst_count;
    bool has_fences, stores_pointers;
    bool has_promises; /* some root has */
    bool has_private;  /* some load or store has a coherence (coherent.c) */
    bool has_scopes;   /* some atomic or fence is for less than the device */
    bool has_epochs;   /* something orders what is before it and what is after it */
} HdProgramInfo;

#endif
