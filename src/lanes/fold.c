/* lanes/fold.c -- launches that are narrow in x: x and y become one dimension.
 *
 * Lanes along rows of four work-items would mostly be empty, along y they are a row apart, and rows
 * of twenty leave lanes idle. But rows are often contiguous in memory: with x and y folded into one
 * dimension, `y * 4 + x` is the work-item's number in it, whose lanes are neighbours. Sums that
 * multiply y by the row length become that number; other uses of the ids get them by division.
 *
 * If the length of a row in memory is an argument (`y * w + x`), the kernel is emitted twice:
 * guarded by a test that it is the launch's, and unchanged.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/fold.h"

#include "ir/edit.h"
#include "ir/linear.h"
#include "lanes/canon.h"
#include "lanes/vector_dim.h"
#include "lanes/version.h"

#include <math.h>

#define ROW  16u /* lanes along x find work in one that is so long, but seldom all of them */
#define GAIN 0.8 /* of the cost along y, at most */

/* A sum of products whose terms for the ids are apart from the others. */
typedef struct Sum {
    uint64_t x, y; /* factors of the ids */
    HdLinear rest;
    HdIrRef base;  /* the address that it is added to; of an integer: itself */
    HdIrType type; /* of what is added */
} Sum;

typedef struct Fold {
    HdIrFunc *f;
    uint64_t length;
    HdIrRef item;                         /* number in the folded dimension */
    HdIrRef x, y;                         /* the ids derived from it, as ints */
    HdLaneValue factors[HD_TWICE_VALUES]; /* arguments that should be the length */
    unsigned count;
} Fold;

/* ---- sums ---------------------------------------------------------------------------------------
 */

static bool is_cast(const HdIrInst *in)
{
    return in->op == HD_IR_SEXT || in->op == HD_IR_ZEXT || in->op == HD_IR_TRUNC;
}

/* The operand of a cast that preserves numbers below 2^31. */
static HdIrRef without_casts(const HdIrFunc *f, HdIrRef r)
{
    while (is_cast(&f->insts.at[r]) && hd_ir_type_bits((HdIrType)f->insts.at[r].type) >= 32)
        r = hd_ir_arg(f, r, 0);
    return r;
}

static bool is_builtin(const HdIrFunc *f, HdIrRef r, unsigned what, uint64_t dim)
{
    const HdIrInst *in = &f->insts.at[without_casts(f, r)];

    return in->op == HD_IR_BUILTIN && in->sub == what && in->imm == dim;
}

/* A number that is known, the length of rows included. */
static bool is_known(const Fold *x, HdIrRef r, uint64_t *value)
{
    if (hd_ir_is_const(x->f, r, value))
        return true;
    *value = x->length;
    return is_builtin(x->f, r, HD_BUILTIN_GLOBAL_SIZE, 0);
}

static bool number(const void *user, HdIrRef r, uint64_t *value)
{
    return is_known(user, r, value);
}

static HdIrRef id_instead(const void *user, HdIrRef r, uint64_t *plus)
{
    const Fold *x = user;
    HdIrRef id = without_casts(x->f, r);

    *plus = 0;
    return id != r && x->f->insts.at[id].op == HD_IR_BUILTIN &&
                   x->f->insts.at[id].sub == HD_BUILTIN_GLOBAL_ID && x->f->insts.at[id].imm < 2
               ? id
               : 0;
}

/* Of an integer, or of what is added to an address. */
static Sum sum_of(const Fold *x, HdIrRef r)
{
    HdLinearRules rules = {.f = x->f, .user = x, .number = number, .instead = id_instead};
    Sum s = {.rest = hd_linear_of(&rules, r), .base = r};

    s.type = (HdIrType)x->f->insts.at[r].type;
    if (s.type == HD_IR_PTR) {
        s.type = HD_IR_I64;
        s.base = s.rest.base;
    }
    for (unsigned i = s.rest.count; i-- > 0;) {
        HdIrRef of = s.rest.terms[i].of;

        if (of == x->item || (!is_builtin(x->f, of, HD_BUILTIN_GLOBAL_ID, 0) &&
                              !is_builtin(x->f, of, HD_BUILTIN_GLOBAL_ID, 1)))
            continue;
        *(x->f->insts.at[of].imm == 0 ? &s.x : &s.y) += s.rest.terms[i].factor;
        hd_linear_drop(&s.rest, i);
    }
    s.x &= hd_ir_ones(s.type);
    s.y &= hd_ir_ones(s.type);
    return s;
}

