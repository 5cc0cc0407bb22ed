/* tests/lib/check_test.c -- the public C API: OpenCL C compiled, compared, run checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "heddle/heddle.h"

/* Reads one element too many where n is larger than the buffer; sums into one place without an
 * atomic if `race` is given. */
static const char source[] = "kernel void add(global uint *out, global const uint *in, uint n)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    if (i < n)\n"
                             "        out[i] = in[i] + BY;\n"
                             "}\n"
                             "kernel void race(global uint *out)\n"
                             "{\n"
                             "    out[0] = out[0] + get_global_id(0);\n"
                             "}\n"
                             "kernel void flip(read_only image2d_t in, sampler_t s,\n"
                             "                 write_only image2d_t out)\n"
                             "{\n"
                             "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                             "    float2 from = (convert_float2(at) + 0.5f) /\n"
                             "                  convert_float2(get_image_dim(in));\n"
                             "    write_imagef(out, at, read_imagef(in, s, from).wzyx);\n"
                             "}\n";

static heddle_program *compiled(const char *options, uint32_t **words, size_t *nwords)
{
    heddle_report *r = heddle_report_open();
    heddle_program_options o = {.fast_math = 1};
    heddle_program *p = NULL;
    heddle_status st =
        heddle_compile(source, sizeof source - 1, "add.cl", options, r, words, nwords);

    if (st == HEDDLE_UNSUPPORTED)
        skip("there is no compiler");
    else
        check(st == HEDDLE_OK && *words != NULL && heddle_report_count(r) == 0,
              "the source compiles without a word");
    if (st == HEDDLE_OK)
        check(heddle_program_open_with(*words, *nwords, &o, r, &p) == HEDDLE_OK,
              "a program with options opens");
    heddle_report_close(r);
    return p;
}

static void test_compile_errors(void)
{
    static const char wrong[] = "kernel void k(global int *p) { *p = nothing; }";
    heddle_report *r = heddle_report_open();
    uint32_t one = 1, *words = &one;
    size_t nwords = 1;
    heddle_finding f;

    check(heddle_compile(wrong, sizeof wrong - 1, "wrong.cl", NULL, r, &words, &nwords) ==
                  HEDDLE_BAD_INPUT &&
              words == NULL && nwords == 0,
          "a wrong source does not compile");
    f = heddle_report_get(r, 0);
    check(strcmp(f.rule, "source.compile") == 0 && strstr(f.message, "wrong.cl:1:37") != NULL &&
              strstr(f.message, "nothing") != NULL,
          "the compiler's words name file and place");
    check(heddle_compile(source, sizeof source - 1, NULL, "-no-such", r, &words, &nwords) ==
                  HEDDLE_BAD_INPUT &&
              words == NULL,
          "an unknown option");
    check(strcmp(heddle_report_get(r, 1).rule, "source.options") == 0, "is told");
    heddle_report_close(r);
}

static void test_diff(const uint32_t *words, size_t nwords, const uint32_t *other, size_t count)
{
    const heddle_module a = {words, nwords}, b = {other, count}, half = {words, nwords / 2};
    char *text = NULL;

    check(heddle_diff(&a, &a, 3, NULL, &text) == HEDDLE_OK && text != NULL && *text == '\0',
          "a module does not differ from itself");
    heddle_free(text);
    check(heddle_diff(&a, &b, 0, NULL, &text) == HEDDLE_OK &&
              strstr(text, "- %uint_7 = OpConstant %uint 7\n") != NULL &&
              strstr(text, "+ %uint_8 = OpConstant %uint 8\n") != NULL,
          "another constant is a difference");
    heddle_free(text);
    check(heddle_diff(&a, &half, 3, NULL, &text) == HEDDLE_BAD_INPUT && text == NULL,
          "half a module cannot be compared");
}

/* The only defect has this rule. */
static heddle_defect only(heddle_check *c, const char *rule)
{
    heddle_defect d = {.rule = "none"};

    if (heddle_check_count(c) == 1)
        d = heddle_check_get(c, 0);
    check(heddle_check_errors(c) == 1 && strcmp(d.rule, rule) == 0, rule);
    return d;
}

