/* ops/amd/amd_build.c -- AMD's extended instructions, to lane IR.
 *
 * Spec: SPV_AMD_shader_trinary_minmax; SPV_AMD_gcn_shader; Vulkan, "Cube Map Face Selection".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/amd/amd_build.h"

#include <string.h>

#include "gen/extinst.h"
#include "ops/build_fns.h"

#define FIRST 5u /* word of the first operand: 1 type, 2 result, 3 set, 4 number */

/* ---- SPV_AMD_shader_trinary_minmax --------------------------------------------------------- */

typedef enum Which { LEAST, MOST, MIDDLE } Which;

typedef struct Trinary {
    Which which;
    HdIrOp least, most; /* of two */
} Trinary;

#define TRINARY(name, which, kind) \
    [SPV_AMD_shader_trinary_minmax##name##3AMD] = {which, HD_IR_##kind##MIN, HD_IR_##kind##MAX}

static const Trinary rows[] = {
    TRINARY(FMin, LEAST, F),  TRINARY(UMin, LEAST, U),  TRINARY(SMin, LEAST, S),
    TRINARY(FMax, MOST, F),   TRINARY(UMax, MOST, U),   TRINARY(SMax, MOST, S),
    TRINARY(FMid, MIDDLE, F), TRINARY(UMid, MIDDLE, U), TRINARY(SMid, MIDDLE, S),
};

static HdIrRef of_three(HdBuild *b, const Trinary *row, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef low, high;

    if (row->which != MIDDLE) {
        HdIrOp op = row->which == LEAST ? row->least : row->most;

        return hd_build_op2(b, op, t, hd_build_op2(b, op, t, x, y), z);
    }
    low = hd_build_op2(b, row->least, t, x, y);
    high = hd_build_op2(b, row->most, t, x, y);
    return hd_build_op2(b, row->most, t, low, hd_build_op2(b, row->least, t, high, z));
}

HdStatus hd_amd_build_trinary(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[3];
    HdIrRef *refs;

    if (in->w[4] == 0 || in->w[4] >= sizeof rows / sizeof *rows)
        return hd_build_unsupported(b, in, "of an unknown number");
    HD_TRY(hd_build_operands(b, in, FIRST, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = of_three(b, &rows[in->w[4]], v[0].at[i], v[1].at[i], v[2].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* ---- SPV_AMD_gcn_shader -------------------------------------------------------------------- */

static HdIrRef number(HdBuild *b, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return hd_build_const(b, HD_IR_F32, bits);
}

static HdIrRef negated(HdBuild *b, HdIrRef x)
{
    return hd_build_op1(b, HD_IR_FNEG, HD_IR_F32, x);
}

static HdIrRef choose(HdBuild *b, HdIrRef is, HdIrRef x, HdIrRef y)
{
    return hd_build_select(b, HD_IR_F32, is, x, y);
}

/* A direction's axis: the one with the largest magnitude; of equal ones z before y before x. */
typedef struct Axis {
    HdIrRef is_z, is_y;        /* else, x */
    HdIrRef is_negative, most; /* its component, magnitude */
} Axis;

static Axis axis_of(HdBuild *b, const HdIrRef p[3])
{
    HdIrRef size[3], of;
    Axis a;

    for (unsigned i = 0; i < 3; i++)
        size[i] = hd_build_op1(b, HD_IR_FABS, HD_IR_F32, p[i]);
    of = hd_build_op2(b, HD_IR_FMAX, HD_IR_F32, size[0], size[1]);
    a.is_z = hd_build_fcmp(b, HD_IR_OGE, size[2], of);
    a.is_y = hd_build_fcmp(b, HD_IR_OGE, size[1], size[0]);
    a.most = choose(b, a.is_z, size[2], of);
    of = choose(b, a.is_z, p[2], choose(b, a.is_y, p[1], p[0]));
    a.is_negative = hd_build_fcmp(b, HD_IR_OLT, of, number(b, 0));
    return a;
}

static HdIrRef face_of(HdBuild *b, const Axis *a)
{
    HdIrRef first =
        choose(b, a->is_z, number(b, 4), choose(b, a->is_y, number(b, 2), number(b, 0)));

    return hd_build_op2(b, HD_IR_FADD, HD_IR_F32, first,
                        choose(b, a->is_negative, number(b, 1), number(b, 0)));
}

/* s and t on the face, 0 to 1. */
static void place_on_face(HdBuild *b, const Axis *a, const HdIrRef p[3], HdIrRef at[2])
{
    HdIrRef on_x = choose(b, a->is_negative, p[2], negated(b, p[2]));
    HdIrRef on_z = choose(b, a->is_negative, negated(b, p[0]), p[0]);
    HdIrRef down_y = choose(b, a->is_negative, negated(b, p[2]), p[2]);
    HdIrRef down = negated(b, p[1]), half = number(b, 0.5f);

    at[0] = choose(b, a->is_z, on_z, choose(b, a->is_y, p[0], on_x));
    at[1] = choose(b, a->is_z, down, choose(b, a->is_y, down_y, down));
    for (unsigned i = 0; i < 2; i++) {
        at[i] = hd_build_op2(b, HD_IR_FDIV, HD_IR_F32, at[i], a->most);
        at[i] = hd_build_op2(b, HD_IR_FMUL, HD_IR_F32, at[i], half);
        at[i] = hd_build_op2(b, HD_IR_FADD, HD_IR_F32, at[i], half);
    }
}

HdStatus hd_amd_build_gcn(HdBuild *b, const HdInst *in)
{
    HdBuildValue p;
    HdIrRef refs[2];
    Axis axis;

    if (in->w[4] == SPV_AMD_gcn_shaderTimeAMD)
        return hd_build_read_clock(b, in);
    if (in->w[4] != SPV_AMD_gcn_shaderCubeFaceIndexAMD &&
        in->w[4] != SPV_AMD_gcn_shaderCubeFaceCoordAMD)
        return hd_build_unsupported(b, in, "of an unknown number");
    HD_TRY(hd_build_operands(b, in, FIRST, 1, &p));
    axis = axis_of(b, p.at);
    if (in->w[4] == SPV_AMD_gcn_shaderCubeFaceIndexAMD) {
        refs[0] = face_of(b, &axis);
        return hd_build_bind(b, in->w[2], refs, 1);
    }
    place_on_face(b, &axis, p.at, refs);
    return hd_build_bind(b, in->w[2], refs, 2);
}
