/* tool/version.c -- what `heddle --version` says: version, LLVM, device, commit.
 *
 * A report of a defect needs all four. The commit comes from the build (tools/commit.mk).
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/version.h"

#include <stdio.h>

#include "base/machine.h"
#include "gen/commit.h"
#include "jit/cpu.h"
#include "jit/generator.h"
#include "launch/cpus.h"

const char *hd_tool_commit(void)
{
    return HD_COMMIT;
}

static void print_device(void)
{
    HdCpu cpu = hd_jit_cpu();
    unsigned threads = hd_launch_cpus();
    char name[64];

    hd_machine_name(name, sizeof name);
    printf("device: %s, %u thread%s", name, threads, threads == 1 ? "" : "s");
    if (hd_jit_has_generator())
        printf(", code for %s%s%s with %u lanes", cpu.name, *cpu.costs->name != '\0' ? " " : "",
               cpu.costs->name, (unsigned)cpu.width);
    putchar('\n');
}

void hd_tool_print_version(bool is_short)
{
    if (hd_jit_has_generator())
        printf("heddle " HD_VERSION " (LLVM %s)\n", hd_jit_llvm_version());
    else
        puts("heddle " HD_VERSION " (without LLVM: kernels run in the interpreter)");
    if (is_short)
        return;
    print_device();
    if (*hd_tool_commit() != '\0')
        printf("git: %s\n", hd_tool_commit());
}
