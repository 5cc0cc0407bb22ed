/* module/private.h -- private to the files of this room.
 *
 * Types and constants are resolved together, in one pass over the instructions before the first
 * function, because array lengths are constants and constants have types. The result is one table
 * pair; a specialisation makes a new pair and drops the old.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_PRIVATE_H
#define HD_MODULE_PRIVATE_H

#include "base/array.h"
#include "base/bitset.h"
#include "base/map.h"
#include "module/constant.h"
#include "module/module.h"
#include "module/type.h"

#define HD_CAPABILITY_WORDS (65536 / 64)

/* What ids refer to, allocated from the arena many at a time. Ids have numbers of four bytes rather
 * than pointers: most modules have many more ids than types and constants. */
#define HD_TABLE_CHUNK 64u
typedef struct HdTable {
    uint32_t *at; /* [bound], heap: number from 1 on; 0: nothing */
    HD_ARRAY(void *) chunks;
    uint32_t count;
} HdTable;

struct HdTypeTable {
    HdArena *arena; /* of types and constants both */
    HdTable of;
    HdMap offsets; /* structure's id to the offsets of its members, of those that were laid out */
};

struct HdConstantTable {
    HdTable of;
};

static inline void *hd_table_at(const HdTable *t, uint32_t number, size_t size)
{
    return (char *)t->chunks.at[(number - 1) / HD_TABLE_CHUNK] +
           (number - 1) % HD_TABLE_CHUNK * size;
}
static inline void *hd_table_get(const HdTable *t, HdId id, size_t size)
{
    return t->at[id] == 0 ? NULL : hd_table_at(t, t->at[id], size);
}
/* A zeroed one more; NULL: no memory. */
void *hd_table_new(HdArena *a, HdTable *t, size_t size);
/* The id refers to the one created last. */
static inline void hd_table_keep(HdTable *t, HdId id)
{
    t->at[id] = t->count;
}

/* Fill in m->decorations: `count` instructions decorate, and there may be groups. */
HdStatus hd_read_decorations(HdModule *m, HdDiags *d, uint32_t count, bool groups);

/* Nulls and undefined values of one type are all alike: one of the last few is used again. */
#define HD_ALIKE 16u
typedef struct HdAlike {
    const HdType *type;
    uint32_t number; /* in the table of constants */
} HdAlike;

/* State of the pass. */
typedef struct HdResolver {
    HdModule *m;
    HdArena *a;
    const HdSpecialization *spec;
    size_t spec_count;
    HdArena *scratch; /* of one operation on scalars; NULL: none yet */
    HdAlike nulls[HD_ALIKE], undefs[HD_ALIKE];
    HdConstant result;    /* of one operation on a composite, before it is in the table */
    HdReplaced *replaced; /* room for so many more */
    unsigned replaced_left;
    uint64_t budget;      /* parts that may still be spelled out and replicated */
    uint64_t read_budget; /* parts that may be spelled out besides, to be read */
    uint64_t steps;       /* that may still be taken through replaced composites */
} HdResolver;

/* Make the tables; errors are only those of memory: what is unsound is left out. */
HdStatus hd_module_resolve(HdModule *m, const HdSpecialization *spec, size_t count);
void hd_module_drop_tables(HdModule *m);

/* One OpType… instruction. */
HdStatus hd_resolve_type(HdResolver *r, const HdInst *in);
/* OpSpecConstantOp: NULL in *out when it has no sound value. */
HdStatus hd_resolve_spec_op(HdResolver *r, const HdInst *in, const HdConstant **out);

/* Offsets of a structure's members, kept in the table. */
HdStatus hd_resolve_offsets(HdModule *m, const HdType *t, const uint64_t **out);

/* New constants. NULL: no memory. */
HdConstant *hd_constant_new(HdArena *a, HdConstantKind kind, const HdType *type);
/* Element `i` of a composite, null or undefined constant; *out is NULL when there is none. */
HdStatus hd_constant_part(const HdModule *m, HdArena *a, const HdConstant *c, uint64_t i,
                          const HdConstant **out);
#endif
