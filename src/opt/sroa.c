/* opt/sroa.c -- scalar replacement of private memory.
 *
 * An ALLOCA whose address is only used by loads, stores and copies at constant offsets is split by
 * the byte ranges that are accessed. Ranges that partly overlap stay in memory; all others become
 * variables, which are then promoted (opt/promote.h). Small copies are first split into loads and
 * stores of the ranges in which their source or destination is accessed. Promoting one pointer
 * variable may show that another ALLOCA does not escape, so this runs until nothing changes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/linear.h"
#include "opt/pass.h"
#include "opt/promote.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* Bytes of a copy that is split into loads and stores. */
#define MAX_COPY_BYTES 256u
/* Bytes of memory whose parts are looked at: 16 MiB. */
#define MAX_ALLOCA_BYTES (1u << 24)
/* Rounds: pointers in variables show their memory one level a round. */
#define MAX_ROUNDS 8
/* A value that points into none of the places. */
#define NO_PLACE UINT32_MAX

typedef struct Range {
    uint32_t at, bytes;
} Range;

typedef struct Place {
    HdIrRef ref;
    uint32_t bytes;
    bool stays; /* its address is used for something else */
    HD_ARRAY(Range) ranges;
} Place;

/* A small MEMCPY or MEMSET; places are NO_PLACE for other memory. */
typedef struct Copy {
    HdIrRef ref;
    uint32_t to, from, to_at, from_at, bytes;
} Copy;

typedef struct Sroa {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    HD_ARRAY(Place) places;
    uint32_t *place_of; /* [insts] ALLOCA that a value points into, or NO_PLACE */
    int64_t *offset;    /* [insts] and where */
    HD_ARRAY(Copy) copies;
    HdMap known; /* ranges that are listed */
} Sroa;

static uint64_t range_key(uint32_t place, uint32_t at, uint32_t bytes)
{
    return (uint64_t)place << 33 | (uint64_t)at << 9 | bytes;
}

/* List a range once; *added says whether it is new. A range outside the ALLOCA is left to memory.
 */
static HdStatus add_range(Sroa *s, uint32_t place, int64_t at, uint32_t bytes, bool *added)
{
    Place *p = &s->places.at[place];
    Range r = {(uint32_t)at, bytes};

    if (at < 0 || (uint64_t)at + bytes > p->bytes) {
        p->stays = true;
        return HD_OK;
    }
    if (hd_map_get(&s->known, range_key(place, r.at, bytes), NULL))
        return HD_OK;
    if (!hd_map_put(s->arena, &s->known, range_key(place, r.at, bytes), 0))
        return HD_NO_MEMORY;
    HD_TRY_PUSH(s->arena, &p->ranges, r);
    *added = true;
    return HD_OK;
}

static bool is_plain(const HdIrInst *in)
{
    return (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED | HD_IR_INTERLEAVED)) == 0;
}

static void escape(Sroa *s, HdIrRef value)
{
    if (s->place_of[value] != NO_PLACE)
        s->places.at[s->place_of[value]].stays = true;
}

/* Note a copy if it can be split; then true. */
static HdStatus look_at_copy(Sroa *s, HdIrRef r, bool *taken)
{
    const HdIrInst *in = &s->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(s->f, r);
    Copy c = {.ref = r, .to = s->place_of[args[0]], .from = NO_PLACE};
    uint64_t bytes;

    *taken = false;
    if (!is_plain(in) || !hd_ir_is_const(s->f, args[2], &bytes) || bytes > MAX_COPY_BYTES)
        return HD_OK;
    c.bytes = (uint32_t)bytes;
    if (in->op == HD_IR_MEMCPY)
        c.from = s->place_of[args[1]];
    if (c.to == NO_PLACE && c.from == NO_PLACE)
        return HD_OK;
    for (unsigned i = 0; i < (in->op == HD_IR_MEMCPY ? 2u : 1u); i++) {
        uint32_t place = s->place_of[args[i]];
        int64_t at = s->offset[args[i]];

        if (place == NO_PLACE)
            continue;
        if (at < 0 || (uint64_t)at + bytes > s->places.at[place].bytes)
            return HD_OK;
        *(i == 0 ? &c.to_at : &c.from_at) = (uint32_t)at;
    }
    *taken = true;
    HD_TRY_PUSH(s->arena, &s->copies, c);
    return HD_OK;
}

