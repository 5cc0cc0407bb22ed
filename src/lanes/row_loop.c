/* lanes/row_loop.c -- a piece that rows of work-items go through in a loop.
 *
 * Where rows seldom take a branch, the code behind it is there once, in a loop over those rows that
 * do.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/row_loop.h"

#include "ir/edit.h"

#define MOST_MADE  96u /* instructions that are made again for each row */
#define MOST_DEPTH 16u
#define MOST_PHIS  8u
#define MOST_ARGS  3u

typedef struct Loop {
    HdIrFunc *f;
    const HdPieces *p;
    uint32_t piece, head;
    const HdRows *rows;
    const HdIrRef *first;
    HdIrRef row;   /* I32, in the head */
    HdIrRef *made; /* [insts] what stands for a value of one row; in the head */
    unsigned count;
} Loop;

static bool is_id(const HdIrInst *in)
{
    return in->op == HD_IR_BUILTIN && in->imm == 1 &&
           (in->sub == HD_BUILTIN_GLOBAL_ID || in->sub == HD_BUILTIN_LOCAL_ID);
}

/* Is v there for each row already, in the piece or for all of them? */
static bool stays(const Loop *l, HdIrRef v)
{
    const HdIrInst *in = &l->f->insts.at[v];

    return v >= l->rows->insts || !l->rows->differs[v] ||
           (!is_id(in) && in->block < l->p->blocks && l->p->of[in->block] == l->piece + 1);
}

/* Can it be made of a row's ids? */
static bool can_make(Loop *l, HdIrRef v, unsigned depth)
{
    const HdIrInst *in = &l->f->insts.at[v];

    if (stays(l, v) || is_id(in))
        return true;
    if (depth == 0 || in->op == HD_IR_PHI || in->op == HD_IR_ALLOCA || in->nargs > MOST_ARGS ||
        !hd_ir_op_is_pure(in->op) || l->count++ == MOST_MADE)
        return false;
    for (unsigned k = 0; k < in->nargs; k++)
        if (!can_make(l, hd_ir_arg(l->f, v, k), depth - 1))
            return false;
    return true;
}

static HdIrRef make(Loop *l, HdIrRef v)
{
    HdIrInst in = l->f->insts.at[v];
    HdIrRef args[MOST_ARGS] = {0}, r;

    if (stays(l, v))
        return v;
    if (l->made[v] != 0)
        return l->made[v];
    if (is_id(&in)) {
        args[0] = l->first[in.sub == HD_BUILTIN_LOCAL_ID];
        args[1] = l->row;
        args[0] = hd_ir_emit(l->f, l->head, HD_IR_ADD, HD_IR_I32, args, 2);
        hd_ir_inst(l->f, args[0])->flags = HD_IR_NSW | HD_IR_NUW;
        r = hd_ir_emit(l->f, l->head, HD_IR_ZEXT, HD_IR_I64, args, 1);
    } else {
        for (unsigned k = 0; k < in.nargs; k++)
            args[k] = make(l, hd_ir_arg(l->f, v, k));
        r = hd_ir_emit_sub(l->f, l->head, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args,
                           in.nargs);
        hd_ir_inst(l->f, r)->flags = in.flags;
        hd_ir_inst(l->f, r)->place = in.place;
    }
    l->made[v] = r;
    return r;
}

/* ---- all operands of the piece ------------------------------------------------------------------
 */

static bool is_part(const Loop *l, uint32_t b)
{
    return b == l->p->at[l->piece].join || l->p->of[b] == l->piece + 1;
}

