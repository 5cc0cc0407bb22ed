/* build/guard.c -- guards in front of accesses to what may not be bound.
 *
 * An access at p, which leads back to the pointer r of a descriptor, becomes
 *
 *     missing = (r & HD_UNBOUND_BIT) != 0
 *     *(missing ? &unbound->told : &unbound->ignored) = p
 *     access at (missing ? unbound->room : p)
 *
 * without a branch, so that the flow of the shader remains what it is. An image, or a sampler,
 * whose descriptor lies past the end of its array has no texels, so its access stays as it is; the
 * array is told.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/guard.h"

#include <stddef.h>

#include "base/array.h"
#include "ir/edit.h"

typedef struct Known {
    HdIrRef root, missing;
} Known;

typedef struct Guard {
    HdIrFunc *f;
    bool bound, filled;
    HdIrRef unbound, room; /* in the entry block; 0: not needed up to now */
    uint32_t unbound_offset, none_offset;
    uint32_t block;
    size_t at;             /* of the access in the block's list */
    HD_ARRAY(Known) known; /* in this block */
} Guard;

static HdIrRef add(Guard *g, HdIrOp op, HdIrType t, unsigned sub, uint64_t imm, const HdIrRef *args,
                   size_t nargs)
{
    HdIrRef r = hd_ir_insert(g->f, g->block, g->at, op, t, sub, imm, args, nargs);

    g->at++;
    return r;
}

static HdIrRef number(Guard *g, uint64_t bits)
{
    return add(g, HD_IR_CONST, HD_IR_I64, 0, bits, NULL, 0);
}

static HdIrRef add2(Guard *g, HdIrOp op, HdIrType t, unsigned sub, HdIrRef a, HdIrRef b)
{
    const HdIrRef args[] = {a, b};

    return add(g, op, t, sub, 0, args, 2);
}

static HdIrRef add_select(Guard *g, HdIrType t, HdIrRef is, HdIrRef yes, HdIrRef no)
{
    const HdIrRef args[] = {is, yes, no};

    return add(g, HD_IR_SELECT, t, 0, 0, args, 3);
}

static HdIrRef root_of(const HdIrFunc *f, HdIrRef pointer)
{
    while (f->insts.at[pointer].op == HD_IR_PTRADD)
        pointer = hd_ir_arg(f, pointer, 0);
    return pointer;
}

/* Is this a choice between a descriptor in an array and the one that stands behind its end
 * (hd_build_move_descriptor)? */
static bool is_choice(const Guard *g, HdIrRef root)
{
    const HdIrInst *none;

    if (g->f->insts.at[root].op != HD_IR_SELECT)
        return false;
    none = &g->f->insts.at[hd_ir_arg(g->f, root, 2)];
    return none->op == HD_IR_KARG_ADDR && none->imm == g->none_offset;
}

static bool is_guarded(const Guard *g, HdIrRef root, unsigned space)
{
    if (is_choice(g, root))
        return false;
    switch (g->f->insts.at[root].op) {
    case HD_IR_ALLOCA:
    case HD_IR_LOCAL_ADDR:
    case HD_IR_PROGRAM_ADDR:
    case HD_IR_KARG_ADDR: return false;
    case HD_IR_KARG: return !g->bound;
    case HD_IR_LOAD: /* from an element that exists */
        if (g->filled && (g->f->insts.at[root].flags & HD_IR_INVARIANT) != 0)
            return false;
        return space != HD_SPACE_LOCAL && space != HD_SPACE_PRIVATE;
    default: return space != HD_SPACE_LOCAL && space != HD_SPACE_PRIVATE;
    }
}

/* Where what is not bound goes, in front of all that the function does. */
static void begin(Guard *g)
{
    HdIrRef args[2];

    if (g->unbound != 0)
        return;
    g->unbound = hd_ir_insert(g->f, 0, 0, HD_IR_KARG, HD_IR_PTR, 0, g->unbound_offset, NULL, 0);
    args[0] = g->unbound;
    args[1] =
        hd_ir_insert(g->f, 0, 1, HD_IR_CONST, HD_IR_I64, 0, offsetof(HdUnbound, room), NULL, 0);
    g->room = hd_ir_insert(g->f, 0, 2, HD_IR_PTRADD, HD_IR_PTR, 0, 0, args, 2);
    if (g->block == 0)
        g->at += 3;
}

/* Write an address to where what is missing is told, or to where nobody looks.
 *   yes, no  offsets in HdUnbound, by `is` */
static void tell(Guard *g, HdIrRef is, uint64_t yes, uint64_t no, HdIrRef address)
{
    HdIrRef to = add_select(g, HD_IR_I64, is, number(g, yes), number(g, no));
    HdIrRef args[2];

    args[0] = add2(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->unbound, to);
    args[1] = address;
    (void)add(g, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GLOBAL, 8, args, 2);
}

/* Does nothing lie at a root? That is told, once in a block for each. */
static HdStatus find_missing(Guard *g, HdIrRef root, HdIrRef pointer, HdIrRef *out)
{
    HdIrRef bits;

    for (size_t i = 0; i < g->known.count; i++)
        if (g->known.at[i].root == root) {
            *out = g->known.at[i].missing;
            return HD_OK;
        }
    begin(g);
    bits = add(g, HD_IR_BITCAST, HD_IR_I64, 0, 0, &root, 1);
    bits = add2(g, HD_IR_AND, HD_IR_I64, 0, bits, number(g, HD_UNBOUND_BIT));
    *out = add2(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_NE, bits, number(g, 0));
    bits = add(g, HD_IR_BITCAST, HD_IR_I64, 0, 0, &pointer, 1);
    tell(g, *out, offsetof(HdUnbound, told), offsetof(HdUnbound, ignored), bits);
    HD_TRY_PUSH(NULL, &g->known, ((Known){root, *out}));
    return HD_OK;
}