static HdStatus look_at(Sroa *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(s->f, r);
    uint64_t bits;
    bool ignored, taken = false;

    switch (in->op) {
    case HD_IR_ALLOCA: {
        Place p = {.ref = r, .bytes = (uint32_t)in->imm};

        if (in->imm > MAX_ALLOCA_BYTES || (in->flags & HD_IR_INTERLEAVED) != 0)
            return HD_OK;
        HD_TRY_PUSH(s->arena, &s->places, p);
        s->place_of[r] = (uint32_t)(s->places.count - 1);
        return HD_OK;
    }
    case HD_IR_PTRADD:
        if (s->place_of[args[0]] == NO_PLACE)
            return HD_OK;
        if (!hd_ir_is_const(s->f, args[1], &bits) ||
            __builtin_add_overflow(s->offset[args[0]], (int64_t)bits, &s->offset[r])) {
            escape(s, args[0]);
            return HD_OK;
        }
        s->place_of[r] = s->place_of[args[0]];
        return HD_OK;
    case HD_IR_LOAD:
    case HD_IR_STORE: {
        HdIrRef value = in->op == HD_IR_STORE ? args[1] : r;

        if (in->op == HD_IR_STORE)
            escape(s, value);
        if (s->place_of[args[0]] == NO_PLACE)
            return HD_OK;
        if (is_plain(in))
            return add_range(s, s->place_of[args[0]], s->offset[args[0]],
                             hd_ir_type_bytes((HdIrType)s->f->insts.at[value].type), &ignored);
        break;
    }
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: HD_TRY(look_at_copy(s, r, &taken)); break;
    default: break;
    }
    for (unsigned i = 0; !taken && i < in->nargs; i++)
        if (hd_ir_arg_is_value(in, i))
            escape(s, args[i]);
    return HD_OK;
}

/* Addresses are followed in dominance order, so phis are not followed: they make it escape.
 */
static HdStatus look_at_all(Sroa *s)
{
    size_t n = s->f->insts.count;

    HD_TAKE(s->place_of, HD_NEW(s->arena, uint32_t, n));
    HD_TAKE(s->offset, HD_NEW(s->arena, int64_t, n));
    for (size_t i = 0; i < n; i++)
        s->place_of[i] = NO_PLACE;
    for (HdIrEach e = hd_ir_each_reachable(s->f, s->g); hd_ir_next(&e);)
        HD_TRY(look_at(s, e.inst));
    /* values of back edges were not known when their phis were seen */
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++) {
            const HdIrInst *in = &s->f->insts.at[b->insts.at[k]];

            if (in->op != HD_IR_PHI)
                break;
            for (unsigned v = 1; v < in->nargs; v += 2)
                escape(s, hd_ir_arg(s->f, b->insts.at[k], v));
        }
    }
    return HD_OK;
}

static bool lives(const Sroa *s, uint32_t place)
{
    return place != NO_PLACE && !s->places.at[place].stays;
}

/* Ranges of one end of a copy are ranges of the other end. */
static HdStatus mirror(Sroa *s, const Copy *c, uint32_t from, uint32_t from_at, uint32_t to,
                       uint32_t to_at, bool *added)
{
    for (size_t i = 0; i < s->places.at[from].ranges.count; i++) {
        Range r = s->places.at[from].ranges.at[i];

        if (r.at < from_at || r.at + r.bytes > from_at + c->bytes)
            continue;
        HD_TRY(add_range(s, to, (int64_t)r.at - from_at + to_at, r.bytes, added));
    }
    return HD_OK;
}

