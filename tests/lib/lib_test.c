/* tests/lib/lib_test.c -- the public C API: text to module, judged, linked, run by both engines.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "heddle/heddle.h"

/* out[i] = in[i] + constant 7, where the constant has SpecId 3. */
static const char kernel_text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"add\" %id\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n"
    "OpDecorate %seven SpecId 3\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %u64 3\n"
    "%pv3 = OpTypePointer Input %v3\n%pg = OpTypePointer CrossWorkgroup %u32\n"
    "%fn = OpTypeFunction %void %pg %pg\n"
    "%seven = OpSpecConstant %u32 7\n"
    "%id = OpVariable %pv3 Input\n"
    "%k = OpFunction %void None %fn\n%in = OpFunctionParameter %pg\n"
    "%out = OpFunctionParameter %pg\n"
    "%entry = OpLabel\n%ids = OpLoad %v3 %id\n%i = OpCompositeExtract %u64 %ids 0\n"
    "%pi = OpInBoundsPtrAccessChain %pg %in %i\n%x = OpLoad %u32 %pi Aligned 4\n"
    "%y = OpIAdd %u32 %x %seven\n"
    "%po = OpInBoundsPtrAccessChain %pg %out %i\nOpStore %po %y Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

static void test_text(uint32_t **words, size_t *nwords)
{
    heddle_report *r = heddle_report_open();
    char *text = NULL;

    check(heddle_assemble(kernel_text, strlen(kernel_text), r, words, nwords) == HEDDLE_OK,
          "text assembles");
    check(heddle_disassemble(*words, *nwords, HEDDLE_DIS_NO_HEADER, r, &text) == HEDDLE_OK &&
              text != NULL && strstr(text, "OpIAdd") != NULL,
          "words disassemble");
    heddle_free(text);
    check(heddle_report_count(r) == 0, "nothing to report");
    heddle_report_close(r);
}

static void test_errors(const uint32_t *words, size_t nwords)
{
    heddle_report *r = heddle_report_open();
    uint32_t *none = NULL;
    size_t count = 0;
    char *shown;

    check(heddle_assemble("%1 = OpNonsense", 15, r, &none, &count) == HEDDLE_BAD_INPUT &&
              none == NULL,
          "nonsense does not assemble");
    check(heddle_report_count(r) == 1 && heddle_report_get(r, 0).line == 1,
          "and is found in line 1");
    shown = heddle_report_json(r, "x.spvasm");
    check(shown != NULL && strstr(shown, "\"line\":1") != NULL, "as JSON too");
    heddle_free(shown);
    heddle_report_close(r);
    check(heddle_validate(words, nwords, "opencl3.0", NULL, NULL) == HEDDLE_OK,
          "the kernel is valid");
    check(heddle_validate(words, nwords, "opencl9.9", NULL, NULL) == HEDDLE_BAD_INPUT,
          "an environment that does not exist");
    check(heddle_validate(words, nwords / 2, NULL, NULL, NULL) == HEDDLE_BAD_INPUT,
          "half a module is not valid");
}

static void test_run(const uint32_t *words, size_t nwords, heddle_engine engine)
{
    heddle_specialization spec = {.spec_id = 3, .size_bytes = 4, .bits = 100};
    heddle_report *r = heddle_report_open();
    uint32_t in[37], out[37];
    heddle_arg args[2] = {{.value = in}, {.value = out}};
    heddle_launch launch = {.args = args,
                            .arg_count = 2,
                            .work_dim = 1,
                            .global_size = {37},
                            .engine = engine,
                            .threads = 1};
    heddle_program *p = NULL;
    int same = 1;

    for (uint32_t i = 0; i < 37; i++)
        in[i] = i * i, out[i] = 0;
    check(heddle_program_open(words, nwords, &spec, 1, r, &p) == HEDDLE_OK, "a program opens");
    if (p == NULL) {
        heddle_report_close(r);
        return;
    }
    check(heddle_program_kernel_count(p) == 1 && strcmp(heddle_program_kernel(p, 0), "add") == 0,
          "it has one kernel");
    check(heddle_run(p, &launch, r) == HEDDLE_OK, "the kernel runs");
    for (uint32_t i = 0; i < 37; i++)
        same = same && out[i] == i * i + 100;
    check(same, "with the right results");
    launch.arg_count = 1;
    check(heddle_run(p, &launch, r) == HEDDLE_BAD_INPUT, "an argument is missing");
    launch.arg_count = 2;
    args[1].size = sizeof args[1].value; /* as clSetKernelArg wants it */
    check(heddle_run(p, &launch, r) == HEDDLE_BAD_INPUT &&
              strstr(heddle_report_get(r, heddle_report_count(r) - 1).message,
                     "must be the address of that memory") != NULL,
          "the address of a pointer is not memory");
    args[1].size = 0;
    launch.kernel = "other";
    check(heddle_run(p, &launch, r) == HEDDLE_BAD_INPUT, "there is no such kernel");
    heddle_program_close(p);
    heddle_report_close(r);
}

/* Numbers are read and written to nearest, however the host rounds. */
static void test_rounding(void)
{
    static const char text[] = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                               "OpCapability Float64\nOpCapability Float16\n"
                               "OpMemoryModel Physical64 OpenCL\n%f = OpTypeFloat 32\n"
                               "%d = OpTypeFloat 64\n%h = OpTypeFloat 16\n%a = OpConstant %f 0.1\n"
                               "%b = OpConstant %d 0.1\n%c = OpConstant %h 0.1\n";
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    uint32_t *words[3] = {NULL};
    char *texts[3] = {NULL};
    size_t count[3] = {0};

    for (int i = 0; i < 3; i++) {
        fesetround(ways[i]);
        check(heddle_assemble(text, strlen(text), NULL, &words[i], &count[i]) == HEDDLE_OK,
              "constants assemble");
        check(heddle_disassemble(words[0], count[0], 0, NULL, &texts[i]) == HEDDLE_OK,
              "constants disassemble");
        check(fegetround() == ways[i], "the host's rounding stays");
        fesetround(FE_TONEAREST);
        check(count[i] == count[0] && memcmp(words[i], words[0], count[0] * 4) == 0,
              "constants are the nearest");
        check(texts[i] != NULL && strcmp(texts[i], texts[0]) == 0, "texts are the nearest");
    }
    for (int i = 0; i < 3; i++) {
        heddle_free(words[i]);
        heddle_free(texts[i]);
    }
}

int main(void)
{
    uint32_t *words = NULL, *linked = NULL;
    size_t nwords = 0, count = 0;
    heddle_module module;

    test_text(&words, &nwords);
    test_rounding();
    test_errors(words, nwords);
    test_run(words, nwords, HEDDLE_COMPILED);
    test_run(words, nwords, HEDDLE_INTERPRETED);
    module = (heddle_module){words, nwords};
    check(heddle_link(&module, 1, 0, NULL, &linked, &count) == HEDDLE_OK && linked != NULL,
          "one module links");
    if (linked != NULL)
        test_run(linked, count, HEDDLE_INTERPRETED);
    heddle_free(linked);
    heddle_free(words);
    return report();
}
