/* val/vulkan_entry.c -- the sizes of work-groups that entry points have in Vulkan.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "val/models.h"

#define VUID HD_VUID_SPIRV

/* Modes that are looked for, in this order. */
enum { SIZE, SIZE_ID, QUADS, LINEAR, RATE, WANTED };
static const uint32_t wanted[WANTED] = {
    SpvExecutionModeLocalSize, SpvExecutionModeLocalSizeId, SpvExecutionModeDerivativeGroupQuadsKHR,
    SpvExecutionModeDerivativeGroupLinearKHR, SpvExecutionModeTileShadingRateQCOM};

typedef struct Size {
    bool known;
    uint64_t of[3];
} Size;

static Size constant_size(const HdVal *v, HdId id)
{
    Size size = {0};

    size.known = hd_val_known_part(v, id, 0, &size.of[0]) &&
                 hd_val_known_part(v, id, 1, &size.of[1]) &&
                 hd_val_known_part(v, id, 2, &size.of[2]);
    return size;
}

static Size mode_size(const HdVal *v, uint32_t word)
{
    HdInst mode = hd_module_inst(v->m, word);
    Size size = {.known = mode.nwords > 5};

    for (uint32_t i = 0; i < 3 && size.known; i++)
        if (mode.opix == HD_OPIX_ExecutionMode)
            size.of[i] = mode.w[i + 3];
        else
            size.known = hd_val_known_part(v, mode.w[i + 3], 0, &size.of[i]);
    return size;
}

/* `words`: of the wanted modes; `constant`: that is decorated WorkgroupSize, which counts before
 * modes, or 0. */
static HdStatus check_groups(HdVal *v, const HdInst *in, const uint32_t words[WANTED],
                             HdId constant)
{
    uint32_t word = words[SIZE] != 0 ? words[SIZE] : words[SIZE_ID];
    Size size = {0};

    if (word == 0 && constant == 0) {
        if (words[RATE] != 0)
            return HD_OK;
        return hd_val_fail_spec(v, in, "vulkan.local-size", VUID("None", "10685"),
                                "the entry point has no LocalSize, LocalSizeId or WorkgroupSize");
    }
    size = constant != 0 ? constant_size(v, constant) : mode_size(v, word);
    if (!size.known)
        return HD_OK;
    if (words[QUADS] != 0 && (size.of[0] % 2 != 0 || size.of[1] % 2 != 0))
        return hd_val_fail_spec(v, in, "vulkan.derivative-quads",
                                VUID("DerivativeGroupQuadsKHR", "10151"),
                                "DerivativeGroupQuadsKHR needs even sizes in x and y, not %u and "
                                "%u",
                                (unsigned)size.of[0], (unsigned)size.of[1]);
    if (words[LINEAR] != 0 && size.of[0] % 4 * (size.of[1] % 4) * (size.of[2] % 4) % 4 != 0)
        return hd_val_fail_spec(v, in, "vulkan.derivative-linear",
                                VUID("DerivativeGroupLinearKHR", "10152"),
                                "DerivativeGroupLinearKHR needs a multiple of four invocations");
    return HD_OK;
}

HdStatus hd_val_vulkan_entries(HdVal *v)
{
    HdId constant = hd_module_decorated(v->m, SpvDecorationBuiltIn, SpvBuiltInWorkgroupSize);
    HdModes all;

    if (constant != 0 && !hd_val_is_constant(v, constant))
        constant = 0;
    HD_TRY(hd_module_find_modes(v->m, v->pass, &all));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        HdInst in = hd_module_inst(v->m, v->m->entries[i].word);
        uint32_t words[WANTED];

        if (!(hd_val_model_bit(v->m->entries[i].model) & HD_MODEL_GROUPS))
            continue;
        hd_module_execution_modes(v->m, &all, v->m->entries[i].function, wanted, WANTED, words);
        (void)check_groups(v, &in, words, constant);
    }
    return HD_OK;
}
