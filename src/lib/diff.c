/* lib/diff.c -- differences between two modules as text: the public API over xform.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lib/diff.h"

#include "base/float_env.h"
#include "lib/report.h"
#include "text/dis.h"
#include "xform/diff.h"

typedef struct Printer {
    const HdModule *a;
    const HdDiff *diff;
    unsigned context;
    bool colour;
    HdStrbuf *out;
} Printer;

/* What no text shows: bytes behind the end of a string. */
static void print_padding(const HdModule *m, const HdInst *in, HdStrbuf *out)
{
    const char *before = " ; behind the string's end:";
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        uint32_t last = in->w[part.at + part.nwords - 1], end = 0;

        if (part.klass != HD_OPERAND_STRING || last == hd_string_padded(last))
            continue;
        while ((last >> 8 * end & 0xff) != 0)
            end++;
        hd_strbuf_add(out, before);
        for (uint32_t i = end + 1; i < 4; i++)
            hd_strbuf_printf(out, " %02x", (unsigned)(last >> 8 * i & 0xff));
        before = ",";
    }
}

static void print_line(const Printer *x, const HdDiffLine *line)
{
    static const char marks[] = " -+", *const paint[] = {"", "\033[31m", "\033[32m"};
    const HdModule *m = line->kind == HD_DIFF_NEW ? x->diff->renumbered : x->a;
    HdInst in = hd_module_inst(m, line->word);

    hd_strbuf_printf(x->out, "%s%c ", x->colour ? paint[line->kind] : "", marks[line->kind]);
    hd_text_inst(m, &in, NULL, SIZE_MAX, x->out);
    if (line->kind != HD_DIFF_SAME)
        print_padding(m, &in, x->out);
    hd_strbuf_add(x->out, x->colour && line->kind != HD_DIFF_SAME ? "\033[0m\n" : "\n");
}

/* Differences with context, "@@" before each hunk. */
static void print_lines(const Printer *x)
{
    const HdDiff *diff = x->diff;
    size_t shown = 0; /* lines before this one were printed or passed */

    for (size_t i = 0; i < diff->line_count; i++) {
        size_t from, to;

        if (diff->lines[i].kind == HD_DIFF_SAME)
            continue;
        from = i > x->context ? i - x->context : 0;
        if (from > shown || shown == 0) {
            hd_strbuf_printf(x->out, "@@ instruction %zu @@\n", from + 1);
            shown = from;
        }
        to = i + 1;
        while (to < diff->line_count && to - i <= x->context &&
               diff->lines[to].kind == HD_DIFF_SAME)
            to++;
        for (; shown < to; shown++)
            print_line(x, &diff->lines[shown]);
    }
}

HdStatus hd_lib_diff(const HdModule *a, const HdModule *b, const char *const names[2],
                     unsigned context, bool colour, HdDiags *d, HdStrbuf *out)
{
    HdDiff diff = {0};
    Printer x = {.a = a, .diff = &diff, .context = context, .colour = colour, .out = out};
    HdStatus st = hd_xform_diff(a, b, d, &diff);

    if (st == HD_OK && (diff.changed != 0 || a->version != b->version)) {
        if (names != NULL)
            hd_strbuf_printf(out, "--- %s\n+++ %s\n", names[0], names[1]);
        if (a->version != b->version)
            hd_strbuf_printf(out, "- SPIR-V %u.%u\n+ SPIR-V %u.%u\n", a->version >> 16,
                             a->version >> 8 & 0xff, b->version >> 16, b->version >> 8 & 0xff);
        print_lines(&x);
    }
    hd_diff_free(&diff);
    return st == HD_OK && out->failed ? HD_NO_MEMORY : st;
}

heddle_status heddle_diff(const heddle_module *old_one, const heddle_module *new_one,
                          unsigned context, heddle_report *r, char **text)
{
    HD_FLOAT_ENV;
    HdDiags own, *d = hd_report_diags(r, &own);
    HdModule *a = NULL, *b = NULL;
    HdStrbuf out = {0};
    HdStatus st = hd_module_read(old_one->words, old_one->nwords, true, d, &a);

    if (st == HD_OK)
        st = hd_module_read(new_one->words, new_one->nwords, true, d, &b);
    if (st == HD_OK)
        st = hd_lib_diff(a, b, NULL, context, false, d, &out);
    hd_module_drop(a);
    hd_module_drop(b);
    *text = NULL;
    if (st == HD_OK) {
        *text = hd_report_take(&out);
        st = *text != NULL ? HD_OK : HD_NO_MEMORY;
    } else {
        hd_strbuf_free(&out);
    }
    hd_report_done(r, &own);
    return hd_report_status(st);
}
