/* lanes/callees.c -- functions that a kernel calls: what they guarantee, and the shapes of their
 * arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/callees.h"

#include "ir/edit.h"
#include "lanes/canon.h"

/* Which results would be the same in all lanes, if all parameters were? A caller that finds its own
 * operands to be so takes the first lane's result, whatever other callers do. */
static HdStatus judge_results(HdIrFunc *f, HdLaneTarget target, HdArena *a)
{
    HdShape *params;
    HdLaneArrays arrays;
    HdIrGraph *graph;
    HdShapes *shapes;

    HD_TAKE(params, HD_NEW(a, HdShape, f->param_count + 1));
    for (uint32_t i = 0; i < f->param_count; i++)
        params[i] = (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    target.params = params;
    HD_TAKE(f->callee.result_shapes, HD_NEW(a, uint8_t, f->result_count + 1));
    HD_TRY(hd_lanes_no_arrays(f, a, &arrays));
    HD_TRY(hd_ir_graph(f, a, &graph));
    HD_TRY(hd_shapes(f, graph, target, &arrays, a, &shapes));
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        HdIrRef end = hd_ir_last(f, b);

        if (f->insts.at[end].op != HD_IR_RET)
            continue;
        for (uint32_t i = 0; i < f->result_count; i++)
            f->callee.result_shapes[i] = hd_shape_at(shapes, hd_ir_arg(f, end, i), b).kind;
    }
    return HD_OK;
}

HdStatus hd_lanes_callees(HdIrModule *m, HdLaneTarget target, HdArena *a, HdCallees *out)
{
    HD_TAKE(out->of, HD_NEW(a, HdCallee, m->funcs.count));
    for (size_t i = 0; i < m->called.count; i++) {
        HdIrFunc *f = m->funcs.at[m->called.at[i]];

        HD_TRY(hd_lanes_one_exit(f, a));
        HD_TRY(judge_results(f, target, a));
        HD_TAKE(out->of[m->called.at[i]].params, HD_NEW(a, HdShape, f->param_count + 1));
    }
    return HD_OK;
}

void hd_callee_operand(HdCallee *c, unsigned index, HdShape shape)
{
    HdShape *known = &c->params[index];

    shape.seen = true;
    if (shape.kind > HD_SHAPE_AFFINE ||
        (known->seen && (known->kind != shape.kind || known->stride != shape.stride))) {
        *known = (HdShape){.kind = HD_SHAPE_VARYING, .seen = true};
        return;
    }
    if (known->seen) {
        shape.nsw = shape.nsw && known->nsw;
        shape.nuw = shape.nuw && known->nuw;
        shape.small = shape.small && known->small;
    }
    *known = shape;
}

void hd_callee_lanes(HdCallee *c, bool is_masked)
{
    c->is_called = true;
    c->is_masked = c->is_masked || is_masked;
}
