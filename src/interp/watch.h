/* interp/watch.h -- the additional state of a checked run.
 *
 * Every value has a shadow of the same size: set bits mark uninitialised bits. Slots record whether
 * there are any, so that programs without such bits pay one test per operand. Memory has shadow
 * too: private and local memory next to the bytes, global memory in its region (check/check.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_WATCH_H
#define HD_INTERP_WATCH_H

#include "check/cell.h"
#include "interp/eval.h"

/* How an instruction's result depends on operands' bits without a value. */
typedef enum HdShadowKind {
    HD_SHADOW_SPREADS, /* a component has none when a bit of its operands' has none */
    HD_SHADOW_MOVES,   /* the function run on shadow gives the result's */
    HD_SHADOW_OWN,     /* the function does it itself */
    HD_SHADOW_FREEZES, /* every bit of the result has a value */
    HD_SHADOW_CARRIES, /* integers: from the lowest such bit up */
    HD_SHADOW_AND,
    HD_SHADOW_OR,
    HD_SHADOW_XOR,
    HD_SHADOW_SHIFTS,
    HD_SHADOW_EQUALS
} HdShadowKind;

/* By opcode; from a table in ops/. */
extern const unsigned char hd_eval_shadow[HD_OPIX_COUNT];

/* An index that a chain has into an array of known length. */
typedef struct HdIndexCheck {
    HdId index;
    uint64_t extent;
} HdIndexCheck;

/* Where a pointer comes from: the variable or parameter that chains and casts lead to. */
typedef enum HdRootKind {
    HD_ROOT_UNKNOWN,
    HD_ROOT_ARGUMENT, /* of the kernel */
    HD_ROOT_PRIVATE,
    HD_ROOT_LOCAL,
    HD_ROOT_PROGRAM,
    HD_ROOT_ARRAY, /* variable-length; argument: id of its length, bytes: of an element */
    HD_ROOT_MIXED  /* each lane has its own */
} HdRootKind;

typedef struct HdRoot {
    HdId id; /* 0 = unknown */
    HdRootKind kind;
    uint32_t provenance; /* != 0: known only at run time (provenance.c); place in the frame + 1 */
    uint32_t argument;   /* its number */
    uint32_t function;   /* of PRIVATE, known at run time: the frame begins at `base` */
    uint8_t promise; /* HD_PROMISE_…, of the parameter that the function itself leads it back to */
    uint64_t base;
    uint64_t offset, bytes; /* in the function's, the group's, the program's memory */
    uint32_t first_index, index_count;
} HdRoot;

#define HD_PROMISE_NO_WRITE 1u
#define HD_PROMISE_NO_READ  2u

typedef struct HdVariableInfo {
    HdId id;
    uint64_t offset, bytes; /* in the function's private memory */
    uint32_t function;
    uint32_t number; /* in the function */
} HdVariableInfo;

typedef struct HdProgramInfo {
    HD_ARRAY(uint32_t) uses; /* slots that an instruction's operands are in */
    HD_ARRAY(HdIndexCheck) indexes;
    HD_ARRAY(HdVariableInfo) variables; /* private ones, by function, by offset */
    HdRoot *roots;                      /* [bound] */
    uint32_t *provenance_slot;          /* [bound] first place in frames + 1; 0 = has none */
    uint32_t *variable_number;          /* [bound] of private ones, in their function */
    uint32_t inst_count;
    bool has_fences, stores_pointers;
    bool has_promises; /* some root has */
    bool has_private;  /* some load or store has a coherence (coherent.c) */
    bool has_scopes;   /* some atomic or fence is for less than the device */
    bool has_epochs;   /* something orders what is before it and what is after it */
} HdProgramInfo;

/* The variable or argument that a pointer was made from; of private ones the frame too. */
typedef struct HdProvenance {
    HdId root;
    uint32_t function;
    uint64_t base;
} HdProvenance;

/* All that a group did in its epochs up to these is over (race.c). */
typedef struct HdOver {
    uint32_t base; /* first epoch of the group */
    uint32_t global, local;
} HdOver;

