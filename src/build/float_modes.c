/* build/float_modes.c -- execution modes that change what arithmetic gives.
 *
 * A processor flushes denormals of floats of 32 and 64 bits together, or neither. It never rounds
 * towards zero here: the mathematics of the runtime and image lookups expect the default. What a
 * shader rounds so is built of operations that round to nearest (ops/float/rounded_build.c), which
 * needs their errors, and they may be denormal.
 *
 * Spec: SPIR-V, "Execution Mode"; SPV_KHR_float_controls.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/layout.h"
#include "module/rounding.h"

/* Of one mode: OpExecutionMode function mode width. */
static void note(const HdInst *in, HdKernelInfo *k, bool *keeps)
{
    const uint32_t mode = in->w[2], width = in->w[3];

    if (mode == SpvExecutionModeRoundingModeRTZ && k->is_shader)
        k->truncates |= width;
    else if (mode == SpvExecutionModeRoundingModeRTZ ||
             (mode == SpvExecutionModeDenormFlushToZero && width == 16))
        k->lacks_mode = in->word;
    else if (mode == SpvExecutionModeDenormFlushToZero)
        k->flushes = true;
    else if (mode == SpvExecutionModeDenormPreserve && width != 16)
        *keeps = true;
}

void hd_layout_float_modes(const HdModule *m, const HdModes *all, HdKernelInfo *k)
{
    const HdModes own = hd_modes_of(all, k->entry->function);
    bool keeps = false;

    for (uint32_t i = 0; i < own.count; i++) {
        uint32_t word = (uint32_t)own.at[i];
        HdInst in;

        if (hd_module_next(m, &word, &in) && in.nwords > 3)
            note(&in, k, &keeps);
    }
    if (k->flushes && (keeps || k->truncates != 0))
        k->lacks_mode = k->entry->word;
}

HdStatus hd_layout_check_modes(const HdModule *m, const HdKernelInfo *k, HdDiags *d)
{
    uint32_t word = k->lacks_mode;
    const char *what;
    HdInst in;

    if (word == 0 && k->truncates != 0)
        word = hd_module_rounded_constant(m, k->truncates & ~hd_module_truncated_widths(m));
    if (word == 0 || !hd_module_next(m, &word, &in))
        return HD_OK;
    if (in.opix == HD_OPIX_SpecConstantOp)
        what = "rounds a constant towards zero that other entry points round to nearest";
    else if (in.opix == HD_OPIX_EntryPoint && k->truncates != 0)
        what = "flushes denormals and rounds towards zero: one of the two is supported";
    else if (in.opix == HD_OPIX_EntryPoint)
        what = "flushes denormals of 32 bits but not of 64, or the reverse: both are flushed here, "
               "or neither is";
    else if (in.w[2] == SpvExecutionModeRoundingModeRTZ)
        what = "rounds towards zero, which is not supported";
    else
        what = "flushes denormals of 16 bits, which is not supported";
    return hd_fail(d, HD_UNSUPPORTED, in.word, "layout.mode", "\"%s\" %s", k->name, what);
}
