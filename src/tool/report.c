/* tool/report.c -- text, JSON, files, images, comparisons.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/report.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "check/counts.h"
#include "tool/address.h"
#include "tool/binding.h"
#include "tool/picture.h"

/* Elements shown of a buffer that was not requested by number. */
#define PRINT_LIMIT 4096u

static bool is_named(const HdRunOptions *o, uint32_t index)
{
    for (size_t i = 0; i < o->print.count; i++) {
        if (o->print.at[i].index == index)
            return true;
    }
    return false;
}

static bool is_shown(const HdRunReport *r, uint32_t index)
{
    HdArgKind kind = r->kernel->args[index].kind;

    if (r->args[index].bytes == NULL)
        return false;
    if (r->options->no_print || r->options->print.count > 0)
        return is_named(r->options, index);
    if (kind == HD_ARG_BINDING) /* what the shader may have written, or was given to see */
        return !r->kernel->args[index].resource.is_push;
    return kind == HD_ARG_GLOBAL || kind == HD_ARG_CONSTANT || kind == HD_ARG_IMAGE ||
           kind == HD_ARG_PIPE;
}

static void add_values(const HdRunReport *r, uint32_t i, bool is_json, HdStrbuf *out)
{
    uint64_t limit = is_named(r->options, i) ? 0 : PRINT_LIMIT;

    if (r->args[i].addresses.count != 0)
        hd_addresses_print(r->kernel, r->args, &r->args[i], limit, is_json, out);
    else
        hd_data_print(out, &r->args[i], limit, is_json);
}

static void add_text(const HdRunReport *r, HdStrbuf *out)
{
    for (uint32_t i = 0; i < r->kernel->arg_count; i++) {
        if (!is_shown(r, i))
            continue;
        hd_argument_name(r->kernel, i, out);
        hd_strbuf_add(out, ": ");
        hd_data_print_type(out, &r->args[i]);
        hd_strbuf_add(out, " = ");
        add_values(r, i, false, out);
        hd_strbuf_add_char(out, '\n');
    }
    if (r->options->time)
        hd_strbuf_printf(out, "time: read %.3f ms, check %.3f ms, compile %.3f ms, run %.3f ms%s\n",
                         r->read_ms, r->check_ms, r->compile_ms, r->run_ms,
                         r->options->repeat > 1 ? " (median)" : "");
}

/* A binding has these beside its number. */
static void add_place(const HdArgInfo *arg, HdStrbuf *out)
{
    if (arg->kind == HD_ARG_BINDING && arg->resource.is_heap)
        hd_strbuf_printf(out, "\"heap\": \"%s\", \"element\": %u, ",
                         hd_heap_holds(arg->resource.binding), (unsigned)arg->resource.element);
    else if (arg->kind == HD_ARG_BINDING && !arg->resource.is_push)
        hd_strbuf_printf(out, "\"set\": %u, \"binding\": %u, \"element\": %u, ",
                         (unsigned)arg->resource.set, (unsigned)arg->resource.binding,
                         (unsigned)arg->resource.element);
}

static void add_json(const HdRunReport *r, HdStrbuf *out)
{
    const char *between = "";

    hd_strbuf_add(out, "{\"kernel\": ");
    hd_strbuf_add_json(out, r->kernel->name);
    hd_strbuf_printf(out, ", \"width\": %u, \"output\": ", (unsigned)r->width);
    hd_strbuf_add_json(out, r->printed);
    hd_strbuf_add(out, ", \"args\": [");
    for (uint32_t i = 0; i < r->kernel->arg_count; i++) {
        if (!is_shown(r, i))
            continue;
        hd_strbuf_printf(out, "%s{\"index\": %u, ", between, (unsigned)i);
        add_place(&r->kernel->args[i], out);
        hd_strbuf_add(out, "\"type\": \"");
        hd_data_print_type(out, &r->args[i]);
        hd_strbuf_add(out, "\", \"values\": ");
        add_values(r, i, true, out);
        if (!is_named(r->options, i) && r->args[i].count > PRINT_LIMIT)
            hd_strbuf_printf(out, ", \"omitted\": %llu",
                             (unsigned long long)(r->args[i].count - PRINT_LIMIT));
        hd_strbuf_add_char(out, '}');
        between = ", ";
    }
    if (r->check != NULL) {
        hd_strbuf_add(out, "], \"defects\": ");
        hd_defects_print(hd_check_defects(r->check), r->options->file, HD_DEFECT_JSON, out);
        out->count -= 2; /* its bracket is closed below, on the same line */
    }
    if (r->options->counts != NULL && strcmp(r->options->counts, "-") == 0) {
        hd_strbuf_add(out, "], \"counts\": ");
        hd_counts_json(hd_check_counts(r->check), out);
        out->count--;
    }
    hd_strbuf_printf(out,
                     "], \"time_ms\": {\"read\": %.3f, \"check\": %.3f, \"compile\": %.3f, "
                     "\"run\": %.3f, \"processor\": %.3f}}\n",
                     r->read_ms, r->check_ms, r->compile_ms, r->run_ms, r->used_ms);
}

