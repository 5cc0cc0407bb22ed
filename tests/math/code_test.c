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
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/heddle.h"
#include "rt/math/math.h"

#define ITEMS 2048u

typedef struct Row {
    const char *instruction;
    HdMathForm form;
    bool is_pair, is_second; /* of the instruction's results; the second goes through a pointer */
    bool to_int;             /* the pair's second result is an int */
} Row;

#define F_F   HD_MATH_FORM_F_F
#define F_FF  HD_MATH_FORM_F_FF
#define F_FFF HD_MATH_FORM_F_FFF
#define F_FI  HD_MATH_FORM_F_FI
#define F_U   HD_MATH_FORM_F_U
#define I_F   HD_MATH_FORM_I_F
#define I_FF  HD_MATH_FORM_I_FF

static Row rows[HD_MATH_COUNT] = {
#define MATH(name, operands, shape, ulp16, ulp32, ulp64, inst) \
    [HD_MATH_##name] = {.instruction = inst, .form = shape},
#include "rt/math/math.def"
#undef MATH
};

static unsigned passed, failed;

/* What lane IR has as operations of its own, and is tested elsewhere. */
static const unsigned own[] = {HD_MATH_ceil, HD_MATH_copysign,    HD_MATH_div,         HD_MATH_fabs,
                               HD_MATH_fma,  HD_MATH_floor,       HD_MATH_fclamp,      HD_MATH_fmax,
                               HD_MATH_fmin, HD_MATH_fmax_common, HD_MATH_fmin_common, HD_MATH_mad,
                               HD_MATH_mix,  HD_MATH_rint,        HD_MATH_smoothstep,  HD_MATH_sqrt,
                               HD_MATH_step, HD_MATH_trunc};

static void mark_pairs(void)
{
    static const struct {
        unsigned first, second;
        bool to_int;
    } pairs[] = {{HD_MATH_fract_value, HD_MATH_fract_int, false},
                 {HD_MATH_frexp_mant, HD_MATH_frexp_exp, true},
                 {HD_MATH_lgamma, HD_MATH_lgamma_sign, true},
                 {HD_MATH_modf_frac, HD_MATH_modf_int, false},
                 {HD_MATH_remquo_rem, HD_MATH_remquo_quo, true}};

    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Row *first = &rows[pairs[i].first], *second = &rows[pairs[i].second];

        first->is_pair = pairs[i].first != HD_MATH_lgamma;
        second->is_pair = second->is_second = true;
        first->to_int = second->to_int = pairs[i].to_int;
    }
}

/* ---- the kernel ---- */

static bool is_int(HdMathForm f)
{
    return f == I_F || f == I_FF;
}

/* Copy j of the function. */
static int write_call(char *text, size_t room, const Row *r, const char *const *type,
                      const char *result, unsigned operands, unsigned j)
{
    int n = snprintf(text, room, "%%i%u = OpIAdd %%i64 %%i %%o%u\n", j, j);

    for (unsigned i = 0; i < operands; i++)
        n += snprintf(text + n, room - (size_t)n,
                      "%%p%c%u = OpInBoundsPtrAccessChain %%g%s %%%c %%i%u\n"
                      "%%x%c%u = OpLoad %%%s %%p%c%u Aligned 2\n",
                      'a' + i, j, type[i], 'a' + i, j, 'a' + i, j, type[i], 'a' + i, j);
    n += snprintf(text + n, room - (size_t)n, "%%r%u = OpExtInst %%%s %%std %s", j,
                  r->is_second ? "f" : result, r->instruction);
    for (unsigned i = 0; i < operands; i++)
        n += snprintf(text + n, room - (size_t)n, " %%x%c%u", 'a' + i, j);
    n += snprintf(text + n, room - (size_t)n, "%s\n", r->is_pair ? " %second" : "");
    if (r->is_second)
        n += snprintf(text + n, room - (size_t)n, "%%s%u = OpLoad %%%s %%second\n", j, result);
    n += snprintf(
        text + n, room - (size_t)n,
        "%%po%u = OpInBoundsPtrAccessChain %%g%s %%out %%i%u\nOpStore %%po%u %%%s%u Aligned 2\n", j,
        result, j, j, r->is_second ? "s" : "r", j);
    return n;
}

/* out[i] = fn(a[i], b[i], c[i]) for `copies` places i of each item; pointers are of the operands'
 * own types. Many copies become calls of one function. */
