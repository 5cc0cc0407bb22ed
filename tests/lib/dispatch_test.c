/* tests/lib/dispatch_test.c -- the public C API: what a shader has, shaders run and checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "heddle/heddle.h"

/* As words; NULL: the file cannot be read. */
static uint32_t *assembled(const char *path, size_t *nwords)
{
    FILE *f = fopen(path, "rb");
    static char text[1u << 16];
    uint32_t *words = NULL;
    size_t len = f != NULL ? fread(text, 1, sizeof text, f) : 0;

    if (f != NULL)
        fclose(f);
    if (len > 0)
        heddle_assemble_as(text, len, 0x10500, 0, NULL, &words, nwords);
    return words;
}

static heddle_program *opened(const char *path, const heddle_specialization *spec, size_t count)
{
    heddle_program *p = NULL;
    size_t nwords = 0;
    uint32_t *words = assembled(path, &nwords);

    check(words != NULL && heddle_program_open(words, nwords, spec, count, NULL, &p) == HEDDLE_OK,
          "the shader opens");
    heddle_free(words);
    return p;
}

static void test_bindings(const heddle_program *p)
{
    heddle_binding_info b;
    uint32_t size[3];

    check(heddle_program_kernel_count(p) == 1, "there is one entry point");
    check(heddle_program_binding_count(p, 0) == 5, "which has five bindings");
    b = heddle_program_binding(p, 0, 0);
    check(b.kind == HEDDLE_STORAGE_BUFFER && b.set == 0 && b.binding == 0 && b.elements == 2 &&
              b.stride == 16 && b.is_readonly && strcmp(b.name, "xs") == 0,
          "an array of descriptors is one of them");
    b = heddle_program_binding(p, 0, 1);
    check(b.kind == HEDDLE_STORAGE_BUFFER && b.binding == 1 && b.elements == 0 &&
              b.fixed_size == 16 && b.stride == 4 && b.is_used && !b.is_readonly && !b.is_writeonly,
          "a buffer with a run-time array");
    b = heddle_program_binding(p, 0, 2);
    check(!b.is_used && b.is_writeonly, "one that is not used");
    b = heddle_program_binding(p, 0, 3);
    check(b.kind == HEDDLE_UNIFORM_BUFFER && b.set == 1 && b.is_readonly, "a uniform buffer");
    b = heddle_program_binding(p, 0, 4);
    check(b.kind == HEDDLE_PUSH_CONSTANTS && b.fixed_size == 8 && strcmp(b.name, "P") == 0,
          "push constants come last");
    b = heddle_program_binding(p, 0, 5);
    check(b.name[0] == '\0' && b.fixed_size == 0, "there is no sixth");
    heddle_program_local_size(p, 0, size);
    check(size[0] == 8 && size[1] == 4 && size[2] == 1, "the size of a work-group");
}

/* Invocations that add to one number, or write what their neighbours read. */
static void test_races(uint32_t number, uint32_t sync, size_t found, const char *variable)
{
    const heddle_specialization spec[] = {{.spec_id = 0, .size_bytes = 4, .bits = number},
                                          {.spec_id = 1, .size_bytes = 4, .bits = 8},
                                          {.spec_id = 2, .size_bytes = 1, .bits = sync}};
    heddle_program *p = opened("tests/shaders/shared_races.spvasm", spec, 3);
    heddle_check *c = heddle_check_open();
    uint32_t out[8] = {0};
    const heddle_binding b = {.memory = out, .size = sizeof out};
    heddle_dispatch d = {
        .bindings = &b, .binding_count = 1, .groups = {1, 1, 1}, .subgroup_size = 8};
    uint32_t size[3] = {0};

    if (p != NULL) {
        heddle_program_local_size(p, 0, size);
        check(size[0] == 8, "the size of a work-group is specialised");
        check(heddle_dispatch_run(p, &d, NULL) == HEDDLE_OK, "it runs");
        heddle_check_memory(c, out, sizeof out, NULL, 0);
        check(heddle_check_dispatch(c, p, &d, NULL, NULL) == HEDDLE_OK, "and is checked");
        check(heddle_check_errors(c) == found, "as many defects as there are");
        if (found == 1 && heddle_check_count(c) == 1) {
            heddle_defect x = heddle_check_get(c, 0);
            char *text = heddle_check_text(c, NULL, HEDDLE_FORM_TEXT);

            check(strcmp(x.rule, "check.race") == 0 && strcmp(x.variable, variable) == 0,
                  "by rule and variable");
            check(strstr(text, "by another invocation of the workgroup") != NULL &&
                      strstr(text, "shader: main") != NULL,
                  "in the words of shaders");
            heddle_free(text);
        }
    }
    heddle_check_close(c);
    heddle_program_close(p);
}

enum { R = 0x10b0, RGBA = 0x10b5, UNORM8 = 0x10d2, UNSIGNED32 = 0x10dc, FLOAT = 0x10de };

static heddle_image image(void *texels, uint32_t dimensions, uint32_t width, uint32_t order,
                          uint32_t type)
{
    return (heddle_image){.texels = texels,
                          .dimensions = dimensions,
                          .width = width,
                          .height = 1,
                          .channel_order = order,
                          .channel_type = type};
}

/* Arrays of descriptors without a length; two of them are of one binding, for images that differ.
 */
