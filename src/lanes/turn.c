/* lanes/turn.c -- the dimension of the NDRange along which lanes are numbered.
 *
 * Lanes are neighbours in x, and access memory best if neighbours in x access adjacent elements.
 * Kernels for arrays of rows are as often written with the row number in x and the column number in
 * y. Work-items may be grouped into sub-groups in any order if that is unobservable; then x is
 * exchanged with y (or z). The shapes of all addresses are computed for both, and their costs
 * compared.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/turn.h"

#include <math.h>

#include "lanes/canon.h"

#define GAIN       0.6  /* of the cost, at most, for another dimension than x */
#define LOOP_TIMES 8.0  /* estimated trip count of a loop */
#define MOST_DEPTH 4u   /* of loops that count */
#define STEPS      16   /* elements: loads and shuffles do up to that many */
#define STEPPED    3.0  /* cost of an access with such steps, where one to neighbours costs 1 */
#define SCATTERED  16.0 /* of one with an address for each lane, */
#define FAR        2.0 /* so many times that if it is a store of four bytes or more, or across planes */
#define PARTED     2.0 /* of a branch at which lanes diverge */

/* The lanes that the choice is made for, whatever their number will be. */
static const HdLaneTarget usual = {.width = 16, .x_divisible = true, .full = true};

bool hd_lanes_is_free(const HdIrFunc *f, HdIrBuiltin last)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        switch ((HdIrOp)in->op) {
        case HD_IR_BUILTIN:
            if (in->sub > last)
                return false;
            break;
        case HD_IR_YIELD:
        case HD_IR_NAMED_MAKE:
        case HD_IR_NAMED_WAIT:
        case HD_IR_COLLECTIVE:
        case HD_IR_RTCALL:
        case HD_IR_IMAGE_GET: /* whose texels are taken by rows */
        case HD_IR_IMAGE_PUT:
        case HD_IR_CALL: return false;
        default: break;
        }
    }
    return true;
}

static bool has_dimension(const HdIrInst *in)
{
    return in->op == HD_IR_BUILTIN && in->sub < HD_BUILTIN_WORK_DIM && in->block != HD_IR_NOWHERE;
}

/* For its work-items' ids in a dimension? */
static bool asks_for(const HdIrFunc *f, unsigned dim)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        if (has_dimension(in) && in->imm == dim && in->sub <= HD_BUILTIN_GROUP_ID)
            return true;
    }
    return false;
}

static void exchange(HdIrFunc *f, unsigned dim)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        HdIrInst *in = &f->insts.at[i];

        if (has_dimension(in) && (in->imm == 0 || in->imm == dim))
            in->imm = dim - in->imm;
    }
}

/* Lines of the cache that lanes store to are loaded first, and are in use until all of their parts
 * are stored: of a transposed array it is the loads that better are the lanes' own. Not where lanes
 * count along z: those lines are planes apart. */
static double access_cost(const HdShapes *s, HdIrRef r, unsigned dim)
{
    const HdIrInst *in = &s->f->insts.at[r];
    HdShape to = hd_shape_at(s, hd_ir_arg(s->f, r, 0), in->block);
    HdIrRef value = in->op == HD_IR_STORE ? hd_ir_arg(s->f, r, 1) : r;
    int64_t bytes = hd_ir_type_bytes((HdIrType)s->f->insts.at[value].type);
    int64_t step = to.stride < 0 ? -to.stride : to.stride;

    if (to.kind == HD_SHAPE_UNIFORM || (to.kind != HD_SHAPE_VARYING && step == bytes))
        return 1;
    if (to.kind != HD_SHAPE_VARYING && step <= STEPS * bytes)
        return STEPPED;
    return (in->op == HD_IR_STORE && bytes >= 4) || dim == 2 ? FAR * SCATTERED : SCATTERED;
}

static double cost_of(const HdShapes *s, HdIrRef r, unsigned dim)
{
    const HdIrInst *in = &s->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
    case HD_IR_STORE: return in->sub == HD_SPACE_PRIVATE ? 0 : access_cost(s, r, dim);
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return SCATTERED;
    default: return 0;
    }
}

static HdStatus memory_cost(const HdIrFunc *f, const HdIrGraph *g, unsigned dim, HdArena *a,
                            double *cost)
{
    HdLaneArrays arrays;
    HdShapes *s;

    *cost = 0;
    HD_TRY(hd_lanes_no_arrays(f, a, &arrays));
    HD_TRY(hd_shapes(f, g, usual, &arrays, a, &s));
    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *b = &f->blocks.at[g->order[r]];
        double here = s->varying[g->order[r]] ? PARTED : 0;
        unsigned depth = 0;

        for (size_t i = 0; i < b->insts.count; i++)
            here += cost_of(s, b->insts.at[i], dim);
        for (uint32_t l = g->loop[g->order[r]]; l != HD_IR_NOWHERE && depth < MOST_DEPTH; depth++) {
            here *= LOOP_TIMES;
            l = g->loops[l].parent;
        }
        *cost += here;
    }
    return HD_OK;
}

HdStatus hd_lanes_memory_cost(HdIrFunc *f, unsigned dim, HdArena *a, double *cost)
{
    HdIrGraph *g;
    HdStatus st;

    HD_TRY(hd_ir_graph(f, a, &g));
    exchange(f, dim);
    st = memory_cost(f, g, dim, a, cost);
    exchange(f, dim);
    return st;
}

/* Bit i: lanes may be numbered along dimension i, in which the kernel queries ids. */
static uint8_t possible_dims(const HdIrFunc *f)
{
    uint8_t dims = 1;

    if (f->module->called.count != 0 || !hd_lanes_is_free(f, HD_BUILTIN_WORK_DIM))
        return dims;
    for (unsigned i = 1; i < 3; i++)
        dims |= (uint8_t)(asks_for(f, i) << i);
    return dims;
}

/* The one whose memory costs least; another than x must gain. */
static HdStatus cheapest(HdIrFunc *f, unsigned among, HdArena *a, uint8_t *dim)
{
    double least = HUGE_VAL, cost;

    for (unsigned i = 0; i < 3; i++) {
        if ((among >> i & 1) == 0)
            continue;
        HD_TRY(hd_lanes_memory_cost(f, i, a, &cost));
        cost *= i == 0 ? GAIN : 1;
        if (cost < least) {
            least = cost;
            *dim = (uint8_t)i;
        }
    }
    return HD_OK;
}

HdStatus hd_lanes_turn(HdIrFunc *f, unsigned allowed, HdArena *a, HdIrDims *out)
{
    unsigned among;

    *out = (HdIrDims){.possible = possible_dims(f)};
    among = allowed & out->possible;
    if (among <= 1)
        return HD_OK;
    if ((among & (among - 1)) == 0)
        out->taken = (uint8_t)__builtin_ctz(among);
    else
        HD_TRY(cheapest(f, among, a, &out->taken));
    exchange(f, out->taken);
    return HD_OK;
}
