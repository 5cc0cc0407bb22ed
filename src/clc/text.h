/* clc/text.h -- reading text line by line, word by word: LLVM's, and sources.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_TEXT_H
#define HD_CLC_TEXT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* A line without what ends it, or a part of one. */
typedef struct HdClcText {
    const char *at, *end;
} HdClcText;

/* For "%.*s". */
#define HD_CLC_TEXT(t) (int)((t).end - (t).at), (t).at

/* Where the line ends that begins here: at a newline, or at the end of the text. */
const char *hd_clc_line_end(const char *p);
/* The line at *p, which moves to the next one. False: there is none. */
bool hd_clc_next_line(const char **p, HdClcText *line);
/* The word at *p, which ends before a space or comma; *p moves behind it. */
HdClcText hd_clc_word(const char **p, const char *end);

/* Of a name in C? */
bool hd_clc_is_name_char(char c);
/* The name that begins at p; empty if none does. */
HdClcText hd_clc_name_at(const char *p);
bool hd_clc_begins(HdClcText t, const char *with);
bool hd_clc_is(HdClcText t, const char *what);
/* NULL: it is not there. */
const char *hd_clc_find(HdClcText t, const char *what);
void hd_clc_add(HdStrbuf *out, HdClcText t);
/* With a newline. */
void hd_clc_add_line(HdStrbuf *out, HdClcText line);

/* Does a text have this word? */
bool hd_clc_has_word(const char *text, const char *word);
/* Does a source take in other files: `#include`, `#import`, with blanks or `%:` in front? */
bool hd_clc_includes(const char *source);

/* Bits of the smallest integer type of SPIR-V, or i1, that has so many bits at least. */
unsigned hd_clc_usual_width(unsigned bits);

#endif
