/* group/live.c -- liveness across barriers.
 *
 * Cheap values whose operands are available everywhere (ids, arguments, addresses derived from
 * them) are rematerialised after each barrier where they are needed; so is an address with one
 * scalar for all lanes, whatever its operands, because a vector of addresses would lose that. The
 * rest is kept.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/live.h"

#include "base/round.h"
#include "base/bitset.h"
#include "ir/each.h"
#include "ir/edit.h"

#define MOST_SCALARS 16u /* operations on one scalar that are done again rather than kept */
#define MOST_VECTORS 3u
#define MOST_CHAIN   200u /* operations of an address, which are done again in any case */
#define MOST_WORDS   ((size_t)1 << 23)
#define MOST_STORES  8u /* of what is kept, for each instruction, */
#define FREE_STORES  ((uint64_t)1 << 16)

typedef struct Work {
    HdLive *l;
    const HdIrFunc *f;
    HdArena *a;
    uint8_t *scalars, *vectors; /* [insts] operations of a remade value */
    HD_ARRAY(HdIrRef) stack;
} Work;

static bool is_vector(const HdIrFunc *f, const HdIrInst *in)
{
    return f->width > 1 && (in->shape == HD_SHAPE_VARYING || in->shape == HD_SHAPE_ADDRESS);
}

/* ---- remaking ------------------------------------------------------------------------------ */

/* Can it be done anywhere, at little cost? */
static bool is_light(const HdIrInst *in)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ASHR:
    case HD_IR_UMIN:
    case HD_IR_UMAX:
    case HD_IR_SMIN:
    case HD_IR_SMAX:
    case HD_IR_ICMP:
    case HD_IR_SELECT:
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_SEXT:
    case HD_IR_PTRADD: return true;
    case HD_IR_BITCAST: return !hd_ir_is_float((HdIrType)in->type);
    default: return false;
    }
}

static bool is_source(const HdIrFunc *f, const HdIrInst *in)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST:
    case HD_IR_UNDEF:
    case HD_IR_KARG:
    case HD_IR_KARG_ADDR:
    case HD_IR_PROGRAM_ADDR:
    case HD_IR_ALLOCA:
    case HD_IR_ACTIVE: return true;
    /* Ids that are not adjacent take a division for each lane. */
    case HD_IR_BUILTIN:
        return !is_vector(f, in) || in->sub == HD_BUILTIN_LOCAL_LINEAR_ID ||
               in->sub == HD_BUILTIN_SUBGROUP_LOCAL_ID;
    default: return false;
    }
}

static unsigned capped(unsigned n)
{
    return n < 255 ? n : 255;
}

static void judge(Work *w, HdIrRef v)
{
    const HdIrInst *in = &w->f->insts.at[v];
    unsigned scalars = 0, vectors = 0;
    bool all = true, is_address;

    if (is_source(w->f, in)) {
        w->l->remade[v] = true;
        w->vectors[v] = in->op == HD_IR_ACTIVE || is_vector(w->f, in);
        return;
    }
    if (!is_light(in) && in->op != HD_IR_LOCAL_ADDR)
        return;
    for (unsigned i = 0; i < in->nargs; i++) {
        HdIrRef x = hd_ir_arg(w->f, v, i);
        bool is_shared = w->l->cut->agree && !w->l->cut->uniform.varies[x];

        all = all && (w->l->remade[x] || is_shared);
        if (w->l->remade[x]) {
            scalars += w->scalars[x];
            vectors += w->vectors[x];
        }
    }
    is_address = w->f->width > 1 && in->shape == HD_SHAPE_ADDRESS;
    scalars += !is_vector(w->f, in) || is_address;
    vectors += is_vector(w->f, in) && !is_address;
    w->scalars[v] = (uint8_t)capped(scalars);
    w->vectors[v] = (uint8_t)capped(vectors);
    if (is_address)
        w->l->remade[v] = scalars <= MOST_CHAIN;
    else
        w->l->remade[v] = all && scalars <= MOST_SCALARS && vectors <= MOST_VECTORS;
}

/* ---- who is needed where ------------------------------------------------------------------- */

static bool is_constant(const HdIrInst *in)
{
    return in->op == HD_IR_CONST || in->op == HD_IR_UNDEF;
}

typedef void Use(Work *w, HdIrRef v, uint32_t block, void *user);

