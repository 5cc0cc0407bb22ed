/* opt/rotate.c -- loop rotation: loops that test at their header test at their end instead.
 *
 *     head: if (go on) body else exit        head: if (go on) body else exit
 *     body: ...                         to   body: ...
 *           back to head                           if (go on) body else exit
 *
 * The header is executed once and becomes a guard; a copy of it is placed at the end of the body.
 * An iteration has one jump less, its loads are known to be needed, and loops of unoptimised
 * modules look like those of optimised ones. The same lanes as before iterate together and leave
 * together: only headers without convergent operations are copied.
 *
 * Values of the header that are used elsewhere then come from two places: they go through ALLOCAs,
 * which become phis again, except that cheap ones are recomputed in the body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

#define MOST_HEAD 24u /* operations that are copied */

typedef struct Loop {
    uint32_t loop, head, body, exit, end;
} Loop;

typedef struct Rotate {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdArena *arena;
    HD_ARRAY(Loop) loops;
    uint32_t *headed; /* [blocks] 1 + the loop that it is the head of, of those above; 0: none */
    size_t insts;     /* at the start */
    HdIrRef *again;   /* [insts] a cheap value of a head, worked out in the body; 0: none */
    HdIrRef *kept;    /* [insts] where another value of a head is kept */
} Rotate;

/* ---- which loops ---------------------------------------------------------------------------- */

/* The only block inside that leads back to the head; HD_IR_NOWHERE if there are more. */
static uint32_t end_of(const HdIrGraph *g, uint32_t loop)
{
    uint32_t head = g->loops[loop].head, end = HD_IR_NOWHERE;

    for (uint32_t e = g->pred_first[head]; e < g->pred_first[head + 1]; e++) {
        if (!hd_ir_loop_holds(g, loop, g->pred[e]))
            continue;
        if (end != HD_IR_NOWHERE)
            return HD_IR_NOWHERE;
        end = g->pred[e];
    }
    return end;
}

static bool may_copy(const HdIrFunc *f, uint32_t head)
{
    const HdIrBlock *b = &f->blocks.at[head];
    unsigned count = 0;

    for (size_t i = 0; i < b->insts.count; i++) {
        unsigned op = f->insts.at[b->insts.at[i]].op;

        count += op != HD_IR_PHI;
        if (hd_ir_op_is_convergent(op))
            return false;
    }
    return count <= MOST_HEAD;
}

static bool can_rotate(const Rotate *s, uint32_t loop, Loop *out)
{
    const HdIrGraph *g = s->g;
    uint32_t head = g->loops[loop].head, end = end_of(g, loop), inside;
    const HdIrBlock *b = &s->f->blocks.at[head];

    if (g->loops[loop].irreducible || end == HD_IR_NOWHERE || end == head ||
        g->loop[head] != loop || g->loop[end] != loop)
        return false;
    if (s->f->insts.at[hd_ir_last(s->f, end)].op != HD_IR_BR ||
        s->f->insts.at[hd_ir_last(s->f, head)].op != HD_IR_CONDBR)
        return false;
    inside = hd_ir_loop_holds(g, loop, b->succ[0]) ? 0 : 1;
    *out = (Loop){loop, head, b->succ[inside], b->succ[1 - inside], end};
    return hd_ir_loop_holds(g, loop, out->body) && !hd_ir_loop_holds(g, loop, out->exit) &&
           g->loop[out->body] == loop &&
           g->pred_first[out->body + 1] - g->pred_first[out->body] == 1 && may_copy(s->f, head);
}

/* Does a branch lead out of its loop? */
static bool leaves(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, uint32_t b)
{
    return hd_ir_loop_holds(g, loop, f->blocks.at[b].succ[0]) !=
           hd_ir_loop_holds(g, loop, f->blocks.at[b].succ[1]);
}

/* Loops that share no block at which they are changed: others have their turn in another run. */
static HdStatus find_loops(Rotate *s)
{
    uint8_t *taken;

    HD_TAKE(taken, HD_NEW(s->arena, uint8_t, s->g->count));
    HD_TAKE(s->headed, HD_NEW(s->arena, uint32_t, s->g->count));
    for (uint32_t l = s->g->loop_count; l-- > 0;) {
        Loop x;

        if (!can_rotate(s, l, &x) || taken[x.head] || taken[x.body] || taken[x.exit] ||
            taken[x.end])
            continue;
        taken[x.head] = taken[x.body] = taken[x.exit] = taken[x.end] = 1;
        HD_TRY_PUSH(s->arena, &s->loops, x);
        s->headed[x.head] = (uint32_t)s->loops.count;
    }
    return HD_OK;
}

