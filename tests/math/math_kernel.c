/* tests/math/math_kernel.c -- kernels of one function, and the machines that they are made for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/args.h"
#include "launch/memory.h"
#include "launch/run.h"
#include "math_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "generator.h"
#include "text/as.h"

#define F_F   HD_MATH_FORM_F_F
#define F_FF  HD_MATH_FORM_F_FF
#define F_FFF HD_MATH_FORM_F_FFF
#define F_FI  HD_MATH_FORM_F_FI
#define F_U   HD_MATH_FORM_F_U
#define I_F   HD_MATH_FORM_I_F
#define I_FF  HD_MATH_FORM_I_FF

MathRow math_rows[HD_MATH_COUNT] = {
#define MATH(name, operands, shape, ulp16, ulp32, ulp64, inst) \
    [HD_MATH_##name] = {.instruction = inst, .form = shape},
#include "rt/math/math.def"
#undef MATH
};

void math_rows_open(void)
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
        MathRow *first = &math_rows[pairs[i].first], *second = &math_rows[pairs[i].second];

        first->is_pair = pairs[i].first != HD_MATH_lgamma;
        second->is_pair = second->is_second = true;
        first->to_int = second->to_int = pairs[i].to_int;
    }
    math_rows[HD_MATH_div].body = "%r0 = OpFDiv %f %xa0 %xb0\n";
}

/* ---- the kernel ---- */

/* Copy j of the function. */
static void write_call(HdStrbuf *s, const MathRow *row, const char *const *type, const char *result,
                       unsigned operands, unsigned j)
{
    hd_strbuf_printf(s, "%%i%u = OpIAdd %%i64 %%i %%o%u\n", j, j);
    for (unsigned i = 0; i < operands; i++)
        hd_strbuf_printf(s,
                         "%%p%c%u = OpInBoundsPtrAccessChain %%g%s %%%c %%i%u\n"
                         "%%x%c%u = OpLoad %%%s %%p%c%u Aligned 2\n",
                         'a' + i, j, type[i], 'a' + i, j, 'a' + i, j, type[i], 'a' + i, j);
    if (row->body != NULL) {
        hd_strbuf_add(s, row->body);
    } else {
        hd_strbuf_printf(s, "%%r%u = OpExtInst %%%s %%std %s", j, row->is_second ? "f" : result,
                         row->instruction);
        for (unsigned i = 0; i < operands; i++)
            hd_strbuf_printf(s, " %%x%c%u", 'a' + i, j);
        hd_strbuf_add(s, row->is_pair ? " %second\n" : "\n");
    }
    if (row->is_second)
        hd_strbuf_printf(s, "%%s%u = OpLoad %%%s %%second\n", j, result);
    hd_strbuf_printf(s,
                     "%%po%u = OpInBoundsPtrAccessChain %%g%s %%out %%i%u\n"
                     "OpStore %%po%u %%%s%u Aligned 2\n",
                     j, result, j, j, row->is_second ? "s" : "r", j);
}

/* out[i] = fn(a[i], b[i], c[i]) for `copies` places i of each item; pointers are of the operands'
 * own types. Many copies become calls of one function. */
static void write_kernel(HdStrbuf *s, const MathRow *row, const MathRun *run)
{
    const char *result = row->form == I_F || row->form == I_FF ? "i32" : "f";
    const char *word = run->bits == 16 ? "i16" : run->bits == 32 ? "i32" : "i64";
    const char *type[3] = {row->form == F_U ? word : "f", row->form == F_FI ? "i32" : "f", "f"};

    hd_strbuf_printf(
        s,
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int16\n"
        "OpCapability Float16\nOpCapability Float64\n%%std = OpExtInstImport \"OpenCL.std\"\n"
        "%s"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%k \"k\" %%id\n"
        "OpDecorate %%id BuiltIn GlobalInvocationId\n%%void = OpTypeVoid\n"
        "%%i16 = OpTypeInt 16 0\n%%i32 = OpTypeInt 32 0\n%%i64 = OpTypeInt 64 0\n"
        "%%f = OpTypeFloat %u\n%%f3 = OpTypeVector %%f 3\n%%one = OpConstant %%f 1\n"
        "%%v3 = OpTypeVector %%i64 3\n%%pv3 = OpTypePointer Input %%v3\n"
        "%%gf = OpTypePointer CrossWorkgroup %%f\n%%gi32 = OpTypePointer CrossWorkgroup %%i32\n"
        "%%gi16 = OpTypePointer CrossWorkgroup %%i16\n%%gi64 = OpTypePointer CrossWorkgroup %%i64\n"
        "%%lf = OpTypePointer Function %%f\n%%li32 = OpTypePointer Function %%i32\n"
        "%%fn = OpTypeFunction %%void %%g%s %%g%s %%g%s %%gf\n%%id = OpVariable %%pv3 Input\n",
        row->is_glsl ? "%glsl = OpExtInstImport \"GLSL.std.450\"\n" : "", run->bits, result,
        type[0], type[1]);
    for (unsigned j = 0; j < run->copies; j++)
        hd_strbuf_printf(s, "%%o%u = OpConstant %%i64 %u\n", j, j * (run->items / run->copies));
    hd_strbuf_printf(s,
                     "%%k = OpFunction %%void None %%fn\n"
                     "%%out = OpFunctionParameter %%g%s\n%%a = OpFunctionParameter %%g%s\n"
                     "%%b = OpFunctionParameter %%g%s\n%%c = OpFunctionParameter %%gf\n"
                     "%%entry = OpLabel\n%%second = OpVariable %%l%s Function\n"
                     "%%ids = OpLoad %%v3 %%id\n%%i = OpCompositeExtract %%i64 %%ids 0\n",
                     result, type[0], type[1], row->to_int ? "i32" : "f");
    for (unsigned j = 0; j < run->copies; j++)
        write_call(s, row, type, result, run->operands, j);
    hd_strbuf_add(s, "OpReturn\nOpFunctionEnd\n");
}

