/* check/json.c -- defects as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/report.h"

static void add_member(HdStrbuf *out, const char *key, const char *value)
{
    if (value == NULL)
        return;
    hd_strbuf_printf(out, ",\"%s\":", key);
    hd_strbuf_add_json(out, value);
}

static void add_id(HdStrbuf *out, const char *key, const uint64_t id[3])
{
    hd_strbuf_printf(out, ",\"%s\":[%llu,%llu,%llu]", key, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

static void add_item(HdStrbuf *out, const HdDefectItem *item)
{
    if (!item->is_known)
        return;
    add_id(out, "global_id", item->global);
    add_id(out, "local_id", item->local);
    add_id(out, "group_id", item->group);
    hd_strbuf_printf(out, ",\"subgroup\":%u,\"lane\":%u", (unsigned)item->subgroup,
                     (unsigned)item->lane);
}

static void add_place(HdStrbuf *out, const HdDefectPlace *p)
{
    if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, ",\"byte\":%llu", (unsigned long long)p->word * 4);
    add_member(out, "function", p->function);
    add_member(out, "instruction", p->inst);
    add_member(out, "source", p->source);
    if (p->source != NULL)
        hd_strbuf_printf(out, ",\"line\":%u,\"column\":%u", p->line, p->column);
}

static void add_defect(const HdDefect *d, HdStrbuf *out)
{
    hd_strbuf_printf(out, "{\"severity\":\"%s\"", hd_severity_name(d->severity));
    add_member(out, "rule", d->rule);
    add_member(out, "message", d->message);
    add_member(out, "kernel", d->kernel);
    add_place(out, &d->place);
    add_item(out, &d->item);
    add_member(out, "variable", d->variable);
    add_member(out, "memory", d->memory);
    if (d->other != NULL) {
        hd_strbuf_add(out, ",\"other\":{\"what\":");
        hd_strbuf_add_json(out, d->other);
        add_place(out, &d->other_place);
        add_item(out, &d->other_item);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, ",\"calls\":[");
    for (uint32_t i = 0; i < d->stack_count; i++) {
        hd_strbuf_add(out, i ? ",{\"depth\":" : "{\"depth\":");
        hd_strbuf_printf(out, "%u", (unsigned)i);
        add_place(out, &d->stack[i]);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_printf(out, "],\"count\":%llu", (unsigned long long)d->count);
    add_member(out, "hint", d->hint);
    hd_strbuf_add_char(out, '}');
}

void hd_defects_json(const HdDefects *all, HdStrbuf *out)
{
    hd_strbuf_add_char(out, '[');
    for (size_t i = 0; i < all->count; i++) {
        hd_strbuf_add(out, i ? ",\n" : "\n");
        add_defect(&all->at[i], out);
    }
    hd_strbuf_add(out, all->count > 0 ? "\n]\n" : "]\n");
}
