/* jit/facts.c -- what a launch has to know about compiled code, derived from its lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/facts.h"

#include "ir/ahead.h"
#include "ir/graph.h"
#include "ir/ir.h"
#include "ir/linear.h"
#include "ir/memory.h"
#include "jit/cost.h"

/* Does nothing in a function depend on which work-items make up the group? */
static bool is_flat(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        switch ((HdIrOp)in->op) {
        case HD_IR_BUILTIN:
            if (in->sub != HD_BUILTIN_GLOBAL_ID && in->sub != HD_BUILTIN_GLOBAL_LINEAR_ID &&
                in->sub != HD_BUILTIN_GLOBAL_SIZE && in->sub != HD_BUILTIN_GLOBAL_OFFSET &&
                in->sub != HD_BUILTIN_WORK_DIM)
                return false;
            break;
        case HD_IR_LOCAL_ADDR:
        case HD_IR_BARRIER:
        case HD_IR_NEXT:
        case HD_IR_YIELD:
        case HD_IR_NAMED_MAKE:
        case HD_IR_NAMED_WAIT:
        case HD_IR_COLLECTIVE:
        case HD_IR_PRODUCT:
        case HD_IR_RTCALL: return false;
        default: break;
        }
    }
    return true;
}

static bool is_uniform(const void *f, HdIrRef r)
{
    return ((const HdIrFunc *)f)->insts.at[r].shape == HD_SHAPE_UNIFORM;
}

/* What varies in a value, as if no index wrapped. */
static HdLinear sum_of(const HdIrFunc *f, HdIrRef r)
{
    HdLinearRules rules = {.f = f, .extend = HD_LINEAR_ASSUME, .user = f, .leaf = is_uniform};

    return hd_linear_of(&rules, r);
}

/* Is a value a number of neighbours times a number that they share? */
static bool has_shared_step(const HdIrFunc *f, HdIrRef r)
{
    HdLinear s = sum_of(f, r);

    for (unsigned i = 0; i < s.count; i++)
        for (unsigned k = 0; f->insts.at[s.terms[i].of].op == HD_IR_MUL && k < 2; k++)
            if (f->insts.at[hd_ir_arg(f, s.terms[i].of, k)].shape == HD_SHAPE_UNIFORM &&
                f->insts.at[hd_ir_arg(f, s.terms[i].of, 1 - k)].shape == HD_SHAPE_AFFINE)
                return true;
    return false;
}

#define FAR_APART 256 /* bytes: some cache lines */

static bool has_columns(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i], *address;

        if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || in->block == HD_IR_NOWHERE ||
            (in->sub != HD_SPACE_GLOBAL && in->sub != HD_SPACE_GENERIC))
            continue;
        address = &f->insts.at[hd_ir_arg(f, (HdIrRef)i, 0)];
        if (address->shape == HD_SHAPE_AFFINE
                ? address->stride >= FAR_APART || address->stride <= -FAR_APART
                : has_shared_step(f, hd_ir_arg(f, (HdIrRef)i, 0)))
            return true;
    }
    return false;
}

/* The dimensions, of y (1) and z (2), along which an address changes by a constant number of bytes,
 * as bits; in *steps whether along x it changes by a product of several steps that are shared. */
static unsigned near_dims(const HdIrFunc *f, HdIrRef r, bool *steps)
{
    HdLinearRules rules = {.f = f, .extend = HD_LINEAR_ASSUME};
    HdLinear s = hd_linear_of(&rules, r);
    unsigned dims = 0;

    for (unsigned i = 0; i < s.count; i++) {
        const HdIrInst *in = &f->insts.at[s.terms[i].of];

        if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_GLOBAL_ID && in->imm != 0)
            dims |= 1u << in->imm;
        for (unsigned k = 0; in->op == HD_IR_MUL && k < 2; k++)
            *steps = *steps || (is_uniform(f, hd_ir_arg(f, s.terms[i].of, k)) &&
                                has_shared_step(f, hd_ir_arg(f, s.terms[i].of, 1 - k)));
    }
    return dims;
}

/* Of accesses (x * ny + y) * nz + z: the dimension in which neighbours access what lies side by
 * side; 0: there are none, or several such dimensions. */
