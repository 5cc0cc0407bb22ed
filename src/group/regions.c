/* group/regions.c -- building the regions of a function: copies of its blocks, with loads at their
 * beginning and stores at their end.
 *
 *     f:  x = ..., A                     region 1, for each sub-group: x = ..., A, store x
 *         barrier                  to    all have come
 *         use x, B                       region 2, for each sub-group: load x, use x, B
 *
 * Of a loop around a barrier each region has a copy of the blocks that it can reach before the next
 * barrier: its end says which region follows, the same one for all sub-groups.
 *
 * A value that a region both begins with and recomputes (in a loop, an iteration after the barrier)
 * lives in a slot there, which LLVM promotes to a register with phis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/regions.h"

#include "base/bitset.h"
#include "group/idle.h"
#include "group/live.h"
#include "ir/each.h"
#include "ir/edit.h"

typedef struct Make {
    const HdCut *cut;
    const HdLive *live;
    const HdIrFunc *f;
    HdIrFunc *w;
    HdArena *a;
    uint32_t region;
    const uint64_t *blocks; /* of the region */
    const uint64_t *in;     /* what it begins with */
    uint32_t prologue;      /* block of w */
    uint32_t at;            /* block of w, where instructions go */
    uint32_t block;         /* of f, being copied */
    uint32_t *first;        /* [blocks] of w */
    HdIrRef *map;           /* [insts] copy; of a SLOT, the region's own */
    HdIrRef *begin;         /* [insts] value at the region's beginning, if ... */
    uint32_t *began;        /* [insts] ... this is region + 1 */
    HdIrRef *slot;          /* [insts] SLOT of a value that is both, 0 = none */
    uint32_t *touched;      /* [insts] SLOT: region + 1 if that region reads or sets it */
    uint32_t *changed;      /* [insts] SLOT: region + 1 when that sets it */
} Make;

static HdIrRef emit(Make *m, uint32_t block, HdIrOp op, HdIrType type, unsigned shape, uint64_t imm,
                    const HdIrRef *args, size_t nargs)
{
    HdIrRef r = hd_ir_emit_sub(m->w, block, op, type, 0, imm, args, nargs);

    hd_ir_inst(m->w, r)->shape = (uint8_t)shape;
    return r;
}

/* The same operation with other operands. */
static HdIrRef copy(Make *m, uint32_t block, HdIrRef v, const HdIrRef *args, size_t nargs)
{
    const HdIrInst *in = &m->f->insts.at[v];
    HdIrRef r = hd_ir_emit_sub(m->w, block, (HdIrOp)in->op, (HdIrType)in->type, in->sub, in->imm,
                               args, nargs);
    HdIrInst *made = hd_ir_inst(m->w, r);

    made->shape = in->shape;
    made->flags = in->flags;
    made->stride = in->stride;
    made->place = in->place;
    /* Private memory outlives barriers. */
    if (in->op == HD_IR_ALLOCA && r != 0) {
        made->op = HD_IR_CONTEXT;
        made->imm = m->live->private_at[v];
    }
    return r;
}

/* ---- where a region begins ------------------------------------------------------------------- */

static bool is_numbered(const Make *m, HdIrRef v, const uint64_t *set)
{
    uint32_t n = m->live->number[v];

    return n != HD_IR_NOWHERE && hd_bit_has(set, n);
}

static HdIrRef load(Make *m, HdIrRef v)
{
    const HdIrInst *in = &m->f->insts.at[v];
    uint32_t n = m->live->number[v];
    HdIrRef r = emit(m, m->prologue, m->live->is_shared[n] ? HD_IR_VAR_GET : HD_IR_CTX_GET,
                     (HdIrType)in->type, in->shape, m->live->at[n], NULL, 0);

    hd_ir_inst(m->w, r)->stride = in->stride;
    return r;
}

/* The value at the beginning of the region. Rematerialised values may be deeply nested: missing
 * operands come first. */
