/* launch/args.c -- a kernel's argument block while its arguments are being set.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "launch/args.h"
#include "launch/image.h"
#include "launch/launch.h"

static HdStatus put_none(HdArgs *a, uint32_t offset)
{
    if (a->none == NULL) {
        HD_TAKE(a->none, hd_alloc_zero(sizeof *a->none));
        hd_image_none(a->none);
    }
    memcpy(a->block + offset, &a->none, sizeof a->none);
    return HD_OK;
}

/* A shader's descriptors of images lead to something that can be looked at. */
static HdStatus bind_none(HdArgs *a)
{
    const HdKernelInfo *k = a->kernel;

    for (uint32_t i = 0; k->is_shader && i < k->arg_count; i++)
        if (hd_opaque_has_image(k->args[i].resource.opaque))
            HD_TRY(put_none(a, k->args[i].offset + (uint32_t)offsetof(HdBinding, at)));
    return k->none_offset != 0 ? put_none(a, k->none_offset) : HD_OK;
}

HdStatus hd_args_open(const HdKernelInfo *k, HdArgs *out)
{
    size_t count = k->arg_count > 0 ? k->arg_count : 1;

    *out = (HdArgs){.kernel = k};
    out->block = hd_alloc_zero(k->block_bytes > 0 ? k->block_bytes : 1);
    out->local_sizes = hd_alloc_zero(count * sizeof *out->local_sizes);
    out->is_set = hd_alloc_zero(count * sizeof *out->is_set);
    if (out->block == NULL || out->local_sizes == NULL || out->is_set == NULL) {
        hd_args_close(out);
        return HD_NO_MEMORY;
    }
    if (bind_none(out) != HD_OK) {
        hd_args_close(out);
        return HD_NO_MEMORY;
    }
    return HD_OK;
}

HdStatus hd_args_clone(const HdArgs *from, HdArgs *out)
{
    const HdKernelInfo *k = from->kernel;

    HD_TRY(hd_args_open(k, out));
    memcpy(out->block, from->block, k->block_bytes);
    memcpy(out->local_sizes, from->local_sizes, k->arg_count * sizeof *out->local_sizes);
    memcpy(out->is_set, from->is_set, k->arg_count * sizeof *out->is_set);
    return HD_OK;
}

void hd_args_close(HdArgs *a)
{
    hd_free(a->block);
    hd_free(a->local_sizes);
    hd_free(a->is_set);
    hd_free(a->none);
    *a = (HdArgs){0};
}

HdStatus hd_args_set(HdArgs *a, uint32_t index, size_t size, const void *value)
{
    const HdArgInfo *arg;

    if (index >= a->kernel->arg_count)
        return HD_BAD_INPUT;
    arg = &a->kernel->args[index];
    if (arg->kind == HD_ARG_LOCAL) {
        if (value != NULL)
            return HD_BAD_INPUT;
        a->local_sizes[index] = size;
    } else {
        if (size != arg->size || arg->offset > a->kernel->block_bytes ||
            size > a->kernel->block_bytes - arg->offset)
            return HD_BAD_INPUT;
        if (value != NULL)
            memcpy(a->block + arg->offset, value, size);
        else if (arg->kind == HD_ARG_GLOBAL || arg->kind == HD_ARG_CONSTANT)
            memset(a->block + arg->offset, 0, size); /* a null pointer */
        else
            return HD_BAD_INPUT;
    }
    a->is_set[index] = true;
    return HD_OK;
}

size_t hd_args_snapshot_bytes(const HdArgs *from)
{
    const HdKernelInfo *k = from->kernel;

    return k->arg_count * sizeof *from->local_sizes + k->block_bytes;
}

void hd_args_snapshot(const HdArgs *from, void *room, HdArgs *out)
{
    const HdKernelInfo *k = from->kernel;

    *out = (HdArgs){.kernel = k,
                    .local_sizes = room,
                    .block = (unsigned char *)room + k->arg_count * sizeof *from->local_sizes};
    memcpy(out->local_sizes, from->local_sizes, k->arg_count * sizeof *from->local_sizes);
    memcpy(out->block, from->block, k->block_bytes);
}

uint64_t hd_args_local_bytes(const HdKernelInfo *k, const uint64_t *local_sizes)
{
    uint64_t bytes = hd_kernel_own_local(k);

    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (k->args[i].kind == HD_ARG_LOCAL)
            bytes = bytes > UINT64_MAX - local_sizes[i] ? UINT64_MAX : bytes + local_sizes[i];
    }
    return bytes;
}

uint32_t hd_args_missing(const HdArgs *a)
{
    if (a->is_set == NULL)
        return UINT32_MAX;
    for (uint32_t i = 0; i < a->kernel->arg_count; i++) {
        if (!a->is_set[i])
            return i;
    }
    return UINT32_MAX;
}
