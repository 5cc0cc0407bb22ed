/* tests/robust/robust_test.c -- modules made to hurt: each is refused by the rule that it breaks,
 * or runs through; none takes the host down.
 *
 *   robust_test [-v] [CASE]     only cases whose name begins so; -v shows what was found
 *
 * Every case has a process of its own with limits of time and memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "mutate.h"
#include "text/as.h"
#include "text/dis.h"
#include "world.h"

static bool is_verbose;

/* ---- modules as text ---------------------------------------------------------------------------
 */

static const char head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\"\nOpDecorate %spec SpecId 1\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%u32 = OpTypeInt 32 0\n"
    "%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n%true = OpConstantTrue %bool\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"
    "%spec = OpSpecConstant %u32 4\n%pg = OpTypePointer CrossWorkgroup %u32\n"
    "%fv = OpTypeFunction %void\n%fp = OpTypeFunction %void %pg\n";
/* A kernel of one buffer; `body` follows. */
static const char kernel[] = "%k = OpFunction %void None %fp\n%buf = OpFunctionParameter %pg\n"
                             "%entry = OpLabel\n";
static const char end[] = "OpReturn\nOpFunctionEnd\n";

/* A kernel that stores one value. */
static void simple(HdStrbuf *s, const char *types, const char *body)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, types);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, body);
    hd_strbuf_add(s, end);
}

static void deep_arrays(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%a0 = OpTypeArray %u8 %c1\n");
    for (int i = 0; i < 5000; i++)
        hd_strbuf_printf(s, "%%a%d = OpTypeArray %%a%d %%c1\n", i + 1, i);
    hd_strbuf_add(s, "%pa = OpTypePointer Function %a5000\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%v = OpVariable %pa Function\n%x = OpLoad %a5000 %v\nOpStore %v %x\n");
    hd_strbuf_add(s, end);
}

static void deep_structs(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%s0 = OpTypeStruct %u8 %u32\n");
    for (int i = 0; i < 5000; i++)
        hd_strbuf_printf(s, "%%s%d = OpTypeStruct %%s%d\n", i + 1, i);
    hd_strbuf_add(s, "%ps = OpTypePointer Function %s5000\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%v = OpVariable %ps Function\n%x = OpLoad %s5000 %v\nOpStore %v %x\n");
    hd_strbuf_add(s, end);
}

static void deep_pointers(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%p0 = OpTypePointer CrossWorkgroup %u8\n");
    for (int i = 0; i < 5000; i++)
        hd_strbuf_printf(s, "%%p%d = OpTypePointer CrossWorkgroup %%p%d\n", i + 1, i);
    hd_strbuf_add(s, "%pp = OpTypePointer Function %p5000\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%v = OpVariable %pp Function\n%x = OpLoad %p5000 %v\nOpStore %v %x\n");
    hd_strbuf_add(s, end);
}

static void deep_constants(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%s0 = OpTypeStruct %u32\n%k0 = OpConstantComposite %s0 %c1\n");
    for (int i = 0; i < 5000; i++)
        hd_strbuf_printf(s, "%%s%d = OpTypeStruct %%s%d\n%%k%d = OpConstantComposite %%s%d %%k%d\n",
                         i + 1, i, i + 1, i + 1, i);
    hd_strbuf_add(s, "%ps = OpTypePointer Function %s5000\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%v = OpVariable %ps Function\nOpStore %v %k5000\n");
    hd_strbuf_add(s, end);
}

static void deep_spec_ops(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%o0 = OpSpecConstantOp %u32 IAdd %spec %c1\n");
    for (int i = 0; i < 20000; i++)
        hd_strbuf_printf(s, "%%o%d = OpSpecConstantOp %%u32 IAdd %%o%d %%o%d\n", i + 1, i, i);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "OpStore %buf %o20000 Aligned 4\n");
    hd_strbuf_add(s, end);
}

static void deep_values(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%v0 = OpLoad %u32 %buf Aligned 4\n");
    for (int i = 0; i < 50000; i++)
        hd_strbuf_printf(s, "%%v%d = OpIMul %%u32 %%v%d %%v%d\n", i + 1, i, i);
    hd_strbuf_add(s, "OpStore %buf %v50000 Aligned 4\n");
    hd_strbuf_add(s, end);
}

