/* xform/declared.h -- ids of types and constants by their definition: the module's own, or new
 * ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_DECLARED_H
#define HD_XFORM_DECLARED_H

#include "base/map.h"
#include "module/edit.h"

typedef struct HdDeclared {
    HdArena *arena;
    HdWriter *out;  /* where new ones are written */
    HdId *next;     /* the first id that is free */
    HdStrMap known; /* words without the id, to the id */
    bool failed;    /* there was no memory: an id may have been declared twice */
} HdDeclared;

/* Know the types and numbers that a module declares. Structures and arrays are left out: they may
 * differ by their decorations alone. */
void hd_declared_know(HdDeclared *d, const HdModule *m);
/* Know the one that an instruction declares. Returns the id that was known for the same words, or
 * 0. */
HdId hd_declared_note(HdDeclared *d, enum HdOpix opix, const uint32_t *words);
/* The id of a type with these operands. */
HdId hd_declared_type(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count);
HdId hd_declared_int(HdDeclared *d, uint32_t bits);
HdId hd_declared_pointer(HdDeclared *d, uint32_t storage, HdId pointee);
/* The id of a constant; operands[0] is its type. */
HdId hd_declared_constant(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count);

#endif