static void write_kernel(char *text, size_t room, const Row *r, unsigned bits, unsigned operands,
                         unsigned copies)
{
    const char *result = is_int(r->form) ? "i32" : "f";
    const char *word = bits == 16 ? "i16" : bits == 32 ? "i32" : "i64";
    const char *type[3] = {r->form == F_U ? word : "f", r->form == F_FI ? "i32" : "f", "f"};
    int n;

    n = snprintf(
        text, room,
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int16\n"
        "OpCapability Float16\nOpCapability Float64\n%%std = OpExtInstImport \"OpenCL.std\"\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%k \"k\" %%id\n"
        "OpDecorate %%id BuiltIn GlobalInvocationId\n%%void = OpTypeVoid\n"
        "%%i16 = OpTypeInt 16 0\n%%i32 = OpTypeInt 32 0\n%%i64 = OpTypeInt 64 0\n%%f = OpTypeFloat "
        "%u\n"
        "%%v3 = OpTypeVector %%i64 3\n%%pv3 = OpTypePointer Input %%v3\n"
        "%%gf = OpTypePointer CrossWorkgroup %%f\n%%gi32 = OpTypePointer CrossWorkgroup %%i32\n"
        "%%gi16 = OpTypePointer CrossWorkgroup %%i16\n%%gi64 = OpTypePointer CrossWorkgroup %%i64\n"
        "%%lf = OpTypePointer Function %%f\n"
        "%%li32 = OpTypePointer Function %%i32\n%%fn = OpTypeFunction %%void %%g%s %%g%s %%g%s "
        "%%gf\n"
        "%%id = OpVariable %%pv3 Input\n",
        bits, result, type[0], type[1]);
    for (unsigned j = 0; j < copies; j++)
        n += snprintf(text + n, room - (size_t)n, "%%o%u = OpConstant %%i64 %u\n", j,
                      j * (ITEMS / copies));
    n += snprintf(
        text + n, room - (size_t)n,
        "%%k = OpFunction %%void None %%fn\n"
        "%%out = OpFunctionParameter %%g%s\n%%a = OpFunctionParameter %%g%s\n"
        "%%b = OpFunctionParameter %%g%s\n%%c = OpFunctionParameter %%gf\n%%entry = OpLabel\n"
        "%%second = OpVariable %%l%s Function\n"
        "%%ids = OpLoad %%v3 %%id\n%%i = OpCompositeExtract %%i64 %%ids 0\n",
        result, type[0], type[1], r->to_int ? "i32" : "f");
    for (unsigned j = 0; j < copies; j++)
        n += write_call(text + n, room - (size_t)n, r, type, result, operands, j);
    snprintf(text + n, room - (size_t)n, "OpReturn\nOpFunctionEnd\n");
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
    unsigned size = is_int(rows[fn].form) ? 32 : bits;

    for (unsigned i = 0; i < ITEMS; i++) {
        uint64_t a = word_at(size, got, i), b = word_at(size, want, i);

        if (a == b || (!is_int(rows[fn].form) && is_nan(size, a) && is_nan(size, b)))
            continue;
        /* What code calls is made for this machine, whatever the code itself is for. */
        if (a == word_at(size, best, i))
            continue;
        printf("FAILED: %s_f%u, %s, width %u, item %u: %#llx, not %#llx, for %#llx, %#llx\n",
               hd_rt_math_name(fn), bits, cpu, width, i, (unsigned long long)a,
               (unsigned long long)b, (unsigned long long)word_at(bits, in[0], i),
               (unsigned long long)word_at(rows[fn].form == F_FI ? 32 : bits, in[1], i));
        return false;
    }
    return true;
}

/* Run a row's kernel on `in`, into `got`. */
static bool run_kernel(const Row *row, unsigned bits, unsigned operands, unsigned width,
                       unsigned copies, heddle_engine engine)
{
    static char text[1 << 15];
    heddle_report *r = heddle_report_open();
    heddle_program *p = NULL;
    heddle_arg args[4] = {{got, 0}, {in[0], 0}, {in[1], 0}, {in[2], 0}};
    heddle_launch l = {.args = args,
                       .arg_count = 4,
                       .work_dim = 1,
                       .global_size = {ITEMS / copies},
                       .local_size = {64},
                       .engine = engine,
                       .subgroup_size = width,
                       .threads = 1};
    uint32_t *words = NULL;
    size_t nwords;
    bool ran;

    write_kernel(text, sizeof text, row, bits, operands, copies);
    memset(got, 0x55, sizeof got);
    ran = heddle_assemble(text, strlen(text), r, &words, &nwords) == HEDDLE_OK &&
          heddle_program_open(words, nwords, NULL, 0, r, &p) == HEDDLE_OK &&
          heddle_run(p, &l, r) == HEDDLE_OK;
    if (!ran)
        printf("FAILED: %s_f%u: %s\n%s\n", row->instruction, bits, heddle_report_text(r, "text"),
               text);
    heddle_program_close(p);
    heddle_free(words);
    heddle_report_close(r);
    return ran;
}

static HdMathIsa isa_of(const char *cpu)
{
    return cpu[8] == '4' ? HD_MATH_ISA_V4 : (cpu[8] == '3' ? HD_MATH_ISA_V3 : HD_MATH_ISA_V2);
}