static void test_bounds(heddle_program *p)
{
    heddle_check *c = heddle_check_open();
    uint32_t in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[9] = {0}, n = 8;
    heddle_arg args[] = {{out, 0}, {in, 0}, {&n, sizeof n}};
    heddle_launch l = {.kernel = "add",
                       .args = args,
                       .arg_count = 3,
                       .work_dim = 1,
                       .global_size = {9},
                       .threads = 1};
    heddle_defect d;
    char *text;

    check(heddle_check_memory(c, in, sizeof in, "input", HEDDLE_MEMORY_READ_ONLY) == HEDDLE_OK &&
              heddle_check_memory(c, out, sizeof out, NULL, HEDDLE_MEMORY_UNDEFINED) == HEDDLE_OK,
          "memory is declared");
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK && heddle_check_count(c) == 0 &&
              out[7] == 15 && out[8] == 0,
          "what is right runs without a finding");
    heddle_check_reads(c, out, 8 * sizeof *out);
    check(heddle_check_count(c) == 0, "what was written has values");
    n = 9;
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK, "a defect is no failure of the run");
    d = only(c, "check.out-of-bounds");
    check(d.severity == HEDDLE_ERROR && d.bytes == 4 &&
              d.address == (uint64_t)(uintptr_t)(in + 8) && d.count == 1,
          "the access");
    check(d.item.is_known && d.item.global_id[0] == 8, "the work-item");
    check(d.place.line == 5 && d.place.source != NULL && strstr(d.place.source, "add.cl") != NULL &&
              d.place.instruction != NULL && strstr(d.place.instruction, "OpLoad") != NULL &&
              strcmp(d.kernel, "add") == 0,
          "the place");
    check(d.memory != NULL && strstr(d.memory, "input") != NULL, "the memory has its name");
    text = heddle_check_text(c, "add.cl", HEDDLE_FORM_TEXT);
    check(text != NULL && strstr(text, "add.cl:5:") != NULL &&
              strstr(text, "[check.out-of-bounds]") != NULL,
          "as text");
    heddle_free(text);
    text = heddle_check_text(c, NULL, HEDDLE_FORM_JSON);
    check(text != NULL && strstr(text, "\"rule\":\"check.out-of-bounds\"") != NULL, "as JSON");
    heddle_free(text);
    text = heddle_check_text(c, NULL, HEDDLE_FORM_SARIF);
    check(text != NULL && strstr(text, "\"ruleId\"") != NULL, "as SARIF");
    heddle_free(text);
    text = heddle_check_text(c, NULL, HEDDLE_FORM_HTML);
    check(text != NULL && strstr(text, "<html") != NULL, "as a page");
    heddle_free(text);
    l.arg_count = 2;
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_BAD_INPUT, "an argument is missing");
    heddle_check_close(c);
}

/* Counts of one opcode of the first kernel. */
static uint64_t count_of(heddle_check *c, const char *opcode)
{
    heddle_opcode_count *all = NULL;
    size_t count = 0;
    uint64_t found = 0;

    check(heddle_counts_opcodes(c, 0, &all, &count) == HEDDLE_OK && count > 0, "opcodes");
    for (size_t i = 0; i < count; i++)
        found += strcmp(all[i].opcode, opcode) == 0 ? all[i].count : 0;
    heddle_free(all);
    return found;
}

/* Line 5 runs where the work-item's number is less than 6, for both launches. */
static void test_places(heddle_check *c)
{
    heddle_line_count *lines = NULL;
    heddle_branch_count *branches = NULL;
    heddle_instruction_count *all = NULL;
    uint64_t line = 0, total = 0;
    size_t count = 0;

    check(heddle_coverage_lines(c, &lines, &count) == HEDDLE_OK, "lines");
    for (size_t i = 0; i < count; i++)
        line += lines[i].line == 5 && strstr(lines[i].source, "add.cl") ? lines[i].count : 0;
    check(line == 12, "a line runs as often as the branch is taken");
    heddle_free(lines);
    check(heddle_coverage_branches(c, &branches, &count) == HEDDLE_OK && count == 2 &&
              branches[0].line == 4 && branches[0].is_reached && branches[0].edge == 0 &&
              branches[0].count == 12 && branches[1].edge == 1 && branches[1].count == 4,
          "ways out of the branch");
    heddle_free(branches);
    check(heddle_counts_instructions(c, 0, &all, &count) == HEDDLE_OK, "instructions");
    for (size_t i = 0; i < count; i++)
        total += all[i].count;
    check(total > 0 && total == heddle_counts_kernel(c, 0).instructions, "are all of them");
    heddle_free(all);
}

