/* opt/idiom_memset.c -- loops that store one byte to consecutive places become a MEMSET.
 *
 *     k = 0; do p[k] = c; while (++k < n);
 *
 * So compilers write the fills that they make of loops. The number of bytes is that of the
 * iterations, one at least.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "opt/pass.h"

/* The instructions of a loop of one block, constants aside. */
typedef struct Fill {
    HdIrRef counter, next, place, store, test;
    unsigned count;
} Fill;

static const HdIrInst *at(const HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}

static bool find_parts(const HdIrFunc *f, uint32_t b, Fill *x)
{
    const HdIrBlock *block = &f->blocks.at[b];

    *x = (Fill){0};
    for (size_t i = 0; i + 1 < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];

        switch ((HdIrOp)at(f, r)->op) {
        case HD_IR_CONST: continue;
        case HD_IR_PHI: x->counter = r; break;
        case HD_IR_ADD: x->next = r; break;
        case HD_IR_PTRADD: x->place = r; break;
        case HD_IR_STORE: x->store = r; break;
        case HD_IR_ICMP: x->test = r; break;
        default: return false;
        }
        x->count++;
    }
    return x->count == 5 && x->counter != 0 && x->next != 0 && x->place != 0 && x->store != 0 &&
           x->test != 0;
}

static bool is_invariant(const HdIrFunc *f, uint32_t b, HdIrRef r)
{
    return at(f, r)->block != b || at(f, r)->op == HD_IR_CONST;
}

/* Does `counter` go 0, 1, 2, … in 64 bits, as long as the next one is below a bound? */
static bool counts(const HdIrFunc *f, uint32_t b, const Fill *x)
{
    unsigned from = hd_ir_arg(f, x->counter, 0) == b ? 3 : 1;
    int64_t start, by;

    return at(f, x->counter)->type == HD_IR_I64 && at(f, x->counter)->nargs == 4 &&
           hd_ir_is_number(f, hd_ir_arg(f, x->counter, from), &start) && start == 0 &&
           hd_ir_phi_value(f, x->counter, b) == x->next && hd_ir_arg(f, x->next, 0) == x->counter &&
           hd_ir_is_number(f, hd_ir_arg(f, x->next, 1), &by) && by == 1 &&
           at(f, x->test)->sub == HD_IR_ULT && hd_ir_arg(f, x->test, 0) == x->next &&
           is_invariant(f, b, hd_ir_arg(f, x->test, 1)) &&
           hd_ir_arg(f, hd_ir_last(f, b), 0) == x->test;
}

static bool fills(const HdIrFunc *f, uint32_t b, const Fill *x)
{
    HdIrRef value = hd_ir_arg(f, x->store, 1);

    return at(f, x->store)->flags == 0 && hd_ir_arg(f, x->store, 0) == x->place &&
           at(f, value)->type == HD_IR_I8 && is_invariant(f, b, value) &&
           hd_ir_arg(f, x->place, 1) == x->counter && is_invariant(f, b, hd_ir_arg(f, x->place, 0));
}

/* Nobody else asks for them; those of the loop are counted. */
static bool are_inside(const uint32_t *uses, const Fill *x)
{
    return uses[x->counter] == 2 && uses[x->next] == 2 && uses[x->place] == 1 && uses[x->test] == 1;
}

static HdStatus replace(HdIrFunc *f, uint32_t b, const Fill *x)
{
    HdIrBlock *block = &f->blocks.at[b];
    HdIrRef fill;
    HdIrRef most[2] = {hd_ir_arg(f, x->test, 1), hd_ir_arg(f, x->next, 1)};
    HdIrRef args[3] = {hd_ir_arg(f, x->place, 0), hd_ir_arg(f, x->store, 1)};

    HD_TAKE(args[2],
            hd_ir_insert(f, b, block->insts.count - 1, HD_IR_UMAX, HD_IR_I64, 0, 0, most, 2));
    HD_TAKE(fill, hd_ir_insert(f, b, block->insts.count - 1, HD_IR_MEMSET, HD_IR_VOID,
                               at(f, x->store)->sub, 1, args, 3));
    hd_ir_kill(f, x->counter);
    hd_ir_kill(f, x->next);
    hd_ir_kill(f, x->place);
    hd_ir_kill(f, x->store);
    hd_ir_kill(f, x->test);
    hd_ir_leave_one_way(f, b, block->succ[1]);
    block->loop_merge = HD_IR_NOWHERE;
    return HD_OK;
}

HdStatus hd_opt_idiom_memset(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t *uses;
    bool any = false;

    HD_TAKE(uses, hd_ir_count_uses(f, scratch));
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        Fill x;

        if (!hd_ir_is_own_loop(f, b) || f->blocks.at[b].succ[0] != b || !find_parts(f, b, &x) ||
            !counts(f, b, &x) || !fills(f, b, &x) || !are_inside(uses, &x))
            continue;
        HD_TRY(replace(f, b, &x));
        any = true;
    }
    if (any)
        hd_ir_sweep(f);
    *changed = *changed || any;
    return HD_OK;
}
