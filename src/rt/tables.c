/* rt/tables.c -- filling the tables of runtime functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/tables.h"

#include "rt/group.h"
#include "rt/math/convert.h"
#include "rt/printf.h"
#include "rt/private_atomics.h"

static void fill_conversions(HdRtTables *t)
{
    for (unsigned from = 0; from < HD_NUM_COUNT; from++) {
        for (unsigned to = 0; to < HD_NUM_COUNT; to++) {
            for (unsigned mode = HD_ROUND_RTE; mode <= HD_ROUND_RTN; mode++)
                t->convert[HD_RT_CONVERT_INDEX(from, to, mode)] =
                    (const void *)hd_rt_convert_fn((HdNumKind)from, (HdNumKind)to, (HdRound)mode);
        }
    }
}

void hd_rt_tables_fill(HdRtTables *t)
{
    _Static_assert(HD_RT_CONVERT_COUNT == HD_NUM_COUNT * HD_NUM_COUNT * 4, "all conversions");
    static HdRtCallFn *const calls[HD_RTFN_COUNT] = {
#define HD_RTFN(name, operands) hd_rt_##name,
#include "rt/rtfn.def"
#undef HD_RTFN
    };

    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        for (unsigned i = 0; i < 3; i++)
            t->math[fn * 3 + i] = (const void *)hd_rt_math_fn(fn, 16u << i);
    }
    fill_conversions(t);
    for (unsigned i = 0; i < HD_RTFN_COUNT; i++)
        t->calls[i] = calls[i];
}
