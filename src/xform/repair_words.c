/* xform/repair_words.c -- a defect that keeps a module from being read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair_words.h"

#include <string.h>

#include "gen/spirv.h"
#include "module/module.h"
#include "xform/repair_state.h"

#define NULL_WORDS 3u

/* A null with nothing but its type behind it. */
static bool is_long_null(const uint32_t *w, const HdRawInst *in)
{
    if (in->op != SpvOpConstantNull || in->count <= NULL_WORDS)
        return false;
    for (uint32_t i = NULL_WORDS; i < in->count; i++)
        if (w[i] != w[1])
            return false;
    return true;
}

bool hd_xform_has_long_nulls(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    if (nwords < HD_MODULE_FIRST_WORD || words[0] != SpvMagicNumber || words[2] != HD_LLVM_22)
        return false;
    for (HdRawInst in; hd_words_next(words, nwords, &at, &in);)
        if (is_long_null(words + at - in.count, &in))
            return true;
    return false;
}

void hd_xform_shorten_nulls(uint32_t *words, size_t *nwords)
{
    size_t at = HD_MODULE_FIRST_WORD, to = at;

    for (HdRawInst in; hd_words_next(words, *nwords, &at, &in);) {
        uint32_t *w = words + at - in.count, count = in.count;

        if (is_long_null(w, &in)) {
            count = NULL_WORDS;
            w[0] = count << 16 | in.op;
        }
        memmove(words + to, w, count * sizeof *w);
        to += count;
    }
    memmove(words + to, words + at, (*nwords - at) * sizeof *words);
    *nwords -= at - to;
}

void hd_xform_warn_long_nulls(HdDiags *d)
{
    HdDiag diag = {.severity = HD_WARNING, .rule = "repair.null-words", .word = HD_NO_PLACE};

    hd_diags_add(d, &diag, "%s", "OpConstantNull repeats its type behind its result; left out");
}
