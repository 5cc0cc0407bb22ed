/* interp/finite.c -- arithmetic that promises that operands and results are not NaN, or not
 * infinite.
 *
 * If the promise is broken the result is undefined, and its use is reported.
 *
 * check.finite: a value is used that is a NaN or infinite, or was computed from one, though the
 *   program promised that there is none.
 *
 * Spec: SPIR-V, "FP Fast Math Mode".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/finite.h"

#include <math.h>

#include "interp/state.h"

static bool breaks(unsigned promises, double x)
{
    return ((promises & HD_FINITE_NUMBER) != 0 && isnan(x)) ||
           ((promises & HD_FINITE_BOUND) != 0 && isinf(x));
}

/* The components of a value spoil those of the result, or all of it when counts differ. */
static void look_at(HdEval *e, const HdSlot *s, uint32_t count)
{
    const HdType *t = hd_type_scalar(s->type);
    const uint32_t parts = hd_type_lanes(s->type);

    if (t->kind != HD_T_FLOAT || s->type->kind == HD_T_ARRAY || s->type->kind == HD_T_STRUCT)
        return;
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < parts; i++) {
            if (!breaks(e->info->finite,
                        hd_float_get(hd_slot_at(s, lane) + i * hd_type_size(t), hd_type_size(t))))
                continue;
            if (parts == count)
                hd_eval_spoil_part(e, UINT64_C(1) << lane, i);
            else
                hd_eval_spoil(e, UINT64_C(1) << lane);
        }
}

HdStatus hd_finite_after(HdEval *e, const HdInst *in)
{
    const unsigned first = in->opix == HD_OPIX_ExtInst ? 5 : 3;
    HdSlot r, x;

    if (e->info->result == 0)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[2], &r));
    look_at(e, &r, hd_type_lanes(r.type));
    for (unsigned i = first; i < in->nwords; i++)
        if (in->w[i] < e->m->bound && e->run->p->places[in->w[i]].kind != HD_PLACE_NONE) {
            HD_TRY(hd_eval_use(e, in->w[i], &x));
            look_at(e, &x, hd_type_lanes(r.type));
        }
    return HD_OK;
}