typedef struct HdKnowledge {
    HD_ARRAY(HdOver) over; /* by base; heap */
    bool is_all;           /* more than is kept: all is taken as over */
} HdKnowledge;

/* Where bits without a value that were stored come from, by 4 bytes of memory. Few are kept: what
 * another address has pushed out counts as never written. */
#define HD_STAINS      1024u
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
    bool must_step;         /* it has released: what it writes next belongs to another epoch */
    /* Since the group's last barrier, HD_FENCED_MEMORY: what fences have released, and what has
     * been written since. */
    uint64_t released, unreleased;
    HdMet met;
    HdKnowledge seen, pending; /* acquired; read, and acquired by the next fence */
    HdSave (
        *saves)[HD_MAX_SAVES]; /* [lanes] of variable-length arrays' memory; NULL: there is none */
    uint32_t save_count[HD_EVAL_LANES], serial;
} HdSubWatch;

/* Addresses that an instruction has accessed, and the epochs that it did so in. */
typedef struct HdTrace {
    uint64_t low, high; /* high == 0: none */
    uint32_t first, last;
    bool reads, writes, is_atomic;
    uint8_t looked; /* how often for who wrote what it reads (coherent.c) */
} HdTrace;

/* What an id is called in reports. */
typedef struct HdTold {
    HdId id;
    char *text; /* heap */
} HdTold;

/* Of one group that runs. */
typedef struct HdWatch {
    HdInterpCheck *c;
    unsigned char *local_shadow; /* [local bytes] */
    uint64_t *local_cells, *local_fine;
    uint32_t local_low, local_next; /* epochs before low are over for all */
    uint32_t global_base, global_low, global_next, global_end;
    bool is_lost;     /* epochs ran out: no races with this group are reported */
    HdRegion **cache; /* [inst_count] the region that an instruction reached last */
    HdTrace *trace;   /* [inst_count] */
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

struct HdInterpRun;
struct HdInterpSub;
struct HdInterpFrame;

/* watch.c */
HdStatus hd_watch_open(struct HdInterpRun *r, HdInterpCheck *c);
void hd_watch_close(struct HdInterpRun *r);
HdStatus hd_watch_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                         uint64_t bytes, uint64_t align, HdEvalAccess how, void **host);
HdStatus hd_watch_load(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                       const HdSlot *r, uint64_t bytes);
HdStatus hd_watch_store(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                        const HdSlot *x, uint64_t bytes);
HdStatus hd_watch_atomics(HdEval *e, HdEvalAtomic *a, uint64_t *good);
/* May the first lane access this? Nothing is reported or recorded. */
bool hd_watch_fits(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how);
/* One access that has already been checked, for later ones. */
void hd_watch_touch(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how);
bool hd_watch_is_late(const HdWatch *w);

/* shadow_at.c: the bytes that say which bits at an address have no value; *flip is xored. NULL:
 * none of them has, unless flip says all. `create`: there will be some. */
unsigned char *hd_shadow_at(HdEval *e, uint64_t address, bool create, unsigned char *flip);
/* Bits without a value of memory that a part of a slot is loaded from, to the part's own.
 * *origin: where the first of them come from; unchanged if it is not 0. */
void hd_shadow_memory_load_part(HdEval *e, uint64_t address, uint64_t bytes, unsigned char *to,
                                uint32_t *origin);
/* shadow_memory.c: is there such a bit among these bytes? */
bool hd_shadow_memory_any(HdEval *e, uint64_t address, uint64_t bytes);
void hd_shadow_memory_define(HdEval *e, uint64_t address, uint64_t bytes, bool has_value);
void hd_shadow_memory_put(HdEval *e, uint64_t address, const unsigned char *shadow, uint64_t bytes);
/* A lane has written these bytes of a value without padding: record its uninitialised bits, and
 * report them. */
void hd_shadow_memory_wrote(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                            const HdSlot *x, uint64_t from, uint64_t bytes);
void hd_shadow_memory_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes);

