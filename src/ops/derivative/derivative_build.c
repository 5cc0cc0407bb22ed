/* ops/derivative/derivative_build.c -- derivatives to lane IR: the members of a quad are four lanes
 * side by side, the first two its first row.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/derivative/derivative_build.h"

#include "ops/build_fns.h"
#include "ops/float/rounded_build.h"
#include "ops/subgroup/collective_build.h"

static HdIrRef lane_of(HdBuild *b)
{
    return hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I32, false);
}

static HdIrRef read_lane(HdBuild *b, HdIrRef x, HdIrRef lane)
{
    const HdIrRef args[2] = {x, lane};

    return hd_build_collective(b, HD_COLL_SHUFFLE, hd_build_type_at(b, x), HD_IR_COLL_IMM(0, 0),
                               args, 2);
}

/* What is read from two lanes of the quad: the second minus the first is the difference. */
static void ends_of(HdBuild *b, HdIrRef x, bool in_y, bool is_coarse, HdIrRef ends[2])
{
    HdIrRef bit = hd_build_const(b, HD_IR_I32, in_y ? 2 : 1);
    HdIrRef keep = hd_build_const(b, HD_IR_I32, ~UINT32_C(0) - (is_coarse ? 3 : in_y ? 2 : 1));
    HdIrRef low = hd_build_op2(b, HD_IR_AND, HD_IR_I32, lane_of(b), keep);
    HdIrRef high = hd_build_op2(b, HD_IR_OR, HD_IR_I32, low, bit);

    ends[1] = read_lane(b, x, high);
    ends[0] = read_lane(b, x, low);
}

HdIrRef hd_build_difference(HdBuild *b, HdIrRef x, bool in_y, bool is_coarse)
{
    HdIrRef ends[2];

    ends_of(b, x, in_y, is_coarse, ends);
    return hd_build_op2(b, HD_IR_FSUB, hd_build_type_at(b, x), ends[1], ends[0]);
}

/* As the shader rounds. */
static HdIrRef difference(HdBuild *b, const HdInst *in, HdIrRef x, bool in_y, bool is_coarse)
{
    HdIrRef ends[2];

    ends_of(b, x, in_y, is_coarse, ends);
    return hd_build_float2(b, in, HD_IR_FSUB, ends[1], ends[0]);
}

static HdIrRef absolute(HdBuild *b, HdIrRef x)
{
    return hd_build_op1(b, HD_IR_FABS, hd_build_type_at(b, x), x);
}

/* Words: 1 type, 2 result, 3 value. Without Fine and Coarse it is fine. */
HdStatus hd_build_derivative(HdBuild *b, const HdInst *in)
{
    bool coarse = in->opix == HD_OPIX_DPdxCoarse || in->opix == HD_OPIX_DPdyCoarse ||
                  in->opix == HD_OPIX_FwidthCoarse;
    bool width = in->opix == HD_OPIX_Fwidth || in->opix == HD_OPIX_FwidthFine ||
                 in->opix == HD_OPIX_FwidthCoarse;
    bool in_y =
        in->opix == HD_OPIX_DPdy || in->opix == HD_OPIX_DPdyFine || in->opix == HD_OPIX_DPdyCoarse;
    HdIrRef parts[4];
    HdBuildValue v;

    if (b->kernel->quads == HD_QUADS_NONE)
        return hd_build_unsupported(b, in, "derivatives without a derivative group");
    HD_TRY(hd_build_use(b, in->w[3], &v));
    for (uint32_t i = 0; i < v.count && i < 4; i++) {
        parts[i] = difference(b, in, v.at[i], in_y, coarse);
        if (width)
            parts[i] = hd_build_float2(b, in, HD_IR_FADD, absolute(b, parts[i]),
                                       absolute(b, difference(b, in, v.at[i], true, coarse)));
    }
    return hd_build_bind(b, in->w[2], parts, v.count);
}
