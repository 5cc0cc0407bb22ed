/* launch/launch.h -- running kernels: arguments, memory, NDRanges over the thread pool.
 *
 * `heddle run`, `heddle check` and the driver all use this.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_LAUNCH_H
#define HD_LAUNCH_LAUNCH_H

#include <string.h>

#include "check/check.h"
#include "jit/program.h"

#define HD_LAUNCH_MAX_LOCAL (256u << 10) /* bytes of local memory that the device has */

typedef struct HdPool HdPool; /* worker threads */

/* Threads to use: 0 = HEDDLE_THREADS, else what affinity and cgroup limits allow. */
HdStatus hd_pool_open(unsigned threads, HdPool **out);
/* Waits for running work, joins the threads. */
void hd_pool_close(HdPool *p);
unsigned hd_pool_threads(const HdPool *p);

/* Where printf's output goes: called with whole messages, one at a time. */
typedef void HdPrintfSink(void *user, const char *text, size_t len);

/* The program-scope variables of one program: allocated and initialised once per program. What the
 * program's initializers compute is there when the first launch begins. */
typedef struct HdProgramMemory {
    unsigned char *at;            /* image_bytes, aligned; NULL when the program has none */
    struct HdProgramHooks *hooks; /* how far initializers have come; NULL: there are none */
} HdProgramMemory;
HdStatus hd_program_memory_open(const HdProgram *p, HdProgramMemory *out);
/* Run the program's finalizers if its initializers have run; once. No launch may be running.
 *   sink  where printf's output goes */
void hd_program_memory_finalize(HdProgramMemory *m, HdPrintfSink *sink, void *sink_user);
void hd_program_memory_close(HdProgramMemory *m);

/* Arguments of one kernel being set. */
typedef struct HdArgs {
    const HdKernelInfo *kernel;
    unsigned char *block;  /* kernel->block_bytes; heap */
    uint64_t *local_sizes; /* per argument: bytes requested (LOCAL) */
    bool *is_set;          /* NULL: all are */
    struct HdImage *none; /* what a shader's images are where nothing is bound; NULL: it has none */
} HdArgs;
HdStatus hd_args_open(const HdKernelInfo *k, HdArgs *out);
HdStatus hd_args_clone(const HdArgs *from, HdArgs *out);
void hd_args_close(HdArgs *a);
/* A copy of arguments that are all set, in memory of the caller's that is aligned for anything: a
 * launch may use it, nothing else. It is not closed. */
size_t hd_args_snapshot_bytes(const HdArgs *from);
void hd_args_snapshot(const HdArgs *from, void *room, HdArgs *out);
/* Set by value: `size` must be the argument's; LOCAL: value NULL, size = bytes.
 * Errors: HD_BAD_INPUT. */
HdStatus hd_args_set(HdArgs *a, uint32_t index, size_t size, const void *value);
/* The same for a VALUE or a pointer whose size is known to be right, in a few instructions. */
static inline void hd_args_put(HdArgs *a, uint32_t index, size_t size, const void *value)
{
    unsigned char *to = a->block + a->kernel->args[index].offset;

    a->is_set[index] = true;
    if (size == 4)
        memcpy(to, value, 4);
    else if (size == 8)
        memcpy(to, value, 8);
    else
        memcpy(to, value, size);
}
/* First argument not set, UINT32_MAX when all are. */
uint32_t hd_args_missing(const HdArgs *a);

typedef enum HdEngine { HD_ENGINE_COMPILED, HD_ENGINE_INTERPRETED } HdEngine;

/* How far a launch has come; another thread may look while it runs. */
typedef struct HdLaunchProgress {
    _Atomic uint64_t groups, taken; /* of the launch; started up to now */
} HdLaunchProgress;

/* In a checked run: memory that an argument refers to, if it is part of an allocation. */
typedef struct HdLaunchSpan {
    uint64_t at, bytes; /* bytes == 0: the whole allocation */
} HdLaunchSpan;

typedef struct HdLaunchCheck {
    HdCheck *check;
    const HdLaunchSpan *spans;       /* [arg_count]; NULL = none is a part */
    bool knows_all_memory;           /* addresses outside the check's map are invalid */
    uint64_t seconds;                /* a work-group may run; 0 = any time */
    uint64_t seed;                   /* of the order of work-groups; 0 = in order */
    const struct HdInterpHook *hook; /* looks on; NULL */
} HdLaunchCheck;

/* What launches of one kernel that went before found out: sizes, the code for them, and which form
 * of it is faster. Entries are written once and stay until the end, so that finding one takes no
 * lock. Zeroed = empty. */
#define HD_LAUNCH_PLANS 8u
typedef struct HdLaunchPlan HdLaunchPlan;
typedef struct HdLaunchPlans {
    _Atomic(HdLaunchPlan *) at[HD_LAUNCH_PLANS];
} HdLaunchPlans;
void hd_launch_plans_close(HdLaunchPlans *p);

typedef struct HdDeviceSide HdDeviceSide; /* launch/device.h */
typedef struct HdDeviceQueue HdDeviceQueue;

/* Bits of HdLaunch.zeroes. Variables of functions are the module's business (xform/zero.h). */
enum {
    HD_ZEROES_LOCAL = 1, /* local memory of each group */
    HD_ZEROES_ARRAYS = 2 /* variable-length arrays, when the launch begins */
};

/* Bytes that a second cache does not hold. */
#define HD_LAUNCH_LARGE ((uint64_t)2 << 20)