/* Selections inside selections. */
static void deep_blocks(HdStrbuf *s)
{
    enum { DEEP = 5000 };

    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%x = OpLoad %u32 %buf Aligned 4\n");
    for (int i = 0; i < DEEP; i++)
        hd_strbuf_printf(s,
                         "%%t%d = OpUGreaterThan %%bool %%x %%c1\nOpSelectionMerge %%m%d None\n"
                         "OpBranchConditional %%t%d %%b%d %%m%d\n%%b%d = OpLabel\n",
                         i, i, i, i, i, i);
    hd_strbuf_add(s, "OpStore %buf %c1 Aligned 4\n");
    for (int i = DEEP; i-- > 0;)
        hd_strbuf_printf(s, "OpBranch %%m%d\n%%m%d = OpLabel\n", i, i);
    hd_strbuf_add(s, end);
}

/* Loops inside loops. */
static void deep_loops(HdStrbuf *s)
{
    enum { DEEP = 200 };

    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    for (int i = 0; i < DEEP; i++)
        hd_strbuf_printf(s,
                         "OpBranch %%h%d\n%%h%d = OpLabel\n%%x%d = OpLoad %%u32 %%buf Aligned 4\n"
                         "%%t%d = OpUGreaterThan %%bool %%x%d %%c1\n"
                         "OpLoopMerge %%m%d %%n%d None\nOpBranchConditional %%t%d %%b%d %%m%d\n"
                         "%%b%d = OpLabel\n",
                         i, i, i, i, i, i, i, i, i, i, i);
    hd_strbuf_add(s, "OpStore %buf %c1 Aligned 4\n");
    for (int i = DEEP; i-- > 0;)
        hd_strbuf_printf(s, "OpBranch %%n%d\n%%n%d = OpLabel\nOpBranch %%h%d\n%%m%d = OpLabel\n", i,
                         i, i, i);
    hd_strbuf_add(s, end);
}

static void many_blocks(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    for (int i = 0; i < 100000; i++)
        hd_strbuf_printf(s, "OpBranch %%b%d\n%%b%d = OpLabel\n", i, i);
    hd_strbuf_add(s, end);
}

/* Blocks that all come back to one another: irreducible. */
static void tangle(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "OpBranch %b0\n");
    for (int i = 0; i < 300; i++)
        hd_strbuf_printf(s,
                         "%%b%d = OpLabel\n%%x%d = OpLoad %%u32 %%buf Aligned 4\n"
                         "%%t%d = OpUGreaterThan %%bool %%x%d %%c1\n"
                         "OpBranchConditional %%t%d %%b%d %%b%d\n",
                         i, i, i, i, i, 1 + (i * 7 + 3) % 300, 1 + (i * 13 + 5) % 300);
    hd_strbuf_add(s, "%b300 = OpLabel\n");
    hd_strbuf_add(s, end);
}

static void big_switch(HdStrbuf *s, int cases)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%x = OpLoad %u32 %buf Aligned 4\nOpSwitch %x %d");
    for (int i = 0; i < cases; i++)
        hd_strbuf_printf(s, " %d %%t%d", i, i % 7);
    for (int i = 0; i < 7; i++)
        hd_strbuf_printf(s, "\n%%t%d = OpLabel\nOpStore %%buf %%c%d Aligned 4\nOpBranch %%d", i,
                         i % 3);
    hd_strbuf_add(s, "\n%d = OpLabel\n");
    hd_strbuf_add(s, end);
}

/* An instruction has at most 65,535 words. */
static void switch_32000(HdStrbuf *s)
{
    big_switch(s, 32000);
}

static void switch_100000(HdStrbuf *s)
{
    big_switch(s, 100000);
}

static void switch_twice(HdStrbuf *s)
{
    simple(s, "",
           "%x = OpLoad %u32 %buf Aligned 4\nOpSwitch %x %d 1 %a 1 %a\n%a = OpLabel\n"
           "OpBranch %d\n%d = OpLabel\n");
}

