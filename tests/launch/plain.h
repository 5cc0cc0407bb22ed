/* tests/launch/plain.h -- launches of kernels that are plain C functions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LAUNCH_PLAIN_H
#define TESTS_LAUNCH_PLAIN_H

#include "check.h"
#include "launch/args.h"
#include "launch/ndrange.h"
#include "launch/pool_state.h"
#include "rt/group.h"

/* Of all kernels: the arguments are a buffer, a number, and local memory. */
extern HdKernelInfo plain_info;

uint32_t *plain_buffer(const HdRtGroup *g);
uint32_t plain_number(const HdRtGroup *g);
int32_t *plain_local(const HdRtGroup *g);
/* Global linear id of a work-item of the group. */
uint64_t plain_index(const HdRtGroup *g, uint32_t item);

/* A kernel that does nothing, and one that adds 1 at each work-item's global linear id. */
void plain_empty(HdRtGroup *g, uint32_t first, uint32_t count);
void plain_count(HdRtGroup *g, uint32_t first, uint32_t count);

typedef struct PlainTest {
    HdPool *pool;
    HdArgs args;
    HdLaunch launch;
    HdKernelCode code;
    HdDiags diags;
    Checks *c;
} PlainTest;

/* A launch of `fn` with the number 3, on a pool or (NULL) on this thread; its sizes are still to be
 * set. */
void plain_open(PlainTest *t, Checks *c, HdPool *pool, HdKernelFn *fn, bool needs_fibers,
                uint32_t *buffer);
void plain_close(PlainTest *t);
void plain_sizes(uint64_t to[3], uint64_t x, uint64_t y, uint64_t z);
HdStatus plain_run(PlainTest *t);

#endif