typedef struct HdLaunch {
    HdProgram *program;
    const HdKernelInfo *kernel;
    const HdProgramMemory *memory;
    const HdArgs *args;
    HdEngine engine;
    uint32_t work_dim; /* 1 … 3 */
    uint64_t global_offset[3];
    uint64_t global_size[3]; /* 0 in any: nothing runs */
    uint64_t local_size[3];  /* all 0: chosen here */
    bool is_uniform : 1;     /* what is chosen here, or enqueued, divides the global size */
    bool spare : 1;          /* HdVariant */
    bool is_ahead : 1;       /* it begins before `whose` is waited for: guests may be coming */
    bool may_by_rows : 1;    /* sub-groups may be arranged by rows; set as form.dims is */
    bool is_made : 1;        /* fail rather than compile, or wait for who does */
    bool apart : 1;          /* HdLaunchFacts: of its arguments */
    uint8_t spare_rows;      /* the size in y counts form.coarsen rows at a time, the last ones of
                              * which do not exist; set as form.dims is */
    uint8_t zeroes;          /* HD_ZEROES_…: memory that begins with zeros */
    uint8_t lane_dim;        /* testing: 1 + the dimension that lanes count along; 0: chosen */
    uint32_t width;          /* 0: hd_variant_width */
    uint32_t large;          /* bit i: argument i is a buffer of HD_LAUNCH_LARGE or more */
    HdTestSwitches tests;
    HdFormRequest form; /* all but `against` is set by hd_launch_run alone */
    const void *whose;  /* who waits for this may help, see hd_pool_help; NULL: none */
    HdPrintfSink *sink;
    void *sink_user;
    const volatile bool *cancel; /* set by another thread: stop between work-groups; may be NULL */
    HdLaunchProgress *progress;  /* may be NULL */
    HdLaunchPlans *plans;        /* of this kernel of this program; may be NULL */
    HdLaunchPlan *plan;          /* the matching one; NULL: it is searched for */
    const HdLaunchCheck *check;  /* interpreted launches: look for defects; NULL = stop at one */
    HdDeviceSide *side;          /* where its kernel may enqueue; NULL: no queues */
    const HdDeviceQueue *default_queue; /* NULL: there is none */
    struct HdRtDevice *device;          /* set by hd_launch_run alone */
} HdLaunch;

/* HdFormRequest.coarsen of launches that allow it. */
uint8_t hd_launch_coarsen(void);

/* The local size that a launch without one gets (also for clGetKernelSuggestedLocalWorkSize). */
void hd_launch_local_size(const HdLaunch *l, uint64_t local[3]);

/* Look for what an earlier launch like this one found out; l->plan is NULL when there is nothing.
 *   threads  of the pool that it will run on */
void hd_launch_find_plan(HdLaunch *l, unsigned threads);
/* About how long such a launch takes, in nanoseconds; UINT64_MAX when that is not known. */
uint64_t hd_launch_guess_ns(const HdLaunch *l);

/* Run to the end. Blocks; the calling thread works too.
 *   pool   NULL: on the calling thread alone
 * Errors: those of hd_program_code; HD_BAD_INPUT for sizes that do not fit the kernel;
 *         HD_NO_MEMORY (local or private memory). */
HdStatus hd_launch_run(HdPool *pool, const HdLaunch *l, HdDiags *d);

/* Compile what the launch needs, so that hd_launch_run does not wait for it. Arguments are not
 * read.
 *   threads  of the pool that it will run on
 * Errors: as hd_launch_run's for sizes and code. */
HdStatus hd_launch_prepare(const HdLaunch *l, unsigned threads, HdDiags *d);

/* Copy bytes, which may overlap; fill them with a pattern of 1, 2, 4 … 128 bytes. Idle workers help
 * with what is large.
 *   pool  NULL: on the calling thread alone */
void hd_bytes_copy(HdPool *pool, void *to, const void *from, size_t bytes);
void hd_bytes_fill(HdPool *pool, void *to, size_t bytes, const void *pattern, size_t pattern_bytes);
/* The host is about to read such memory itself: what is written there next better stays in the
 * caches. */
void hd_bytes_note_read(HdPool *pool, const void *at, size_t bytes);

/* For a thread that waits for launches which others run: help with them. Returns when is_over, or
 * when there has been nothing to help with for about as long as it takes to wake a thread, or when
 * all processors are busy without it.
 *   whose    HdLaunch.whose of these launches
 *   is_over  asked often; takes no lock */
typedef bool HdPoolOver(void *user);
void hd_pool_help(HdPool *p, const void *whose, HdPoolOver *is_over, void *user);

/* When a job of the pool runs.
 *
 *   when   where                                    in which order       how many together
 *   NOW    on a worker, which is woken              as they come         as many as workers
 *   IDLE   on a worker that has found no work for   newest first: hosts  half of the workers
 *          a while; should be short, and submit     mostly need what
 *          what is left of it                       they asked for last
 *   SPARE  on a thread that runs when a processor   as they come         one
 *          has nothing else to do (SCHED_IDLE);
 *          nobody may wait for it */
typedef enum HdPoolWhen { HD_POOL_SPARE, HD_POOL_IDLE, HD_POOL_NOW } HdPoolWhen;

/* Queue a job on the pool and return. It may run launches and submit jobs.
 * Errors: HD_UNSUPPORTED in a child made by fork, or SPARE and the pool has one thread;
 * HD_NO_MEMORY. */
typedef void HdPoolJob(void *user);
HdStatus hd_pool_submit(HdPool *p, HdPoolWhen when, HdPoolJob *fn, void *user);
/* IDLE, no earlier than at a time of hd_clock_ns. */
HdStatus hd_pool_submit_later(HdPool *p, HdPoolJob *fn, void *user, uint64_t from_ns);
/* Called by a job of NOW once, when it is about to return: its worker counts as free, so that what
 * is submitted from now on wakes no other. */
void hd_pool_end_job(HdPool *p);

#endif
