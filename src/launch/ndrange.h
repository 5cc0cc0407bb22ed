/* launch/ndrange.h -- running the work-groups of one NDRange with given code.
 *
 * Knows nothing of programs and compilation, so tests can run groups of plain C.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_NDRANGE_H
#define HD_LAUNCH_NDRANGE_H

#include "launch/launch.h"
#include "launch/pool.h"

/* Runs a group some other way than by compiled code, on the worker's own stack.
 *   g     filled; `local` and `barrier` are not
 *   d     of this worker */
typedef HdStatus HdNdrangeGroup(void *user, const HdRtGroup *g, HdDiags *d);
/* For such a group, if groups_wait: others of the launch run until it returns. False: the launch is
 * over; the group gives back what it has, and ends. */
bool hd_ndrange_wait(const HdRtGroup *g);
/* What such a group prints: to the launch's sink, one message at a time. */
void hd_ndrange_print(const HdRtGroup *g, const char *text, size_t len);

/* Groups at an edge are cut off in some dimensions: bit i of a shape says "in dimension i". */
#define HD_NDRANGE_SHAPES 8

typedef struct HdNdrange {
    const HdLaunch *launch;                      /* sizes and width resolved: no local size is 0 */
    const HdKernelCode *code[HD_NDRANGE_SHAPES]; /* of each shape that occurs */
    HdNdrangeGroup *group;                       /* instead of code when not NULL; */
    bool groups_wait;                            /* may call hd_ndrange_wait */
    void *user;
    uint64_t alone_ns; /* for so long the calling thread runs groups alone; 0: others help as soon
                        * as it pays */
    uint64_t guess_ns; /* that the launch takes, about; 0: not known */
    uint64_t first, count; /* these groups alone, in their order; count 0: all */
    bool near;             /* nothing is asked for ahead, even if it is far away */
    bool streams;          /* of a part: HdRtGroup.streams, which the whole launch has decided */
} HdNdrange;

/* Does the NDRange have groups of this shape? */
bool hd_ndrange_has_shape(const HdLaunch *l, unsigned shape);
/* Local size of the groups of a shape that occurs. */
void hd_ndrange_shape_size(const HdLaunch *l, unsigned shape, uint64_t size[3]);
/* Static local memory and LOCAL arguments together; UINT64_MAX on overflow.
 *   block   NULL, or a copy of the argument block into which the offsets are written */
uint64_t hd_ndrange_local_bytes(const HdKernelInfo *k, const HdArgs *a, unsigned char *block);

/* What all launches of the same sizes and code have in common. */
typedef struct HdNdrangePlan {
    const HdKernelCode *code[HD_NDRANGE_SHAPES];
    HdRtGroup base; /* what all groups have in common; those of a whole group's size */
    uint64_t whole[3], last[3];
    uint64_t total; /* groups */
    uint64_t private_bytes, context_bytes;
    uint32_t context_align;
    uint64_t cost_key;
    uint32_t subgroups[HD_NDRANGE_SHAPES];
    uint32_t fibers;
    uint32_t named;
    HdIrStreams streams;
    unsigned ahead;    /* HdCodeFacts */
    HdIrStride stride; /* of the code */
    bool needs_fibers, has_arrays;
    bool groups_wait; /* HdCodeFacts */
    bool is_even;     /* every group has the whole size */
} HdNdrangePlan;

/* Errors: HD_BAD_INPUT (too many groups, or too large ones). */
HdStatus hd_ndrange_plan(const HdNdrange *n, HdDiags *d, HdNdrangePlan *out);

/* Do the groups of both plans have the same numbers and the same work-items, so that a launch may
 * run some in one and some in the other? */
bool hd_ndrange_has_same_groups(const HdNdrangePlan *a, const HdNdrangePlan *b);

/* Does code of a plan access large buffers of the launch so that it may ask ahead (ir/ahead.h)? */
bool hd_ndrange_is_far(const HdLaunch *l, const HdNdrangePlan *plan);

/* HdNdrange.streams of a launch that is about to run in parts. */
bool hd_ndrange_streams(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *plan);

/* Run all groups, or a part of them. Of n->launch, the arguments, memory and observers are used,
 * not the sizes; of n, the function that runs a group instead of code, alone_ns, and the part.
 * Errors: those of `group`; HD_NO_MEMORY, HD_UNSUPPORTED in a forked child. */
HdStatus hd_ndrange_run_planned(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *plan,
                                HdDiags *d);
/* Both. */
HdStatus hd_ndrange_run(HdPool *pool, const HdNdrange *n, HdDiags *d);

#endif
