/* tests/val/val_test.c -- the validator without memory, and on large modules made to be slow.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "counts.h"
#include "text/as.h"
#include "val/val.h"

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

/* Structures and arrays of them nested n deep; their number of members at the leaves is 2 to the n
 * / 2. */
static void deep_types(unsigned n)
{
    HdStrbuf s = {0};

    hd_strbuf_add(&s, head);
    hd_strbuf_add(&s, "%s0 = OpTypeStruct %u32 %u32\n%n0 = OpConstantNull %s0\n");
    for (unsigned i = 1; i <= n; i++)
        hd_strbuf_printf(
            &s,
            i % 2 ? "%%s%u = OpTypeStruct %%s%u %%s%u\n%%n%u = OpConstantNull %%s%u\n"
                  : "%%s%u = OpTypeArray %%s%u %%u1 ; %%s%u\n%%n%u = OpConstantNull %%s%u\n",
            i, i - 1, i - 1, i, i);
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

/* ---- environments -------------------------------------------------------------------------- */

/* Is it valid as SPIR-V of that version, in that environment? rule, if not NULL: no, for that is
 * broken. */
static bool judged(const char *text, uint32_t version, const HdValEnv *env, const char *rule)
{
    HdValOptions o = {.env = env};
    HdAsOptions as = {.version = version};
    uint32_t *words = NULL;
    size_t n;
    HdModule *m = NULL;
    HdDiags d;
    bool ok = false;

    hd_diags_init(&d);
    if (hd_text_assemble(text, strlen(text), &as, &d, &words, &n) == HD_OK &&
        hd_module_read(words, n, false, &d, &m) == HD_OK)
        ok = hd_val_module(m, &o, &d) == (rule == NULL ? HD_OK : HD_BAD_INPUT);
    for (size_t i = 0; rule != NULL && i < d.count; i++)
        ok = ok && strcmp(d.at[i].rule, rule) == 0;
    hd_module_drop(m);
    hd_free(words);
    hd_diags_drop(&d);
    return ok;
}

static bool fits(const char *text, uint32_t version, const HdValEnv *env)
{
    return judged(text, version, env, NULL);
}

static const char atomic_text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
    "OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
    "%p = OpTypePointer CrossWorkgroup %u32\n%scope = OpConstant %u32 SCOPE\n"
    "%order = OpConstant %u32 ORDER\n%fn = OpTypeFunction %void %p\n"
    "%f = OpFunction %void None %fn\n%a = OpFunctionParameter %p\n%e = OpLabel\n"
    "%x = OpAtomicIIncrement %u32 %a %scope %order\nOpMemoryBarrier %scope %order\n"
    "OpReturn\nOpFunctionEnd\n";

/* An atomic and a fence of that scope and order, where only fences or atomics can less. */
static bool atomic(const char *scope, const char *order, uint64_t memory, uint64_t fence,
                   const char *rule)
{
    char text[1024], *at;
    HdValEnv env;

    snprintf(text, sizeof text, "%s", atomic_text);
    at = strstr(text, "SCOPE");
    memset(at, ' ', 5);
    memcpy(at, scope, strlen(scope));
    at = strstr(text, "ORDER");
    memset(at, ' ', 5);
    memcpy(at, order, strlen(order));
    if (!hd_val_env_find("opencl3.0", &env))
        return false;
    env.atomic_memory = memory;
    env.atomic_fence = fence;
    return judged(text, 0x10200, &env, rule);
}

static bool atomic_fits(const char *scope, const char *order, uint64_t memory, uint64_t fence)
{
    return atomic(scope, order, memory, fence, NULL);
}

static void test_device_atomics(void)
{
    const uint64_t all = 0x7f, least = HD_VAL_ATOMIC_ORDER_RELAXED | HD_VAL_ATOMIC_SCOPE_WORK_GROUP;

    check(atomic_fits("1", "16", 0, 0), "nothing known of the device: every scope and order");
    check(atomic_fits("1", "16", all, all), "a device that has all");
    check(atomic_fits("2", "0", least, least), "what every device has");
    check(atomic("1", "0", least, all, "scope.memory-device"), "atomics without scope Device");
    check(atomic("1", "0", all, least, "scope.memory-device"), "fences without scope Device");
    check(atomic("0", "0", all & ~(uint64_t)HD_VAL_ATOMIC_SCOPE_ALL_DEVICES, all,
                 "scope.memory-device"),
          "atomics without scope CrossDevice");
    check(atomic("2", "8", least, all, "semantics.order-device"),
          "atomics without acquire and release");
    check(atomic("2", "16", all & ~(uint64_t)HD_VAL_ATOMIC_ORDER_SEQ_CST, all,
                 "semantics.order-device"),
          "atomics without sequential consistency");
    check(atomic("2", "16", all, all & ~(uint64_t)HD_VAL_ATOMIC_ORDER_SEQ_CST,
                 "semantics.order-device"),
          "fences without sequential consistency");
}

/* What a version of SPIR-V took in needs no extension, and may be declared all the same. */
static void test_promoted(void)
{
    static const char body[] =
        "OpMemoryModel Physical64 OpenCL\nOpDecorate %s NoSignedWrap\n"
        "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%fn = OpTypeFunction %void %u32\n"
        "%f = OpFunction %void None %fn\n%a = OpFunctionParameter %u32\n%e = OpLabel\n"
        "%s = OpIAdd %u32 %a %a\nOpReturn\nOpFunctionEnd\n";
    static const char caps[] =
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n";
    char plain[1024], declared[1024];
    HdValEnv env, with;
    const char *bad;

    snprintf(plain, sizeof plain, "%s%s", caps, body);
    snprintf(declared, sizeof declared, "%sOpExtension \"SPV_KHR_no_integer_wrap_decoration\"\n%s",
             caps, body);
    (void)hd_val_env_find("opencl3.0", &env);
    with = env;
    (void)hd_val_env_extend(&with, "cl_khr_spirv_no_integer_wrap_decoration", &bad);
    check(!fits(plain, 0x10000, &env) && !fits(plain, 0x10000, &with),
          "no-wrap decorations before 1.4 need the extension declared");
    check(!fits(declared, 0x10000, &env), "an extension that the environment lacks");
    check(fits(declared, 0x10000, &with), "an extension that the environment has");
    check(fits(plain, 0x10400, &env) && fits(plain, 0x10400, &with),
          "no-wrap decorations in 1.4 need no extension");
    check(fits(declared, 0x10400, &env) && fits(declared, 0x10400, &with),
          "an extension whose decorations the version has");
}

int main(void)
{
    test_memory();
    test_device_atomics();
    test_promoted();
    diamonds(24000);
    deep_types(3200);
    call_chain(16000);
    return report();
}
