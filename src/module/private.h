/* module/private.h -- what the files of this room share and nobody else needs.
 *
 * Types and constants are resolved together, in one pass over the instructions before the first
 * function, because array lengths are constants and constants have types. The result is one table
 * pair; a specialisation makes a new pair and drops the old.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_PRIVATE_H
#define HD_MODULE_PRIVATE_H

#include "base/bitset.h"
#include "module/constant.h"
#include "module/module.h"
#include "module/type.h"

#define HD_CAPABILITY_WORDS (65536 / 64)

struct HdTypeTable {
    HdArena *arena;    /* of types and constants both */
    const HdType **at; /* [bound], heap; NULL: no sound type */
};

struct HdConstantTable {
    const HdConstant **at; /* [bound], heap; NULL: no sound constant */
};

/* State of the pass. */
typedef struct HdResolver {
    HdModule *m;
    HdArena *a;
    const HdSpecialization *spec;
    size_t spec_count;
    uint64_t budget;  /* parts that may still be spelled out of nulls and replicated */
    HdConstant *pool; /* of the arena, taken many at a time: it rounds up what is taken */
    unsigned pool_left;
} HdResolver;

/* Make the tables; errors are only those of memory: what is unsound is left out. */
HdStatus hd_module_resolve(HdModule *m, const HdSpecialization *spec, size_t count);
void hd_module_drop_tables(HdModule *m);

/* One OpType… instruction. */
HdStatus hd_resolve_type(HdResolver *r, const HdInst *in);
/* One constant, OpUndef or module-scope variable. */
HdStatus hd_resolve_constant(HdResolver *r, const HdInst *in);
/* OpSpecConstantOp: NULL in *out when it has no sound value. */
HdStatus hd_resolve_spec_op(HdResolver *r, const HdInst *in, const HdConstant **out);

/* New constants. NULL: no memory. */
HdConstant *hd_constant_new(HdArena *a, HdConstantKind kind, const HdType *type);
/* Element `i` of a composite, null or undefined constant; *out is NULL when there is none. */
HdStatus hd_constant_part(HdArena *a, const HdConstant *c, uint64_t i, const HdConstant **out);
#endif
