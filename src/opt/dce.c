/* opt/dce.c -- dead code elimination.
 *
 * Instructions with effects are live, and so are operands of live instructions; cycles of phis that
 * only feed each other are not. Stores to an ALLOCA that is never read are removed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "opt/pass.h"

#include "base/bitset.h"

/* Is this needed regardless of its uses? */
static bool is_root(const HdIrInst *in)
{
    return hd_ir_op_has_effects(in->op) || (in->flags & HD_IR_VOLATILE) != 0;
}

/* Some runtime functions only inspect an address and have no effect, but only rt/ knows which; all
 * stay. */
static HdStatus mark(const HdIrFunc *f, HdArena *a, uint64_t *needed)
{
    HdIrRef *work;
    size_t count = 0;

    HD_TAKE(work, HD_NEW(a, HdIrRef, f->insts.count));
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        HdIrRef r = e.inst;

        if (!is_root(&f->insts.at[r]) || hd_bit_has(needed, r))
            continue;
        hd_bit_add(needed, r);
        work[count++] = r;
    }
    while (count != 0) {
        HdIrRef r = work[--count];
        const HdIrInst *in = &f->insts.at[r];

        for (unsigned k = 0; k < in->nargs; k++) {
            HdIrRef value = hd_ir_arg(f, r, k);

            if (!hd_ir_arg_is_value(in, k) || hd_bit_has(needed, value))
                continue;
            hd_bit_add(needed, value);
            work[count++] = value;
        }
    }
    return HD_OK;
}

/* Delete plain stores to ALLOCAs whose address goes nowhere but into such stores. */
static HdStatus drop_write_only(HdIrFunc *f, HdArena *a, bool *changed)
{
    HdIrRef *base; /* [insts] ALLOCA that an address is derived from */
    uint64_t *read;

    HD_TAKE(base, HD_NEW(a, HdIrRef, f->insts.count));
    HD_TAKE(read, HD_NEW(a, uint64_t, HD_BITSET_WORDS(f->insts.count)));
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        HdIrRef r = e.inst, at = r;

        while (f->insts.at[at].op == HD_IR_PTRADD)
            at = hd_ir_arg(f, at, 0);
        base[r] = f->insts.at[at].op == HD_IR_ALLOCA ? at : 0;
    }
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        HdIrRef r = e.inst;
        const HdIrInst *in = &f->insts.at[r];
        bool plain = (in->flags & HD_IR_VOLATILE) == 0;

        for (unsigned k = 0; k < in->nargs; k++) {
            bool harmless = k == 0 && (in->op == HD_IR_PTRADD || (in->op == HD_IR_STORE && plain));

            if (hd_ir_arg_is_value(in, k) && !harmless)
                hd_bit_add(read, base[hd_ir_arg(f, r, k)]);
        }
    }
    for (size_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef r = f->blocks.at[b].insts.at[i];
            HdIrRef at = f->insts.at[r].op == HD_IR_STORE ? base[hd_ir_arg(f, r, 0)] : 0;

            if (at != 0 && !hd_bit_has(read, at)) {
                hd_ir_kill(f, r);
                *changed = true;
            }
        }
    hd_ir_sweep(f);
    return HD_OK;
}

HdStatus hd_opt_dce(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint64_t *needed;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    HD_TRY(drop_write_only(f, scratch, changed));
    HD_TAKE(needed, HD_NEW(scratch, uint64_t, HD_BITSET_WORDS(f->insts.count)));
    HD_TRY(mark(f, scratch, needed));
    for (size_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef r = f->blocks.at[b].insts.at[i];

            if (!hd_bit_has(needed, r)) {
                hd_ir_kill(f, r);
                *changed = true;
            }
        }
    hd_ir_sweep(f);
    return HD_OK;
}
