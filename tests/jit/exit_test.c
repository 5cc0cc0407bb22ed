/* tests/jit/exit_test.c -- the process may end while threads compile.
 *
 * Children exit at different times after a thread of theirs has begun to compile: each has the
 * status that it exits with, and no child waits for a thread that is left without a processor.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "counts.h"
#include "generator.h"
#include "program.h"

#define CHILDREN 12u
#define STEPS    3000u /* takes LLVM about a second */
#define STATUS   7

/* Builds for sanitizers share LLVM, which is not safe from exits while it is set up
 * (docs/limits.md): there a small kernel is compiled before. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WARMS_UP true
#else
#define WARMS_UP false
#endif

static const char head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %id\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
    "%u64 = OpTypeInt 64 0\n%v3 = OpTypeVector %u64 3\n%pi = OpTypePointer Input %v3\n"
    "%id = OpVariable %pi Input\n%pg = OpTypePointer CrossWorkgroup %u32\n"
    "%ft = OpTypeFunction %void %pg\n%k = OpFunction %void None %ft\n"
    "%p = OpFunctionParameter %pg\n%e = OpLabel\n%ids = OpLoad %v3 %id Aligned 32\n"
    "%i = OpCompositeExtract %u64 %ids 0\n%at = OpInBoundsPtrAccessChain %pg %p %i\n"
    "%x0 = OpLoad %u32 %at Aligned 4\n%y0 = OpLoad %u32 %p Aligned 4\n";

/* Numbers that depend on each other and on memory between them. */
static void write_source(unsigned steps, HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    for (unsigned n = 0; n < steps; n++)
        hd_strbuf_printf(s,
                         "%%z%u = OpUDiv %%u32 %%x%u %%y%u\n%%x%u = OpIMul %%u32 %%z%u %%y%u\n"
                         "%%y%u = OpIAdd %%u32 %%x%u %%z%u\n",
                         n, n, n, n + 1, n, n, n + 1, n + 1, n);
    hd_strbuf_printf(s, "OpStore %%at %%x%u Aligned 4\nOpReturn\nOpFunctionEnd\n", steps);
}

static HdProgram *open_program(unsigned steps)
{
    HdStrbuf source = {0};
    HdProgram *p;

    write_source(steps, &source);
    p = program_open(hd_strbuf_text(&source), source.count, NULL);
    hd_strbuf_free(&source);
    return p;
}

/* What is compiled when the process ends: LeakSanitizer finds it here. */
static HdProgram *program;

static void *compile(void *unused)
{
    HdVariant v = {.width = 16, .launch = {.x_divisible = true, .full = true}};
    const HdKernelCode *code = NULL;
    HdDiags d;

    (void)unused;
    hd_diags_init(&d);
    (void)hd_program_code(program, &hd_program_layout(program)->kernels[0], v, &d, &code);
    hd_diags_drop(&d);
    return NULL;
}

static void warm_up(void)
{
    program = open_program(1);
    compile(NULL);
    hd_program_close(program);
}

static int child(unsigned wait_ms)
{
    struct timespec wait = {wait_ms / 1000, (long)(wait_ms % 1000) * 1000000};
    pthread_t thread;

    if (WARMS_UP)
        warm_up();
    program = open_program(STEPS);
    if (program == NULL || pthread_create(&thread, NULL, compile, NULL) != 0)
        return 1;
    nanosleep(&wait, NULL);
    exit(STATUS);
}

/* It begins anew: of what its parent has opened nothing is left to it. */
static int run_child(const char *path, unsigned wait_ms)
{
    char number[16];
    int status = -1;
    pid_t pid;

    snprintf(number, sizeof number, "%u", wait_ms);
    pid = fork();
    if (pid == 0) {
        execl(path, path, number, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    return status;
}

int main(int argc, char **argv)
{
    unsigned wait_ms = 1;

    generator_link();
    setenv("HEDDLE_CACHE", "0", 1);
    if (argc > 1)
        return child((unsigned)strtoul(argv[1], NULL, 10));
    for (unsigned i = 0; i < CHILDREN; i++, wait_ms += wait_ms / 2 + 1) {
        int status = run_child(argv[0], wait_ms);

        check(WIFEXITED(status) && WEXITSTATUS(status) == STATUS, "the child's own status");
    }
    return report();
}
