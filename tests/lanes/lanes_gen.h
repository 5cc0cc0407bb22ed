/* tests/lanes/lanes_gen.h -- random kernels in lane IR, the same for the same seed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LANES_LANES_GEN_H
#define TESTS_LANES_LANES_GEN_H

#include "ir/ir.h"

/* Argument block: in (PTR), out (PTR), two I32 that all work-items share. */
#define LANES_ARGS_BYTES 24u
#define LANES_IN_BYTES   8192u
/* Work-item i may write LANES_SLOT_BYTES bytes at multiples of i in each of LANES_AREAS areas of
 * `out`; in area 5 all may write one constant to a place, the last is for what variables end as. */
#define LANES_MAX_ITEMS 96u
#define LANES_AREAS     7u
#define LANES_AREA      (LANES_MAX_ITEMS * 64u)
#define LANES_OUT_BYTES ((LANES_AREAS + 1) * LANES_AREA)

/* A module with one kernel that always ends. What a work-item writes depends on nothing that
 * another one does, unless `with_collectives`. NULL without memory. */
HdIrModule *lanes_gen(HdArena *a, uint64_t seed, bool with_collectives);

#endif