static HdStatus begin(Make *m, HdIrRef v)
{
    HD_ARRAY(HdIrRef) stack = {0};
    uint32_t mark = m->region + 1;

    HD_TRY_PUSH(m->a, &stack, v);
    while (stack.count > 0) {
        HdIrRef x = stack.at[stack.count - 1], *args;
        const HdIrInst *in = &m->f->insts.at[x];
        bool ready = true, again = m->live->remade[x];

        if (m->began[x] == mark) {
            stack.count--;
            continue;
        }
        for (unsigned i = 0; again && i < in->nargs; i++)
            if (m->began[hd_ir_arg(m->f, x, i)] != mark) {
                HD_TRY_PUSH(m->a, &stack, hd_ir_arg(m->f, x, i));
                ready = false;
            }
        if (!ready)
            continue;
        HD_TAKE(args, HD_NEW(m->a, HdIrRef, in->nargs + 1u));
        for (unsigned i = 0; again && i < in->nargs; i++)
            args[i] = m->begin[hd_ir_arg(m->f, x, i)];
        m->begin[x] = again ? copy(m, m->prologue, x, args, in->nargs) : load(m, x);
        m->began[x] = mark;
        stack.count--;
    }
    return m->w->module->failed ? HD_NO_MEMORY : HD_OK;
}

static void set_slot(Make *m, uint32_t block, HdIrRef slot, HdIrRef value)
{
    HdIrRef args[2] = {slot, value};

    emit(m, block, HD_IR_SLOT_SET, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, args, 2);
}

static HdIrRef new_slot(Make *m, HdIrRef like)
{
    const HdIrInst *in = &m->f->insts.at[like];
    HdIrRef r = emit(m, m->prologue, HD_IR_SLOT, (HdIrType)in->type, in->shape, 0, NULL, 0);

    hd_ir_inst(m->w, r)->stride = in->stride;
    return r;
}

static bool is_in_region(const Make *m, HdIrRef v)
{
    return hd_bit_has(m->blocks, m->f->insts.at[v].block);
}

/* Is a slot 0 where the region begins, so that it was not kept? */
static bool begins_zero(const Make *m, HdIrRef v)
{
    return m->region == 0 || !is_numbered(m, v, m->live->nonzero[m->cut->entry[m->region]]);
}

static void find_slots(Make *m)
{
    for (uint32_t r = 0; r < m->cut->g->reachable; r++) {
        const HdIrBlock *block = &m->f->blocks.at[m->cut->g->order[r]];

        for (size_t i = 0; hd_bit_has(m->blocks, m->cut->g->order[r]) && i < block->insts.count;
             i++) {
            const HdIrInst *in = &m->f->insts.at[block->insts.at[i]];

            if (in->op != HD_IR_SLOT_GET && in->op != HD_IR_SLOT_SET)
                continue;
            m->touched[hd_ir_arg(m->f, block->insts.at[i], 0)] = m->region + 1;
            if (in->op == HD_IR_SLOT_SET)
                m->changed[hd_ir_arg(m->f, block->insts.at[i], 0)] = m->region + 1;
        }
    }
}

static HdIrRef zero(Make *m, uint32_t block, HdIrRef like)
{
    return emit(m, block, HD_IR_CONST, (HdIrType)m->f->insts.at[like].type, HD_SHAPE_UNIFORM, 0,
                NULL, 0);
}

/* A slot of the function: its own one in each region, filled with what it held. */
static void begin_slot(Make *m, HdIrRef v)
{
    HdIrRef value;

    if (m->touched[v] != m->region + 1)
        return;
    m->map[v] = new_slot(m, v);
    if (m->region == 0 || !is_numbered(m, v, m->in))
        return;
    /* An unset address points to memory that exists but that nothing is stored to. */
    if (begins_zero(m, v) && m->f->insts.at[v].type == HD_IR_PTR)
        return;
    value = begins_zero(m, v) ? zero(m, m->prologue, v) : load(m, v);
    set_slot(m, m->prologue, m->map[v], value);
}

