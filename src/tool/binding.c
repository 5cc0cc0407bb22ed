/* tool/binding.c -- what --bind and --push give to a shader.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/binding.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void list(const HdKernelInfo *k, HdStrbuf *out)
{
    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (k->args[i].resource.element != 0)
            continue;
        hd_strbuf_add(out, "\n  ");
        hd_binding_describe(k, i, out);
        hd_strbuf_add(out, k->args[i].resource.is_used ? "" : " (not used)");
    }
}

static HdStatus unknown(const HdKernelInfo *k, const HdRunNumbered *n, HdDiags *d)
{
    const HdResource place = {.binding = n->binding};
    HdStrbuf all = {0};
    HdStatus st;

    list(k, &all);
    if (n->set == HD_HEAP_SET)
        st =
            hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding",
                    "shader '%s' has no descriptor %s[%u]; it has%s", k->name, hd_heap_name(&place),
                    (unsigned)n->element, all.count > 0 ? hd_strbuf_text(&all) : " no bindings");
    else if (n->is_push)
        st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding",
                     "shader '%s' has no push constants; it has%s", k->name,
                     all.count > 0 ? hd_strbuf_text(&all) : " no bindings");
    else
        st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding",
                     "shader '%s' has nothing to bind at %u.%u[%u]; it has%s", k->name,
                     (unsigned)n->set, (unsigned)n->binding, (unsigned)n->element,
                     all.count > 0 ? hd_strbuf_text(&all) : " no bindings");
    hd_strbuf_free(&all);
    return st;
}

static bool is_at(const HdArgInfo *arg, const HdRunNumbered *n)
{
    const HdResource *r = &arg->resource;

    if (arg->kind != HD_ARG_BINDING || r->is_push != n->is_push)
        return false;
    return r->is_push || (r->set == n->set && r->binding == n->binding && r->element == n->element);
}

static HdStatus resolve(HdRunNumbered *n, const HdKernelInfo *k, HdDiags *d)
{
    if (!k->is_shader && (n->is_binding || n->is_push))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                       "'%s' is a kernel: it has arguments, numbered from 0, and no bindings",
                       k->name);
    if (k->is_shader && !n->is_binding && !n->is_push)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                       "'%s' is a shader: name a binding, SET.BINDING, not argument %u", k->name,
                       (unsigned)n->index);
    for (uint32_t i = 0; k->is_shader; i++) {
        if (i == k->arg_count)
            return unknown(k, n, d);
        n->index = i;
        if (is_at(&k->args[i], n))
            break;
    }
    return HD_OK;
}

/* Options that the other kind of entry point has. */
static HdStatus check_kind(const HdRunOptions *o, const HdKernelInfo *k, HdDiags *d)
{
    const char *wrong = NULL, *hint = "";

    if (k->is_shader && (o->has_global || o->args.count > 0)) {
        wrong = o->has_global ? "--global" : "--arg";
        hint = o->has_global ? "give the number of workgroups, --groups X[,Y,Z]"
                             : "bind buffers, --bind SET.BINDING=SPEC";
    } else if (k->is_shader && (o->local[0] != 0 || o->offset[0] != 0)) {
        wrong = o->local[0] != 0 ? "--local" : "--offset";
        hint = o->local[0] != 0 ? "the module says how large its workgroups are"
                                : "a shader's global ids begin with 0";
    } else if (!k->is_shader && (o->has_groups || o->bind.count > 0 || o->push.count > 0)) {
        wrong = o->has_groups ? "--groups" : o->bind.count > 0 ? "--bind" : "--push";
        hint = o->has_groups ? "give the number of work-items, --global X[,Y,Z]"
                             : "give its arguments, --arg SPEC";
    }
    if (wrong == NULL)
        return HD_OK;
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "'%s' is a %s, which takes no %s: %s",
                   k->name, hd_kernel_kind(k), wrong, hint);
}

static HdStatus given_twice(const HdRunNumbered *n, const HdKernelInfo *k, HdDiags *d)
{
    HdStrbuf what = {0};
    HdStatus st;

    hd_binding_describe(k, n->index, &what);
    hd_strbuf_add(&what, ", but ");
    if (k->args[n->index].resource.elements != 0)
        hd_strbuf_printf(&what, "[%u] of it", (unsigned)n->element);
    else
        hd_strbuf_add(&what, "it");
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding", "%s is given twice: leave one out",
                 hd_strbuf_text(&what));
    hd_strbuf_free(&what);
    return st;
}

