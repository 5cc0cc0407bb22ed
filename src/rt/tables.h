/* rt/tables.h -- the tables of runtime functions that HdRtGroup points to.
 *
 * Filled once, for this machine's instruction set, by the code that runs kernels; then read-only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_TABLES_H
#define HD_RT_TABLES_H

#include "rt/abi.h"
#include "rt/math/math.h"

typedef struct HdRtTables {
    const void *math[HD_MATH_COUNT * 3];      /* by function * 3 + (0: half, 1: float, 2: double) */
    const void *convert[HD_RT_CONVERT_COUNT]; /* by HD_RT_CONVERT_INDEX */
    HdRtCallFn *calls[HD_RTFN_COUNT];
} HdRtTables;

void hd_rt_tables_fill(HdRtTables *t);

#endif
