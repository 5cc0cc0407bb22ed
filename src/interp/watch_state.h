/* interp/watch_state.h -- the additional state of a checked run.
 *
 * Every value has a shadow of the same size: set bits mark uninitialised bits. Slots record whether
 * there are any, so that programs without such bits pay one test per operand. Memory has shadow
 * too: private and local memory next to the bytes, global memory in its region (check/check.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_WATCH_STATE_H
#define HD_INTERP_WATCH_STATE_H

#include "check/cell.h"
#include "heddle/heddle.h"
#include "interp/eval.h"

/* Whom an atomic operation or fence of a scope concerns: all, the work-group, the sub-group, the
 * work-item alone. Where the kernel names no scope narrower than the device: all. */
typedef enum HdSyncLevel {
    HD_SYNC_EVERYBODY,
    HD_SYNC_GROUP,
    HD_SYNC_SUBGROUP,
    HD_SYNC_LEVELS
} HdSyncLevel;

/* What a group did is over (race.c): what all did in its epochs before the low ones, which barriers
 * that order that memory have ended, and what some work-items did in its epochs before the ends
 * (0: in none). */
#define HD_OVER_ALL UINT32_MAX /* for a work-item: it is not known which */
typedef struct HdOver {
    uint32_t base;         /* first epoch of the group */
    uint32_t first, items; /* those work-items, in the group; HD_OVER_ALL: every one */
    uint32_t global_end, local_end;
    uint32_t global_low, local_low;
} HdOver;

typedef struct HdKnowledge {
    HD_ARRAY(HdOver) over; /* by base; heap */
    bool is_all;           /* more than is kept: all is taken as over */
} HdKnowledge;

/* Where bits without a value that were stored come from, by 4 bytes of memory: as many as 64 KiB
 * have. What other memory has pushed out counts as never written. */
#define HD_STAINS      16384u
#define HD_STAIN_BYTES 4u
typedef struct HdStain {
    uint64_t cell;   /* address / HD_STAIN_BYTES */
    uint32_t origin; /* as in frames; 0: none */
} HdStain;

/* An OpSaveMemoryINTEL that has not been restored. */
#define HD_MAX_SAVES 32u
typedef struct HdSave {
    uint32_t serial;
    uint32_t depth; /* of calls */
} HdSave;

/* Ordering by named barriers: sub-groups by number % 64, in their epochs up to these. This may
 * overapproximate (several share a bit, or were late): then races are missed, but no false ones are
 * reported. */
#define HD_MET_BIT(subgroup) (UINT64_C(1) << ((subgroup) % 64))
typedef struct HdMet {
    uint64_t with;
    uint32_t local, global;
} HdMet;

/* An asynchronous copy that has not been waited for: it may access its memory at any time, in
 * separate epochs that never end (copies.c). */
typedef struct HdCopy {
    HdEvalCopy what;
    uint64_t event;
    bool is_awaited; /* by the instruction that runs */
    bool is_fenced;  /* copies that begin from now on come after it */
    uint32_t inst;   /* its number */
    uint32_t local, global;
} HdCopy;

/* Classes of memory whose fences count with the barrier that follows. */
#define HD_FENCED_MEMORY                                                                  \
    ((uint64_t)(SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsImageMemoryMask | \
                SpvMemorySemanticsWorkgroupMemoryMask))

/* What a sub-group knows of order. */
typedef struct HdSubWatch {
    uint32_t local, global; /* epochs it is in */
    uint32_t image_fence;   /* the first one after its last fence of images */
    const HdCopy *copy;     /* what it touches is touched by this one; NULL */
    uint64_t copies;        /* that it has begun */
    bool has_fence;         /* a release fence: what atomics write from here on releases */
    unsigned fence;         /* to whom (sync.c) */
    uint32_t fence_global, fence_local; /* ends of the epochs that it ended */
    bool has_met;                       /* a barrier of the sub-group has ordered its work-items */
    bool must_step; /* it has released: what it writes next belongs to another epoch */
    /* Since the group's last barrier, HD_FENCED_MEMORY: what fences have released, and what has
     * been written since. */
    uint64_t released, unreleased;
    HdMet met;
    HdKnowledge seen;                    /* acquired */
    HdKnowledge pending[HD_SYNC_LEVELS]; /* read, and acquired by the next fence of that level */
    HdSave (
        *saves)[HD_MAX_SAVES]; /* [lanes] of variable-length arrays' memory; NULL: there is none */
    uint32_t save_count[HD_EVAL_LANES], serial;
} HdSubWatch;

/* Addresses that an instruction has accessed, and the epochs that it did so in. */
typedef struct HdTrace {
    uint64_t low, high;  /* high == 0: none */
    uint64_t at, varies; /* one of them, and the bits in which others differ from it */
    uint32_t first, last;
    bool reads, writes, is_atomic;
    uint8_t looked; /* how often for who wrote what it reads (coherent.c) */
} HdTrace;

/* What an id is called in reports. */
typedef struct HdTold {
    HdId id;
    char *text; /* heap */
} HdTold;

/* The variable or argument that a pointer was made from; of private ones the frame too. */
typedef struct HdProvenance {
    HdId root;
    uint32_t function;
    uint64_t base;
} HdProvenance;

/* Of one group that runs. */
typedef struct HdWatch {
    HdInterpCheck *c;
    unsigned char *local_shadow; /* [local bytes] */
    uint64_t *local_cells, *local_fine;
    uint32_t local_low, local_next; /* epochs before low are over for all */
    uint32_t global_base, global_low, global_next, global_end;
    bool is_lost;                   /* epochs ran out: no races with this group are reported */
    HdRegion **cache;               /* [inst_count] the region that an instruction reached last */
    HdTrace *trace;                 /* [inst_count] */
    struct HdCounters *counters;    /* NULL: nothing is counted */
    bool notes_accesses;            /* they are counted, or somebody looks on */
    heddle_observed_group observed; /* what an observer is told of the group */
    uint32_t local_unfenced, global_unfenced; /* first epoch after the last barrier that does
                                                 not order this memory */
    uint32_t local_shown, global_shown;       /* epochs before were made available and visible by a
                                                 barrier */
    uint32_t image_low, image_unfenced;       /* the same of images, in epochs of global memory */
    uint64_t semantics;                       /* of the barrier that sub-groups wait at */
    bool orders;                              /* its scope is wide enough */
    bool is_barrier;
    uint64_t deadline_ns;
    HD_ARRAY(HdCopy) copies;            /* that have been begun; heap */
    bool is_silent;                     /* races are known already */
    HD_ARRAY(HdTold) told;              /* names made plain; heap */
    HD_ARRAY(HdProvenance) provenances; /* by number - 1; heap */
    uint32_t *private_provenance,
        *local_provenance;        /* of memory; NULL: no pointers are stored there */
    HdStain *stains;              /* [HD_STAINS]; heap; NULL: there are none */
    uint64_t same[HD_EVAL_LANES]; /* an address that all lanes have, for each of them */
    unsigned char *sink;          /* what bad accesses reach */
    uint64_t sink_bytes;
} HdWatch;

#endif