/* ---- arguments that are the length of a row ----------------------------------------------------
 */

/* The argument that y is multiplied by in a term, 0: it is not such a product. */
static HdIrRef row_length(const Fold *x, HdIrRef term)
{
    if (x->f->insts.at[term].op != HD_IR_MUL)
        return 0;
    for (unsigned k = 0; k < 2; k++) {
        HdIrRef by = hd_ir_arg(x->f, term, k);

        if (x->f->insts.at[without_casts(x->f, by)].op == HD_IR_KARG &&
            is_builtin(x->f, hd_ir_arg(x->f, term, 1 - k), HD_BUILTIN_GLOBAL_ID, 1))
            return by;
    }
    return 0;
}

static void note_factor(Fold *x, HdIrRef factor)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->factors[i].of == factor)
            return;
    if (x->count < HD_TWICE_VALUES)
        x->factors[x->count++] = (HdLaneValue){factor, x->length};
}

/* Is it a sum of both ids, or would be if an argument were the length of a row? */
static bool has_both(Fold *x, HdIrRef r, bool *is_argument)
{
    Sum s = sum_of(x, r);
    HdIrRef factor = 0;

    *is_argument = false;
    if (!s.rest.is_whole || s.x == 0)
        return false;
    for (unsigned i = 0; i < s.rest.count && s.y == 0 && factor == 0; i++)
        if (s.rest.terms[i].factor == s.x)
            factor = row_length(x, s.rest.terms[i].of);
    *is_argument = factor != 0;
    if (factor != 0)
        note_factor(x, factor);
    return s.y != 0 || factor != 0;
}

static bool is_sum(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    return (in->op == HD_IR_ADD || in->op == HD_IR_SUB || in->op == HD_IR_PTRADD) &&
           in->block != HD_IR_NOWHERE && hd_ir_type_bits((HdIrType)in->type) >= 32;
}

static bool find_sums(Fold *x)
{
    bool any = false, is_argument;

    for (HdIrRef r = 1; r < x->f->insts.count; r++)
        any = (is_sum(x->f, r) && has_both(x, r, &is_argument)) || any;
    return any;
}

/* ---- the folded kernel --------------------------------------------------------------------------
 */

/* Instructions that are inserted before another one. */
typedef struct Place {
    HdIrFunc *f;
    uint32_t block;
    HD_ARRAY(HdIrRef) list;
    bool failed;
} Place;

static HdIrRef put(Place *p, HdIrOp op, HdIrType type, unsigned sub, uint64_t imm, HdIrRef a,
                   HdIrRef b)
{
    HdIrRef args[2] = {a, b}, r;

    r = hd_ir_make(p->f, p->block, op, type, sub, imm, args, a == 0 ? 0 : b == 0 ? 1 : 2);
    if (r == 0 || !HD_PUSH(p->f->module->arena, &p->list, r))
        p->failed = true;
    return r;
}

/* A value of at least as many bits, as this type. */
static HdIrRef put_cast(Place *p, HdIrRef r, HdIrType type)
{
    HdIrType from = (HdIrType)p->f->insts.at[r].type;

    return from == type ? r : put(p, HD_IR_TRUNC, type, 0, 0, r, 0);
}

static HdIrRef put_product(Place *p, HdIrRef r, uint64_t factor, HdIrType type)
{
    HdIrRef by;

    r = put_cast(p, r, type);
    if ((factor & hd_ir_ones(type)) == 1)
        return r;
    by = put(p, HD_IR_CONST, type, 0, factor & hd_ir_ones(type), 0, 0);
    return put(p, HD_IR_MUL, type, 0, 0, r, by);
}

