/* xform/declared.h -- ids of types and constants by their definition: the module's own, or new
 * ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_DECLARED_H
#define HD_XFORM_DECLARED_H

#include "base/map.h"
#include "module/edit.h"

/* One that is known: where it is defined, in the module or in what is written; 0: free. */
typedef struct HdDeclaredSlot {
    uint32_t hash, place;
} HdDeclaredSlot;

typedef struct HdDeclared {
    HdArena *arena;
    HdWriter *out;         /* where new ones are written; nothing before them may move */
    HdId *next;            /* the first id that is free */
    const HdModule *m;     /* whose own are known */
    HdDeclaredSlot *slots; /* open addressing: a quarter is free */
    size_t count, room;    /* room: a power of two */
    bool failed;           /* there was no memory: an id may have been declared twice */
} HdDeclared;

/* Know the types and numbers that a module declares. Structures, arrays and pointers with a stride
 * are left out: they may differ by their decorations alone. */
void hd_declared_know(HdDeclared *d, const HdModule *m);
/* Know the one that an instruction declares which was written at a word; the caller leaves out
 * pointers with a stride. Returns the id that was known for the same words, or 0. */
HdId hd_declared_note(HdDeclared *d, enum HdOpix opix, size_t at);
/* The id of a type with these operands. */
HdId hd_declared_type(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count);
HdId hd_declared_int(HdDeclared *d, uint32_t bits);
HdId hd_declared_pointer(HdDeclared *d, uint32_t storage, HdId pointee);
/* The id of a constant; operands[0] is its type. */
HdId hd_declared_constant(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count);

#endif
