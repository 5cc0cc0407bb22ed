/* check/html_counts.c -- how often lines of sources ran, as part of an HTML page.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "check/counts.h"
#include "check/html.h"

#define AROUND 3u /* lines shown before and after one that has instructions */

/* Lines of one file, in their order. */
typedef struct File {
    const HdLineCount *at;
    size_t count;
    uint64_t most; /* that one of them ran */
} File;

static size_t ran(const File *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->count; i++)
        n += f->at[i].count > 0;
    return n;
}

static void add_line(HdStrbuf *out, const File *f, const HdLineCount *own, uint32_t line,
                     const char *text, size_t len)
{
    const char *class = own == NULL                             ? NULL
                        : own->count == 0                       ? "never"
                        : own->count == f->most && f->count > 1 ? "most"
                                                                : NULL;
    char margin[40];

    if (own != NULL)
        snprintf(margin, sizeof margin, "%5u %12llu", line, (unsigned long long)own->count);
    else
        snprintf(margin, sizeof margin, "%5u %12s", line, "");
    hd_html_line(out, margin, class, text, len);
}

/* The lines near those that have instructions. */
static void add_lines(HdStrbuf *out, const File *f, const char *text, size_t count)
{
    const char *at = text, *end = text + count;
    size_t next = 0; /* of the file's */
    bool is_gap = false;

    for (uint32_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop != NULL ? stop : end) - at);
        bool is_own = next < f->count && f->at[next].line == line;
        bool is_near = is_own || (next < f->count && f->at[next].line - line <= AROUND) ||
                       (next > 0 && line - f->at[next - 1].line <= AROUND);

        if (is_near)
            add_line(out, f, is_own ? &f->at[next] : NULL, line, at, len);
        else if (!is_gap)
            hd_strbuf_add(out, "    &#8942;\n");
        is_gap = !is_near;
        next += is_own;
        at += len + 1;
    }
}

static void add_file(HdStrbuf *out, HdSources *sources, const File *f)
{
    const HdCountFile *file = f->at->file;
    size_t count;
    const char *text = hd_sources_text(sources, file->name, file->text, &count);

    if (text == NULL)
        return;
    hd_strbuf_add(out, "<details open><summary>");
    hd_strbuf_add_html(out, file->name, strlen(file->name));
    hd_strbuf_printf(out, ": %zu of %zu lines ran</summary>\n<pre>", ran(f), f->count);
    add_lines(out, f, text, count);
    hd_strbuf_add(out, "</pre></details>\n");
}

void hd_html_counts(HdStrbuf *out, HdSources *sources, const HdDefects *all)
{
    HdCountsList counts = {all->counted, all->counted_count};
    HdLineCounts lines = {0};

    if (counts.count == 0 || hd_coverage_lines(counts, &lines) != HD_OK) {
        HD_ARRAY_FREE(&lines);
        return;
    }
    hd_strbuf_add(out, "<h2>How often lines ran</h2>\n<p>Work-items that executed the instruction "
                       "of the line that ran most often.</p>\n");
    for (size_t i = 0; i < lines.count;) {
        File f = {.at = &lines.at[i]};

        for (; i < lines.count && lines.at[i].file == f.at->file; i++, f.count++)
            f.most = lines.at[i].count > f.most ? lines.at[i].count : f.most;
        add_file(out, sources, &f);
    }
    HD_ARRAY_FREE(&lines);
}