static HdIrRef put_sum(const Fold *x, Place *p, const Sum *s)
{
    HdIrRef all = put_product(p, x->item, s->x, s->type);
    uint64_t number = s->rest.constant;

    for (unsigned i = 0; i < s->rest.count; i++) {
        HdIrRef term = put_product(p, s->rest.terms[i].of, s->rest.terms[i].factor, s->type);

        all = put(p, HD_IR_ADD, s->type, 0, 0, all, term);
    }
    if (number != 0)
        all = put(p, HD_IR_ADD, s->type, 0, 0, all, put(p, HD_IR_CONST, s->type, 0, number, 0, 0));
    return x->f->insts.at[s->base].type == HD_IR_PTR
               ? put(p, HD_IR_PTRADD, HD_IR_PTR, 0, 0, s->base, all)
               : all;
}

/* Sums of x and so many rows' y become sums of the item's number. */
static bool unite_block(const Fold *x, uint32_t b, HdIrRef *with, size_t count)
{
    HdIrBlock *block = &x->f->blocks.at[b];
    Place p = {.f = x->f, .block = b};

    for (size_t i = 0; i < block->insts.count && !p.failed; i++) {
        HdIrRef r = block->insts.at[i];

        if (r < count && is_sum(x->f, r)) {
            Sum s = sum_of(x, r);

            if (s.rest.is_whole && s.x != 0 && s.y == (s.x * x->length & hd_ir_ones(s.type)))
                with[r] = put_sum(x, &p, &s);
        }
        block = &x->f->blocks.at[b];
        p.failed = p.failed || !HD_PUSH(x->f->module->arena, &p.list, r);
    }
    if (!p.failed) {
        block->insts.at = p.list.at;
        block->insts.count = p.list.count;
        block->insts.room = p.list.room;
    }
    return !p.failed;
}

/* Before everything else: the item's number, and the original ids derived from it. */
static bool put_ids(Fold *x, HdIrRef id[3], HdIrRef size[3])
{
    HdIrBlock *entry = &x->f->blocks.at[0];
    Place p = {.f = x->f};
    HdIrRef length, item, rows;

    x->item = put(&p, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_GLOBAL_ID, 0, 0, 0);
    id[2] = put(&p, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_GLOBAL_ID, 1, 0, 0);
    size[2] = put(&p, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_GLOBAL_SIZE, 1, 0, 0);
    rows = put(&p, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_GLOBAL_SIZE, 0, 0, 0);
    size[0] = put(&p, HD_IR_CONST, HD_IR_I64, 0, x->length, 0, 0);
    size[1] = put(&p, HD_IR_UDIV, HD_IR_I64, 0, 0, rows, size[0]);
    length = put(&p, HD_IR_CONST, HD_IR_I32, 0, x->length, 0, 0);
    item = put(&p, HD_IR_TRUNC, HD_IR_I32, 0, 0, x->item, 0); /* below 2^31 */
    x->x = put(&p, HD_IR_UREM, HD_IR_I32, 0, 0, item, length);
    id[0] = put(&p, HD_IR_ZEXT, HD_IR_I64, 0, 0, x->x, 0);
    x->y = put(&p, HD_IR_UDIV, HD_IR_I32, 0, 0, item, length);
    id[1] = put(&p, HD_IR_ZEXT, HD_IR_I64, 0, 0, x->y, 0);
    entry = &x->f->blocks.at[0];
    for (size_t i = 0; i < entry->insts.count && !p.failed; i++)
        p.failed = !HD_PUSH(x->f->module->arena, &p.list, entry->insts.at[i]);
    if (!p.failed) {
        entry->insts.at = p.list.at;
        entry->insts.count = p.list.count;
        entry->insts.room = p.list.room;
    }
    return !p.failed;
}

static HdStatus fold(Fold *x, HdArena *a)
{
    size_t count = x->f->insts.count;
    HdIrRef *with, id[3], size[3];

    HD_TAKE(with, HD_NEW(a, HdIrRef, count));
    if (!put_ids(x, id, size))
        return HD_NO_MEMORY;
    for (uint32_t b = 0; b < x->f->blocks.count; b++)
        if (!unite_block(x, b, with, count))
            return HD_NO_MEMORY;
    for (HdIrRef r = 1; r < count; r++) {
        const HdIrInst *in = &x->f->insts.at[r];

        if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_GLOBAL_ID)
            with[r] = id[in->imm];
        if (in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_GLOBAL_SIZE)
            with[r] = size[in->imm];
    }
    hd_ir_substitute(x->f, with, count);
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- the choice ---------------------------------------------------------------------------------
 */

