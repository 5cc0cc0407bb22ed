/* clc/reverse.c -- reversals of other numbers of bits than types have, in LLVM's text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/reverse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/module.h"

bool hd_clc_reverses(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in);)
        if (in.op == SpvOpBitReverse)
            return true;
    return false;
}

static const char intrinsic[] = "@llvm.bitreverse.";

/* `  %7 = tail call i4 @llvm.bitreverse.i4(i4 %6), !dbg !9`. Of vectors the compiler makes no
 * module. */
typedef struct Reversal {
    const char *name, *name_end; /* of the result */
    const char *arg, *arg_end;   /* the operand's name */
    const char *debug, *end;     /* from ", !dbg" on */
    unsigned bits, wide;         /* wide: the next number of bits that a type has */
} Reversal;

static unsigned next_width(unsigned bits)
{
    unsigned wide = 8;

    while (wide < bits)
        wide *= 2;
    return wide;
}

/* The call of another number of bits than types have on this line; false: none. */
static bool find_reversal(const char *line, const char *end, Reversal *r)
{
    const char *at = memmem(line, (size_t)(end - line), intrinsic, sizeof intrinsic - 1);
    const char *equals = memmem(line, (size_t)(end - line), " = ", 3), *close;
    char *behind;

    if (at == NULL || equals == NULL || equals > at)
        return false;
    *r = (Reversal){.name = line + strspn(line, " "), .name_end = equals, .end = end};
    at += sizeof intrinsic - 1;
    if (*at != 'i')
        return false;
    r->bits = (unsigned)strtoul(at + 1, &behind, 10);
    r->wide = next_width(r->bits);
    close = memchr(behind, ')', (size_t)(end - behind));
    if (close == NULL || r->bits > 64 || r->bits == r->wide)
        return false;
    r->arg_end = close;
    for (r->arg = close; r->arg > behind && r->arg[-1] != ' ';)
        r->arg--;
    r->debug = memmem(close, (size_t)(end - close), ", !dbg", 6);
    if (r->debug == NULL)
        r->debug = end;
    return true;
}

static void add_end(HdStrbuf *out, const Reversal *r)
{
    hd_strbuf_add_bytes(out, r->debug, (size_t)(r->end - r->debug));
    hd_strbuf_add_char(out, '\n');
}

/* Widened, reversed, shifted back, narrowed; `n` makes names that the text has not. */
static void add_wide(HdStrbuf *out, const Reversal *r, unsigned n)
{
    unsigned w = r->wide;

    hd_strbuf_printf(out, "  %%heddle.wide.%u = zext i%u %.*s to i%u", n, r->bits,
                     (int)(r->arg_end - r->arg), r->arg, w);
    add_end(out, r);
    hd_strbuf_printf(out, "  %%heddle.all.%u = call i%u %si%u(i%u %%heddle.wide.%u)", n, w,
                     intrinsic, w, w, n);
    add_end(out, r);
    hd_strbuf_printf(out, "  %%heddle.back.%u = lshr i%u %%heddle.all.%u, %u", n, w, n,
                     w - r->bits);
    add_end(out, r);
    hd_strbuf_printf(out, "  %.*s = trunc i%u %%heddle.back.%u to i%u",
                     (int)(r->name_end - r->name), r->name, w, n, r->bits);
    add_end(out, r);
}

/* Declare the wide form, unless the text or a reversal before has. */
static void declare(HdStrbuf *declared, const char *text, unsigned wide)
{
    char line[64];

    snprintf(line, sizeof line, "declare i%u %si%u(i%u)", wide, intrinsic, wide, wide);
    if (strstr(text, line) == NULL && strstr(hd_strbuf_text(declared), line) == NULL)
        hd_strbuf_printf(declared, "%s\n", line);
}

HdStatus hd_clc_mark_reversals(const char *text, HdStrbuf *out)
{
    HdStrbuf declared = {0};
    unsigned number = 0;
    bool failed;

    for (const char *p = text; *p != '\0';) {
        const char *newline = strchr(p, '\n');
        const char *end = newline != NULL ? newline : p + strlen(p);
        Reversal r;

        if (*p == ' ' && find_reversal(p, end, &r)) {
            add_wide(out, &r, number++);
            declare(&declared, text, r.wide);
        } else {
            hd_strbuf_add_bytes(out, p, (size_t)(end - p));
            hd_strbuf_add_char(out, '\n');
        }
        p = end + (newline != NULL);
    }
    hd_strbuf_add(out, hd_strbuf_text(&declared));
    failed = out->failed || declared.failed;
    hd_strbuf_free(&declared);
    return failed ? HD_NO_MEMORY : HD_OK;
}