static void test_counts(heddle_program *p)
{
    heddle_check *c = heddle_check_open();
    uint32_t in[8] = {0}, out[8], n = 6;
    heddle_arg args[] = {{out, 0}, {in, 0}, {&n, sizeof n}};
    heddle_launch l = {
        .kernel = "add", .args = args, .arg_count = 3, .work_dim = 1, .global_size = {8}};
    heddle_memory_count *memory = NULL;
    heddle_kernel_counts k;
    size_t count = 1, global = 0;
    char *text;

    heddle_check_memory(c, in, sizeof in, "in", 0);
    heddle_check_memory(c, out, sizeof out, "out", 0);
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK &&
              heddle_counts_kernel_count(c) == 0 &&
              heddle_coverage_lines(c, &(heddle_line_count *){NULL}, &count) == HEDDLE_OK &&
              count == 0,
          "nothing is counted without being asked for");
    heddle_counts_begin(c);
    heddle_check_run(c, p, &l, NULL, NULL);
    l.local_size[0] = 2;
    heddle_check_run(c, p, &l, &(heddle_check_options){.seed = 3}, NULL);
    check(heddle_counts_kernel_count(c) == 1, "one kernel is counted");
    k = heddle_counts_kernel(c, 0);
    check(strcmp(k.kernel, "add") == 0 && k.launches == 2 && k.work_items == 16, "its launches");
    check(count_of(c, "OpBranchConditional") == 16 && count_of(c, "OpNop") == 0,
          "instructions of all work-items");
    check(heddle_counts_memory(c, 0, &memory, &count) == HEDDLE_OK, "bytes");
    for (size_t i = 0; i < count; i++)
        if (strcmp(memory[i].storage, "CrossWorkgroup") == 0)
            global += memory[i].loaded == 48 && memory[i].stored == 48 && memory[i].atomic == 0;
    check(global == 1, "of global memory");
    heddle_free(memory);
    test_places(c);
    text = heddle_counts_text(c, HEDDLE_FORM_TEXT);
    check(text != NULL && strncmp(text, "kernel add: 2 launches, 16 work-items, ", 39) == 0,
          "text");
    heddle_free(text);
    text = heddle_counts_text(c, HEDDLE_FORM_JSON);
    check(text != NULL && strncmp(text, "[{\"kernel\": \"add\", ", 19) == 0, "JSON");
    heddle_free(text);
    check(heddle_coverage_write(c, "/nowhere/at/all.info", NULL) == HEDDLE_IO, "no such folder");
    heddle_check_close(c);
}

/* Memory of no bytes has a name, until it is forgotten; it takes nothing from what holds it. */
static void test_empty(heddle_program *p)
{
    heddle_check *c = heddle_check_open();
    uint32_t in[4] = {1, 2, 3, 4}, out[4] = {0}, n = 4;
    heddle_arg args[] = {{out, 0}, {in, 0}, {&n, sizeof n}};
    heddle_launch l = {.kernel = "add",
                       .args = args,
                       .arg_count = 3,
                       .work_dim = 1,
                       .global_size = {4},
                       .threads = 1};
    heddle_defect d;

    heddle_check_memory(c, out, sizeof out, "out", 0);
    heddle_check_memory(c, out + 1, 0, "a part", 0);
    heddle_check_memory(c, in, 0, "nothing", 0);
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK, "a launch with empty memory");
    d = only(c, "check.out-of-bounds");
    check(d.count == 4 && d.memory != NULL && strstr(d.memory, "nothing, 0 bytes") != NULL,
          "each access is outside of the memory that the argument names");
    heddle_check_forget(c, in);
    heddle_check_memory(c, in, sizeof in, "in", 0);
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK && heddle_check_count(c) == 1 &&
              heddle_check_get(c, 0).count == 4,
          "memory in its place is as any other");
    heddle_check_close(c);
}

