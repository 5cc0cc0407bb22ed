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

#define HD_FOLD_SIZES       (16 * sizeof(uint64_t) / 16 + 1) /* of vectors of up to 16 components */
#define HD_CAPABILITY_WORDS (65536 / 64)

/* Types and constants are found by where they are declared, since ids take more memory: stretches
 * of words know how many come before them, and each two words, which one of the stretch is declared
 * there. (Every such instruction has two words at least.) */
#define HD_STRETCH          128u /* words */
#define HD_STRETCH_CONSTANT 0x80u

typedef struct HdTypeTable {
    HdArena *arena; /* of types and constants both */
    HdType *at;     /* heap: `count` for the instructions, then those that `more` counts */
    uint32_t count, more;
    uint8_t *in_epoch; /* [words / 2] heap: a type's place, counted in its stretch from 1 on; a
                            constant's and HD_STRETCH_CONSTANT; 0: neither */
    uint32_t *before;  /* [words / HD_STRETCH + 1] heap: places of types before the stretch */
    HdMap open;        /* during the pass: ids announced as pointers that are none; place */
    HdMap offsets;     /* structure's id to the offsets of its members, where laid out */
} HdTypeTable;

#define HD_CONSTANT_CHUNK 64u
typedef struct HdConstantTable {
    uint32_t *before; /* [words / HD_STRETCH + 1] heap: as that of types */
    HD_ARRAY(HdConstant *) chunks;
    uint32_t count;
} HdConstantTable;

/* Constant n > 0 of the table. */
static inline HdConstant *hd_constant_in(const HdConstantTable *of, uint32_t n)
{
    return &of->chunks.at[(n - 1) / HD_CONSTANT_CHUNK][(n - 1) % HD_CONSTANT_CHUNK];
}

/* How many decorations an instruction makes. */
uint32_t hd_decoration_count(const HdInst *in);
/* Fill in m->decorations, of which there are `count`, perhaps of groups. */
HdStatus hd_read_decorations(HdModule *m, HdDiags *d, uint32_t count, bool groups);

/* Nulls and undefined values of one type are all alike: one of the last few in the stretch is used
 * again. */
#define HD_ALIKE 16u
typedef struct HdAlike {
    const HdType *type;
    uint32_t number; /* in the table of constants */
} HdAlike;

/* Values of operations on vectors, which may take several times the memory of the operations: where
 * there are many, one is given up after its only use. */
typedef struct HdFoldRoom {
    size_t kept;                 /* bytes of values */
    uint8_t *mentions;           /* [bound] how often an id's number is a word; NULL: not counted */
    void *unused[HD_FOLD_SIZES]; /* by size in 16 bytes: a value that was given up, which begins
                                    with the next one */
} HdFoldRoom;

/* State of the pass. */
typedef struct HdResolver {
    HdModule *m;
    HdArena *a;
    const HdSpecialization *spec;
    size_t spec_count;
    HdArena *scratch; /* of one operation on scalars; NULL: none yet */
    HdAlike nulls[HD_ALIKE], undefs[HD_ALIKE];
    HdConstant result; /* of one operation on a composite, before it is in the table */
    HdFoldRoom fold;
    uint32_t truncates;   /* widths of floats that OpFConvert rounds towards zero */
    uint32_t stretch;     /* of the last constant */
    uint32_t place;       /* of the next type */
    uint8_t *places;      /* heap: of all types, where pointers are announced; else NULL */
    HdReplaced *replaced; /* room for so many more */
    unsigned replaced_left;
    uint64_t budget;      /* parts that may still be spelled out and replicated */
    uint64_t read_budget; /* parts that may be spelled out besides, to be read */
    uint64_t steps;       /* that may still be taken through replaced composites */
} HdResolver;

/* Make the tables; errors are only those of memory: what is unsound is left out. */
HdStatus hd_module_resolve(HdModule *m, const HdSpecialization *spec, size_t count);
void hd_module_drop_tables(HdModule *m);

/* Does an instruction declare a type as its result? Types of motion estimation are of no class of
 * the grammar. */
static inline bool hd_declares_type(enum HdOpix opix)
{
    return hd_gram_insts[opix].has_result &&
           (hd_gram_insts[opix].klass == HD_CLASS_Type_Declaration || hd_gram_forms[opix].is_type);
}
/* Make places for the types of all instructions. */
HdStatus hd_place_types(HdResolver *r);
/* After each of them. */
void hd_next_place(HdResolver *r, const HdInst *in);
/* One OpType… instruction. */
HdStatus hd_resolve_type(HdResolver *r, const HdInst *in);
/* OpSpecConstantOp: NULL in *out when it has no sound value. */
HdStatus hd_resolve_spec_op(HdResolver *r, const HdInst *in, const HdConstant **out);

/* After an operation has been computed: give up values of its operands that nothing else uses. */
HdStatus hd_resolve_give_up(HdResolver *r, const HdInst *in);

/* Sizes saturate: nothing that large can be allocated, so the exact number does not matter. */
#define HD_MAX_SIZE ((uint64_t)1 << 62)
/* type_layout.c: set the alignment of a type; of arrays and structures it is known before. Set that
 * of a structure, whose size is returned. */
void hd_lay_out(const HdModule *m, HdType *t);
uint64_t hd_lay_out_struct(const HdModule *m, HdType *t);
/* Offsets of a structure's members, kept in the table. */
HdStatus hd_resolve_offsets(HdModule *m, const HdType *t, const uint64_t **out);

/* New constants. NULL: no memory. */
HdConstant *hd_constant_new(HdArena *a, HdConstantKind kind, const HdType *type);
/* Element `i` of a composite, null or undefined constant; *out is NULL when there is none. */
HdStatus hd_constant_part(const HdModule *m, HdArena *a, const HdConstant *c, uint64_t i,
                          const HdConstant **out);
#endif
