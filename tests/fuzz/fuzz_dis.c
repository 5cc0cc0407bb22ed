/* tests/fuzz/fuzz_dis.c -- the disassembler on any words.
 *
 * The first byte chooses the options. Text without names and headings is assembled again and must
 * then give the same text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "text/as.h"
#include "text/dis.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const HdStrbuf *one, HdDiags *d)
{
    HdDisOptions o = {.raw_ids = true, .no_header = true};
    HdAsOptions a = {.preserve_numeric_ids = true};
    HdStrbuf two = {0};
    uint32_t *words = NULL;
    size_t count;

    if (hd_text_assemble(one->at, one->count, &a, d, &words, &count) == HD_OK &&
        (hd_text_disassemble(words, count, &o, d, &two) != HD_OK || one->count != two.count ||
         (one->count > 0 && memcmp(one->at, two.at, one->count) != 0)))
        abort();
    hd_free(words);
    hd_strbuf_free(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    HdDisOptions o = {0};
    HdStrbuf text = {0};
    HdDiags d;
    uint32_t *words;
    size_t nwords = size > 0 ? (size - 1) / 4 : 0;

    if (size == 0)
        return 0;
    words = malloc(nwords * 4 + 4);
    if (words == NULL)
        return 0;
    memcpy(words, data + 1, nwords * 4);
    hd_diags_init(&d);
    if (data[0] == 0) {
        o = (HdDisOptions){.raw_ids = true, .no_header = true};
    } else {
        o.raw_ids = data[0] & 1;
        o.colour = data[0] & 2;
        o.indent = data[0] & 4;
        o.nested_indent = data[0] & 8;
        o.reorder_blocks = data[0] & 16;
        o.offsets = data[0] & 32;
        o.comments = data[0] & 64;
        o.unknown_ops = data[0] & 128;
    }
    if (hd_text_disassemble(words, nwords, &o, &d, &text) != HD_OK) {
        if (d.errors == 0)
            abort();
    } else if (data[0] == 0) {
        check_again(&text, &d);
    }
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    free(words);
    return 0;
}
