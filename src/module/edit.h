/* module/edit.h -- creating a word stream: from scratch, or from a module with changes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_EDIT_H
#define HD_MODULE_EDIT_H

#include "module/module.h"

/* Words being written. Heap; out of memory is remembered in `failed`. */
typedef struct HdWriter {
    uint32_t *words;
    size_t count, room;
    size_t open; /* offset of the instruction being written */
    bool failed;
    bool too_long; /* an instruction passed 65,535 words */
} HdWriter;

/* Start with the five header words; `bound` may be set later with hd_writer_set_bound. */
void hd_writer_start(HdWriter *w, uint32_t version, uint32_t generator, uint32_t bound);
void hd_writer_set_bound(HdWriter *w, uint32_t bound);
/* hd_writer_begin … hd_writer_word/words/string … hd_writer_end make one instruction. */
void hd_writer_begin(HdWriter *w, uint32_t opcode);
void hd_writer_word(HdWriter *w, uint32_t word);
void hd_writer_words(HdWriter *w, const uint32_t *words, size_t count);
void hd_writer_string(HdWriter *w, const char *s, size_t len);
void hd_writer_end(HdWriter *w);
/* Room for `count` words that the caller writes; NULL without memory. */
uint32_t *hd_writer_take(HdWriter *w, size_t count);
/* One instruction whose operands are given. */
void hd_writer_inst(HdWriter *w, uint32_t opcode, const uint32_t *operands, size_t count);
/* One whose operands are an id, none if 0, and a text: OpExtension, OpExtInstImport, OpName. */
void hd_writer_text(HdWriter *w, uint32_t opcode, HdId id, const char *text);
/* Copy an instruction unchanged. */
void hd_writer_copy(HdWriter *w, const HdInst *in);
/* All that was written elsewhere, without a header. */
void hd_writer_append(HdWriter *w, const HdWriter *from);
/* Is all of it there? Errors: HD_NO_MEMORY, HD_UNSUPPORTED (an instruction became too long). */
HdStatus hd_writer_finish(const HdWriter *w, HdDiags *d);
void hd_writer_free(HdWriter *w);

#endif
