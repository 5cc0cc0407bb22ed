/* codegen/runs_find.c -- which accesses of a lane are to adjacent elements, and pay together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/access.h"
#include "codegen/runs.h"
#include "codegen/strided.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/linear.h"

#define FAR 400u /* instructions between the first and the last one, at most */

/* x of x + constants, where there are any. */
static HdIrRef without_const(const HdGen *g, HdIrRef r, int64_t *sum)
{
    int64_t k;

    for (*sum = 0;
         g->f->insts.at[r].op == HD_IR_ADD && hd_ir_is_number(g->f, hd_ir_arg(g->f, r, 1), &k);
         r = hd_ir_arg(g->f, r, 0))
        *sum += k;
    return r;
}

/* Constants of a narrow sum. */
static HdIrRef without_narrow(const HdGen *g, HdIrRef x, unsigned promise, HdRunPath *p)
{
    int64_t by;

    for (; g->f->insts.at[x].op == HD_IR_ADD && hd_ir_is_number(g->f, hd_ir_arg(g->f, x, 1), &by);
         x = hd_ir_arg(g->f, x, 0)) {
        p->is_safe = p->is_safe && (g->f->insts.at[x].flags & promise) != 0;
        p->narrow += by;
    }
    return x;
}

/* A narrow sum: of constants, of what all lanes share (a loop's counter), and of an index. */
static void take_sum(const HdGen *g, HdIrRef x, unsigned promise, HdRunPath *p)
{
    const HdIrInst *in;

    p->index = without_narrow(g, x, promise, p);
    in = &g->f->insts.at[p->index];
    for (unsigned i = 0; in->op == HD_IR_ADD && i < 2; i++) {
        HdIrRef u = hd_ir_arg(g->f, p->index, i);

        if (g->f->insts.at[u].shape != HD_SHAPE_UNIFORM)
            continue;
        p->is_safe = p->is_safe && (in->flags & promise) != 0;
        p->also = without_narrow(g, u, promise, p);
        p->index = without_narrow(g, hd_ir_arg(g->f, p->index, 1 - i), promise, p);
        return;
    }
}

/* A sum as wide as addresses, which may wrap: of an index, something uniform and a constant
 * (unrolled iterations of a loop). */
static void take_wide(const HdGen *g, HdIrRef x, int64_t *by, HdRunPath *p)
{
    p->index = x;
    *by = 0;
    for (unsigned i = 0; g->f->insts.at[x].op == HD_IR_ADD && i < 2; i++) {
        HdIrRef u = hd_ir_arg(g->f, x, i);

        if (g->f->insts.at[u].shape != HD_SHAPE_UNIFORM)
            continue;
        p->also = without_const(g, u, by);
        p->index = hd_ir_arg(g->f, x, 1 - i);
        return;
    }
}

static HdRunPath path_of(const HdGen *g, HdIrRef a)
{
    HdRunPath p = {.is_safe = true};
    int64_t by, scale = 0;
    HdIrRef x;

    a = hd_linear_base(g->f, a, &p.distance);
    p.base = a;
    if (g->f->insts.at[a].op != HD_IR_PTRADD)
        return p;
    p.base = hd_ir_arg(g->f, a, 0);
    x = hd_ir_arg(g->f, a, 1);
    if (g->f->insts.at[x].op == HD_IR_SHL && hd_ir_is_number(g->f, hd_ir_arg(g->f, x, 1), &scale) &&
        scale >= 0 && scale <= 6)
        x = hd_ir_arg(g->f, x, 0);
    else
        scale = 0;
    p.scale = (unsigned)scale;
    x = without_const(g, x, &by);
    p.distance += (int64_t)((uint64_t)by << scale);
    if ((g->f->insts.at[x].op == HD_IR_ZEXT || g->f->insts.at[x].op == HD_IR_SEXT) &&
        g->f->insts.at[hd_ir_arg(g->f, x, 0)].type == HD_IR_I32) {
        unsigned promise = g->f->insts.at[x].op == HD_IR_ZEXT ? HD_IR_NUW : HD_IR_NSW;

        p.widen = g->f->insts.at[x].op;
        take_sum(g, hd_ir_arg(g->f, x, 0), promise, &p);
        p.distance += (int64_t)((uint64_t)p.narrow << scale);
    } else {
        take_wide(g, x, &by, &p);
        p.distance += (int64_t)((uint64_t)by << scale);
    }
    return p;
}

