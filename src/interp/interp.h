/* interp/interp.h -- the reference interpreter: straight from the module, one instruction for all
 * lanes of a sub-group before the next.
 *
 * It shares nothing with build/, lanes/, codegen/ and rt/math: it is the reference for them. Only
 * the layout of arguments and variables (build/layout.h) is common, because the host packs them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_INTERP_H
#define HD_INTERP_INTERP_H

#include <pthread.h>

#include "build/layout.h"
#include "check/check.h"
#include "module/module.h"

typedef struct HdInterpRooms HdInterpRooms; /* memory that goes from group to group; thread-safe */
typedef struct HdInterpProgram HdInterpProgram; /* decoded functions, order of blocks; read-only */

struct HdInterpRun;
struct HdInterpSub;
struct HdEval;

/* An observer of a running checked run: the debugger. All functions are called on the thread that
 * runs the group (interp/state.h). */
typedef struct HdInterpHook {
    void *user;
    /* A group is about to run, or has run. */
    void (*begins)(void *user, struct HdInterpRun *r);
    void (*ends)(void *user, struct HdInterpRun *r);
    /* Before each instruction, with the lanes that execute it in the frame's mask. True: another
     * sub-group's turn, this instruction later. */
    bool (*before)(void *user, struct HdInterpRun *r, struct HdInterpSub *s);
    /* A defect that is new. */
    void (*found)(void *user, struct HdEval *e, uint64_t lanes, const HdDefect *d);
} HdInterpHook;

/* What the groups of one launch share in a checked run. */
typedef struct HdInterpCheck {
    HdCheck *check;
    HdCheckMap map;
    HdRegion **args;             /* [arg_count]: what an argument may reach; NULL = unknown */
    const uint64_t *local_sizes; /* [arg_count] of LOCAL ones; NULL = unknown */
    bool knows_all_memory;       /* an address outside the map is invalid */
    bool has_constants;          /* some argument points to constant memory */
    uint32_t first_epoch, epoch_count, group_epochs; /* check/cell.h */
    uint64_t seconds;         /* a group that runs longer hangs; 0 = no limit */
    uint64_t seed;            /* of a random order of sub-groups; 0 = in order */
    const HdInterpHook *hook; /* NULL */
    struct HdSyncTable *syncs;
    uint32_t shown; /* HD_SHOWS: what fences and atomics have had for other groups */
    struct HdLastAtomics *last_atomics; /* NULL: all are mutually ordered (race_mutual.c) */
    struct HdAliases *aliases;          /* NULL: no argument's promise can be broken */
    struct HdTrace *trace;              /* [inst_count] of all groups */
    struct HdLaunchCounters *counters;  /* NULL: nothing is counted */
    struct HdObserving *observing;      /* NULL: nobody looks on (observe.h) */
    pthread_mutex_t lock;               /* of trace, counters, and what is below */
    const char *file, *text;            /* last file of the module that was named, its text; NULL */
} HdInterpCheck;

/* Prepare a validated, specialised module.
 *   keeps_variables  every variable has memory, so that it can be inspected */
HdStatus hd_interp_open(const HdModule *m, const HdBuildLayout *layout, bool keeps_variables,
                        HdDiags *d, HdInterpProgram **out);
void hd_interp_close(HdInterpProgram *p);
/* A number that distinguishes a program's defects from those of another one. */
uint64_t hd_interp_identity(const HdInterpProgram *p);

typedef struct HdInterpGroup {
    const HdKernelInfo *kernel;
    const unsigned char *args; /* argument block, as rt/abi.h has it */
    unsigned char *program;    /* program-scope variables */
    uint64_t local_bytes;      /* static and dynamic local memory */
    bool zeroes_local;         /* which holds zeros, in a checked run too */
    uint32_t width;            /* lanes of a sub-group */
    uint32_t subgroup_width;   /* as reports name them; 0: width */
    uint32_t work_dim;
    uint64_t global_offset[3], global_size[3], group_id[3], num_groups[3];
    uint64_t local_size[3], enqueued_local_size[3];
    /* printf: a formatted message of one work-item */
    void (*print)(void *user, const char *text, size_t len);
    void *user;
    /* Other groups have to run before this one gets any further: they do until it returns. False:
     * the launch is over, and the group ends. NULL: there are none. */
    bool (*wait)(void *user);
    struct HdRtDevice *device;   /* rt/device.h; NULL: no queues on the device */
    const volatile bool *cancel; /* may be NULL; checked periodically */
    HdInterpCheck *check;        /* NULL: a plain run, which stops at the first defect */
    uint64_t number;             /* of the group in its launch */
    HdInterpRooms *rooms;        /* of the launch; NULL: what a group needs is made and dropped */
} HdInterpGroup;

/* Run one work-group on the calling thread. Thread-safe on one program.
 * Errors: HD_BAD_INPUT for defects that it stops at (null or misaligned access …) with the
 * instruction named, HD_UNSUPPORTED for an instruction without an eval function, HD_NO_MEMORY. */
/* In a checked run defects go to `check`; the run continues after most of them. */
HdStatus hd_interp_group(const HdInterpProgram *p, const HdInterpGroup *g, HdDiags *d);

/* May a group wait for another one: are there atomic operations, or volatile loads? */
bool hd_interp_may_wait(const HdInterpProgram *p);

HdStatus hd_interp_rooms_open(const HdInterpProgram *p, HdInterpRooms **out);
void hd_interp_rooms_close(HdInterpRooms *rooms);
/* Number i of `count` in an order that a seed makes: each once. */
uint64_t hd_interp_shuffled(uint64_t seed, uint64_t i, uint64_t count);
/* Set up and take down what a launch's groups share. `groups`: how many there are. */
HdStatus hd_interp_check_open(const HdInterpProgram *p, const HdKernelInfo *k, uint64_t groups,
                              HdInterpCheck *c);
void hd_interp_check_close(HdInterpCheck *c);

#endif
