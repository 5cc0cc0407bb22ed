/* tool/arguments.c -- kernel arguments from --arg.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tool/address.h"
#include "tool/binding.h"
#include "tool/image_arg.h"
#include "tool/pipe_arg.h"

/* The form of --arg for an argument. */
static void describe(const HdArgInfo *arg, HdStrbuf *out)
{
    static const char *const takes[] = {
        [HD_ARG_GLOBAL] = "a pointer to a buffer: TYPE[COUNT]=… or null",
        [HD_ARG_CONSTANT] = "a pointer to a buffer: TYPE[COUNT]=… or null",
        [HD_ARG_LOCAL] = "a pointer to local memory: local[BYTES]",
        [HD_ARG_IMAGE] = "an image: image2d:WIDTHxHEIGHT:ORDER:TYPE=… or the like",
        [HD_ARG_SAMPLER] = "a sampler: sampler=WORD,…",
        [HD_ARG_PIPE] = "a pipe: pipe:PACKETS:TYPE[COUNT]=…",
        [HD_ARG_BINDING] = "a binding: --bind SET.BINDING=SPEC",
        [HD_ARG_QUEUE] = "a queue: queue or queue=BYTES"};

    if (arg->kind == HD_ARG_VALUE || arg->kind == HD_ARG_BYVAL)
        hd_strbuf_printf(out, "a value of %u bytes (%.40s)", (unsigned)arg->size,
                         arg->type_name != NULL ? arg->type_name : "");
    else
        hd_strbuf_add(out, takes[arg->kind]);
    if (arg->kind == HD_ARG_IMAGE && arg->type_name != NULL)
        hd_strbuf_printf(out, " (%.40s)", arg->type_name);
}

static HdStatus misfit(HdKernelArgs *a, uint32_t i)
{
    const HdArgInfo *arg = &a->kernel->args[i];
    HdStrbuf takes = {0};
    HdStatus st;

    describe(arg, &takes);
    st = hd_fail(a->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.argument",
                 "argument %u %s%s%sof kernel '%s' is %s; not %.80s", (unsigned)i,
                 arg->name[0] != '\0' ? "'" : "", arg->name, arg->name[0] != '\0' ? "' " : "",
                 a->kernel->name, hd_strbuf_text(&takes), a->specs[i]);
    hd_strbuf_free(&takes);
    return st;
}

/* So many --arg as the kernel has arguments? */
static HdStatus count_args(HdKernelArgs *a)
{
    uint32_t count = a->kernel->arg_count;
    HdStrbuf list = {0};
    HdStatus st;

    if (a->kernel->is_shader)
        return hd_bindings_check(a->options, a->kernel, a->diags);

    if (a->options->args.count == count)
        return HD_OK;
    for (uint32_t i = 0; i < count; i++) {
        hd_strbuf_printf(&list, "\n  %u: %s%s", (unsigned)i, a->kernel->args[i].name,
                         a->kernel->args[i].name[0] != '\0' ? ", " : "");
        describe(&a->kernel->args[i], &list);
    }
    st = hd_fail(a->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.argument",
                 "kernel '%s' has %u argument%s, but %zu --arg %s given%s", a->kernel->name,
                 (unsigned)count, count == 1 ? "" : "s", a->options->args.count,
                 a->options->args.count == 1 ? "was" : "were", hd_strbuf_text(&list));
    hd_strbuf_free(&list);
    return st;
}

static HdStatus set_image(HdKernelArgs *a, uint32_t i)
{
    HdImage *im = &a->images[i];

    if (im->texel_bytes == 0 || !hd_image_format_runs(im->order, im->type) ||
        !hd_image_fits(im, a->kernel->args[i].type))
        return misfit(a, i);
    im->at = a->data[i].bytes;
    return hd_args_set(&a->set, i, sizeof im, &im);
}

/* The pipe, or its contents as they were at first. */
static HdStatus parse_pipe(HdKernelArgs *a, uint32_t i, const char *spec, HdData *out)
{
    HdPipe *p;
    HdStatus st = hd_pipe_parse(spec, a->diags, &p, out);

    if (a->pipes[i] == NULL) {
        a->pipes[i] = p;
        return st;
    }
    if (st == HD_OK)
        memcpy(a->pipes[i], p, (size_t)hd_pipe_bytes(p->packet_bytes, p->max_packets));
    hd_free(p);
    return st;
}

