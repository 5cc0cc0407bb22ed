/* clc/reverse.c -- reversals of other numbers of bits than types have, in LLVM's text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/reverse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clc/odd.h"
#include "clc/text.h"
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

/* `  %7 = tail call i4 @llvm.bitreverse.i4(i4 %6), !dbg !9`, or
 * `  %7 = tail call <4 x i4> @llvm.bitreverse.v4i4(<4 x i4> %6)`. */
typedef struct Reversal {
    const char *name, *name_end; /* of the result */
    const char *arg, *arg_end;   /* the operand's name */
    const char *debug, *end;     /* from ", !dbg" on */
    unsigned count;              /* of components; 0: a scalar */
    unsigned bits, wide;         /* wide: the next number of bits that a type has */
} Reversal;

/* The types, as LLVM's text has them, and the end of the intrinsic's name. */
typedef struct Types {
    char bits[32], wide[32], suffix[32];
} Types;

static Types types_of(const Reversal *r)
{
    Types t;

    if (r->count == 0) {
        snprintf(t.bits, sizeof t.bits, "i%u", r->bits);
        snprintf(t.wide, sizeof t.wide, "i%u", r->wide);
        snprintf(t.suffix, sizeof t.suffix, "i%u", r->wide);
    } else {
        snprintf(t.bits, sizeof t.bits, "<%u x i%u>", r->count, r->bits);
        snprintf(t.wide, sizeof t.wide, "<%u x i%u>", r->count, r->wide);
        snprintf(t.suffix, sizeof t.suffix, "v%ui%u", r->count, r->wide);
    }
    return t;
}

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
    char *after = NULL;

    if (at == NULL || equals == NULL || equals > at)
        return false;
    *r = (Reversal){.name = line + strspn(line, " "), .name_end = equals, .end = end};
    at += sizeof intrinsic - 1;
    if (*at == 'v') {
        r->count = (unsigned)strtoul(at + 1, &after, 10);
        at = after;
    }
    if (*at != 'i')
        return false;
    r->bits = (unsigned)strtoul(at + 1, &after, 10);
    r->wide = next_width(r->bits);
    close = memchr(after, ')', (size_t)(end - after));
    if (close == NULL || r->bits > 64 || r->bits == r->wide)
        return false;
    r->arg_end = close;
    for (r->arg = close; r->arg > after && r->arg[-1] != ' ';)
        r->arg--;
    r->debug = memmem(close, (size_t)(end - close), ", !dbg", 6);
    if (r->debug == NULL)
        r->debug = end;
    return true;
}

/* Does a line with an integer of odd width narrow the operand of a reversal, or widen the result of
 * one? `reversed`: the results so far, each between newlines. */
static bool is_at_reversal(HdClcText line, const char *reversed)
{
    const char *operand = hd_clc_find(line, " = zext "), *to = hd_clc_find(line, " to ");
    char name[64];
    int len;

    if (hd_clc_find(line, " = trunc ") != NULL)
        return true;
    if (operand == NULL || to == NULL)
        return false;
    for (operand = to; operand > line.at && operand[-1] != ' ';)
        operand--;
    len = snprintf(name, sizeof name, "\n%.*s\n", (int)(to - operand), operand);
    return (size_t)len < sizeof name && strstr(reversed, name) != NULL;
}

bool hd_clc_has_odd_beside_reversals(const char *text)
{
    HdStrbuf reversed = {0};
    HdClcText line;
    bool has_others = false;

    for (const char *p = text; !has_others && hd_clc_next_line(&p, &line);) {
        Reversal r;

        if (hd_clc_begins(line, "define ")) {
            has_others = reversed.failed;
            hd_strbuf_free(&reversed);
        }
        if (*line.at != ' ' || hd_clc_odd_on(line) == 0 || hd_clc_begins(line, "    #dbg"))
            continue;
        if (find_reversal(line.at, line.end, &r))
            hd_strbuf_printf(&reversed, "\n%.*s\n", (int)(r.name_end - r.name), r.name);
        else
            has_others = !is_at_reversal(line, hd_strbuf_text(&reversed));
    }
    has_others |= reversed.failed;
    hd_strbuf_free(&reversed);
    return has_others;
}

static void add_end(HdStrbuf *out, const Reversal *r)
{
    hd_strbuf_add_bytes(out, r->debug, (size_t)(r->end - r->debug));
    hd_strbuf_add_char(out, '\n');
}

/* Widened, reversed, shifted back, narrowed; `n` makes names that the text has not. */
static void add_wide(HdStrbuf *out, const Reversal *r, unsigned n)
{
    unsigned shift = r->wide - r->bits;
    Types t = types_of(r);

    hd_strbuf_printf(out, "  %%heddle.wide.%u = zext %s %.*s to %s", n, t.bits,
                     (int)(r->arg_end - r->arg), r->arg, t.wide);
    add_end(out, r);
    hd_strbuf_printf(out, "  %%heddle.all.%u = call %s %s%s(%s %%heddle.wide.%u)", n, t.wide,
                     intrinsic, t.suffix, t.wide, n);
    add_end(out, r);
    hd_strbuf_printf(out, "  %%heddle.back.%u = lshr %s %%heddle.all.%u, ", n, t.wide, n);
    if (r->count == 0)
        hd_strbuf_printf(out, "%u", shift);
    else
        hd_strbuf_printf(out, "splat (i%u %u)", r->wide, shift);
    add_end(out, r);
    hd_strbuf_printf(out, "  %.*s = trunc %s %%heddle.back.%u to %s", (int)(r->name_end - r->name),
                     r->name, t.wide, n, t.bits);
    add_end(out, r);
}

/* Declare the wide form, unless the text or a reversal before has. */
static void declare(HdStrbuf *declared, const char *text, const Reversal *r)
{
    Types t = types_of(r);
    char line[128];

    snprintf(line, sizeof line, "declare %s %s%s(%s)", t.wide, intrinsic, t.suffix, t.wide);
    if (strstr(text, line) == NULL && strstr(hd_strbuf_text(declared), line) == NULL)
        hd_strbuf_printf(declared, "%s\n", line);
}

HdStatus hd_clc_mark_reversals(const char *text, HdStrbuf *out)
{
    HdStrbuf declared = {0};
    HdClcText line;
    unsigned number = 0;
    bool failed;

    for (const char *p = text; hd_clc_next_line(&p, &line);) {
        Reversal r;

        if (*line.at == ' ' && find_reversal(line.at, line.end, &r)) {
            add_wide(out, &r, number++);
            declare(&declared, text, &r);
        } else {
            hd_clc_add_line(out, line);
        }
    }
    hd_strbuf_add(out, hd_strbuf_text(&declared));
    failed = out->failed || declared.failed;
    hd_strbuf_free(&declared);
    return failed ? HD_NO_MEMORY : HD_OK;
}
