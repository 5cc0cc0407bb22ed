/* jit/cpu.c -- the processor that code is compiled for.
 *
 * Only features that change our code are passed on: LLVM parses a full list again for every
 * function, and a cached object should fit many machines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cpu.h"

#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/option.h"

/* ---- what operations cost -----------------------------------------------------------------------
 *
 * A row for each processor family with its own code generation choices. The first one's numbers are
 * for Xeons with AVX-512 (those of the estimate fitted to 568 kernels measured both ways on one
 * with AMX) and are used for all unmeasured processors. Those of Zen 4 and Zen 5 were taken on
 * EPYCs (family 25, model 17; family 26, model 2): docs/measurements.md, "On Zen 4", "On Zen 5".
 */

static const HdCpuCosts plain = {.name = "",
                                 .alone = {.plain = 1,
                                           .free = 1,
                                           .busy = 0.4,
                                           .wait = 0.3,
                                           .gather = 2.6,
                                           .gather_long = 2.6,
                                           .near = 0.6,
                                           .scatter = 2.6,
                                           .scatter_long = 16,
                                           .narrow_load = 3,
                                           .narrow_store = 3,
                                           .own = 6,
                                           .step = 4,
                                           .math = 16,
                                           .call = 20,
                                           .find = 2},
                                 .unordered_bytes = 0};
static const HdCpuCosts zen4 = {.name = "zen4",
                                .alone = {.plain = 0.66,
                                          .free = 0.28,
                                          .busy = 0.29,
                                          .wait = 0.32,
                                          .foresees = true,
                                          .gather = 2.2,
                                          .gather_long = 3.1,
                                          .near = 0.35,
                                          .scatter = 2.0,
                                          .scatter_long = 12,
                                          .scatter_again = 1.4,
                                          .narrow_load = 1.5,
                                          .narrow_store = 3,
                                          .own = 3,
                                          .own_again = 5,
                                          .step = 9,
                                          .math = 40,
                                          .call = 24,
                                          .find = 7},
                                .unrolled_clash = true,
                                .gathers_slowly = true,
                                .half_is_half = true,
                                .rows_evict = true,
                                .streams_past = true,
                                .looks_ahead = true,
                                .unordered_bytes = 256};
static const HdCpuCosts zen5 = {.name = "zen5",
                                .alone = {.plain = 0.69,
                                          .free = 0.18,
                                          .busy = 0.39,
                                          .wait = 0.45,
                                          .foresees = true,
                                          .gather = 2.9,
                                          .gather_long = 4,
                                          .near = 0.45,
                                          .scatter = 2.3,
                                          .scatter_long = 13,
                                          .scatter_again = 1.6,
                                          .narrow_load = 2.9,
                                          .narrow_store = 3.8,
                                          .own = 2.2,
                                          .own_again = 5.4,
                                          .step = 7.8,
                                          .math = 42,
                                          .call = 24,
                                          .find = 6.2},
                                .gathers_slowly = true,
                                .rows_evict = true,
                                .stores_evict = true,
                                .streams_past = true,
                                .unordered_bytes = 256};

/* Bits counted in every number, bytes moved to any place: Ice Lake, Zen 4 and later. */
#define PARTS  "+avx512vpopcntdq,+avx512bitalg,+avx512vbmi,+avx512vbmi2"
#define HALVES "+avx512fp16"
#define DOTS   "+avx512vnni"

/* What HEDDLE_CPU may name. */
static const struct {
    const char *asked;
    HdCpu cpu;
} known[] = {
    {"x86-64-v4", {"x86-64-v4", "", 16, &plain}},
    {"x86-64-v3", {"x86-64-v3", "", 8, &plain}},
    {"x86-64-v2", {"x86-64-v2", "", 4, &plain}},
    {"generic", {"generic", "", 4, &plain}},
    {"icelake-server", {"x86-64-v4", PARTS "," DOTS, 16, &plain}},
    {"sapphirerapids", {"x86-64-v4", PARTS "," HALVES "," DOTS, 16, &plain}},
    {"znver4", {"x86-64-v4", PARTS "," DOTS, 16, &zen4}},
    {"znver5", {"x86-64-v4", PARTS "," DOTS, 16, &zen5}},
};

#if defined(__x86_64__)
/* With AVX-512. Families that compilers may not know yet are told by their number. */
static const HdCpuCosts *costs_of_family(void)
{
    unsigned version, b, c, d, family;

    if (!__builtin_cpu_is("amd") || !__get_cpuid(1, &version, &b, &c, &d))
        return &plain;
    family = (version >> 8 & 15) + (version >> 20 & 255);
    return family >= 26 ? &zen5 : &zen4;
}
#endif

static HdCpu native(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        static const char *const features[8] = {
            "",   PARTS,          HALVES,          PARTS "," HALVES,
            DOTS, PARTS "," DOTS, HALVES "," DOTS, PARTS "," HALVES "," DOTS};
        HdCpu cpu = known[0].cpu;
        bool parts = __builtin_cpu_supports("avx512vpopcntdq") &&
                     __builtin_cpu_supports("avx512bitalg") &&
                     __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
        bool halves = __builtin_cpu_supports("avx512fp16");
        bool dots = __builtin_cpu_supports("avx512vnni");

        cpu.features = features[parts + 2 * halves + 4 * dots];
        cpu.costs = costs_of_family();
        return cpu;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2")) {
        return known[1].cpu;
    }
    return known[2].cpu;
#else
    return known[3].cpu;
#endif
}

bool hd_jit_cpu_has_dots(void)
{
    return strstr(hd_jit_cpu().features, "vnni") != NULL;
}

/* The processor that HEDDLE_CPU names; NULL: none. */
static const HdCpu *asked_cpu(void)
{
    const char *asked = hd_option_text(HD_OPTION_CPU);

    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(asked, known[i].asked) == 0)
            return &known[i].cpu;
    return NULL;
}

HdCpu hd_jit_cpu(void)
{
    const HdCpu *asked = asked_cpu();

    return asked != NULL ? *asked : native();
}

void hd_jit_cpu_complain(FILE *to)
{
    const char *asked = hd_option_text(HD_OPTION_CPU);

    if (*asked != '\0' && asked_cpu() == NULL)
        fprintf(to, "heddle: HEDDLE_CPU=%.80s counts as this processor. It is: %s\n", asked,
                hd_option_meaning(HD_OPTION_CPU));
}
