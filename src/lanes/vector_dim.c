/* lanes/vector_dim.c -- the dimensions of the NDRange along which lanes and rows are numbered.
 *
 * Lanes are neighbours in x, and access memory best if neighbours in x access adjacent elements.
 * Kernels for arrays of rows are as often written with the row number in x and the column number in
 * y. Work-items may be grouped into sub-groups in any order if that is unobservable; then x is
 * exchanged with y (or z). The shapes of all addresses are computed for both, and their costs
 * compared.
 *
 * Of a transposed array lanes along any dimension find either the loads or the stores apart. If
 * these are neighbours along another dimension, a work-item that does some rows in it accesses
 * several elements with each lane: squares of a tile, transposed in registers (lanes/coarsen.h,
 * codegen/runs.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/vector_dim.h"

#include <math.h>

#include "lanes/canon.h"

#define GAIN       0.6  /* of the cost, at most, for another dimension than x */
#define LOOP_TIMES 8.0  /* estimated trip count of a loop */
#define MOST_DEPTH 4u   /* of loops that count */
#define STEPS      16   /* elements: loads and shuffles do up to that many */
#define STEPPED    3.0  /* cost of an access with such steps, where one to neighbours costs 1 */
#define SCATTERED  16.0 /* of one with an address for each lane, */
#define FAR        2.0 /* so many times that if it is a store of four bytes or more, or across planes */
#define PARTED     2.0  /* of a branch at which lanes diverge */
#define TILED      0.2  /* of a scattered access, where it is one of a tile's */
#define TILES_GAIN 0.6  /* of the cost, at most, for tiles */
#define TILE_BYTES 16u  /* that each lane accesses at once (codegen/runs.c), */
#define MOST_ROWS  4u   /* if elements are smaller than a word, which is scattered then */
#define MOST_TILED 100u /* instructions of a kernel with tiles */

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
        case HD_IR_PRODUCT:
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

/* Exchange two dimensions in the ids and sizes that a kernel queries. */
static void exchange(HdIrFunc *f, unsigned one, unsigned other)
{
    for (size_t i = 0; i < f->insts.count && one != other; i++) {
        HdIrInst *in = &f->insts.at[i];

        if (has_dimension(in) && (in->imm == one || in->imm == other))
            in->imm = one + other - in->imm;
    }
}

static unsigned accessed_bytes(const HdIrFunc *f, HdIrRef r)
{
    HdIrRef value = f->insts.at[r].op == HD_IR_STORE ? hd_ir_arg(f, r, 1) : r;

    return hd_ir_type_bytes((HdIrType)f->insts.at[value].type);
}

static HdShape address_of(const HdShapes *s, HdIrRef r)
{
    return hd_shape_at(s, hd_ir_arg(s->f, r, 0), s->f->insts.at[r].block);
}

/* Lines of the cache that lanes store to are loaded first, and are in use until all of their parts
 * are stored: of a transposed array it is the loads that better are the lanes' own. Not where lanes
 * count along z: those lines are planes apart. */
static double access_cost(const HdShapes *s, HdIrRef r, unsigned dim)
{
    const HdIrInst *in = &s->f->insts.at[r];
    HdShape to = address_of(s, r);
    int64_t bytes = accessed_bytes(s->f, r);
    int64_t step = to.stride < 0 ? -to.stride : to.stride;

    if (to.kind == HD_SHAPE_UNIFORM || (to.kind != HD_SHAPE_VARYING && step == bytes))
        return 1;
    if (to.kind != HD_SHAPE_VARYING && step <= STEPS * bytes)
        return STEPPED;
    return (in->op == HD_IR_STORE && bytes >= 4) || dim == 2 ? FAR * SCATTERED : SCATTERED;
}

/* Lanes along one dimension, and rows along another one. */
typedef struct Order {
    const HdShapes *lanes, *rows; /* rows: NULL: work-items do one row */
    unsigned dim;                 /* of the lanes */
    uint8_t count;                /* of the rows that make tiles */
} Order;

/* Rows of so many elements that each lane accesses at once. */
static uint8_t rows_of_tile(unsigned bytes)
{
    return (uint8_t)(bytes >= 4 ? TILE_BYTES / bytes : MOST_ROWS);
}

static bool makes_tile(const Order *o, HdIrRef r)
{
    unsigned bytes = accessed_bytes(o->lanes->f, r);
    HdShape to = address_of(o->rows, r);

    return (to.kind == HD_SHAPE_AFFINE || to.kind == HD_SHAPE_ADDRESS) &&
           to.stride == (int64_t)bytes && bytes >= 2 && bytes < TILE_BYTES;
}

