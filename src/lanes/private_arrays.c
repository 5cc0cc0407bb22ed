/* lanes/private_arrays.c -- the layout of private arrays.
 *
 * Interleaved by lane, an access at a uniform index is one vector access instead of a gather. That
 * requires all accesses to have one size and to be at multiples of it, and the address not to
 * escape: used by PTRADD, PHI, SELECT of pointers into the same array, LOAD and STORE. Small copies
 * and fills of whole elements become loads and stores.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/linear.h"
#include "lanes/canon.h"

/* Which ALLOCA each pointer comes from; NO_ROOT: none, MIXED: several or unknown. */
#define NO_ROOT 0u
#define MIXED   UINT32_MAX

typedef struct Roots {
    HdIrFunc *f;
    HdIrRef *root;            /* [insts] */
    uint32_t *element;        /* [insts] of ALLOCAs: 0 = no access yet */
    bool *escapes;            /* [insts] of ALLOCAs */
    HD_ARRAY(HdIrRef) copies; /* MEMCPY and MEMSET from or to arrays */
} Roots;

#define MOST_COPIED 64u /* elements of an array */
#define MOST_DEPTH  6u  /* phis and products in each other that a multiple is made of */

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
            for (unsigned i = 1; i < 3; i++)
                changed |= join_root(r, v, args[i]);
        else if (in->op == HD_IR_PHI && in->type == HD_IR_PTR)
            for (unsigned i = 1; i < in->nargs; i += 2)
                changed |= join_root(r, v, args[i]);
    }
    return changed;
}

/* Is this offset a multiple of `bytes`, a power of two, by what it is a sum of? `assumed` is a phi
 * that is one if its value from the back edge is: it starts as one. */
static bool is_multiple(const HdIrFunc *f, HdIrRef offset, uint32_t bytes, HdIrRef assumed,
                        unsigned depth);

static bool is_multiple_term(const HdIrFunc *f, HdIrRef of, uint32_t bytes, HdIrRef assumed,
                             unsigned depth)
{
    const HdIrInst *in = &f->insts.at[of];
    const HdIrRef *args = hd_ir_args(f, of);

    if (of == assumed)
        return true;
    if (depth == 0)
        return false;
    if (in->op == HD_IR_MUL)
        return is_multiple(f, args[1], bytes, assumed, depth - 1);
    for (unsigned i = 0; in->op == HD_IR_PHI && i + 1 < in->nargs; i += 2)
        if (assumed != 0 || !is_multiple(f, args[i + 1], bytes, of, depth - 1))
            return false;
    return in->op == HD_IR_PHI && in->nargs != 0;
}

static bool is_multiple(const HdIrFunc *f, HdIrRef offset, uint32_t bytes, HdIrRef assumed,
                        unsigned depth)
{
    HdLinearRules rules = {.f = f};
    HdLinear s = hd_linear_of(&rules, offset);

    if (bytes == 1)
        return true;
    if (!s.is_whole || s.constant % bytes != 0)
        return false;
    for (unsigned i = 0; i < s.count; i++)
        if (s.terms[i].factor % bytes != 0 &&
            !is_multiple_term(f, s.terms[i].of, bytes, assumed, depth))
            return false;
    return true;
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

/* A copy or fill may become loads and stores if it has a size. */
static HdStatus note_copy(Roots *r, HdArena *a, HdIrRef v)
{
    const HdIrInst *in = &r->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(r->f, v);
    bool is_copy = in->op == HD_IR_MEMCPY;

    if (r->f->insts.at[args[2]].op == HD_IR_CONST && (in->flags & HD_IR_VOLATILE) == 0 &&
        (is_copy || r->f->insts.at[args[1]].op == HD_IR_CONST)) {
        HD_TRY_PUSH(a, &r->copies, v);
        return HD_OK;
    }
    escape(r, args[0]);
    if (is_copy)
        escape(r, args[1]);
    return HD_OK;
}

static HdStatus visit_uses(Roots *r, HdArena *a, HdIrRef v)
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
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: return note_copy(r, a, v);
    default:
        for (unsigned i = 0; i < in->nargs; i++)
            escape(r, args[i]);
    }
    return HD_OK;
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
            !is_multiple(r->f, hd_ir_arg(r->f, v, 1), r->element[root], 0, MOST_DEPTH))
            r->escapes[root] = true;
    }
}

/* offset * width, instead of the old offset. */
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

/* ---- copies -------------------------------------------------------------------------------- */

/* Elements of the array that a pointer points into; 0 if that is laid out in blocks. */
static uint32_t element_of(const Roots *r, HdIrRef pointer)
{
    HdIrRef root = r->root[pointer];

    return root == NO_ROOT || root == MIXED || r->escapes[root] ? 0 : r->element[root];
}

static uint32_t copy_element(const Roots *r, HdIrRef v)
{
    uint32_t to = element_of(r, hd_ir_arg(r->f, v, 0));

    return to != 0 || r->f->insts.at[v].op == HD_IR_MEMSET ? to
                                                           : element_of(r, hd_ir_arg(r->f, v, 1));
}

/* Is a copy of whole elements of both sides, and not too many? */
static bool is_regular(const Roots *r, HdIrRef v)
{
    const HdIrRef *args = hd_ir_args(r->f, v);
    uint32_t bytes = copy_element(r, v);
    uint64_t size = r->f->insts.at[args[2]].imm;

    if (bytes == 0)
        return true; /* is unchanged */
    if (r->f->insts.at[v].op == HD_IR_MEMCPY &&
        (r->root[args[0]] == r->root[args[1]] ||
         (element_of(r, args[1]) != 0 && element_of(r, args[1]) != bytes)))
        return false;
    return size % bytes == 0 && size / bytes <= MOST_COPIED;
}

