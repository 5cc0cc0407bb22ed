/* tests/xform/zero_test.c -- modules whose private memory begins with zeros: what variables are
 * given, what goes, and what stays as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "counts.h"
#include "module/constant.h"
#include "text/as.h"
#include "xform/zero.h"

static const char text[] = "OpCapability Addresses\n"
                           "OpCapability Kernel\n"
                           "OpCapability UntypedPointersKHR\n"
                           "OpExtension \"SPV_KHR_untyped_pointers\"\n"
                           "OpMemoryModel Physical64 OpenCL\n"
                           "OpEntryPoint Kernel %1 \"k\"\n"
                           "%2 = OpTypeVoid\n"
                           "%3 = OpTypeFunction %2\n"
                           "%4 = OpTypeInt 32 0\n"
                           "%5 = OpConstant %4 7\n"
                           "%6 = OpTypeArray %4 %5\n"
                           "%7 = OpTypeSampler\n"
                           "%8 = OpTypeStruct %4 %7\n"
                           "%9 = OpTypePointer Function %6\n"
                           "%10 = OpTypePointer Function %4\n"
                           "%11 = OpTypePointer Function %8\n"
                           "%12 = OpTypeUntypedPointerKHR Function\n"
                           "%13 = OpTypePointer Workgroup %4\n"
                           "%14 = OpVariable %13 Workgroup\n"
                           "%15 = OpUndef %4\n"
                           "%1 = OpFunction %2 None %3\n"
                           "%16 = OpLabel\n"
                           "%17 = OpVariable %9 Function\n"     /* an array */
                           "%18 = OpVariable %10 Function\n"    /* a number */
                           "%19 = OpVariable %10 Function %5\n" /* that has one */
                           "%20 = OpVariable %11 Function\n"    /* has no null */
                           "%21 = OpUntypedVariableKHR %12 Function %6\n"
                           "%22 = OpUndef %4\n"
                           "OpLifetimeStart %18 4\n"
                           "OpStore %18 %22\n"
                           "OpLifetimeStop %18 4\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

static HdModule *read_words(uint32_t *words, size_t nwords)
{
    HdModule *m = NULL;
    HdDiags d;

    hd_diags_init(&d);
    (void)hd_module_read(words, nwords, false, &d, &m);
    hd_diags_drop(&d);
    hd_free(words);
    return m;
}

/* The initialiser of a variable, the word behind `operands`; 0: it has none. */
static HdId initialiser(const HdModule *m, HdId id, unsigned operands)
{
    HdInst in;

    return hd_module_def(m, id, &in) && in.nwords == operands + 2u ? in.w[operands + 1] : 0;
}

static bool is_null(const HdModule *m, HdId id)
{
    return id != 0 && hd_module_opix(m, id) == HD_OPIX_ConstantNull;
}

static unsigned count(const HdModule *m, enum HdOpix opix)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    unsigned n = 0;

    for (HdInst in; hd_module_next(m, &word, &in);)
        n += in.opix == opix;
    return n;
}

static void test_module(const HdModule *m)
{
    check(is_null(m, initialiser(m, 17, 3)), "an array begins as null");
    check(is_null(m, initialiser(m, 18, 3)), "a number begins as null");
    check(initialiser(m, 19, 3) == 5, "what has an initialiser keeps it");
    check(initialiser(m, 20, 3) == 0, "what has no null has no initialiser");
    check(initialiser(m, 21, 4) == initialiser(m, 17, 3), "an untyped variable shares the null");
    check(initialiser(m, 14, 3) == 0, "local memory is left alone");
    check(is_null(m, 15) && is_null(m, 22), "undefined values are null");
    check(count(m, HD_OPIX_Undef) == 0, "nothing is undefined");
    check(count(m, HD_OPIX_LifetimeStart) + count(m, HD_OPIX_LifetimeStop) == 0,
          "lifetimes are gone");
    check(count(m, HD_OPIX_ConstantNull) == 4, "a null of each type, and of what was undefined");
}

int main(void)
{
    const HdAsOptions o = {.version = 0x00010400, .preserve_numeric_ids = true};
    bool ok = true, hit = true;
    HdModule *m, *zeroed;
    uint32_t *words;
    size_t nwords;
    HdDiags d;

    hd_diags_init(&d);
    check(hd_text_assemble(text, strlen(text), &o, &d, &words, &nwords) == HD_OK, "assembled");
    hd_diags_drop(&d);
    m = read_words(words, nwords);
    check(hd_xform_zero(m, &words, &nwords) == HD_OK, "zeroed");
    zeroed = read_words(words, nwords);
    test_module(zeroed);
    hd_module_drop(zeroed);
    for (unsigned long k = 1; hit; k++) {
        HdStatus st;

        hd_test_fail_alloc(k);
        st = hd_xform_zero(m, &words, &nwords);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        ok = ok && st == (hit ? HD_NO_MEMORY : HD_OK);
        hd_free(words);
    }
    check(ok, "every allocation failing once");
    hd_module_drop(m);
    return report();
}
