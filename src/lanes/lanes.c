/* lanes/lanes.c -- building a wide function, from analysis to the last block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/lanes.h"

#include "ir/edit.h"
#include "lanes/along.h"
#include "lanes/canon.h"
#include "lanes/choice.h"
#include "lanes/compare.h"
#include "lanes/gather.h"
#include "lanes/rows.h"
#include "lanes/sparse.h"
#include "lanes/swap.h"
#include "lanes/vector_dim.h"
#include "lanes/version_full.h"
#include "lanes/version_stride.h"
#include "lanes/walk.h"
#include "lanes/widen.h"

/* The ways of a switch at which lanes part, if b is reached by one of them alone; else 0. */
static uint8_t ways_to(const HdWiden *x, uint32_t b)
{
    const HdIrBlock *from;
    uint32_t pred, ways = 0;

    if (x->g->pred_first[b + 1] - x->g->pred_first[b] != 1)
        return 0;
    pred = x->g->pred[x->g->pred_first[b]];
    from = &x->f->blocks.at[pred];
    if (!x->s->varying[pred] || x->f->insts.at[hd_ir_last(x->f, pred)].op != HD_IR_SWITCH)
        return 0;
    for (uint32_t i = 0; i < from->succ_count; i++)
        ways += x->g->pred_first[from->succ[i] + 1] - x->g->pred_first[from->succ[i]] == 1;
    return (uint8_t)(ways < UINT8_MAX ? ways : UINT8_MAX);
}

/* Wide blocks for every block, so that edges can name them before they are made. */
static void make_blocks(HdWiden *x)
{
    for (uint32_t r = 0; r < x->g->reachable; r++) {
        uint32_t b = x->g->order[r];

        x->first[b] = x->body[b] = hd_ir_block(x->w);
        if (x->parts->part[b] != HD_IR_NOWHERE && !x->dispatch && hd_widen_needs_guard(x, b))
            x->body[b] = hd_ir_block(x->w);
        if (x->w->module->failed)
            continue;
        x->w->blocks.at[x->body[b]].along = x->f->blocks.at[b].along;
        x->w->blocks.at[x->body[b]].ways = ways_to(x, b);
    }
    for (uint32_t l = 0; l < x->g->loop_count && !x->w->module->failed; l++) {
        uint32_t head = x->g->loops[l].head;
        bool as_one = !x->s->loop_leaves[l] && !x->s->loop_tangled[l];

        x->w->blocks.at[x->first[head]].as_one = x->w->blocks.at[x->body[head]].as_one = as_one;
    }
}

/* Phis that remain phis exist before the edges that fill them. */
static void make_phis(HdWiden *x)
{
    for (uint32_t r = 0; r < x->g->reachable; r++) {
        uint32_t b = x->g->order[r];
        const HdIrBlock *block = &x->f->blocks.at[b];

        x->at = x->body[b];
        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef v = block->insts.at[i];
            const HdIrInst *in = &x->f->insts.at[v];

            if (in->op != HD_IR_PHI)
                break;
            if (x->phi[v] != 0)
                continue;
            x->map[v] = hd_widen_emit(x, HD_IR_PHI, (HdIrType)in->type, (HdIrShape)x->s->of[v].kind,
                                      0, 0, NULL, 0);
            hd_ir_inst(x->w, x->map[v])->stride = x->s->of[v].stride;
        }
    }
}

/* Mask slots start empty for each sub-group; the dispatcher starts at its first block. */
static void make_prologue(HdWiden *x)
{
    HdIrRef none;

    x->at = 0;
    if (x->w->callee.is_masked) /* after the parameters of the scalar function */
        x->mask_of_all = hd_widen_emit(x, HD_IR_PARAM, HD_IR_BOOL, HD_SHAPE_VARYING, 0,
                                       x->f->param_count, NULL, 0);
    else if (!x->f->callee.is_called && !x->s->target.full && x->s->target.width > 1)
        x->mask_of_all =
            hd_widen_emit(x, HD_IR_ACTIVE, HD_IR_BOOL, HD_SHAPE_VARYING, 0, 0, NULL, 0);
    if (x->dispatch) {
        x->next = hd_widen_emit(x, HD_IR_SLOT, HD_IR_I32, HD_SHAPE_VARYING, 0, 0, NULL, 0);
        return;
    }
    none = hd_ir_const(x->w, 0, HD_IR_BOOL, 0);
    for (uint32_t r = 0; r < x->g->reachable; r++) {
        uint32_t b = x->g->order[r];
        HdIrRef args[2];

        if (x->parts->part[b] == HD_IR_NOWHERE)
            continue;
        args[0] = hd_widen_emit(x, HD_IR_SLOT, HD_IR_BOOL, HD_SHAPE_VARYING, 0, 0, NULL, 0);
        args[1] = none;
        hd_widen_emit(x, HD_IR_SLOT_SET, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, args, 2);
        x->waiting[b] = args[0];
    }
}