static int compare_ranges(const void *x, const void *y)
{
    const Range *a = x, *b = y;

    if (a->at != b->at)
        return a->at > b->at ? 1 : -1;
    return a->bytes < b->bytes ? 1 : a->bytes > b->bytes ? -1 : 0;
}

/* The pieces in which a copy's bytes move, relative to its start: ranges of the end that lives,
 * gaps in powers of two if `fill`. */
static HdStatus cut(Sroa *s, const Copy *c, bool fill, Range **out, uint32_t *count)
{
    bool use_to = lives(s, c->to);
    const Place *p = &s->places.at[use_to ? c->to : c->from];
    uint32_t start = use_to ? c->to_at : c->from_at, at = 0, n = 0;
    Range *list, *mine;
    size_t mine_count = 0;

    HD_TAKE(mine, HD_NEW(s->arena, Range, p->ranges.count));
    HD_TAKE(list, HD_NEW(s->arena, Range, p->ranges.count + c->bytes));
    for (size_t i = 0; i < p->ranges.count; i++)
        if (p->ranges.at[i].at >= start &&
            p->ranges.at[i].at + p->ranges.at[i].bytes <= start + c->bytes)
            mine[mine_count++] = p->ranges.at[i];
    qsort(mine, mine_count, sizeof *mine, compare_ranges);
    for (size_t i = 0; i <= mine_count; i++) {
        uint32_t next = i < mine_count ? mine[i].at - start : c->bytes;

        while (fill && at < next) {
            uint32_t piece = 8;

            while (piece > next - at || (at + start) % piece != 0)
                piece /= 2;
            list[n++] = (Range){at, piece};
            at += piece;
        }
        if (i == mine_count)
            break;
        list[n++] = (Range){next, mine[i].bytes};
        if (next + mine[i].bytes > at)
            at = next + mine[i].bytes;
    }
    *out = list;
    *count = n;
    return HD_OK;
}

/* Both ends of every copy get the same ranges; ends in other memory are covered wholly. */
static HdStatus settle_ranges(Sroa *s)
{
    bool added = true;

    for (unsigned round = 0; added && round < 64; round++) {
        added = false;
        for (size_t i = 0; i < s->copies.count; i++) {
            const Copy *c = &s->copies.at[i];
            bool to = lives(s, c->to), from = lives(s, c->from);

            if (to && from) {
                HD_TRY(mirror(s, c, c->from, c->from_at, c->to, c->to_at, &added));
                HD_TRY(mirror(s, c, c->to, c->to_at, c->from, c->from_at, &added));
            }
        }
        for (size_t i = 0; !added && i < s->copies.count; i++) {
            const Copy *c = &s->copies.at[i];
            bool to = lives(s, c->to);
            Range *list;
            uint32_t n;

            if (to == lives(s, c->from) || s->f->insts.at[c->ref].op == HD_IR_MEMSET)
                continue;
            HD_TRY(cut(s, c, true, &list, &n));
            for (uint32_t k = 0; k < n; k++)
                HD_TRY(add_range(s, to ? c->to : c->from,
                                 (int64_t)list[k].at + (to ? c->to_at : c->from_at), list[k].bytes,
                                 &added));
        }
    }
    return HD_OK;
}

/* Writes instructions into a list that becomes a block's. */
typedef struct Out {
    HdIrFunc *f;
    uint32_t block;
    HD_ARRAY(HdIrRef) list;
} Out;

static HdStatus put(Out *o, HdIrOp op, HdIrType t, unsigned sub, uint64_t imm, const HdIrRef *args,
                    size_t n, HdIrRef *out)
{
    HD_TAKE(*out, hd_ir_make(o->f, o->block, op, t, sub, imm, args, n));
    HD_TRY_PUSH(o->f->module->arena, &o->list, *out);
    return HD_OK;
}

