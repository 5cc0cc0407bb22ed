/* lanes/coarsen.c -- unroll and jam: one work-item computes several rows.
 *
 * In a matrix product, or a filter, work-items that are neighbours in y load much of the same data:
 * a vector of b[k * n + x] serves every row. So one work-item does the work of several rows, in one
 * loop (unroll and jam of the launch's implicit loop over y). Whatever does not depend on y exists
 * once; more independent sums, and fewer loads for each of them, keep the multipliers busy.
 *
 * All rows must take the same path. Branches that depend on y are allowed where nothing has been
 * stored yet, outside loops: if the rows would diverge (and at the end of the NDRange, where some
 * are missing) the work-item restarts, with a loop that computes one row after another.
 *
 * With barriers the rows are those of a work-group, a number that divides it. They cannot restart,
 * but between barriers they may diverge: the piece of the kernel after a branch that depends on y
 * is replicated for each row, one copy after another (lanes/pieces.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/coarsen.h"

#include <string.h>

#include "ir/copy.h"
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "lanes/bounds.h"
#include "lanes/canon.h"
#include "lanes/pieces.h"
#include "lanes/row_loop.h"
#include "lanes/vector_dim.h"
#include "lanes/version.h"
#include "lanes/version_rows.h"

#define MOST_INSTS  400u  /* of a kernel that is worth it */
#define MOST_PARTED 4u    /* branches that depend on y */
#define MOST_SHARED 1500u /* instructions of a kernel with barriers */

typedef struct Jam {
    HdIrFunc *f;
    unsigned rows;
    uint32_t body, exit, blocks;      /* what the entry leads to; the end; blocks up to these */
    bool *inside;                     /* [blocks] between entry and exit */
    size_t count;                     /* instructions that there were */
    bool *differs;                    /* [count] replicated for each row */
    HdIrRef *of_row[HD_COARSEN_MOST]; /* [count] that one, of all rows but the first */
    HdPieces pieces;                  /* where rows may part, with barriers */
} Jam;

/* ---- may it be ----------------------------------------------------------------------------------
 */

static bool is_id(const HdIrInst *in, unsigned dim)
{
    return in->op == HD_IR_BUILTIN && in->imm == dim &&
           (in->sub == HD_BUILTIN_GLOBAL_ID || in->sub == HD_BUILTIN_LOCAL_ID);
}

/* Something that is done once where no row differs, and for each row in any order with others'. */
static bool is_independent(const HdIrInst *in, bool in_groups)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_BUILTIN:
        return in->sub == HD_BUILTIN_GLOBAL_ID || in->sub == HD_BUILTIN_GLOBAL_SIZE ||
               in->sub == HD_BUILTIN_GLOBAL_OFFSET || in->sub == HD_BUILTIN_WORK_DIM ||
               (in_groups && in->sub <= HD_BUILTIN_NUM_GROUPS);
    case HD_IR_BARRIER:
    case HD_IR_LOCAL_ADDR: return in_groups;
    case HD_IR_LOAD:
    case HD_IR_STORE: return (in->flags & HD_IR_VOLATILE) == 0 && in->sub != HD_SPACE_PRIVATE;
    case HD_IR_BR:
    case HD_IR_CONDBR:
    case HD_IR_SWITCH:
    case HD_IR_RET: return true;
    case HD_IR_ALLOCA: return false;
    default: return hd_ir_op_is_pure(in->op);
    }
}

/* What is derived from an id in a dimension, itself included, or from what is marked as such. */
static void find_made_of_id(const HdIrFunc *f, const HdIrGraph *g, unsigned dim, bool *made)
{
    for (bool again = true; again;) {
        again = false;
        for (HdIrEach e = hd_ir_each_reachable(f, g); hd_ir_next(&e);) {
            HdIrRef v = e.inst;
            const HdIrInst *in = &f->insts.at[v];
            bool is = made[v] || is_id(in, dim);

            /* that all of them agree is the same for all */
            for (unsigned k = 0; k < in->nargs && !is && in->op != HD_IR_ALL; k++)
                is = hd_ir_arg_is_value(in, k) && made[hd_ir_arg(f, v, k)];
            again = again || is != made[v];
            made[v] = is;
        }
    }
}