/* Does this operation, when some lanes are off, need to know which? */
static bool takes_mask(const HdIrInst *in, HdIrShape shape)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD: return shape != HD_SHAPE_UNIFORM || (in->flags & HD_IR_VOLATILE);
    case HD_IR_STORE:
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET:
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_BARRIER:
    case HD_IR_NAMED_MAKE:
    case HD_IR_NAMED_WAIT:
    case HD_IR_COLLECTIVE:
    case HD_IR_IMAGE_GET:
    case HD_IR_IMAGE_PUT:
    case HD_IR_RTCALL:
    case HD_IR_CALL: return true;
    default: return false;
    }
}

/* What the called function may count on. */
static void note_call(HdWiden *x, HdIrRef v, const HdIrRef *args)
{
    const HdIrInst *in = &x->f->insts.at[v];
    HdCallee *c = &x->callees->of[in->imm];

    hd_callee_lanes(c, x->mask != 0);
    for (unsigned i = 0; i < in->nargs; i++) {
        const HdIrInst *given = hd_ir_inst(x->w, args[i]);
        HdShape shape = hd_shape_at(x->s, hd_ir_arg(x->f, v, i), in->block);

        if (given->shape != shape.kind ||
            (shape.kind != HD_SHAPE_UNIFORM && given->stride != shape.stride))
            shape.kind = HD_SHAPE_VARYING;
        hd_callee_operand(c, i, shape);
    }
}

/* All are it where not any is not. */
static HdIrRef make_all(HdWiden *x, HdIrRef cond)
{
    HdIrRef args[2] = {cond,
                       hd_widen_emit(x, HD_IR_CONST, HD_IR_BOOL, HD_SHAPE_UNIFORM, 0, 1, NULL, 0)};
    HdIrShape shape = (HdIrShape)hd_ir_inst(x->w, cond)->shape;

    args[0] = hd_widen_emit(x, HD_IR_XOR, HD_IR_BOOL, shape, 0, 0, args, 2);
    args[0] = hd_widen_and(x, x->mask, args[0]);
    args[0] = hd_widen_emit(x, HD_IR_ANY, HD_IR_BOOL, HD_SHAPE_UNIFORM, 0, 0, args, 1);
    return hd_widen_emit(x, HD_IR_XOR, HD_IR_BOOL, HD_SHAPE_UNIFORM, 0, 0, args, 2);
}

/* The lower 32 bits of what a comparison needs no more of. */
static HdIrRef make_small(HdWiden *x, HdIrRef wide)
{
    const HdIrInst *in = hd_ir_inst(x->w, wide);
    HdIrShape shape = (HdIrShape)in->shape;
    int64_t stride = in->stride;
    HdIrRef r;

    if (shape != HD_SHAPE_UNIFORM && shape != HD_SHAPE_AFFINE)
        shape = HD_SHAPE_VARYING;
    r = hd_widen_emit(x, HD_IR_TRUNC, HD_IR_I32, shape, 0, 0, &wide, 1);
    hd_ir_inst(x->w, r)->stride = shape == HD_SHAPE_AFFINE ? stride : 0;
    return r;
}

/* The wide form of instruction v of the scalar function, at the end of the current block: operands
 * are the wide values that were defined before, and what only some lanes may do gets x->mask as its
 * last operand. Defines v for later users (hd_widen_define); a phi with a slot becomes a load of
 * it. Terminators are not made here (lanes/flow.c).
 * Errors: HD_NO_MEMORY. */