/* Would the access go lane by lane? */
static bool is_scattered(const HdGen *g, HdIrRef r)
{
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    unsigned bytes = hd_ir_type_bytes(hd_gen_access_type(g, r));
    const HdIrInst *in = &g->f->insts.at[a];

    if (in->shape == HD_SHAPE_UNIFORM || hd_gen_step(g, a, bytes) != 0)
        return false;
    return in->shape == HD_SHAPE_VARYING || !hd_gen_has_s(g, a) ||
           (in->stride != (int64_t)bytes && in->stride != -(int64_t)bytes);
}

/* Sort a member in by its address; false when it has bytes in common with one there. */
static bool insert(HdRun *x, HdIrRef r, HdRunPath at)
{
    unsigned i = x->count;

    for (unsigned k = 0; k < x->count; k++)
        if (x->at[k].distance < at.distance + x->bytes &&
            at.distance < x->at[k].distance + x->bytes)
            return false;
    while (i > 0 && x->at[i - 1].distance > at.distance)
        i--;
    for (unsigned k = x->count; k > i; k--) {
        x->member[k] = x->member[k - 1];
        x->at[k] = x->at[k - 1];
    }
    x->member[i] = r;
    x->at[i] = at;
    x->count++;
    return true;
}

static bool same_path(const HdRunPath *a, const HdRunPath *b)
{
    return a->base == b->base && a->index == b->index && a->also == b->also &&
           a->widen == b->widen && a->scale == b->scale;
}

/* May the stores found up to now sink below r, another one to the same array (of another group)? */
static bool may_pass(const HdGen *g, HdIrRef r, const HdRunPath *own, const HdRun *x)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned bytes;
    HdRunPath at;

    if (in->op != HD_IR_STORE || !x->stores || (in->flags & HD_IR_VOLATILE) != 0)
        return false;
    at = path_of(g, hd_ir_arg(g->f, r, 0));
    bytes = hd_ir_type_bytes(hd_gen_access_type(g, r));
    for (unsigned i = 0; i < x->count; i++)
        if ((at.narrow != x->at[i].narrow && (!at.is_safe || !x->at[i].is_safe)) ||
            (at.distance < x->at[i].distance + x->bytes && x->at[i].distance < at.distance + bytes))
            return false;
    return same_path(&at, own);
}

/* The accesses from `first` on in its block that differ from it by a constant. `group`: only
 * members of the group that is emitted there, 0: only those without a group. */
static void collect(const HdGen *g, HdIrRef first, HdIrRef group, HdRun *x)
{
    const HdIrBlock *b = &g->f->blocks.at[g->f->insts.at[first].block];
    unsigned op = g->f->insts.at[first].op;
    HdRunPath own = path_of(g, hd_ir_arg(g->f, first, 0));
    size_t i = 0;

    x->first = first;
    x->count = 0;
    x->all = NULL;
    x->type = hd_gen_access_type(g, first);
    x->bytes = hd_ir_type_bytes(x->type);
    x->stores = op == HD_IR_STORE;
    while (b->insts.at[i] != first)
        i++;
    for (size_t end = i + FAR; i < b->insts.count && i < end && x->count < HD_RUN_MOST; i++) {
        HdIrRef r = b->insts.at[i];

        if (g->f->insts.at[r].op == op && hd_gen_may_group(g, r) &&
            hd_ir_type_bytes(hd_gen_access_type(g, r)) == x->bytes &&
            hd_gen_access_mask(g, r) == hd_gen_access_mask(g, first) && g->grouped[r] == group) {
            HdRunPath at = path_of(g, hd_ir_arg(g->f, r, 0));

            if (same_path(&at, &own) && insert(x, r, at))
                continue;
        }
        if (group == 0 && !hd_gen_may_cross(g, r, first) && !may_pass(g, r, &own, x))
            break;
    }
}

