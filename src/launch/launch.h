/* launch/launch.h -- running kernels: arguments, memory, NDRanges over the thread pool.
 *
 * `heddle run`, `heddle check` and the driver all come through here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_LAUNCH_H
#define HD_LAUNCH_LAUNCH_H

#include "check/check.h"
#include "jit/program.h"

typedef struct HdPool HdPool; /* worker threads */

/* Threads to use: 0 = HEDDLE_THREADS, else what affinity and cgroup limits allow. */
HdStatus hd_pool_open(unsigned threads, HdPool **out);
/* Waits for running work, joins the threads. */
void hd_pool_close(HdPool *p);
unsigned hd_pool_threads(const HdPool *p);

/* The program-scope variables of one program: allocated and initialised once per program. */
typedef struct HdProgramMemory {
    unsigned char *at; /* image_bytes, aligned; NULL when the program has none */
} HdProgramMemory;
HdStatus hd_program_memory_open(const HdProgram *p, HdProgramMemory *out);
void hd_program_memory_close(HdProgramMemory *m);

/* Arguments of one kernel being set. */
typedef struct HdArgs {
    const HdKernelInfo *kernel;
    unsigned char *block;  /* kernel->block_bytes; heap */
    uint64_t *local_sizes; /* per argument: bytes asked for (LOCAL) */
    bool *is_set;
} HdArgs;
HdStatus hd_args_open(const HdKernelInfo *k, HdArgs *out);
HdStatus hd_args_clone(const HdArgs *from, HdArgs *out);
void hd_args_close(HdArgs *a);
/* Set by value: `size` must be the argument's; LOCAL: value NULL, size = bytes.
 * Errors: HD_BAD_INPUT. */
HdStatus hd_args_set(HdArgs *a, uint32_t index, size_t size, const void *value);
/* First argument not set, UINT32_MAX when all are. */
uint32_t hd_args_missing(const HdArgs *a);

typedef enum HdEngine { HD_ENGINE_COMPILED, HD_ENGINE_INTERPRETED } HdEngine;

/* Where printf's output goes: called with whole messages, one at a time. */
typedef void HdPrintfSink(void *user, const char *text, size_t len);

/* How far a launch has come; another thread may look while it runs. */
typedef struct HdLaunchProgress {
    _Atomic uint64_t groups, taken; /* of the launch; begun so far */
} HdLaunchProgress;

/* In a checked run: memory that an argument stands for, when it is part of an allocation. */
typedef struct HdLaunchSpan {
    uint64_t at, bytes; /* bytes == 0: the whole allocation */
} HdLaunchSpan;

typedef struct HdLaunchCheck {
    HdCheck *check;
    const HdLaunchSpan *spans;       /* [arg_count]; NULL = none is a part */
    bool knows_all_memory;           /* addresses outside the check's map are nobody's */
    uint64_t seconds;                /* a work-group may run; 0 = any time */
    uint64_t seed;                   /* of the order of work-groups; 0 = in order */
    const struct HdInterpHook *hook; /* looks on; NULL */
} HdLaunchCheck;

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
    uint32_t width;          /* 0: hd_program_width */
    bool dispatch, fibers;   /* testing: HdVariant */
    HdPrintfSink *sink;
    void *sink_user;
    const volatile bool *cancel; /* set by another thread: stop between work-groups; may be NULL */
    HdLaunchProgress *progress;  /* may be NULL */
    const HdLaunchCheck *check;  /* interpreted launches: look for defects; NULL = stop at one */
} HdLaunch;

/* The local size that a launch without one gets (also for clGetKernelSuggestedLocalWorkSize). */
void hd_launch_local_size(const HdLaunch *l, uint64_t local[3]);

/* Run to the end. Blocks; the calling thread works too.
 *   pool   NULL: on the calling thread alone
 * Errors: those of hd_program_code; HD_BAD_INPUT for sizes that do not fit the kernel;
 *         HD_NO_MEMORY (local or private memory). */
HdStatus hd_launch_run(HdPool *pool, const HdLaunch *l, HdDiags *d);

/* Compile what the launch needs, so that hd_launch_run does not wait for it. Arguments are not
 * looked at. Errors: as hd_launch_run's for sizes and code. */
HdStatus hd_launch_prepare(const HdLaunch *l, HdDiags *d);

/* Queue a job on the pool and return; fn is called on some worker, jobs in no promised order. A job
 * may run launches and submit jobs. For drivers: commands of a queue.
 * Errors: HD_UNSUPPORTED in a child made by fork, HD_NO_MEMORY. */
typedef void HdPoolJob(void *user);
HdStatus hd_pool_submit(HdPool *p, HdPoolJob *fn, void *user);
/* The same for work that may wait: one such job at a time, when workers have nothing else to do. It
 * should be short, and submit what is left of it. */
HdStatus hd_pool_submit_idle(HdPool *p, HdPoolJob *fn, void *user);

#endif