static HdStatus put_address(Out *o, HdIrRef base, uint32_t at, HdIrRef *out)
{
    HdIrRef args[2] = {base, 0};

    *out = base;
    if (at == 0)
        return HD_OK;
    HD_TRY(put(o, HD_IR_CONST, HD_IR_I64, 0, at, NULL, 0, &args[1]));
    return put(o, HD_IR_PTRADD, HD_IR_PTR, 0, 0, args, 2, out);
}

/* What a piece of a MEMSET stores. */
static HdStatus put_bytes(Out *o, HdIrRef byte, HdIrType t, HdIrRef *out)
{
    uint64_t ones = 0x0101010101010101u & hd_ir_ones(t), bits;
    HdIrRef args[2];

    if (hd_ir_is_const(o->f, byte, &bits))
        return put(o, HD_IR_CONST, t, 0, bits * ones & hd_ir_ones(t), NULL, 0, out);
    *out = byte;
    if (t == HD_IR_I8)
        return HD_OK;
    HD_TRY(put(o, HD_IR_ZEXT, t, 0, 0, &byte, 1, &args[0]));
    HD_TRY(put(o, HD_IR_CONST, t, 0, ones, NULL, 0, &args[1]));
    return put(o, HD_IR_MUL, t, 0, 0, args, 2, out);
}

/* Alignment of an address at this offset from an aligned one. */
static uint64_t align_at(uint64_t align, uint64_t at)
{
    uint64_t step = at & (0 - at);

    return at == 0 || step > align ? align : step;
}

static HdStatus split_copy(Sroa *s, Out *o, const Copy *c)
{
    HdIrInst in = s->f->insts.at[c->ref]; /* a copy: the array may move */
    HdIrRef to = hd_ir_arg(s->f, c->ref, 0), from = hd_ir_arg(s->f, c->ref, 1), at, *values;
    uint64_t align = in.imm != 0 ? in.imm : 1;
    bool fill = in.op == HD_IR_MEMSET ? !lives(s, c->to) : lives(s, c->to) != lives(s, c->from);
    Range *list;
    uint32_t n;

    if (c->to == c->from && c->to_at == c->from_at && in.op == HD_IR_MEMCPY)
        return HD_OK; /* onto itself */
    HD_TRY(cut(s, c, fill, &list, &n));
    HD_TAKE(values, HD_NEW(s->arena, HdIrRef, n + 1));
    /* All loads first: an array may move along itself (`for (i = 7; i > 0; i--) a[i] = a[i - 1];`).
     */
    for (uint32_t i = 0; i < n; i++) {
        HdIrType t = hd_ir_int_of(list[i].bytes);
        uint64_t fits = align_at(align, list[i].at);

        if (in.op == HD_IR_MEMSET) {
            HD_TRY(put_bytes(o, from, t, &values[i]));
        } else {
            HD_TRY(put_address(o, from, list[i].at, &at));
            HD_TRY(put(o, HD_IR_LOAD, t, HD_SPACE_GENERIC, fits, &at, 1, &values[i]));
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        HdIrRef args[2] = {0, values[i]}, done;

        HD_TRY(put_address(o, to, list[i].at, &args[0]));
        HD_TRY(put(o, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GENERIC, align_at(align, list[i].at), args,
                   2, &done));
    }
    return HD_OK;
}

/* Replace the copies that touch what may become values. */
static HdStatus split_copies(Sroa *s, bool *changed)
{
    HdIrFunc *f = s->f;
    uint8_t *marked;
    uint32_t *which;

    HD_TAKE(marked, HD_NEW(s->arena, uint8_t, f->blocks.count));
    HD_TAKE(which, HD_NEW(s->arena, uint32_t, f->insts.count));
    for (size_t i = 0; i < s->copies.count; i++) {
        const Copy *c = &s->copies.at[i];

        if (!lives(s, c->to) && !lives(s, c->from))
            continue;
        which[c->ref] = (uint32_t)i + 1;
        marked[f->insts.at[c->ref].block] = 1;
    }
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        Out o = {.f = f, .block = b};

        if (marked[b] == 0)
            continue;
        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef r = block->insts.at[i];

            if (which[r] == 0) {
                HD_TRY_PUSH(f->module->arena, &o.list, r);
                continue;
            }
            HD_TRY(split_copy(s, &o, &s->copies.at[which[r] - 1]));
            hd_ir_kill(f, r);
        }
        block->insts.at = o.list.at;
        block->insts.count = o.list.count;
        block->insts.room = o.list.room;
        *changed = true;
    }
    return HD_OK;
}