/* Say of v, and of what it is remade from, that `block` uses it. */
static HdStatus each_use(Work *w, HdIrRef v, uint32_t block, Use *use, void *user)
{
    HD_TRY_PUSH(w->a, &w->stack, v);
    while (w->stack.count > 0) {
        HdIrRef x = w->stack.at[--w->stack.count];
        const HdIrInst *in = &w->f->insts.at[x];

        if (is_constant(in))
            continue;
        use(w, x, block, user);
        if (in->block == block || !w->l->remade[x])
            continue;
        for (unsigned i = 0; i < in->nargs; i++)
            HD_TRY_PUSH(w->a, &w->stack, hd_ir_arg(w->f, x, i));
    }
    return HD_OK;
}

static void give_number(Work *w, HdIrRef v, uint32_t block, void *user)
{
    (void)user;
    if ((w->f->insts.at[v].block == block && w->f->insts.at[v].op != HD_IR_SLOT) ||
        w->l->number[v] != HD_IR_NOWHERE)
        return;
    w->l->number[v] = w->l->count;
    w->l->value[w->l->count++] = v;
}

/* Sets of one block: what it uses before defining, what it defines. */
typedef struct Sets {
    uint64_t *uses, *defs;
} Sets;

static void add_use(Work *w, HdIrRef v, uint32_t block, void *user)
{
    Sets *s = user;
    uint32_t n = w->l->number[v];

    (void)block;
    if (n != HD_IR_NOWHERE && !hd_bit_has(s->defs, n))
        hd_bit_add(s->uses, n);
}

/* Uses in the order of the block: by its instructions, and at its end by the phis of its
 * successors. */
static HdStatus walk_block(Work *w, uint32_t b, Use *use, Sets *s)
{
    const HdIrBlock *block = &w->f->blocks.at[b];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i];
        const HdIrInst *in = &w->f->insts.at[v];
        bool sets = in->op == HD_IR_SLOT_SET && !(in->flags & HD_IR_MASKED);

        for (unsigned k = sets ? 1 : 0; in->op != HD_IR_PHI && k < in->nargs; k++)
            HD_TRY(each_use(w, hd_ir_arg(w->f, v, k), b, use, s));
        if (s != NULL && sets)
            hd_bit_add(s->defs, w->l->number[hd_ir_arg(w->f, v, 0)]);
        if (s != NULL && in->op != HD_IR_SLOT && w->l->number[v] != HD_IR_NOWHERE)
            hd_bit_add(s->defs, w->l->number[v]);
        if (s == NULL && in->op == HD_IR_SLOT)
            give_number(w, v, b, NULL);
    }
    for (uint32_t i = 0; i < block->succ_count; i++) {
        const HdIrBlock *to = &w->f->blocks.at[block->succ[i]];

        for (size_t k = 0; k < to->insts.count; k++) {
            const HdIrInst *in = &w->f->insts.at[to->insts.at[k]];
            const HdIrRef *args = hd_ir_args(w->f, to->insts.at[k]);

            if (in->op != HD_IR_PHI)
                break;
            for (unsigned n = 0; n + 1 < in->nargs; n += 2)
                if (args[n] == b)
                    HD_TRY(each_use(w, args[n + 1], b, use, s));
        }
    }
    return HD_OK;
}

static HdStatus find_live(Work *w)
{
    HdLive *l = w->l;
    const HdIrGraph *g = l->cut->g;
    size_t blocks = w->f->blocks.count, words = HD_BITSET_WORDS(l->count);
    Sets *sets;
    uint64_t *now;
    bool changed;

    if (words * blocks > MOST_WORDS)
        return HD_UNSUPPORTED;
    HD_TAKE(sets, HD_NEW(w->a, Sets, blocks));
    HD_TAKE(l->in, HD_NEW(w->a, uint64_t *, blocks));
    HD_TAKE(now, HD_NEW(w->a, uint64_t, words + 1));
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];

        HD_TAKE(sets[b].uses, HD_NEW(w->a, uint64_t, words + 1));
        HD_TAKE(sets[b].defs, HD_NEW(w->a, uint64_t, words + 1));
        HD_TRY(walk_block(w, b, add_use, &sets[b]));
        l->in[b] = sets[b].uses;
    }
    do {
        changed = false;
        for (uint32_t r = g->reachable; r-- > 0;) {
            uint32_t b = g->order[r];
            const HdIrBlock *block = &w->f->blocks.at[b];

            for (size_t i = 0; i < words; i++)
                now[i] = 0;
            for (uint32_t i = 0; i < block->succ_count; i++)
                hd_bit_unite(now, l->in[block->succ[i]], words);
            for (size_t i = 0; i < words; i++)
                now[i] &= ~sets[b].defs[i];
            changed = hd_bit_unite(l->in[b], now, words) || changed;
        }
    } while (changed);
    return HD_OK;
}

