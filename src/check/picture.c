/* check/picture.c -- diagrams of the memory and the work-group around a defect.
 *
 * Both are tables of small squares: without scripts or images the page needs no other file, and
 * each square has a tooltip.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/html.h"

#include <string.h>

typedef unsigned long long ull;

/* ---- memory -------------------------------------------------------------------------------- */

#define ROW_BYTES 16u

static bool is_accessed(const HdDefect *d, uint64_t at)
{
    return at - d->address < d->bytes;
}

static void add_byte(HdStrbuf *out, const HdDefect *d, uint32_t i)
{
    static const char *const names[] = {
        [HD_BYTE_OUTSIDE] = "out", [HD_BYTE_VALUE] = "in", [HD_BYTE_UNDEFINED] = "un"};
    const HdDefectMemory *m = &d->around;

    hd_strbuf_printf(out, "<i class=\"%s%s\" title=\"byte %lld\">", names[m->state[i]],
                     is_accessed(d, m->at + i) ? " mine"
                     : m->is_also[i]           ? " also"
                                               : "",
                     (long long)(m->at + i - d->memory_at));
    if (m->state[i] == HD_BYTE_VALUE)
        hd_strbuf_printf(out, "%02x", m->bytes[i]);
    hd_strbuf_add(out, "</i>");
}

static void add_float(HdStrbuf *out, uint64_t bits, uint32_t wide)
{
    uint32_t half = (uint32_t)bits;
    double x;
    float f;

    memcpy(&f, &half, sizeof f);
    memcpy(&x, &bits, sizeof x);
    hd_strbuf_printf(out, "%.*g", wide == 4 ? 6 : 9, wide == 4 ? (double)f : x);
}

/* The bytes of a row as numbers as wide as the access, where all of one's bytes have values: whole
 * numbers, and floats where it may be one. */
static void add_values(HdStrbuf *out, const HdDefect *d, uint32_t row, bool floats)
{
    const HdDefectMemory *m = &d->around;
    uint32_t wide = (uint32_t)d->bytes, skip = (uint32_t)((d->address - m->at) % wide);
    const char *before = floats ? " &middot; " : "<small>";

    for (uint32_t i = row + skip; i + wide <= row + ROW_BYTES; i += wide) {
        uint64_t bits = 0;
        bool is_whole = true;

        for (uint32_t k = wide; k-- > 0;) {
            bits = bits << 8 | m->bytes[i + k];
            is_whole = is_whole && m->state[i + k] == HD_BYTE_VALUE;
        }
        hd_strbuf_add(out, before);
        before = " ";
        if (!is_whole)
            hd_strbuf_add(out, "?");
        else if (!floats)
            hd_strbuf_printf(out, "%lld",
                             wide == 8 ? (long long)bits
                                       : (long long)(int64_t)(bits << (64 - 8 * wide)) >>
                                             (64 - 8 * wide));
        else
            add_float(out, bits, wide);
    }
    if (floats || wide < 4)
        hd_strbuf_add(out, "</small>");
}

static bool has_values(const HdDefect *d)
{
    return d->bytes == 1 || d->bytes == 2 || d->bytes == 4 || d->bytes == 8;
}

void hd_html_memory(HdStrbuf *out, const HdDefect *d)
{
    const HdDefectMemory *m = &d->around;
    bool has_others = false;

    if (!m->is_known)
        return;
    hd_strbuf_printf(out,
                     "<figure class=memory><figcaption>%llu byte%s at %lld of %llu</figcaption>",
                     (ull)d->bytes, d->bytes == 1 ? "" : "s",
                     (long long)(d->address - d->memory_at), (ull)d->memory_bytes);
    for (uint32_t i = 0; i < HD_DEFECT_AROUND; i++) {
        if (i % ROW_BYTES == 0)
            hd_strbuf_printf(out, "\n<div><s>%lld</s>", (long long)(m->at + i - d->memory_at));
        add_byte(out, d, i);
        has_others = has_others || (m->is_also[i] && !is_accessed(d, m->at + i));
        if (i % ROW_BYTES != ROW_BYTES - 1)
            continue;
        if (has_values(d))
            add_values(out, d, i + 1 - ROW_BYTES, false);
        if (d->bytes == 4 || d->bytes == 8)
            add_values(out, d, i + 1 - ROW_BYTES, true);
        hd_strbuf_add(out, "</div>");
    }
    hd_strbuf_printf(out, "\n<p><i class=\"in mine\"></i> accessed%s",
                     has_others ? " <i class=\"in also\"></i> accessed another time" : "");
    hd_strbuf_add(out, " <i class=in></i> its memory "
                       "<i class=un></i> without a value <i class=out></i> outside</p></figure>\n");
}

