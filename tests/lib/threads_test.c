/* tests/lib/threads_test.c -- the public C API from many threads at once; for ThreadSanitizer.
 *
 * Each thread assembles, disassembles, validates, links, strips, specialises and lowers modules of
 * its own and looks at one view that all share; some run kernels of one program that all share. All
 * must see what one thread alone sees.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "heddle/heddle.h"

enum { THREADS = 6, ROUNDS = 8 };

static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"add\"\n"
    "OpName %k \"add\"\nOpDecorate %seven SpecId 3\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%ptr = OpTypePointer CrossWorkgroup %u32\n"
    "%fn = OpTypeFunction %void %ptr %u32\n%seven = OpSpecConstant %u32 7\n"
    "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %ptr\n"
    "%n = OpFunctionParameter %u32\n%b = OpLabel\n%old = OpLoad %u32 %p Aligned 4\n"
    "%sum = OpIAdd %u32 %old %n\n%new = OpIAdd %u32 %sum %seven\nOpStore %p %new Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

static heddle_view *shared_view;
static heddle_program *shared_program;
static void rewrite(const uint32_t *words, size_t count)
{
    heddle_module module = {words, count};
    heddle_specialization nine = {3, 4, 9, NULL};
    uint32_t *made = NULL;
    size_t n = 0;

    check(heddle_link(&module, 1, 1, NULL, &made, &n) == HEDDLE_OK && n > 5, "link");
    heddle_free(made);
    check(heddle_strip(words, count, 0, NULL, &made, &n) == HEDDLE_OK && n < count, "strip");
    heddle_free(made);
    check(heddle_specialize(words, count, &nine, 1, 0, NULL, &made, &n) == HEDDLE_OK && n == count,
          "specialize");
    heddle_free(made);
    check(heddle_lower(words, count, "opencl1.2", NULL, NULL, &made, &n) == HEDDLE_OK, "lower");
    heddle_free(made);
}

static void work_on_own(void)
{
    heddle_validate_options o = {.env = "opencl3.0", .threads = 2};
    heddle_report *r = heddle_report_open();
    uint32_t *words = NULL;
    size_t count = 0;
    char *shown = NULL;

    check(heddle_assemble(text, strlen(text), r, &words, &count) == HEDDLE_OK, "assemble");
    check(heddle_disassemble(words, count, 0, r, &shown) == HEDDLE_OK && strstr(shown, "%add"),
          "disassemble");
    heddle_free(shown);
    check(heddle_validate_with(words, count, &o, r) == HEDDLE_OK, "validate");
    check(heddle_validate(words, count, "opencl9.9", NULL, r) == HEDDLE_BAD_INPUT &&
              heddle_report_count(r) == 1,
          "a finding of its own");
    rewrite(words, count);
    heddle_free(words);
    heddle_report_close(r);
}

static void look_at_shared(void)
{
    heddle_instruction in;
    uint32_t at = 0, seen = 0;

    while (heddle_view_next(shared_view, &at, &in)) {
        heddle_operand operands[8];
        char *shown = heddle_view_text(shared_view, &in);

        seen += shown != NULL && heddle_view_operands(shared_view, &in, operands, 8) < 9;
        heddle_free(shown);
    }
    check(seen == 21, "all instructions of the view");
    check(heddle_view_function_count(shared_view) == 1, "its function");
}

static void run_shared(heddle_engine engine)
{
    uint32_t cell = 1, two = 2;
    heddle_arg args[] = {{&cell, 0}, {&two, sizeof two}};
    heddle_launch l = {.args = args,
                       .arg_count = 2,
                       .work_dim = 1,
                       .global_size = {1},
                       .engine = engine,
                       .threads = 1};

    check(heddle_run(shared_program, &l, NULL) == HEDDLE_OK && cell == 10, "run");
}

static void *work(void *number)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        work_on_own();
        look_at_shared();
        run_shared((i + *(unsigned *)number) % 2 != 0 ? HEDDLE_COMPILED : HEDDLE_INTERPRETED);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    uint32_t *words = NULL;
    size_t count = 0;

    check(heddle_assemble(text, strlen(text), NULL, &words, &count) == HEDDLE_OK &&
              heddle_view_open(words, count, NULL, &shared_view) == HEDDLE_OK &&
              heddle_program_open(words, count, NULL, 0, NULL, &shared_program) == HEDDLE_OK,
          "what all share");
    heddle_free(words);
    if (shared_program != NULL) {
        for (unsigned i = 0; i < THREADS; i++) {
            numbers[i] = i;
            check(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0, "a thread");
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    heddle_program_close(shared_program);
    heddle_view_close(shared_view);
    return report();
}
