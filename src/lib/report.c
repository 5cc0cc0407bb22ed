/* lib/report.c -- findings in the public API.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lib/report.h"

#include "base/memory.h"

heddle_status hd_report_status(HdStatus st)
{
    switch (st) {
    case HD_OK: return HEDDLE_OK;
    case HD_BAD_INPUT: return HEDDLE_BAD_INPUT;
    case HD_UNSUPPORTED: return HEDDLE_UNSUPPORTED;
    case HD_NO_MEMORY: return HEDDLE_NO_MEMORY;
    case HD_IO: return HEDDLE_IO;
    case HD_ABORTED: /* nothing of the library runs programs */
    case HD_BUG: break;
    }
    return HEDDLE_BUG;
}

HdDiags *hd_report_diags(heddle_report *r, HdDiags *own)
{
    hd_diags_init(own);
    own->limit = 1; /* its contents are not used: only whether there is any */
    own->is_unread = true;
    return r != NULL ? &r->diags : own;
}

void hd_report_done(heddle_report *r, HdDiags *own)
{
    if (r == NULL)
        hd_diags_drop(own);
}

heddle_report *heddle_report_open(void)
{
    heddle_report *r = hd_alloc(sizeof *r);

    if (r != NULL)
        hd_diags_init(&r->diags);
    return r;
}

void heddle_report_close(heddle_report *r)
{
    if (r == NULL)
        return;
    hd_diags_drop(&r->diags);
    hd_free(r);
}

size_t heddle_report_count(const heddle_report *r)
{
    return r->diags.count;
}

heddle_severity hd_report_severity(HdSeverity severity)
{
    switch (severity) {
    case HD_NOTE: return HEDDLE_NOTE;
    case HD_WARNING: return HEDDLE_WARNING;
    case HD_ERROR: break;
    }
    return HEDDLE_ERROR;
}

heddle_finding hd_report_finding(const HdDiag *g)
{
    return (heddle_finding){
        .severity = hd_report_severity(g->severity),
        .rule = g->rule != NULL ? g->rule : "",
        .message = g->message,
        .spec = g->spec,
        .hint = g->hint,
        .instruction = g->inst,
        .source = g->source,
        .source_line = g->source_line,
        .byte = g->word == HD_NO_PLACE ? UINT64_MAX : (uint64_t)g->word * 4,
        .line = g->line,
        .column = g->column,
    };
}

heddle_finding heddle_report_get(const heddle_report *r, size_t index)
{
    return hd_report_finding(&r->diags.at[index]);
}

char *hd_report_take(HdStrbuf *text)
{
    if (text->at == NULL && !text->failed)
        hd_strbuf_add(text, "");
    if (text->failed) {
        hd_strbuf_free(text);
        return NULL;
    }
    return text->at;
}

static char *printed(heddle_report *r, const char *file, bool json)
{
    HdStrbuf out = {0};

    r->diags.file = file;
    if (json)
        hd_diags_json(&r->diags, &out);
    else
        hd_diags_print(&r->diags, &out, false);
    r->diags.file = NULL;
    return hd_report_take(&out);
}

char *heddle_report_text(heddle_report *r, const char *file)
{
    return printed(r, file, false);
}

char *heddle_report_json(heddle_report *r, const char *file)
{
    return printed(r, file, true);
}
