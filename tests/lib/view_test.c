/* tests/lib/view_test.c -- the public C API: looking into modules, options, strip, specialise.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "heddle/heddle.h"

static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %20 \"add\"\nOpName %20 \"add\"\nOpDecorate %7 SpecId 3\n"
    "%1 = OpTypeVoid\n%2 = OpTypeInt 32 0\n%3 = OpTypePointer CrossWorkgroup %2\n"
    "%4 = OpTypeFunction %1 %3\n%7 = OpSpecConstant %2 7\n"
    "%20 = OpFunction %1 None %4\n%8 = OpFunctionParameter %3\n%9 = OpLabel\n"
    "%10 = OpLoad %2 %8 Aligned 4\n%11 = OpFAdd %2 %10 %7\nOpStore %8 %11 Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

static void test_instructions(const heddle_view *v)
{
    heddle_instruction in;
    heddle_operand ops[8];
    uint32_t at = 0, count = 0, words = 5;
    char *shown;

    while (heddle_view_next(v, &at, &in)) {
        check(in.words[0] >> 16 == in.nwords && in.word + in.nwords == at, "words of one");
        words += in.nwords;
        count++;
    }
    check(count == 20 && words == at, "every instruction once");
    check(!heddle_view_next(v, &at, &in), "the end stays the end");
    check(heddle_view_definition(v, 10, &in) && strcmp(in.name, "OpLoad") == 0 && in.type == 2 &&
              in.result == 10,
          "a definition by id");
    check(!heddle_view_definition(v, 1000000, &in) || 0, "no definition");
    check(heddle_view_definition(v, 10, &in) && heddle_view_operands(v, &in, NULL, 0) == 5 &&
              heddle_view_operands(v, &in, ops, 4) == 5,
          "operands are counted");
    check(ops[2].kind == HEDDLE_OPERAND_ID && in.words[ops[2].at] == 8 &&
              ops[3].kind == HEDDLE_OPERAND_MASK && strcmp(ops[3].category, "MemoryAccess") == 0,
          "operands by kind");
    check(heddle_view_definition(v, 3, &in) && heddle_view_operands(v, &in, ops, 8) == 3 &&
              ops[1].kind == HEDDLE_OPERAND_ENUMERANT &&
              strcmp(ops[1].value, "CrossWorkgroup") == 0,
          "an enumerant by name");
    shown = heddle_view_text(v, &in);
    check(shown != NULL && strstr(shown, "OpTypePointer CrossWorkgroup") != NULL, "as text");
    heddle_free(shown);
}

static void test_view(const uint32_t *words, size_t nwords)
{
    uint32_t nonsense[5] = {1, 2, 3, 4, 5};
    heddle_view *v = NULL;

    check(heddle_view_open(words, nwords, NULL, &v) == HEDDLE_OK && v != NULL, "a view");
    test_instructions(v);
    check(heddle_view_function_count(v) == 1 && heddle_view_function(v, 0).id == 20 &&
              heddle_view_function(v, 0).block_count == 1,
          "functions");
    check(heddle_view_entry_point_count(v) == 1 &&
              strcmp(heddle_view_entry_point(v, 0).name, "add") == 0,
          "entry points");
    check(strcmp(heddle_view_name(v, 20), "add") == 0 && heddle_view_name(v, 1) == NULL &&
              heddle_view_name(v, UINT32_MAX) == NULL,
          "names");
    check(heddle_view_header(v).version == 0x10300 && heddle_view_header(v).memory_model == 2,
          "header");
    heddle_view_close(v);
    check(heddle_view_open(nonsense, 5, NULL, &v) == HEDDLE_BAD_INPUT && v == NULL, "nonsense");
}

static void count_finding(void *user, const heddle_finding *finding)
{
    *(unsigned *)user += strcmp(finding->rule, "arith.result") == 0;
}

static void test_options(const uint32_t *words, size_t nwords)
{
    unsigned found = 0;
    heddle_validate_options o = {.threads = 4, .finding = count_finding, .user = &found};

    check(heddle_validate_with(words, nwords, &o, NULL) == HEDDLE_BAD_INPUT && found == 1,
          "findings by callback");
    check(heddle_validate_with(words, nwords, NULL, NULL) == HEDDLE_BAD_INPUT, "no options");
    o.env = "opencl9.9";
    check(heddle_validate_with(words, nwords, &o, NULL) == HEDDLE_BAD_INPUT && found == 1,
          "an unknown environment");
}

static void test_rewriting(const uint32_t *words, size_t nwords)
{
    heddle_specialization nine = {3, 4, 9, NULL};
    uint32_t *made;
    size_t count;
    char *shown = NULL;

    check(heddle_strip(words, nwords, HEDDLE_STRIP_NAMES, NULL, &made, &count) == HEDDLE_OK &&
              count == nwords - 3,
          "strip");
    heddle_free(made);
    check(heddle_specialize(words, nwords, &nine, 1, 1, NULL, &made, &count) == HEDDLE_OK &&
              heddle_disassemble(made, count, HEDDLE_DIS_RAW_IDS, NULL, &shown) == HEDDLE_OK &&
              strstr(shown, "%7 = OpConstant %2 9") != NULL && strstr(shown, "SpecId") == NULL,
          "specialise");
    heddle_free(shown);
    heddle_free(made);
    check(heddle_strip(words, 3, 0, NULL, &made, &count) == HEDDLE_BAD_INPUT && made == NULL,
          "no module");
}

int main(void)
{
    uint32_t *words = NULL;
    size_t nwords = 0;

    check(heddle_assemble_as(text, strlen(text), 0x10300, HEDDLE_AS_PRESERVE_IDS, NULL, &words,
                             &nwords) == HEDDLE_OK,
          "assemble as");
    if (words != NULL) {
        test_view(words, nwords);
        test_options(words, nwords);
        test_rewriting(words, nwords);
    }
    heddle_free(words);
    return report();
}
