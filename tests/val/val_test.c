/* tests/val/val_test.c -- the validator without memory, and on large modules made to be slow.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "text/as.h"
#include "val/val.h"

static unsigned passed, failed;

static void check(bool ok, const char *what)
{
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("FAILED: %s\n", what);
    }
}

static const char head[] = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                           "OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n"
                           "%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%u1 = OpConstant %u32 1\n"
                           "%true = OpConstantTrue %bool\n%fn = OpTypeFunction %void\n";

static HdModule *assemble(const char *text)
{
    HdAsOptions o = {.version = 0x10200};
    uint32_t *words = NULL;
    size_t n;
    HdModule *m = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_text_assemble(text, strlen(text), &o, &d, &words, &n) == HD_OK)
        (void)hd_module_read(words, n, false, &d, &m);
    hd_free(words);
    hd_diags_drop(&d);
    return m;
}

/* ---- memory -------------------------------------------------------------------------------- */

static void test_memory(void)
{
    HdModule *m;
    HdValEnv env;
    HdValOptions o = {.env = &env};
    HdStrbuf text = {0};
    bool ok = true;

    hd_strbuf_add(&text, head);
    hd_strbuf_add(&text, "%f = OpFunction %void None %fn\n%e = OpLabel\n"
                         "%a = OpIAdd %u32 %u1 %true\nOpSelectionMerge %m None\n"
                         "OpBranchConditional %true %t %m\n%t = OpLabel\nOpBranch %m\n"
                         "%m = OpLabel\n%p = OpPhi %u32 %u1 %e %u1 %t\nOpReturn\nOpFunctionEnd\n");
    m = assemble(hd_strbuf_text(&text));
    ok = m != NULL && hd_val_env_find("opencl3.0", &env);
    for (uint64_t k = 1; ok && k < 2000; k++) {
        int64_t before = hd_test_live_blocks();
        HdStatus st;
        HdDiags d;
        bool hit;

        hd_diags_init(&d);
        hd_test_fail_alloc(k);
        st = hd_val_module(m, &o, &d);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        hd_diags_drop(&d);
        /* An invalid module is never valid for want of memory. */
        ok = st != HD_OK && hd_test_live_blocks() == before;
        if (!hit)
            break;
    }
    check(ok, "validating with every allocation failing once");
    hd_module_drop(m);
    hd_strbuf_free(&text);
}

/* ---- modules that are work ------------------------------------------------------------------ */

/* Time is not judged, for a busy machine would decide; but what is exponential in these sizes would
 * not end. */

static void validate(const char *what, const char *text, HdStatus want)
{
    HdModule *m = assemble(text);
    HdDiags d;
    bool ok;

    hd_diags_init(&d);
    d.limit = 10;
    ok = m != NULL && hd_val_module(m, NULL, &d) == want;
    hd_diags_drop(&d);
    hd_module_drop(m);
    check(ok, what);
}

/* A function of n diamonds, one behind the other, with values that cross them. */
static void diamonds(unsigned n)
{
    HdStrbuf s = {0};

    hd_strbuf_add(&s, head);
    hd_strbuf_add(&s, "%f = OpFunction %void None %fn\n%e = OpLabel\nOpBranch %h0\n");
    for (unsigned i = 0; i < n; i++)
        hd_strbuf_printf(&s,
                         "%%h%u = OpLabel\n%%x%u = OpIAdd %%u32 %%u1 %%u1\n"
                         "OpBranchConditional %%true %%l%u %%r%u\n%%l%u = OpLabel\n"
                         "OpBranch %%r%u\n%%r%u = OpLabel\n"
                         "%%p%u = OpPhi %%u32 %%u1 %%l%u %%x%u %%h%u\nOpBranch %%h%u\n",
                         i, i, i, i, i, i, i, i, i, i, i, i + 1);
    hd_strbuf_printf(&s, "%%h%u = OpLabel\nOpReturn\nOpFunctionEnd\n", n);
    validate("many blocks", hd_strbuf_text(&s), HD_OK);
    hd_strbuf_free(&s);
}

/* Structures nested n deep; their number of members at the leaves is 2 to the n. */
static void deep_types(unsigned n)
{
    HdStrbuf s = {0};

    hd_strbuf_add(&s, head);
    hd_strbuf_add(&s, "%s0 = OpTypeStruct %u32 %u32\n%n0 = OpConstantNull %s0\n");
    for (unsigned i = 1; i <= n; i++)
        hd_strbuf_printf(&s, "%%s%u = OpTypeStruct %%s%u %%s%u\n%%n%u = OpConstantNull %%s%u\n", i,
                         i - 1, i - 1, i, i);
    validate("deep types", hd_strbuf_text(&s), HD_OK);
    hd_strbuf_free(&s);
}

/* n functions that call each other in a chain, and the last the first. */
static void call_chain(unsigned n)
{
    HdStrbuf s = {0};

    hd_strbuf_add(&s, head);
    for (unsigned i = 0; i < n; i++)
        hd_strbuf_printf(&s,
                         "%%f%u = OpFunction %%void None %%fn\n%%e%u = OpLabel\n"
                         "%%c%u = OpFunctionCall %%void %%f%u\nOpReturn\nOpFunctionEnd\n",
                         i, i, i, (i + 1) % n);
    validate("long call chains", hd_strbuf_text(&s),
             HD_OK); /* a library: nothing calls into the ring */
    hd_strbuf_free(&s);
}

int main(void)
{
    test_memory();
    diamonds(24000);
    deep_types(3200);
    call_chain(16000);
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
