/* tests/fuzz/fuzz_as.c -- the assembler on any text.
 *
 * Besides not crashing: what it makes either cannot be disassembled (`!` makes any word), or its
 * text is the same again after another round; and each of its instructions has a place in the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "text/as.h"
#include "text/dis.h"
#include "text/places.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Disassemble, assemble, disassemble: the two texts must be the same when there are two. */
static void check_round(const uint32_t *words, size_t nwords, HdDiags *d)
{
    HdDisOptions o = {.raw_ids = true, .no_header = true};
    HdAsOptions a = {.preserve_numeric_ids = true};
    HdStrbuf one = {0}, two = {0};
    uint32_t *again = NULL;
    size_t count;

    if (hd_text_disassemble(words, nwords, &o, d, &one) == HD_OK &&
        hd_text_assemble(one.at, one.count, &a, d, &again, &count) == HD_OK) {
        if (hd_text_disassemble(again, count, &o, d, &two) != HD_OK || one.count != two.count ||
            (one.count > 0 && memcmp(one.at, two.at, one.count) != 0))
            abort();
    }
    hd_free(again);
    hd_strbuf_free(&one);
    hd_strbuf_free(&two);
}

/* Where words are written as numbers, a line of them counts as an instruction. */
static void check_places(const char *text, size_t size, const uint32_t *words, size_t nwords)
{
    HdTextPlaces places = {0};
    size_t count = 0;

    for (size_t at = 5; at < nwords && words[at] >> 16 != 0; at += words[at] >> 16)
        count++;
    if (hd_text_places(text, size, &places) && memchr(text, '!', size) == NULL &&
        places.count != count)
        abort();
    HD_ARRAY_FREE(&places);
}

static void check_made(const char *text, size_t size, const uint32_t *words, size_t nwords,
                       HdDiags *d)
{
    check_round(words, nwords, d);
    check_places(text, size, words, nwords);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    HdAsOptions a = {.preserve_numeric_ids = size > 0 && (data[0] & 1) != 0};
    HdDiags d;
    HdStrbuf shown = {0};
    uint32_t *words;
    size_t nwords;

    hd_diags_init(&d);
    if (hd_text_assemble((const char *)data, size, &a, &d, &words, &nwords) == HD_OK)
        check_made((const char *)data, size, words, nwords, &d);
    else if (d.errors == 0 || d.at[0].line == 0)
        abort(); /* refused without saying why and where */
    hd_diags_print(&d, &shown, true);
    hd_strbuf_free(&shown);
    hd_free(words);
    hd_diags_drop(&d);
    return 0;
}
