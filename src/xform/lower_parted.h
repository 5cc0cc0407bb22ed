/* xform/lower_parted.h -- functions in which work-items diverge before sub-group operations.
 *
 * OpGroup instructions must be executed by all work-items of a sub-group; the operations of SPIR-V
 * 1.3 by those that are active. So that all can reach each of them, such a function is cut into
 * pieces, which all work-items of a sub-group run in one loop: each keeps the number of the *stop*
 * that it waits at, the lowest number of all is next, all perform the operation there (those that
 * do not wait there with a neutral value), and those that do continue to their next stop. The
 * numbers follow the order in which Heddle itself runs blocks (docs/execution-model.md).
 *
 * Regions are delimited by blocks that all reach; only those with such an operation are cut.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_LOWER_PARTED_H
#define HD_XFORM_LOWER_PARTED_H

#include "module/cfg.h"
#include "xform/lower_state.h"

typedef enum HdStopKind {
    HD_STOP_OPERATION, /* all make it */
    HD_STOP_CALL,      /* of a function with such an operation: all call it */
    HD_STOP_MEETING,   /* barriers and the like: all must reach them together */
    HD_STOP_BACK       /* a back edge: work-items in the loop wait for each other */
} HdStopKind;

typedef struct HdStop {
    HdStopKind kind;
    uint32_t word; /* of the instruction; BACK: of the branch */
    uint32_t region, rank, target_rank;
    uint32_t turn;           /* of the block, in the order in which blocks run (base/gather.h) */
    uint32_t number;         /* in its region, from 1 */
    HdId target;             /* BACK: label of the loop's head */
    HdId wait, here, behind; /* labels: BACK: the work-items that arrive; the stop; what follows
                              * it */
} HdStop;

typedef struct HdRegion {
    uint32_t start; /* word from which on work-items may part */
    uint32_t to;    /* block that all reach again; HD_NO_BLOCK: the end of the function */
    bool is_cut;
    bool by_group; /* all of the work-group go through the pieces together: it has barriers */
    uint32_t first_stop, stop_count;
    HdId state;        /* variable: number of the next stop, 0: the beginning */
    HdId now;          /* its value in this iteration */
    HdId round, again; /* labels: loop header, continue target */
    HdId begin, end;   /* labels: the first piece, the end */
    HdId leave;        /* label of what follows the region */
} HdRegion;

/* A value that more than one piece uses, or a phi's: in a variable. */
typedef struct HdKept {
    HdId type, variable;
} HdKept;

typedef struct HdParted {
    HdLower *l;
    const HdFunction *f;
    HdCfg *g;
    bool takes_here; /* it has one more parameter: is this work-item there? */
    bool is_cut;     /* some region is */
    HD_ARRAY(HdRegion) regions;
    HD_ARRAY(HdStop) stops;
    HD_ARRAY(HdKept) kept;
    uint32_t *region_of;       /* [block_count] HD_NO_BLOCK: in none that is cut */
    HdMap stop_at, start_at;   /* word to index in stops (BACK ones are not in it), regions */
    uint32_t *part_of;         /* [bound] piece of a cut region that defines it; 0: none */
    uint32_t *last_part;       /* [block_count] the piece that a block ends in */
    HdId *variable, *incoming; /* [bound] of a value; of what branches give a phi; 0: none */
    HdId result;               /* variable of what the function returns; 0: none */
} HdParted;

/* Where a walk over a function's instructions is. */
typedef struct HdPlace {
    uint32_t block; /* HD_NO_BLOCK: in none */
    uint32_t part;
    bool is_cut, is_reached;
} HdPlace;

/* Step to an instruction. */
void hd_parted_step(const HdParted *p, const HdInst *in, HdPlace *at);
/* Plan a function; all in the lowering's arena. */
HdStatus hd_lower_plan_parted(HdLower *l, const HdFunction *f, HdParted *p);
/* Has it one more parameter? */
bool hd_lower_takes_here(const HdLower *l, const HdFunction *f);

#endif
