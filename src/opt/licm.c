/* opt/licm.c -- loop-invariant code motion.
 *
 * Inner loops first, so that a value can be hoisted out of several. Costly operations and loads
 * only move if the loop executes them whenever it is entered: no division is hoisted past its
 * condition, no load past the check that guards its memory. A loop without a preheader gets one; it
 * shares the header's rank and precedes it by the shape of the graph.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "opt/pass.h"

typedef struct Licm {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    uint16_t *writes;  /* [loops] kinds of memory written */
    uint32_t *loop_of; /* [insts] innermost loop that it is in now */
    bool changed;
} Licm;

/* The last block that is executed on every path out of a loop, HD_IR_NOWHERE if there is none. */
static uint32_t before_exits(const Licm *s, uint32_t loop)
{
    const struct HdIrLoop *l = &s->g->loops[loop];
    uint32_t common = HD_IR_NOWHERE;

    for (uint32_t i = l->first; i <= l->last; i++) {
        uint32_t b = s->g->order[i];
        const HdIrBlock *block = &s->f->blocks.at[b];
        bool exits = block->succ_count == 0;

        for (uint32_t k = 0; k < block->succ_count; k++)
            exits = exits || !hd_ir_loop_holds(s->g, loop, block->succ[k]);
        if (exits && common == HD_IR_NOWHERE)
            common = b;
        while (exits && !hd_ir_dominates(s->g, common, b))
            common = s->g->idom[common];
    }
    return common;
}

/* Is the value computed outside the loop by now? */
static bool is_outside(const Licm *s, uint32_t loop, HdIrRef value)
{
    const struct HdIrLoop *l = &s->g->loops[loop];
    uint32_t at = s->loop_of[value];

    return at == HD_IR_NOWHERE || s->g->loops[at].first < l->first ||
           s->g->loops[at].first > l->last;
}

static bool may_move(const Licm *s, uint32_t loop, HdIrRef r, bool always)
{
    const HdIrInst *in = hd_ir_inst(s->f, r);

    if (in->op == HD_IR_LOAD) {
        unsigned kinds = (in->flags & HD_IR_INVARIANT) != 0
                             ? 0
                             : hd_ir_memory_at(s->f, hd_ir_arg(s->f, r, 0), in->sub);

        if (!always || (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) != 0 ||
            (kinds & s->writes[loop]) != 0)
            return false;
    } else if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI || in->op == HD_IR_RESULT ||
               in->op == HD_IR_SLOT || in->op == HD_IR_ALLOCA ||
               (hd_ir_op_is_costly(in->op) && !always)) {
        return false;
    }
    for (unsigned k = 0; k < in->nargs; k++)
        if (!is_outside(s, loop, hd_ir_arg(s->f, r, k)))
            return false;
    return true;
}

/* The preheader of a loop: a block whose only successor is the header. HD_IR_NOWHERE: none. */
static uint32_t preheader(const Licm *s, uint32_t loop)
{
    uint32_t head = s->g->loops[loop].head, found = HD_IR_NOWHERE;

    for (uint32_t e = s->g->pred_first[head]; e < s->g->pred_first[head + 1]; e++) {
        uint32_t p = s->g->pred[e];

        if (hd_ir_loop_holds(s->g, loop, p))
            continue;
        if (found != HD_IR_NOWHERE || s->f->blocks.at[p].succ_count != 1)
            return HD_IR_NOWHERE;
        found = p;
    }
    return found;
}

static HdStatus move_out(Licm *s, uint32_t loop)
{
    HdIrFunc *f = s->f;
    const struct HdIrLoop *l = &s->g->loops[loop];
    uint32_t to = preheader(s, loop);
    uint32_t last = before_exits(s, loop);
    HdIrRef branch;
    HdIrBlock *front;

    if (to == HD_IR_NOWHERE || l->irreducible)
        return HD_OK;
    front = &f->blocks.at[to];
    branch = front->insts.at[--front->insts.count];
    for (uint32_t i = l->first; i <= l->last; i++) {
        uint32_t b = s->g->order[i];
        HdIrBlock *block = &f->blocks.at[b];
        /* whenever the loop is entered, and at least once before it is left */
        bool always = b == l->head || (last != HD_IR_NOWHERE && hd_ir_dominates(s->g, b, last));
        size_t kept = 0;

        if (s->g->loop[b] != loop)
            continue; /* what did not leave an inner loop cannot leave this one */
        for (size_t k = 0; k < block->insts.count; k++) {
            HdIrRef r = block->insts.at[k];

            if (!may_move(s, loop, r, always)) {
                block->insts.at[kept++] = r;
                /* after a barrier or the like, reaching this point involves waiting */
                if (hd_ir_op_has_effects(f->insts.at[r].op))
                    always = false;
                continue;
            }
            f->insts.at[r].block = to;
            s->loop_of[r] = s->g->loops[loop].parent;
            HD_TRY_PUSH(f->module->arena, &front->insts, r);
            s->changed = true;
        }
        block->insts.count = kept;
    }
    HD_TRY_PUSH(f->module->arena, &front->insts, branch);
    return HD_OK;
}

