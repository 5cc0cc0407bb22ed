/* interp/state.h -- the interpreter's own structures: prepared functions, groups that run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_STATE_H
#define HD_INTERP_STATE_H

#include "base/array.h"
#include "interp/eval.h"
#include "interp/facts.h"
#include "interp/watch_state.h"
#include "module/cfg.h"

/* Where an id's value lies. */
typedef enum HdPlaceKind {
    HD_PLACE_NONE,
    HD_PLACE_VALUE,    /* frame: offset * width bytes after its values */
    HD_PLACE_CONSTANT, /* the program's constants */
    HD_PLACE_FIXED,    /* the run's constants: those that hold addresses */
    HD_PLACE_INPUT     /* address of a built-in or Private variable; offset = its number */
} HdPlaceKind;

typedef struct HdPlace {
    HdPlaceKind kind;
    uint64_t offset;
    uint64_t stride;
    const HdType *type;
} HdPlace;

/* Do lanes meet in a block? Where the work-group does, it runs when no lane of the sub-group can
 * run another block; where lanes of the sub-group do, as base/gather.h says. */
typedef enum HdGathers {
    HD_GATHERS_NOT,
    HD_GATHERS_ROUND,    /* the lanes of an iteration */
    HD_GATHERS_SUBGROUP, /* itself, or in a called function */
    HD_GATHERS_CALLED,   /* possibly in a called function: a single work-item may enter */
    HD_GATHERS_HERE
} HdGathers;

/* A function, ready to run. */
typedef struct HdInterpCode {
    const HdFunction *function;
    HdInst *insts;
    HdInstInfo *info; /* [instructions] for checked runs */
    uint32_t number, variable_count, provenance_count;
    const HdType **slot_types; /* [value_bytes / 16] */
    uint32_t *first;           /* [blocks + 1] into insts */
    HdCfg *cfg;
    uint32_t first_edge;    /* of the program, of those that cfg->succ has */
    unsigned char *gathers; /* [blocks] HdGathers */
    uint32_t *turn;         /* [blocks] of those at which lanes wait, the lowest runs first */
    unsigned char meets;    /* the highest HdGathers of its blocks */
    bool has_undefs;        /* uses constants without a value */
    uint64_t value_bytes;   /* of a frame, per lane */
    uint64_t own_bytes;     /* variables, per lane */
    uint64_t stack_bytes;   /* variables of this and of what it calls, per lane */
    uint8_t state;          /* while preparing: 0 new, 1 open, 2 done */
} HdInterpCode;

#define HD_INPUT_PRIVATE UINT32_MAX

typedef struct HdInput {
    HdId id;
    const HdType *type;
    uint32_t builtin;        /* HD_INPUT_PRIVATE: a Private variable of the module */
    const HdConstant *first; /* its first value; NULL: none */
    uint64_t offset;         /* in a lane's private memory */
} HdInput;

typedef struct HdFixed {
    HdId id;
    const HdConstant *constant; /* NULL: a variable */
    uint64_t offset;
} HdFixed;

/* A constant of the module that has no value, or a part that has none: its bits are in every frame,
 * at the start. */
typedef struct HdUndef {
    HdId id;
    uint64_t offset; /* as those of values: bytes per lane */
    const HdConstant *constant;
    HdInst in;
} HdUndef;

struct HdInterpProgram {
    HdArena *arena;
    const HdModule *m;
    const HdBuildLayout *layout;
    uint64_t identity;            /* of the module's words */
    HdPlace *places;              /* [bound] */
    struct HdRegister *registers; /* [bound] variables that need no memory; NULL: there are none */
    uint64_t *variables; /* [bound] offset in the function's private memory; UINT64_MAX = none */
    uint32_t *block_of;  /* [bound] label to block of its function */
    unsigned char *constants;
    uint64_t constant_bytes;
    uint64_t fixed_bytes;
    HdFixed *fixed;
    size_t fixed_count, fixed_room;
    HdInput *inputs;
    size_t input_count, input_room;
    uint64_t input_bytes;   /* at the start of a lane's private memory */
    HdInterpCode *codes;    /* [function_count] */
    uint32_t edge_count;    /* between blocks, of all functions */
    uint64_t align;         /* of a lane's private memory */
    bool has_matrices;      /* some member has a MatrixStride */
    HdId std;               /* import of OpenCL.std */
    uint64_t vla_bytes;     /* region for variable-length arrays, per lane; 0 = there are none */
    uint64_t constant_most; /* bytes of the largest constant */
    HdUndef *undefs;
    size_t undef_count, undef_room;
    uint64_t undef_bytes; /* at the start of frames' values, per lane */
    HdProgramInfo info;   /* for checked runs */
};

static inline bool hd_is_in_block(uint64_t address, const void *block, uint64_t bytes)
{
    return address - (uint64_t)(uintptr_t)block < bytes;
}

static inline HdRoot hd_info_root(const HdInterpProgram *p, HdId id)
{
    return id < p->m->bound ? p->info.roots[id] : (HdRoot){0};
}

typedef struct HdInterpFrame {
    struct HdInterpFrame *caller;
    const HdInterpCode *code;
    unsigned char *values;
    uint64_t base; /* of the variables, in a lane's private memory */
    uint64_t live; /* lanes inside */
    uint64_t mask; /* lanes of the running block; 0 = choose a block */
    uint32_t block, at;
    uint32_t to[HD_EVAL_LANES];   /* block that a lane waits at */
    uint32_t from[HD_EVAL_LANES]; /* block that it came from */
    uint64_t vla[HD_EVAL_LANES];  /* bytes of its region in use on entry */
    /* checked runs only */
    uint64_t shadow;  /* bytes from a value to its bits without a value */
    uint32_t dirty;   /* how many slots have such bits */
    uint32_t *origin; /* [value_bytes / 16] of a slot: 0 = all bits have values; else 1 + number of
                         the instruction that they come from */
    uint64_t *dead;   /* [variables] lanes for which a variable's life is over */
    uint32_t *provenances; /* [provenance_count][width] */
} HdInterpFrame;

