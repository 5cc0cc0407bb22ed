/* ops/arith/functions_eval.c -- integer functions of SPV_INTEL_shader_integer_functions2 in the
 * interpreter: in numbers that hold every result, of which the result's range is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/eval.h"
#include "ops/evals.h"

typedef __int128 Big;

static Big clamped(Big x, Big least, Big most)
{
    return x < least ? least : x > most ? most : x;
}

static uint64_t zeros_from(uint64_t x, unsigned first, int step, unsigned bits)
{
    uint64_t n = 0;

    for (unsigned at = first; n < bits && (x >> at & 1) == 0; at += (unsigned)step)
        n++;
    return n;
}

/* Of operands as signed (s) and as unsigned numbers (u). */
static Big result_of(const HdInst *in, const Big s[2], const Big u[2], unsigned bits)
{
    Big half = (Big)1 << (bits - 1), most = half * 2 - 1;

    switch (in->opix) {
    case HD_OPIX_UCountLeadingZerosINTEL:
        return (Big)zeros_from((uint64_t)u[0], bits - 1, -1, bits);
    case HD_OPIX_UCountTrailingZerosINTEL: return (Big)zeros_from((uint64_t)u[0], 0, 1, bits);
    case HD_OPIX_AbsISubINTEL: return s[0] < s[1] ? s[1] - s[0] : s[0] - s[1];
    case HD_OPIX_AbsUSubINTEL: return u[0] < u[1] ? u[1] - u[0] : u[0] - u[1];
    case HD_OPIX_IAddSatINTEL: return clamped(s[0] + s[1], -half, half - 1);
    case HD_OPIX_UAddSatINTEL: return clamped(u[0] + u[1], 0, most);
    case HD_OPIX_ISubSatINTEL: return clamped(s[0] - s[1], -half, half - 1);
    case HD_OPIX_USubSatINTEL: return clamped(u[0] - u[1], 0, most);
    case HD_OPIX_IAverageINTEL: return (s[0] + s[1]) >> 1;
    case HD_OPIX_UAverageINTEL: return (u[0] + u[1]) >> 1;
    case HD_OPIX_IAverageRoundedINTEL: return (s[0] + s[1] + 1) >> 1;
    case HD_OPIX_UAverageRoundedINTEL: return (u[0] + u[1] + 1) >> 1;
    case HD_OPIX_IMul32x16INTEL: return s[0] * (Big)(int16_t)(uint16_t)u[1];
    default: return u[0] * (u[1] & 0xffff); /* OpUMul32x16INTEL */
    }
}

/* Words: 1 type, 2 result, 3, [4] operands. */
HdStatus hd_eval_integer_functions(HdEval *e, const HdInst *in)
{
    unsigned count = in->nwords - 3u;
    uint64_t bytes;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, count, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            Big s[2] = {0}, u[2] = {0};

            for (unsigned k = 0; k < count; k++) {
                s[k] = hd_int_get(hd_slot_at(&x[k], lane) + i * bytes, bytes);
                u[k] = hd_bits_get(hd_slot_at(&x[k], lane) + i * bytes, bytes);
            }
            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes,
                        (uint64_t)result_of(in, s, u, (unsigned)bytes * 8));
        }
    return HD_OK;
}
