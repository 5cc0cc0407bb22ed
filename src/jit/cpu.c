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
#include "jit/costs.h"

/* Bits counted in every number, bytes moved to any place: Ice Lake, Zen 4 and later. */
#define PARTS  "+avx512vpopcntdq,+avx512bitalg,+avx512vbmi,+avx512vbmi2"
#define HALVES "+avx512fp16"
#define DOTS   "+avx512vnni"

/* What HEDDLE_CPU may name. */
static const struct {
    const char *asked;
    HdCpu cpu;
} known[] = {
    {"x86-64-v4", {"x86-64-v4", "", 16, &hd_costs_xeon}},
    {"x86-64-v3", {"x86-64-v3", "", 8, &hd_costs_avx2}},
    {"x86-64-v2", {"x86-64-v2", "", 4, &hd_costs_xeon}},
    {"generic", {"generic", "", 4, &hd_costs_xeon}},
    {"icelake-server", {"x86-64-v4", PARTS "," DOTS, 16, &hd_costs_xeon}},
    {"sapphirerapids", {"x86-64-v4", PARTS "," HALVES "," DOTS, 16, &hd_costs_xeon}},
    {"znver3", {"x86-64-v3", "", 8, &hd_costs_avx2}},
    {"znver4", {"x86-64-v4", PARTS "," DOTS, 16, &hd_costs_zen4}},
    {"znver5", {"x86-64-v4", PARTS "," DOTS, 16, &hd_costs_zen5}},
};

#if defined(__x86_64__)
/* With AVX-512. Families that compilers may not know yet are told by their number. */
static const HdCpuCosts *costs_of_family(void)
{
    unsigned version, b, c, d, family;

    if (!__builtin_cpu_is("amd") || !__get_cpuid(1, &version, &b, &c, &d))
        return &hd_costs_xeon;
    family = (version >> 8 & 15) + (version >> 20 & 255);
    return family >= 26 ? &hd_costs_zen5 : &hd_costs_zen4;
}
#endif

#if defined(__x86_64__)
static bool has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

static bool has_parts(void)
{
    return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

static HdCpu native(void)
{
#if defined(__x86_64__)
    if (has_avx512()) {
        static const char *const features[8] = {
            "",   PARTS,          HALVES,          PARTS "," HALVES,
            DOTS, PARTS "," DOTS, HALVES "," DOTS, PARTS "," HALVES "," DOTS};
        HdCpu cpu = known[0].cpu;
        bool halves = __builtin_cpu_supports("avx512fp16");
        bool dots = __builtin_cpu_supports("avx512vnni");

        cpu.features = features[has_parts() + 2 * halves + 4 * dots];
        cpu.costs = costs_of_family();
        return cpu;
    }
    return has_avx2() ? known[1].cpu : known[2].cpu;
#else
    return known[3].cpu;
#endif
}

const char *hd_jit_cpu_lacks(const HdCpu *cpu)
{
#if defined(__x86_64__)
    if (strcmp(cpu->name, "x86-64-v4") == 0 && !has_avx512())
        return "AVX-512";
    if (strcmp(cpu->name, "x86-64-v3") == 0 && !has_avx2())
        return "AVX2";
    if (strstr(cpu->features, PARTS) != NULL && !has_parts())
        return "AVX512-VBMI2";
    if (strstr(cpu->features, HALVES) != NULL && !__builtin_cpu_supports("avx512fp16"))
        return "AVX512-FP16";
    if (strstr(cpu->features, DOTS) != NULL && !__builtin_cpu_supports("avx512vnni"))
        return "AVX512-VNNI";
    return NULL;
#else
    return strcmp(cpu->name, "generic") == 0 ? NULL : "x86-64";
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