/* A place may be given a sampler beside something else. */
static bool is_sampler_at(const HdKernelInfo *k, const HdRunNumbered *n)
{
    return hd_binding_takes_sampler(k, n->index) && hd_binding_is_sampler(n->text);
}

HdStatus hd_bindings_resolve(HdRunOptions *o, const HdKernelInfo *k, HdDiags *d)
{
    HD_TRY(check_kind(o, k, d));
    for (size_t i = 0; i < o->bind.count; i++) {
        HD_TRY(resolve(&o->bind.at[i], k, d));
        for (size_t n = 0; n < i; n++)
            if (o->bind.at[n].index == o->bind.at[i].index &&
                is_sampler_at(k, &o->bind.at[n]) == is_sampler_at(k, &o->bind.at[i]))
                return given_twice(&o->bind.at[i], k, d);
    }
    for (size_t i = 0; i < o->print.count; i++)
        HD_TRY(resolve(&o->print.at[i], k, d));
    for (size_t i = 0; i < o->out.count; i++)
        HD_TRY(resolve(&o->out.at[i], k, d));
    for (size_t i = 0; i < o->expect.count; i++)
        HD_TRY(resolve(&o->expect.at[i], k, d));
    for (size_t i = 0; i < o->image.count; i++)
        HD_TRY(resolve(&o->image.at[i], k, d));
    return HD_OK;
}

const char *hd_binding_spec(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i)
{
    if (k->args[i].resource.is_push)
        return o->push.count > 0 ? o->push.at[0] : NULL;
    for (size_t n = 0; n < o->bind.count; n++)
        if (o->bind.at[n].index == i && !is_sampler_at(k, &o->bind.at[n]))
            return o->bind.at[n].text;
    return NULL;
}

const char *hd_binding_sampler(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i)
{
    for (size_t n = 0; n < o->bind.count; n++)
        if (o->bind.at[n].index == i && k->is_shader && is_sampler_at(k, &o->bind.at[n]))
            return o->bind.at[n].text;
    return NULL;
}

/* ---- push constants ------------------------------------------------------------------------ */

#define MOST_PUSH 65536u

/* The end of the first of several values: a comma before what has a "=" of its own. */
static size_t length_of(const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        size_t next = *p == ',' ? 1 + strcspn(p + 1, ",") : 0;

        if (next != 0 && memchr(p, '=', next) != NULL)
            return (size_t)(p - text);
    }
    return strlen(text);
}

/* Natural alignment: that of a component, of vectors that of two or four of them. */
static uint64_t alignment_of(const HdData *v)
{
    uint64_t bytes = hd_value_bytes(v->type.kind);

    return bytes * (v->type.lanes == 1 || v->type.is_hex ? 1 : v->type.lanes == 2 ? 2 : 4);
}

static HdStatus add_value(const char *text, size_t length, HdStrbuf *out, HdData *all, HdDiags *d)
{
    char *spec = hd_alloc(length + 1);
    HdData v = {0};
    HdStatus st;

    if (spec == NULL)
        return HD_NO_MEMORY;
    memcpy(spec, text, length);
    spec[length] = '\0';
    st = hd_data_parse(spec, d, &v);
    if (st == HD_OK && (v.bytes == NULL || v.size > MOST_PUSH || out->count > MOST_PUSH))
        st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.push",
                     "'%s' is no push constant: TYPE=V, TYPExN=V,V,…, TYPE[COUNT]=… or "
                     "bytes[N]=HEX, of %u bytes at most",
                     spec, MOST_PUSH);
    if (st == HD_OK) {
        while (out->count % alignment_of(&v) != 0)
            hd_strbuf_add_bytes(out, "", 1);
        for (size_t i = 0; i < v.addresses.count && st == HD_OK; i++) {
            HdDataAddress a = v.addresses.at[i];

            a.at += out->count;
            st = HD_PUSH(NULL, &all->addresses, a) ? HD_OK : HD_NO_MEMORY;
        }
        hd_strbuf_add_bytes(out, (const char *)v.bytes,
                            v.form == HD_DATA_SCALAR ? v.type.lanes * hd_value_bytes(v.type.kind)
                                                     : (size_t)v.size);
    }
    hd_data_close(&v);
    hd_free(spec);
    return st;
}

