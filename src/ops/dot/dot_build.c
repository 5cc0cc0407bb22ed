/* ops/dot/dot_build.c -- integer dot products to lane IR, as products and sums.
 *
 * Spec: SPIR-V, OpSDot … OpSUDotAccSat. Sums wrap in the result's width; only the last addition
 * of the AccSat forms saturates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

typedef struct Form {
    bool left_signed, right_signed, saturates;
} Form;

static HdStatus form_of(const HdInst *in, Form *f)
{
    switch (in->opix) {
    case HD_OPIX_SDot: *f = (Form){true, true, false}; return HD_OK;
    case HD_OPIX_UDot: *f = (Form){false, false, false}; return HD_OK;
    case HD_OPIX_SUDot: *f = (Form){true, false, false}; return HD_OK;
    case HD_OPIX_SDotAccSat: *f = (Form){true, true, true}; return HD_OK;
    case HD_OPIX_UDotAccSat: *f = (Form){false, false, true}; return HD_OK;
    case HD_OPIX_SUDotAccSat: *f = (Form){true, false, true}; return HD_OK;
    default: return HD_BUG;
    }
}

/* Four 8-bit integers in one of 32 bits, low bits first. */
static HdStatus unpack(HdBuild *b, const HdInst *in, HdBuildValue *v)
{
    HdIrRef packed = v->at[0];

    if (v->count != 1 || hd_build_type_at(b, packed) != HD_IR_I32)
        return hd_build_bad(b, in, "a packed operand must be a 32-bit integer");
    HD_TRY(hd_build_room(b, 4, &v->at));
    v->count = 4;
    for (unsigned i = 0; i < 4; i++)
        v->at[i] = hd_build_resize(
            b, hd_build_op2(b, HD_IR_LSHR, HD_IR_I32, packed, hd_build_const(b, HD_IR_I32, i * 8)),
            HD_IR_I8, false);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 and 4 vectors [, 5 accumulator] [, packed vector format]. */
HdStatus hd_build_int_dot(HdBuild *b, const HdInst *in)
{
    const HdType *type;
    HdBuildValue v[2];
    HdIrRef sum = 0, acc;
    HdIrType t;
    Form f;

    HD_TRY(form_of(in, &f));
    HD_TRY(hd_build_type(b, in->w[1], &type));
    t = hd_build_scalar(type);
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    if (in->nwords > (f.saturates ? 6u : 5u)) {
        HD_TRY(unpack(b, in, &v[0]));
        HD_TRY(unpack(b, in, &v[1]));
    }
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef x = hd_build_resize(b, v[0].at[i], t, f.left_signed);
        HdIrRef y = hd_build_resize(b, v[1].at[i], t, f.right_signed);
        HdIrRef product = hd_build_op2(b, HD_IR_MUL, t, x, y);

        sum = i == 0 ? product : hd_build_op2(b, HD_IR_ADD, t, sum, product);
    }
    if (f.saturates) {
        HD_TRY(hd_build_use1(b, in->w[5], &acc));
        sum = hd_build_op2(b, f.left_signed ? HD_IR_SADDSAT : HD_IR_UADDSAT, t, sum, acc);
    }
    return hd_build_bind(b, in->w[2], &sum, 1);
}