static void recursion(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%f = OpFunction %void None %fv\n%fe = OpLabel\n"
                     "%r = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%q = OpFunctionCall %void %f\n");
    hd_strbuf_add(s, end);
}

static void recursion_mutual(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%f = OpFunction %void None %fv\n%fe = OpLabel\n"
                     "%r = OpFunctionCall %void %g\nOpReturn\nOpFunctionEnd\n"
                     "%g = OpFunction %void None %fv\n%ge = OpLabel\n"
                     "%r2 = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n");
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%q = OpFunctionCall %void %f\n");
    hd_strbuf_add(s, end);
}

static void recursion_of_kernel(HdStrbuf *s)
{
    simple(s, "", "%q = OpFunctionCall %void %k %buf\n");
}

/* Each function calls the one before `times` times. */
static void call_chain(HdStrbuf *s, int deep, int times)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%g0 = OpFunction %void None %fp\n%b0 = OpFunctionParameter %pg\n"
                     "%e0 = OpLabel\nOpStore %b0 %c1 Aligned 4\nOpReturn\nOpFunctionEnd\n");
    for (int i = 1; i <= deep; i++) {
        hd_strbuf_printf(s,
                         "%%g%d = OpFunction %%void None %%fp\n%%b%d = OpFunctionParameter %%pg\n"
                         "%%e%d = OpLabel\n",
                         i, i, i);
        for (int k = 0; k < times; k++)
            hd_strbuf_printf(s, "%%r%d_%d = OpFunctionCall %%void %%g%d %%b%d\n", i, k, i - 1, i);
        hd_strbuf_add(s, end);
    }
    hd_strbuf_add(s, kernel);
    hd_strbuf_printf(s, "%%q = OpFunctionCall %%void %%g%d %%buf\n", deep);
    hd_strbuf_add(s, end);
}

static void calls_doubling(HdStrbuf *s)
{
    call_chain(s, 40, 2);
}

static void calls_deep(HdStrbuf *s)
{
    call_chain(s, 5000, 1);
}

/* A call through a pointer, and more functions that it fits than a choice may be between. */
static void pointers_many(HdStrbuf *s)
{
    hd_strbuf_add(s, "OpCapability FunctionPointersINTEL\n");
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%fptr = OpTypePointer CodeSectionINTEL %fv\n");
    for (int i = 0; i <= 16384; i++)
        hd_strbuf_printf(s, "%%many_p%d = OpConstantFunctionPointerINTEL %%fptr %%many%d\n", i, i);
    for (int i = 0; i <= 16384; i++)
        hd_strbuf_printf(s,
                         "%%many%d = OpFunction %%void None %%fv\n%%many_l%d = OpLabel\n"
                         "OpReturn\nOpFunctionEnd\n",
                         i, i);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "%q = OpFunctionPointerCallINTEL %void %many_p0\n");
    hd_strbuf_add(s, end);
}

static void array_2_31(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u32 2147483648\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer Function %a\n%pu = OpTypePointer Function %u32\n",
           "%v = OpVariable %pa Function\n%i = OpLoad %u32 %buf Aligned 4\n"
           "%at = OpInBoundsAccessChain %pu %v %i\nOpStore %at %c1\n");
}

static void array_load(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u32 16777216\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer CrossWorkgroup %a\n",
           "%v = OpBitcast %pa %buf\n%x = OpLoad %a %v Aligned 4\nOpStore %v %x Aligned 4\n");
}

static void array_overflow(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u64 4294967296\n%a = OpTypeArray %u32 %n\n%b = OpTypeArray %a %n\n"
           "%c = OpTypeArray %b %n\n%pa = OpTypePointer Function %c\n",
           "%v = OpVariable %pa Function\n");
}

static void array_program(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u64 1099511627776\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer CrossWorkgroup %a\n%v = OpVariable %pa CrossWorkgroup\n",
           "%at = OpInBoundsAccessChain %pg %v %c1\nOpStore %at %c1\n");
}

static void array_local(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u64 1099511627776\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer Workgroup %a\n%pw = OpTypePointer Workgroup %u32\n"
           "%v = OpVariable %pa Workgroup\n",
           "%at = OpInBoundsAccessChain %pw %v %c1\nOpStore %at %c1\n");
}