static HdStatus made_of_id(const HdIrFunc *f, const HdIrGraph *g, unsigned dim, HdArena *a,
                           bool **out)
{
    HD_TAKE(*out, HD_NEW(a, bool, f->insts.count));
    find_made_of_id(f, g, dim, *out);
    return HD_OK;
}

/* What rows that may go different ways bring to where these meet. True: some of it is new. */
static bool note_joined(const HdIrFunc *f, const HdIrGraph *g, bool *differs)
{
    bool changed = false;

    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t join = g->ipdom[g->order[r]];

        if (join == HD_IR_NOWHERE || !hd_lanes_parts_rows(f, differs, g->order[r]))
            continue;
        for (size_t i = 0; i < f->blocks.at[join].insts.count; i++) {
            HdIrRef v = f->blocks.at[join].insts.at[i];

            if (f->insts.at[v].op != HD_IR_PHI)
                break;
            changed = changed || !differs[v];
            differs[v] = true;
        }
    }
    return changed;
}

/* What is replicated for each row, and where rows may diverge, in a kernel with barriers. */
static HdStatus find_pieces(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, bool **differs,
                            HdPieces *out, bool *found)
{
    HD_TRY(made_of_id(f, g, 1, a, differs));
    while (note_joined(f, g, *differs))
        find_made_of_id(f, g, 1, *differs);
    return hd_lanes_pieces(f, g, *differs, a, out, found);
}

/* Does a loop load something along x that all rows share? */
static HdStatus find_shared(const HdIrFunc *f, const HdIrGraph *g, const bool *differs, HdArena *a,
                            bool *shares)
{
    bool *varies;

    HD_TRY(made_of_id(f, g, 0, a, &varies));
    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *block = &f->blocks.at[g->order[r]];

        for (size_t i = 0; i < block->insts.count && g->loop[g->order[r]] != HD_IR_NOWHERE; i++) {
            HdIrRef v = block->insts.at[i];

            *shares = *shares || (f->insts.at[v].op == HD_IR_LOAD && varies[v] && !differs[v]);
        }
    }
    return HD_OK;
}

static HdStatus may_coarsen_groups(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, bool *may,
                                   bool *shares)
{
    bool has_rows = false, *differs;
    size_t count = 0;
    HdPieces pieces;

    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *block = &f->blocks.at[g->order[r]];

        for (size_t i = 0; i < block->insts.count; i++) {
            const HdIrInst *in = &f->insts.at[block->insts.at[i]];

            if (!is_independent(in, true))
                return HD_OK;
            has_rows = has_rows || is_id(in, 1);
        }
        count += block->insts.count;
    }
    if (!has_rows || count > MOST_SHARED)
        return HD_OK;
    HD_TRY(find_pieces(f, g, a, &differs, &pieces, may));
    return *may ? find_shared(f, g, differs, a, shares) : HD_OK;
}

HdStatus hd_lanes_may_coarsen(const HdIrFunc *f, HdArena *a, bool *may, bool *shares)
{
    bool has_rows = false, *differs, *late;
    unsigned parted = 0;
    size_t count = 0;
    HdIrGraph *g;

    *may = *shares = false;
    if (f->module->called.count != 0 || f->waits.needs_fibers || f->stride.bytes != 0 ||
        !hd_lanes_is_free(f, HD_BUILTIN_WORK_DIM))
        return HD_OK;
    HD_TRY(hd_ir_graph(f, a, &g));
    if (f->waits.has_barrier)
        return may_coarsen_groups(f, g, a, may, shares);
    HD_TRY(made_of_id(f, g, 1, a, &differs));
    HD_TRY(hd_lanes_late(f, g, a, &late));
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];
        const HdIrBlock *block = &f->blocks.at[b];
        bool is_in_loop = g->loop[b] != HD_IR_NOWHERE;

        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef v = block->insts.at[i];
            const HdIrInst *in = &f->insts.at[v];

            if (!is_independent(in, false))
                return HD_OK;
            has_rows = has_rows || differs[v];
        }
        count += block->insts.count;
        if (!hd_lanes_parts_rows(f, differs, b))
            continue;
        parted++;
        if (is_in_loop || late[b] || hd_lanes_stores(f, b))
            return HD_OK;
    }
    *may = has_rows && parted <= MOST_PARTED && count <= MOST_INSTS;
    return *may ? find_shared(f, g, differs, a, shares) : HD_OK;
}