static void test_endless(void)
{
    heddle_program *p = opened("tests/shaders/endless.spvasm", NULL, 0);
    float o[32] = {0}, halves[2][4] = {{0.5f, 0.5f, 0.5f, 0.5f}, {0.25f, 0.25f, 0.25f, 0.25f}};
    float rows[2][2] = {{0, 1}, {10, 11}}, hundred = 100, two = 200, texels[8] = {0}, stored[8];
    uint32_t a[9] = {0}, white = 0xffffffff, clear = 0, sum = 0;
    heddle_image pictures[] = {image(&white, 2, 1, RGBA, UNORM8), image(&clear, 2, 1, RGBA, UNORM8),
                               image(&sum, 2, 1, R, UNSIGNED32),  image(rows[0], 2, 2, R, FLOAT),
                               image(rows[1], 2, 2, R, FLOAT),    image(&hundred, 2, 1, R, FLOAT),
                               image(&two, 2, 1, R, FLOAT),       image(texels, 1, 8, R, FLOAT),
                               image(stored, 1, 8, R, FLOAT),     image(&clear, 2, 1, R, FLOAT)};
    heddle_sampler s = {.normalized = 1, .addressing = 0x1131, .filter = 0x1140};
    const size_t size = sizeof *pictures;
    heddle_binding b[] = {
        {0, 0, 0, o, sizeof o},        {0, 1, 5, a, sizeof a},        {0, 1, 1005, a, sizeof a},
        {0, 2, 7, halves[0], 16},      {0, 2, 8, halves[1], 16},      {1, 0, 0, &pictures[0], size},
        {1, 0, 3, &pictures[1], size}, {1, 0, 4, &pictures[2], size}, {1, 1, 0, &pictures[3], size},
        {1, 1, 1, &pictures[4], size}, {1, 2, 9, &s, sizeof s},       {1, 2, 8, &s, sizeof s},
        {1, 3, 1, &pictures[5], size}, {1, 3, 1, &s, sizeof s},       {1, 3, 2, &pictures[6], size},
        {1, 3, 2, &s, sizeof s},       {1, 4, 0, &pictures[7], size}, {1, 4, 1, &pictures[7], size},
        {1, 5, 0, &pictures[8], size}, {1, 5, 1, &pictures[8], size}};
    const heddle_dispatch d = {.bindings = b,
                               .binding_count = sizeof b / sizeof *b,
                               .groups = {1, 1, 1},
                               .subgroup_size = 8};

    if (p != NULL) {
        check(heddle_program_binding(p, 0, 1).elements == 4096, "an array without a length");
        check(heddle_dispatch_run(p, &d, NULL) == HEDDLE_OK, "its elements are bound");
        check(sum == 28, "an image to the variable of its format");
        check(o[0] == 103.5f, "and the others");
        check(stored[1] == o[4], "to which the shader writes");
        b[7].memory = &pictures[9];
        check(heddle_dispatch_run(p, &d, NULL) == HEDDLE_BAD_INPUT, "one that suits neither");
    }
    heddle_program_close(p);
}

/* Compiled code, too, tells what is not bound, and brings nothing down. */
static void test_unbound(void)
{
    static const struct {
        uint32_t mode, which;
        const char *told; /* NULL: nothing that is missing is accessed */
    } cases[] = {{1, 0, "binding 0.2 'C'"},
                 {3, 1, "binding 0.0[1] 'many'"},
                 {6, 3, "binding 0.0[3] 'many'"},
                 {10, 2, "binding 0.4[2] 'us'"},
                 {12, 1, "binding 0.0[1] 'many'"},
                 {13, 1, NULL},
                 {7, 1, NULL},
                 {3, 0, NULL}};
    heddle_program *p = opened("tests/shaders/unbound_access.spvasm", NULL, 0);
    uint32_t a[400] = {0}, b[16];
    const heddle_binding bound[] = {
        {0, 0, 0, a, sizeof a}, {0, 1, 0, b, sizeof b}, {0, 2, 0, NULL, 0}, {0, 3, 0, NULL, 0}};

    for (size_t i = 0; p != NULL && i < sizeof cases / sizeof *cases; i++) {
        const uint32_t push[] = {cases[i].mode, cases[i].which};
        const heddle_dispatch d = {.bindings = bound,
                                   .binding_count = 4,
                                   .push = push,
                                   .push_size = sizeof push,
                                   .groups = {4, 1, 1}};
        heddle_report *r = heddle_report_open();
        heddle_status st = heddle_dispatch_run(p, &d, r);

        check(st == (cases[i].told != NULL ? HEDDLE_BAD_INPUT : HEDDLE_OK), "what is not bound");
        if (cases[i].told != NULL)
            check(heddle_report_count(r) == 1 &&
                      strcmp(heddle_report_get(r, 0).rule, "launch.unbound") == 0 &&
                      strstr(heddle_report_get(r, 0).message, cases[i].told) != NULL,
                  cases[i].told);
        heddle_report_close(r);
    }
    heddle_program_close(p);
}

int main(void)
{
    heddle_program *p = opened("tests/shaders/shown.spvasm", NULL, 0);

    if (p != NULL)
        test_bindings(p);
    heddle_program_close(p);
    test_races(3, 0, 1, "many[1]");
    test_races(3, 1, 0, "");
    test_races(1, 0, 0, "");
    test_endless();
    test_unbound();
    return report();
}
