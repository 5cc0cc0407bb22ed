/* tests/math/code_test.c -- mathematics inside compiled kernels against the tables of rt/math.
 *
 *   code_test [NAME]
 *
 * A kernel becomes the same arithmetic as the lane functions that math_test compares with MPFR
 * (rt/math/translate.py), so its results are theirs to the bit: for each function, type, sub-group
 * size and processor. The first half of the operands is ordinary, so that whole sub-groups stay on
 * the way that is not called; the second is special values and random bits. What interp_math_test
 * leaves out of the interpreter's functions is held against the same tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math_kernel.h"

#define ITEMS 2048u

static MathCounts counts;
static const char *only; /* a function's name; NULL: all */

/* What lane IR has as operations of its own, and is tested elsewhere. */
static const unsigned own[] = {HD_MATH_ceil,        HD_MATH_copysign,    HD_MATH_div,  HD_MATH_fabs,
                               HD_MATH_floor,       HD_MATH_fclamp,      HD_MATH_fmax, HD_MATH_fmin,
                               HD_MATH_fmax_common, HD_MATH_fmin_common, HD_MATH_mad,  HD_MATH_mix,
                               HD_MATH_rint,        HD_MATH_smoothstep,  HD_MATH_sqrt, HD_MATH_step,
                               HD_MATH_trunc};

static bool is_int(HdMathForm f)
{
    return f == HD_MATH_FORM_I_F || f == HD_MATH_FORM_I_FF;
}

/* ---- operands ---- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

static void put(unsigned bits, void *at, unsigned i, double ordinary, uint64_t word, bool special)
{
    float f = (float)ordinary;
    _Float16 h = (_Float16)f;

    if (bits == 16)
        special ? (void)(((uint16_t *)at)[i] = (uint16_t)word) : (void)(((_Float16 *)at)[i] = h);
    else if (bits == 32)
        special ? (void)(((uint32_t *)at)[i] = (uint32_t)word) : (void)(((float *)at)[i] = f);
    else
        special ? (void)(((uint64_t *)at)[i] = word) : (void)(((double *)at)[i] = ordinary);
}

/* Zeros, denormals, ones, halves, whole numbers, the largest, infinities, NaNs, near each other. */
static uint64_t special_word(unsigned bits, unsigned k)
{
    static const unsigned exponents[] = {0, 0, 1, 2, 1 << 15, 1 << 14, (1 << 15) - 1};
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52, width = bits - 1 - mantissa;
    uint64_t bias = (1u << (width - 1)) - 1, e = exponents[k % 7], m = (uint64_t)(k / 7 % 3) - 1;

    e = k % 7 < 4 ? e : (k % 7 == 4 ? bias : (k % 7 == 5 ? bias + 1 : (1u << width) - 1));
    e = k / 21 % 4 == 3 && k % 7 == 4 ? bias + k / 84 % 40 - 20 : e;
    return ((e << mantissa) + m) ^ ((uint64_t)(k / 21 & 1) << (bits - 1));
}

static void fill(unsigned bits, void *at, bool is_whole, unsigned which)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        uint64_t word = next_random();
        double unit = (double)(word >> 11) * 0x1p-53;
        unsigned k = which == 0 ? i : i / 37 + which * 5 + i % 37 * 3;
        bool special = i >= ITEMS / 2;

        if (is_whole)
            ((int32_t *)at)[i] =
                special && (i & 3) == 0 ? (int32_t)word : (int32_t)(word % 41) - 20;
        else
            put(bits, at, i, (i & 1) != 0 ? unit * 2.0 - 1.0 : unit * 40.0 - 20.0,
                i % 3 == 0 ? word : special_word(bits, k), special);
    }
}

/* ---- comparison ---- */

static bool is_nan(unsigned bits, uint64_t w)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t infinity = (((uint64_t)1 << (bits - 1 - mantissa)) - 1) << mantissa;

    return (w & (((uint64_t)1 << (bits - 1)) - 1)) > infinity;
}

static uint64_t word_at(unsigned bits, const void *p, unsigned i)
{
    return bits == 16   ? ((const uint16_t *)p)[i]
           : bits == 32 ? ((const uint32_t *)p)[i]
                        : ((const uint64_t *)p)[i];
}