/* Slots are 0 until something else is stored: an unset slot may contain anything. */
static HdStatus find_nonzero(Work *w)
{
    HdLive *l = w->l;
    const HdIrGraph *g = l->cut->g;
    size_t words = HD_BITSET_WORDS(l->count);
    uint64_t *now;
    bool changed;

    HD_TAKE(l->nonzero, HD_NEW(w->a, uint64_t *, w->f->blocks.count));
    HD_TAKE(now, HD_NEW(w->a, uint64_t, words + 1));
    for (uint32_t r = 0; r < g->reachable; r++)
        HD_TAKE(l->nonzero[g->order[r]], HD_NEW(w->a, uint64_t, words + 1));
    do {
        changed = false;
        for (uint32_t r = 0; r < g->reachable; r++) {
            const HdIrBlock *block = &w->f->blocks.at[g->order[r]];

            for (size_t i = 0; i < words; i++)
                now[i] = l->nonzero[g->order[r]][i];
            for (size_t i = 0; i < block->insts.count; i++) {
                HdIrRef v = block->insts.at[i];
                const HdIrInst *in = &w->f->insts.at[v];
                const HdIrInst *x;
                uint32_t n;

                if (in->op != HD_IR_SLOT_SET)
                    continue;
                n = l->number[hd_ir_arg(w->f, v, 0)];
                x = &w->f->insts.at[hd_ir_arg(w->f, v, 1)];
                if (x->op != HD_IR_CONST || x->imm != 0)
                    hd_bit_add(now, n);
                else if (!(in->flags & HD_IR_MASKED))
                    hd_bit_remove(now, n);
            }
            for (uint32_t i = 0; i < block->succ_count; i++)
                changed = hd_bit_unite(l->nonzero[block->succ[i]], now, words) || changed;
        }
    } while (changed);
    return HD_OK;
}

/* ---- the context --------------------------------------------------------------------------- */

/* Private memory of all lanes, behind what has its place. Kernels cannot see the addresses of what
 * is interleaved. */
static void place_private(HdLive *l, const HdIrFunc *f, HdIrRef alloca)
{
    const HdIrInst *in = &f->insts.at[alloca];
    uint64_t align = UINT64_C(1) << in->sub, bytes = hd_round_up(in->imm, align) * f->width;

    if (align < HD_CONTEXT_ALIGN || (in->flags & HD_IR_INTERLEAVED) != 0)
        align = HD_CONTEXT_ALIGN;
    else if (align > l->context_align)
        l->context_align = align;
    l->private_at[alloca] = hd_round_up(l->context_bytes, align);
    l->context_bytes = l->private_at[alloca] + bytes;
}

/* Bytes that a value takes: a power of two, except for addresses, which have a scalar as well. */
static uint64_t bytes_of(const HdIrFunc *f, const HdIrInst *in)
{
    uint64_t each = hd_ir_type_bytes((HdIrType)in->type), all = each * f->width;

    if (!is_vector(f, in))
        return each;
    if (in->type == HD_IR_BOOL)
        return f->width <= 8 ? 1 : f->width / 8;
    return in->shape == HD_SHAPE_ADDRESS ? all + 64 : all;
}

static bool is_kept(const HdLive *l, uint32_t number, uint32_t barrier)
{
    uint32_t behind = l->cut->f->blocks.at[barrier].succ[0];
    HdIrRef v = l->value[number];

    return hd_bit_has(l->in[behind], number) && !l->remade[v] &&
           (l->cut->f->insts.at[v].op != HD_IR_SLOT || hd_bit_has(l->nonzero[behind], number));
}

/* The bytes of a value, and the barriers at which it is kept there. */
typedef struct Span {
    uint64_t at, bytes;
    const uint64_t *barriers;
} Span;

