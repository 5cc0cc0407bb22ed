/* launch/launch.h -- what a launch is: kernel, sizes, arguments, memory, and who looks on.
 *
 * `heddle run`, `heddle check` and the driver fill it in and give it to hd_launch_run
 * (launch/run.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_LAUNCH_H
#define HD_LAUNCH_LAUNCH_H

#include "check/check.h"
#include "jit/program.h"

/* Where printf's output goes: called with whole messages, one at a time. */
typedef void HdPrintfSink(void *user, const char *text, size_t len);

/* The program-scope variables of one program: allocated and initialised once per program. What the
 * program's initializers compute is there when the first launch begins. */
typedef struct HdProgramMemory {
    unsigned char *at;            /* image_bytes, aligned; NULL when the program has none */
    struct HdProgramHooks *hooks; /* how far initializers have come; NULL: there are none */
} HdProgramMemory;
typedef struct HdArgs HdArgs; /* launch/args.h */

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
    bool quick;                      /* the first and the last work-group only */
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
    HdLaunchFacts of_args;   /* apart, bound, filled: the last two are set by hd_launch_start and
                              * _prepare alone */
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

#endif
