/* text/as_lex.c -- words, comments and locations of assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/as_state.h"

bool hd_as_skip(HdAs *as)
{
    const char *p = as->at, *end = as->end;

    while (p < end) {
        switch (*p) {
        case ' ': /* indentation comes by the dozen */
            for (uint64_t eight; end - p > 8; p += 8) {
                memcpy(&eight, p, 8);
                if (eight != 0x2020202020202020u)
                    break;
            }
            while (p < end && *p == ' ')
                p++;
            break;
        case '\t':
        case '\r':
        case '\n': p++; break;
        case ';':
            p = memchr(p, '\n', (size_t)(end - p));
            if (p == NULL)
                p = end;
            break;
        default: as->at = p; return true;
        }
    }
    as->at = p;
    return false;
}

const bool hd_as_id_char[256] = {
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
    ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['_'] = true, ['a'] = true,
    ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true,
    ['h'] = true, ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true,
    ['n'] = true, ['o'] = true, ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true,
    ['t'] = true, ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true,
    ['z'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true,
    ['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true,
    ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true, ['Q'] = true,
    ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true,
    ['X'] = true, ['Y'] = true, ['Z'] = true};

#define ONES  0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* The high bit of each byte of x, all of which are below 0x80, that is from `first` to `last`. */
static uint64_t between(uint64_t x, unsigned first, unsigned last)
{
    return (x + ONES * (0x80 - first)) & ~(x + ONES * (0x7f - last)) & HIGHS;
}

/* Eight characters of a name? */
static bool are_id_chars(uint64_t x)
{
    uint64_t letters = x | ONES * 0x20; /* capitals become small, '_' a character beyond 'z' */
    uint64_t low = x & ~HIGHS;

    return (between(letters & ~HIGHS, 'a', 'z') | between(low, '0', '9') |
            between(low, '_', '_')) == HIGHS &&
           (x & HIGHS) == 0;
}

bool hd_as_is_id_name(const char *s, size_t len)
{
    size_t i = 0;

    for (; len - i >= 8; i += 8)
        if (!are_id_chars(hd_load_text(s + i, 8)))
            return false;
    if (i != 0 && i != len) /* the last eight, some of them once more */
        return are_id_chars(hd_load_text(s + len - 8, 8));
    for (; i < len; i++)
        if (!hd_as_id_char[(unsigned char)s[i]])
            return false;
    return len > 0;
}

/* Bytes that a word does not simply run over. */
static const bool special[256] = {['\0'] = true, [' '] = true, ['\t'] = true, ['\n'] = true,
                                  ['\r'] = true, [';'] = true, ['"'] = true,  ['\\'] = true};

HdAsToken hd_as_word(const HdAs *as, const char *at)
{
    const char *p = at, *end = as->end;
    bool quoted = false, escaped = false;

    for (; p < end; p++) {
        if (!special[(unsigned char)*p]) {
            escaped = false;
            continue;
        }
        if (*p == '\\') {
            escaped = !escaped;
            continue;
        }
        if (*p == '"') {
            if (!escaped)
                quoted = !quoted;
        } else if (!quoted && !escaped) {
            break;
        }
        escaped = false;
    }
    return (HdAsToken){at, (size_t)(p - at)};
}

bool hd_as_starts_op(const HdAs *as, const char *at)
{
    return as->end - at > 2 && at[0] == 'O' && at[1] == 'p' && at[2] >= 'A' && at[2] <= 'Z';
}

bool hd_as_continues_line(const HdAs *as)
{
    const char *at = as->at;

    while (at > as->text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > as->text && at[-1] != '\n' && at[-1] != '\r';
}

bool hd_as_starts_inst(const HdAs *as)
{
    HdAs ahead;
    HdAsToken t;

    if (*as->at == 'O')
        return hd_as_starts_op(as, as->at);
    if (*as->at != '%')
        return false;
    t = hd_as_word(as, as->at);
    /* Nearly always an operand and one more word follow; look no further then. */
    if (as->end - (t.s + t.len) > 2 && t.s[t.len] == ' ' && t.s[t.len + 1] != '=' &&
        t.s[t.len + 1] != ';' && !strchr(" \t\r\n", t.s[t.len + 1]))
        return false;
    ahead.end = as->end;
    ahead.at = t.s + t.len;
    if (!hd_as_skip(&ahead) || *ahead.at != '=')
        return false;
    t = hd_as_word(&ahead, ahead.at);
    if (t.len != 1)
        return false;
    ahead.at++;
    return hd_as_skip(&ahead) && hd_as_starts_op(&ahead, ahead.at);
}

HdStatus hd_as_fail(HdAs *as, const char *rule, const char *hint, const char *fmt, ...)
{
    HdDiag diag = {.severity = HD_ERROR,
                   .status = HD_BAD_INPUT,
                   .rule = rule,
                   .hint = hint,
                   .word = HD_NO_PLACE,
                   .line = 1,
                   .column = 1};
    char message[400];
    va_list args;

    for (const char *p = as->text; p < as->at; p++) {
        diag.column++;
        if (*p == '\n') {
            diag.line++;
            diag.column = 1;
        }
    }
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    (void)hd_diags_add(as->d, &diag, "%s", message);
    return HD_BAD_INPUT;
}

const char *hd_as_show(HdAsToken t, char *text, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < t.len && n + 5 < room; i++) {
        unsigned char c = (unsigned char)t.s[i];

        text[n++] = (char)(c < ' ' || c == 0x7f ? '?' : c);
    }
    if (n < t.len) {
        memcpy(text + n, "...", 3);
        n += 3;
    }
    text[n] = '\0';
    return text;
}
