/* jit/cpu.c -- which processor code is made for.
 *
 * Only features that change our code are passed on: LLVM parses a full list again for every
 * function, and a cached object should fit many machines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cpu.h"

#include <string.h>

#include "base/option.h"

static const HdCpu known[] = {
    {"x86-64-v4", "", 16},
    {"x86-64-v3", "", 8},
    {"x86-64-v2", "", 4},
    {"generic", "", 4},
};

static HdCpu native(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        static const char *const features[8] = {
            "",
            "+avx512vpopcntdq,+avx512bitalg",
            "+avx512fp16",
            "+avx512vpopcntdq,+avx512bitalg,+avx512fp16",
            "+avx512vnni",
            "+avx512vpopcntdq,+avx512bitalg,+avx512vnni",
            "+avx512fp16,+avx512vnni",
            "+avx512vpopcntdq,+avx512bitalg,+avx512fp16,+avx512vnni"};
        HdCpu cpu = known[0];
        bool counts =
            __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg");
        bool halves = __builtin_cpu_supports("avx512fp16");
        bool dots = __builtin_cpu_supports("avx512vnni");

        cpu.features = features[counts + 2 * halves + 4 * dots];
        return cpu;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2")) {
        return known[1];
    }
    return known[2];
#else
    return known[3];
#endif
}

bool hd_jit_cpu_has_dots(void)
{
    return strstr(hd_jit_cpu().features, "vnni") != NULL;
}

HdCpu hd_jit_cpu(void)
{
    const char *asked = hd_option_text(HD_OPTION_CPU);

    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(asked, known[i].name) == 0)
            return known[i];
    return native();
}