static void keep(HdRun *x, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        x->member[i] = x->member[from + i];
        x->at[i] = x->at[from + i];
    }
    x->count = count;
    x->span = (unsigned)(x->at[count - 1].distance - x->at[0].distance) + x->bytes;
}

/* Is a separate load per lane cheaper than its share of several gathers? */
static bool loads_apart(const HdGen *g)
{
    return g->costs->gathers_slowly && g->has_avx512 && g->width >= 8;
}

/* Members from number `from` on that are loaded together. */
static unsigned load_window(const HdRun *x, unsigned from)
{
    unsigned n = 1;

    while (from + n < x->count &&
           x->at[from + n].distance + x->bytes - x->at[from].distance <= HD_RUN_WINDOW)
        n++;
    return n;
}

/* Stores leave no gap: two, four … neighbours. */
static unsigned store_window(const HdRun *x, unsigned from)
{
    unsigned n = 1, most = x->bytes < 4 ? 8 : HD_RUN_WINDOW;

    while (from + n < x->count && (n + 1) * x->bytes <= most &&
           x->at[from + n].distance == x->at[from + n - 1].distance + x->bytes)
        n++;
    while ((n & (n - 1)) != 0)
        n--;
    return n;
}

bool hd_run_is_whole(const HdGen *g, const HdRun *x)
{
    return x->stores ? x->span == HD_RUN_WINDOW : loads_apart(g) && x->span > 8;
}

unsigned hd_run_piece_bytes(const HdGen *g, const HdRun *x)
{
    /* Bytes and halves are cheaper to extract from a word. */
    return x->span >= 8 && (x->stores || x->bytes == 4 || loads_apart(g)) ? 8 : 4;
}

unsigned hd_run_piece(const HdGen *g, const HdRun *x, unsigned member)
{
    unsigned bytes = hd_run_piece_bytes(g, x), last = x->span - bytes;
    unsigned at = (unsigned)(x->at[member].distance - x->at[0].distance) / bytes * bytes;

    return at < last ? at : last;
}

/* How many that takes. */
static unsigned pieces_of(const HdGen *g, const HdRun *x)
{
    unsigned n = 1;

    if (x->stores)
        return x->span == hd_run_piece_bytes(g, x) ? 1 : 2;
    for (unsigned i = 1; i < x->count; i++)
        n += hd_run_piece(g, x, i) != hd_run_piece(g, x, i - 1);
    return n;
}

/* Two or three bytes that are gathered as part of a word; alone they would be as well. Bytes that
 * each lane walks over are kept for the next iteration instead (codegen/walk.c). */
static bool is_in_word(const HdGen *g, const HdRun *x)
{
    bool walks = false;

    for (unsigned i = 0; i < x->count; i++)
        walks = walks || (g->f->insts.at[x->member[i]].flags & HD_IR_WALKS) != 0;
    return !x->stores && x->bytes == 1 && g->width >= 16 && !walks;
}

/* Cut the run down to the members that its first one is loaded or stored with. */
static bool narrow_down(const HdGen *g, HdRun *x)
{
    unsigned from = 0, n;

    for (;; from += n) {
        bool has = false;

        if (from >= x->count)
            return false;
        n = x->stores ? store_window(x, from) : load_window(x, from);
        for (unsigned i = from; i < from + n; i++)
            has = has || x->member[i] == x->first;
        if (has)
            break;
    }
    if (n < 2)
        return false;
    keep(x, from, n);
    for (unsigned i = 0; i < x->count; i++)
        if ((x->at[i].distance - x->at[0].distance) % x->bytes != 0)
            return false;
    if (hd_run_is_whole(g, x))
        return true;
    if (x->span < HD_RUN_WORD)
        return is_in_word(g, x);
    return x->bytes < 8 && pieces_of(g, x) < x->count;
}

bool hd_run_find(const HdGen *g, HdIrRef r, HdRun *x)
{
    bool is_last = g->grouped[r] == r; /* stores that have been put off until here */

    if (!hd_gen_may_group(g, r) || (!is_last && (g->grouped[r] != 0 || !is_scattered(g, r))))
        return false;
    collect(g, is_last ? g->first_of[r] : r, is_last ? r : 0, x);
    return narrow_down(g, x);
}
