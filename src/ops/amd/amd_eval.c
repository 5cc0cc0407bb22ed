/* ops/amd/amd_eval.c -- AMD's extended instructions in the interpreter.
 *
 * Spec: SPV_AMD_shader_trinary_minmax; SPV_AMD_gcn_shader; Vulkan, "Cube Map Face Selection".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/amd/amd_eval.h"

#include "gen/extinst.h"
#include "interp/number.h"
#include "ops/image/image_lookup_eval.h"

#define FIRST 5u /* word of the first operand: 1 type, 2 result, 3 set, 4 number */

/* ---- SPV_AMD_shader_trinary_minmax --------------------------------------------------------- */

/* Numbers in the order of their values; long double holds all of 64 bits exactly. */
static long double value_of(uint32_t number, const HdType *t, const unsigned char *at)
{
    uint64_t bytes = hd_type_size(t);

    if (t->kind == HD_T_FLOAT)
        return (long double)hd_float_get(at, bytes);
    switch (number) {
    case SPV_AMD_shader_trinary_minmaxUMin3AMD:
    case SPV_AMD_shader_trinary_minmaxUMax3AMD:
    case SPV_AMD_shader_trinary_minmaxUMid3AMD: return (long double)hd_bits_get(at, bytes);
    default: return (long double)hd_int_get(at, bytes);
    }
}

/* Which of three is wanted, once they are sorted. */
static unsigned rank_of(uint32_t number)
{
    switch (number) {
    case SPV_AMD_shader_trinary_minmaxFMin3AMD:
    case SPV_AMD_shader_trinary_minmaxUMin3AMD:
    case SPV_AMD_shader_trinary_minmaxSMin3AMD: return 0;
    case SPV_AMD_shader_trinary_minmaxFMid3AMD:
    case SPV_AMD_shader_trinary_minmaxUMid3AMD:
    case SPV_AMD_shader_trinary_minmaxSMid3AMD: return 1;
    default: return 2;
    }
}

/* The operand of that rank: the number of those that are less, equal ones in their order. */
static unsigned ranked(const long double x[3], unsigned rank)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned less = 0;

        for (unsigned k = 0; k < 3; k++)
            less += x[k] < x[i] || (x[k] == x[i] && k < i);
        if (less == rank)
            return i;
    }
    return 2;
}

HdStatus hd_amd_eval_trinary(HdEval *e, const HdInst *in)
{
    const HdType *t;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, FIRST, 3, x));
    t = hd_type_scalar(r.type);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t bytes = hd_type_size(t);
            long double value[3];

            for (unsigned k = 0; k < 3; k++)
                value[k] = value_of(in->w[4], t, hd_slot_at(&x[k], lane) + i * bytes);
            memcpy(hd_slot_at(&r, lane) + i * bytes,
                   hd_slot_at(&x[ranked(value, rank_of(in->w[4]))], lane) + i * bytes, bytes);
        }
    return HD_OK;
}

/* ---- SPV_AMD_gcn_shader -------------------------------------------------------------------- */

static HdStatus cube(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, FIRST, 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        HdLook k = {0};
        float face;

        memcpy(k.coordinate, hd_slot_at(&x, lane), sizeof k.coordinate);
        hd_look_face(&k);
        face = (float)k.face;
        memcpy(hd_slot_at(&r, lane),
               in->w[4] == SPV_AMD_gcn_shaderCubeFaceIndexAMD ? &face : k.coordinate,
               hd_type_size(r.type));
    }
    return HD_OK;
}

HdStatus hd_amd_eval_gcn(HdEval *e, const HdInst *in)
{
    return in->w[4] == SPV_AMD_gcn_shaderTimeAMD ? hd_eval_read_clock(e, in) : cube(e, in);
}
