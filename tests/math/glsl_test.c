/* tests/math/glsl_test.c -- GLSL.std.450 within Vulkan's limits, against MPFR.
 *
 *   glsl_test [--table] [NAME]
 *
 * Each function in compiled code of several widths and in the interpreter, of halfs and floats.
 * Where Vulkan derives a limit from that of an expression, a closer one is tried that the
 * expression grants anyhow. --table prints the largest errors as rows for docs/mathematics.md.
 *
 * Spec: Vulkan, "Precision and Operation of SPIR-V Instructions", "Precision of GLSL.std.450
 * Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "generator.h"
#include "math_kernel.h"
#include "math_ref.h"

#define ITEMS  2048u
#define ROUNDS 4u

typedef enum Kind {
    ROUNDED,   /* correctly */
    ULP,       /* at most so many units in the last place */
    EXPONENT,  /* 3 + 2 |x|; of halfs 1 + 2 |x| */
    LOGARITHM, /* 3, and in [0.5, 2] at most 2^-21; of halfs 2^-7 */
    ABSOLUTE,  /* at most 2^-11 in [-pi, pi]; of halfs 2^-7 */
    POWER      /* of exp2(y * log2(x)): 3 + 2 |y * log2(x)| */
} Kind;

typedef struct Row {
    const char *name, *says; /* Vulkan's limit in words */
    unsigned fn;             /* of math.def, whose result it has; ROOTS: own() */
    Kind kind;
    double limit;    /* of ULP */
    double from, to; /* operands, of both signs where from < 0; else their exponents vary */
    unsigned operands;
    bool is_vector; /* three operands are one vector */
} Row;

#define OWN       HD_MATH_COUNT
#define INHERITED "inherited"
#define BIG       1e5

static const Row rows[] = {
    {"Round", "rounded", HD_MATH_round, ROUNDED, 0, -BIG, BIG, 1, false},
    {"RoundEven", "rounded", HD_MATH_rint, ROUNDED, 0, -BIG, BIG, 1, false},
    {"Trunc", "rounded", HD_MATH_trunc, ROUNDED, 0, -BIG, BIG, 1, false},
    {"Floor", "rounded", HD_MATH_floor, ROUNDED, 0, -BIG, BIG, 1, false},
    {"Ceil", "rounded", HD_MATH_ceil, ROUNDED, 0, -BIG, BIG, 1, false},
    {"Fract", "rounded", OWN, ROUNDED, 0, -1000, 1000, 1, false},
    {"Radians", INHERITED, HD_MATH_radians, ULP, 2, -BIG, BIG, 1, false},
    {"Degrees", INHERITED, HD_MATH_degrees, ULP, 2, -500, 500, 1, false},
    {"Sin", "2^-11 (half 2^-7) in [-pi, pi]", HD_MATH_sin, ABSOLUTE, 0, -3.14159, 3.14159, 1,
     false},
    {"Cos", "2^-11 (half 2^-7) in [-pi, pi]", HD_MATH_cos, ABSOLUTE, 0, -3.14159, 3.14159, 1,
     false},
    {"Tan", INHERITED, HD_MATH_tan, ULP, 5, -3.14159, 3.14159, 1, false},
    {"Asin", INHERITED, HD_MATH_asin, ULP, 4096, -1, 1, 1, false},
    {"Acos", INHERITED, HD_MATH_acos, ULP, 4096, -1, 1, 1, false},
    {"Atan", "4096 (half 5) ulp", HD_MATH_atan, ULP, 4096, -BIG, BIG, 1, false},
    {"Atan2", "4096 (half 5) ulp", HD_MATH_atan2, ULP, 4096, -1000, 1000, 2, false},
    {"Sinh", INHERITED, HD_MATH_sinh, ULP, 4, -11, 11, 1, false},
    {"Cosh", INHERITED, HD_MATH_cosh, ULP, 4, -11, 11, 1, false},
    {"Tanh", INHERITED, HD_MATH_tanh, ULP, 5, -11, 11, 1, false},
    {"Asinh", INHERITED, HD_MATH_asinh, ULP, 4, -1000, 1000, 1, false},
    {"Acosh", INHERITED, HD_MATH_acosh, ULP, 4, 1, 1000, 1, false},
    {"Atanh", INHERITED, HD_MATH_atanh, ULP, 5, -1, 1, 1, false},
    {"Pow", INHERITED, HD_MATH_pow, POWER, 0, 0.01, 8, 2, false},
    {"Exp", "3 + 2 abs(x) (half 1 + 2 abs(x)) ulp", HD_MATH_exp, EXPONENT, 0, -10, 10, 1, false},
    {"Exp2", "3 + 2 abs(x) (half 1 + 2 abs(x)) ulp", HD_MATH_exp2, EXPONENT, 0, -14, 15, 1, false},
    {"Log", "3 ulp; 2^-21 (half 2^-7) in [0.5, 2]", HD_MATH_log, LOGARITHM, 0, 1e-4, 6e4, 1, false},
    {"Log2", "3 ulp; 2^-21 (half 2^-7) in [0.5, 2]", HD_MATH_log2, LOGARITHM, 0, 1e-4, 6e4, 1,
     false},
    {"Sqrt", INHERITED, HD_MATH_sqrt, ULP, 2, 1e-4, 6e4, 1, false},
    {"InverseSqrt", "2 ulp", HD_MATH_rsqrt, ULP, 2, 1e-4, 6e4, 1, false},
    {"Fma", INHERITED, HD_MATH_fma, ULP, 0.5, -100, 100, 3, false},
    {"Length", INHERITED, OWN, ULP, 4, -100, 100, 3, true},
    {"Normalize", INHERITED, OWN, ULP, 5, -100, 100, 3, true},
};

