/* lanes/private.c -- the layout of private arrays.
 *
 * Interleaved by lane, an access at an index that all lanes share is one vector access instead of a
 * gather. That needs every access to be of one size at multiples of it, and the address to stay
 * where we see it: used by PTRADD, PHI, SELECT of pointers into the same array, LOAD and STORE.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/canon.h"

/* Which ALLOCA each pointer comes from; NO_ROOT: none, MIXED: several or unknown. */
#define NO_ROOT 0u
#define MIXED   UINT32_MAX

typedef struct Roots {
    HdIrFunc *f;
    HdIrRef *root;     /* [insts] */
    uint32_t *element; /* [insts] of ALLOCAs: 0 = no access yet */
    bool *escapes;     /* [insts] of ALLOCAs */
} Roots;

static void escape(Roots *r, HdIrRef pointer)
{
    HdIrRef root = r->root[pointer];

    if (root != NO_ROOT && root != MIXED)
        r->escapes[root] = true;
}

/* Give v the root of `from`; two different ones escape both. True when something changed. */
static bool join_root(Roots *r, HdIrRef v, HdIrRef from)
{
    HdIrRef mine = r->root[v], other = r->root[from];

    if (other == NO_ROOT || mine == other)
        return false;
    if (mine == NO_ROOT) {
        r->root[v] = other;
        return true;
    }
    escape(r, v);
    escape(r, from);
    r->root[v] = MIXED;
    return mine != MIXED;
}

static bool propagate(Roots *r)
{
    bool changed = false;

    for (HdIrRef v = 1; v < r->f->insts.count; v++) {
        const HdIrInst *in = &r->f->insts.at[v];
        const HdIrRef *args = hd_ir_args(r->f, v);

        if (in->block == HD_IR_NOWHERE)
            continue;
        if (in->op == HD_IR_PTRADD)
            changed |= join_root(r, v, args[0]);
        else if (in->op == HD_IR_SELECT && in->type == HD_IR_PTR)
            changed |= join_root(r, v, args[1]) | join_root(r, v, args[2]);
        else if (in->op == HD_IR_PHI && in->type == HD_IR_PTR)
            for (unsigned i = 1; i < in->nargs; i += 2)
                changed |= join_root(r, v, args[i]);
    }
    return changed;
}

#define MULTIPLE_DEPTH 6

/* Is this offset a multiple of `bytes`, a power of two, by what it is made of? `assumed` is a phi
 * that is one if what comes round its loop is: it starts as one. */
static bool is_multiple(const HdIrFunc *f, HdIrRef offset, uint32_t bytes, HdIrRef assumed,
                        unsigned depth)
{
    const HdIrInst *in = &f->insts.at[offset];
    const HdIrRef *args = hd_ir_args(f, offset);

    if (bytes == 1 || offset == assumed)
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return in->imm % bytes == 0;
    case HD_IR_MUL: return is_multiple(f, args[1], bytes, assumed, depth - 1);
    case HD_IR_SHL:
        return f->insts.at[args[1]].op == HD_IR_CONST && f->insts.at[args[1]].imm < 32 &&
               (UINT64_C(1) << f->insts.at[args[1]].imm) % bytes == 0;
    case HD_IR_ADD:
    case HD_IR_SUB:
        return is_multiple(f, args[1], bytes, assumed, depth - 1) &&
               is_multiple(f, args[0], bytes, assumed, depth - 1);
    case HD_IR_PHI:
        for (unsigned i = 0; i + 1 < in->nargs; i += 2)
            if (assumed != 0 || !is_multiple(f, args[i + 1], bytes, offset, depth - 1))
                return false;
        return in->nargs != 0;
    default: return false;
    }
}

static void note_access(Roots *r, HdIrRef pointer, HdIrType type)
{
    HdIrRef root = r->root[pointer];
    uint32_t bytes = hd_ir_type_bytes(type);

    if (root == NO_ROOT || root == MIXED)
        return;
    if (r->element[root] != 0 && r->element[root] != bytes)
        r->escapes[root] = true;
    r->element[root] = bytes;
}