static HdStatus parse_push(const HdRunOptions *o, HdDiags *d, HdData *out)
{
    HdStrbuf bytes = {0}, spec = {0};
    HdData all = {0};
    HdStatus st = HD_OK;

    for (size_t i = 0; i < o->push.count && st == HD_OK; i++)
        for (const char *p = o->push.at[i]; st == HD_OK; p++) {
            size_t length = length_of(p);

            st = add_value(p, length, &bytes, &all, d);
            p += length;
            if (*p == '\0')
                break;
        }
    if (st == HD_OK) {
        hd_strbuf_printf(&spec, "bytes[%zu]=zeros", bytes.count);
        st = spec.failed || bytes.failed ? HD_NO_MEMORY
                                         : hd_data_parse(hd_strbuf_text(&spec), d, out);
    }
    if (st == HD_OK && bytes.count > 0) {
        memcpy(out->bytes, bytes.at, bytes.count);
        out->addresses = all.addresses;
        all = (HdData){0};
    }
    hd_data_close(&all);
    hd_strbuf_free(&spec);
    hd_strbuf_free(&bytes);
    return st;
}

/* ---- bindings ------------------------------------------------------------------------------ */

static HdStatus misfit(const HdKernelInfo *k, uint32_t i, HdDiags *d, const char *why)
{
    HdStrbuf takes = {0};
    HdStatus st;

    hd_binding_describe(k, i, &takes);
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE,
                 k->args[i].resource.is_push ? "run.push" : "run.binding", "%s, but %s",
                 hd_strbuf_text(&takes), why);
    hd_strbuf_free(&takes);
    return st;
}

HdStatus hd_binding_parse(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i,
                          const char *spec, HdDiags *d, HdData *out)
{
    const HdResource *r = &k->args[i].resource;
    HdStrbuf why = {0};
    HdStatus st;

    if (r->is_push)
        HD_TRY(parse_push(o, d, out));
    else if (strncmp(spec, "image", 5) == 0 || strncmp(spec, "sampler", 7) == 0 ||
             strncmp(spec, "pipe", 4) == 0 || strncmp(spec, "queue", 5) == 0)
        return misfit(k, i, d, "what is given is no buffer: TYPE[COUNT]=… or null");
    else
        HD_TRY(hd_data_parse(spec, d, out));
    if (out->form == HD_DATA_NULL)
        return HD_OK;
    if (out->form != HD_DATA_ARRAY)
        return misfit(k, i, d, "what is given is no buffer: TYPE[COUNT]=… or null");
    if (out->size >= r->fixed_bytes)
        return HD_OK;
    hd_strbuf_printf(&why, "only %llu bytes are given", (unsigned long long)out->size);
    st = misfit(k, i, d, hd_strbuf_text(&why));
    hd_strbuf_free(&why);
    return st;
}

/* What the variable is not given, as a list's line ends; NULL: nothing is missing. Elements of
 * arrays of descriptors may be left out. */
static const char *missing(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i)
{
    const HdResource *r = &k->args[i].resource;
    bool needs_image = hd_opaque_has_image(r->opaque) || r->opaque == HD_OPAQUE_NONE;
    bool needs_sampler = hd_opaque_has_sampler(r->opaque);
    const char *spec;

    if (!r->is_used || r->elements != 0)
        return NULL;
    for (uint32_t n = 0; n < k->arg_count; n++) {
        const HdResource *other = &k->args[n].resource;

        if (n != i &&
            (r->is_push || other->is_push || other->set != r->set || other->binding != r->binding))
            continue;
        spec = hd_binding_spec(o, k, n);
        needs_image = needs_image && spec == NULL;
        needs_sampler = needs_sampler && hd_binding_sampler(o, k, n) == NULL &&
                        (spec == NULL || strcmp(spec, "null") != 0);
    }
    if (needs_image == needs_sampler)
        return needs_image ? "" : NULL;
    if (needs_sampler)
        return hd_opaque_has_image(r->opaque) ? "; its sampler is missing: sampler=WORD,…" : "";
    return hd_opaque_has_sampler(r->opaque) ? "; its image is missing: image…=…" : "";
}

HdStatus hd_bindings_check(const HdRunOptions *o, const HdKernelInfo *k, HdDiags *d)
{
    HdStrbuf all = {0};
    uint32_t count = 0;
    HdStatus st = HD_OK;

    for (uint32_t i = 0; i < k->arg_count; i++) {
        const char *what = k->args[i].kind == HD_ARG_BINDING ? missing(o, k, i) : NULL;

        if (what == NULL)
            continue;
        hd_strbuf_add(&all, "\n  ");
        hd_binding_describe(k, i, &all);
        hd_strbuf_add(&all, what);
        count++;
    }
    if (count > 0)
        st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding",
                     "shader '%s' uses what is not given (null binds nothing):%s", k->name,
                     hd_strbuf_text(&all));
    hd_strbuf_free(&all);
    return st;
}