/* "queue" or "queue=BYTES": on the device. */
static bool parse_queue(const char *spec, uint32_t *bytes)
{
    unsigned long n;
    char *end;

    *bytes = HD_DEVICE_QUEUE_PREFERRED;
    if (strncmp(spec, "queue", 5) != 0)
        return false;
    if (spec[5] == '\0')
        return true;
    n = strtoul(spec + 6, &end, 0);
    *bytes = (uint32_t)n;
    return spec[5] == '=' && end != spec + 6 && *end == '\0' && n > 0 && n <= HD_DEVICE_QUEUE_MOST;
}

static HdStatus set_queue(HdKernelArgs *a, uint32_t i)
{
    HdDeviceQueue *q;
    uint64_t handle;
    uint32_t bytes;

    if (a->side == NULL || !parse_queue(a->specs[i], &bytes))
        return misfit(a, i);
    HD_TRY(hd_device_queue_open(a->side, bytes, true, &q));
    handle = hd_device_queue_handle(q);
    return hd_args_set(&a->set, i, sizeof handle, &handle);
}

/* The queue in which kernels enqueue children. */
static HdStatus open_side(HdKernelArgs *a)
{
    if (!a->has_device_side)
        return HD_OK;
    HD_TRY(hd_device_side_open(true, &a->side));
    return hd_device_queue_open(a->side, HD_DEVICE_QUEUE_PREFERRED, true, &a->default_queue);
}

/* The text after --arg. */
static HdStatus parse_arg(HdKernelArgs *a, uint32_t i, HdData *out)
{
    const char *spec = a->specs[i];
    uint64_t sampler;
    uint32_t bytes;

    if (hd_binding_is_image(a->kernel, i, spec))
        return hd_binding_parse_image(a->kernel, i, spec, a->diags, &a->images[i], out);
    if (a->kernel->args[i].kind == HD_ARG_BINDING)
        return hd_binding_parse(a->options, a->kernel, i, spec, a->diags, out);
    if (strncmp(spec, "image", 5) == 0)
        return hd_image_parse(spec, NULL, a->diags, &a->images[i], out);
    if (strncmp(spec, "pipe:", 5) == 0)
        return parse_pipe(a, i, spec, out);
    *out = (HdData){.form = HD_DATA_NULL};
    if (hd_sampler_parse(spec, &sampler) || parse_queue(spec, &bytes))
        return HD_OK;
    return hd_data_parse(spec, a->diags, out);
}

static HdBinding binding_of(HdKernelArgs *a, uint32_t i)
{
    const HdImage *im = &a->images[i];

    if (im->texel_bytes == 0 && !hd_binding_takes_image(a->kernel, i) &&
        !hd_binding_takes_sampler(a->kernel, i))
        return (HdBinding){(uint64_t)(uintptr_t)a->data[i].bytes, a->data[i].size};
    a->images[i].at = a->data[i].bytes;
    if (a->kernel->args[i].resource.is_heap && im->texel_bytes != 0)
        return (HdBinding){(uint64_t)(uintptr_t)im + HD_HEAP_IMAGE, 0};
    return (HdBinding){(uint64_t)(uintptr_t)(im->texel_bytes != 0 ? im : a->set.none),
                       a->samplers[i]};
}

/* Is argument k another name of the place of argument i? */
static bool is_same_place(const HdKernelInfo *kernel, uint32_t i, uint32_t k)
{
    const HdResource *r = &kernel->args[i].resource, *other = &kernel->args[k].resource;

    if (k == i || r->is_push || other->is_push)
        return k == i || (r->is_push && other->is_push);
    return r->set == other->set && r->binding == other->binding && r->element == other->element;
}

/* What is bound, and to other variables with the same set and binding, too, which it suits. */
static HdStatus set_binding(HdKernelArgs *a, uint32_t i)
{
    const HdBinding bound = binding_of(a, i);

    for (uint32_t k = 0; k < a->kernel->arg_count; k++)
        if (is_same_place(a->kernel, i, k) &&
            hd_binding_misfit(a->kernel, k, &a->images[i]) == NULL)
            HD_TRY(hd_args_set(&a->set, k, sizeof bound, &bound));
    return HD_OK;
}

/* To what is not given nothing is bound. */
static HdStatus clear_bindings(HdKernelArgs *a)
{
    const HdBinding none = {0};

    for (uint32_t i = 0; i < a->kernel->arg_count; i++)
        if (a->kernel->args[i].kind == HD_ARG_BINDING &&
            a->kernel->args[i].resource.opaque == HD_OPAQUE_NONE)
            HD_TRY(hd_args_set(&a->set, i, sizeof none, &none));
        else
            a->set.is_set[i] = a->kernel->is_shader;
    return HD_OK;
}

