/* tests/ir/gen_body.h -- what generators of random lane IR share. Included where Gen is known,
 * which has the function `f`, the `block` that instructions go to, and the `state` of random
 * numbers.
 *
 * SPDX-License-Identifier: MIT
 */
static unsigned roll(Gen *g, unsigned n)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return (unsigned)((g->state >> 11) % n);
}

static HdIrRef op(Gen *g, HdIrOp o, HdIrType t, unsigned sub, HdIrRef a, HdIrRef b, HdIrRef c)
{
    HdIrRef args[3] = {a, b, c};
    size_t n = a == 0 ? 0 : b == 0 ? 1 : c == 0 ? 2 : 3;

    return hd_ir_emit_sub(g->f, g->block, o, t, sub, 0, args, n);
}

static HdIrRef constant(Gen *g, HdIrType t, uint64_t bits)
{
    return hd_ir_const(g->f, g->block, t, bits);
}

static HdIrRef load(Gen *g, HdIrRef at, HdIrType t)
{
    return op(g, HD_IR_LOAD, t, HD_SPACE_GENERIC, at, 0, 0);
}

static void store(Gen *g, HdIrRef at, HdIrRef x)
{
    op(g, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GENERIC, at, x, 0);
}

/* Ends a block: x = 0, step, 2 step … lead to each of `to` but the last, which is for the rest. */
static void set_switch(Gen *g, uint32_t block, HdIrRef x, const uint32_t *to, uint32_t n,
                       unsigned step)
{
    HdIrBlock *b = &g->f->blocks.at[block];
    HdArena *a = g->f->module->arena;

    b->succ = hd_arena_copy(a, to, n * sizeof *to);
    b->succ_count = n;
    b->cases = HD_NEW(a, uint64_t, n);
    for (uint32_t i = 0; i + 1 < n; i++)
        b->cases[i] = i * step;
    hd_ir_emit(g->f, block, HD_IR_SWITCH, HD_IR_VOID, &x, 1);
}