static void array_zero(HdStrbuf *s)
{
    simple(s, "%a = OpTypeArray %u32 %c0\n", "");
}

static void array_negative(HdStrbuf *s)
{
    simple(s,
           "%n = OpConstant %u64 18446744073709551615\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer Function %a\n",
           "%v = OpVariable %pa Function\n");
}

static void array_by_spec(HdStrbuf *s)
{
    simple(s,
           "%n = OpSpecConstantOp %u32 UDiv %c1 %c0\n%a = OpTypeArray %u32 %n\n"
           "%pa = OpTypePointer Function %a\n%pu = OpTypePointer Function %u32\n",
           "%v = OpVariable %pa Function\n%at = OpInBoundsAccessChain %pu %v %c1\n"
           "OpStore %at %c1\n");
}

static void struct_cycle(HdStrbuf *s)
{
    simple(s, "%s = OpTypeStruct %a\n%a = OpTypeArray %s %c2\n", "");
}

static void struct_itself(HdStrbuf *s)
{
    simple(s, "%s = OpTypeStruct %s\n", "");
}

static void pointer_cycle(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "OpTypeForwardPointer %ps CrossWorkgroup\n%s = OpTypeStruct %u32 %ps\n"
                     "%ps = OpTypePointer CrossWorkgroup %s\n"
                     "%pps = OpTypePointer CrossWorkgroup %ps\n%fs = OpTypeFunction %void %ps\n"
                     "%k = OpFunction %void None %fs\n%buf = OpFunctionParameter %ps\n"
                     "%entry = OpLabel\n%a = OpInBoundsAccessChain %pps %buf %c1\n"
                     "%n = OpLoad %ps %a Aligned 8\n%l = OpLoad %s %n Aligned 8\n"
                     "OpStore %buf %l Aligned 8\n");
    hd_strbuf_add(s, end);
}

static void pointer_itself(HdStrbuf *s)
{
    simple(s, "OpTypeForwardPointer %p CrossWorkgroup\n%p = OpTypePointer CrossWorkgroup %p\n", "");
}

static void function_type_itself(HdStrbuf *s)
{
    simple(s, "%f = OpTypeFunction %f %f\n", "");
}

static void spec_cycle(HdStrbuf *s)
{
    simple(s, "%a = OpSpecConstantOp %u32 IAdd %b %c1\n%b = OpSpecConstantOp %u32 IAdd %a %c1\n",
           "OpStore %buf %a Aligned 4\n");
}

static void spec_divide(HdStrbuf *s)
{
    simple(s,
           "%a = OpSpecConstantOp %u32 UDiv %spec %c0\n%b = OpSpecConstantOp %u32 SRem %spec %c0\n"
           "%min = OpConstant %u32 2147483648\n%m1 = OpConstant %u32 4294967295\n"
           "%c = OpSpecConstantOp %u32 SDiv %min %m1\n%d = OpSpecConstantOp %u32 SMod %min %m1\n"
           "%e = OpSpecConstantOp %u32 ShiftLeftLogical %spec %m1\n",
           "OpStore %buf %a Aligned 4\nOpStore %buf %b Aligned 4\nOpStore %buf %c Aligned 4\n"
           "OpStore %buf %d Aligned 4\nOpStore %buf %e Aligned 4\n");
}

static void divide(HdStrbuf *s)
{
    simple(s, "%min = OpConstant %u32 2147483648\n%m1 = OpConstant %u32 4294967295\n",
           "%a = OpUDiv %u32 %c1 %c0\n%b = OpSDiv %u32 %min %m1\n%c = OpSRem %u32 %min %m1\n"
           "%d = OpUMod %u32 %c1 %c0\nOpStore %buf %a Aligned 4\nOpStore %buf %b Aligned 4\n"
           "OpStore %buf %c Aligned 4\nOpStore %buf %d Aligned 4\n");
}

