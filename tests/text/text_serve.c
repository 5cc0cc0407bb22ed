/* tests/text/text_serve.c -- the assembler and disassembler for test scripts, one process for all.
 *
 * Reads requests from standard input and answers each on standard output:
 *   request   'a', 'd' or 'i' (each instruction by hd_text_inst), u32 options, u32 version, u32
 * length, the text or the module's bytes answer    u32 status, u32 line, u32 column, u32 length,
 * the module's bytes or the text Options are the bits that tests/text/corpus_test.py names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "text/as.h"
#include "text/dis.h"

enum {
    PRESERVE = 2,
    COLOUR = 4,
    INDENT = 8,
    OFFSETS = 16,
    NO_HEADER = 32,
    FRIENDLY = 64,
    COMMENTS = 128,
    NESTED = 256,
    REORDER = 512,
    UNKNOWN = 1024
};

static void answer(HdStatus st, const HdDiags *d, const void *bytes, size_t count)
{
    uint32_t head[4] = {(uint32_t)st, 0, 0, (uint32_t)count};

    if (d->count > 0) {
        head[1] = d->at[0].line;
        head[2] = d->at[0].column;
    }
    fwrite(head, sizeof head, 1, stdout);
    if (count > 0)
        fwrite(bytes, 1, count, stdout);
    fflush(stdout);
}

/* A line for each instruction; with names of the whole module, or guessed. */
static void serve_insts(bool named, const char *bytes, size_t count, HdDiags *d)
{
    HdStrbuf out = {0};
    HdNames *names = NULL;
    HdModule *m = NULL;
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdStatus st = hd_module_read_bytes(bytes, count, d, &m);

    if (st == HD_OK && named)
        st = hd_names_open(m->words, m->nwords, &names);
    if (st == HD_OK) {
        for (HdInst in; hd_module_next(m, &word, &in);) {
            hd_text_inst(m, &in, names, SIZE_MAX, &out);
            hd_strbuf_add_char(&out, '\n');
        }
    }
    answer(st, d, out.at, out.count);
    hd_names_close(names);
    hd_module_drop(m);
    hd_strbuf_free(&out);
}

static void serve(int kind, uint32_t opts, uint32_t version, char *bytes, size_t count)
{
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    if (kind == 'a') {
        HdAsOptions o = {.version = version, .preserve_numeric_ids = (opts & PRESERVE) != 0};
        uint32_t *words;
        size_t n;

        st = hd_text_assemble(bytes, count, &o, &d, &words, &n);
        answer(st, &d, words, n * 4);
        hd_free(words);
    } else if (kind == 'i') {
        serve_insts((opts & FRIENDLY) != 0, bytes, count, &d);
    } else {
        HdDisOptions o = {.raw_ids = !(opts & FRIENDLY),
                          .colour = opts & COLOUR,
                          .indent = opts & INDENT,
                          .offsets = opts & OFFSETS,
                          .no_header = opts & NO_HEADER,
                          .comments = opts & COMMENTS,
                          .nested_indent = opts & NESTED,
                          .reorder_blocks = opts & REORDER,
                          .unknown_ops = opts & UNKNOWN};
        HdStrbuf out = {0};

        st = hd_text_disassemble((const uint32_t *)(void *)bytes, count / 4, &o, &d, &out);
        answer(st, &d, out.at, st == HD_OK ? out.count : 0);
        hd_strbuf_free(&out);
    }
    hd_diags_drop(&d);
}

int main(void)
{
    unsigned char head[13];

    while (fread(head, sizeof head, 1, stdin) == 1) {
        uint32_t v[3];
        char *bytes;

        memcpy(v, head + 1, sizeof v);
        bytes = malloc((size_t)v[2] + 4);
        if (bytes == NULL || fread(bytes, 1, v[2], stdin) != v[2])
            return 3;
        serve(head[0], v[0], v[1], bytes, v[2]);
        free(bytes);
    }
    return 0;
}