static void test(const char *cpu, unsigned fn, unsigned bits, unsigned width, unsigned copies)
{
    const Row *row = &rows[fn];
    HdMathLanesFn *table;
    bool good;

    for (unsigned i = 0; i < 3; i++)
        fill(bits, in[i], i == 1 && row->form == F_FI, i);
    /* A guess of the processor's that a function begins with is another one there. */
    table = hd_rt_math_fn_isa(fn, bits, isa_of(cpu));
    table = table != NULL ? table : hd_rt_math_fn(fn, bits);
    table(want, in[0], in[1], in[2], ITEMS);
    memcpy(best, want, sizeof best);
    if (isa_of(cpu) == HD_MATH_ISA_V2)
        hd_rt_math_fn(fn, bits)(best, in[0], in[1], in[2], ITEMS);
    good = run_kernel(row, bits, hd_rt_math_arity(fn), width, copies, HEDDLE_COMPILED) &&
           compare(cpu, fn, bits, width);
    passed += good;
    failed += !good;
}

/* The native_ functions of floats between 2^-6 and 20 are near the exact ones, and have their zeros
 * and infinities. */
static void test_fast(const char *cpu, unsigned width)
{
    static const struct {
        Row row;
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
                {{.instruction = "native_powr", .form = F_FF}, HD_MATH_powr},
                {{.instruction = "native_divide", .form = F_FF}, HD_MATH_div},
                {{.instruction = "half_cos"}, HD_MATH_cos},
                {{.instruction = "half_exp"}, HD_MATH_exp},
                {{.instruction = "half_divide", .form = F_FF}, HD_MATH_div}};
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
        good = run_kernel(&fast[k].row, 32, fast[k].row.form == F_FF ? 2 : 1, width, 1,
                          HEDDLE_COMPILED);
        for (unsigned i = 0; i < ITEMS && good; i++) {
            float off = a[i] - b[i], size = b[i] < 0.0f ? -b[i] : b[i];

            if (a[i] == b[i] || ((off < 0.0f ? -off : off) <= 4e-6f * (size > 1.0f ? size : 1.0f)))
                continue;
            printf("FAILED: %s, %s, width %u: %a, not %a, for %a, %a\n", fast[k].row.instruction,
                   cpu, width, (double)a[i], (double)b[i], (double)x[i], (double)y[i]);
            good = false;
        }
        passed += good;
        failed += !good;
    }
}

/* The interpreter's functions that have one right answer and are none of one component alone; the
 * others are held against MPFR by interp_math_test. */
static void test_interpreter(const char *only)
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
            good = run_kernel(&rows[fn], bits, arity, 16, 1, HEDDLE_INTERPRETED) &&
                   compare("the interpreter", fn, bits, 16);
            passed += good;
            failed += !good;
        }
}

static void test_all(const char *cpu, const char *only, const unsigned *widths)
{
    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        bool is_own = false;

        for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
            is_own |= own[i] == fn;
        if (is_own || (only != NULL && strcmp(only, hd_rt_math_name(fn)) != 0))
            continue;
        for (unsigned bits = 16; bits <= 64; bits *= 2) {
            for (unsigned i = 0; widths[i] != 0; i++)
                test(cpu, fn, bits, widths[i], 1);
            test(cpu, fn, bits, widths[0], 16);
        }
    }
    for (unsigned i = 0; widths[i] != 0 && only == NULL; i++)
        test_fast(cpu, widths[i]);
}

/* The code generator is looked for beside the program that asks for it. */
static void link_generator(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);

    if (n <= 0)
        return;
    path[n] = '\0';
    strcpy(strrchr(path, '/') + 1, "libheddle-llvm.so");
    (void)!symlink("../../libheddle-llvm.so", path);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *cpu;
        HdMathIsa isa;
        unsigned widths[6];
    } machines[] = {{"x86-64-v4", HD_MATH_ISA_V4, {16, 32, 8, 1, 0}},
                    {"x86-64-v3", HD_MATH_ISA_V3, {8, 16, 4, 1, 0}},
                    {"x86-64-v2", HD_MATH_ISA_V2, {4, 8, 1, 0}}};
    unsigned skipped = 0;

    link_generator();
    mark_pairs();
    setenv("HEDDLE_CACHE", "0", 1);
    test_interpreter(argc > 1 ? argv[1] : NULL);
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        unsigned counts[2] = {0, 0};
        int pipes[2], status;
        pid_t child;

        if (!hd_rt_math_has_isa(machines[i].isa) || pipe(pipes) != 0) {
            skipped++;
            continue;
        }
        fflush(stdout);
        child = fork(); /* the processor is an option that is read once */
        if (child == 0) {
            passed = failed = 0;
            setenv("HEDDLE_CPU", machines[i].cpu, 1);
            test_all(machines[i].cpu, argc > 1 ? argv[1] : NULL, machines[i].widths);
            counts[0] = passed;
            counts[1] = failed;
            (void)!write(pipes[1], counts, sizeof counts);
            fflush(stdout);
            _exit(0);
        }
        close(pipes[1]);
        if (read(pipes[0], counts, sizeof counts) != (ssize_t)sizeof counts)
            counts[1] = 1;
        close(pipes[0]);
        waitpid(child, &status, 0);
        failed += status != 0;
        passed += counts[0];
        failed += counts[1];
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
