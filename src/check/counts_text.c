/* check/counts_text.c -- counts of instructions and bytes as text and as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/file.h"
#include "check/counts.h"

static unsigned long long number(uint64_t n)
{
    return (unsigned long long)n;
}

static const char *plural(uint64_t n, const char *end)
{
    return n == 1 ? "" : end;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_memory(const HdCounts *k, HdStrbuf *out)
{
    bool is_first = true;

    for (unsigned i = 0; i < HD_COUNT_MEMORIES; i++) {
        const HdCountBytes *b = &k->memory[i];

        if (!hd_count_bytes_any(b))
            continue;
        if (is_first)
            hd_strbuf_printf(out, "  %-21s %14s %14s %14s\n", "bytes", "loaded", "stored",
                             "atomic");
        is_first = false;
        hd_strbuf_printf(out, "  %-21s %14llu %14llu %14llu\n", hd_count_memory_names[i],
                         number(b->loaded), number(b->stored), number(b->atomic));
    }
}

static void add_kernel(const HdCounts *k, HdStrbuf *out)
{
    const uint64_t total = hd_counts_total(k);
    HdOpcodeCounts opcodes = {0};

    out->failed = hd_counts_by_opcode(k, &opcodes) != HD_OK || out->failed;
    hd_strbuf_printf(out, "%s %s: %llu launch%s, %llu %s%s, %llu instruction%s\n",
                     k->is_shader ? "shader" : "kernel", k->kernel, number(k->launches),
                     plural(k->launches, "es"), number(k->work_items),
                     k->is_shader ? "invocation" : "work-item", plural(k->work_items, "s"),
                     number(total), plural(total, "s"));
    for (size_t i = 0; i < opcodes.count; i++)
        hd_strbuf_printf(out, "  %14llu  %s\n", number(opcodes.at[i].count), opcodes.at[i].opcode);
    HD_ARRAY_FREE(&opcodes);
    add_memory(k, out);
}

void hd_counts_text(HdCountsList all, HdStrbuf *out)
{
    for (size_t i = 0; i < all.count; i++)
        add_kernel(all.at[i], out);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void add_opcodes_json(const HdCounts *k, HdStrbuf *out)
{
    HdOpcodeCounts opcodes = {0};

    out->failed = hd_counts_by_opcode(k, &opcodes) != HD_OK || out->failed;
    for (size_t i = 0; i < opcodes.count; i++) {
        hd_strbuf_add(out, i > 0 ? ", " : "");
        hd_strbuf_add_json(out, opcodes.at[i].opcode);
        hd_strbuf_printf(out, ": %llu", number(opcodes.at[i].count));
    }
    HD_ARRAY_FREE(&opcodes);
}

static void add_memory_json(const HdCounts *k, HdStrbuf *out)
{
    const char *between = "";

    for (unsigned i = 0; i < HD_COUNT_MEMORIES; i++) {
        const HdCountBytes *b = &k->memory[i];

        if (!hd_count_bytes_any(b))
            continue;
        hd_strbuf_printf(out, "%s\"%s\": {\"loaded\": %llu, \"stored\": %llu, \"atomic\": %llu}",
                         between, hd_count_memory_names[i], number(b->loaded), number(b->stored),
                         number(b->atomic));
        between = ", ";
    }
}

void hd_counts_json(HdCountsList all, HdStrbuf *out)
{
    hd_strbuf_add_char(out, '[');
    for (size_t i = 0; i < all.count; i++) {
        const HdCounts *k = all.at[i];

        hd_strbuf_add(out, i > 0 ? ",\n{\"kernel\": " : "{\"kernel\": ");
        hd_strbuf_add_json(out, k->kernel);
        hd_strbuf_printf(out,
                         ", \"launches\": %llu, \"work_items\": %llu, \"instructions\": %llu, "
                         "\"opcodes\": {",
                         number(k->launches), number(k->work_items), number(hd_counts_total(k)));
        add_opcodes_json(k, out);
        hd_strbuf_add(out, "}, \"bytes\": {");
        add_memory_json(k, out);
        hd_strbuf_add(out, "}}");
    }
    hd_strbuf_add_char(out, ']');
}

HdStatus hd_counts_write(HdCheck *c, const char *path, HdDiags *d)
{
    const HdCountsList all = hd_check_counts(c);
    HdStrbuf out = {0};
    HdStatus st;

    if (hd_defects_form(path) == HD_DEFECT_JSON) {
        hd_counts_json(all, &out);
        hd_strbuf_add_char(&out, '\n');
    } else {
        hd_counts_text(all, &out);
    }
    st = out.failed ? HD_NO_MEMORY : hd_file_write(path, hd_strbuf_text(&out), out.count, d);
    hd_strbuf_free(&out);
    return st;
}
