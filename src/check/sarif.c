/* check/sarif.c -- defects as a SARIF log.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/sarif.h"

#include "check/report.h"

static HdSarifPlace place_of(const HdDefectPlace *p, const char *file, const char *message)
{
    return (HdSarifPlace){.file = p->source != NULL ? p->source : file,
                          .line = p->source != NULL ? p->line : 0,
                          .column = p->column,
                          .word = p->word,
                          .snippet = p->inst,
                          .message = message};
}

/* What happened, to whom, and how to fix it: this is all that people see next to the line. */
static const char *message_of(HdArena *a, const HdDefect *d)
{
    HdStrbuf text = {0};
    const char *kept;

    hd_strbuf_add(&text, d->message);
    if (d->memory != NULL)
        hd_strbuf_printf(&text, " (%s)", d->memory);
    if (d->item.is_known) {
        hd_strbuf_add(&text, ", by ");
        hd_defect_item_text(&d->item, &text);
    }
    hd_strbuf_add_char(&text, '.');
    if (d->hint != NULL)
        hd_strbuf_printf(&text, " Hint: %s.", d->hint);
    kept = text.failed ? NULL : hd_arena_string(a, hd_strbuf_text(&text), text.count);
    hd_strbuf_free(&text);
    return kept;
}

static bool convert(HdArena *a, const HdDefect *d, const char *file, HdSarifResult *out)
{
    HdSarifPlace *stack = HD_NEW(a, HdSarifPlace, d->stack_count + 1);

    *out = (HdSarifResult){.severity = d->severity,
                           .rule = d->rule,
                           .help = d->hint,
                           .message = message_of(a, d),
                           .place = place_of(&d->place, file, NULL),
                           .other = place_of(&d->other_place, file, d->other),
                           .stack = stack,
                           .stack_count = d->stack_count,
                           .count = d->count};
    if (stack == NULL || out->message == NULL)
        return false;
    for (uint32_t i = 0; i < d->stack_count; i++)
        stack[i] = place_of(&d->stack[i], file, d->stack[i].function);
    return true;
}

void hd_defects_sarif(const HdDefects *all, const char *file, HdStrbuf *out)
{
    HdArena *a = hd_arena_open();
    HdSarifResult *results = a != NULL ? HD_NEW(a, HdSarifResult, all->count + 1) : NULL;
    bool is_whole = results != NULL;

    for (size_t i = 0; i < all->count && is_whole; i++)
        is_whole = convert(a, &all->at[i], file, &results[i]);
    if (is_whole)
        hd_sarif_print(results, all->count, out);
    out->failed |= !is_whole;
    hd_arena_drop(a);
}