static bool can_make_all(Loop *l)
{
    const HdPiece *p = &l->p->at[l->piece];
    unsigned phis = 0;

    for (size_t i = 0; i < l->f->blocks.at[p->join].insts.count; i++) {
        const HdIrInst *in = &l->f->insts.at[l->f->blocks.at[p->join].insts.at[i]];

        if (in->op == HD_IR_PHI && (in->type == HD_IR_BOOL || ++phis > MOST_PHIS))
            return false;
    }
    if (!can_make(l, hd_ir_arg(l->f, hd_ir_last(l->f, p->branch), 0), MOST_DEPTH))
        return false;
    for (uint32_t b = 0; b < l->p->blocks; b++)
        for (size_t i = 0; is_part(l, b) && i < l->f->blocks.at[b].insts.count; i++) {
            HdIrRef v = l->f->blocks.at[b].insts.at[i];
            const HdIrInst *in = &l->f->insts.at[v];

            for (unsigned k = 0; k < in->nargs; k++)
                if (hd_ir_arg_is_value(in, k) && !can_make(l, hd_ir_arg(l->f, v, k), MOST_DEPTH))
                    return false;
        }
    return true;
}

static void use_made(Loop *l, HdIrRef v)
{
    for (unsigned k = 0; k < l->f->insts.at[v].nargs; k++)
        if (hd_ir_arg_is_value(&l->f->insts.at[v], k)) {
            HdIrRef x = make(l, hd_ir_arg(l->f, v, k));

            hd_ir_args(l->f, v)[k] = x;
        }
}

/* ---- the loop -----------------------------------------------------------------------------------
 */

static HdIrRef emit_two(HdIrFunc *f, uint32_t b, HdIrOp op, HdIrType type, HdIrRef x, HdIrRef y)
{
    return hd_ir_emit(f, b, op, type, (HdIrRef[]){x, y}, 2);
}

/* The head counts rows in *number; whether there are more, at the end of the latch. */
static HdIrRef put_count(Loop *l, uint32_t before, uint32_t latch, HdIrRef *number)
{
    HdIrFunc *f = l->f;
    HdIrRef phi[4] = {before, hd_ir_const(f, before, HD_IR_I64, 0), latch, 0}, next;

    phi[3] = phi[1];
    *number = hd_ir_emit(f, l->head, HD_IR_PHI, HD_IR_I64, phi, 4);
    l->row = hd_ir_emit(f, l->head, HD_IR_TRUNC, HD_IR_I32, number, 1);
    next = emit_two(f, latch, HD_IR_ADD, HD_IR_I64, *number, hd_ir_const(f, latch, HD_IR_I64, 1));
    hd_ir_inst(f, next)->flags = HD_IR_NSW | HD_IR_NUW;
    phi[3] = next;
    hd_ir_set_args(f, *number, phi, 4);
    return hd_ir_emit_sub(f, latch, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULT, 0,
                          (HdIrRef[]){next, hd_ir_const(f, latch, HD_IR_I64, l->rows->count)}, 2);
}

/* A phi of the piece's end goes to an array in each round; behind the loop rows take it from there,
 * in the phis of the block where ways meet. */
static void keep(Loop *l, HdIrRef phi, HdIrRef number, uint32_t join, uint32_t after,
                 uint32_t meeting)
{
    HdIrFunc *f = l->f;
    HdIrType type = (HdIrType)f->insts.at[phi].type;
    unsigned bytes = hd_ir_type_bytes(type), shift = (unsigned)__builtin_ctz(bytes);
    HdIrRef array = hd_ir_insert(f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, shift,
                                 (uint64_t)bytes * l->rows->count, NULL, 0);
    HdIrRef first = hd_ir_emit_sub(f, after, HD_IR_LOAD, type, HD_SPACE_PRIVATE, bytes, &array, 1);
    HdIrRef pair[2];

    pair[0] =
        emit_two(f, join, HD_IR_SHL, HD_IR_I64, number, hd_ir_const(f, join, HD_IR_I64, shift));
    pair[0] = emit_two(f, join, HD_IR_PTRADD, HD_IR_PTR, array, pair[0]);
    pair[1] = phi;
    hd_ir_emit_sub(f, join, HD_IR_STORE, HD_IR_VOID, HD_SPACE_PRIVATE, bytes, pair, 2);
    for (unsigned row = 1; row < l->rows->count; row++) {
        HdIrRef at = emit_two(f, after, HD_IR_PTRADD, HD_IR_PTR, array,
                              hd_ir_const(f, after, HD_IR_I64, (uint64_t)bytes * row));

        l->rows->of_row[row][phi] =
            hd_ir_emit_sub(f, after, HD_IR_LOAD, type, HD_SPACE_PRIVATE, bytes, &at, 1);
    }
    for (size_t i = 0; i < f->blocks.at[meeting].insts.count; i++) {
        HdIrRef v = f->blocks.at[meeting].insts.at[i];

        /* Those of other rows name the first one's operands until all rows are there. */
        for (unsigned k = 0;
             f->insts.at[v].op == HD_IR_PHI && v < l->rows->insts && k + 1 < f->insts.at[v].nargs;
             k += 2)
            if (hd_ir_arg(f, v, k + 1) == phi)
                hd_ir_args(f, v)[k + 1] = first;
    }
}

