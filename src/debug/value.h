/* debug/value.h -- values of a stopped program: by name, by expression, as text.
 *
 * A value is a location (a register of a work-item, or memory) with a type, or a computed number.
 * Locations are read in place: a value is valid until the run continues.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_VALUE_H
#define HD_DEBUG_VALUE_H

#include "debug/debug.h"
#include "module/type.h"

/* A member of a structure, and where it is. */
typedef struct HdDebugPart {
    const HdType *type;
    uint64_t offset;
    const char *name;
} HdDebugPart;

/* A type without an OpType in the module: from debug information, from a cast. Its members have
 * names, its integers a meaningful signedness. */
typedef struct HdDebugType {
    union {
        HdType t; /* first; id == 0 */
        HdLongType whole;
    };
    const char *name;
    HdDebugPart *parts; /* of a STRUCT */
    uint64_t stride;    /* from an element of an ARRAY or VECTOR to the next; 0: elements' size */
    HdId from;          /* what it was created from: debug information, or a block; 0 */
} HdDebugType;

typedef enum HdDebugNumber { HD_DEBUG_NO_NUMBER, HD_DEBUG_INT, HD_DEBUG_FLOAT } HdDebugNumber;

typedef struct HdDebugValue {
    const HdType *type;          /* NULL: a number */
    const unsigned char *at;     /* NULL: in `own` */
    const unsigned char *shadow; /* uninitialised bits, xored with flip; NULL: flip alone */
    unsigned char flip;
    uint64_t address; /* 0: not in memory */
    bool is_variable; /* a register or memory of the program, that can be changed */
    uint32_t
        *provenance; /* of a register that is a pointer (interp/provenance.c); NULL: it has none */
    HdDebugNumber number;
    int64_t integer;
    double real;
    unsigned char own[16];
    bool is_builtin;         /* a built-in variable, computed */
    bool is_swizzle;         /* a vector whose components lie at those of `at` that `order` names */
    unsigned char order[16]; /* [type->count] */
} HdDebugValue;

/* The value of an expression, in a frame (0 = innermost) of a work-item.
 *   why  gets the reason of a failure
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY. */
HdStatus hd_debug_eval(HdDebug *d, uint32_t item, uint32_t frame, const char *text,
                       HdDebugValue *out, HdStrbuf *why);
/* Is a condition true for a work-item? */
HdStatus hd_debug_true(HdDebug *d, uint32_t item, const char *text, bool *is_true, HdStrbuf *why);
/* Put a value into a place that hd_debug_eval gave, for a work-item. */
HdStatus hd_debug_assign(HdDebug *d, uint32_t item, const HdDebugValue *place,
                         const HdDebugValue *value, HdStrbuf *why);
/* "EXPR = EXPR"; `out` gets the place. */
HdStatus hd_debug_set(HdDebug *d, uint32_t item, uint32_t frame, const char *text,
                      HdDebugValue *out, HdStrbuf *why);
/* Take an operand's value as a number; false when it is none. */
bool hd_debug_number(const HdDebugValue *v, HdDebugValue *number);

/* A float as an integer, of which the nearest where it has none; 0 of what is no number. */
static inline int64_t hd_debug_whole(double real)
{
    if (real >= -0x1p63 && real < 0x1p63)
        return (int64_t)real;
    return real > 0 ? INT64_MAX : real < 0 ? INT64_MIN : 0;
}

/* A value in text. format: 'x' hexadecimal, 'd' signed, 'u' unsigned, 't' binary, 'c' character,
 * 'f' float; 0 as its type says. */
void hd_debug_value_text(HdDebug *d, const HdDebugValue *v, char format, HdStrbuf *out);
void hd_debug_type_text(HdDebug *d, const HdType *t, HdStrbuf *out);
/* Parts of a composite or what a pointer points to (1): how many, and one with its name. */
uint64_t hd_debug_value_parts(HdDebug *d, const HdDebugValue *v);
bool hd_debug_value_part(HdDebug *d, const HdDebugValue *v, uint64_t i, HdDebugValue *part,
                         HdStrbuf *name);
/* Bytes from an element of an array, vector or matrix to the next. */
uint64_t hd_debug_stride(const HdDebug *d, const HdType *t);

/* ---- by name: scope.c ---------------------------------------------------------------------- */

typedef struct HdDebugVariable {
    const char *name;
    HdDebugValue value;
    bool is_argument, is_gone;
    bool is_bound, is_nameless; /* a shader's block; sources say its members' names alone */
} HdDebugVariable;
typedef HD_ARRAY(HdDebugVariable) HdDebugVariables;

/* Variables and parameters of a frame; those of the program. Heap. */
HdStatus hd_debug_locals(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdDebugVariables *out);
HdStatus hd_debug_globals(HdDebug *d, HdDebugVariables *out);
/* Values of ids that a frame's function has computed. */
HdStatus hd_debug_ids(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdDebugVariables *out);
/* The value of an id; false when it has none there. */
bool hd_debug_id_value(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdId id,
                       HdDebugValue *out);
bool hd_debug_find_id(const HdDebug *d, const char *name, size_t len, HdId *id);
/* What an id is called, without %: as in the assembly text, else as disassembled. NULL: by its
 * number. */
const char *hd_debug_id_name(const HdDebug *d, HdId id, uint32_t *len);
/* What is at an address, as a type; false if that memory does not exist. */
bool hd_debug_at(HdDebug *d, const HdType *t, uint64_t address, HdDebugValue *out);

/* ---- watched memory: watches.c ------------------------------------------------------------- */

/* Can it be watched? why gets the reason when it cannot. */
bool hd_debug_may_watch(const HdDebugValue *v, HdStrbuf *why);
/* Is it local or private memory, which goes with its work-group? */
bool hd_debug_is_of_group(const HdDebug *d, uint64_t address);
/* As hd_debug_watch, for a value.
 *   text       what it is called (copied)
 *   condition  of work-items that change it; NULL: none */
uint32_t hd_debug_watch_value(HdDebug *d, const HdDebugValue *v, const char *text,
                              const char *condition, HdStrbuf *why);
/* "buffer 0 'out' + 12" */
void hd_debug_memory_text(HdDebug *d, uint64_t address, HdStrbuf *out);

/* ---- types: types.c ------------------------------------------------------------------------ */

/* A type by what OpenCL C calls it ("uint4", "global float *", "struct P *"); NULL. */
const HdType *hd_debug_type_named(HdDebug *d, const char *text);
/* That of debug information; NULL when it says nothing that is of use. */
const HdType *hd_debug_type_of(HdDebug *d, HdId debug_type);
const HdType *hd_debug_pointer_to(HdDebug *d, const HdType *t);
/* Elements are `stride` bytes apart. */
const HdType *hd_debug_vector_of(HdDebug *d, const HdType *t, uint32_t count, uint64_t stride);
const HdType *hd_debug_array_of(HdDebug *d, const HdType *t, uint64_t count);
/* What the host has bound to a shader's variable: a block whose array has as many elements as fit,
 * or an array of pointers to such blocks. NULL: no memory.
 *   argument  that is its first element */
const HdType *hd_debug_bound(HdDebug *d, uint32_t argument);
/* The type of a structure's member, matrices as it lays them out; NULL: no memory. */
const HdType *hd_debug_member(HdDebug *d, const HdType *t, uint32_t member);
static inline const HdDebugType *hd_debug_own_type(const HdType *t)
{
    return t != NULL && t->id == 0 ? (const HdDebugType *)t : NULL;
}

#endif