static void args_1000(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%ft = OpTypeFunction %void");
    for (int i = 0; i < 1000; i++)
        hd_strbuf_add(s, " %pg");
    hd_strbuf_add(s, "\n%k = OpFunction %void None %ft\n");
    for (int i = 0; i < 1000; i++)
        hd_strbuf_printf(s, "%%p%d = OpFunctionParameter %%pg\n", i);
    hd_strbuf_add(s, "%entry = OpLabel\n");
    for (int i = 0; i < 1000; i++)
        hd_strbuf_printf(s, "OpStore %%p%d %%c1 Aligned 4\n", i);
    hd_strbuf_add(s, end);
}

/* An argument larger than any stack. */
static void arg_huge(HdStrbuf *s)
{
    hd_strbuf_add(s, head);
    hd_strbuf_add(s, "%n = OpConstant %u32 1073741824\n%a = OpTypeArray %u32 %n\n"
                     "%st = OpTypeStruct %a\n%ft = OpTypeFunction %void %st\n"
                     "%k = OpFunction %void None %ft\n%p = OpFunctionParameter %st\n"
                     "%entry = OpLabel\n");
    hd_strbuf_add(s, end);
}

static void local_size_huge(HdStrbuf *s)
{
    hd_strbuf_add(s,
                  "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
                  "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k LocalSize 4294967295 "
                  "4294967295 4294967295\n%void = OpTypeVoid\n%fv = OpTypeFunction %void\n"
                  "%k = OpFunction %void None %fv\n%e = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

static void dispatch_forever(HdStrbuf *s)
{
    simple(s, "", "OpBranch %l\n%l = OpLabel\nOpBranch %l\n%dead = OpLabel\n");
}

static void phi_web(HdStrbuf *s)
{
    enum { PHIS = 2000 };

    hd_strbuf_add(s, head);
    hd_strbuf_add(s, kernel);
    hd_strbuf_add(s, "OpBranch %h\n%h = OpLabel\n");
    for (int i = 0; i < PHIS; i++)
        hd_strbuf_printf(s, "%%p%d = OpPhi %%u32 %%c%d %%entry %%p%d %%h\n", i, i % 3,
                         (i + 1) % PHIS);
    hd_strbuf_add(s, "%t = OpUGreaterThan %bool %p0 %c1\nOpBranchConditional %t %h %x\n"
                     "%x = OpLabel\nOpStore %buf %p7 Aligned 4\n");
    hd_strbuf_add(s, end);
}

static void huge_name(HdStrbuf *s)
{
    hd_strbuf_add(s,
                  "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
                  "OpEntryPoint Kernel %k \"");
    for (int i = 0; i < 200000; i++)
        hd_strbuf_add_char(s, i % 9 == 0 ? '%' : 'n');
    hd_strbuf_add(s, "\"\n%void = OpTypeVoid\n%fv = OpTypeFunction %void\n"
                     "%k = OpFunction %void None %fv\n%e = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

static const struct {
    const char *name;
    void (*make)(HdStrbuf *s);
    HdStatus want;    /* of the first stage that is not HD_OK */
    const char *rule; /* of a finding; NULL: none is looked for */
} cases[] = {
    {"deep arrays", deep_arrays, HD_UNSUPPORTED, "build.nesting"},
    {"deep structs", deep_structs, HD_UNSUPPORTED, "build.nesting"},
    {"deep pointers", deep_pointers, HD_OK, NULL},
    {"deep constants", deep_constants, HD_UNSUPPORTED, "build.nesting"},
    {"deep spec ops", deep_spec_ops, HD_OK, NULL},
    {"deep values", deep_values, HD_OK, NULL},
    {"deep blocks", deep_blocks, HD_OK, NULL},
    {"deep loops", deep_loops, HD_OK, NULL},
    {"many blocks", many_blocks, HD_OK, NULL},
    {"tangle", tangle, HD_OK, NULL},
    {"phi web", phi_web, HD_OK, NULL},
    {"switch 32000", switch_32000, HD_BAD_INPUT, "control.cases"},
    {"switch 100000", switch_100000, HD_BAD_INPUT, "as.length"},
    {"switch twice", switch_twice, HD_BAD_INPUT, "control.case-twice"},
    {"recursion", recursion, HD_BAD_INPUT, "call.recursion"},
    {"recursion mutual", recursion_mutual, HD_BAD_INPUT, "call.recursion"},
    {"recursion of the kernel", recursion_of_kernel, HD_BAD_INPUT, "call.entry-point"},
    {"calls doubling", calls_doubling, HD_UNSUPPORTED, "ir.inline"},
    {"calls deep", calls_deep, HD_UNSUPPORTED, "ir.inline"},
    {"pointers many", pointers_many, HD_UNSUPPORTED, "call.candidates"},
    {"array 2^31", array_2_31, HD_UNSUPPORTED, "interp.private"},
    {"array load", array_load, HD_UNSUPPORTED, "build.large"},
    {"array overflow", array_overflow, HD_UNSUPPORTED, "interp.private"},
    {"array of the program", array_program, HD_UNSUPPORTED, "layout.size"},
    {"array local", array_local, HD_UNSUPPORTED, "layout.size"},
    {"array zero", array_zero, HD_BAD_INPUT, "type.array-length"},
    {"array negative", array_negative, HD_UNSUPPORTED, "interp.private"},
    {"array by spec", array_by_spec, HD_BAD_INPUT, "type.array-length"},
    {"struct cycle", struct_cycle, HD_BAD_INPUT, "id.order"},
    {"struct itself", struct_itself, HD_BAD_INPUT, "id.order"},
    {"pointer cycle", pointer_cycle, HD_OK, NULL},
    {"pointer itself", pointer_itself, HD_BAD_INPUT, "id.order"},
    {"function type itself", function_type_itself, HD_BAD_INPUT, "id.order"},
    {"spec cycle", spec_cycle, HD_BAD_INPUT, "id.order"},
    {"spec divide", spec_divide, HD_OK, NULL},
    {"divide", divide, HD_OK, NULL},
    {"args 1000", args_1000, HD_BAD_INPUT, "type.function-parameters"},
    {"arg huge", arg_huge, HD_UNSUPPORTED, "layout.argument"},
    {"local size huge", local_size_huge, HD_OK, NULL},
    {"loop forever", dispatch_forever, HD_OK, NULL},
    {"huge name", huge_name, HD_OK, NULL},
};

/* ---- one case ----------------------------------------------------------------------------------
 */

static bool found_rule(const HdDiags *d, const char *rule)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->at[i].rule != NULL && strcmp(d->at[i].rule, rule) == 0)
            return true;
    return false;
}

static void show(const HdDiags *d)
{
    for (size_t i = 0; i < d->count && i < 3; i++)
        printf("    %u: %.300s [%s]\n", d->at[i].word, d->at[i].message, d->at[i].rule);
}

static bool run_case(size_t i)
{
    double start = world_seconds();
    HdStrbuf text = {0};
    uint32_t *words = NULL;
    const char *stage = "assemble";
    size_t count;
    HdStatus st;
    HdDiags d;
    bool good;

    hd_diags_init(&d);
    cases[i].make(&text);
    st = hd_text_assemble(text.at, text.count, NULL, &d, &words, &count);
    if (st == HD_OK)
        st = world_through(words, count, 8, &d, &stage);
    good = st == cases[i].want && (cases[i].rule == NULL || found_rule(&d, cases[i].rule)) &&
           (st == HD_OK || d.errors != 0);
    if (!good || is_verbose) {
        printf("%s: %s at %s after %.1f s (wanted: %s%s%s)\n", cases[i].name, hd_status_name(st),
               stage, world_seconds() - start, hd_status_name(cases[i].want),
               cases[i].rule != NULL ? ", " : "", cases[i].rule != NULL ? cases[i].rule : "");
        show(&d);
    }
    hd_free(words);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    return good;
}

int main(int argc, char **argv)
{
    unsigned counts[2] = {0};
    const char *only;

    is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    only = argc > 1 + is_verbose ? argv[1 + is_verbose] : "";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strncmp(cases[i].name, only, strlen(only)) == 0)
            counts[!world_apart(cases[i].name, run_case, i)]++;
    printf("%u passed, %u failed, 0 skipped\n", counts[0], counts[1]);
    return counts[1] != 0;
}