typedef enum HdSubState {
    HD_SUB_READY,
    HD_SUB_WAITING,  /* for the work-group */
    HD_SUB_STANDING, /* at a named barrier */
    HD_SUB_DONE
} HdSubState;

/* A named barrier: the `turn`-th made at `place`, an instruction and the calls around it. */
typedef struct HdNamed {
    uint64_t place;
    uint32_t turn, subgroups, arrived;
    uint32_t phase; /* how often it opened */
} HdNamed;

typedef struct HdInterpSub {
    HdSubState state;
    uint64_t all; /* lanes that began */
    HdSubWatch watch;
    HdEval e;
    HdInterpFrame *top;
    uint64_t live; /* lanes that have not left the kernel */
    uint32_t depth;
    uint64_t stack;              /* private bytes in use, inputs included */
    unsigned char *private_at;   /* lane 0 */
    uint64_t *inputs;            /* [input_count][width] addresses */
    uint64_t vla[HD_EVAL_LANES]; /* bytes in use */
    uint32_t met;                /* how often it met the others */
    uint64_t stands_at;          /* index of a named barrier */
    uint32_t stands_in;          /* its phase */
    HD_ARRAY(HdNamed) made;      /* by place: how often it made one; the other fields are unused */
    void *scratch;
    uint64_t scratch_bytes;
} HdInterpSub;

/* What the first sub-group brought to the `turn`-th execution of the instruction at `word`. */
typedef struct HdVersionedRows {
    uint32_t word, turn;
    uint64_t brought[HD_EVAL_BROUGHT];
} HdVersionedRows;

/* What work-items brought to a meeting. Two take turns: a sub-group may be one meeting ahead. */
typedef struct HdMeeting {
    unsigned char *given; /* `room` bytes of values; in a checked run as many of bits without one */
    bool *came;
    uint64_t bytes, room;
    uint32_t origin; /* of the first such bits, as in frames; 0: none, and those bytes are unset */
} HdMeeting;

/* A reservation that has not been committed. */
typedef struct HdHold {
    uint64_t pipe, id;
    uint64_t *moved;  /* by index: has been read or written; heap */
    const HdInst *in; /* that made it */
    uint32_t subgroup;
    unsigned lane;
} HdHold;

struct HdRoom;

typedef struct HdInterpRun {
    const HdInterpProgram *p;
    const HdInterpGroup *g;
    HdDiags *d;
    struct HdRoom *room;
    unsigned char *local;
    uint64_t private_lane; /* bytes from lane to lane */
    unsigned char *fixed;
    HdInterpSub *subs;
    uint32_t sub_count, items;
    HdMeeting meetings[2];
    HD_ARRAY(HdNamed) named; /* none goes while the group runs */
    HD_ARRAY(HdVersionedRows) agreed;
    HD_ARRAY(HdHold) holds; /* in a checked run */
    HdWatch *watch;         /* NULL: a plain run */
    void *zeros;            /* no bits without a value, for constants */
    bool asks, acts;        /* hd_eval_asks, hd_eval_acts since the round began */
    bool has_waited;
    uint32_t quiet;         /* blocks of each sub-group's turns since it last got anywhere */
    uint64_t private_bytes; /* from private memory to its shadow */
} HdInterpRun;

/* run.c: run a sub-group until it waits, ends, or `blocks` blocks have run. */
HdStatus hd_interp_run(HdInterpRun *r, HdInterpSub *s, uint32_t blocks);
HdStatus hd_interp_enter(HdInterpRun *r, HdInterpSub *s, const HdInterpCode *code, uint64_t mask);
/* Lanes wait for others that are gone. */
void hd_interp_report_left(HdInterpSub *s, uint64_t mask);
void hd_interp_leave_all(HdInterpRun *r, HdInterpSub *s);
/* undef.c: constants without a value. */
bool hd_undef_is(const HdConstant *c);
HdStatus hd_undef_place(HdInterpProgram *p, const HdInst *in, const HdConstant *c);
/* Their values in a new frame; their shadow in one that is entered. */
HdStatus hd_undef_fill(const HdInterpRun *r, HdInterpFrame *f, uint32_t width);
HdStatus hd_undef_shade(const HdInterpRun *r, HdInterpFrame *f, uint32_t width);
/* code.c */
const HdInterpCode *hd_interp_code(const HdInterpProgram *p, HdId function);
/* named.c: sub-groups at barriers that have opened may continue; a defect if none can. */
HdStatus hd_interp_let_go(HdInterpRun *r, bool *ready);
/* holds.c: report reservations that a group has not committed. */
void hd_holds_close(HdInterpRun *r);
/* bound.c: the address of what is bound to a variable, or of its descriptors. */
uint64_t hd_interp_resource(const HdInterpRun *r, HdId variable);
/* group.c: the address of a variable of the module, for hd_constant_write. */
uint64_t hd_interp_address(void *run, HdId id);
/* builtin.c: fill the built-in variables of a sub-group's lanes, and begin their Private ones. */
HdStatus hd_interp_inputs(HdInterpRun *r, HdInterpSub *s);
bool hd_interp_knows_input(const HdType *t, uint32_t builtin);
/* A built-in variable of a shader's work-item in numbers of 32 bits, sub-groups as reports name
 * them: how many numbers. to: 16 bytes */
unsigned hd_interp_builtin(const HdInterpRun *r, uint32_t item, uint32_t builtin,
                           unsigned char *to);

#endif
