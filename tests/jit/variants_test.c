/* tests/jit/variants_test.c -- which launches share the code of a kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "generator.h"
#include "jit/program.h"
#include "text/as.h"

static unsigned passed, failed;

static void check(bool good, const char *kernel, const char *what)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("%s: %s\n", kernel, what);
}

static const char head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %id\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n%void = OpTypeVoid\n%bool = OpTypeBool\n"
    "%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%v3 = OpTypeVector %u64 3\n"
    "%u8 = OpTypeInt 8 0\n%p8 = OpTypePointer CrossWorkgroup %u8\n%c0 = OpConstant %u32 0\n%pi = "
    "OpTypePointer Input %v3\n%id = OpVariable %pi Input\n"
    "%pg = OpTypePointer CrossWorkgroup %u32\n%ft = OpTypeFunction %void %pg\n"
    "%k = OpFunction %void None %ft\n%b = OpFunctionParameter %pg\n%e = OpLabel\n"
    "%ids = OpLoad %v3 %id Aligned 32\n%i = OpCompositeExtract %u64 %ids 0\n"
    "%p = OpInBoundsPtrAccessChain %pg %b %i\n";
static const char end[] = "OpReturn\nOpFunctionEnd\n";

/* An address and a value for each lane; %old is the value. */
static const char load[] = "%old = OpLoad %u32 %p Aligned 4\n";

/* Each item follows a chain of places, bytes apart and as long as its own data make it. */
static void chain(HdStrbuf *s)
{
    hd_strbuf_add(s, load);
    hd_strbuf_add(
        s,
        "%bytes = OpBitcast %p8 %b\nOpBranch %l\n%l = OpLabel\n"
        "%x = OpPhi %u32 %old %e %y %m\n%sum = OpPhi %u32 %c0 %e %more %m\n"
        "%t = OpIEqual %bool %x %c0\nOpLoopMerge %d %m None\n"
        "OpBranchConditional %t %d %m\n%m = OpLabel\n"
        "%wide = OpUConvert %u64 %x\n%q = OpInBoundsPtrAccessChain %p8 %bytes %wide\n"
        "%byte = OpLoad %u8 %q Aligned 1\nOpStore %q %byte Aligned 1\n%y = OpUConvert %u32 %byte\n"
        "%more = OpIAdd %u32 %sum %y\nOpBranch %l\n%d = OpLabel\n"
        "OpStore %p %sum Aligned 4\n");
}

/* The same of what others may store meanwhile. */
static void follow(HdStrbuf *s)
{
    hd_strbuf_add(s, load);
    hd_strbuf_add(
        s, "%bytes = OpBitcast %p8 %b\nOpBranch %l\n%l = OpLabel\n"
           "%x = OpPhi %u32 %old %e %y %l\n%wide = OpUConvert %u64 %x\n"
           "%q = OpInBoundsPtrAccessChain %p8 %bytes %wide\n"
           "%byte = OpLoad %u8 %q Volatile|Aligned 1\n%y = OpUConvert %u32 %byte\n"
           "%t = OpIEqual %bool %y %x\nOpLoopMerge %d %l None\nOpBranchConditional %t %d %l\n"
           "%d = OpLabel\nOpStore %p %y Aligned 4\n");
}

static void copy(HdStrbuf *s)
{
    hd_strbuf_add(s, load);
    hd_strbuf_add(s, "%new = OpNot %u32 %old\nOpStore %p %new Aligned 4\n");
}

/* Much is done with what is loaded. */
static void hash(HdStrbuf *s)
{
    hd_strbuf_add(s, load);
    hd_strbuf_add(s, "%h0 = OpCopyObject %u32 %old\n");
    for (int i = 0; i < 600; i++)
        hd_strbuf_printf(
            s, "%%n%d = OpIMul %%u32 %%h%d %%old\n%%h%d = OpBitwiseXor %%u32 %%n%d %%h%d\n", i, i,
            i + 1, i, i);
    hd_strbuf_add(s, "OpStore %p %h600 Aligned 4\n");
}

typedef struct Kernel {
    const char *name;
    void (*body)(HdStrbuf *s);
    bool edges_share, rows_share; /* cut sub-groups, rows that are no whole number of them */
} Kernel;

static const HdKernelCode *code(HdProgram *p, HdVariant v)
{
    const HdKernelCode *out = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_program_code(p, &hd_program_layout(p)->kernels[0], v, &d, &out) != HD_OK)
        printf("not compiled: %s\n", d.count != 0 ? d.at[0].message : "");
    hd_diags_drop(&d);
    return out;
}