/* Split the phis of a loop header: values from outside meet in the new block. */
static HdStatus split_phis(HdIrFunc *f, HdArena *a, const HdIrGraph *g, uint32_t loop,
                           uint32_t front)
{
    const struct HdIrLoop *l = &g->loops[loop];

    for (size_t i = 0; i < f->blocks.at[l->head].insts.count; i++) {
        HdIrRef r = f->blocks.at[l->head].insts.at[i], *in, *out, value;
        unsigned n = f->insts.at[r].nargs, ins = 0, outs = 0;

        if (f->insts.at[r].op != HD_IR_PHI)
            break;
        HD_TAKE(in, HD_NEW(a, HdIrRef, (size_t)n + 2));
        HD_TAKE(out, HD_NEW(a, HdIrRef, (size_t)n + 2));
        for (unsigned k = 0; k + 1 < n; k += 2) {
            bool inside = hd_ir_loop_holds(g, loop, hd_ir_arg(f, r, k));

            (inside ? in : out)[inside ? ins : outs] = hd_ir_arg(f, r, k);
            (inside ? in : out)[(inside ? ins : outs) + 1] = hd_ir_arg(f, r, k + 1);
            *(inside ? &ins : &outs) += 2;
        }
        value = out[1];
        if (outs > 2)
            HD_TAKE(value,
                    hd_ir_emit(f, front, HD_IR_PHI, (HdIrType)f->insts.at[r].type, out, outs));
        in[ins++] = front;
        in[ins++] = value;
        hd_ir_set_args(f, r, in, ins);
    }
    return HD_OK;
}

/* Give every loop that is entered at its head only a block in front. */
static HdStatus add_preheaders(HdIrFunc *f, HdArena *a, const HdIrGraph *g, bool *added)
{
    for (uint32_t loop = 0; loop < g->loop_count; loop++) {
        const struct HdIrLoop *l = &g->loops[loop];
        uint32_t outside = 0, only = 0, front;

        if (l->irreducible)
            continue;
        for (uint32_t e = g->pred_first[l->head]; e < g->pred_first[l->head + 1]; e++) {
            uint32_t at = g->rank[g->pred[e]];

            if (at < l->first || at > l->last) {
                outside++;
                only = g->pred[e];
            }
        }
        if (outside == 0 || (outside == 1 && f->blocks.at[only].succ_count == 1))
            continue;
        front = hd_ir_block(f);
        if (front == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        f->blocks.at[front].rank = f->blocks.at[l->head].rank;
        HD_TRY(split_phis(f, a, g, loop, front));
        for (uint32_t e = g->pred_first[l->head]; e < g->pred_first[l->head + 1]; e++) {
            uint32_t at = g->rank[g->pred[e]];
            HdIrBlock *p = &f->blocks.at[g->pred[e]];

            for (uint32_t k = 0; (at < l->first || at > l->last) && k < p->succ_count; k++)
                if (p->succ[k] == l->head)
                    p->succ[k] = front;
        }
        hd_ir_br(f, front, l->head);
        *added = true;
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_opt_licm(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Licm s = {.f = f, .arena = scratch};
    HdIrGraph *g;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    HD_TRY(hd_ir_graph(f, scratch, &g));
    if (g->loop_count == 0)
        return HD_OK;
    HD_TRY(add_preheaders(f, scratch, g, changed));
    HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    HD_TAKE(s.writes, HD_NEW(scratch, uint16_t, g->loop_count));
    HD_TAKE(s.loop_of, HD_NEW(scratch, uint32_t, f->insts.count));
    for (HdIrEach e = hd_ir_each_reachable(f, g); hd_ir_next(&e);) {
        unsigned written = hd_ir_memory_written(f, e.inst);

        s.loop_of[e.inst] = g->loop[e.block];
        for (uint32_t l = g->loop[e.block]; written != 0 && l != HD_IR_NOWHERE;
             l = g->loops[l].parent)
            s.writes[l] |= (uint16_t)written;
    }
    for (uint32_t l = g->loop_count; l-- > 0;) /* inner ones come later */
        HD_TRY(move_out(&s, l));
    *changed = *changed || s.changed;
    return HD_OK;
}