static HdStatus make_prologue(Make *m)
{
    const HdLive *l = m->live;

    for (uint32_t n = 0; n < l->count; n++) {
        HdIrRef v = l->value[n];

        m->slot[v] = 0;
        if (m->f->insts.at[v].op == HD_IR_SLOT) {
            begin_slot(m, v);
            continue;
        }
        /* The rest is begun where it is used. */
        if (m->region == 0 || !hd_bit_has(m->in, n) || !is_in_region(m, v))
            continue;
        HD_TRY(begin(m, v));
        m->slot[v] = new_slot(m, v);
        set_slot(m, m->prologue, m->slot[v], m->begin[v]);
    }
    return m->w->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* What v is for code at the end of the block being made; 0 without memory. */
static HdIrRef use(Make *m, HdIrRef v)
{
    const HdIrInst *in = &m->f->insts.at[v];
    HdIrRef r;

    if (in->op == HD_IR_CONST || in->op == HD_IR_UNDEF) {
        if (m->began[v] != m->region + 1) {
            m->begin[v] = copy(m, m->prologue, v, NULL, 0);
            m->began[v] = m->region + 1;
        }
        return m->begin[v];
    }
    if (in->op == HD_IR_SLOT || in->block == m->block)
        return m->map[v];
    if (m->region != 0 && is_numbered(m, v, m->in)) {
        if (m->slot[v] == 0) {
            if (begin(m, v) == HD_OK)
                return m->begin[v];
            m->w->module->failed = true;
            return 0;
        }
        r = emit(m, m->at, HD_IR_SLOT_GET, (HdIrType)in->type, in->shape, 0, &m->slot[v], 1);
        hd_ir_inst(m->w, r)->stride = in->stride;
        return r;
    }
    return m->map[v];
}

static HdStatus copy_inst(Make *m, HdIrRef v)
{
    const HdIrInst *in = &m->f->insts.at[v];
    HdIrRef few[8], *args = few;

    if (in->op == HD_IR_SLOT || in->op == HD_IR_CONST || in->op == HD_IR_UNDEF ||
        in->op == HD_IR_BARRIER)
        return HD_OK;
    if (in->op != HD_IR_PHI) {
        if (in->nargs > sizeof few / sizeof *few)
            HD_TAKE(args, HD_NEW(m->a, HdIrRef, in->nargs));
        for (unsigned i = 0; i < in->nargs; i++)
            args[i] = use(m, hd_ir_arg(m->f, v, i));
        m->map[v] = copy(m, m->at, v, args, in->nargs);
    }
    if (m->region != 0 && is_numbered(m, v, m->in) && m->slot[v] != 0)
        set_slot(m, m->at, m->slot[v], m->map[v]);
    return HD_OK;
}

/* Phis come first, so that the edges into them find them. */
static void make_phis(Make *m, uint32_t b)
{
    const HdIrBlock *block = &m->f->blocks.at[b];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i];

        if (m->f->insts.at[v].op != HD_IR_PHI)
            break;
        m->map[v] = copy(m, m->first[b], v, NULL, 0);
    }
}

/* What the phis of a block get from the edge that leads there from the block being made. */
static HdStatus fill_phis(Make *m, uint32_t to)
{
    const HdIrBlock *block = &m->f->blocks.at[to];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i], *args;
        const HdIrInst *in = &m->f->insts.at[v];
        size_t n = hd_ir_inst(m->w, m->map[v])->nargs;

        if (in->op != HD_IR_PHI)
            break;
        for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
            if (hd_ir_arg(m->f, v, k) != m->block)
                continue;
            HD_TAKE(args, HD_NEW(m->a, HdIrRef, n + 2));
            for (size_t x = 0; x < n; x++)
                args[x] = hd_ir_arg(m->w, m->map[v], (unsigned)x);
            args[n] = m->at;
            args[n + 1] = use(m, hd_ir_arg(m->f, v, k + 1));
            hd_ir_set_args(m->w, m->map[v], args, n + 2);
        }
    }
    return HD_OK;
}

/* What a slot of the function holds. */
static HdIrRef held(Make *m, HdIrRef v)
{
    const HdIrInst *in = &m->f->insts.at[v];
    HdIrRef r;

    if (m->touched[v] != m->region + 1)
        return zero(m, m->at, v);
    r = emit(m, m->at, HD_IR_SLOT_GET, (HdIrType)in->type, in->shape, 0, &m->map[v], 1);
    hd_ir_inst(m->w, r)->stride = in->stride;
    return r;
}