typedef struct Spans {
    HD_ARRAY(Span) list; /* by where they begin */
    size_t words;        /* of sets of barriers */
} Spans;

/* May two be in the same bytes? */
static bool may_share(const Spans *s, const Span *x, const Span *y)
{
    for (size_t i = 0; i < s->words; i++)
        if ((x->barriers[i] & y->barriers[i]) != 0)
            return false;
    return true;
}

static bool is_free(const Spans *s, const Span *x)
{
    for (size_t i = 0; i < s->list.count && s->list.at[i].at < x->at + x->bytes; i++)
        if (x->at < s->list.at[i].at + s->list.at[i].bytes && !may_share(s, x, &s->list.at[i]))
            return false;
    return true;
}

/* Move x up to the first bytes that are free. */
static void find_free(const Spans *s, Span *x, uint64_t align)
{
    for (size_t i = 0; i < s->list.count && s->list.at[i].at < x->at + x->bytes; i++) {
        uint64_t end = s->list.at[i].at + s->list.at[i].bytes;

        if (x->at < end && !may_share(s, x, &s->list.at[i]))
            x->at = hd_round_up(end, align);
    }
}

static HdStatus take(HdArena *a, Spans *s, Span x)
{
    size_t i;

    HD_TRY_PUSH(a, &s->list, x);
    for (i = s->list.count - 1; i > 0 && s->list.at[i - 1].at > x.at; i--)
        s->list.at[i] = s->list.at[i - 1];
    s->list.at[i] = x;
    return HD_OK;
}

/* The phis that values lead to, and one of the values that lead to each phi: where both of them are
 * in the same place, nothing is copied from one barrier to the next. */
static HdStatus find_partners(Work *w, uint32_t **partner)
{
    HdLive *l = w->l;

    HD_TAKE(*partner, HD_NEW(w->a, uint32_t, l->count + 1));
    for (uint32_t n = 0; n < l->count; n++)
        (*partner)[n] = HD_IR_NOWHERE;
    for (uint32_t n = 0; n < l->count; n++) {
        const HdIrInst *in = &w->f->insts.at[l->value[n]];

        for (unsigned i = 1; in->op == HD_IR_PHI && i < in->nargs; i += 2) {
            uint32_t from = l->number[hd_ir_arg(w->f, l->value[n], i)];

            if (from == HD_IR_NOWHERE || from == n)
                continue;
            (*partner)[from] = n;
            (*partner)[n] = from;
        }
    }
    return HD_OK;
}

/* The barriers at which a value is kept; NULL: at none. */
static HdStatus find_kept(Work *w, uint32_t n, size_t words, const uint64_t **out)
{
    uint64_t *set = NULL;

    for (uint32_t r = 1; r < w->l->cut->count; r++) {
        if (!is_kept(w->l, n, w->l->cut->from[r]))
            continue;
        if (set == NULL)
            HD_TAKE(set, HD_NEW(w->a, uint64_t, words));
        hd_bit_add(set, r);
    }
    *out = set;
    return HD_OK;
}

static HdStatus place_one(Work *w, uint32_t n, uint32_t partner, uint64_t from, Spans *taken)
{
    HdLive *l = w->l;
    uint64_t bytes = bytes_of(w->f, &w->f->insts.at[l->value[n]]);
    Span x = {.bytes = bytes};

    HD_TRY(find_kept(w, n, taken->words, &x.barriers));
    if (x.barriers == NULL)
        return HD_OK;
    x.at = partner != HD_IR_NOWHERE && !l->is_shared[partner] ? l->at[partner] : HD_IR_NOWHERE;
    if (x.at == HD_IR_NOWHERE || bytes_of(w->f, &w->f->insts.at[l->value[partner]]) != bytes ||
        !is_free(taken, &x)) {
        x.at = from;
        find_free(taken, &x, bytes < HD_CONTEXT_ALIGN ? bytes : HD_CONTEXT_ALIGN);
    }
    if (x.at + bytes > UINT32_MAX / 2)
        return HD_UNSUPPORTED;
    l->at[n] = (uint32_t)x.at;
    if (x.at + bytes > l->context_bytes)
        l->context_bytes = x.at + bytes;
    return take(w->a, taken, x);
}

/* Does keeping values take so many stores, in all regions together, that fibers are better? Long
 * functions with hundreds of barriers would grow by their product. */