static void test(const Kernel *k, HdProgram *p)
{
    HdVariant whole = {.width = 16, .launch = {.x_divisible = true, .full = true}};
    HdVariant cut = whole, even = whole, rows = {.width = 16}, narrow = {.width = 4};
    const HdKernelCode *of_whole = code(p, whole);

    cut.launch.full = false;
    even.launch.twice = true;
    check((code(p, cut) == of_whole) == k->edges_share, k->name, "cut sub-groups");
    check((code(p, rows) == of_whole) == k->rows_share, k->name, "rows");
    check(code(p, whole) == of_whole, k->name, "whole sub-groups were given that of cut ones");
    check(code(p, even) != NULL && code(p, whole) == of_whole, k->name,
          "code of an even number of sub-groups went to an odd one");
    check(code(p, narrow) != of_whole, k->name, "another width has the same code");
}

/* Asked for an even number of sub-groups first, which nothing is made of. */
static void test_even(const Kernel *k, HdProgram *p)
{
    HdVariant even = {.width = 16, .launch = {.x_divisible = true, .full = true, .twice = true}},
              odd = even;

    odd.launch.twice = false;
    check(code(p, even) == code(p, odd), k->name, "an odd number of sub-groups has other code");
}

/* The form that is thought to be slower: lanes in place of one work-item after the other. */
static void test_against(const Kernel *k, HdProgram *p)
{
    HdVariant likely = {.width = 16, .launch = {.x_divisible = true, .full = true}},
              against = likely;
    const HdKernelCode *first = code(p, likely), *other;

    against.form.against = true;
    other = code(p, against);
    check(first != NULL && first->facts.doubt > 1, k->name, "there is no doubt");
    check(other != NULL && other->facts.doubt > 1 && first != NULL &&
              other->facts.lanes != first->facts.lanes,
          k->name, "both forms have as many lanes");
}

/* Sub-groups may wait for each other: the other form has sub-groups of one work-item. */
static void test_narrow(const Kernel *k, HdProgram *p)
{
    const HdKernelCode *made =
        code(p, (HdVariant){.width = 16, .launch = {.x_divisible = true, .full = true}});

    check(made != NULL && made->facts.takes_turns && made->facts.lanes == 16, k->name,
          "does not wait in lanes");
    check(made != NULL && made->facts.doubt > 1 && made->facts.is_narrow_against, k->name,
          "is not tried in sub-groups of one work-item");
}

/* Threads other than this one compile large functions. */
static void test_time(const Kernel *k, HdProgram *p)
{
    HdVariant v = {.width = 16, .launch = {.x_divisible = true, .full = true}};
    clock_t start = clock(); /* of all threads */
    const HdKernelCode *made = code(p, v);
    double all_ms = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;

    check(made != NULL && made->facts.compile_ms > all_ms / 2 &&
              made->facts.compile_ms < 2 * all_ms,
          k->name, "compiling took another time");
}

static void with_program(const Kernel *k, void (*then)(const Kernel *k, HdProgram *p))
{
    HdStrbuf text = {0};
    uint32_t *words = NULL;
    HdProgram *p = NULL;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    hd_strbuf_add(&text, head);
    k->body(&text);
    hd_strbuf_add(&text, end);
    check(hd_text_assemble(text.at, text.count, NULL, &d, &words, &count) == HD_OK &&
              hd_program_open(words, count, NULL, &d, &p) == HD_OK,
          k->name, d.count != 0 ? d.at[0].message : "not opened");
    if (p != NULL)
        then(k, p);
    hd_program_close(p);
    hd_free(words);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
}

int main(void)
{
    static const Kernel kernels[] = {{"chain", chain, true, true},
                                     {"copy", copy, false, false},
                                     {"hash", hash, true, false},
                                     {"follow", follow, false, false}};

#if !defined(__x86_64__)
    printf("0 passed, 0 failed, 1 skipped\n");
    return 0;
#endif
    generator_link();
    setenv("HEDDLE_CPU", "znver4", 1); /* nothing is run: how kernels are made is one processor's */
    setenv("HEDDLE_CACHE", "0", 1);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        with_program(&kernels[i], test);
    with_program(&kernels[1], test_even);
    with_program(&kernels[2], test_time);
    with_program(&kernels[0], test_against);
    with_program(&kernels[3], test_narrow);
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