/* Keep what this region has computed and the next ones need. What is only passed on stays where it
 * is.
 */
static void keep(Make *m, uint32_t next)
{
    const HdLive *l = m->live;
    uint32_t behind = m->cut->entry[next];

    for (uint32_t n = 0; n < l->count; n++) {
        HdIrRef v = l->value[n], value;
        bool is_slot = m->f->insts.at[v].op == HD_IR_SLOT;

        if (!hd_bit_has(l->in[behind], n) || l->remade[v])
            continue;
        if (is_slot ? !hd_bit_has(l->nonzero[behind], n) ||
                          (m->changed[v] != m->region + 1 && !begins_zero(m, v))
                    : !is_in_region(m, v))
            continue;
        value = is_slot ? held(m, v) : use(m, v);
        emit(m, m->at, l->is_shared[n] ? HD_IR_VAR_SET : HD_IR_CTX_SET, HD_IR_VOID,
             m->f->insts.at[v].shape, l->at[n], &value, 1);
    }
}

static HdStatus make_terminator(Make *m)
{
    const HdIrBlock *b = &m->f->blocks.at[m->block];
    HdIrRef end = b->insts.at[b->insts.count - 1], cond;
    uint32_t next = m->cut->next[m->block];
    HdIrBlock *to;

    if (next != HD_IR_NOWHERE) {
        HdIrRef barrier = hd_group_barrier(m->f, m->block);
        uint64_t is_cut = m->f->insts.at[barrier].sub == HD_GROUP_CUT;

        keep(m, next);
        emit(m, m->at, HD_IR_NEXT, HD_IR_VOID, HD_SHAPE_UNIFORM, next | is_cut << 31, NULL, 0);
        return HD_OK;
    }
    for (uint32_t i = 0; i < b->succ_count; i++) {
        bool seen = false;

        for (uint32_t k = 0; k < i; k++)
            seen = seen || b->succ[k] == b->succ[i];
        if (!seen)
            HD_TRY(fill_phis(m, b->succ[i]));
    }
    cond = m->f->insts.at[end].nargs != 0 ? use(m, hd_ir_arg(m->f, end, 0)) : 0;
    copy(m, m->at, end, &cond, cond != 0);
    to = &m->w->blocks.at[m->at];
    to->succ_count = b->succ_count;
    to->cases = b->cases;
    if (b->succ_count != 0)
        HD_TAKE(to->succ, HD_NEW(m->a, uint32_t, b->succ_count));
    for (uint32_t i = 0; i < b->succ_count; i++)
        to->succ[i] = m->first[b->succ[i]];
    return HD_OK;
}

