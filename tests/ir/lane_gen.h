/* tests/ir/lane_gen.h -- random lane IR, the same for the same seed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_IR_LANE_GEN_H
#define TESTS_IR_LANE_GEN_H

#include "ir/ir.h"

#define GEN_VISIBLE_BYTES 256u

/* A module whose function 0 takes I32, I64, F32, F64 and a PTR to GEN_VISIBLE_BYTES of memory, and
 * returns three I64. It always ends. NULL without memory. */
HdIrModule *gen_module(HdArena *a, uint64_t seed);

#endif
