/* check/words.c -- who did it and where, as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/report.h"

static void add_ids(HdStrbuf *out, const char *name, const uint64_t id[3])
{
    hd_strbuf_printf(out, "%s (%llu, %llu, %llu)", name, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out)
{
    add_ids(out, "work-item", item->global);
    add_ids(out, ", local", item->local);
    add_ids(out, ", group", item->group);
    hd_strbuf_printf(out, ", sub-group %u lane %u", (unsigned)item->subgroup, (unsigned)item->lane);
}

void hd_defect_place_text(const HdDefectPlace *p, HdStrbuf *out)
{
    const char *between = p->function != NULL ? " " : "";

    if (p->function != NULL)
        hd_strbuf_printf(out, "in %s", p->function);
    if (p->source != NULL)
        hd_strbuf_printf(out, p->column != 0 ? "%sat %s:%u:%u" : "%sat %s:%u", between, p->source,
                         p->line, p->column);
    else if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, "%sat byte %llu", between, (unsigned long long)p->word * 4);
}