#define ROWS (sizeof rows / sizeof *rows)

static unsigned passed, failed;

/* ---- operands ------------------------------------------------------------------------------ */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static double random_one(void) /* [0, 1) */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)((seed * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53;
}

static double get(unsigned bits, const void *from, size_t i)
{
    return bits == 16 ? (double)hd_half_widen(((const uint16_t *)from)[i])
                      : (double)((const float *)from)[i];
}

static void put(unsigned bits, void *to, size_t i, double x)
{
    if (bits == 16)
        ((uint16_t *)to)[i] = hd_half_round(x, HD_ROUND_RTE);
    else
        ((float *)to)[i] = (float)x;
}

/* Half of them evenly, half with even exponents. */
static double operand(const Row *row, unsigned bits)
{
    double to = bits == 16 && row->to > 6e4 ? 6e4 : row->to;
    double from = bits == 16 && row->from < -6e4 ? -6e4 : row->from, x;

    if (random_one() < 0.5)
        return from + (to - from) * random_one();
    x = exp2(log2(to) - random_one() * (from > 0 ? log2(to) - log2(from) : bits == 16 ? 12 : 30));
    return from < 0 && random_one() < 0.5 ? -x : x;
}

/* ---- results ------------------------------------------------------------------------------- */

static void square_length(mpfr_t *x, mpfr_t r)
{
    mpfr_t a;

    mpfr_init2(a, 200);
    mpfr_set_zero(r, 1);
    for (unsigned i = 0; i < 3; i++) {
        mpfr_sqr(a, x[i], MPFR_RNDN);
        mpfr_add(r, r, a, MPFR_RNDN);
    }
    mpfr_clear(a);
}

/* What math.def does not have. */
static void own(const Row *row, mpfr_t *x, mpfr_t r)
{
    if (strcmp(row->name, "Fract") == 0) {
        mpfr_floor(r, x[0]);
        mpfr_sub(r, x[0], r, MPFR_RNDN);
        return;
    }
    square_length(x, r);
    mpfr_sqrt(r, r, MPFR_RNDN);
    if (strcmp(row->name, "Normalize") == 0)
        mpfr_div(r, x[0], r, MPFR_RNDN);
}

/* The limit at some operands, in units or as a difference (*is_absolute). */
static double limit_of(const Row *row, unsigned bits, const double x[3], bool *is_absolute)
{
    bool is_half = bits == 16;

    *is_absolute = row->kind == ABSOLUTE || (row->kind == LOGARITHM && x[0] >= 0.5 && x[0] <= 2);
    switch (row->kind) {
    case ROUNDED: return 0.5;
    case ULP: return is_half && row->limit > 5 ? 5 : row->limit;
    case EXPONENT: return (is_half ? 1 : 3) + 2 * fabs(x[0]);
    case LOGARITHM: return !*is_absolute ? 3 : is_half ? 0x1p-7 : 0x1p-21;
    case ABSOLUTE: return is_half ? 0x1p-7 : 0x1p-11;
    case POWER: return (is_half ? 1 : 3) + 2 * fabs(x[1] * log2(x[0]));
    }
    return 0;
}

/* The largest error so far, in units and as a difference. */
typedef struct Worst {
    double ulps, difference;
} Worst;

/* One result: is it within the limit? */
static bool look(const Row *row, unsigned bits, const double v[3], double got, Worst *w)
{
    const RefType *t = &ref_types[bits == 16 ? 0 : 1];
    double ulps, difference, limit;
    mpfr_t x[3], r;
    bool is_absolute;
    int32_t ri;

    for (unsigned i = 0; i < 3; i++) {
        mpfr_init2(x[i], 64);
        mpfr_set_d(x[i], v[i], MPFR_RNDN);
    }
    mpfr_init2(r, 200);
    if (row->fn == OWN)
        own(row, x, r);
    else
        ref_eval(row->fn, t, x, 0, r, &ri);
    limit = limit_of(row, bits, v, &is_absolute);
    ulps = ref_error_ulps(t, r, got, limit);
    if (row->fn == HD_MATH_round && ulps > 0) { /* of two numbers that are as near, either */
        ref_eval(HD_MATH_rint, t, x, 0, r, &ri);
        ulps = ref_error_ulps(t, r, got, limit);
    }
    difference = fabs(mpfr_get_d(r, MPFR_RNDN) - got);
    for (unsigned i = 0; i < 3; i++)
        mpfr_clear(x[i]);
    mpfr_clear(r);
    if (!is_absolute && ulps > w->ulps)
        w->ulps = ulps;
    if (is_absolute && difference > w->difference)
        w->difference = difference;
    return is_absolute ? difference <= limit : ulps <= limit;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static MathRow kernel_of(const Row *row, char body[400])
{
    static const HdMathForm forms[] = {HD_MATH_FORM_F_F, HD_MATH_FORM_F_FF, HD_MATH_FORM_F_FFF};
    static const char *const operands[] = {"%xa0", "%xa0 %xb0", "%xa0 %xb0 %xc0"};

    if (!row->is_vector)
        snprintf(body, 400, "%%r0 = OpExtInst %%f %%glsl %s %s\n", row->name,
                 operands[row->operands - 1]);
    else if (strcmp(row->name, "Length") == 0)
        snprintf(body, 400,
                 "%%w = OpCompositeConstruct %%f3 %%xa0 %%xb0 %%xc0\n"
                 "%%r0 = OpExtInst %%f %%glsl Length %%w\n");
    else
        snprintf(body, 400,
                 "%%w = OpCompositeConstruct %%f3 %%xa0 %%xb0 %%xc0\n"
                 "%%n = OpExtInst %%f3 %%glsl %s %%w\n%%r0 = OpCompositeExtract %%f %%n 0\n",
                 row->name);
    return (MathRow){
        .instruction = row->name, .is_glsl = true, .form = forms[row->operands - 1], .body = body};
}

static void fill(const Row *row, unsigned bits, float in[3][ITEMS])
{
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < ITEMS; i++)
            put(bits, in[k], i, operand(row, bits));
}

static void compare(const Row *row, const MathRun *run, Worst *w)
{
    bool fine = true;

    for (unsigned i = 0; i < ITEMS; i++) {
        const double x[3] = {get(run->bits, run->in[0], i), get(run->bits, run->in[1], i),
                             get(run->bits, run->in[2], i)};

        if (look(row, run->bits, x, get(run->bits, run->out, i), w))
            continue;
        if (fine)
            printf("FAILED: %s of %u bits, width %u: (%a, %a, %a) gives %a\n", row->name, run->bits,
                   run->width, x[0], x[1], x[2], get(run->bits, run->out, i));
        fine = false;
    }
    passed += fine;
    failed += !fine;
}

static Worst try_row(const Row *row, unsigned bits)
{
    static const struct {
        unsigned width;
        HdEngine engine;
    } ways[ROUNDS] = {{16, HD_ENGINE_COMPILED},
                      {8, HD_ENGINE_COMPILED},
                      {1, HD_ENGINE_COMPILED},
                      {4, HD_ENGINE_INTERPRETED}};
    static float in[3][ITEMS], out[ITEMS];
    char body[400];
    const MathRow kernel = kernel_of(row, body);
    Worst w = {0};

    for (unsigned i = 0; i < ROUNDS; i++) {
        const MathRun run = {.bits = bits,
                             .items = ITEMS,
                             .operands = row->operands,
                             .copies = 1,
                             .width = ways[i].width,
                             .engine = ways[i].engine,
                             .out = out,
                             .in = {in[0], in[1], in[2]}};

        fill(row, bits, in);
        if (math_kernel_run(&kernel, &run))
            compare(row, &run, &w);
        else
            failed++;
    }
    return w;
}

static void print_worst(Worst w)
{
    if (w.difference != 0 && w.ulps != 0)
        printf(" | %.3g ulp; 2^%.1f", w.ulps, log2(w.difference));
    else if (w.difference != 0)
        printf(" | 2^%.1f", log2(w.difference));
    else
        printf(" | %.3g ulp", w.ulps);
}

int main(int argc, char **argv)
{
    bool is_table = argc > 1 && strcmp(argv[1], "--table") == 0;
    const char *only = argc > 1 + is_table ? argv[1 + is_table] : NULL;

    generator_link();
    for (size_t i = 0; i < ROWS; i++) {
        Worst half, single;

        if (only != NULL && strcmp(only, rows[i].name) != 0)
            continue;
        half = try_row(&rows[i], 16);
        single = try_row(&rows[i], 32);
        if (!is_table)
            continue;
        printf("| %s | %s", rows[i].name, rows[i].says);
        print_worst(half);
        print_worst(single);
        printf(" |\n");
    }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