/* Arrays with copies that cannot be split are laid out in blocks, which may then not fit others. */
static void check_copies(Roots *r)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < r->copies.count; i++) {
            HdIrRef v = r->copies.at[i];

            if (is_regular(r, v))
                continue;
            escape(r, hd_ir_arg(r->f, v, 0));
            if (r->f->insts.at[v].op == HD_IR_MEMCPY)
                escape(r, hd_ir_arg(r->f, v, 1));
            changed = true;
        }
    }
}

/* pointer + at, before the instruction at *index. */
static HdIrRef step(HdIrFunc *f, uint32_t b, size_t *index, HdIrRef pointer, uint64_t at)
{
    HdIrRef args[2] = {pointer, 0};

    if (at == 0)
        return pointer;
    args[1] = hd_ir_insert(f, b, (*index)++, HD_IR_CONST, HD_IR_I64, 0, at, NULL, 0);
    return hd_ir_insert(f, b, (*index)++, HD_IR_PTRADD, HD_IR_PTR, 0, 0, args, 2);
}

static void take_apart(Roots *r, HdIrRef v, uint32_t b, size_t *index)
{
    HdIrFunc *f = r->f;
    uint32_t bytes = copy_element(r, v);
    HdIrType t = hd_ir_int_of(bytes);
    HdIrInst in = f->insts.at[v];
    HdIrRef to = hd_ir_arg(f, v, 0), from = hd_ir_arg(f, v, 1);
    uint64_t size = f->insts.at[hd_ir_arg(f, v, 2)].imm;
    uint64_t fill = (f->insts.at[from].imm & 0xff) * UINT64_C(0x0101010101010101);
    uint64_t align = in.imm < bytes ? in.imm : bytes;

    for (uint64_t at = 0; at < size; at += bytes) {
        HdIrRef args[2], place;

        if (in.op == HD_IR_MEMSET) {
            args[1] =
                hd_ir_insert(f, b, (*index)++, HD_IR_CONST, t, 0, fill & hd_ir_ones(t), NULL, 0);
        } else {
            place = step(f, b, index, from, at);
            args[1] = hd_ir_insert(f, b, (*index)++, HD_IR_LOAD, t, HD_SPACE_GENERIC,
                                   element_of(r, from) != 0 ? bytes : align, &place, 1);
        }
        args[0] = step(f, b, index, to, at);
        hd_ir_insert(f, b, (*index)++, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GENERIC,
                     element_of(r, to) != 0 ? bytes : align, args, 2);
    }
    hd_ir_kill(f, v);
}

/* Turn copies from and to arrays with interleaved elements into loads and stores. */
static HdStatus expand_copies(Roots *r, bool *did)
{
    HdIrFunc *f = r->f;

    *did = false;
    for (size_t i = 0; i < r->copies.count; i++) {
        HdIrRef v = r->copies.at[i];
        uint32_t b = f->insts.at[v].block;
        size_t index = 0;

        if (copy_element(r, v) == 0)
            continue;
        while (f->blocks.at[b].insts.at[index] != v)
            index++;
        take_apart(r, v, b, &index);
        *did = true;
    }
    if (*did)
        hd_ir_sweep(f);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus analyse(Roots *r, HdArena *a)
{
    HdIrFunc *f = r->f;
    HdIrRef count = (HdIrRef)f->insts.count;

    HD_TAKE(r->root, HD_NEW(a, HdIrRef, count));
    HD_TAKE(r->element, HD_NEW(a, uint32_t, count));
    HD_TAKE(r->escapes, HD_NEW(a, bool, count));
    r->copies.count = 0;
    for (HdIrRef v = 1; v < count; v++)
        if (f->insts.at[v].op == HD_IR_ALLOCA && f->insts.at[v].block != HD_IR_NOWHERE)
            r->root[v] = v;
    while (propagate(r))
        ;
    for (HdIrRef v = 1; v < count; v++)
        if (f->insts.at[v].block != HD_IR_NOWHERE)
            HD_TRY(visit_uses(r, a, v));
    check_offsets(r);
    check_copies(r);
    return HD_OK;
}

HdStatus hd_lanes_no_arrays(const HdIrFunc *f, HdArena *a, HdLaneArrays *out)
{
    HD_TAKE(out->element, HD_NEW(a, uint32_t, f->insts.count));
    HD_TAKE(out->of, HD_NEW(a, HdIrRef, f->insts.count));
    return HD_OK;
}

HdStatus hd_lanes_private(HdIrFunc *f, uint32_t width, HdArena *a, HdLaneArrays *out)
{
    Roots r = {.f = f};
    HdIrRef count;
    bool did = width > 1;

    HD_TRY(analyse(&r, a));
    if (did)
        HD_TRY(expand_copies(&r, &did));
    if (did)
        HD_TRY(analyse(&r, a)); /* with what copies have become */
    count = (HdIrRef)f->insts.count;
    for (HdIrRef v = 1; v < count; v++)
        if (r.escapes[v] || width == 1 || f->insts.at[v].op != HD_IR_ALLOCA)
            r.element[v] = 0;
    HD_TRY(scale_offsets(&r, width, count));
    HD_TRY(hd_lanes_no_arrays(f, a, out));
    for (HdIrRef v = 1; v < count; v++) {
        out->element[v] = r.element[v];
        if (r.root[v] != MIXED && r.element[r.root[v]] != 0)
            out->of[v] = r.root[v];
    }
    return HD_OK;
}