static HdStatus put_loop(Loop *l)
{
    HdIrFunc *f = l->f;
    const HdPiece *p = &l->p->at[l->piece];
    uint32_t succ[2] = {f->blocks.at[p->branch].succ[0], f->blocks.at[p->branch].succ[1]};
    uint32_t latch = hd_ir_block(f), after = hd_ir_block(f), meeting;
    HdIrRef end = hd_ir_last(f, p->branch), cond = hd_ir_arg(f, end, 0), number, more;
    size_t phis = 0;

    if (f->module->failed)
        return HD_NO_MEMORY;
    meeting = f->blocks.at[p->join].succ[0];
    hd_ir_kill(f, end);
    f->blocks.at[p->branch].insts.count--;
    f->blocks.at[p->branch].succ_count = 0;
    more = put_count(l, p->branch, latch, &number);
    cond = make(l, cond);
    for (uint32_t b = 0; b < l->p->blocks; b++)
        for (size_t i = 0; is_part(l, b) && i < f->blocks.at[b].insts.count; i++)
            use_made(l, f->blocks.at[b].insts.at[i]);
    hd_ir_br(f, p->branch, l->head);
    hd_ir_condbr(f, l->head, cond, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++)
        hd_ir_phi_rename(f, succ[i], p->branch, l->head);
    hd_ir_kill(f, hd_ir_last(f, p->join));
    f->blocks.at[p->join].insts.count--;
    f->blocks.at[p->join].succ_count = 0;
    for (size_t count = f->blocks.at[p->join].insts.count; phis < count; phis++)
        keep(l, f->blocks.at[p->join].insts.at[phis], number, p->join, after, meeting);
    hd_ir_br(f, p->join, latch);
    hd_ir_condbr(f, latch, more, l->head, after);
    hd_ir_br(f, after, meeting);
    hd_ir_phi_rename(f, meeting, p->join, after);
    if (f->module->failed)
        return HD_NO_MEMORY;
    hd_ir_inst(f, hd_ir_last(f, l->head))->flags |= HD_IR_TESTED;
    return HD_OK;
}

HdStatus hd_lanes_row_loop(HdIrFunc *f, const HdPieces *p, uint32_t piece, const HdRows *rows,
                           const HdIrRef first[2], HdArena *a, bool *done)
{
    HdIrRef end = hd_ir_last(f, p->at[piece].branch);
    Loop l = {.f = f, .p = p, .piece = piece, .rows = rows, .first = first};

    *done = f->blocks.at[p->at[piece].branch].insts.count == 1 &&
            f->insts.at[end].op == HD_IR_CONDBR && (f->insts.at[end].flags & HD_IR_TESTED) != 0 &&
            can_make_all(&l);
    if (!*done)
        return HD_OK;
    HD_TAKE(l.made, HD_NEW(a, HdIrRef, rows->insts));
    l.head = hd_ir_block(f);
    return f->module->failed ? HD_NO_MEMORY : put_loop(&l);
}
