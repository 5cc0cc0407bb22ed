/* module/edit.c -- words written one after another.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/edit.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

static bool reserve(HdWriter *w, size_t extra)
{
    if (w->failed)
        return false;
    if (w->room - w->count >= extra)
        return true;
    if (!hd_array_grow(NULL, (void **)&w->words, w->count, &w->room, extra, sizeof *w->words))
        w->failed = true;
    return !w->failed;
}

void hd_writer_start(HdWriter *w, uint32_t version, uint32_t generator, uint32_t bound)
{
    const uint32_t header[5] = {0x07230203u, version, generator, bound, 0};

    memset(w, 0, sizeof *w);
    if (!reserve(w, 5))
        return;
    memcpy(w->words, header, sizeof header);
    w->count = 5;
}

void hd_writer_set_bound(HdWriter *w, uint32_t bound)
{
    if (w->count >= 5)
        w->words[3] = bound;
}

void hd_writer_begin(HdWriter *w, uint32_t opcode)
{
    w->open = w->count;
    hd_writer_word(w, opcode & 0xffffu);
}

void hd_writer_word(HdWriter *w, uint32_t word)
{
    if (reserve(w, 1))
        w->words[w->count++] = word;
}

void hd_writer_words(HdWriter *w, const uint32_t *words, size_t count)
{
    if (count == 0 || !reserve(w, count))
        return;
    memcpy(w->words + w->count, words, count * sizeof *words);
    w->count += count;
}

uint32_t *hd_writer_take(HdWriter *w, size_t count)
{
    if (!reserve(w, count))
        return NULL;
    w->count += count;
    return w->words + w->count - count;
}

void hd_writer_string(HdWriter *w, const char *s, size_t len)
{
    size_t words = len / 4 + 1;

    if (!reserve(w, words))
        return;
    memset(w->words + w->count, 0, words * sizeof *w->words);
    /* SPIR-V, "Literal": the first byte is the lowest-order one of its word. */
    for (size_t i = 0; i < len; i++)
        w->words[w->count + i / 4] |= (uint32_t)(unsigned char)s[i] << (i % 4 * 8);
    w->count += words;
}

void hd_writer_end(HdWriter *w)
{
    size_t length = w->count - w->open;

    if (w->failed)
        return;
    if (length > 0xffff) {
        w->too_long = true;
        length = 0xffff;
    }
    w->words[w->open] = (w->words[w->open] & 0xffffu) | (uint32_t)length << 16;
}

void hd_writer_inst(HdWriter *w, uint32_t opcode, const uint32_t *operands, size_t count)
{
    hd_writer_begin(w, opcode);
    hd_writer_words(w, operands, count);
    hd_writer_end(w);
}

void hd_writer_text(HdWriter *w, uint32_t opcode, HdId id, const char *text)
{
    hd_writer_begin(w, opcode);
    if (id != 0)
        hd_writer_word(w, id);
    hd_writer_string(w, text, strlen(text));
    hd_writer_end(w);
}

void hd_writer_copy(HdWriter *w, const HdInst *in)
{
    hd_writer_words(w, in->w, in->nwords);
}

void hd_writer_append(HdWriter *w, const HdWriter *from)
{
    w->failed = w->failed || from->failed;
    w->too_long = w->too_long || from->too_long;
    hd_writer_words(w, from->words, from->count);
}

HdStatus hd_writer_finish(const HdWriter *w, HdDiags *d)
{
    if (w->failed)
        return HD_NO_MEMORY;
    if (w->too_long)
        return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "module.length",
                       "what is written has an instruction of more than 65,535 words");
    return HD_OK;
}

void hd_writer_free(HdWriter *w)
{
    hd_free(w->words);
    memset(w, 0, sizeof *w);
}
