/* tests/interp/memory_test.c -- the interpreter without memory: every allocation fails once, is
 * reported, and nothing is leaked; in checked and counted runs, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "check/counts.h"
#include "interp/interp.h"
#include "text/as.h"

/* A call, a loop, private and local memory, a barrier, a sum over the group. */
static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Groups\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %lid\n"
    "OpDecorate %lid BuiltIn LocalInvocationId\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %u64 3\n%p_in = OpTypePointer Input %v3\n"
    "%p_f = OpTypePointer Function %u32\n%p_w = OpTypePointer Workgroup %u32\n"
    "%p_g = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %p_g\n"
    "%two_fn = OpTypeFunction %u32 %u32\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
    "%c2 = OpConstant %u32 2\n%c5 = OpConstant %u32 5\n%c272 = OpConstant %u32 272\n"
    "%lid = OpVariable %p_in Input\n%shared = OpVariable %p_w Workgroup\n"
    "%twice = OpFunction %u32 None %two_fn\n%x = OpFunctionParameter %u32\n%a = OpLabel\n"
    "%v = OpVariable %p_f Function %c0\n%sum = OpIAdd %u32 %x %x\nOpStore %v %sum\n"
    "%y = OpLoad %u32 %v\nOpReturnValue %y\nOpFunctionEnd\n"
    "%k = OpFunction %void None %fn\n%out = OpFunctionParameter %p_g\n%b = OpLabel\n"
    "%ids = OpLoad %v3 %lid\n%id = OpCompositeExtract %u64 %ids 0\n%n = OpUConvert %u32 %id\n"
    "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %c0 %b %next %loop\n"
    "%t = OpFunctionCall %u32 %twice %n\n%next = OpIAdd %u32 %i %c1\n"
    "%go = OpULessThan %bool %next %c5\nOpBranchConditional %go %loop %end\n%end = OpLabel\n"
    "OpStore %shared %c5\nOpControlBarrier %c2 %c2 %c272\n"
    "%all = OpGroupIAdd %u32 %c2 Reduce %t\n%s = OpLoad %u32 %shared\n"
    "%r = OpIAdd %u32 %all %s\nOpStore %out %r\nOpReturn\nOpFunctionEnd\n";

typedef HdStatus Run(const HdInterpProgram *p, HdInterpGroup *g, HdDiags *d);

static HdStatus run_plain(const HdInterpProgram *p, HdInterpGroup *g, HdDiags *d)
{
    return hd_interp_group(p, g, d);
}

static HdStatus run_checked(const HdInterpProgram *p, HdInterpGroup *g, HdDiags *d, HdCheck *check)
{
    HdInterpCheck c = {.check = check};
    HdStatus st = hd_check_map(check, &c.map);

    if (st == HD_OK)
        st = hd_interp_check_open(p, g->kernel, 1, &c);
    g->check = &c;
    if (st == HD_OK)
        st = hd_interp_group(p, g, d);
    hd_interp_check_close(&c);
    hd_check_unmap(&c.map);
    return st;
}

/* Checked, and counted. */
static HdStatus run_counted(const HdInterpProgram *p, HdInterpGroup *g, HdDiags *d)
{
    HdStrbuf table = {0};
    HdLineCounts lines = {0};
    HdCheck *check;
    HdStatus st;

    HD_TRY(hd_check_open(&check));
    hd_check_count(check);
    st = run_checked(p, g, d, check);
    hd_counts_text(hd_check_counts(check), &table);
    if (st == HD_OK && (table.failed || hd_coverage_lines(hd_check_counts(check), &lines) != HD_OK))
        st = HD_NO_MEMORY;
    hd_strbuf_free(&table);
    HD_ARRAY_FREE(&lines);
    hd_check_close(check);
    return st;
}

static HdStatus run_group(const HdModule *m, const HdBuildLayout *layout, Run *run, HdDiags *d,
                          uint32_t *result)
{
    const uint64_t address = (uint64_t)(uintptr_t)result;
    unsigned char args[8];
    HdInterpGroup g = {.kernel = &layout->kernels[0],
                       .args = args,
                       .local_bytes = layout->kernels[0].local_bytes,
                       .width = 4,
                       .work_dim = 1,
                       .global_size = {8, 1, 1},
                       .num_groups = {1, 1, 1},
                       .local_size = {8, 1, 1},
                       .enqueued_local_size = {8, 1, 1}};
    HdInterpProgram *p;
    HdStatus st;

    memcpy(args, &address, sizeof args);
    HD_TRY(hd_interp_open(m, layout, false, d, &p));
    st = run(p, &g, d);
    hd_interp_close(p);
    return st;
}

static unsigned passed, failed;

/* Every allocation fails once. A checked run can do without some of them. */
static void fail_each(const HdModule *m, const HdBuildLayout *layout, Run *run)
{
    for (uint64_t n = 1; n < 10000; n++) {
        int64_t before = hd_test_live_blocks();
        uint32_t result = 0;
        HdDiags quiet;
        HdStatus st;

        hd_diags_init(&quiet);
        hd_test_fail_alloc(n);
        st = run_group(m, layout, run, &quiet, &result);
        if (!hd_test_alloc_failed()) {
            hd_test_fail_alloc(0);
            hd_diags_drop(&quiet);
            /* twice the sum of 0 … 7, and 5 */
            result == 61 && st == HD_OK ? passed++ : failed++;
            if (failed)
                printf("with memory: status %s, result %u\n", hd_status_name(st), result);
            break;
        }
        hd_test_fail_alloc(0);
        hd_diags_drop(&quiet);
        if ((st == HD_NO_MEMORY || (st == HD_OK && run == run_counted)) &&
            hd_test_live_blocks() == before) {
            passed++;
            continue;
        }
        failed++;
        printf("allocation %u: status %s, %d blocks kept\n", (unsigned)n, hd_status_name(st),
               (int)(hd_test_live_blocks() - before));
    }
}

int main(void)
{
    const HdBuildLayout *layout = NULL;
    HdBuildLayout *made = NULL;
    HdArena *a = hd_arena_open();
    HdModule *m = NULL;
    HdDiags d;
    uint32_t *words = NULL;
    size_t count = 0;

    hd_diags_init(&d);
    if (a == NULL || hd_text_assemble(text, strlen(text), NULL, &d, &words, &count) != HD_OK ||
        hd_module_read(words, count, false, &d, &m) != HD_OK ||
        hd_build_layout(m, a, &d, &made) != HD_OK) {
        printf("the module cannot be read: %s\n0 passed, 1 failed, 0 skipped\n",
               d.count ? d.at[0].message : "");
        return 1;
    }
    layout = made;
    fail_each(m, layout, run_plain);
    fail_each(m, layout, run_counted);
    hd_free(words);
    hd_module_drop(m);
    hd_arena_drop(a);
    hd_diags_drop(&d);
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
