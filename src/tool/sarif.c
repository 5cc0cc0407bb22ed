/* tool/sarif.c -- findings of files as a SARIF log.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/sarif.h"

#include "base/array.h"
#include "base/sarif.h"

/* A finding in a binary that debug information names a source of points there as well. */
static HdSarifResult result_of(const HdDiag *g, const char *file)
{
    return (HdSarifResult){.severity = g->severity,
                           .rule = g->rule != NULL ? g->rule : "heddle",
                           .about = g->spec,
                           .help = g->hint,
                           .message = g->message,
                           .place = {.file = file,
                                     .line = g->line,
                                     .column = g->column,
                                     .word = g->word,
                                     .snippet = g->inst},
                           .other = {.file = g->source,
                                     .line = g->source_line,
                                     .column = g->source_column,
                                     .word = HD_NO_PLACE,
                                     .message = g->source != NULL ? "in the source" : NULL}};
}

void hd_tool_sarif(const HdValFile *files, size_t count, HdStrbuf *out)
{
    HD_ARRAY(HdSarifResult) results = {0};

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].d.count; i++)
            if (!HD_PUSH(NULL, &results, result_of(&files[f].d.at[i], files[f].d.file)))
                out->failed = true;
    hd_sarif_print(results.at, results.count, out);
    HD_ARRAY_FREE(&results);
}
