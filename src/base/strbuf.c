/* base/strbuf.c -- text that grows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

bool hd_strbuf_reserve(HdStrbuf *s, size_t extra)
{
    size_t want;
    char *grown;

    if (s->failed)
        return false;
    if (s->room - s->count > extra)
        return true;
    want = s->count + extra + 1;
    if (want < s->room * 2)
        want = s->room * 2;
    if (want < 64)
        want = 64;
    grown = hd_realloc(s->at, want);
    if (grown == NULL) {
        s->failed = true;
        return false;
    }
    s->at = grown;
    s->room = want;
    return true;
}

void hd_strbuf_add_bytes(HdStrbuf *s, const void *bytes, size_t count)
{
    if (!hd_strbuf_reserve(s, count))
        return;
    if (count != 0)
        memcpy(s->at + s->count, bytes, count);
    s->count += count;
    s->at[s->count] = '\0';
}

void hd_strbuf_add(HdStrbuf *s, const char *text)
{
    hd_strbuf_add_bytes(s, text, strlen(text));
}

void hd_strbuf_add_char(HdStrbuf *s, char c)
{
    hd_strbuf_add_bytes(s, &c, 1);
}

void hd_strbuf_vprintf(HdStrbuf *s, const char *fmt, va_list args)
{
    va_list again;
    int len;

    if (!hd_strbuf_reserve(s, 48)) /* most are no longer */
        return;
    va_copy(again, args);
    len = vsnprintf(s->at + s->count, s->room - s->count, fmt, again);
    va_end(again);
    if (len >= 0 && (size_t)len >= s->room - s->count) {
        s->at[s->count] = '\0';
        if (!hd_strbuf_reserve(s, (size_t)len))
            return;
        len = vsnprintf(s->at + s->count, (size_t)len + 1, fmt, args);
    }
    if (len > 0)
        s->count += (size_t)len;
}

void hd_strbuf_printf(HdStrbuf *s, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    hd_strbuf_vprintf(s, fmt, args);
    va_end(args);
}

/* Length of the well-formed UTF-8 sequence at p, 0 when there is none. */
static size_t utf8_length(const unsigned char *p)
{
    size_t len = p[0] < 0x80                    ? 1
                 : p[0] >= 0xc2 && p[0] <= 0xdf ? 2
                 : p[0] >= 0xe0 && p[0] <= 0xef ? 3
                 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                                : 0;

    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return len;
}

void hd_strbuf_add_json(HdStrbuf *s, const char *text)
{
    hd_strbuf_add_char(s, '"');
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        size_t len = utf8_length(p);

        if (len == 0) {
            hd_strbuf_add(s, "\\ufffd");
            p++;
            continue;
        }
        if (*p == '"' || *p == '\\')
            hd_strbuf_printf(s, "\\%c", *p);
        else if (*p == '\n')
            hd_strbuf_add(s, "\\n");
        else if (*p < 0x20)
            hd_strbuf_printf(s, "\\u%04x", *p);
        else
            hd_strbuf_add_bytes(s, p, len);
        p += len;
    }
    hd_strbuf_add_char(s, '"');
}

void hd_strbuf_add_html(HdStrbuf *s, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        switch (text[i]) {
        case '<': hd_strbuf_add(s, "&lt;"); break;
        case '>': hd_strbuf_add(s, "&gt;"); break;
        case '&': hd_strbuf_add(s, "&amp;"); break;
        case '"': hd_strbuf_add(s, "&quot;"); break;
        default: hd_strbuf_add_char(s, text[i]);
        }
    }
}

void hd_strbuf_cut(HdStrbuf *s, size_t count)
{
    s->count = count;
    if (s->at != NULL)
        s->at[count] = '\0';
}

const char *hd_strbuf_text(const HdStrbuf *s)
{
    return s->at != NULL ? s->at : "";
}

char *hd_strbuf_take(HdStrbuf *s)
{
    char *text;

    hd_strbuf_add(s, "");
    if (s->failed) {
        hd_strbuf_free(s);
        return NULL;
    }
    text = s->at;
    *s = (HdStrbuf){0};
    return text;
}

void hd_strbuf_free(HdStrbuf *s)
{
    hd_free(s->at);
    *s = (HdStrbuf){0};
}
