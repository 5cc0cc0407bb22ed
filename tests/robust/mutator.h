/* tests/robust/mutator.h -- a module that is being changed: shared by the files that change it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ROBUST_MUTATOR_H
#define TESTS_ROBUST_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

#include "module/operands.h"

typedef struct Mutator {
    uint64_t random;
    uint32_t *w; /* the mutant */
    size_t count;
    uint32_t *at; /* word of each instruction */
    size_t insts;
    size_t functions; /* the first OpFunction, or behind the last instruction */
    HdOperandTypes types;
    uint32_t *type_of;   /* [bound] result type */
    uint16_t *opcode_of; /* [bound] opcode that defines it; 0: nothing does */
    uint32_t *def_of;    /* [bound] the instruction that does */
    uint32_t bound;
} Mutator;

uint32_t mutator_below(Mutator *m, size_t n); /* 0 … n - 1; 0 if n is */

static inline uint32_t mutator_length(const Mutator *m, size_t i)
{
    return m->w[m->at[i]] >> 16;
}

static inline uint32_t mutator_opcode(const Mutator *m, size_t i)
{
    return m->w[m->at[i]] & 0xffff;
}

/* A random instruction with one of the opcodes in a list that ends with 0; m->insts if there is
 * none. */
size_t mutator_pick(Mutator *m, const uint16_t *opcodes);

/* Index the instructions again, after a change. */
void mutator_look(Mutator *m);

/* Take `out` words out at word `at`, and put others there. The index is no longer true. */
void mutator_splice(Mutator *m, size_t at, size_t out, const uint32_t *in, size_t words);

/* A number that programs handle specially, in the 1 or 2 words of a literal of a type.
 *   old   what stands there
 *   returns the number of words */
uint32_t mutator_literal(Mutator *m, HdNumberType type, const uint32_t *old, uint32_t out[2]);

/* The words of a number of one type as another type has it. */
uint32_t mutator_convert(HdNumberType from, const uint32_t *old, HdNumberType to, uint32_t out[2]);

/* Changes of types, with all that depends on the type in the module. */
void mutator_retype(Mutator *m);

#endif
