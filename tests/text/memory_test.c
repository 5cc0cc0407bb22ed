/* tests/text/memory_test.c -- assembler and disassembler when an allocation fails.
 *
 * Every allocation of a run is made to fail once: the answer must be HD_NO_MEMORY or right, and
 * nothing may be held afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "text/as.h"
#include "text/dis.h"

static const char text[] =
    "OpCapability Kernel\n%ext = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpName %f \"foo\"\nOpName %g \"foo\"\nOpName %h \"foo\"\n"
    "OpDecorate %g Constant\nOpDecorate %g Alignment 4\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n"
    "%bool = OpTypeBool\n%t = OpConstantTrue %bool\n%p = OpTypePointer Function %float\n"
    "%v = OpTypeVector %float 4\n%g = OpConstant %float 0.5\n%h = OpConstant %float 1.5\n"
    "%f = OpFunction %void None %fn\n%99999 = OpLabel\nOpSelectionMerge %b None\n"
    "OpBranchConditional %t %c %b\n%c = OpLabel\n%x = OpExtInst %float %ext sqrt %g\n"
    "OpBranch %b\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";

static int passed, failed;

static void judge(const char *what, unsigned nth, HdStatus st, bool right, int64_t before)
{
    if ((st == HD_NO_MEMORY || (st == HD_OK && right)) && hd_test_live_blocks() == before) {
        passed++;
        return;
    }
    printf("failed: %s, allocation %u: %s, %lld blocks held\n", what, nth, hd_status_name(st),
           (long long)(hd_test_live_blocks() - before));
    failed++;
}

static void try_assemble(bool preserve, const uint32_t *want, size_t count)
{
    HdAsOptions o = {.preserve_numeric_ids = preserve};

    for (unsigned nth = 1;; nth++) {
        int64_t before = hd_test_live_blocks();
        uint32_t *words;
        size_t n;
        HdDiags d;
        HdStatus st;
        bool right, hit;

        hd_diags_init(&d);
        hd_test_fail_alloc(nth);
        st = hd_text_assemble(text, strlen(text), &o, &d, &words, &n);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        right = st == HD_OK && n > 50 &&
                (want == NULL || (n == count && memcmp(words, want, n * 4) == 0));
        hd_free(words);
        hd_diags_drop(&d);
        judge("as", nth, st, right, before);
        if (!hit)
            return;
    }
}

static void try_disassemble(const HdDisOptions *o, const uint32_t *words, size_t count)
{
    size_t length = 0;

    for (unsigned nth = 0;; nth++) {
        int64_t before = hd_test_live_blocks();
        HdStrbuf out = {0};
        HdDiags d;
        HdStatus st;
        bool right, hit;

        hd_diags_init(&d);
        hd_test_fail_alloc(nth);
        st = hd_text_disassemble(words, count, o, &d, &out);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        if (nth == 0)
            length = out.count;
        right = st == HD_OK && out.count == length;
        hd_strbuf_free(&out);
        hd_diags_drop(&d);
        judge("dis", nth, st, right, before);
        if (nth > 0 && !hit)
            return;
    }
}

int main(void)
{
    HdDisOptions plain = {0}, all = {.colour = true,
                                     .indent = true,
                                     .nested_indent = true,
                                     .reorder_blocks = true,
                                     .offsets = true,
                                     .comments = true};
    uint32_t *words;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_text_assemble(text, strlen(text), NULL, &d, &words, &count) != HD_OK) {
        printf("failed: the text does not assemble\n0 passed, 1 failed, 0 skipped\n");
        return 1;
    }
    try_assemble(false, words, count);
    try_assemble(true, NULL, 0);
    try_disassemble(&plain, words, count);
    try_disassemble(&all, words, count);
    hd_free(words);
    hd_diags_drop(&d);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
