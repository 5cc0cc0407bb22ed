/* tests/launch/plain.c -- launches of kernels that are plain C functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "plain.h"

#include <string.h>

static HdArgInfo infos[] = {
    {.kind = HD_ARG_GLOBAL, .offset = 0, .size = 8},
    {.kind = HD_ARG_VALUE, .offset = 8, .size = 4},
    {.kind = HD_ARG_LOCAL, .offset = 16, .size = 8, .pointee_align = 16},
};
HdKernelInfo plain_info = {
    .name = "test", .args = infos, .arg_count = 3, .block_bytes = 24, .local_bytes = 40};

static uint64_t pointer_arg(const HdRtGroup *g, uint32_t offset)
{
    uint64_t v;

    memcpy(&v, g->args + offset, 8);
    return v;
}

uint32_t *plain_buffer(const HdRtGroup *g)
{
    return (uint32_t *)(uintptr_t)pointer_arg(g, 0);
}

uint32_t plain_number(const HdRtGroup *g)
{
    uint32_t v;

    memcpy(&v, g->args + 8, 4);
    return v;
}

int32_t *plain_local(const HdRtGroup *g)
{
    return (int32_t *)(void *)(g->local + pointer_arg(g, 16));
}

uint64_t plain_index(const HdRtGroup *g, uint32_t item)
{
    uint64_t x = item % g->local_size[0], y = item / g->local_size[0] % g->local_size[1],
             z = item / g->local_size[0] / g->local_size[1];

    x += g->group_id[0] * g->enqueued_local_size[0];
    y += g->group_id[1] * g->enqueued_local_size[1];
    z += g->group_id[2] * g->enqueued_local_size[2];
    return (z * g->global_size[1] + y) * g->global_size[0] + x;
}

void plain_empty(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)g;
    (void)first;
    (void)count;
}

void plain_count(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = plain_buffer(g);

    for (uint32_t i = first * g->width; i < (first + count) * g->width && i < g->items; i++)
        buffer[plain_index(g, i)]++;
}

void plain_open(PlainTest *t, Checks *c, HdPool *pool, HdKernelFn *fn, bool needs_fibers,
                uint32_t *buffer)
{
    uint32_t number = 3;

    memset(t, 0, sizeof *t);
    t->c = c;
    t->pool = pool;
    hd_diags_init(&t->diags);
    CHECK(c, hd_args_open(&plain_info, &t->args) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 0, 8, &buffer) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 1, 4, &number) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 2, 4096, NULL) == HD_OK);
    t->code =
        (HdKernelCode){.fn = fn, .facts = {.private_bytes = 1000, .needs_fibers = needs_fibers}};
    t->launch = (HdLaunch){.kernel = &plain_info, .args = &t->args, .work_dim = 1, .width = 8};
}

void plain_close(PlainTest *t)
{
    hd_args_close(&t->args);
    hd_diags_drop(&t->diags);
}

void plain_sizes(uint64_t to[3], uint64_t x, uint64_t y, uint64_t z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

HdStatus plain_run(PlainTest *t)
{
    HdNdrange n = {.launch = &t->launch};

    for (int i = 0; i < HD_NDRANGE_SHAPES; i++)
        n.code[i] = &t->code;
    return hd_ndrange_run(t->pool, &n, &t->diags);
}
