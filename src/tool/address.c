/* tool/address.c -- device addresses on the command line: "&0.1+16" in buffers and push constants.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/address.h"

#include <string.h>

#include "base/memory.h"

static bool is_at(const HdResource *r, const HdDataAddress *a)
{
    return !r->is_push && r->set == a->set && r->binding == a->binding && r->element == a->element;
}

static bool has_place(const HdKernelInfo *k, const HdDataAddress *a)
{
    for (uint32_t i = 0; i < k->arg_count; i++)
        if (is_at(&k->args[i].resource, a))
            return true;
    return false;
}

/* Is there an address in one of the SPECs that leads to a place? */
static bool is_named(const char *spec, const HdRunNumbered *place)
{
    const HdResource r = {.set = place->set, .binding = place->binding, .element = place->element};
    const char *end;
    HdDataAddress a;

    for (const char *p = spec; (p = strchr(p, '&')) != NULL; p++)
        if (hd_data_parse_address(p, &end, &a) && is_at(&r, &a))
            return true;
    return false;
}

static bool is_reached(const HdRunOptions *o, const HdRunNumbered *place)
{
    for (size_t i = 0; i < o->push.count; i++)
        if (is_named(o->push.at[i], place))
            return true;
    for (size_t i = 0; i < o->bind.count; i++)
        if (is_named(o->bind.at[i].text, place))
            return true;
    return false;
}

HdStatus hd_addresses_extend(const HdRunOptions *o, const HdKernelInfo *k, HdKernelInfo *out)
{
    HdArgInfo *args;

    *out = *k;
    HD_TAKE(args, hd_alloc_zero((k->arg_count + o->bind.count + 1) * sizeof *args));
    if (k->arg_count != 0)
        memcpy(args, k->args, k->arg_count * sizeof *args);
    out->args = args;
    for (size_t i = 0; i < o->bind.count && k->is_shader; i++) {
        const HdRunNumbered *n = &o->bind.at[i];
        const HdDataAddress place = {.set = n->set, .binding = n->binding, .element = n->element};

        if (has_place(out, &place) || !is_reached(o, n))
            continue;
        args[out->arg_count++] =
            (HdArgInfo){.kind = HD_ARG_BINDING,
                        .offset = out->block_bytes,
                        .size = sizeof(HdBinding),
                        .align = 8,
                        .name = "",
                        .access = UINT32_MAX,
                        .resource = {.set = n->set, .binding = n->binding, .element = n->element}};
        out->block_bytes += (uint32_t)sizeof(HdBinding);
    }
    return HD_OK;
}

void hd_addresses_drop(HdKernelInfo *k)
{
    hd_free(k->args);
    *k = (HdKernelInfo){0};
}

HdStatus hd_addresses_fill(const HdKernelInfo *k, const HdData *all, HdData *data, HdDiags *d)
{
    for (size_t i = 0; i < data->addresses.count; i++) {
        const HdDataAddress *a = &data->addresses.at[i];
        uint32_t n = 0;
        uint64_t v;

        while (n < k->arg_count &&
               (!k->is_shader || !is_at(&k->args[n].resource, a) || all[n].bytes == NULL))
            n++;
        if (n == k->arg_count)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.address",
                           "&%u.%u[%u] is no address: %s", (unsigned)a->set, (unsigned)a->binding,
                           (unsigned)a->element,
                           k->is_shader ? "nothing is bound there; give --bind SET.BINDING=…"
                                        : "kernels have no bindings");
        v = (uint64_t)(uintptr_t)all[n].bytes + a->plus;
        memcpy(data->bytes + a->at, &v, sizeof v);
    }
    return HD_OK;
}

/* "&0.1+16"; false: the address is nowhere in what is bound. */
static bool print_address(const HdKernelInfo *k, const HdData *all, uint64_t v, HdStrbuf *out)
{
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdResource *r = &k->args[i].resource;
        uint64_t at = (uint64_t)(uintptr_t)all[i].bytes;

        if (r->is_push || all[i].bytes == NULL || v < at || v - at >= all[i].size)
            continue;
        hd_strbuf_printf(out, "&%u.%u", (unsigned)r->set, (unsigned)r->binding);
        if (r->element != 0)
            hd_strbuf_printf(out, "[%u]", (unsigned)r->element);
        if (v != at)
            hd_strbuf_printf(out, "+%llu", (unsigned long long)(v - at));
        return true;
    }
    return false;
}

static void print_one(const HdKernelInfo *k, const HdData *all, const HdData *data, uint64_t n,
                      bool is_json, HdStrbuf *out)
{
    const unsigned char *at = data->bytes + n * sizeof(uint64_t);
    HdStrbuf text = {0};
    uint64_t v;

    memcpy(&v, at, sizeof v);
    if (!print_address(k, all, v, &text))
        hd_value_print(out, data->type.kind, at);
    else if (is_json)
        hd_strbuf_add_json(out, hd_strbuf_text(&text));
    else
        hd_strbuf_add(out, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

void hd_addresses_print(const HdKernelInfo *k, const HdData *all, const HdData *data,
                        uint64_t limit, bool is_json, HdStrbuf *out)
{
    uint64_t count = limit != 0 && data->count > limit ? limit : data->count;
    bool in_parentheses = data->type.lanes > 1 && !is_json;

    hd_strbuf_add(out, is_json ? "[" : "");
    for (uint64_t n = 0; n < count; n++) {
        hd_strbuf_add(out, n > 0 ? ", " : "");
        hd_strbuf_add(out, in_parentheses ? "(" : "");
        for (uint32_t i = 0; i < data->type.lanes; i++) {
            hd_strbuf_add(out, i > 0 ? ", " : "");
            print_one(k, all, data, n * data->type.stride + i, is_json, out);
        }
        hd_strbuf_add(out, in_parentheses ? ")" : "");
    }
    hd_strbuf_add(out, is_json ? "]" : "");
    if (count < data->count && !is_json)
        hd_strbuf_printf(out, ", … (%llu more)", (unsigned long long)(data->count - count));
}
