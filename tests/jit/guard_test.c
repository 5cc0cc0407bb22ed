/* tests/jit/guard_test.c -- what LLVM calls a fatal error ends one compilation, not the process.
 *
 * The processors asked for do not have the instructions that the generator believes them to have,
 * so that LLVM gives up: "Cannot select".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "counts.h"
#include "generator.h"
#include "jit/compile.h"
#include "program.h"

/* LeakSanitizer asks at exit: what LLVM had when it gave up is lost. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

#define LESS_DOTS   "-avx512vnni,-avxvnni"
#define NOT_64_BITS "i386"

static const char source[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked\n"
    "OpExtension \"SPV_KHR_integer_dot_product\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\" %id\nOpDecorate %id BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %u64 3\n%pi = OpTypePointer Input %v3\n%id = OpVariable %pi Input\n"
    "%pg = OpTypePointer CrossWorkgroup %u32\n%ft = OpTypeFunction %void %pg\n"
    "%k = OpFunction %void None %ft\n%p = OpFunctionParameter %pg\n%e = OpLabel\n"
    "%ids = OpLoad %v3 %id Aligned 32\n%i = OpCompositeExtract %u64 %ids 0\n"
    "%at = OpInBoundsPtrAccessChain %pg %p %i\n%x = OpLoad %u32 %at Aligned 4\n"
    "%dot = OpUDotKHR %u32 %x %x PackedVectorFormat4x8Bit\n"
    "OpStore %at %dot Aligned 4\nOpReturn\nOpFunctionEnd\n";

static HdProgram *program;

static HdCompile job_for(HdCpu cpu, HdStrbuf *dumped)
{
    const HdBuildLayout *layout = hd_program_layout(program);

    return (HdCompile){.module = hd_program_module(program),
                       .layout = layout,
                       .kernel = &layout->kernels[0],
                       .variant = {.width = 16, .launch = {.x_divisible = true, .full = true}},
                       .cpu = cpu,
                       .dump = "asm",
                       .dump_to = dumped};
}

static HdStatus compile(HdCpu cpu, HdStrbuf *dumped, HdDiags *d)
{
    HdCompile job = job_for(cpu, dumped);
    HdCacheEntry e = {0};
    HdDraft *draft = NULL;
    HdStatus st = hd_jit_draft(&job, d, &draft);

    if (st == HD_OK)
        st = hd_jit_finish(&job, draft, d, &e);
    check(st != HD_OK || e.object_bytes != 0, "compiled, and no object");
    hd_jit_drop_draft(draft);
    hd_free(e.object);
    return st;
}

/* As asked at first, then for a processor without AVX-512. */
static void test_lesser(void)
{
    HdCpu cpu = hd_jit_cpu();
    HdStrbuf dumped = {0};
    HdDiags d;

    if (strcmp(cpu.name, "x86-64-v4") != 0) {
        skip("no AVX-512 here");
        return;
    }
    hd_diags_init(&d);
    cpu.features = LESS_DOTS;
    check(compile(cpu, &dumped, &d) == HD_OK, "code for a lesser processor");
    check(strstr(hd_strbuf_text(&dumped), "ymm") != NULL, "its code has registers of 256 bits");
    check(strstr(hd_strbuf_text(&dumped), "zmm") == NULL, "and none of 512");
    hd_diags_drop(&d);
    hd_strbuf_free(&dumped);
}

/* Nothing is easier than the last attempt. The next compilation is right again. */
static void test_never(void)
{
#if defined(__x86_64__)
    HdCpu cpu = hd_jit_cpu();
    HdStrbuf dumped = {0};
    HdDiags d;

    hd_diags_init(&d);
    cpu.name = NOT_64_BITS;
    cpu.features = "";
    check(compile(cpu, &dumped, &d) == HD_BUG, "no code for a processor of 32 bits");
    check(d.count != 0 && strstr(d.at[0].message, "kernel 'k': LLVM gave up: ") != NULL,
          d.count != 0 ? d.at[0].message : "no message");
    check(compile(hd_jit_cpu(), &dumped, &d) == HD_OK, "code for this processor afterwards");
    hd_diags_drop(&d);
    hd_strbuf_free(&dumped);
#else
    skip("a fatal error of LLVM's x86 back end");
#endif
}

int main(void)
{
    generator_link();
    setenv("HEDDLE_CACHE", "0", 1);
    program = program_open(source, sizeof source - 1, NULL);
    check(program != NULL, "the program");
    if (program != NULL) {
        test_lesser();
        test_never();
    }
    hd_program_close(program);
    return report();
}