/* The data of an option "N=…". */
static HdStatus find(const HdRunReport *r, const HdRunNumbered *n, HdDiags *d, const HdData **out)
{
    if (r->kernel->is_shader && r->args[n->index].bytes == NULL)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                       "'%u.%u%s%s': nothing is bound there that could be shown", (unsigned)n->set,
                       (unsigned)n->binding, n->text != NULL ? "=" : "",
                       n->text != NULL ? n->text : "");
    if (n->index >= r->kernel->arg_count || r->args[n->index].bytes == NULL)
        return hd_fail(
            d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
            "'%u%s%s': argument %u is not a buffer; the kernel has %u arguments, numbered from 0",
            (unsigned)n->index, n->text != NULL ? "=" : "", n->text != NULL ? n->text : "",
            (unsigned)n->index, (unsigned)r->kernel->arg_count);
    *out = &r->args[n->index];
    return HD_OK;
}

static void add_element(HdStrbuf *out, const HdData *data, uint64_t n)
{
    unsigned bytes = hd_value_bytes(data->type.kind);

    for (uint32_t i = 0; i < data->type.lanes; i++) {
        hd_strbuf_add(out, i > 0 ? ", " : "");
        hd_value_print(out, data->type.kind, data->bytes + (n * data->type.stride + i) * bytes);
    }
}

static HdStatus compare(const HdRunReport *r, const HdRunNumbered *n, HdDiags *d,
                        bool *is_different)
{
    HdStrbuf got = {0}, want = {0}, name = {0};
    const HdData *data;
    HdData expected;
    uint64_t at;

    HD_TRY(find(r, n, d, &data));
    HD_TRY(hd_data_like(data, n->text, d, &expected));
    if (hd_addresses_fill(r->kernel, r->args, &expected, d) != HD_OK) {
        hd_data_close(&expected);
        return HD_BAD_INPUT;
    }
    at = hd_data_compare(data, &expected, r->options->tolerance);
    if (at != UINT64_MAX) {
        add_element(&got, data, at);
        add_element(&want, &expected, at);
        *is_different = true;
        if (r->kernel->is_shader)
            hd_binding_name(r->kernel, n->index, &name);
        else
            hd_strbuf_printf(&name, "argument %u", (unsigned)n->index);
        hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.expect", "%s: element %llu is %s, expected %s",
                hd_strbuf_text(&name), (unsigned long long)at, hd_strbuf_text(&got),
                hd_strbuf_text(&want));
    }
    hd_strbuf_free(&name);
    hd_strbuf_free(&got);
    hd_strbuf_free(&want);
    hd_data_close(&expected);
    return HD_OK;
}

HdStatus hd_run_report_check(const HdRunReport *r, HdDiags *d)
{
    const HdRunOptions *o = r->options;
    const HdData *data;
    HdData expected;

    for (size_t i = 0; i < o->print.count; i++)
        HD_TRY(find(r, &o->print.at[i], d, &data));
    for (size_t i = 0; i < o->out.count; i++)
        HD_TRY(find(r, &o->out.at[i], d, &data));
    for (size_t i = 0; i < o->image.count; i++) {
        HD_TRY(find(r, &o->image.at[i], d, &data));
        if (r->kernel->args[o->image.at[i].index].kind != HD_ARG_PIPE)
            HD_TRY(hd_picture_check(o->image.at[i].text, data->size, d));
    }
    for (size_t i = 0; i < o->expect.count; i++) {
        HD_TRY(find(r, &o->expect.at[i], d, &data));
        if (o->expect.at[i].text[0] == '@' || /* a file, which can perhaps be read only once */
            r->kernel->args[o->expect.at[i].index].kind == HD_ARG_PIPE) /* not filled yet */
            continue;
        HD_TRY(hd_data_like(data, o->expect.at[i].text, d, &expected));
        hd_data_close(&expected);
    }
    return HD_OK;
}

HdStatus hd_run_report(const HdRunReport *r, HdDiags *d, bool *is_different)
{
    const HdRunOptions *o = r->options;
    HdStrbuf out = {0};
    const HdData *data;
    bool is_failed;

    *is_different = false;
    if (o->json)
        add_json(r, &out);
    else if (!o->sarif)
        add_text(r, &out);
    is_failed = out.failed;
    if (!is_failed && out.count > 0)
        fwrite(out.at, 1, out.count, stdout);
    hd_strbuf_free(&out);
    if (is_failed)
        return HD_NO_MEMORY;
    for (size_t i = 0; i < o->out.count; i++) {
        HD_TRY(find(r, &o->out.at[i], d, &data));
        HD_TRY(hd_file_write(o->out.at[i].text, data->bytes, (size_t)data->size, d));
    }
    for (size_t i = 0; i < o->image.count; i++) {
        HD_TRY(find(r, &o->image.at[i], d, &data));
        HD_TRY(hd_picture_write(o->image.at[i].text, data->bytes, data->size, d));
    }
    for (size_t i = 0; i < o->expect.count; i++)
        HD_TRY(compare(r, &o->expect.at[i], d, is_different));
    return HD_OK;
}
