/* rt/math/math.c -- tables over the rows of math.def, and the choice of an instruction set.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/math.h"

#include <stddef.h>

#include "rt/math/vec.h"

#define EXACT   HD_MATH_ULP_EXACT
#define ROUNDED HD_MATH_ULP_ROUNDED
#define FREE    HD_MATH_ULP_FREE

typedef struct Row {
    const char *name;
    HdMathForm form;
    unsigned operands;
    double ulp[3];
    HdMathLanesFn *fn[3];
} Row;

static const Row rows[HD_MATH_COUNT] = {
#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    {#name,                                                   \
     HD_MATH_FORM_##form,                                     \
     operands,                                                \
     {ulp16, ulp32, ulp64},                                   \
     {hd_rt_##name##_f16, hd_rt_##name##_f32, hd_rt_##name##_f64}},
#include "rt/math/math.def"
#undef MATH
};

/* 0, 1, 2 for 16, 32, 64 bits; 3 for anything else. */
static unsigned width_index(unsigned bits)
{
    return bits == 16 ? 0 : bits == 32 ? 1 : bits == 64 ? 2 : 3;
}

bool hd_rt_math_has_isa(HdMathIsa isa)
{
#if defined(__x86_64__)
    switch (isa) {
    case HD_MATH_ISA_V2: return __builtin_cpu_supports("sse4.2");
    case HD_MATH_ISA_V3:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
    case HD_MATH_ISA_V4:
        return hd_rt_math_has_isa(HD_MATH_ISA_V3) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    default: break;
    }
#endif
    return isa == HD_MATH_ISA_BASE;
}

HdMathLanesFn *hd_rt_math_fn_isa(unsigned fn, unsigned bits, HdMathIsa isa)
{
    unsigned w = width_index(bits);

    if (fn >= HD_MATH_COUNT || w > 2 || !hd_rt_math_has_isa(isa))
        return NULL;
    switch (isa) {
    case HD_MATH_ISA_BASE: return rows[fn].fn[w];
    case HD_MATH_ISA_V2: return hd_rt_math_vec_v2(fn, bits);
    case HD_MATH_ISA_V3: return hd_rt_math_vec_v3(fn, bits);
    case HD_MATH_ISA_V4: return hd_rt_math_vec_v4(fn, bits);
    case HD_MATH_ISA_COUNT: break;
    }
    return NULL;
}

HdMathLanesFn *hd_rt_math_fn(unsigned fn, unsigned bits)
{
    HdMathLanesFn *f = hd_rt_math_fn_isa(fn, bits, HD_MATH_ISA_V4);

    if (f == NULL)
        f = hd_rt_math_fn_isa(fn, bits, HD_MATH_ISA_V3);
    if (f == NULL)
        f = hd_rt_math_fn_isa(fn, bits, HD_MATH_ISA_V2);
    if (f == NULL)
        f = hd_rt_math_fn_isa(fn, bits, HD_MATH_ISA_BASE);
    return f;
}

const char *hd_rt_math_name(unsigned fn)
{
    return fn < HD_MATH_COUNT ? rows[fn].name : NULL;
}

unsigned hd_rt_math_arity(unsigned fn)
{
    return fn < HD_MATH_COUNT ? rows[fn].operands : 0;
}

HdMathForm hd_rt_math_form(unsigned fn)
{
    return fn < HD_MATH_COUNT ? rows[fn].form : HD_MATH_FORM_F_F;
}

double hd_rt_math_ulp(unsigned fn, unsigned bits)
{
    unsigned w = width_index(bits);

    return fn < HD_MATH_COUNT && w <= 2 ? rows[fn].ulp[w] : HD_MATH_ULP_FREE;
}