/* shadow.c: after an instruction. */
HdStatus hd_shadow_after(HdEval *e, HdEvalFn *fn, const HdInst *in);
/* Shadow of a slot in the running frame; false when it has none (constants). */
bool hd_shadow_of(const HdEval *e, const HdSlot *s, HdSlot *shadow);
/* Lanes use what has no value. origin: as in frames. bytes != 0: it goes to memory at `at` and is
 * a defect if the host reads that. */
HdStatus hd_shadow_report(HdEval *e, uint64_t lanes, uint32_t origin, const char *use, uint64_t at,
                          uint64_t bytes);
/* The result's shadow has been written: set or clear its mark. */
void hd_shadow_settle(HdEval *e, const HdSlot *shadow, uint32_t slot, uint32_t origin);
/* Copy lanes' shadow from a value in one frame to one in another, with its mark. */
void hd_shadow_pass(HdEval *e, struct HdInterpFrame *to, HdId to_id, struct HdInterpFrame *from,
                    HdId from_id, uint64_t mask);
/* Has an operand of the running instruction bits without a value in a lane? */
bool hd_shadow_lane(const HdEval *e, unsigned lane);
/* Where the first operand's bits without a value come from. */
uint32_t hd_shadow_origin(const HdEval *e);

/* finite.c: after an instruction with promises about its operands and result. */
HdStatus hd_finite_after(HdEval *e, const HdInst *in);

/* race.c */
typedef struct HdCells {
    uint64_t *at;  /* NULL: no other work-item can access this memory */
    uint64_t base; /* address of the granule that at[0] is for */
    bool is_local;
    HdRegion *region; /* NULL: local memory */
} HdCells;
/* One lane's access. value: what it writes, NULL when unknown. */
void hd_race_touch(HdEval *e, unsigned lane, const HdCells *c, uint64_t address, uint64_t bytes,
                   HdEvalAccess how, const void *value);
/* Those of lanes that read, or that write `from` to different places, before they do. */
void hd_race_touch_all(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                       uint64_t bytes, const HdSlot *from, bool is_row);
void hd_race_touch_atomics(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                           uint64_t bytes, HdEvalAccess how);

/* coherent.c: what a load or store lacks for other invocations to see what it moves. */
typedef enum HdCoherence {
    HD_COHERENT,
    HD_COHERENT_NOT,   /* it concerns no other invocation: not Coherent, not NonPrivatePointer */
    HD_COHERENT_HIDDEN /* a barrier has to make it available or visible */
} HdCoherence;
uint8_t hd_coherence_of(const struct HdInterpProgram *p, const HdInst *in);
/* Lanes read what others may have written in a way that reads do not see. */
void hd_coherent_read(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                      uint64_t bytes);

/* epoch.c */
/* The number of another epoch of local, or global, memory. */
uint32_t hd_epoch_local(HdWatch *w);
uint32_t hd_epoch_global(HdWatch *w);
/* The sub-group begins another one. */
void hd_epoch_begin(HdEval *e);
/* Epochs that no sub-group is in. */
void hd_epoch_apart(HdWatch *w, uint32_t *local, uint32_t *global);
/* The copy that is not over and touches memory in an epoch; NULL. */
const HdCopy *hd_epoch_copy(const HdWatch *w, uint32_t epoch, bool is_local);

/* meet.c */
/* A barrier of the sub-group. */
void hd_meet_subgroup(HdEval *e, uint64_t semantics);
/* The sub-group opens a named barrier for those that wait there in that phase. */
void hd_meet_named(HdEval *e, uint64_t barrier, uint32_t phase, uint64_t semantics);
/* All sub-groups have met. */
void hd_meet_group(struct HdInterpRun *r);

/* sync.c */
void hd_sync_atomic(HdEval *e, uint64_t address, const HdEvalAtomic *a);
void hd_sync_fence(HdEval *e, uint64_t scope, uint64_t semantics);
HdStatus hd_sync_open(struct HdSyncTable **out);
void hd_sync_close(struct HdSyncTable *t);
/* What others know `to` knows as well. */
void hd_sync_learn(HdKnowledge *to, const HdKnowledge *from);
/* Is an epoch among what is over? `own`: first epoch of the group whose local memory it is. */
bool hd_sync_knows(const HdKnowledge *k, uint32_t st, uint32_t own, bool is_local);