/* Is it such a scalar, or a vector of them? */
static bool is_of(const HdType *t, HdTypeKind kind)
{
    while (t != NULL && t->kind == HD_T_VECTOR)
        t = hd_type_element(t);
    return t != NULL && t->kind == kind;
}

/* A float for an integer, or the other way round: the bits are given as they are. */
static void note_kind(HdKernelArgs *a, uint32_t i)
{
    const HdArgInfo *arg = &a->kernel->args[i];
    const HdValueType *given = &a->data[i].type;
    const bool is_float = hd_value_is_float(given->kind);
    HdDiag diag = {.severity = HD_WARNING,
                   .rule = "run.kind",
                   .word = HD_NO_PLACE,
                   .hint =
                       is_float ? "give integers, as i32=3 does" : "give floats, as f32=3 does"};

    if (!given->is_hex && is_of(arg->type, is_float ? HD_T_INT : HD_T_FLOAT))
        (void)hd_diags_add(a->diags, &diag,
                           "argument %u '%s' of kernel '%s' is %s: it gets the bits of %.80s",
                           (unsigned)i, arg->name, a->kernel->name,
                           is_float ? "an integer" : "a float", a->specs[i]);
}

static HdStatus set_arg(HdKernelArgs *a, uint32_t i)
{
    const HdArgInfo *arg = &a->kernel->args[i];
    const HdData *data = &a->data[i];
    uint64_t sampler;

    switch (arg->kind) {
    case HD_ARG_GLOBAL:
    case HD_ARG_CONSTANT:
        if (data->form == HD_DATA_NULL)
            return hd_args_set(&a->set, i, arg->size, NULL);
        if (data->form != HD_DATA_ARRAY || arg->size != sizeof data->bytes)
            return misfit(a, i);
        return hd_args_set(&a->set, i, sizeof data->bytes, &data->bytes);
    case HD_ARG_LOCAL:
        if (data->form != HD_DATA_LOCAL)
            return misfit(a, i);
        return hd_args_set(&a->set, i, (size_t)data->count, NULL);
    case HD_ARG_VALUE:
    case HD_ARG_BYVAL:
        if (data->bytes == NULL || data->size != arg->size)
            return misfit(a, i);
        note_kind(a, i);
        return hd_args_set(&a->set, i, (size_t)data->size, data->bytes);
    case HD_ARG_IMAGE: return set_image(a, i);
    case HD_ARG_SAMPLER:
        if (!hd_sampler_parse(a->specs[i], &sampler))
            return misfit(a, i);
        return hd_args_set(&a->set, i, sizeof sampler, &sampler);
    case HD_ARG_PIPE:
        if (a->pipes[i] == NULL)
            return misfit(a, i);
        return hd_args_set(&a->set, i, sizeof a->pipes[i], &a->pipes[i]);
    case HD_ARG_QUEUE: return set_queue(a, i);
    case HD_ARG_BINDING: return set_binding(a, i);
    }
    return HD_BUG;
}

/* A pipe's packets have shadow as other memory has. */
static HdStatus watch_pipe(HdKernelArgs *a, uint32_t i)
{
    const HdPipe *p = a->pipes[i];
    HdRegion r = {.at = (uint64_t)(uintptr_t)p};
    char name[32];

    if (a->check == NULL)
        return HD_OK;
    r.bytes = hd_pipe_bytes(p->packet_bytes, p->max_packets);
    snprintf(name, sizeof name, "pipe %u", (unsigned)i);
    return hd_check_add(a->check, &r, name);
}

