/* ops/float/rounded_eval.c -- rounding modes in the interpreter: the processor computes in that
 * mode.
 *
 * Spec: SPV_INTEL_rounded_divide_sqrt; SPV_KHR_float_controls, "RoundingModeRTZ".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/rounded_eval.h"

#include "module/decoration.h"

#include <fenv.h>
#include <math.h>

bool hd_eval_rounding(const HdEval *e, HdId result, HdNumberMode *mode)
{
    const HdDecoration *d = hd_module_decoration(e->m, result, SpvDecorationFPRoundingMode);

    if (d == NULL || d->operand_count < 1)
        return false;
    switch (hd_decoration_value(e->m, d)) {
    case SpvFPRoundingModeRTZ: *mode = HD_NUMBER_RTZ; return true;
    case SpvFPRoundingModeRTP: *mode = HD_NUMBER_RTP; return true;
    case SpvFPRoundingModeRTN: *mode = HD_NUMBER_RTN; return true;
    default: *mode = HD_NUMBER_RTE; return true;
    }
}

/* Volatile, or the compiler computes at another time than in the mode. */
static void compute(void *r, const void *x, const void *y, uint64_t bytes, HdNumberMode mode)
{
    if (bytes == 4) {
        volatile float a = *(const HdF32 *)x, b = y != NULL ? *(const HdF32 *)y : 1, c;

        c = y != NULL ? a / b : sqrtf(a);
        *(HdF32 *)r = c;
    } else {
        volatile double a = hd_float_get(x, bytes), b = y != NULL ? hd_float_get(y, bytes) : 1, c;

        c = y != NULL ? a / b : sqrt(a);
        if (bytes == 8)
            *(HdF64 *)r = c;
        else /* rounded twice in one direction, or to nearest by way of twice the bits */
            *(HdU16 *)r = hd_half_from_double(c, mode);
    }
}

HdStatus hd_eval_rounded(HdEval *e, const HdInst *in, unsigned first, unsigned count,
                         HdNumberMode mode)
{
    static const int modes[] = {[HD_NUMBER_RTE] = FE_TONEAREST,
                                [HD_NUMBER_RTZ] = FE_TOWARDZERO,
                                [HD_NUMBER_RTP] = FE_UPWARD,
                                [HD_NUMBER_RTN] = FE_DOWNWARD};
    int before = fegetround();
    uint64_t bytes;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, first, count, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    fesetround(modes[mode]);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            compute(hd_slot_at(&r, lane) + i * bytes, hd_slot_at(&x[0], lane) + i * bytes,
                    count > 1 ? hd_slot_at(&x[1], lane) + i * bytes : NULL, bytes, mode);
    fesetround(before);
    return HD_OK;
}

bool hd_eval_truncates(const HdEval *e, HdId type)
{
    return e->g->kernel != NULL && e->g->kernel->truncates != 0 &&
           hd_kernel_truncates(e->g->kernel, hd_module_type(e->m, type));
}
