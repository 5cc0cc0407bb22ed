/* tests/robust/world.c -- processes of their own, and the whole way of a module.
 *
 * SPDX-License-Identifier: MIT
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "build/build.h"
#include "generator.h"
#include "interp/interp.h"
#include "jit/cpu.h"
#include "jit/loader.h"
#include "jit/program.h"
#include "lanes/lanes.h"
#include "mutate.h"
#include "opt/pass.h"

double world_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool world_apart(const char *name, bool (*test)(size_t which), size_t which)
{
    int status = 0;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        struct itimerval limit = {.it_value = {.tv_sec = 60}};
        struct rlimit no_core = {0};

        setrlimit(RLIMIT_CORE, &no_core);
        setitimer(ITIMER_PROF, &limit, NULL);
        alarm(500);
        exit(!test(which));
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    if (WIFSIGNALED(status))
        printf("%s: died: %s\n", name, strsignal(WTERMSIG(status)));
    else if (status != 0)
        printf("%s: failed\n", name);
    return status == 0;
}

static HdStatus compile(HdProgram *p, const HdKernelInfo *k, uint8_t width, HdArena *a, HdDiags *d,
                        const char **stage)
{
    HdLaneTarget target = {.width = width};
    HdCodegenEntry *codegen = generator_entry();
    HdCpu cpu = hd_jit_cpu();
    HdCodegenResult r = {0};
    HdIrModule *ir = NULL;
    HdIrFunc *wide = NULL;
    HdStatus st;

    *stage = "build";
    HD_TRY(hd_build_kernel(hd_program_module(p), hd_program_layout(p), k->entry, width, false, a, d,
                           &ir));
    *stage = "optimize";
    HD_TRY(hd_opt_optimize(ir, ir->funcs.at[0], d));
    HD_TRY(hd_ir_verify(ir->funcs.at[0], d));
    *stage = "widen";
    HD_TRY(hd_lanes_widen(ir->funcs.at[0], target, a, d, &wide));
    *stage = "code generation";
    if (codegen == NULL)
        return HD_OK;
    st = codegen(
        &(HdCodegenRequest){
            .wide = wide, .cpu = cpu.name, .features = cpu.features, .costs = cpu.costs},
        &r);
    if (st != HD_OK)
        hd_fail(d, st, HD_NO_PLACE, "jit.codegen", "%s", r.error);
    if (st == HD_OK) {
        HdLoaded loaded = {0};

        *stage = "loader";
        st = hd_jit_load(r.object, r.object_bytes, HD_CODEGEN_SUFFIX, d, &loaded);
        hd_jit_unload(&loaded);
    }
    if (r.release != NULL)
        r.release(&r);
    return st;
}

HdStatus world_through(const uint32_t *words, size_t count, uint8_t width, HdDiags *d,
                       const char **stage)
{
    HdInterpProgram *interp = NULL;
    HdProgram *p = NULL;
    const char *at = "";
    HdStatus st, compiled;

    *stage = "open";
    HD_TRY(hd_program_open(words, count, NULL, d, &p));
    *stage = "interpreter";
    st = hd_interp_open(hd_program_module(p), hd_program_layout(p), false, d, &interp);
    if (st == HD_OK)
        hd_interp_close(interp);
    if (st != HD_OK && st != HD_UNSUPPORTED)
        return hd_program_close(p), st;
    for (uint32_t k = 0; k < hd_program_layout(p)->kernel_count && k < 8; k++) {
        HdArena *a = hd_arena_open();

        compiled = compile(p, &hd_program_layout(p)->kernels[k], width, a, d, &at);
        hd_arena_drop(a);
        if (compiled != HD_OK && (st == HD_OK || compiled != HD_UNSUPPORTED))
            st = compiled, *stage = at;
    }
    hd_program_close(p);
    return st;
}