/* copies.c */
/* The group has met at a barrier: copies continue after it. */
void hd_copies_go_on(struct HdInterpRun *r);
/* The group has ended: copies that were not waited for are reported. */
void hd_copies_end(struct HdInterpRun *r);

/* alias.c: arguments that promise not to alias */
typedef struct HdAliases HdAliases;
HdStatus hd_alias_open(HdInterpCheck *c, const HdKernelInfo *k);
void hd_alias_close(HdInterpCheck *c);
void hd_alias_touch(HdEval *e, const HdRoot *root, uint64_t lanes, const uint64_t *address,
                    uint64_t bytes, bool writes);

/* provenance.c */
HdStatus hd_provenance_open(struct HdInterpRun *r);
/* The root of e->pointer, for these lanes: MIXED when they differ. */
HdRoot hd_provenance_root(const HdEval *e, uint64_t lanes);
/* Memory gets other contents; what is there is copied along. */
void hd_provenance_wipe(HdEval *e, uint64_t address, uint64_t bytes);
void hd_provenance_move(HdEval *e, uint64_t to, uint64_t from, uint64_t bytes);
void hd_provenance_store(HdEval *e, HdId object, uint64_t lanes, const uint64_t *address,
                         uint64_t bytes);
/* Behind an instruction whose result has a provenance. */
void hd_provenance_after(HdEval *e, const HdInst *in);
/* An argument or result goes from frame to frame. */
void hd_provenance_pass(HdEval *e, struct HdInterpFrame *to, HdId to_id,
                        const struct HdInterpFrame *from, HdId from_id, uint64_t mask);

/* report.c */
/* "buffer 0, 64 bytes, argument 1 'out'" */
void hd_report_region(const HdEval *e, const HdRegion *r, HdStrbuf *out);
/* What the source calls a variable; NULL. */
#define HD_REPORT_NAME 128u
const char *hd_report_variable(const HdEval *e, HdId id, char room[HD_REPORT_NAME]);
/* The same of a place in it. Of a shader's variables that is the member and its indexes. */
const char *hd_report_member(const HdEval *e, HdId id, uint64_t address, uint64_t bytes,
                             char room[HD_REPORT_NAME]);
/* report_path.c: what a shader's pointer goes through, with the values of a lane's indexes; NULL:
 * that is not known. */
const char *hd_report_path(HdEval *e, HdId pointer, unsigned lane, char room[HD_REPORT_NAME]);
HdStatus hd_report(HdEval *e, HdSeverity severity, uint64_t lanes, const char *rule,
                   const char *hint, const char *message, HdDefect *d);
void hd_report_place(const HdEval *e, const HdInst *in, HdDefectPlace *p, HdStrbuf *inst);
void hd_report_item(const HdEval *e, uint64_t group, uint64_t item, HdDefectItem *to);
const HdInst *hd_report_inst(const HdEval *e, uint32_t number);
/* A defect if the host reads these bytes. */
void hd_report_spoiled(HdEval *e, uint64_t lanes, uint64_t at, uint64_t bytes, HdDefect *d);

/* info.c */
HdStatus hd_info_open(struct HdInterpProgram *p);
void hd_info_close(struct HdInterpProgram *p);
HdRoot hd_info_root(const struct HdInterpProgram *p, HdId id);
/* HD_FINITE_…: what the instruction with this result promises its operands and result not to be. */
uint8_t hd_info_finite(const HdModule *m, HdId id);
/* Trails of a value of a type (provenance.c): one for each so many bytes, if there is a pointer in
 * it.
 */
#define HD_PROVENANCE_BYTES 8u
uint32_t hd_info_provenance_cells(const HdModule *m, const HdType *t);
const HdVariableInfo *hd_info_variable(const struct HdInterpProgram *p, uint32_t function, HdId id,
                                       uint64_t offset);

#endif