static _Alignas(64) uint64_t in[3][ITEMS], want[ITEMS], best[ITEMS], got[ITEMS];

static bool compare(const char *cpu, unsigned fn, unsigned bits, unsigned width)
{
    unsigned size = is_int(math_rows[fn].form) ? 32 : bits;

    for (unsigned i = 0; i < ITEMS; i++) {
        uint64_t a = word_at(size, got, i), b = word_at(size, want, i);

        if (a == b || (!is_int(math_rows[fn].form) && is_nan(size, a) && is_nan(size, b)))
            continue;
        /* What code calls is made for this machine, whatever the code itself is for. */
        if (a == word_at(size, best, i))
            continue;
        printf("FAILED: %s_f%u, %s, width %u, item %u: %#llx, not %#llx, for %#llx, %#llx\n",
               hd_rt_math_name(fn), bits, cpu, width, i, (unsigned long long)a,
               (unsigned long long)b, (unsigned long long)word_at(bits, in[0], i),
               (unsigned long long)word_at(math_rows[fn].form == HD_MATH_FORM_F_FI ? 32 : bits,
                                           in[1], i));
        return false;
    }
    return true;
}

/* Run a row's kernel on `in`, into `got`. */
static bool run_kernel(const MathRow *row, unsigned bits, unsigned operands, unsigned width,
                       unsigned copies, HdEngine engine)
{
    MathRun run = {.bits = bits,
                   .items = ITEMS,
                   .operands = operands,
                   .copies = copies,
                   .width = width,
                   .engine = engine,
                   .out = got,
                   .in = {in[0], in[1], in[2]}};

    memset(got, 0x55, sizeof got);
    return math_kernel_run(row, &run);
}

static void test(const MathMachine *m, unsigned fn, unsigned bits, unsigned width, unsigned copies)
{
    const MathRow *row = &math_rows[fn];
    HdMathLanesFn *table;
    bool good;

    for (unsigned i = 0; i < 3; i++)
        fill(bits, in[i], i == 1 && row->form == HD_MATH_FORM_F_FI, i);
    /* A guess of the processor's that a function begins with is another one there. */
    table = hd_rt_math_fn_isa(fn, bits, m->isa);
    table = table != NULL ? table : hd_rt_math_fn(fn, bits);
    table(want, in[0], in[1], in[2], ITEMS);
    memcpy(best, want, sizeof best);
    if (m->isa == HD_MATH_ISA_V2)
        hd_rt_math_fn(fn, bits)(best, in[0], in[1], in[2], ITEMS);
    good = run_kernel(row, bits, hd_rt_math_arity(fn), width, copies, HD_ENGINE_COMPILED) &&
           compare(m->cpu, fn, bits, width);
    counts.passed += good;
    counts.failed += !good;
}

/* The native_ functions of floats between 2^-6 and 20 are near the exact ones, and have their zeros
 * and infinities. */