/* ---- the work-group ------------------------------------------------------------------------ */

#define ROW_ITEMS 64u /* in a row of the picture */
#define ROWS_NEAR 6u  /* shown before and after the affected ones */
#define NO_ITEM   UINT64_MAX

static uint64_t linear(const HdDefectItem *item, const uint64_t size[3])
{
    return (item->local[2] * size[1] + item->local[1]) * size[0] + item->local[0];
}

static bool is_group_of(const HdDefectItem *a, const HdDefectItem *b)
{
    return a->group[0] == b->group[0] && a->group[1] == b->group[1] && a->group[2] == b->group[2];
}

static bool does_it(const HdDefect *d, uint64_t i)
{
    return i - d->first_item < 64 && (d->lanes >> (i - d->first_item) & 1) != 0;
}

static void add_item(HdStrbuf *out, const HdDefect *d, uint64_t i, uint64_t other)
{
    const uint64_t *size = d->local_size;
    bool is_near = d->subgroup_width > 0 && i / d->subgroup_width == d->item.subgroup;
    const char *name = i == other ? "other" : does_it(d, i) ? "mine" : is_near ? "near" : "far";

    hd_strbuf_printf(out, "<i class=%s title=\"%llu, %llu, %llu\"></i>", name, (ull)(i % size[0]),
                     (ull)(i / size[0] % size[1]), (ull)(i / size[0] / size[1]));
}

static bool is_shown(uint64_t row, uint64_t which)
{
    return which != NO_ITEM && row + ROWS_NEAR >= which && row <= which + ROWS_NEAR;
}

void hd_html_group(HdStrbuf *out, const HdDefect *d)
{
    const uint64_t *size = d->local_size, count = size[0] * size[1] * size[2];
    uint64_t each = size[0] < ROW_ITEMS ? size[0] : ROW_ITEMS, other = NO_ITEM, last = NO_ITEM;

    if (!d->item.is_known || count == 0)
        return;
    if (d->other_item.is_known && is_group_of(&d->item, &d->other_item))
        other = linear(&d->other_item, size);
    hd_strbuf_printf(out,
                     "<figure class=group><figcaption>work-group (%llu, %llu, %llu) of "
                     "%llu x %llu x %llu</figcaption>",
                     (ull)d->item.group[0], (ull)d->item.group[1], (ull)d->item.group[2],
                     (ull)size[0], (ull)size[1], (ull)size[2]);
    for (uint64_t row = 0; row * each < count; row++) {
        if (!is_shown(row, linear(&d->item, size) / each) &&
            !is_shown(row, other != NO_ITEM ? other / each : NO_ITEM))
            continue;
        if (row != (last == NO_ITEM ? 0 : last + 1))
            hd_strbuf_add(out, "\n<div>&#8942;</div>");
        last = row;
        hd_strbuf_printf(out, "\n<div><s>%llu</s>", (ull)(row * each));
        for (uint64_t i = row * each; i < (row + 1) * each && i < count; i++)
            add_item(out, d, i, other);
        hd_strbuf_add(out, "</div>");
    }
    hd_strbuf_printf(out,
                     "\n<p><i class=mine></i> did it%s <i class=near></i> same sub-group "
                     "<i class=far></i> same work-group</p></figure>\n",
                     other != NO_ITEM ? " <i class=other></i> other side" : "");
}