/* ---- rows together ------------------------------------------------------------------------------
 */

static HdStatus put_row(Jam *x, HdIrRef v, uint32_t block, unsigned row)
{
    HdIrInst in = x->f->insts.at[v];
    HdIrRef few[8], *args = few, r;

    if (in.nargs > sizeof few / sizeof *few)
        HD_TAKE(args, HD_NEW(x->f->module->arena, HdIrRef, in.nargs));
    if (in.nargs != 0)
        memcpy(args, hd_ir_args(x->f, v), in.nargs * sizeof *args);
    r = hd_ir_make(x->f, block, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
    if (r == 0)
        return HD_NO_MEMORY;
    hd_ir_inst(x->f, r)->flags = in.flags;
    hd_ir_inst(x->f, r)->place = in.place;
    x->of_row[row][v] = r;
    return HD_OK;
}

/* Behind each instruction of a block that differs those of the other rows. */
static HdStatus put_rows(Jam *x, uint32_t b)
{
    HdArena *a = x->f->module->arena;
    HdIrBlock list = {0};

    for (size_t i = 0; i < x->f->blocks.at[b].insts.count; i++) {
        HdIrRef v = x->f->blocks.at[b].insts.at[i];

        if (!HD_PUSH(a, &list.insts, v))
            return HD_NO_MEMORY;
        if (!x->differs[v] || is_id(&x->f->insts.at[v], 1) ||
            hd_ir_op_is_terminator(x->f->insts.at[v].op))
            continue;
        for (unsigned row = 1; row < x->rows; row++) {
            HD_TRY(put_row(x, v, b, row));
            if (!HD_PUSH(a, &list.insts, x->of_row[row][v]))
                return HD_NO_MEMORY;
        }
    }
    x->f->blocks.at[b].insts.at = list.insts.at;
    x->f->blocks.at[b].insts.count = list.insts.count;
    x->f->blocks.at[b].insts.room = list.insts.room;
    return HD_OK;
}

/* Operands of a row's instructions are that row's. */
static void use_rows(const Jam *x)
{
    for (unsigned row = 1; row < x->rows; row++)
        for (HdIrRef v = 1; v < x->count; v++) {
            HdIrRef r = x->of_row[row][v], *args = hd_ir_args(x->f, r);

            if (r == 0 || is_id(&x->f->insts.at[v], 1))
                continue;
            for (unsigned k = 0; k < x->f->insts.at[r].nargs; k++)
                if (hd_ir_arg_is_value(&x->f->insts.at[r], k) && args[k] < x->count &&
                    x->of_row[row][args[k]] != 0)
                    args[k] = x->of_row[row][args[k]];
        }
}

/* Do all rows take the branch on `cond` as the first one does? At the end of block b. */
static HdIrRef put_agreement(const Jam *x, uint32_t b, HdIrRef cond)
{
    HdIrType type = (HdIrType)x->f->insts.at[cond].type;
    HdIrRef apart = 0, pair[2];

    for (unsigned row = 1; row < x->rows; row++) {
        pair[0] = cond;
        pair[1] = x->of_row[row][cond];
        pair[1] = type == HD_IR_BOOL
                      ? hd_ir_emit(x->f, b, HD_IR_XOR, type, pair, 2)
                      : hd_ir_emit_sub(x->f, b, HD_IR_ICMP, HD_IR_BOOL, HD_IR_NE, 0, pair, 2);
        pair[0] = apart;
        apart = row == 1 ? pair[1] : hd_ir_emit(x->f, b, HD_IR_OR, HD_IR_BOOL, pair, 2);
    }
    pair[0] = apart;
    pair[1] = hd_ir_const(x->f, b, HD_IR_BOOL, 1);
    return hd_ir_emit(x->f, b, HD_IR_XOR, HD_IR_BOOL, pair, 2);
}

/* A branch that rows may take differently goes to `alone` if some lane finds that they do. */
static HdStatus put_parting(const Jam *x, uint32_t b, uint32_t alone)
{
    HdIrFunc *f = x->f;
    uint32_t own = hd_ir_block(f);
    HdIrRef end = hd_ir_last(f, b), all;
    HdIrBlock *from = &f->blocks.at[b], *to = &f->blocks.at[own];

    if (f->module->failed || !HD_PUSH(f->module->arena, &to->insts, end))
        return HD_NO_MEMORY;
    from->insts.count--;
    f->insts.at[end].block = own;
    to->succ = from->succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    from->succ_count = 0;
    from->cases = NULL;
    for (uint32_t i = 0; i < to->succ_count; i++)
        hd_ir_phi_rename(f, to->succ[i], b, own);
    all = put_agreement(x, b, hd_ir_arg(f, end, 0));
    all = hd_ir_emit(f, b, HD_IR_ALL, HD_IR_BOOL, &all, 1);
    hd_ir_condbr(f, b, all, own, alone);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- one row after the other --------------------------------------------------------------------
 */

/* The loop over rows, from `first` to `end`: blocks before it, at its head and at its end. */
typedef struct Alone {
    uint32_t before, head, latch;
    HdIrRef first, end, row;
} Alone;

static HdIrRef emit_two(HdIrFunc *f, uint32_t b, HdIrOp op, unsigned flags, HdIrRef x, HdIrRef y)
{
    HdIrRef pair[2] = {x, y}, r = hd_ir_emit(f, b, op, HD_IR_I64, pair, 2);

    hd_ir_inst(f, r)->flags = (HdIrFlags)flags;
    return r;
}

static HdStatus put_loop(HdIrFunc *f, Alone *l, uint32_t body, uint32_t exit)
{
    HdIrRef next, more, phi[4] = {0};

    l->before = hd_ir_block(f);
    l->head = hd_ir_block(f);
    l->latch = hd_ir_block(f);
    hd_ir_br(f, l->before, l->head);
    phi[0] = l->before;
    phi[1] = l->first;
    phi[2] = l->latch;
    phi[3] = l->first;
    l->row = hd_ir_emit(f, l->head, HD_IR_PHI, HD_IR_I64, phi, 4);
    hd_ir_br(f, l->head, body);
    next = emit_two(f, l->latch, HD_IR_ADD, HD_IR_NSW | HD_IR_NUW, l->row,
                    hd_ir_const(f, l->latch, HD_IR_I64, 1));
    phi[3] = next;
    hd_ir_set_args(f, l->row, phi, 4);
    more = hd_ir_emit_sub(f, l->latch, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULT, 0,
                          (HdIrRef[]){next, l->end}, 2);
    hd_ir_condbr(f, l->latch, more, l->head, exit);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Copies of all blocks between entry and exit, for one row at a time. */
static HdStatus put_alone(const Jam *x, Alone *l, HdArena *a, HdIrCopy *c)
{
    HdIrFunc *f = x->f;

    HD_TRY(hd_ir_copy_open(f, a, c));
    memcpy(c->chosen, x->inside, x->blocks * sizeof *x->inside);
    HD_TRY(hd_ir_copy_make(c, x->exit));
    HD_TRY(put_loop(f, l, c->copies[x->body], x->exit));
    for (uint32_t b = 0; b < x->blocks; b++)
        for (uint32_t i = 0; x->inside[b] && i < f->blocks.at[c->copies[b]].succ_count; i++) {
            uint32_t *to = &f->blocks.at[c->copies[b]].succ[i];

            *to = *to == x->exit ? l->latch : *to;
        }
    return HD_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

/* In the entry: what an id in y is for `count` rows; returns the first one's. All of them are below
 * 2^31, so that their sums with constants can be taken apart whatever type they come to have. */
static HdIrRef put_rows_of_id(const Jam *x, HdIrBuiltin which, unsigned count, HdIrRef *rows)
{
    HdIrFunc *f = x->f;
    HdIrRef pair[2], first;

    pair[0] = hd_ir_emit_sub(f, 0, HD_IR_BUILTIN, HD_IR_I64, which, 1, NULL, 0);
    pair[0] = hd_ir_emit(f, 0, HD_IR_TRUNC, HD_IR_I32, pair, 1);
    pair[1] = hd_ir_const(f, 0, HD_IR_I32, x->rows);
    first = hd_ir_emit(f, 0, HD_IR_MUL, HD_IR_I32, pair, 2);
    hd_ir_inst(f, first)->flags = HD_IR_NSW | HD_IR_NUW;
    for (unsigned row = 0; row < count; row++) {
        pair[0] = first;
        pair[1] = hd_ir_const(f, 0, HD_IR_I32, row);
        pair[0] = hd_ir_emit(f, 0, HD_IR_ADD, HD_IR_I32, pair, 2);
        hd_ir_inst(f, pair[0])->flags = HD_IR_NSW | HD_IR_NUW;
        rows[row] = hd_ir_emit(f, 0, HD_IR_ZEXT, HD_IR_I64, pair, 1);
    }
    return first;
}

/* In the entry: the first row, the others, and where they end. Returns whether all of them exist, a
 * BOOL. */
static HdIrRef put_ids(Jam *x, Alone *l, HdIrRef *rows)
{
    HdIrFunc *f = x->f;
    HdIrRef size =
        hd_ir_emit_sub(f, 0, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_GLOBAL_SIZE, 1, NULL, 0);
    HdIrRef pair[2];

    (void)put_rows_of_id(x, HD_BUILTIN_GLOBAL_ID, x->rows + 1, rows);
    pair[0] = rows[x->rows];
    pair[1] = size;
    l->first = rows[0];
    l->end = emit_two(f, 0, HD_IR_UMIN, 0, pair[0], size);
    return hd_ir_emit_sub(f, 0, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULE, 0, pair, 2);
}

/* Ids of rows are those computed in the entry; in the copies, the loop counter. */
static HdStatus use_ids(const Jam *x, const HdIrRef *rows, const HdIrCopy *c, HdIrRef alone,
                        HdArena *a)
{
    size_t count = x->f->insts.count;
    HdIrRef *with;

    HD_TAKE(with, HD_NEW(a, HdIrRef, count));
    for (HdIrRef v = 1; v < x->count; v++) {
        if (!x->differs[v] || !is_id(&x->f->insts.at[v], 1))
            continue;
        with[v] = rows[0];
        if (c->values != NULL && c->values[v] != 0)
            with[c->values[v]] = alone;
    }
    hd_ir_substitute(x->f, with, count);
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus open_coarsen(Jam *x, HdIrFunc *f, unsigned rows, HdArena *a)
{
    HdIrGraph *g;

    HD_TRY(hd_lanes_one_exit(f, a));
    *x = (Jam){.f = f, .rows = rows, .exit = (uint32_t)f->blocks.count - 1};
    HD_TRY(hd_ir_graph(f, a, &g));
    x->count = f->insts.count;
    HD_TRY(made_of_id(f, g, 1, a, &x->differs));
    for (unsigned row = 1; row < rows; row++)
        HD_TAKE(x->of_row[row], HD_NEW(a, HdIrRef, x->count));
    HD_TAKE(x->inside, HD_NEW(a, bool, g->count + 1));
    for (uint32_t b = 1; b < g->count; b++)
        x->inside[b] = b != x->exit && g->rank[b] != HD_IR_NOWHERE;
    x->body = hd_lanes_split_entry(f);
    if (x->body == 0)
        return HD_NO_MEMORY;
    x->inside[x->body] = true;
    x->blocks = x->body + 1;
    return HD_OK;
}

/* The blocks between entry and exit compute all rows; if these diverge they go to `alone`, 0: they
 * do not. */
static HdStatus coarsen_blocks(Jam *x, const HdIrRef *rows, uint32_t alone)
{
    for (HdIrRef v = 1; v < x->count; v++)
        for (unsigned row = 1; x->differs[v] && row < x->rows; row++)
            x->of_row[row][v] = is_id(&x->f->insts.at[v], 1) ? rows[row] : 0;
    for (uint32_t b = 0; b < x->blocks; b++)
        if (x->inside[b])
            HD_TRY(put_rows(x, b));
    use_rows(x);
    for (uint32_t b = 0; alone != 0 && b < x->blocks; b++)
        if (x->inside[b] && hd_lanes_parts_rows(x->f, x->differs, b))
            HD_TRY(put_parting(x, b, alone));
    return HD_OK;
}

static HdStatus coarsen_launch(HdIrFunc *f, unsigned rows, bool is_whole, HdArena *a)
{
    HdIrRef ids[HD_COARSEN_MOST + 1], all;
    HdIrCopy copy = {0};
    Alone alone = {0};
    Jam x;

    HD_TRY(open_coarsen(&x, f, rows, a));
    all = put_ids(&x, &alone, ids);
    if (is_whole) {
        hd_ir_br(f, 0, x.body);
    } else {
        HD_TRY(put_alone(&x, &alone, a, &copy));
        hd_ir_condbr(f, 0, all, x.body, alone.before);
    }
    HD_TRY(coarsen_blocks(&x, ids, alone.before));
    HD_TRY(use_ids(&x, ids, &copy, alone.row, a));
    HD_TRY(hd_lanes_bounds(f, x.inside, x.blocks, alone.before, a));
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- with barriers ------------------------------------------------------------------------------
 */

/* In the entry: the kernel's sizes in y for the launch's, which has so many fewer rows. */
static HdStatus use_sizes(const Jam *x, HdArena *a)
{
    HdIrFunc *f = x->f;
    HdIrRef *with, pair[2];

    HD_TAKE(with, HD_NEW(a, HdIrRef, x->count));
    for (HdIrRef v = 1; v < x->count; v++) {
        HdIrInst in = f->insts.at[v];

        if (in.op != HD_IR_BUILTIN || in.imm != 1 || in.block == HD_IR_NOWHERE ||
            (in.sub != HD_BUILTIN_LOCAL_SIZE && in.sub != HD_BUILTIN_ENQUEUED_LOCAL_SIZE))
            continue;
        pair[0] = hd_ir_emit_sub(f, 0, HD_IR_BUILTIN, (HdIrType)in.type, in.sub, 1, NULL, 0);
        pair[1] = hd_ir_const(f, 0, (HdIrType)in.type, x->rows);
        with[v] = hd_ir_emit(f, 0, HD_IR_MUL, (HdIrType)in.type, pair, 2);
    }
    hd_ir_substitute(f, with, x->count);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Block `to` leads to copies of where `from` leads. */
static HdStatus copy_ways(HdIrFunc *f, uint32_t from, uint32_t to, const uint32_t *copies)
{
    const HdIrBlock *x = &f->blocks.at[from];
    HdIrBlock *b = &f->blocks.at[to];

    HD_TAKE(b->succ, HD_NEW(f->module->arena, uint32_t, x->succ_count + 1));
    b->succ_count = x->succ_count;
    b->cases = x->cases;
    for (uint32_t i = 0; i < x->succ_count; i++)
        b->succ[i] = copies[x->succ[i]];
    return HD_OK;
}

/* Block `to` does for a row what `from` does for the first one; copies[] has such blocks of the
 * piece. */
static HdStatus copy_for_row(Jam *x, unsigned row, uint32_t from, uint32_t to,
                             const uint32_t *copies)
{
    for (size_t i = 0; i < x->f->blocks.at[from].insts.count; i++) {
        HdIrRef v = x->f->blocks.at[from].insts.at[i], r;

        if (x->of_row[row][v] != 0) /* an id */
            continue;
        HD_TRY(put_row(x, v, to, row));
        r = x->of_row[row][v];
        HD_TRY_PUSH(x->f->module->arena, &x->f->blocks.at[to].insts, r);
        for (unsigned k = 0; x->f->insts.at[r].op == HD_IR_PHI && k < x->f->insts.at[r].nargs;
             k += 2)
            hd_ir_args(x->f, r)[k] = copies[hd_ir_arg(x->f, r, k)];
    }
    return HD_OK;
}

/* The path of a row through a piece, after that of the previous row, which ends in block *last. */
static HdStatus put_piece(Jam *x, uint32_t piece, unsigned row, uint32_t *copies, uint32_t *last)
{
    const HdPiece *p = &x->pieces.at[piece];
    uint32_t branch = hd_ir_block(x->f), join = hd_ir_block(x->f), behind;
    HdIrRef end = hd_ir_last(x->f, p->branch);

    for (uint32_t b = 0; b < x->blocks; b++)
        copies[b] = x->pieces.of[b] == piece + 1 ? hd_ir_block(x->f) : b;
    if (x->f->module->failed)
        return HD_NO_MEMORY;
    copies[p->branch] = branch;
    copies[p->join] = join;
    for (uint32_t b = 0; b < x->blocks; b++)
        if (x->pieces.of[b] == piece + 1) {
            HD_TRY(copy_for_row(x, row, b, copies[b], copies));
            HD_TRY(copy_ways(x->f, b, copies[b], copies));
        }
    HD_TRY(copy_for_row(x, row, p->join, join, copies));
    HD_TRY(put_row(x, end, branch, row));
    HD_TRY_PUSH(x->f->module->arena, &x->f->blocks.at[branch].insts, x->of_row[row][end]);
    HD_TRY(copy_ways(x->f, p->branch, branch, copies));
    behind = x->f->blocks.at[*last].succ[0];
    HD_TAKE(x->f->blocks.at[join].succ, HD_NEW(x->f->module->arena, uint32_t, 1));
    x->f->blocks.at[join].succ[0] = behind;
    x->f->blocks.at[join].succ_count = 1;
    x->f->blocks.at[*last].succ[0] = branch;
    hd_ir_phi_rename(x->f, behind, *last, join);
    *last = join;
    return HD_OK;
}

static HdStatus rows_of(const Jam *x, const HdIrGraph *g, HdArena *a, HdRows *out)
{
    bool *varies;

    HD_TRY(made_of_id(x->f, g, 0, a, &varies));
    *out = (HdRows){.count = x->rows,
                    .insts = x->count,
                    .differs = x->differs,
                    .varies = varies,
                    .of_row = x->of_row};
    return HD_OK;
}

/* All rows through a piece. */
static HdStatus put_pieces(Jam *x, uint32_t piece, const HdRows *rows, const HdIrRef first[2],
                           HdArena *a)
{
    uint32_t *copies, last = x->pieces.at[piece].join;
    bool done;

    HD_TRY(hd_lanes_row_loop(x->f, &x->pieces, piece, rows, first, a, &done));
    if (done)
        return HD_OK;
    HD_TAKE(copies, HD_NEW(a, uint32_t, x->blocks));
    for (unsigned row = 1; row < x->rows; row++)
        HD_TRY(put_piece(x, piece, row, copies, &last));
    return HD_OK;
}

static HdStatus open_groups(Jam *x, HdIrFunc *f, unsigned rows, bool is_whole, HdArena *a)
{
    bool found, *varies;
    HdIrGraph *g;

    HD_TRY(hd_lanes_one_exit(f, a));
    HD_TRY(hd_ir_graph(f, a, &g));
    *x = (Jam){.f = f, .rows = rows};
    HD_TRY(find_pieces(f, g, a, &x->differs, &x->pieces, &found));
    HD_TRY(hd_lanes_join_pieces(f, &x->pieces, a));
    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TRY(find_pieces(f, g, a, &x->differs, &x->pieces, &found));
    HD_TRY(made_of_id(f, g, 0, a, &varies));
    HD_TRY(hd_lanes_version_rows(f, &x->pieces, x->differs, varies, is_whole, a));
    x->body = hd_lanes_split_entry(f);
    if (x->body == 0)
        return HD_NO_MEMORY;
    x->count = f->insts.count; /* what the entry gets from now on is for all rows */
    x->blocks = (uint32_t)f->blocks.count;
    for (unsigned row = 1; row < rows; row++)
        HD_TAKE(x->of_row[row], HD_NEW(a, HdIrRef, x->count));
    return HD_OK;
}

/* In a group that has no other rows than these, local ids in y and z of the launch are 0. */
static void use_first_row(HdIrFunc *f)
{
    for (HdIrRef v = 1; v < f->insts.count; v++) {
        HdIrInst *in = hd_ir_inst(f, v);

        if (in->op != HD_IR_BUILTIN || in->sub != HD_BUILTIN_LOCAL_ID || in->imm == 0)
            continue;
        in->op = HD_IR_CONST;
        in->sub = 0;
        in->imm = 0;
    }
}

static HdStatus coarsen_groups(HdIrFunc *f, unsigned rows, bool is_whole, bool is_single,
                               HdArena *a)
{
    HdIrRef ids[2][HD_COARSEN_MOST], first[2], *with;
    HdIrGraph *g;
    HdRows all;
    bool found;
    Jam x;

    HD_TRY(open_groups(&x, f, rows, is_whole, a));
    first[0] = put_rows_of_id(&x, HD_BUILTIN_GLOBAL_ID, rows, ids[0]);
    first[1] = put_rows_of_id(&x, HD_BUILTIN_LOCAL_ID, rows, ids[1]);
    HD_TRY(use_sizes(&x, a));
    hd_ir_br(f, 0, x.body);
    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TRY(find_pieces(f, g, a, &x.differs, &x.pieces, &found));
    if (!found)
        return HD_BUG;
    HD_TAKE(with, HD_NEW(a, HdIrRef, x.count));
    for (HdIrRef v = 1; v < x.count; v++) {
        const HdIrInst *in = &f->insts.at[v];

        for (unsigned row = 0; is_id(in, 1) && row < rows; row++)
            *(row == 0 ? &with[v] : &x.of_row[row][v]) = ids[in->sub == HD_BUILTIN_LOCAL_ID][row];
    }
    HD_TAKE(x.inside, HD_NEW(a, bool, x.blocks));
    for (uint32_t b = 1; b < x.blocks; b++)
        x.inside[b] = x.pieces.of[b] == 0 && g->rank[b] != HD_IR_NOWHERE;
    for (uint32_t i = 0; i < x.pieces.count; i++)
        x.inside[x.pieces.at[i].join] = false;
    for (uint32_t b = 0; b < x.blocks; b++)
        if (x.inside[b])
            HD_TRY(put_rows(&x, b));
    HD_TRY(rows_of(&x, g, a, &all));
    for (uint32_t i = 0; i < x.pieces.count; i++)
        HD_TRY(put_pieces(&x, i, &all, first, a));
    use_rows(&x);
    for (uint32_t b = 0; b < x.blocks; b++)
        if (x.inside[b])
            HD_TRY(hd_lanes_versioned_rows(f, b, &all));
    hd_ir_substitute(f, with, x.count);
    if (is_single)
        use_first_row(f);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* The kernel cannot observe which work-items are together, so any order of blocks will do. */
static void forget_order(HdIrFunc *f)
{
    for (uint32_t b = 0; b < f->blocks.count; b++)
        f->blocks.at[b].rank = HD_IR_NOWHERE;
}

HdStatus hd_lanes_coarsen(HdIrFunc *f, unsigned rows, bool is_whole, bool is_single, HdArena *a)
{
    if (f->waits.has_barrier)
        HD_TRY(coarsen_groups(f, rows, is_whole, is_single, a));
    else
        HD_TRY(coarsen_launch(f, rows, is_whole, a));
    forget_order(f);
    return HD_OK;
}