static HdStatus make_inst(HdWiden *x, HdIrRef v, HdArena *a)
{
    const HdIrInst *in = &x->f->insts.at[v];
    HdIrRef few[8], *args = few, r;
    unsigned n = in->nargs;
    HdIrInst *made;

    if (in->op == HD_IR_PHI) {
        if (x->phi[v] == 0) {
            hd_widen_define(x, v, x->map[v]);
            return HD_OK;
        }
        r = hd_widen_emit(x, HD_IR_SLOT_GET, (HdIrType)in->type,
                          (HdIrShape)hd_ir_inst(x->w, x->phi[v])->shape, 0, 0, &x->phi[v], 1);
        hd_ir_inst(x->w, r)->stride = x->s->of[v].stride;
        hd_widen_define(x, v, r);
        return HD_OK;
    }
    if (n + 1 > sizeof few / sizeof *few)
        HD_TAKE(args, HD_NEW(a, HdIrRef, n + 1u));
    for (unsigned i = 0; i < n; i++)
        args[i] = hd_widen_use(x, hd_ir_arg(x->f, v, i));
    if (in->op == HD_IR_ALL) {
        hd_widen_define(x, v, make_all(x, args[0]));
        return HD_OK;
    }
    if (in->op == HD_IR_CALL)
        note_call(x, v, args);
    if (hd_lanes_compares_small(x->s, v))
        for (unsigned i = 0; i < n; i++)
            args[i] = make_small(x, args[i]);
    bool masked = x->mask != 0 && takes_mask(in, (HdIrShape)x->s->of[v].kind);

    if (masked)
        args[n++] = x->mask;
    r = hd_widen_emit(x, (HdIrOp)in->op, (HdIrType)in->type, (HdIrShape)x->s->of[v].kind, in->sub,
                      in->imm, args, n);
    made = hd_ir_inst(x->w, r);
    made->flags = in->flags | (masked ? HD_IR_MASKED : 0);
    made->stride = x->s->of[v].stride;
    made->place = in->place;
    if (in->op == HD_IR_ALLOCA && v < x->f->insts.count && x->s->arrays.element[v] != 0)
        made->flags |= HD_IR_INTERLEAVED;
    if (in->op == HD_IR_BARRIER)
        x->w->waits.has_barrier = true;
    hd_widen_define(x, v, r);
    return HD_OK;
}

static void mark_rare(HdWiden *x, uint32_t wide, const HdIrBlock *block)
{
    x->w->blocks.at[wide].seldom = block->seldom;
    x->w->blocks.at[wide].sparse = block->sparse;
}

static HdStatus make_block(HdWiden *x, uint32_t b, HdArena *a)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    size_t before = x->w->blocks.count;

    x->block = b;
    hd_widen_enter(x);
    for (size_t i = 0; i + 1 < block->insts.count; i++)
        HD_TRY(make_inst(x, block->insts.at[i], a));
    HD_TRY(hd_widen_terminator(x, a));
    if (x->w->module->failed)
        return HD_NO_MEMORY;
    mark_rare(x, x->first[b], block);
    mark_rare(x, x->body[b], block);
    for (size_t i = before; i < x->w->blocks.count; i++)
        mark_rare(x, (uint32_t)i, block);
    return HD_OK;
}

/* The dispatcher's choice: the smallest rank among the lanes that exist. */
static HdStatus make_head(HdWiden *x, HdArena *a)
{
    HdIrRef args[2];
    HdIrBlock *wide;

    x->at = x->head;
    args[0] = hd_widen_emit(x, HD_IR_SLOT_GET, HD_IR_I32, HD_SHAPE_VARYING, 0, 0, &x->next, 1);
    args[1] = x->mask_of_all != 0 ? x->mask_of_all : hd_ir_const(x->w, x->at, HD_IR_BOOL, 1);
    args[0] = hd_widen_emit(x, HD_IR_LANE_MIN, HD_IR_I32, HD_SHAPE_UNIFORM, 0, 0, args, 2);
    hd_widen_emit(x, HD_IR_SWITCH, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, args, 1);
    if (x->w->module->failed)
        return HD_NO_MEMORY;
    wide = &x->w->blocks.at[x->head];
    /* The last block of the order is the default: a switch needs one. */
    wide->succ_count = x->g->reachable - 1;
    HD_TAKE(wide->succ, HD_NEW(a, uint32_t, wide->succ_count));
    HD_TAKE(wide->cases, HD_NEW(a, uint64_t, wide->succ_count));
    wide->succ[0] = x->body[x->order[x->g->reachable - 1]];
    for (uint32_t r = 1; r + 1 < x->g->reachable; r++) {
        wide->succ[r] = x->body[x->order[r]];
        wide->cases[r - 1] = r;
    }
    return HD_OK;
}