/* Number the ranges that overlap no other; *vars grows. */
static HdStatus number_ranges(Sroa *s, uint32_t place, uint32_t *vars, HdMap *var_of_range)
{
    Place *p = &s->places.at[place];

    qsort(p->ranges.at, p->ranges.count, sizeof *p->ranges.at, compare_ranges);
    for (size_t i = 0; i < p->ranges.count;) {
        uint32_t end = p->ranges.at[i].at + p->ranges.at[i].bytes;
        size_t next = i + 1;

        while (next < p->ranges.count && p->ranges.at[next].at < end) {
            uint32_t last = p->ranges.at[next].at + p->ranges.at[next].bytes;

            end = last > end ? last : end;
            next++;
        }
        if (next == i + 1 &&
            !hd_map_put(s->arena, var_of_range,
                        range_key(place, p->ranges.at[i].at, p->ranges.at[i].bytes), (*vars)++))
            return HD_NO_MEMORY;
        i = next;
    }
    return HD_OK;
}

static HdStatus promote(Sroa *s, bool *changed)
{
    HdIrFunc *f = s->f;
    uint32_t vars = 0, *var_of;
    HdMap var_of_range = {0};
    HdIrVar *types;

    for (uint32_t i = 0; i < s->places.count; i++)
        if (!s->places.at[i].stays && s->places.at[i].ranges.count != 0)
            HD_TRY(number_ranges(s, i, &vars, &var_of_range));
    if (vars == 0)
        return HD_OK;
    HD_TAKE(types, HD_NEW(s->arena, HdIrVar, vars));
    HD_TAKE(var_of, HD_NEW(s->arena, uint32_t, f->insts.count));
    for (uint32_t r = 0; r < f->insts.count; r++) {
        const HdIrInst *in = &f->insts.at[r];
        uint64_t var;
        HdIrRef address;
        HdIrType t;

        var_of[r] = HD_IR_NO_VAR;
        if (in->block == HD_IR_NOWHERE || (in->op != HD_IR_LOAD && in->op != HD_IR_STORE))
            continue;
        address = hd_ir_arg(f, r, 0);
        if (s->place_of[address] == NO_PLACE)
            continue;
        t = (HdIrType)f->insts.at[in->op == HD_IR_STORE ? hd_ir_arg(f, r, 1) : r].type;
        if (!hd_map_get(
                &var_of_range,
                range_key(s->place_of[address], (uint32_t)s->offset[address], hd_ir_type_bytes(t)),
                &var))
            continue;
        var_of[r] = (uint32_t)var;
        /* of several types integers win over floats: they keep all bits whatever happens */
        if (types[var].type == HD_IR_VOID || types[var].type == HD_IR_BOOL ||
            (hd_ir_is_float(types[var].type) && !hd_ir_is_float(t)))
            types[var].type = t;
    }
    *changed = true;
    for (uint32_t v = 0; v < vars; v++) {
        types[v].shape = HD_SHAPE_VARYING;
        if (types[v].type == HD_IR_VOID) /* a range that only copies named */
            types[v].type = HD_IR_I8;
    }
    return hd_opt_promote(f, s->arena, s->g, types, vars, var_of);
}

