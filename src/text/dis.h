/* text/dis.h -- from words to assembly text, of a module or of one instruction.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DIS_H
#define HD_TEXT_DIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "base/strbuf.h"
#include "module/module.h"
#include "text/names.h"

typedef struct HdDisOptions {
    bool raw_ids;        /* ids by number instead of friendly names */
    bool colour;         /* terminal escapes */
    bool indent;         /* opcodes in one column */
    bool nested_indent;  /* blocks indented by how they are nested */
    bool reorder_blocks; /* blocks in structured order */
    bool offsets;        /* each instruction's byte offset after it */
    bool comments;       /* headings of sections */
    bool no_header;
    bool unknown_ops; /* what the grammar does not know as OpUnknown(…) instead of an error */
    /* Called periodically with the current text, which it may write out and empty (count = 0), so
     * that the text is never in memory as a whole. May be NULL. */
    HdStatus (*flush)(void *user, HdStrbuf *out);
    void *user;
} HdDisOptions;

/* Disassemble.
 *   words    `nwords` words in either endianness
 *   options  may be NULL: everything off
 *   d        gets the first place that is malformed
 *   out      gets the text
 * Time is linear in the number of words.
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY, and what flush returns; out holds the text up to the error.
 */
HdStatus hd_text_disassemble(const uint32_t *words, size_t nwords, const HdDisOptions *options,
                             HdDiags *d, HdStrbuf *out);

/* Append one instruction of a module as text, without a line break.
 *   names   of hd_names_open, or NULL: names are then guessed one by one (names.h)
 *   most    bytes after which it ends, with the current operand: a caller that cuts the text need
 *           not wait for sixteen thousand operands; SIZE_MAX: all of it. The instruction may be
 *           anything that hd_module_inst returns. Running out of memory is remembered in out. */
void hd_text_inst(const HdModule *m, const HdInst *in, const HdNames *names, size_t most,
                  HdStrbuf *out);
/* The same with names that are guessed, for who shows many instructions of one module. */
void hd_text_inst_guessed(const HdModule *m, const HdInst *in, HdGuesses *guesses, size_t most,
                          HdStrbuf *out);

#endif