/* Does a block only compute? */
static bool is_pure(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];

    for (size_t i = 0; i + 1 < b->insts.count; i++)
        if (!hd_ir_op_is_pure(f->insts.at[b->insts.at[i]].op))
            return false;
    return true;
}

/* Loops that also exit at their end get a latch block that only branches back: those whose header
 * only tests whether to do what is done at the end, as either test could be the first one. */
static HdStatus split_ends(HdIrFunc *f, const HdIrGraph *g, bool *split)
{
    for (uint32_t l = 0; l < g->loop_count; l++) {
        uint32_t head = g->loops[l].head, end = end_of(g, l), back;

        if (g->loops[l].irreducible || end == HD_IR_NOWHERE || end == head || g->loop[end] != l ||
            g->loop[head] != l || f->insts.at[hd_ir_last(f, head)].op != HD_IR_CONDBR ||
            f->insts.at[hd_ir_last(f, end)].op != HD_IR_CONDBR ||
            f->blocks.at[end].succ[0] == f->blocks.at[end].succ[1] || !leaves(f, g, l, head) ||
            !may_copy(f, head) || !is_pure(f, head) || is_pure(f, end))
            continue;
        back = hd_ir_split_edge(f, end, head, f->blocks.at[end].rank);
        if (back == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        hd_ir_br(f, back, head);
        *split = true;
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- values of heads ------------------------------------------------------------------------ */

/* A copy of an instruction at index `at` of `block`, with operands replaced by what `with` has. */
static HdStatus copy(Rotate *s, HdIrRef r, uint32_t block, size_t at, const HdIrRef *with,
                     HdIrRef *out)
{
    HdIrFunc *f = s->f;
    HdIrInst in = f->insts.at[r];
    HdIrRef args[8], *to = args;

    if (in.nargs > 8)
        HD_TAKE(to, HD_NEW(s->arena, HdIrRef, in.nargs));
    for (unsigned k = 0; k < in.nargs; k++) {
        HdIrRef a = hd_ir_arg(f, r, k);

        to[k] = a < s->insts && with[a] != 0 ? with[a] : a;
    }
    HD_TAKE(*out, hd_ir_insert(f, block, at, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, to,
                               in.nargs));
    f->insts.at[*out].flags = in.flags;
    f->insts.at[*out].place = in.place;
    return HD_OK;
}

/* Parts of what another instruction of the block gives stay with it. */
static bool is_part(unsigned op)
{
    return op == HD_IR_RESULT || op == HD_IR_PART;
}

/* Work cheap values of the head out again at the start of the body, those used nowhere too. */
static HdStatus repeat_in_body(Rotate *s, const Loop *l)
{
    const HdIrBlock *head = &s->f->blocks.at[l->head];
    size_t at = hd_ir_phi_count(s->f, l->body);

    for (size_t i = 0; i < head->insts.count; i++) {
        HdIrRef r = head->insts.at[i];
        const HdIrInst *in = &s->f->insts.at[r];

        if (in->op == HD_IR_PHI || !hd_ir_op_is_pure(in->op) || hd_ir_op_is_costly(in->op) ||
            is_part(in->op))
            continue;
        HD_TRY(copy(s, r, l->body, at++, s->again, &s->again[r]));
        head = &s->f->blocks.at[l->head];
    }
    return HD_OK;
}

/* Operand k of an instruction, if it is of a head and the instruction is somewhere else. */
static HdStatus mend_use(Rotate *s, uint32_t block, size_t *at, unsigned k)
{
    HdIrFunc *f = s->f;
    HdIrRef user = f->blocks.at[block].insts.at[*at], value = hd_ir_arg(f, user, k);
    uint32_t home = value < s->insts ? f->insts.at[value].block : HD_IR_NOWHERE;
    uint32_t place = f->insts.at[user].op == HD_IR_PHI ? hd_ir_arg(f, user, k - 1) : block;

    if (home == HD_IR_NOWHERE || home >= s->g->count || s->headed[home] == 0 || place == home)
        return HD_OK;
    if (s->again[value] != 0 &&
        hd_ir_loop_holds(s->g, s->loops.at[s->headed[home] - 1].loop, place)) {
        hd_ir_args(f, user)[k] = s->again[value];
        return HD_OK;
    }
    return hd_ir_fetch(f, s->kept, block, at, k);
}

static HdStatus mend_uses(Rotate *s)
{
    HdIrFunc *f = s->f;

    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t b = s->g->order[i];

        for (size_t at = 0; at < f->blocks.at[b].insts.count; at++) {
            HdIrRef r = f->blocks.at[b].insts.at[at];
            bool is_phi = f->insts.at[r].op == HD_IR_PHI;

            for (unsigned k = is_phi ? 1 : 0; k < f->insts.at[r].nargs; k += is_phi ? 2 : 1)
                HD_TRY(mend_use(s, b, &at, k));
        }
    }
    return HD_OK;
}

/* ---- the copy at the end -------------------------------------------------------------------- */

/* The phis of a block that the head leads to: from the end as well. */
static HdStatus widen(Rotate *s, const Loop *l, uint32_t block, const HdIrRef *with)
{
    HdIrFunc *f = s->f;

    for (size_t i = 0; i < f->blocks.at[block].insts.count; i++) {
        HdIrRef r = f->blocks.at[block].insts.at[i], v, *args;
        unsigned n = f->insts.at[r].nargs;

        if (f->insts.at[r].op != HD_IR_PHI)
            break;
        v = hd_ir_phi_value(f, r, l->head);
        HD_TAKE(args, HD_NEW(s->arena, HdIrRef, n + 2u));
        for (unsigned k = 0; k < n; k++)
            args[k] = hd_ir_arg(f, r, k);
        args[n] = l->end;
        args[n + 1] = v < s->insts && with[v] != 0 ? with[v] : v;
        hd_ir_set_args(f, r, args, n + 2);
    }
    return HD_OK;
}

static HdStatus rotate(Rotate *s, const Loop *l)
{
    HdIrFunc *f = s->f;
    HdIrRef *with; /* what the head's values are at the end */
    uint32_t *succ;

    /* Stores of kept values are newer than s->insts, but have no uses. */
    HD_TAKE(with, HD_NEW(s->arena, HdIrRef, s->insts));
    hd_ir_kill(f, hd_ir_last(f, l->end));
    f->blocks.at[l->end].insts.count--;
    for (size_t i = 0; i < f->blocks.at[l->head].insts.count; i++) {
        HdIrRef r = f->blocks.at[l->head].insts.at[i], made;

        if (f->insts.at[r].op == HD_IR_PHI) {
            with[r] = hd_ir_phi_value(f, r, l->end);
            continue;
        }
        HD_TRY(copy(s, r, l->end, f->blocks.at[l->end].insts.count, with, &made));
        if (r < s->insts)
            with[r] = made;
    }
    HD_TAKE(succ, HD_NEW(f->module->arena, uint32_t, 2));
    succ[0] = f->blocks.at[l->head].succ[0];
    succ[1] = f->blocks.at[l->head].succ[1];
    f->blocks.at[l->end].succ = succ;
    f->blocks.at[l->end].succ_count = 2;
    hd_ir_phi_drop(f, l->head, l->end);
    f->blocks.at[l->body].loop_merge = f->blocks.at[l->head].loop_merge;
    f->blocks.at[l->head].loop_merge = HD_IR_NOWHERE;
    HD_TRY(widen(s, l, l->body, with));
    return widen(s, l, l->exit, with);
}

HdStatus hd_opt_rotate(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Rotate s = {.f = f, .arena = scratch};
    HdIrGraph *g;
    bool split = false;

    HD_TRY(hd_ir_graph(f, scratch, &g));
    HD_TRY(split_ends(f, g, &split));
    if (split)
        HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    s.insts = f->insts.count;
    HD_TRY(find_loops(&s));
    if (s.loops.count == 0)
        return HD_OK;
    HD_TAKE(s.again, HD_NEW(scratch, HdIrRef, s.insts));
    HD_TAKE(s.kept, HD_NEW(scratch, HdIrRef, s.insts));
    for (size_t i = 0; i < s.loops.count; i++)
        HD_TRY(repeat_in_body(&s, &s.loops.at[i]));
    HD_TRY(mend_uses(&s));
    for (size_t i = 0; i < s.loops.count; i++)
        HD_TRY(rotate(&s, &s.loops.at[i]));
    *changed = true;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