/* ---- a run ---- */

static void drop_text(void *user, const char *text, size_t len)
{
    (void)user, (void)text, (void)len;
}

static HdStatus launch(HdProgram *p, const MathRun *run, HdDiags *d)
{
    HdLaunch l = {.program = p,
                  .kernel = hd_build_kernel_info(hd_program_layout(p), "k"),
                  .engine = run->engine,
                  .work_dim = 1,
                  .global_size = {run->items / run->copies, 1, 1},
                  .local_size = {64, 1, 1},
                  .width = run->width,
                  .sink = drop_text};
    const void *values[4] = {run->out, run->in[0], run->in[1], run->in[2]};
    HdProgramMemory memory;
    HdArgs args;
    HdStatus st;

    HD_TRY(hd_program_memory_open(p, &memory));
    l.memory = &memory;
    st = hd_args_open(l.kernel, &args);
    if (st == HD_OK) {
        for (uint32_t i = 0; i < 4 && st == HD_OK; i++)
            st = hd_args_set(&args, i, sizeof values[i], &values[i]);
        l.args = &args;
        if (st == HD_OK)
            st = hd_launch_run(NULL, &l, d);
        hd_args_close(&args);
    }
    hd_program_memory_close(&memory);
    return st;
}

bool math_kernel_run(const MathRow *row, const MathRun *run)
{
    HdProgramOptions o = {.fast_math = run->fast, .env = row->is_glsl ? "universal1.6" : NULL};
    HdStrbuf text = {0}, found = {0};
    HdProgram *p = NULL;
    uint32_t *words = NULL;
    size_t nwords;
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    write_kernel(&text, row, run);
    st = hd_text_assemble(hd_strbuf_text(&text), strlen(hd_strbuf_text(&text)), NULL, &d, &words,
                          &nwords);
    if (st == HD_OK)
        st = hd_program_open(words, nwords, &o, &d, &p);
    if (st == HD_OK)
        st = launch(p, run, &d);
    if (st != HD_OK) {
        hd_diags_print(&d, &found, false);
        printf("FAILED: %s_f%u: %s\n%s\n", row->instruction, run->bits, hd_strbuf_text(&found),
               hd_strbuf_text(&text));
    }
    hd_program_close(p);
    hd_free(words);
    hd_strbuf_free(&text);
    hd_strbuf_free(&found);
    hd_diags_drop(&d);
    return st == HD_OK;
}

/* ---- machines ---- */

void math_each_machine(MathCounts *c, void (*test)(const MathMachine *))
{
    static const MathMachine machines[] = {{"x86-64-v4", HD_MATH_ISA_V4, {16, 32, 8, 1, 0}},
                                           {"x86-64-v3", HD_MATH_ISA_V3, {8, 16, 4, 1, 0}},
                                           {"x86-64-v2", HD_MATH_ISA_V2, {4, 8, 1, 0}}};

    generator_link();
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        MathCounts counted = {0};
        int pipes[2], status;
        pid_t child;

        if (!hd_rt_math_has_isa(machines[i].isa) || pipe(pipes) != 0) {
            c->skipped++;
            continue;
        }
        fflush(stdout);
        child = fork(); /* the processor is an option that is read once */
        if (child == 0) {
            *c = counted;
            setenv("HEDDLE_CPU", machines[i].cpu, 1);
            test(&machines[i]);
            (void)!write(pipes[1], c, sizeof *c);
            fflush(stdout);
            _exit(0);
        }
        close(pipes[1]);
        if (read(pipes[0], &counted, sizeof counted) != (ssize_t)sizeof counted)
            counted.failed = 1;
        close(pipes[0]);
        waitpid(child, &status, 0);
        c->passed += counted.passed;
        c->failed += counted.failed + (status != 0);
        c->skipped += counted.skipped;
    }
}