/* A select or phi that mixes a tracked pointer with an untracked one lets it escape. */
static void check_mixed(Roots *r, HdIrRef v, HdIrRef arg)
{
    if (r->root[v] != NO_ROOT && r->root[arg] != r->root[v]) {
        escape(r, v);
        escape(r, arg);
    }
}

static void visit_uses(Roots *r, HdIrRef v)
{
    const HdIrInst *in = &r->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(r->f, v);

    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD: note_access(r, args[0], (HdIrType)in->type); break;
    case HD_IR_STORE:
        note_access(r, args[0], (HdIrType)r->f->insts.at[args[1]].type);
        escape(r, args[1]);
        break;
    case HD_IR_PTRADD: break;
    case HD_IR_SELECT:
        if (in->type == HD_IR_PTR)
            check_mixed(r, v, args[1]), check_mixed(r, v, args[2]);
        break;
    case HD_IR_PHI:
        if (in->type == HD_IR_PTR)
            for (unsigned i = 1; i < in->nargs; i += 2)
                check_mixed(r, v, args[i]);
        break;
    default:
        for (unsigned i = 0; i < in->nargs; i++)
            escape(r, args[i]);
    }
}

static void check_offsets(Roots *r)
{
    for (HdIrRef v = 1; v < r->f->insts.count; v++) {
        const HdIrInst *in = &r->f->insts.at[v];
        HdIrRef root = r->root[v];

        if (in->block == HD_IR_NOWHERE || in->op != HD_IR_PTRADD || root == NO_ROOT ||
            root == MIXED)
            continue;
        if (r->element[root] != 0 &&
            !is_multiple(r->f, hd_ir_arg(r->f, v, 1), r->element[root], 0, MULTIPLE_DEPTH))
            r->escapes[root] = true;
    }
}

/* offset * width, in place of the old offset. */
static HdStatus scale_offsets(Roots *r, uint32_t width, HdIrRef count)
{
    HdIrFunc *f = r->f;

    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef v = f->blocks.at[b].insts.at[i], args[2], scale[2];

            if (v >= count || f->insts.at[v].op != HD_IR_PTRADD || r->root[v] == NO_ROOT ||
                r->root[v] == MIXED || r->element[r->root[v]] == 0)
                continue;
            args[0] = hd_ir_arg(f, v, 0);
            scale[0] = hd_ir_arg(f, v, 1);
            scale[1] = hd_ir_insert(f, b, i++, HD_IR_CONST, HD_IR_I64, 0, width, NULL, 0);
            args[1] = hd_ir_insert(f, b, i++, HD_IR_MUL, HD_IR_I64, 0, 0, scale, 2);
            if (f->module->failed)
                return HD_NO_MEMORY;
            hd_ir_inst(f, args[1])->flags |= HD_IR_NSW;
            hd_ir_set_args(f, v, args, 2);
        }
    return HD_OK;
}

HdStatus hd_lanes_private(HdIrFunc *f, uint32_t width, HdArena *a, uint32_t **element)
{
    HdIrRef count = (HdIrRef)f->insts.count;
    Roots r = {.f = f};

    HD_TAKE(r.root, HD_NEW(a, HdIrRef, count));
    HD_TAKE(r.element, HD_NEW(a, uint32_t, count));
    HD_TAKE(r.escapes, HD_NEW(a, bool, count));
    for (HdIrRef v = 1; v < count; v++)
        if (f->insts.at[v].op == HD_IR_ALLOCA && f->insts.at[v].block != HD_IR_NOWHERE)
            r.root[v] = v;
    while (propagate(&r))
        ;
    for (HdIrRef v = 1; v < count; v++)
        if (f->insts.at[v].block != HD_IR_NOWHERE)
            visit_uses(&r, v);
    check_offsets(&r);
    for (HdIrRef v = 1; v < count; v++)
        if (r.escapes[v] || width == 1 || f->insts.at[v].op != HD_IR_ALLOCA)
            r.element[v] = 0;
    HD_TRY(scale_offsets(&r, width, count));
    HD_TAKE(*element, HD_NEW(a, uint32_t, f->insts.count));
    for (HdIrRef v = 1; v < count; v++)
        (*element)[v] = r.element[v];
    return HD_OK;
}
