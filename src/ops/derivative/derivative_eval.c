/* ops/derivative/derivative_eval.c -- derivatives in the interpreter.
 *
 * check.derivative: some of a quad take no part, so that differences to them have no value.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/evals.h"
#include "ops/float/rounded_eval.h"

typedef struct Difference {
    bool x, y, coarse;
} Difference;

static Difference difference_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_DPdx:
    case HD_OPIX_DPdxFine: return (Difference){.x = true};
    case HD_OPIX_DPdy:
    case HD_OPIX_DPdyFine: return (Difference){.y = true};
    case HD_OPIX_DPdxCoarse: return (Difference){.x = true, .coarse = true};
    case HD_OPIX_DPdyCoarse: return (Difference){.y = true, .coarse = true};
    case HD_OPIX_FwidthCoarse: return (Difference){.x = true, .y = true, .coarse = true};
    default: return (Difference){.x = true, .y = true};
    }
}

/* A number, rounded to the type's. */
static double at(const HdSlot *s, unsigned lane, unsigned component, uint64_t bytes)
{
    return hd_float_get(hd_slot_at(s, lane) + component * bytes, bytes);
}

static double rounded(double x, uint64_t bytes)
{
    unsigned char room[8];

    hd_float_put(room, bytes, x);
    return hd_float_get(room, bytes);
}

static double differ(const HdSlot *s, unsigned component, unsigned low, unsigned step,
                     uint64_t bytes)
{
    return rounded(at(s, low + step, component, bytes) - at(s, low, component, bytes), bytes);
}

static double derive(Difference d, const HdSlot *s, unsigned lane, unsigned component,
                     uint64_t bytes)
{
    unsigned quad = lane - lane % 4, row = d.coarse ? quad : quad + (lane & 2);
    unsigned column = d.coarse ? quad : quad + (lane & 1);
    double x = d.x ? differ(s, component, row, 1, bytes) : 0;
    double y = d.y ? differ(s, component, column, 2, bytes) : 0;

    return d.x && d.y ? fabs(x) + fabs(y) : d.x ? x : y;
}

/* Words: 1 type, 2 result, 3 value. */
HdStatus hd_eval_derivative(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    Difference d = difference_of(in);
    uint64_t broken = 0, bytes;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (HD_EACH_LANE(lane, e->mask)) {
        bool is_whole = (e->mask >> (lane - lane % 4) & 15) == 15;

        broken |= (uint64_t)!is_whole << lane;
        for (unsigned c = 0; c < hd_type_lanes(r.type); c++)
            hd_float_put(hd_slot_at(&r, lane) + c * bytes, bytes,
                         is_whole ? derive(d, &x, lane, c, bytes) : 0);
    }
    if (broken == 0 || !e->is_checked)
        return HD_OK;
    return hd_eval_defect(e, broken, "check.derivative", "take it out of the branch",
                          "a derivative where not all invocations of the quad are");
}