/* Buffers are the memory that a checked kernel may touch. */
static HdStatus watch_arg(HdKernelArgs *a, uint32_t i)
{
    HdRegion r = {.at = (uint64_t)(uintptr_t)a->data[i].bytes,
                  .bytes = a->data[i].size,
                  .kind = a->images[i].texel_bytes != 0 ? HD_REGION_IMAGE : HD_REGION_BUFFER,
                  .is_undefined = a->data[i].is_undefined,
                  .is_read_only = a->data[i].is_read_only,
                  .is_write_only = a->data[i].is_write_only};
    HdStrbuf name = {0};
    HdStatus st;

    if (a->pipes[i] != NULL)
        return watch_pipe(a, i);
    if (a->check == NULL || a->data[i].form != HD_DATA_ARRAY || a->data[i].bytes == NULL ||
        (a->kernel->args[i].kind != HD_ARG_GLOBAL && a->kernel->args[i].kind != HD_ARG_CONSTANT &&
         a->kernel->args[i].kind != HD_ARG_BINDING && a->kernel->args[i].kind != HD_ARG_IMAGE))
        return HD_OK;
    if (a->kernel->is_shader)
        hd_binding_name(a->kernel, i, &name);
    else
        hd_strbuf_printf(&name, "%s %u", r.kind == HD_REGION_IMAGE ? "image" : "buffer",
                         (unsigned)i);
    st = name.failed ? HD_NO_MEMORY : hd_check_add(a->check, &r, hd_strbuf_text(&name));
    hd_strbuf_free(&name);
    return st;
}

HdStatus hd_kernel_args_open(HdKernelArgs *a)
{
    uint32_t count = a->kernel->arg_count;
    const char *sampler;

    HD_TRY(count_args(a));
    HD_TAKE(a->specs, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->specs));
    HD_TAKE(a->data, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->data));
    HD_TAKE(a->images, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->images));
    HD_TAKE(a->samplers, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->samplers));
    HD_TAKE(a->records, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->records));
    HD_TAKE(a->pipes, hd_alloc_zero((count > 0 ? count : 1) * sizeof *a->pipes));
    HD_TRY(hd_args_open(a->kernel, &a->set));
    HD_TRY(open_side(a));
    HD_TRY(clear_bindings(a));
    for (uint32_t i = 0; i < count; i++) {
        a->specs[i] = a->kernel->is_shader ? hd_binding_spec(a->options, a->kernel, i)
                                           : a->options->args.at[i];
        sampler = hd_binding_sampler(a->options, a->kernel, i);
        if (a->specs[i] == NULL && sampler == NULL)
            continue;
        if (sampler != NULL) {
            HD_TRY(hd_binding_parse_sampler(a->kernel, i, sampler, a->diags, &a->records[i]));
            a->samplers[i] = hd_sampler_name(&a->records[i]);
        }
        if (a->specs[i] != NULL)
            HD_TRY(parse_arg(a, i, &a->data[i]));
        HD_TRY(set_arg(a, i));
        HD_TRY(watch_arg(a, i));
    }
    for (uint32_t i = 0; i < count; i++)
        HD_TRY(hd_addresses_fill(a->kernel, a->data, &a->data[i], a->diags));
    return HD_OK;
}

HdStatus hd_kernel_args_restore(HdKernelArgs *a)
{
    for (uint32_t i = 0; i < a->kernel->arg_count; i++) {
        HdData again;

        if (a->data[i].bytes == NULL)
            continue;
        HD_TRY(parse_arg(a, i, &again));
        a->data[i].count = again.count;
        a->data[i].size = again.size;
        a->images[i].at = a->data[i].bytes;
        memcpy(a->data[i].bytes, again.bytes, (size_t)again.size);
        hd_data_close(&again);
        HD_TRY(hd_addresses_fill(a->kernel, a->data, &a->data[i], a->diags));
    }
    return HD_OK;
}

void hd_kernel_args_host_reads(const HdKernelArgs *a)
{
    for (uint32_t i = 0; a->check != NULL && i < a->kernel->arg_count; i++)
        if (a->data[i].form == HD_DATA_ARRAY && a->data[i].bytes != NULL)
            hd_check_host_reads(a->check, (uint64_t)(uintptr_t)a->data[i].bytes, a->data[i].size,
                                "the host");
}

void hd_kernel_args_look(HdKernelArgs *a)
{
    for (uint32_t i = 0; i < a->kernel->arg_count; i++)
        if (a->pipes[i] != NULL)
            hd_pipe_look(a->pipes[i], &a->data[i]);
}

void hd_kernel_args_close(HdKernelArgs *a)
{
    for (uint32_t i = 0; a->data != NULL && i < a->kernel->arg_count; i++)
        hd_data_close(&a->data[i]);
    for (uint32_t i = 0; a->pipes != NULL && i < a->kernel->arg_count; i++)
        hd_free(a->pipes[i]);
    hd_free((void *)a->specs);
    hd_free(a->data);
    hd_free(a->pipes);
    hd_free(a->images);
    hd_free(a->samplers);
    hd_free(a->records);
    hd_args_close(&a->set);
    hd_device_side_close(a->side);
}