static HdStatus make_region(Make *m, uint32_t region)
{
    const HdIrGraph *g = m->cut->g;
    HdIrRegion *made = &m->w->regions.at[region];

    m->region = region;
    m->blocks = m->cut->blocks[region];
    m->in = m->live->in[m->cut->entry[region]];
    m->prologue = region == 0 ? 0 : hd_ir_block(m->w);
    made->first = m->prologue;
    for (uint32_t r = 0; r < g->reachable; r++)
        if (hd_bit_has(m->blocks, g->order[r])) {
            m->first[g->order[r]] = hd_ir_block(m->w);
            made->weight += (uint32_t)m->f->blocks.at[g->order[r]].insts.count;
        }
    made->count = (uint32_t)m->w->blocks.count - made->first;
    if (m->w->module->failed)
        return HD_NO_MEMORY;
    find_slots(m);
    HD_TRY(make_prologue(m));
    for (uint32_t r = 0; r < g->reachable; r++)
        if (hd_bit_has(m->blocks, g->order[r]))
            make_phis(m, g->order[r]);
    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *block = &m->f->blocks.at[g->order[r]];

        if (!hd_bit_has(m->blocks, g->order[r]))
            continue;
        m->block = g->order[r];
        m->at = m->first[m->block];
        for (size_t i = 0; i + 1 < block->insts.count; i++)
            HD_TRY(copy_inst(m, block->insts.at[i]));
        HD_TRY(make_terminator(m));
    }
    hd_ir_br(m->w, m->prologue, m->first[m->cut->entry[region]]);
    return m->w->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus make(Make *m)
{
    size_t count = m->f->insts.count;

    HD_TAKE(m->first, HD_NEW(m->a, uint32_t, m->f->blocks.count));
    HD_TAKE(m->touched, HD_NEW(m->a, uint32_t, count));
    HD_TAKE(m->changed, HD_NEW(m->a, uint32_t, count));
    HD_TAKE(m->began, HD_NEW(m->a, uint32_t, count));
    HD_TAKE(m->map, HD_NEW(m->a, HdIrRef, count));
    HD_TAKE(m->begin, HD_NEW(m->a, HdIrRef, count));
    HD_TAKE(m->slot, HD_NEW(m->a, HdIrRef, count));
    HD_TAKE(m->w->regions.at, HD_NEW(m->a, HdIrRegion, m->cut->count));
    m->w->regions.count = m->cut->count;
    for (uint32_t region = 0; region < m->cut->count; region++)
        HD_TRY(make_region(m, region));
    return HD_OK;
}

/* Records begin at a multiple of a cache line or a larger alignment, and an odd one, so that the
 * same value of all sub-groups does not compete for one cache set. */
static uint64_t record_bytes(const HdLive *l)
{
    return ((l->context_bytes + l->context_align - 1) / l->context_align | 1) * l->context_align;
}

static HdStatus cut_up(HdIrFunc *wide, HdArena *a, HdIrFunc **out)
{
    Make m = {.f = wide, .a = a};
    HdIrModule *made;
    HdLive live;
    HdCut cut;

    HD_TRY(hd_group_cut(wide, a, &cut));
    HD_TRY(hd_group_live(&cut, a, &live));
    HD_TAKE(made, hd_ir_module(a));
    made->program = wide->module->program;
    made->apart = wide->module->apart;
    HD_TAKE(m.w, hd_ir_func(made, wide->name));
    m.cut = &cut;
    m.live = &live;
    m.w->is_kernel = true;
    m.w->width = wide->width;
    m.w->lanes.by_rows = wide->lanes.by_rows;
    m.w->lanes.callees = wide->lanes.callees;
    m.w->lanes.callee_count = wide->lanes.callee_count;
    m.w->waits.lanes_wait = wide->waits.lanes_wait;
    m.w->regions.agree = cut.agree;
    m.w->regions.var_types = live.var_types;
    m.w->regions.var_count = live.var_count;
    /* If sub-groups may diverge, the runtime needs contexts next to which it keeps their states. */
    m.w->regions.context_bytes = live.context_bytes == 0 && cut.agree ? 0 : record_bytes(&live);
    m.w->regions.context_align = (uint32_t)live.context_align;
    HD_TRY(make(&m));
    HD_TRY(hd_group_idle(m.w, a));
    *out = m.w;
    return HD_OK;
}

/* What was split off goes back to where it came from: definitions are to come before uses. */
static HdStatus in_order(HdIrFunc *f, HdArena *a)
{
    bool dropped = false;
    HdIrGraph *g;

    HD_TRY(hd_ir_drop_unreachable(f, a, &dropped));
    HD_TRY(hd_ir_graph(f, a, &g));
    return hd_ir_reorder(f, g->order, a);
}

HdStatus hd_group_regions(HdIrFunc *wide, HdArena *a, HdIrFunc **out)
{
    HdStatus st = cut_up(wide, a, out);

    if (st != HD_UNSUPPORTED)
        return st;
    *out = NULL;
    /* Cuts are not barriers. */
    for (HdIrRef r = 1; r < wide->insts.count; r++)
        if (wide->insts.at[r].op == HD_IR_BARRIER && wide->insts.at[r].sub == HD_GROUP_CUT)
            hd_ir_kill(wide, r);
    hd_ir_sweep(wide);
    return in_order(wide, a);
}
