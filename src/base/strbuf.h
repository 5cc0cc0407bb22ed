/* base/strbuf.h -- text that grows.
 *
 * A zeroed HdStrbuf is empty. Running out of memory is remembered in `failed` and later appends do
 * nothing, so that a printer checks once at its end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_STRBUF_H
#define HD_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct HdStrbuf {
    char *at; /* NUL-terminated when not NULL; heap */
    size_t count, room;
    bool failed;
} HdStrbuf;

/* Make room for so many bytes more, and the NUL after them. False: there is no memory. */
bool hd_strbuf_reserve(HdStrbuf *s, size_t extra);
void hd_strbuf_add(HdStrbuf *s, const char *text);
void hd_strbuf_add_bytes(HdStrbuf *s, const void *bytes, size_t count);
void hd_strbuf_add_char(HdStrbuf *s, char c);
void hd_strbuf_printf(HdStrbuf *s, const char *fmt, ...) HD_PRINTF(2, 3);
void hd_strbuf_vprintf(HdStrbuf *s, const char *fmt, va_list args) HD_PRINTF(2, 0);
/* Append as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void hd_strbuf_add_json(HdStrbuf *s, const char *text);
/* Append as HTML text: what means something there is escaped. */
void hd_strbuf_add_html(HdStrbuf *s, const char *text, size_t len);
/* Drop what is behind the first `count` bytes; those are there. */
void hd_strbuf_cut(HdStrbuf *s, size_t count);
/* The text, "" when empty. Valid until the next change. */
const char *hd_strbuf_text(const HdStrbuf *s);
/* Take the text out, which leaves an empty buffer: on the heap, "" when nothing was appended; NULL
 * when memory ran out, for this or before. */
char *hd_strbuf_take(HdStrbuf *s);
void hd_strbuf_free(HdStrbuf *s);

#endif
