/* rt/abi.h -- the interface between compiled kernels and their runtime.
 *
 * Compiled code reaches everything through one HdRtGroup; codegen/ uses offsetof on it, so a cached
 * object is only valid for the files it was made with (hd_store_key, hd_jit_build).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_ABI_H
#define HD_RT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MAX_WIDTH 64u
/* The most that a variable in local or private memory may ask for. */
#define HD_RT_MOST_ALIGN 4096u
#define HD_MAX_NAMED     64u /* named barriers of one instruction that may be in use at once */

/* Place of a conversion in HdRtGroup.convert; operands as hd_rt_convert_fn takes them. */
#define HD_RT_CONVERT_INDEX(from, to, mode) \
    (((unsigned)(from)*11u + (unsigned)(to)) * 4u + (unsigned)(mode))
#define HD_RT_CONVERT_COUNT (11u * 11u * 4u)

/* HdRtGroup.state: nothing is left to do; set in a region's number: there is no barrier before it.
 */
#define HD_RT_END UINT32_MAX
#define HD_RT_CUT ((uint32_t)1 << 31)

struct HdRtGroup;

/* A runtime function that a kernel calls for one lane at a time (RTCALL): operands widened to 64
 * bits each, result likewise. */
typedef uint64_t HdRtCallFn(struct HdRtGroup *g, const uint64_t *operands);
/* Called by BARRIER: returns when every sub-group of the work-group has called it. */
typedef void HdRtBarrierFn(struct HdRtGroup *g);
/* Called by YIELD of a sub-group that has waited for long: returns after the others had a turn. */
typedef void HdRtYieldFn(struct HdRtGroup *g, uint32_t subgroup);
/* A named barrier for this many sub-groups, made by the kernel's instruction of this number. */
typedef uint64_t HdRtNamedMakeFn(struct HdRtGroup *g, uint32_t number, uint32_t subgroups);
/* Returns when as many sub-groups as it was made for have called it for this barrier. */
typedef void HdRtNamedWaitFn(struct HdRtGroup *g, uint64_t barrier);
/* Texels for the lanes of a mask, of at least eight lanes; `how` and the operands as rt/image.h
 * says. */
typedef void HdRtImageFn(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands,
                         void *results);

/* Additions to global memory that a thread has not made yet, by lines of the cache; each line has
 * one place. */
#define HD_RT_SUM_LINES      4096u
#define HD_RT_SUM_LINE_SHIFT 6u
#define HD_RT_SUM_WORDS      16u
#define HD_RT_SUM_BYTES      (HD_RT_SUM_LINES * HD_RT_SUM_WORDS * 4u)

typedef struct HdRtPrivateAtomics {
    int64_t spare; /* first. Additions minus the cost of misses: while this is above 0 the table is
                    * used */
    uint64_t line[HD_RT_SUM_LINES];                  /* address >> HD_RT_SUM_LINE_SHIFT; 0: none */
    uint32_t sum[HD_RT_SUM_LINES * HD_RT_SUM_WORDS]; /* of the word at address % HD_RT_SUM_BYTES */
    uint16_t used[HD_RT_SUM_LINES];                  /* places of lines that are there, */
    uint32_t count;                                  /* so many */
    uint32_t misses;                                 /* of the launch */
    int64_t start;                                   /* what `spare` began with, or was raised to */
    uint64_t expected;                               /* additions in the launch, about */
    uint64_t lines;                                  /* that `spare` was raised for */
} HdRtPrivateAtomics;

/* Everything one work-group's code reads. One per worker thread, refilled per group. */
typedef struct HdRtGroup {
    const unsigned char *args;  /* argument block */
    unsigned char *local;       /* local memory, aligned to 128, or more where kernels ask for it */
    unsigned char *program;     /* program-scope variables */
    const void *const *math;    /* [HD_MATH_COUNT * 3]: HdMathLanesFn by fn * 3 + (0: f16, 1: f32,
                                   2: f64) */
    const void *const *convert; /* HdMathLanesFn by HD_RT_CONVERT_INDEX */
    HdRtCallFn *const *calls;   /* [HD_RTFN_COUNT] */
    HdRtBarrierFn *barrier;
    HdRtYieldFn *yield; /* sets the next `patience` */
    uint32_t patience;  /* YIELDs of a sub-group until one calls `yield` */
    uint32_t alone;     /* not 0: the call returns after this sub-group, as others run the next */
    HdRtNamedMakeFn *named_make;
    HdRtNamedWaitFn *named_wait;
    HdRtImageFn *image;
    HdRtPrivateAtomics *sums;
    unsigned char
        *arrays; /* variable-length arrays: a part of array_room bytes for each work-item; */
    uint64_t array_room; /* arrays that end after array_soft bytes of it call array_room first */
    uint64_t array_soft;
    uint64_t global_offset[3];
    uint64_t global_size[3];
    uint64_t group_id[3];
    uint64_t num_groups[3];
    uint64_t local_size[3];          /* of this group (smaller at a non-uniform edge) */
    uint64_t enqueued_local_size[3]; /* as enqueued */
    uint32_t work_dim;
    uint32_t items;              /* work-items of this group */
    uint32_t subgroups;          /* of this group */
    uint32_t enqueued_subgroups; /* of a full group */
    /* for functions of regions (docs/execution-model.md) */
    unsigned char *context; /* records of the sub-groups, 64-byte aligned */
    uint32_t state;         /* region to begin with; afterwards, the one that comes next */
    uint32_t parted;      /* first sub-group that went another way than those before it, from ... */
    uint32_t parted_from; /* ... this region to ... */
    uint32_t parted_to;   /* ... this one; 0 in `parted`: none */
    uint32_t region;      /* functions with YIELDs: the one that runs, ... */
    uint32_t way;         /* ... and where those that it has run for went */
    uint32_t streams;     /* not 0: what the launch writes is more than the caches hold */
    uint32_t far;         /* not 0: memory that lanes access far apart is not in the caches */
    uint32_t one_round;   /* not 0: the loop of HdIrStride executes a single iteration, ... */
    uint64_t round_start; /* ... this far after the first one; else 0 */
    /* the runtime's own; compiled code does not use what follows */
    uint32_t current; /* sub-group that is running */
    uint32_t width;
    void *fibers;
    const struct HdLaunch *launch;
    struct HdRtDevice *device; /* of the launch: rt/device.h; NULL = it has none */
    void *worker;
} HdRtGroup;

/* A compiled kernel: run sub-groups first … first + count - 1 of the group, one after another. With
 * HdKernelCode.needs_fibers each call is on a separate fiber with count == 1. A function of regions
 * runs sub-groups that are at g->state: to the end if they are all there are and stay together,
 * else to the next barrier or to where they diverge. */
typedef void HdKernelFn(HdRtGroup *g, uint32_t first, uint32_t count);

/* RTCALL functions: name, number of operands. */
typedef enum HdRtFn {
#define HD_RTFN(name, operands) HD_RTFN_##name,
#include "rt/rtfn.def"
#undef HD_RTFN
    HD_RTFN_COUNT
} HdRtFn;

#endif
