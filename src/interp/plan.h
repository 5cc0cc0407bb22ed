/* interp/plan.h -- the requests of the lanes of one access, and which are allowed.
 *
 * Lanes are checked together: if all of an instruction's addresses are in one allocation and
 * nothing is unusual, one comparison is enough. Unusual accesses are checked lane by lane in
 * classify.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_PLAN_H
#define HD_INTERP_PLAN_H

#include "interp/facts.h"
#include "interp/state.h"

/* MIXED: lanes with generic pointers to several. */
typedef enum HdMemory {
    HD_MEMORY_PRIVATE,
    HD_MEMORY_LOCAL,
    HD_MEMORY_GLOBAL,
    HD_MEMORY_MIXED
} HdMemory;

/* The cells (check/cell.h) of memory. */
typedef struct HdCells {
    uint64_t *at;  /* NULL: no other work-item can access this memory */
    uint64_t base; /* address of the granule that at[0] is for */
    bool is_local;
    HdRegion *region; /* NULL: local memory */
} HdCells;

typedef struct HdPlan {
    HdEvalAccess how;
    uint32_t storage; /* class of the pointer */
    uint64_t bytes, align;
    const uint64_t *address; /* [lanes]; NULL: one, at `low` */
    uint64_t low, high;      /* first byte, and the one past the last */
    uint64_t bits;           /* of any address */
    uint64_t good;           /* lanes that may */
    bool is_row; /* neighbouring lanes access neighbouring places, all lanes from 0 on */
    HdMemory memory;
    HdRegion *region; /* of global memory, when all good lanes are in one */
} HdPlan;

/* The memory that an address belongs to, reached through a pointer of some class. */
HdMemory hd_plan_memory(const HdEval *e, uint32_t storage, uint64_t address);
/* Which lanes may perform their access; the others are reported. Filled in before: how, bytes,
 * align.
 */
void hd_plan(HdEval *e, uint32_t storage, const HdSlot *p, HdPlan *x);
/* May all have it, at a quick look? */
bool hd_plan_fits(HdEval *e, const HdRoot *root, HdPlan *x);
/* Record what the instruction has accessed, for reports of races with it. */
void hd_plan_trace(HdEval *e, const HdPlan *x);
/* A parameter or variable may promise that nothing is written, or read, through it. */
void hd_plan_promise(HdEval *e, const HdPlan *x);

/* The cells of an address; at == NULL if no other work-item can access it. region: NULL = look it
 * up. */
HdCells hd_plan_cells(HdEval *e, HdMemory memory, HdRegion *region, uint64_t address);
/* Those of a lane whose memory may be another than its neighbours'. */
HdCells hd_plan_lane_cells(HdEval *e, const HdPlan *x, unsigned lane);

/* shadow_memory.c: the loaded slot gets the memory's bits without a value; memory gets a stored
 * slot's. */
void hd_shadow_memory_load(HdEval *e, const HdPlan *x, const HdSlot *r);
void hd_shadow_memory_store(HdEval *e, const HdPlan *x, const HdSlot *from);
/* Has all that lanes load a value? A quick look that may say no. */
bool hd_shadow_memory_is_none(const HdEval *e, const HdPlan *x);

#endif