/* Does it query the number of a work-item, which folding does not change? */
static bool is_linear(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++)
        if (f->insts.at[i].op == HD_IR_BUILTIN && f->insts.at[i].sub == HD_BUILTIN_GLOBAL_LINEAR_ID)
            return true;
    return false;
}

/* Does it query only what a folded launch can answer? */
static bool asks_for_global(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        if (in->op == HD_IR_BARRIER || in->op == HD_IR_LOCAL_ADDR ||
            (in->op == HD_IR_BUILTIN && in->sub != HD_BUILTIN_GLOBAL_ID &&
             in->sub != HD_BUILTIN_GLOBAL_SIZE && in->sub != HD_BUILTIN_GLOBAL_OFFSET &&
             in->sub != HD_BUILTIN_WORK_DIM && in->sub != HD_BUILTIN_GLOBAL_LINEAR_ID))
            return false;
    }
    return true;
}

bool hd_lanes_may_fold(const HdIrFunc *f)
{
    Fold x = {.f = (HdIrFunc *)(uintptr_t)f, .length = 2};

    return f->module->called.count == 0 && hd_lanes_is_free(f, HD_BUILTIN_GLOBAL_LINEAR_ID) &&
           asks_for_global(f) && (is_linear(f) || find_sums(&x));
}

/* Arguments are what they should be. */
static void assume(Fold *x)
{
    for (unsigned i = 0; i < x->count; i++) {
        HdIrInst *in = &x->f->insts.at[x->factors[i].of];

        in->op = HD_IR_CONST;
        in->imm = x->factors[i].value;
        in->nargs = 0;
    }
}

/* The cost of the unfolded launch, at most. */
static HdStatus memory_cost(HdIrFunc *f, unsigned length, HdArena *a, double *cost)
{
    bool is_along_x = length >= ROW || is_linear(f); /* whose lanes cannot go along y */

    HD_TRY(hd_lanes_memory_cost(f, is_along_x ? 0 : 1, a, cost));
    if (is_along_x)
        *cost *= (double)((length + ROW - 1) / ROW * ROW) / length; /* lanes left over */
    else
        *cost *= GAIN;
    return HD_OK;
}

/* The cost of the folded one: what depends on x or y alone is contiguous in sub-groups that do not
 * go from one row to the next. */
static HdStatus folded_cost(Fold *x, HdArena *a, double *cost)
{
    double apart = fmin((double)(ROW - 1) / (double)x->length, 1), within;

    HD_TRY(hd_lanes_memory_cost(x->f, 0, a, &within));
    for (unsigned i = 0; i < 2; i++) { /* something else that differs from lane to lane */
        HdIrInst *id = hd_ir_inst(x->f, i == 0 ? x->x : x->y);

        id->op = HD_IR_MUL;
        hd_ir_set_args(x->f, i == 0 ? x->x : x->y,
                       (HdIrRef[2]){hd_ir_arg(x->f, x->x, 0), hd_ir_arg(x->f, x->x, 0)}, 2);
    }
    HD_TRY(hd_lanes_memory_cost(x->f, 0, a, cost));
    *cost = apart * *cost + (1 - apart) * within;
    return HD_OK;
}

HdStatus hd_lanes_fold_pays(HdIrFunc *f, unsigned length, HdArena *a, bool *pays)
{
    Fold x = {.f = f, .length = length};
    double before, after;

    *pays = false;
    if (!hd_lanes_may_fold(f))
        return HD_OK;
    HD_TRY(hd_lanes_one_exit(f, a));
    HD_TRY(memory_cost(f, length, a, &before));
    (void)find_sums(&x);
    assume(&x);
    HD_TRY(fold(&x, a));
    HD_TRY(folded_cost(&x, a, &after));
    *pays = after <= before;
    return HD_OK;
}

HdStatus hd_lanes_fold(HdIrFunc *f, unsigned length, HdArena *a)
{
    Fold x = {.f = f, .length = length};

    HD_TRY(hd_lanes_one_exit(f, a));
    (void)find_sums(&x);
    if (x.count != 0)
        HD_TRY(hd_lanes_version(f, x.factors, x.count, a));
    return fold(&x, a);
}