static bool is_too_much(const HdLive *l)
{
    const HdCut *cut = l->cut;
    uint64_t stores = 0, whole = 0;

    for (uint32_t r = 0; r < cut->g->reachable; r++)
        whole += cut->f->blocks.at[cut->g->order[r]].insts.count;
    for (uint32_t r = 1; r < cut->count; r++) {
        uint64_t kept = 0, ends = 0;

        for (uint32_t n = 0; n < l->count; n++)
            kept += is_kept(l, n, cut->from[r]);
        for (uint32_t i = 0; i < cut->count; i++)
            ends += hd_bit_has(cut->blocks[i], cut->from[r]);
        stores += kept * ends;
    }
    return stores > MOST_STORES * whole + FREE_STORES;
}

/* Values that are live at the same barrier get disjoint offsets, others may share: each gets the
 * first offset that is free at all barriers where it is kept. Larger ones first. */
static HdStatus place(Work *w)
{
    HdLive *l = w->l;
    const uint64_t from = hd_round_up(l->context_bytes, HD_CONTEXT_ALIGN);
    Spans taken = {.words = HD_BITSET_WORDS(l->cut->count)};
    uint32_t *partner;

    HD_TRY(find_partners(w, &partner));
    for (uint64_t size = 16384; size > 0; size /= 2)
        for (uint32_t n = 0; n < l->count; n++) {
            uint64_t bytes = bytes_of(w->f, &w->f->insts.at[l->value[n]]);

            if (bytes >= size && bytes < size * 2 && !l->is_shared[n])
                HD_TRY(place_one(w, n, partner[n], from, &taken));
        }
    return HD_OK;
}

/* What is the same for all sub-groups is kept in variables of the whole group. */
static HdStatus share(Work *w)
{
    HdLive *l = w->l;

    HD_TAKE(l->at, HD_NEW(w->a, uint32_t, l->count + 1));
    HD_TAKE(l->is_shared, HD_NEW(w->a, bool, l->count + 1));
    HD_TAKE(l->var_types, HD_NEW(w->a, uint8_t, l->count + 1));
    for (uint32_t n = 0; n < l->count; n++) {
        HdIrRef v = l->value[n];

        l->at[n] = HD_IR_NOWHERE;
        if (!l->cut->agree || l->remade[v] || l->cut->uniform.varies[v])
            continue;
        for (uint32_t r = 1; r < l->cut->count && !l->is_shared[n]; r++)
            l->is_shared[n] = is_kept(l, n, l->cut->from[r]);
        if (!l->is_shared[n])
            continue;
        l->at[n] = l->var_count;
        l->var_types[l->var_count++] = w->f->insts.at[v].type;
    }
    return HD_OK;
}

HdStatus hd_group_live(const HdCut *cut, HdArena *a, HdLive *out)
{
    Work w = {.l = out, .f = cut->f, .a = a};
    size_t count = cut->f->insts.count;

    *out = (HdLive){.cut = cut, .context_align = HD_CONTEXT_ALIGN};
    HD_TAKE(out->remade, HD_NEW(a, bool, count));
    HD_TAKE(out->number, HD_NEW(a, uint32_t, count));
    HD_TAKE(out->value, HD_NEW(a, HdIrRef, count));
    HD_TAKE(out->private_at, HD_NEW(a, uint64_t, count));
    HD_TAKE(w.scalars, HD_NEW(a, uint8_t, count));
    HD_TAKE(w.vectors, HD_NEW(a, uint8_t, count));
    for (size_t v = 0; v < count; v++)
        out->number[v] = HD_IR_NOWHERE;
    for (HdIrEach e = hd_ir_each_reachable(cut->f, cut->g); hd_ir_next(&e);) {
        judge(&w, e.inst);
        if (cut->f->insts.at[e.inst].op == HD_IR_ALLOCA)
            place_private(out, cut->f, e.inst);
    }
    if (out->context_bytes > UINT32_MAX / 2)
        return HD_UNSUPPORTED;
    for (uint32_t r = 0; r < cut->g->reachable; r++)
        HD_TRY(walk_block(&w, cut->g->order[r], give_number, NULL));
    HD_TRY(find_live(&w));
    HD_TRY(find_nonzero(&w));
    if (is_too_much(out))
        return HD_UNSUPPORTED;
    HD_TRY(share(&w));
    return place(&w);
}
