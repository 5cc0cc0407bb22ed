/* opt/sink_stores.c -- a value that every iteration stores to one address is stored once, after the
 * loop.
 *
 * `for (k …) c[i] += a[k] * b[k];` keeps its sum in a register once the load is eliminated
 * (opt/cse.c), but stores it in every iteration: a scatter if each work-item has its own address.
 * Only for single-block loops in which nothing else accesses that address or waits for another
 * work-item; any other observer would be a data race.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/memory.h"
#include "opt/dependence.h"
#include "opt/pass.h"

static unsigned kinds_at(const HdIrFunc *f, HdIrRef access)
{
    return hd_ir_memory_at(f, hd_ir_arg(f, access, 0), f->insts.at[access].sub);
}

typedef struct Behind {
    HdIrFunc *f;
    HdArena *arena;
    HdIrGraph *g; /* of the original function; NULL: not computed yet */
    bool *waits;  /* [insts] stores that move after their loop */
    bool any;
} Behind;

static unsigned bytes_at(const HdIrFunc *f, HdIrRef access)
{
    HdIrRef value = f->insts.at[access].op == HD_IR_LOAD ? access : hd_ir_arg(f, access, 1);

    return hd_ir_type_bytes((HdIrType)f->insts.at[value].type);
}

static bool is_plain(const HdIrInst *in)
{
    return (in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && (in->flags & HD_IR_VOLATILE) == 0;
}

/* The kinds of memory that more than one access of loop b is to. False when something there is
 * neither a plain access nor pure: it may order others. */
static bool find_shared(const HdIrFunc *f, uint32_t b, unsigned *shared)
{
    const HdIrBlock *block = &f->blocks.at[b];
    unsigned seen = 0;

    *shared = 0;
    for (size_t i = 0; i < block->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[block->insts.at[i]];
        unsigned kinds;

        if (hd_ir_op_is_pure(in->op) || in->op == HD_IR_CONDBR)
            continue;
        if (!is_plain(in))
            return false;
        kinds = kinds_at(f, block->insts.at[i]);
        *shared |= seen & kinds;
        seen |= kinds;
    }
    return true;
}

/* Is everything else of loop b apart from what r stores? */
static HdStatus is_alone(Behind *x, uint32_t b, HdIrRef r, bool *alone)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    unsigned kinds = kinds_at(x->f, r);

    if (x->g == NULL)
        HD_TRY(hd_ir_graph(x->f, x->arena, &x->g));
    *alone = true;
    for (size_t i = 0; *alone && i < block->insts.count; i++) {
        HdIrRef other = block->insts.at[i];
        unsigned bytes;

        if (other == r || !is_plain(&x->f->insts.at[other]) || (kinds_at(x->f, other) & kinds) == 0)
            continue;
        bytes =
            bytes_at(x->f, r) > bytes_at(x->f, other) ? bytes_at(x->f, r) : bytes_at(x->f, other);
        *alone = hd_opt_are_independent(x->f, x->g, b, hd_ir_arg(x->f, r, 0),
                                        hd_ir_arg(x->f, other, 0), bytes);
    }
    return HD_OK;
}

/* Is r a store to the same address in each iteration of loop b that nothing there can observe? */
static HdStatus may_wait(Behind *x, uint32_t b, HdIrRef r, unsigned shared, bool *may)
{
    const HdIrInst *in = &x->f->insts.at[r];

    *may = in->op == HD_IR_STORE && (in->flags & HD_IR_MASKED) == 0 &&
           x->f->insts.at[hd_ir_arg(x->f, r, 0)].block != b;
    if (*may && (kinds_at(x->f, r) & shared) != 0)
        return is_alone(x, b, r, may);
    return HD_OK;
}

static HdStatus find_stores(Behind *x, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    unsigned shared;

    if (!find_shared(x->f, b, &shared))
        return HD_OK;
    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];

        HD_TRY(may_wait(x, b, r, shared, &x->waits[r]));
        x->any = x->any || x->waits[r];
    }
    return HD_OK;
}

static HdStatus move_stores(Behind *x, uint32_t b)
{
    HdIrFunc *f = x->f;
    uint32_t exit = f->blocks.at[b].succ[f->blocks.at[b].succ[0] == b], out = HD_IR_NOWHERE;
    size_t kept = 0;

    for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
        HdIrRef r = f->blocks.at[b].insts.at[i];

        if (!x->waits[r]) {
            f->blocks.at[b].insts.at[kept++] = r;
            continue;
        }
        if (out == HD_IR_NOWHERE)
            out = hd_ir_split_edge(f, b, exit, f->blocks.at[b].rank);
        if (out == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        f->insts.at[r].block = out;
        HD_TRY_PUSH(f->module->arena, &f->blocks.at[out].insts, r);
    }
    f->blocks.at[b].insts.count = kept;
    if (out != HD_IR_NOWHERE)
        hd_ir_br(f, out, exit);
    return HD_OK;
}

HdStatus hd_opt_sink_stores(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t blocks = (uint32_t)f->blocks.count;
    Behind x = {.f = f, .arena = scratch};

    HD_TAKE(x.waits, HD_NEW(scratch, bool, f->insts.count));
    for (uint32_t b = 0; b < blocks; b++)
        if (hd_ir_is_own_loop(f, b))
            HD_TRY(find_stores(&x, b));
    for (uint32_t b = 0; b < blocks && x.any; b++)
        if (hd_ir_is_own_loop(f, b))
            HD_TRY(move_stores(&x, b));
    *changed = x.any;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