static void test_fast(const char *cpu, unsigned width)
{
    static const struct {
        MathRow row;
        unsigned fn;
    } fast[] = {{{.instruction = "native_cos"}, HD_MATH_cos},
                {{.instruction = "native_sin"}, HD_MATH_sin},
                {{.instruction = "native_tan"}, HD_MATH_tan},
                {{.instruction = "native_exp"}, HD_MATH_exp},
                {{.instruction = "native_exp2"}, HD_MATH_exp2},
                {{.instruction = "native_exp10"}, HD_MATH_exp10},
                {{.instruction = "native_log"}, HD_MATH_log},
                {{.instruction = "native_log2"}, HD_MATH_log2},
                {{.instruction = "native_log10"}, HD_MATH_log10},
                {{.instruction = "native_rsqrt"}, HD_MATH_rsqrt},
                {{.instruction = "native_sqrt"}, HD_MATH_sqrt},
                {{.instruction = "native_powr", .form = HD_MATH_FORM_F_FF}, HD_MATH_powr},
                {{.instruction = "native_divide", .form = HD_MATH_FORM_F_FF}, HD_MATH_div},
                {{.instruction = "half_cos"}, HD_MATH_cos},
                {{.instruction = "half_exp"}, HD_MATH_exp},
                {{.instruction = "half_divide", .form = HD_MATH_FORM_F_FF}, HD_MATH_div}};
    float *x = (float *)in[0], *y = (float *)in[1], *a = (float *)got, *b = (float *)want;

    for (unsigned i = 0; i < ITEMS; i++) {
        x[i] = 0x1p-6f + (float)i * (20.0f / ITEMS);
        y[i] = 0x1p-6f + (float)(i * 37 % ITEMS) * (5.0f / ITEMS);
    }
    x[0] = 0.0f;
    y[0] = 1.0f;
    x[1] = 3.0f;
    y[1] = 0.0f;
    for (unsigned k = 0; k < sizeof fast / sizeof *fast; k++) {
        bool good;

        hd_rt_math_fn(fast[k].fn, 32)(want, in[0], in[1], NULL, ITEMS);
        good = run_kernel(&fast[k].row, 32, fast[k].row.form == HD_MATH_FORM_F_FF ? 2 : 1, width, 1,
                          HD_ENGINE_COMPILED);
        for (unsigned i = 0; i < ITEMS && good; i++) {
            float off = a[i] - b[i], size = b[i] < 0.0f ? -b[i] : b[i];

            if (a[i] == b[i] || ((off < 0.0f ? -off : off) <= 4e-6f * (size > 1.0f ? size : 1.0f)))
                continue;
            printf("FAILED: %s, %s, width %u: %a, not %a, for %a, %a\n", fast[k].row.instruction,
                   cpu, width, (double)a[i], (double)b[i], (double)x[i], (double)y[i]);
            good = false;
        }
        counts.passed += good;
        counts.failed += !good;
    }
}

/* The interpreter's functions that have one right answer and are none of one component alone; the
 * others are held against MPFR by interp_math_test. */
static void test_interpreter(void)
{
    static const unsigned fns[] = {HD_MATH_fma,        HD_MATH_fract_value, HD_MATH_fract_int,
                                   HD_MATH_frexp_mant, HD_MATH_frexp_exp,   HD_MATH_ilogb,
                                   HD_MATH_mad,        HD_MATH_lgamma_sign, HD_MATH_modf_frac,
                                   HD_MATH_modf_int,   HD_MATH_nan,         HD_MATH_nextafter,
                                   HD_MATH_remquo_rem, HD_MATH_remquo_quo};

    for (size_t k = 0; k < sizeof fns / sizeof *fns; k++)
        for (unsigned bits = 16; bits <= 64; bits *= 2) {
            unsigned fn = fns[k], arity = hd_rt_math_arity(fn);
            bool good;

            if (only != NULL && strcmp(only, hd_rt_math_name(fn)) != 0)
                continue;
            for (unsigned i = 0; i < 3; i++)
                fill(bits, in[i], false, i);
            hd_rt_math_fn(fn, bits)(want, in[0], in[1], in[2], ITEMS);
            memcpy(best, want, sizeof best);
            good = run_kernel(&math_rows[fn], bits, arity, 16, 1, HD_ENGINE_INTERPRETED) &&
                   compare("the interpreter", fn, bits, 16);
            counts.passed += good;
            counts.failed += !good;
        }
}

static void test_all(const MathMachine *m)
{
    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        bool is_own = false;

        for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
            is_own |= own[i] == fn;
        if (is_own || (only != NULL && strcmp(only, hd_rt_math_name(fn)) != 0))
            continue;
        for (unsigned bits = 16; bits <= 64; bits *= 2) {
            for (unsigned i = 0; m->widths[i] != 0; i++)
                test(m, fn, bits, m->widths[i], 1);
            test(m, fn, bits, m->widths[0], 16);
        }
    }
    for (unsigned i = 0; m->widths[i] != 0 && only == NULL; i++)
        test_fast(m->cpu, m->widths[i]);
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    math_rows_open();
    setenv("HEDDLE_CACHE", "0", 1);
    test_interpreter();
    math_each_machine(&counts, test_all);
    printf("%u passed, %u failed, %u skipped\n", counts.passed, counts.failed, counts.skipped);
    return counts.failed != 0;
}
