/* rt/tables.c -- filling the tables of runtime functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/tables.h"

#include "rt/group.h"
#include "rt/math/convert.h"
#include "rt/printf.h"

void hd_rt_tables_fill(HdRtTables *t)
{
    static HdRtCallFn *const calls[HD_RTFN_COUNT] = {
#define HD_RTFN(name, operands) hd_rt_##name,
#include "rt/rtfn.def"
#undef HD_RTFN
    };

    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        for (unsigned i = 0; i < 3; i++)
            t->math[fn * 3 + i] = (const void *)hd_rt_math_fn(fn, 16u << i);
    }
    for (unsigned i = 0; i < HD_RT_CONVERT_COUNT; i++) {
        unsigned from = i & 15, to = i >> 4 & 15, mode = i >> 8 & 15;

        t->convert[i] = NULL;
        if (from < HD_NUM_COUNT && to < HD_NUM_COUNT && mode <= HD_ROUND_RTN)
            t->convert[i] = (const void *)hd_rt_convert_fn((HdNumKind)from, (HdNumKind)to,
                                                           (HdRound)mode, (i >> 12 & 1) != 0);
    }
    for (unsigned i = 0; i < HD_RTFN_COUNT; i++)
        t->calls[i] = calls[i];
}
