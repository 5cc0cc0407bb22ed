/* lanes/shape_at.c -- the shape of a value where it is used.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/shape.h"

bool hd_shape_is_temporal(const HdShapes *s, HdIrRef v, uint32_t use)
{
    uint32_t def = s->f->insts.at[v].block;

    if (def == HD_IR_NOWHERE || def == use)
        return false;
    for (uint32_t l = s->g->loop[def]; l != HD_IR_NOWHERE; l = s->g->loops[l].parent) {
        if (s->loop_tangled[l])
            return true;
        if (s->loop_leaves[l] && !hd_ir_loop_holds(s->g, l, use))
            return true;
    }
    return false;
}

HdShape hd_shape_at(const HdShapes *s, HdIrRef v, uint32_t use)
{
    HdShape shape = s->of[v];

    if (s->target.width > 1 && hd_shape_is_temporal(s, v, use))
        return (HdShape){.kind = HD_SHAPE_VARYING, .seen = shape.seen, .small = shape.small};
    return shape;
}
