/* tests/robust/mutate.h -- valid modules, a little changed, through the whole compiler.
 *
 * Every mutant is made from a seed number alone (with the list of modules), so a finding can be
 * made again. Mutants run in worker processes: one that dies or hangs costs itself only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ROBUST_MUTATE_H
#define TESTS_ROBUST_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Modules that mutants are made from. */
typedef struct Seed {
    char *path;
    uint32_t *words;
    size_t count;
} Seed;

typedef struct Seeds {
    Seed *at;
    size_t count;
} Seeds;

/* All valid modules with kernels below a folder (.spv and .spvasm); adds to `out`. */
void seeds_load(Seeds *out, const char *folder);
void seeds_free(Seeds *s);

/* Make mutant `number`: words are malloc'ed. */
uint32_t *mutant_make(const Seeds *s, uint64_t number, size_t *count, size_t *seed);

/* Where a mutant is: shared between a worker and its parent. */
typedef enum Stage {
    STAGE_MUTATE,
    STAGE_OPEN,
    STAGE_REWRITE,
    STAGE_INTERPRETER,
    STAGE_DRAFT,
    STAGE_CODE,
    STAGE_COUNT
} Stage;
extern const char *const stage_names[STAGE_COUNT];

typedef struct MutantState {
    _Atomic uint64_t number;
    _Atomic uint32_t stage;
    _Atomic uint32_t valid, compiled; /* how many came that far */
    _Atomic uint32_t bugs;
    char text[400]; /* the last HD_BUG */
} MutantState;

/* Is a module valid for the device, and does it have a kernel? */
bool mutant_is_sound(const uint32_t *words, size_t count);

/* Take one module through everything; what is wrong goes to st->bugs and st->text. */
void mutant_run(const uint32_t *words, size_t count, uint64_t number, const Seed *seed,
                MutantState *st);

/* Take a valid one through the tools that print, rewrite and compare modules.
 *   problem  receives what is wrong; "" if nothing is */
void mutant_rewrite(const uint32_t *words, size_t count, const Seed *seed, char *problem,
                    size_t room);

#endif
