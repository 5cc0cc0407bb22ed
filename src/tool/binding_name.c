/* tool/binding_name.c -- what arguments are called, and what they take, in words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/binding.h"

const char *hd_heap_name(const HdResource *r)
{
    return r->binding == HD_HEAP_SAMPLERS ? "samplers" : "heap";
}

void hd_argument_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out)
{
    const HdResource *r = &k->args[i].resource;

    if (k->args[i].kind != HD_ARG_BINDING)
        hd_strbuf_printf(out, "arg %u", (unsigned)i);
    else if (r->is_heap)
        hd_strbuf_printf(out, "bind %s[%u]", hd_heap_name(r), (unsigned)r->element);
    else if (r->is_push)
        hd_strbuf_add(out, "push");
    else if (r->elements == 0)
        hd_strbuf_printf(out, "bind %u.%u", (unsigned)r->set, (unsigned)r->binding);
    else
        hd_strbuf_printf(out, "bind %u.%u[%u]", (unsigned)r->set, (unsigned)r->binding,
                         (unsigned)r->element);
}

void hd_binding_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out)
{
    const HdResource *r = &k->args[i].resource;

    if (r->is_push)
        hd_strbuf_add(out, "push constants");
    else if (r->is_heap)
        hd_strbuf_add(out, hd_heap_name(r));
    else
        hd_strbuf_printf(out, "binding %u.%u", (unsigned)r->set, (unsigned)r->binding);
    if (r->elements != 0)
        hd_strbuf_printf(out, "[%u]", (unsigned)r->element);
    if (k->args[i].name[0] != '\0')
        hd_strbuf_printf(out, " '%s'", k->args[i].name);
}

void hd_binding_describe(const HdKernelInfo *k, uint32_t i, HdStrbuf *out)
{
    const HdArgInfo *arg = &k->args[i];
    const HdResource *r = &arg->resource;

    if (r->is_heap) {
        hd_strbuf_printf(out, "--bind %s[0 … %u] '%s': a heap of descriptors", hd_heap_name(r),
                         (unsigned)r->elements - 1, arg->name);
        return;
    }
    if (r->is_push)
        hd_strbuf_add(out, "--push");
    else if (r->elements == 0)
        hd_strbuf_printf(out, "--bind %u.%u", (unsigned)r->set, (unsigned)r->binding);
    else
        hd_strbuf_printf(out, "--bind %u.%u[0 … %u]", (unsigned)r->set, (unsigned)r->binding,
                         (unsigned)r->elements - 1);
    if (r->opaque != HD_OPAQUE_NONE) {
        hd_strbuf_printf(out, " '%s': a ", arg->name);
        hd_opaque_describe(arg->type, out);
        return;
    }
    hd_strbuf_printf(out, " '%s': %s", arg->name,
                     r->is_push      ? "push constants"
                     : r->is_uniform ? "a uniform buffer"
                                     : "a storage buffer");
    if (r->fixed_bytes == 0 && r->stride != 0)
        hd_strbuf_printf(out, " of elements of %llu bytes", (unsigned long long)r->stride);
    else
        hd_strbuf_printf(out, " of %llu bytes", (unsigned long long)r->fixed_bytes);
    if (r->fixed_bytes != 0 && r->stride != 0)
        hd_strbuf_printf(out, " and elements of %llu", (unsigned long long)r->stride);
}