static double order_cost(Order *o, HdIrRef r)
{
    double cost = access_cost(o->lanes, r, o->dim);
    uint8_t rows;

    if (o->rows == NULL || cost < SCATTERED || !makes_tile(o, r))
        return cost;
    rows = rows_of_tile(accessed_bytes(o->lanes->f, r));
    o->count = rows > o->count ? rows : o->count;
    return TILED * cost;
}

static double cost_of(Order *o, HdIrRef r)
{
    const HdIrInst *in = &o->lanes->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
    case HD_IR_STORE: return in->sub == HD_SPACE_PRIVATE ? 0 : order_cost(o, r);
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return SCATTERED;
    default: return 0;
    }
}

static double memory_cost(const HdIrGraph *g, Order *o)
{
    const HdIrFunc *f = o->lanes->f;
    double cost = 0;

    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *b = &f->blocks.at[g->order[r]];
        double here = o->lanes->varying[g->order[r]] ? PARTED : 0;
        unsigned depth = 0;

        for (size_t i = 0; i < b->insts.count; i++)
            here += cost_of(o, b->insts.at[i]);
        for (uint32_t l = g->loop[g->order[r]]; l != HD_IR_NOWHERE && depth < MOST_DEPTH; depth++) {
            here *= LOOP_TIMES;
            l = g->loops[l].parent;
        }
        cost += here;
    }
    return cost;
}

/* For lanes along a dimension. */
static HdStatus shapes_along(HdIrFunc *f, const HdIrGraph *g, unsigned dim, HdArena *a,
                             HdShapes **out)
{
    HdLaneArrays arrays;
    HdStatus st;

    HD_TRY(hd_lanes_no_arrays(f, a, &arrays));
    exchange(f, 0, dim);
    st = hd_shapes(f, g, usual, &arrays, a, out);
    exchange(f, 0, dim);
    return st;
}

HdStatus hd_lanes_memory_cost(HdIrFunc *f, unsigned dim, HdArena *a, double *cost)
{
    HdIrGraph *g;
    HdShapes *s;

    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TRY(shapes_along(f, g, dim, a, &s));
    *cost = memory_cost(g, &(Order){.lanes = s, .dim = dim});
    return HD_OK;
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

HdStatus hd_lanes_vector_dim(HdIrFunc *f, unsigned allowed, HdArena *a, HdIrDims *out)
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
    exchange(f, 0, out->taken);
    return HD_OK;
}

/* Without tiles: the cost by which others are compared. */
static double least_cost(const HdIrGraph *g, HdShapes *const s[3], unsigned lanes)
{
    double least = HUGE_VAL;

    for (unsigned i = 0; i < 3; i++)
        if ((lanes >> i & 1) != 0)
            least = fmin(least, memory_cost(g, &(Order){.lanes = s[i], .dim = i}));
    return least;
}

static bool is_short(const HdIrFunc *f, const HdIrGraph *g)
{
    size_t count = 0;

    for (uint32_t r = 0; r < g->reachable; r++)
        count += f->blocks.at[g->order[r]].insts.count;
    return count <= MOST_TILED;
}

HdStatus hd_lanes_tiles(HdIrFunc *f, unsigned lanes, unsigned rows, HdArena *a, HdTiles *out)
{
    unsigned possible = possible_dims(f);
    HdShapes *s[3] = {NULL};
    double least;
    HdIrGraph *g;

    *out = (HdTiles){.lanes.possible = (uint8_t)possible};
    lanes &= possible;
    rows &= possible;
    if (f->waits.has_barrier || f->waits.needs_fibers || lanes == 0 ||
        ((lanes | rows) & ~1u) == 0 || rows == 0)
        return HD_OK;
    HD_TRY(hd_lanes_one_exit(f, a));
    HD_TRY(hd_ir_graph(f, a, &g));
    if (!is_short(f, g))
        return HD_OK;
    for (unsigned i = 0; i < 3; i++)
        if (((lanes | rows) >> i & 1) != 0)
            HD_TRY(shapes_along(f, g, i, a, &s[i]));
    least = TILES_GAIN * least_cost(g, s, lanes);
    for (unsigned i = 0; i < 9; i++) {
        Order o = {.lanes = s[i / 3], .rows = s[i % 3], .dim = i / 3};
        double cost;

        if (i / 3 == i % 3 || (lanes >> i / 3 & 1) == 0 || (rows >> i % 3 & 1) == 0)
            continue;
        cost = memory_cost(g, &o);
        if (o.count == 0 || cost >= least)
            continue;
        least = cost;
        out->lanes.taken = (uint8_t)(i / 3);
        out->row = (uint8_t)(i % 3);
        out->count = o.count;
    }
    return HD_OK;
}

void hd_lanes_take_tiles(HdIrFunc *f, HdTiles t)
{
    exchange(f, 0, t.lanes.taken);
    exchange(f, 1, t.row == 0 ? t.lanes.taken : t.row);
}
