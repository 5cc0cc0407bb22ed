/* tests/jit/shared_test.c -- what the number of lanes is in is not shared by code of other numbers.
 *
 * A kernel stores how many elements of a matrix each lane of a sub-group has. Its code for 16 lanes
 * is the first of the process, so that code for 8 finds what that began with.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "counts.h"
#include "generator.h"
#include "program.h"

static const char source[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability CooperativeMatrixKHR\n"
    "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k ContractionOff\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%scope = OpConstant %u32 3\n"
    "%size = OpConstant %u32 8\n%use = OpConstant %u32 2\n"
    "%matrix = OpTypeCooperativeMatrixKHR %u32 %scope %size %size %use\n"
    "%pg = OpTypePointer CrossWorkgroup %u32\n%ft = OpTypeFunction %void %pg\n"
    "%k = OpFunction %void None %ft\n%p = OpFunctionParameter %pg\n%e = OpLabel\n"
    "%length = OpCooperativeMatrixLengthKHR %u32 %matrix\nOpStore %p %length Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

/* Is this constant in the lane IR of code for so many lanes? */
static bool has_constant(HdProgram *p, HdStrbuf *dumped, uint8_t width, const char *constant)
{
    HdVariant v = {.width = width, .launch = {.x_divisible = true, .full = true}};
    const HdKernelCode *code = NULL;
    size_t before = dumped->count;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_program_code(p, &hd_program_layout(p)->kernels[0], v, &d, &code) != HD_OK)
        printf("not compiled: %s\n", d.count != 0 ? d.at[0].message : "");
    hd_diags_drop(&d);
    return code != NULL && strstr(hd_strbuf_text(dumped) + before, constant) != NULL;
}

int main(void)
{
    HdStrbuf dumped = {0};
    HdProgramOptions o = {.no_validate = true, .dump = "ir", .dump_to = &dumped};
    HdProgram *p;

    generator_link();
    setenv("HEDDLE_CACHE", "0", 1);
    p = program_open(source, sizeof source - 1, &o);
    check(p != NULL, "the program");
    if (p != NULL) {
        check(has_constant(p, &dumped, 16, "CONST i32 imm 4 "), "4 elements in each of 16 lanes");
        check(has_constant(p, &dumped, 8, "CONST i32 imm 8 "), "8 elements in each of 8 lanes");
    }
    hd_program_close(p);
    hd_strbuf_free(&dumped);
    return report();
}
