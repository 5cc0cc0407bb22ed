/* ir/pass.h -- the table of passes, and what happens around each run of one: HEDDLE_PASS_LIMIT,
 * HEDDLE_PASS_SKIP, `heddle run --dump after:PASS`, HEDDLE_VERIFY, a span in traces.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_PASS_H
#define HD_IR_PASS_H

#include "base/strbuf.h"
#include "base/trace.h"
#include "ir/ir.h"

typedef HdStatus HdPassFn(HdIrFunc *f, HdArena *scratch, bool *changed);

/* How the passes of a phase are run. */
typedef enum HdPassHow {
    HD_PASS_BY_CALLER, /* the caller knows when each is due */
    HD_PASS_ONCE,
    HD_PASS_THEN_CLEAN,   /* once each, then the cleanup */
    HD_PASS_CHANGE_CLEAN, /* the same, the cleanup if there was a change that none followed yet */
    HD_PASS_UNTIL_IDLE,   /* once each; one that changes nothing ends the phase */
    HD_PASS_FIXPOINT,     /* until none changes anything */
    HD_PASS_EACH_DEPTH    /* until it changes nothing, with a cleanup after each run: for loops in
                           * each other */
} HdPassHow;

/* What a pass needs, and what is needed of it. */
enum HdPassNeeds {
    HD_PASS_NOTHING = 0,
    HD_PASS_REQUIRED = 1,      /* later stages rely on it: HEDDLE_PASS_LIMIT does not count it */
    HD_PASS_TIDIES = 2,        /* what it changes makes no other pass possible */
    HD_PASS_KERNEL = 4,        /* a kernel, not a function that is called */
    HD_PASS_WIDE_CPU = 8,      /* a processor of 8 lanes or more */
    HD_PASS_CALLED_TOO = 16,   /* functions that are called, as well as the kernel */
    HD_PASS_BARRIERS = 32,     /* barriers that regions can replace */
    HD_PASS_ONE_SUBGROUP = 64, /* a group is one sub-group */
    HD_PASS_SUBGROUPS = 128,   /* a group may be several */
    HD_PASS_MANY_SLOTS = 256,  /* more storage than LLVM makes values in good time */
    HD_PASS_WORD_MASKS = 512   /* a processor without masks for bytes in memory */
};

typedef enum HdPassPhase {
#define PHASE(name, how, what) HD_PHASE_##name,
#include "ir/passes.def"
    HD_PHASE_COUNT
} HdPassPhase;

typedef enum HdPassId {
#define PASS(name, function, phases, needs, what)     HD_PASS_##name,
#define OWN_PASS(name, function, phases, needs, what) HD_PASS_##name,
#include "ir/passes.def"
    HD_PASS_COUNT
} HdPassId;

/* A row; of NULL name past the last. */
typedef struct HdPassRow {
    const char *name;
    uint32_t phases; /* bit HdPassPhase */
    uint32_t needs;
} HdPassRow;

const HdPassRow *hd_pass_row(unsigned id);
HdPassHow hd_pass_how(HdPassPhase phase);
static inline bool hd_pass_is_in(unsigned id, HdPassPhase phase)
{
    return (hd_pass_row(id)->phases >> phase & 1) != 0;
}

/* What is counted and looked at while a kernel is compiled: HdIrModule.log. */
typedef struct HdPassLog {
    uint64_t count, limit; /* runs of passes that are not required, and how many there may be */
    const char *skip;      /* names of passes that are left out, with commas; NULL: none */
    bool verifies;         /* after each run */
    const char *dump;      /* list with commas; its words "after:PASS" are meant. NULL: none */
    HdStrbuf *dump_to;
} HdPassLog;

/* From the environment; nothing is dumped. */
HdPassLog hd_pass_log(void);
/* Is `word` one of a list with commas? */
bool hd_pass_lists(const char *list, const char *word);
/* The first word of a list with commas that names no pass, and its bytes; NULL: there is none. */
const char *hd_pass_unknown(const char *list, size_t *bytes);
/* Is `word`, of so many bytes, "after:" and the name of a pass? */
bool hd_pass_is_stage(const char *word, size_t bytes);

/* A run of a pass with arguments of its own lies between these. */
typedef struct HdPassRun {
    HdPassLog *log; /* NULL: nothing is counted */
    HdPassId id;
    bool goes; /* else it is left out */
    HdTraceSpan span;
} HdPassRun;

HdPassRun hd_pass_begin(HdPassLog *log, HdPassId id, const HdIrFunc *f);
/* `f` is what the pass made, of which nothing is looked at unless st is HD_OK. Returns st, or what
 * verification says. */
HdStatus hd_pass_end(HdPassRun *run, HdStatus st, const HdIrFunc *f, bool changed, HdDiags *d);

/* Run a pass, in scratch memory of its own. *changed is left as it was where the pass did nothing.
 */
HdStatus hd_pass_run(HdPassId id, HdPassFn *fn, HdIrFunc *f, HdDiags *d, bool *changed);

#endif