static uint8_t planes(const HdIrFunc *f)
{
    unsigned dims = 0;

    for (HdIrRef r = 1; r < f->insts.count; r++) {
        const HdIrInst *in = &f->insts.at[r];
        bool steps = false;
        unsigned near;

        if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || in->block == HD_IR_NOWHERE ||
            (in->sub != HD_SPACE_GLOBAL && in->sub != HD_SPACE_GENERIC))
            continue;
        near = near_dims(f, hd_ir_arg(f, r, 0), &steps);
        dims |= steps ? near : 0;
    }
    return dims == 1u << 1 || dims == 1u << 2 ? (uint8_t)(dims >> 1) : 0;
}

/* Does it update memory that other work-groups may update at the same time? */
static bool is_shared_update(const HdIrInst *in)
{
    HdIrSpace space = (HdIrSpace)(in->imm >> 8 & 255);

    return (in->op == HD_IR_ATOMIC_RMW || in->op == HD_IR_ATOMIC_CMPXCHG) &&
           in->block != HD_IR_NOWHERE && space != HD_SPACE_LOCAL && space != HD_SPACE_PRIVATE;
}

/* May it bring in what another work-group stores for it? */
static bool sees_groups(const HdIrInst *in)
{
    HdIrSpace space = (HdIrSpace)(in->imm >> 8 & 255);

    switch ((HdIrOp)in->op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return space != HD_SPACE_LOCAL && space != HD_SPACE_PRIVATE;
    case HD_IR_LOAD:
        return (in->flags & HD_IR_VOLATILE) != 0 && in->sub != HD_SPACE_LOCAL &&
               in->sub != HD_SPACE_PRIVATE;
    case HD_IR_RTCALL: return true;
    default: return false;
    }
}

/* Where sub-groups of a function stop, and whether for other groups. */
typedef struct Stops {
    bool yields, at_names, sees_groups;
} Stops;

/* Of one function: the kernel, or one that it calls. */
static void note_needs(const HdIrFunc *f, HdCodeFacts *out, Stops *stops)
{
    out->is_flat = out->is_flat && is_flat(f);
    out->has_loops = out->has_loops || hd_cost_has_loops(f);
    out->has_columns = out->has_columns || has_columns(f);
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        out->contends = out->contends || is_shared_update(in);
        if (in->block != HD_IR_NOWHERE) {
            stops->yields = stops->yields || in->op == HD_IR_YIELD;
            stops->sees_groups = stops->sees_groups || sees_groups(in);
            stops->at_names = stops->at_names || in->op == HD_IR_NAMED_WAIT;
        }
        if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_ARRAYS)
            out->has_arrays = true;
        if (in->op == HD_IR_NAMED_MAKE && in->imm >= out->named)
            out->named = (uint32_t)in->imm + 1;
    }
}

bool hd_jit_may_mix(const HdIrFunc *f)
{
    unsigned pointers = 0;
    bool writes = false;

    for (HdIrRef r = 1; r < f->insts.count; r++) {
        const HdIrInst *in = &f->insts.at[r];

        if (in->block == HD_IR_NOWHERE)
            continue;
        pointers += in->op == HD_IR_KARG && in->type == HD_IR_PTR && in->sub == 0;
        writes = writes || (hd_ir_memory_written(f, r) & ~(1u << HD_IR_MEM_PRIVATE)) != 0;
    }
    return pointers > 1 && writes;
}

void hd_jit_facts(const HdIrFunc *wide, HdCodeFacts *out)
{
    HdArena *a = hd_arena_open();
    Stops stops = {0};

    out->lanes = wide->width;
    out->stride = wide->stride;
    if (a != NULL)
        out->streams = hd_ir_streams(wide, hd_ir_in_loops(wide, a));
    out->ahead = hd_ir_ahead_kinds(wide);
    hd_arena_drop(a);
    out->context_bytes = wide->regions.context_bytes;
    out->context_align = wide->regions.context_align;
    out->lanes_wait = wide->waits.lanes_wait;
    out->is_flat = true;
    out->planes = planes(wide);
    note_needs(wide, out, &stops);
    for (uint32_t i = 0; i < wide->lanes.callee_count; i++)
        if (wide->lanes.callees[i] != NULL)
            note_needs(wide->lanes.callees[i], out, &stops);
    out->contends = out->contends && !stops.yields;
    out->needs_fibers =
        wide->waits.has_barrier || wide->waits.needs_fibers || stops.yields || stops.at_names;
    out->groups_wait = stops.yields && stops.sees_groups;
    out->takes_turns = stops.yields && !stops.at_names && !wide->waits.has_barrier;
}