static HdStatus widen(HdWiden *x, HdArena *a)
{
    size_t blocks = x->f->blocks.count;

    HD_TAKE(x->waiting, HD_NEW(a, HdIrRef, blocks));
    HD_TAKE(x->first, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(x->body, HD_NEW(a, uint32_t, blocks));
    HD_TRY(hd_widen_slots(x, a));
    make_blocks(x);
    x->head = hd_ir_block(x->w);
    if (x->w->module->failed)
        return HD_NO_MEMORY;
    make_prologue(x);
    hd_ir_br(x->w, 0, x->first[0]);
    make_phis(x);
    for (uint32_t r = 0; r < x->g->reachable; r++)
        HD_TRY(make_block(x, x->g->order[r], a));
    if (x->dispatch && x->g->reachable > 1)
        return make_head(x, a);
    /* Where lanes never leave a part the chain ends here, and is never reached. */
    x->at = x->head;
    hd_widen_emit(x, x->f->callee.is_called ? HD_IR_UNREACHABLE : HD_IR_RET, HD_IR_VOID,
                  HD_SHAPE_UNIFORM, 0, 0, NULL, 0);
    return x->w->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Copies for steps of one element, once, and for full sub-groups, one branch after the other: those
 * in a copy are found next. */
static HdStatus copy_full(HdIrFunc *f, HdLaneTarget target, HdArena *a)
{
    uint32_t added = 0;
    HdLaneArrays arrays;
    bool changed = target.width > 1 && !target.dispatch, changed_rows, was_looked_at = target.tiles;
    HdIrGraph *graph;
    HdShapes *shapes;

    while (changed) {
        HD_TRY(hd_lanes_no_arrays(f, a, &arrays));
        HD_TRY(hd_ir_graph(f, a, &graph));
        HD_TRY(hd_shapes(f, graph, target, &arrays, a, &shapes));
        HD_TRY(hd_lanes_swap(f, shapes, &changed));
        if (!changed && !was_looked_at) {
            was_looked_at = true;
            HD_TRY(hd_lanes_version_stride(f, shapes, a, &changed));
        }
        if (!changed)
            HD_TRY(hd_lanes_version_full(f, shapes, a, &added, &changed));
        if (!changed)
            HD_TRY(hd_lanes_choice(f, shapes, &changed));
        if (!changed)
            HD_TRY(hd_lanes_rows(f, shapes, a, &changed_rows));
    }
    return HD_OK;
}

#define MOST_NESTED 4u /* loops in each other that are changed one after the other */

/* The shapes for chains, if in these no lane passes an operation early; else for the dispatcher,
 * which is right for every graph, and slow. */
static HdStatus analyse(const HdIrFunc *f, HdLaneTarget *target, const HdLaneArrays *arrays,
                        HdArena *a, HdIrGraph **graph, HdShapes **shapes)
{
    HdEarly early = {0};

    HD_TRY(hd_ir_graph(f, a, graph));
    HD_TRY(hd_shapes(f, *graph, *target, arrays, a, shapes));
    if (target->width > 1 && !target->dispatch && hd_lanes_gathers_in_loop(f, *graph))
        HD_TRY(hd_lanes_find_early(*shapes, a, &early));
    if (early.loop_of == NULL)
        return HD_OK;
    target->dispatch = true;
    return hd_shapes(f, *graph, *target, arrays, a, shapes);
}

/* See to it that lanes wait for each other where they must. */
static HdStatus gather(HdIrFunc *f, HdLaneTarget *target, HdArena *a)
{
    bool done = target->width > 1 && !target->dispatch;

    for (unsigned i = 0; done && i < MOST_NESTED; i++) {
        HdLaneArrays arrays;
        HdIrGraph *graph;
        HdShapes *shapes;
        HdEarly early;

        HD_TRY(hd_ir_graph(f, a, &graph));
        if (!hd_lanes_gathers_in_loop(f, graph))
            return HD_OK;
        HD_TRY(hd_lanes_no_arrays(f, a, &arrays));
        HD_TRY(hd_shapes(f, graph, *target, &arrays, a, &shapes));
        HD_TRY(hd_lanes_find_early(shapes, a, &early));
        if (early.loop_of == NULL)
            return HD_OK;
        HD_TRY(hd_lanes_gather(f, graph, &early, a, &done));
    }
    return HD_OK;
}

/* Parameters and results of a called function, in its wide form. */
static HdStatus make_signature(const HdIrFunc *f, const HdCallee *c, HdIrFunc *w, HdArena *a)
{
    w->callee.is_called = true;
    w->callee.is_masked = c->is_masked;
    w->result_count = f->result_count;
    w->result_types = f->result_types;
    w->param_count = f->param_count + c->is_masked;
    HD_TAKE(w->callee.result_shapes, HD_NEW(a, uint8_t, w->result_count + 1));
    HD_TAKE(w->param_types, HD_NEW(a, uint8_t, w->param_count + 1));
    HD_TAKE(w->callee.param_shapes, HD_NEW(a, uint8_t, w->param_count + 1));
    for (uint32_t i = 0; i < f->param_count; i++) {
        w->param_types[i] = f->param_types[i];
        w->callee.param_shapes[i] = c->params[i].kind;
    }
    if (c->is_masked) {
        w->param_types[f->param_count] = HD_IR_BOOL;
        w->callee.param_shapes[f->param_count] = HD_SHAPE_VARYING;
    }
    return HD_OK;
}

/* A function with one exit. `callee` is what its callers give it, NULL for a kernel. */
static HdStatus widen_one(HdIrFunc *f, HdLaneTarget target, const HdCallee *callee,
                          HdCallees *callees, HdArena *a, HdDiags *d, HdIrFunc **out)
{
    HdWiden x = {.f = f, .callees = callees};
    HdGatherOrder order;
    HdIrModule *made;
    HdIrGraph *graph;
    HdShapes *shapes;
    HdParts *parts;
    HdLaneArrays arrays;
    HdStatus st;

    target.params = callee != NULL ? callee->params : NULL;
    HD_TRY(gather(f, &target, a));
    HD_TRY(copy_full(f, target, a));
    HD_TRY(hd_lanes_private(f, target.width, a, &arrays));
    HD_TRY(analyse(f, &target, &arrays, a, &graph, &shapes));
    hd_lanes_sparse(f, shapes);
    HD_TRY(hd_lanes_parts(shapes, a, &parts));
    HD_TRY(hd_lanes_order(f, graph, a, &order));
    x.turn = order.turn;
    x.order = order.order;
    HD_TAKE(made, hd_ir_module(a));
    made->program = f->module->program;
    made->apart = f->module->apart;
    HD_TAKE(x.w, hd_ir_func(made, f->name));
    x.w->is_kernel = callee == NULL;
    x.w->width = target.width;
    x.w->lanes.by_rows = target.by_rows && target.width > 1;
    x.w->waits.needs_fibers = f->waits.needs_fibers;
    x.w->waits.lanes_wait = f->waits.lanes_wait;
    x.w->lanes.has_rows = f->lanes.has_rows;
    x.w->lanes.rows_once = f->lanes.rows_once;
    x.w->stride = f->stride;
    if (callee != NULL)
        HD_TRY(make_signature(f, callee, x.w, a));
    x.s = shapes;
    x.g = graph;
    x.parts = parts;
    x.dispatch = target.dispatch && target.width > 1;
    st = widen(&x, a);
    if (made->failed)
        return HD_NO_MEMORY; /* missing values for that are not a bug */
    if (st == HD_BUG)
        return hd_fail(d, HD_BUG, HD_NO_PLACE, "lanes.phi",
                       "a phi of function '%s' lacks a predecessor's value", f->name);
    *out = x.w;
    return st;
}

HdStatus hd_lanes_widen(HdIrFunc *f, HdLaneTarget target, HdArena *a, HdDiags *d, HdIrFunc **out)
{
    HdIrModule *m = f->module;
    HdCallees callees = {0};
    HdIrFunc **made;
    HdIrDims dims;

    HD_TRY(hd_lanes_one_exit(f, a));
    HD_TRY(hd_lanes_vector_dim(f, target.dims, a, &dims));
    HD_TRY(hd_lanes_along(f, target.width == 1, a));
    HD_TRY(hd_lanes_walk(f, a));
    HD_TRY(hd_lanes_callees(m, target, a, &callees));
    HD_TRY(widen_one(f, target, NULL, &callees, a, d, out));
    (*out)->lanes.dims = dims;
    if (m->called.count == 0)
        return HD_OK;
    HD_TAKE(made, HD_NEW(a, HdIrFunc *, m->funcs.count));
    for (size_t i = m->called.count; i-- > 0;) { /* callers first */
        uint32_t number = m->called.at[i];

        if (callees.of[number].is_called)
            HD_TRY(widen_one(m->funcs.at[number], target, &callees.of[number], &callees, a, d,
                             &made[number]));
    }
    (*out)->lanes.callees = made;
    (*out)->lanes.callee_count = (uint32_t)m->funcs.count;
    return HD_OK;
}
