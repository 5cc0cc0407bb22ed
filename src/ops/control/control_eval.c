/* ops/control/control_eval.c -- blocks and branches in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/rows.h"
#include "ops/evals.h"

/* Instructions that do nothing to a work-item: merges, life times, hints. */
HdStatus hd_eval_nothing(HdEval *e, const HdInst *in)
{
    (void)e;
    (void)in;
    return HD_OK;
}

/* OpLifetimeStart, OpLifetimeStop. Words: 1 pointer, 2 size. */
HdStatus hd_eval_lifetime_inst(HdEval *e, const HdInst *in)
{
    return hd_eval_lifetime(e, in->w[1], in->opix == HD_OPIX_LifetimeStart);
}

/* The value of a phi for a predecessor. */
static HdStatus phi_source(HdEval *e, const HdInst *in, HdId label, HdSlot *from)
{
    for (unsigned i = 3; i + 1u < in->nwords; i += 2)
        if (in->w[i + 1] == label)
            return hd_eval_use(e, in->w[i], from);
    return hd_eval_bad(e, hd_lane_first(e->mask), "interp.phi",
                       "the phi has no value for predecessor %%%u", (unsigned)label);
}

/* All phis of a block together: one may use another's previous value.
 * Words: 1 type, 2 result, then pairs of value and predecessor. */
HdStatus hd_eval_phi(HdEval *e, const HdInst *in)
{
    uint64_t bytes = 0, same;
    unsigned count = 0;
    unsigned char *values;
    HdSlot from, to;
    HdId label;

    for (; in[count].opix == HD_OPIX_Phi; count++) {
        HD_TRY(hd_eval_result(e, &in[count], &to));
        bytes += (hd_type_size(to.type) + 15) / 16 * 16;
    }
    HD_TAKE(values, hd_eval_scratch(e, bytes * e->width));
    for (uint64_t left = e->mask; left != 0; left &= ~same) {
        HdSlot room = {.at = values};

        same = hd_eval_same_origin(e, left, &label);
        for (unsigned i = 0; i < count; i++) {
            HD_TRY(hd_eval_result(e, &in[i], &to));
            HD_TRY(phi_source(e, &in[i], label, &from));
            room.type = to.type;
            room.stride = hd_type_size(to.type);
            hd_eval_copy_lanes(same, &room, &from);
            room.at += (hd_type_size(to.type) + 15) / 16 * 16 * e->width;
        }
    }
    from = (HdSlot){.at = values};
    for (unsigned i = 0; i < count; i++) {
        HD_TRY(hd_eval_result(e, &in[i], &to));
        from.type = to.type;
        from.stride = hd_type_size(to.type);
        hd_eval_copy(e, &to, &from);
        from.at += (hd_type_size(to.type) + 15) / 16 * 16 * e->width;
    }
    e->skip = count - 1;
    return HD_OK;
}

/* Words: 1 target. */
HdStatus hd_eval_branch(HdEval *e, const HdInst *in)
{
    return hd_eval_goto_lanes(e, e->mask, in->w[1]);
}

/* Words: 1 condition, 2 true label, 3 false label. */
HdStatus hd_eval_branch_conditional(HdEval *e, const HdInst *in)
{
    unsigned row = hd_lane_row(e->mask);
    uint64_t taken = 0;
    HdSlot condition;

    HD_TRY(hd_eval_needs(e, in->w[1], "a branch depends on"));
    HD_TRY(hd_eval_use(e, in->w[1], &condition));
    if (row > 0 && condition.stride == 1)
        taken = hd_row_true(condition.at, row);
    for (HD_EACH_LANE(lane, row > 0 && condition.stride == 1 ? 0 : e->mask))
        taken |= (uint64_t)(*hd_slot_at(&condition, lane) != 0) << lane;
    if (taken != 0)
        HD_TRY(hd_eval_goto_lanes(e, taken, in->w[2]));
    return taken != e->mask ? hd_eval_goto_lanes(e, e->mask & ~taken, in->w[3]) : HD_OK;
}

/* Words: 1 selector, 2 default, then pairs of a literal (one or two words) and a label. */
HdStatus hd_eval_switch(HdEval *e, const HdInst *in)
{
    HdSlot selector;
    unsigned words;
    uint64_t keep;

    HD_TRY(hd_eval_needs(e, in->w[1], "a branch depends on"));
    HD_TRY(hd_eval_use(e, in->w[1], &selector));
    if (selector.type->kind != HD_T_INT)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.switch", "the selector is not an integer");
    words = selector.type->bits > 32 ? 2 : 1;
    keep = selector.type->bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << selector.type->bits) - 1;
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t value = hd_bits_get(hd_slot_at(&selector, lane), hd_type_size(selector.type));
        HdId to = in->w[2];

        for (unsigned i = 3; i + words < in->nwords; i += words + 1) {
            uint64_t literal = in->w[i] | (words > 1 ? (uint64_t)in->w[i + 1] << 32 : 0);

            if ((literal & keep) == value) {
                to = in->w[i + words];
                break;
            }
        }
        HD_TRY(hd_eval_goto(e, lane, to));
    }
    return HD_OK;
}

HdStatus hd_eval_return(HdEval *e, const HdInst *in)
{
    (void)in;
    hd_eval_leave(e);
    return HD_OK;
}

/* Words: 1 value. */
HdStatus hd_eval_return_value(HdEval *e, const HdInst *in)
{
    HdSlot from, to;

    HD_TRY(hd_eval_use(e, in->w[1], &from));
    if (hd_eval_return_slot(e, &to)) {
        hd_eval_copy(e, &to, &from);
        hd_eval_returned(e, in->w[1]);
    }
    hd_eval_leave(e);
    return HD_OK;
}

HdStatus hd_eval_unreachable(HdEval *e, const HdInst *in)
{
    (void)in;
    HD_TRY(hd_eval_defect(e, e->mask, "check.unreachable",
                          "does a function end without a return, or does a switch or "
                          "__builtin_unreachable rule out what happens?",
                          "a place that the program calls unreachable is reached"));
    return HD_BAD_INPUT;
}