static HdStatus round_of(HdIrFunc *f, HdArena *a, bool *changed)
{
    Sroa s = {.f = f, .arena = a};
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    s.g = g;
    HD_TRY(look_at_all(&s));
    if (s.places.count == 0)
        return HD_OK;
    if (s.copies.count != 0) {
        bool split = false;

        HD_TRY(settle_ranges(&s));
        HD_TRY(split_copies(&s, &split));
        if (split) { /* promoted in the next iteration */
            *changed = true;
            return HD_OK;
        }
    }
    return promote(&s, changed);
}

HdStatus hd_opt_sroa(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    bool again = true;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    for (unsigned round = 0; again && round < MAX_ROUNDS; round++) {
        again = false;
        HD_TRY(round_of(f, scratch, &again));
        *changed = *changed || again;
        if (again) {
            bool ignored;

            HD_TRY(hd_opt_dce(f, scratch, &ignored));
        }
    }
    return HD_OK;
}

/* ---- copies between other memory ---------------------------------------------------------------
 */

#define MOST_SMALL 64u /* bytes */
#define MOST_WORDS 18u /* of four bytes, two and one at the end */

static bool is_private(const HdIrFunc *f, HdIrRef address)
{
    return f->insts.at[hd_linear_object(f, address)].op == HD_IR_ALLOCA;
}

static bool is_small_copy(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];
    uint64_t bytes;

    return in->op == HD_IR_MEMCPY && (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) == 0 &&
           hd_ir_is_const(f, hd_ir_arg(f, r, 2), &bytes) && bytes != 0 && bytes <= MOST_SMALL &&
           !is_private(f, hd_ir_arg(f, r, 0)) && !is_private(f, hd_ir_arg(f, r, 1));
}

/* The next piece of `left` bytes: all of them, where one access does. */
static unsigned piece_of(uint64_t left, uint64_t whole)
{
    if (whole == 8)
        return 8;
    return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* All loads first: adjacent loads of lanes are found among them, and a copy onto itself works. */
static HdStatus split_words(Out *o, HdIrRef r)
{
    HdIrInst in = o->f->insts.at[r];
    HdIrRef to = hd_ir_arg(o->f, r, 0), from = hd_ir_arg(o->f, r, 1), word[MOST_WORDS], done;
    uint64_t bytes = 0, align = in.imm != 0 ? in.imm : 1;
    unsigned n = 0;

    hd_ir_is_const(o->f, hd_ir_arg(o->f, r, 2), &bytes);
    for (unsigned stores = 0; stores < 2; stores++) {
        n = 0;
        for (uint64_t at = 0; at < bytes; n++) {
            unsigned piece = piece_of(bytes - at, bytes);
            uint64_t fits = align_at(align, at);
            HdIrRef args[2] = {0, stores ? word[n] : 0};

            HD_TRY(put_address(o, stores ? to : from, (uint32_t)at, &args[0]));
            if (stores)
                HD_TRY(put(o, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GENERIC, fits, args, 2, &done));
            else
                HD_TRY(put(o, HD_IR_LOAD, hd_ir_int_of(piece), HD_SPACE_GENERIC, fits, args, 1,
                           &word[n]));
            at += piece;
        }
    }
    return HD_OK;
}

HdStatus hd_opt_copies(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    (void)scratch;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        Out o = {.f = f, .block = b};
        bool any = false;

        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++)
            any = any || is_small_copy(f, f->blocks.at[b].insts.at[i]);
        for (size_t i = 0; any && i < f->blocks.at[b].insts.count; i++) {
            HdIrRef r = f->blocks.at[b].insts.at[i];

            if (!is_small_copy(f, r)) {
                HD_TRY_PUSH(f->module->arena, &o.list, r);
                continue;
            }
            HD_TRY(split_words(&o, r));
            hd_ir_kill(f, r);
        }
        if (!any)
            continue;
        f->blocks.at[b].insts.at = o.list.at;
        f->blocks.at[b].insts.count = o.list.count;
        f->blocks.at[b].insts.room = o.list.room;
        *changed = true;
    }
    return HD_OK;
}
