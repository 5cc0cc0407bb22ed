/* tests/module/shared_test.c -- one module read by several threads: the same index, the same
 * errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/bitset.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "counts.h"
#include "module/module.h"
#include "text/as.h"

#define FUNCTIONS 12000u /* so many that there are several parts */

/* One function with all that a part has to know: a switch, calls, blocks, a parameter, undefined
 * values; `odd` stands in the one in the middle. */
static void add_function(HdStrbuf *out, unsigned n, const char *odd)
{
    hd_strbuf_printf(out,
                     "%%f%u = OpFunction %%uint None %%fn\n%%p%u = OpFunctionParameter %%uint\n"
                     "%%l%u = OpLabel\n%%a%u = OpIAdd %%uint %%p%u %%seven\n",
                     n, n, n, n, n);
    if (n == FUNCTIONS / 2)
        hd_strbuf_add(out, odd);
    if (n != 0)
        hd_strbuf_printf(out, "%%c%u = OpFunctionCall %%uint %%f%u %%a%u\n", n, n - 1, n);
    hd_strbuf_printf(out,
                     "OpSwitch %%a%u %%e%u 1 %%d%u\n%%d%u = OpLabel\n%%u%u = OpUndef %%uint\n"
                     "OpReturnValue %%u%u\n%%e%u = OpLabel\nOpReturnValue %%a%u\nOpFunctionEnd\n",
                     n, n, n, n, n, n, n, n);
}

static uint32_t *make(const char *odd, size_t *nwords)
{
    HdStrbuf text = {0};
    uint32_t *words = NULL;
    HdDiags d;

    hd_diags_init(&d);
    hd_strbuf_add(&text, "OpCapability Kernel\nOpCapability Linkage\nOpCapability Addresses\n"
                         "OpMemoryModel Physical64 OpenCL\nOpDecorate %f7 FuncParamAttr Zext\n"
                         "%uint = OpTypeInt 32 0\n%seven = OpConstant %uint 7\n"
                         "%fn = OpTypeFunction %uint %uint\n");
    for (unsigned n = 0; n < FUNCTIONS; n++)
        add_function(&text, n, odd);
    check(hd_text_assemble(text.at, text.count, NULL, &d, &words, nwords) == HD_OK, "assembles");
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    return words;
}

static bool same(const void *a, const void *b, size_t count, size_t size)
{
    return count == 0 || memcmp(a, b, count * size) == 0;
}

static void check_same(const HdModule *a, const HdModule *b)
{
    check(same(a->def, b->def, a->bound, 4), "definitions");
    check(same(a->function_of, b->function_of, a->bound, 4), "numbers of functions");
    check(same(a->operand_types.of, b->operand_types.of, a->bound, 4), "what ids are");
    check(same(a->id_words, b->id_words, HD_BITSET_WORDS(a->nwords), 8), "words that are ids");
    check(a->function_count == b->function_count &&
              same(a->functions, b->functions, a->function_count, sizeof *a->functions),
          "functions");
    check(a->block_count == b->block_count &&
              same(a->blocks, b->blocks, a->block_count, sizeof *a->blocks),
          "blocks");
    check(same(a->params, b->params, a->function_count, 4), "parameters");
    check(a->decoration_count == b->decoration_count && a->capability_count == b->capability_count,
          "what comes before functions");
    check(a->first_function == b->first_function && a->has_calls == b->has_calls &&
              a->has_undefs == b->has_undefs && a->has_lines == b->has_lines,
          "what there is");
}

static void check_words(const uint32_t *words, size_t nwords, HdStatus expected, const char *what)
{
    HdModule *alone = NULL, *shared = NULL;
    HdDiags d1, d4;
    HdStatus st;

    hd_diags_init(&d1);
    hd_diags_init(&d4);
    st = hd_module_read(words, nwords, true, &d1, &alone);
    check(st == expected, what);
    check(hd_module_read_by(4, words, nwords, true, &d4, &shared) == st, what);
    check(d1.count == d4.count && (expected == HD_OK || d1.count != 0), what);
    for (size_t i = 0; i < d1.count && i < d4.count; i++)
        check(d1.at[i].word == d4.at[i].word && strcmp(d1.at[i].rule, d4.at[i].rule) == 0, what);
    if (alone != NULL && shared != NULL)
        check_same(alone, shared);
    hd_module_drop(alone);
    hd_module_drop(shared);
    hd_diags_drop(&d1);
    hd_diags_drop(&d4);
}

/* The first word of an instruction with that opcode behind `from`. */
static size_t find(const uint32_t *words, size_t nwords, size_t from, uint32_t opcode)
{
    size_t at = HD_MODULE_FIRST_WORD;

    while (at < nwords && (at < from || (words[at] & 0xffff) != opcode))
        at += words[at] >> 16;
    return at;
}

static void check_broken(void)
{
    size_t nwords = 0, near, far;
    uint32_t *words = make("", &nwords), kept;

    near = find(words, nwords, nwords / 4, SpvOpIAdd);
    far = find(words, nwords, nwords / 4 * 3, SpvOpIAdd);
    check_words(words, nwords, HD_OK, "a sound module");
    kept = words[far + 2];
    words[far + 2] = words[near + 2];
    check_words(words, nwords, HD_BAD_INPUT, "an id that two functions define");
    words[far + 2] = kept;
    kept = words[far + 3];
    words[far + 3] = words[3];
    check_words(words, nwords, HD_BAD_INPUT, "an id out of bounds");
    words[far + 3] = kept;
    kept = words[near];
    words[near] = 1u << 16 | SpvOpIAdd;
    check_words(words, nwords, HD_BAD_INPUT, "an instruction that ends too soon");
    words[near] = SpvOpIAdd;
    check_words(words, nwords, HD_BAD_INPUT, "an instruction of no words");
    words[near] = kept;
    check_words(words, nwords - 1, HD_OK, "a function that does not end");
    check_words(words, find(words, nwords, far, SpvOpSwitch) + 2, HD_BAD_INPUT, "a module cut off");
    hd_free(words);
}

/* What a function holds and what others may depend on: one thread reads it then. */
static void check_odd(const char *odd, HdStatus expected, const char *what)
{
    size_t nwords = 0;
    uint32_t *words = make(odd, &nwords);

    check_words(words, nwords, expected, what);
    hd_free(words);
}

int main(void)
{
    check_broken();
    check_odd("%long = OpTypeInt 64 0\n%l = OpConstant %long 1\n", HD_OK, "a type in a function");
    check_odd("OpName %fn \"fn\"\nOpDecorate %fn Restrict\n", HD_OK, "a decoration in a function");
    check_odd("OpCapability Int64\n", HD_OK, "a capability in a function");
    return report();
}