/* Operand k of access r is a pointer. A copy that goes to, or comes from, nowhere has no bytes. */
static HdStatus guard(Guard *g, HdIrRef r, unsigned k, unsigned space)
{
    const HdIrRef pointer = hd_ir_arg(g->f, r, k), root = root_of(g->f, pointer);
    const unsigned op = g->f->insts.at[r].op;
    HdIrRef missing, to;

    if (!is_guarded(g, root, space))
        return HD_OK;
    HD_TRY(find_missing(g, root, pointer, &missing));
    to = add_select(g, HD_IR_PTR, missing, g->room, pointer);
    g->f->insts.at[to].flags |= HD_IR_GUARD;
    hd_ir_args(g->f, r)[k] = to;
    if (op == HD_IR_MEMCPY || op == HD_IR_MEMSET) {
        to = add_select(g, HD_IR_I64, missing, number(g, 0), hd_ir_arg(g->f, r, 2));
        hd_ir_args(g->f, r)[2] = to;
    }
    return g->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- images and samplers --------------------------------------------------------------------- */

/* The choice by which a word was loaded; 0: there was none. In a heap, addresses of images have a
 * bit that is taken away where they are some. */
static HdIrRef choice_of(const Guard *g, HdIrRef word)
{
    HdIrRef at;

    if (g->f->insts.at[word].op == HD_IR_SELECT)
        word = hd_ir_arg(g->f, word, 1);
    if (g->f->insts.at[word].op == HD_IR_SUB || g->f->insts.at[word].op == HD_IR_ADD)
        word = hd_ir_arg(g->f, word, 0);
    if (g->f->insts.at[word].op != HD_IR_LOAD)
        return 0;
    at = root_of(g->f, hd_ir_arg(g->f, word, 0));
    return is_choice(g, at) ? at : 0;
}

/* The number of the argument that an array of descriptors begins with. In a heap, a choice by the
 * index is behind that by the address. */
static uint32_t first_of(const Guard *g, HdIrRef choice)
{
    const HdIrInst *in;

    do
        choice = root_of(g->f, hd_ir_arg(g->f, choice, 1));
    while (is_choice(g, choice));
    in = &g->f->insts.at[choice];
    return in->op == HD_IR_KARG_ADDR ? (uint32_t)(in->imm / sizeof(HdBinding)) : HD_UNBOUND_MOST;
}

/* An image or a sampler is used: tell where its descriptor lies past the end. */
static void tell_past(Guard *g, HdIrRef word)
{
    const HdIrRef choice = choice_of(g, word);

    if (choice == 0)
        return;
    begin(g);
    tell(g, hd_ir_arg(g->f, choice, 0), offsetof(HdUnbound, ignored), offsetof(HdUnbound, told),
         number(g, hd_unbound_address(first_of(g, choice), true)));
}

/* Of an atomic on a texel, which lies in the image or at its `nowhere`. */
static void tell_texel(Guard *g, HdIrRef pointer)
{
    HdIrRef at = root_of(g->f, pointer);

    if (g->f->insts.at[at].op != HD_IR_SELECT)
        return;
    at = root_of(g->f, hd_ir_arg(g->f, at, 2));
    if (g->f->insts.at[at].op == HD_IR_BITCAST)
        tell_past(g, hd_ir_arg(g->f, at, 0));
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static HdStatus guard_access(Guard *g, HdIrRef r)
{
    const HdIrInst in = g->f->insts.at[r];

    switch (in.op) {
    case HD_IR_IMAGE_GET:
    case HD_IR_IMAGE_PUT:
        tell_past(g, hd_ir_arg(g->f, r, 0));
        tell_past(g, hd_ir_arg(g->f, r, 1)); /* a sampler, or the coordinate */
        return g->f->module->failed ? HD_NO_MEMORY : HD_OK;
    case HD_IR_LOAD:
    case HD_IR_STORE: return guard(g, r, 0, in.sub);
    case HD_IR_MEMSET:
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
        tell_texel(g, hd_ir_arg(g->f, r, 0));
        return guard(g, r, 0, HD_SPACE_GENERIC);
    case HD_IR_MEMCPY:
        HD_TRY(guard(g, r, 0, HD_SPACE_GENERIC));
        return guard(g, r, 1, HD_SPACE_GENERIC);
    default: return HD_OK;
    }
}

static HdStatus guard_function(Guard *g)
{
    for (g->block = 0; g->block < g->f->blocks.count; g->block++) {
        g->known.count = 0;
        for (g->at = 0; g->at < g->f->blocks.at[g->block].insts.count; g->at++)
            HD_TRY(guard_access(g, g->f->blocks.at[g->block].insts.at[g->at]));
    }
    return HD_OK;
}

HdStatus hd_build_guard(HdIrModule *ir, const HdKernelInfo *k, bool bound, bool filled)
{
    Guard g = {.bound = bound,
               .filled = filled,
               .unbound_offset = k->unbound_offset,
               .none_offset = k->none_offset};
    HdStatus st = HD_OK;

    for (size_t i = 0; i < ir->funcs.count && st == HD_OK; i++) {
        g.f = ir->funcs.at[i];
        g.unbound = g.room = 0;
        st = guard_function(&g);
    }
    HD_ARRAY_FREE(&g.known);
    return st;
}
