/* tests/lib/threads_test.c -- the public C API from many threads at once; for ThreadSanitizer.
 *
 * Each thread assembles, disassembles, validates, links, strips, specialises and lowers modules of
 * its own and looks at one view that all share; some run kernels of one program that all share. All
 * must see what one thread alone sees. Then threads run checked launches of one check.
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

/* Work-groups whose launches use up the check's epochs, each after the other, with all cells. */
enum { GROUPS = 4096, CHECKED_THREADS = 3, LAUNCHES = 2 };

static const char barrier_text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"barred\" %id\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %u64 3\n%in = OpTypePointer Input %v3\n"
    "%ptr = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %ptr\n"
    "%two = OpConstant %u32 2\n%semantics = OpConstant %u32 520\n%id = OpVariable %in Input\n"
    "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %ptr\n%b = OpLabel\n"
    "%ids = OpLoad %v3 %id\n%x = OpCompositeExtract %u64 %ids 0\n"
    "OpControlBarrier %two %two %semantics\n%at = OpInBoundsPtrAccessChain %ptr %p %x\n"
    "OpStore %at %two Aligned 4\nOpReturn\nOpFunctionEnd\n";

static heddle_check *shared_check;

static void *run_checked(void *memory)
{
    heddle_arg arg = {memory, 0};
    heddle_launch l = {.args = &arg,
                       .arg_count = 1,
                       .work_dim = 1,
                       .global_size = {GROUPS},
                       .local_size = {1},
                       .threads = 1};

    for (unsigned i = 0; i < LAUNCHES; i++)
        check(heddle_check_run(shared_check, shared_program, &l, NULL, NULL) == HEDDLE_OK,
              "a checked run");
    return NULL;
}

/* Launches of one check at the same time: nothing is found that is not there, and all is counted.
 */
static void test_checked(void)
{
    static uint32_t memory[CHECKED_THREADS][GROUPS];
    pthread_t threads[CHECKED_THREADS];
    heddle_kernel_counts k;
    uint32_t *words = NULL;
    size_t count = 0;

    shared_check = heddle_check_open();
    check(heddle_assemble(barrier_text, strlen(barrier_text), NULL, &words, &count) == HEDDLE_OK &&
              heddle_program_open(words, count, NULL, 0, NULL, &shared_program) == HEDDLE_OK,
          "a program with a barrier");
    heddle_free(words);
    heddle_counts_begin(shared_check);
    for (unsigned i = 0; i < CHECKED_THREADS; i++) {
        heddle_check_memory(shared_check, memory[i], sizeof memory[i], NULL, 0);
        check(pthread_create(&threads[i], NULL, run_checked, memory[i]) == 0, "a thread");
    }
    for (unsigned i = 0; i < CHECKED_THREADS; i++)
        pthread_join(threads[i], NULL);
    check(heddle_check_count(shared_check) == 0, "no defects");
    k = heddle_counts_kernel(shared_check, 0);
    check(heddle_counts_kernel_count(shared_check) == 1 &&
              k.launches == (uint64_t)CHECKED_THREADS * LAUNCHES &&
              k.work_items == k.launches * GROUPS && k.instructions == k.work_items * 6,
          "counts of all threads");
    heddle_check_close(shared_check);
    heddle_program_close(shared_program);
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
    test_checked();
    return report();
}