static void test_memory(heddle_program *p)
{
    heddle_check *c = heddle_check_open();
    uint32_t in[4] = {0}, out[4] = {0}, n = 4;
    heddle_arg args[] = {{out, 0}, {in, 0}, {&n, sizeof n}};
    heddle_launch l = {.kernel = "add",
                       .args = args,
                       .arg_count = 3,
                       .work_dim = 1,
                       .global_size = {4},
                       .threads = 1};
    heddle_defect d;

    heddle_check_memory(c, in, sizeof in, "in", HEDDLE_MEMORY_UNDEFINED);
    heddle_check_memory(c, out, sizeof out, "out", 0);
    heddle_check_wrote(c, in, sizeof in);
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK && heddle_check_count(c) == 0,
          "the host gave it values");
    heddle_check_forget(c, in);
    check(heddle_check_run(c, p, &l, NULL, NULL) == HEDDLE_OK, "memory that is gone");
    only(c, "check.released");
    heddle_check_close(c);

    c = heddle_check_open();
    l = (heddle_launch){.kernel = "race",
                        .args = args,
                        .arg_count = 1,
                        .work_dim = 1,
                        .global_size = {64},
                        .local_size = {64},
                        .threads = 1};
    heddle_check_memory(c, out, sizeof out, "out", 0);
    check(heddle_check_run(c, p, &l, &(heddle_check_options){.seconds = 60, .seed = 7}, NULL) ==
              HEDDLE_OK,
          "in another order, with a limit");
    check(heddle_check_errors(c) > 0, "a race is found");
    d = heddle_check_get(c, 0);
    check(strncmp(d.rule, "check.race", 10) == 0 && d.other != NULL && d.other_place.line == 9,
          "with its other side");
    heddle_check_close(c);
    heddle_check_close(NULL);
}

/* Four texels in a row of six, flipped into rows without gaps. */
static void test_images(heddle_program *p, heddle_engine engine, int checked)
{
    unsigned char in[2][6][4], out[2][4][4] = {{{0}}};
    heddle_image from = {.texels = in,
                         .dimensions = 2,
                         .width = 4,
                         .height = 2,
                         .channel_order = 0x10B5, /* CL_RGBA */
                         .channel_type = 0x10D2,  /* CL_UNORM_INT8 */
                         .row_pitch = 24};
    heddle_image to = from;
    heddle_sampler s = {.normalized = 1, .addressing = 0x1131, .filter = 0x1140};
    heddle_arg args[] = {{&from, sizeof from}, {&s, sizeof s}, {&to, sizeof to}};
    heddle_launch l = {.kernel = "flip",
                       .args = args,
                       .arg_count = 3,
                       .work_dim = 2,
                       .global_size = {4, 2},
                       .engine = engine,
                       .threads = 1};
    heddle_check *c = heddle_check_open();
    int same = 1;

    to.texels = out;
    to.row_pitch = 0;
    for (unsigned i = 0; i < sizeof in; i++)
        in[i / 24][i / 4 % 6][i % 4] = (unsigned char)(3 * i + 1);
    heddle_check_memory(c, in, sizeof in, "in", HEDDLE_MEMORY_READ_ONLY);
    heddle_check_memory(c, out, sizeof out, "out", HEDDLE_MEMORY_WRITE_ONLY);
    check((checked ? heddle_check_run(c, p, &l, NULL, NULL) : heddle_run(p, &l, NULL)) == HEDDLE_OK,
          "a kernel of images runs");
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 16; x++)
            same = same && out[y][x / 4][x % 4] == in[y][x / 4][3 - x % 4];
    check(same && heddle_check_count(c) == 0, "with the right texels");
    heddle_check_close(c);
    from.dimensions = 3;
    from.depth = 1;
    check(heddle_run(p, &l, NULL) == HEDDLE_BAD_INPUT, "an image of three dimensions");
    from.dimensions = 2;
    from.channel_type = 0x10D4; /* CL_UNORM_SHORT_565 */
    check(heddle_run(p, &l, NULL) == HEDDLE_BAD_INPUT, "a format that there is not");
    from.channel_type = 0x10D2;
    from.row_pitch = 12;
    check(heddle_run(p, &l, NULL) == HEDDLE_BAD_INPUT, "rows that overlap");
    from.row_pitch = 24;
    args[1].size = 8;
    check(heddle_run(p, &l, NULL) == HEDDLE_BAD_INPUT, "a sampler of another size");
}

int main(void)
{
    uint32_t *words = NULL, *other = NULL;
    size_t nwords = 0, count = 0;
    heddle_program *p = compiled("-g -cl-opt-disable -DBY=7", &words, &nwords);

    if (p != NULL) {
        heddle_program *q = compiled("-g -cl-opt-disable -DBY=8", &other, &count);

        test_compile_errors();
        test_diff(words, nwords, other, count);
        test_bounds(p);
        test_counts(p);
        test_empty(p);
        test_memory(p);
        test_images(p, HEDDLE_COMPILED, 0);
        test_images(p, HEDDLE_INTERPRETED, 0);
        test_images(p, HEDDLE_INTERPRETED, 1);
        heddle_program_close(q);
    }
    heddle_program_close(p);
    heddle_free(words);
    heddle_free(other);
    return report();
}
