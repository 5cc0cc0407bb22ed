/* ops/amd/amd_rule.c -- rules of AMD's extended instructions.
 *
 * Signed and unsigned integers are alike: producers leave the signedness to the instruction, as in
 * GLSL.std.450. The specification calls the operand of CubeFaceCoordAMD a pointer; all producers
 * and consumers take the vector.
 *
 * Spec: SPV_AMD_shader_trinary_minmax, "New Instructions"; SPV_AMD_gcn_shader, "Modifications".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/amd/amd_rule.h"

#include "gen/extinst.h"

#define FIRST 5 /* word of the first operand after the instruction's number */

static bool is_float32(const HdType *t, uint32_t lanes)
{
    return t != NULL && hd_is_float(t) && hd_type_bits(t) == 32 && hd_type_lanes(t) == lanes;
}

static HdStatus trinary_operand(HdVal *v, const HdInst *in, uint32_t i, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, i);

    if (hd_is_float(t))
        HD_RULE(o == t, "amd.operand", "the type of operand %u differs from the result type",
                hd_val_number(in, i));
    else
        HD_RULE(o != NULL && hd_is_int(o) && hd_type_lanes(o) == hd_type_lanes(t) &&
                    hd_type_bits(o) == hd_type_bits(t),
                "amd.operand", "operand %u is not of integers as the result has them",
                hd_val_number(in, i));
    return HD_OK;
}

HdStatus hd_rule_amd_trinary(HdVal *v, const HdInst *in, const HdType *t)
{
    bool floats;

    switch (in->w[4]) {
    case SPV_AMD_shader_trinary_minmaxFMin3AMD:
    case SPV_AMD_shader_trinary_minmaxFMax3AMD:
    case SPV_AMD_shader_trinary_minmaxFMid3AMD: floats = true; break;
    default: floats = false; break;
    }
    HD_RULE(floats ? hd_is_float(t) : hd_is_int(t), "amd.result",
            "the result is not %s scalar or vector", floats ? "a float" : "an integer");
    for (uint32_t i = FIRST; i < in->nwords; i++)
        HD_TRY(trinary_operand(v, in, i, t));
    return HD_OK;
}

HdStatus hd_rule_amd_gcn(HdVal *v, const HdInst *in, const HdType *t)
{
    if (in->w[4] == SPV_AMD_gcn_shaderTimeAMD) {
        HD_RULE(hd_is_int(t) && hd_type_bits(t) == 64 && hd_type_lanes(t) == 1, "amd.result",
                "the result is not a 64-bit integer scalar");
        return HD_OK;
    }
    HD_RULE(is_float32(t, in->w[4] == SPV_AMD_gcn_shaderCubeFaceCoordAMD ? 2 : 1), "amd.result",
            "the result is not %s",
            in->w[4] == SPV_AMD_gcn_shaderCubeFaceCoordAMD ? "a vector of two 32-bit floats"
                                                           : "a 32-bit float scalar");
    HD_RULE(is_float32(hd_val_operand(v, in, FIRST), 3), "amd.operand",
            "the direction is not a vector of three 32-bit floats");
    return HD_OK;
}
