/* module/rounding.c -- how constants of shaders are rounded.
 *
 * Of the operations that shaders may specialise with, OpFConvert alone rounds as an execution mode
 * says; OpQuantizeToF16 does not follow it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/rounding.h"

#include "module/type.h"

uint32_t hd_module_truncated_widths(const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD, counts[3] = {0}, all = 0;

    if (m->entry_count == 0 || !hd_module_has_capability(m, SpvCapabilityRoundingModeRTZ))
        return 0;
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_ExecutionMode && in.nwords > 3 &&
            in.w[2] == SpvExecutionModeRoundingModeRTZ)
            for (unsigned i = 0; i < 3; i++)
                counts[i] += in.w[3] == 16u << i;
    for (unsigned i = 0; i < 3; i++)
        if (counts[i] == m->entry_count)
            all |= 16u << i;
    return all;
}

uint32_t hd_module_rounded_constant(const HdModule *m, uint32_t widths)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        const HdType *to, *from;

        if (in.opix != HD_OPIX_SpecConstantOp || in.nwords < 5 ||
            hd_gram_find(in.w[3]) != HD_OPIX_FConvert)
            continue;
        to = hd_module_type(m, in.w[1]);
        from = hd_module_type_of(m, in.w[4]);
        if (to != NULL && from != NULL && (hd_type_scalar(to)->bits & widths) != 0 &&
            hd_type_scalar(to)->bits < hd_type_scalar(from)->bits)
            return in.word;
    }
    return 0;
}
