/* ops/arith/functions_build.c -- integer functions of SPV_INTEL_shader_integer_functions2 to lane
 * IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/arith/functions_build.h"

static HdIrRef op2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, hd_build_type_at(b, x), x, y);
}

HdIrRef hd_build_half_sum(HdBuild *b, HdIrRef x, HdIrRef y, bool is_signed, bool up)
{
    HdIrRef one = hd_build_const(b, hd_build_type_at(b, x), 1);
    HdIrRef half = op2(b, is_signed ? HD_IR_ASHR : HD_IR_LSHR, op2(b, HD_IR_XOR, x, y), one);

    return up ? op2(b, HD_IR_SUB, op2(b, HD_IR_OR, x, y), half)
              : op2(b, HD_IR_ADD, op2(b, HD_IR_AND, x, y), half);
}

/* x times the low half of y. */
static HdIrRef times_half(HdBuild *b, HdIrRef x, HdIrRef y, bool is_signed)
{
    y = hd_build_resize(b, y, HD_IR_I16, false);
    return op2(b, HD_IR_MUL, x, hd_build_resize(b, y, HD_IR_I32, is_signed));
}

static HdIrRef function(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y)
{
    switch (in->opix) {
    case HD_OPIX_UCountLeadingZerosINTEL:
        return hd_build_op1(b, HD_IR_CLZ, hd_build_type_at(b, x), x);
    case HD_OPIX_UCountTrailingZerosINTEL:
        return hd_build_op1(b, HD_IR_CTZ, hd_build_type_at(b, x), x);
    case HD_OPIX_AbsISubINTEL:
        return op2(b, HD_IR_SUB, op2(b, HD_IR_SMAX, x, y), op2(b, HD_IR_SMIN, x, y));
    case HD_OPIX_AbsUSubINTEL:
        return op2(b, HD_IR_SUB, op2(b, HD_IR_UMAX, x, y), op2(b, HD_IR_UMIN, x, y));
    case HD_OPIX_IAddSatINTEL: return op2(b, HD_IR_SADDSAT, x, y);
    case HD_OPIX_UAddSatINTEL: return op2(b, HD_IR_UADDSAT, x, y);
    case HD_OPIX_ISubSatINTEL: return op2(b, HD_IR_SSUBSAT, x, y);
    case HD_OPIX_USubSatINTEL: return op2(b, HD_IR_USUBSAT, x, y);
    case HD_OPIX_IAverageINTEL: return hd_build_half_sum(b, x, y, true, false);
    case HD_OPIX_UAverageINTEL: return hd_build_half_sum(b, x, y, false, false);
    case HD_OPIX_IAverageRoundedINTEL: return hd_build_half_sum(b, x, y, true, true);
    case HD_OPIX_UAverageRoundedINTEL: return hd_build_half_sum(b, x, y, false, true);
    case HD_OPIX_IMul32x16INTEL: return times_half(b, x, y, true);
    case HD_OPIX_UMul32x16INTEL: return times_half(b, x, y, false);
    default: return 0;
    }
}

/* Words: 1 type, 2 result, 3, [4] operands. */
HdStatus hd_build_integer_functions(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[2] = {{0}};
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, in->nwords - 3u, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        refs[i] = function(b, in, v[0].at[i], in->nwords > 4 ? v[1].at[i] : 0);
        if (refs[i] == 0 && !b->ir->failed)
            return HD_BUG;
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
