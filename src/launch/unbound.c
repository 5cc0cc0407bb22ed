/* launch/unbound.c -- launches of shaders where nothing is bound to some of what they use.
 *
 * launch.unbound: the shader accessed a buffer that is not bound, or an index left an array of
 * descriptors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/unbound.h"

#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "rt/image.h"

/* A descriptor of a buffer that the shader uses. */
static bool is_buffer(const HdArgInfo *arg)
{
    return arg->kind == HD_ARG_BINDING && arg->resource.is_used &&
           arg->resource.opaque == HD_OPAQUE_NONE;
}

static uint64_t address_in(const unsigned char *block, const HdArgInfo *arg)
{
    uint64_t at;

    memcpy(&at, block + arg->offset + offsetof(HdBinding, at), sizeof at);
    return at;
}

static bool is_missing(const unsigned char *block, const HdArgInfo *arg)
{
    const uint64_t at = address_in(block, arg);

    return at == 0 || hd_heap_is_image(at);
}

void hd_unbound_look(HdLaunch *l)
{
    const HdKernelInfo *k = l->kernel;

    if (k->is_shader && l->args == NULL)
        return;
    l->of_args.bound = l->of_args.filled = !k->is_shader || hd_option_number(HD_OPTION_GUARD) == 0;
    for (uint32_t i = 0; k->is_shader && i < k->arg_count; i++) {
        if (!is_buffer(&k->args[i]) || !is_missing(l->args->block, &k->args[i]))
            continue;
        if (k->args[i].resource.elements == 0)
            l->of_args.bound = false;
        else
            l->of_args.filled = false;
    }
}

HdStatus hd_unbound_open(HdLaunch *l, HdUnboundRun *u)
{
    const HdKernelInfo *k = l->kernel;
    unsigned char *block = hd_alloc(k->block_bytes);
    uint64_t address;

    *u = (HdUnboundRun){.args = *l->args,
                        .memory = hd_alloc_aligned(HD_UNBOUND_ALIGN, sizeof *u->memory)};
    u->args.block = block;
    if (block == NULL || u->memory == NULL) {
        hd_unbound_close(u);
        return HD_NO_MEMORY;
    }
    memset(u->memory, 0, sizeof *u->memory);
    memcpy(block, l->args->block, k->block_bytes);
    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (!is_buffer(&k->args[i]) || address_in(block, &k->args[i]) != 0)
            continue;
        address = hd_unbound_address(i, false);
        memcpy(block + k->args[i].offset + offsetof(HdBinding, at), &address, sizeof address);
    }
    address = (uint64_t)(uintptr_t)u->memory;
    memcpy(block + k->unbound_offset, &address, sizeof address);
    l->args = &u->args;
    return HD_OK;
}

static void add_name(const HdArgInfo *arg, HdStrbuf *out)
{
    const HdResource *r = &arg->resource;

    if (r->is_heap)
        hd_strbuf_printf(out, "descriptor %u of the heap of %s", (unsigned)r->element,
                         hd_heap_holds(r->binding));
    else if (r->elements == 0)
        hd_strbuf_printf(out, "binding %u.%u '%s'", (unsigned)r->set, (unsigned)r->binding,
                         arg->name);
    else
        hd_strbuf_printf(out, "binding %u.%u[%u] '%s'", (unsigned)r->set, (unsigned)r->binding,
                         (unsigned)r->element, arg->name);
}

/* What an index led to that left the array beginning with an argument. */
static void add_past(const HdArgInfo *arg, HdStrbuf *out)
{
    const HdResource *r = &arg->resource;

    if (r->is_heap)
        hd_strbuf_printf(out, "the heap of %s where it has no descriptor",
                         hd_heap_holds(r->binding));
    else
        hd_strbuf_printf(out, "binding %u.%u '%s' beyond its %u descriptors", (unsigned)r->set,
                         (unsigned)r->binding, arg->name, (unsigned)r->elements);
}

/* arg: NULL where it is not known. past: an index led to none of its array */
static HdStatus fail(const HdKernelInfo *k, const HdArgInfo *arg, bool past, HdDiags *d)
{
    HdStrbuf what = {0};
    HdStatus st;

    if (arg == NULL)
        hd_strbuf_add(&what, "a descriptor");
    else if (past)
        add_past(arg, &what);
    else
        add_name(arg, &what);
    if (!past)
        hd_strbuf_printf(&what, ", to which %s is bound",
                         arg != NULL && arg->resource.is_heap ? "no buffer" : "nothing");
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.unbound",
                 "shader '%s' accessed %s: what it read there is undefined, what it wrote there is "
                 "lost",
                 k->name, hd_strbuf_text(&what));
    hd_strbuf_free(&what);
    if (hd_diags_last(d) != NULL)
        hd_diags_last(d)->hint =
            past ? "a checked run with the same arguments shows which access it was"
                 : "bind a buffer to it; a checked run with the same arguments shows which access "
                   "it was";
    return st;
}

/* The argument whose descriptor was meant, by the address that was accessed; NULL: not known. */
static const HdArgInfo *argument_of(const HdUnboundRun *u, uint64_t told, bool *past)
{
    const HdKernelInfo *k = u->args.kernel;
    const uint64_t number = hd_unbound_argument(told, past);

    if (number < k->arg_count && (*past || is_buffer(&k->args[number])))
        return &k->args[number];
    *past = false;
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const uint64_t at = address_in(u->args.block, &k->args[i]);

        if (hd_heap_is_image(at) && told - at < sizeof(HdImage))
            return &k->args[i];
    }
    return NULL;
}

HdStatus hd_unbound_tell(const HdUnboundRun *u, HdDiags *d)
{
    const HdArgInfo *arg;
    bool past;

    if (u->memory->told == 0)
        return HD_OK;
    arg = argument_of(u, u->memory->told, &past);
    return fail(u->args.kernel, arg, past, d);
}

void hd_unbound_close(HdUnboundRun *u)
{
    hd_free(u->args.block);
    hd_free(u->memory);
}
