/* opt/cse.c -- common subexpressions along dominators, loads included.
 *
 * Memory has states (the kinds of memory.h), each with a version that writes change. A load is
 * known by its address, type and the versions it can see; a store makes its value available as a
 * load. Where paths with different versions meet, a new version begins; likewise at headers of
 * loops that write. The latest accesses survive stores to other bytes of the same object, such as
 * other members of a structure.
 *
 * What a loop loads at its header is often available on every incoming edge: before the loop from a
 * guard, and at the end of an iteration from the exit test (`while (p[x] != x) x = p[p[x]];`). Then
 * it becomes a phi of these.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/eval.h"
#include "ir/graph.h"
#include "ir/linear.h"
#include "ir/memory.h"
#include "opt/pass.h"

#include <string.h>

#include "base/map.h"

#define STATES     HD_IR_MEM_KINDS
#define ALL_STATES HD_IR_MEM_ALL
/* Latest accesses of a block that survive stores to other bytes: a bound of compile time. */
#define RECENT     16u
#define MOST_STEPS 6u /* operations from a phi to an address */

typedef struct Known {
    uint64_t hash;
    HdIrRef ref, value; /* what computes it, what it is */
    uint32_t version[STATES];
    uint32_t next;
} Known;

typedef struct Cse {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    HdIrRef *with;
    size_t count;
    HdMap heads; /* hash to 1 + index into known */
    HD_ARRAY(Known) known;
    uint32_t recent[RECENT]; /* 1 + index into known of the block's latest accesses, in turn */
    uint32_t recent_next;
    uint32_t (*at_end)[STATES]; /* versions where each block ends */
    uint16_t *loop_writes;      /* [loops] states that are written in it */
    uint32_t version[STATES], last_version;
} Cse;

static bool is_load(const HdIrInst *in)
{
    return in->op == HD_IR_LOAD && (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) == 0;
}

static uint64_t hash_of(const Cse *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    uint64_t h = hd_hash_u64((uint64_t)in->op << 24 | (uint64_t)in->type << 16 | in->sub);

    if (in->op == HD_IR_LOAD)
        return hd_hash_u64(((uint64_t)in->type << 32 | hd_ir_arg(s->f, r, 0)) ^ 0x10ad);
    h = hd_hash_u64(h ^ in->imm);
    if (hd_ir_op_commutes(in->op) && in->nargs == 2)
        return hd_hash_u64(h + hd_hash_u64(hd_ir_arg(s->f, r, 0)) +
                           hd_hash_u64(hd_ir_arg(s->f, r, 1)));
    for (unsigned k = 0; k < in->nargs; k++)
        h = hd_hash_u64(h ^ hd_ir_arg(s->f, r, k));
    return h;
}

static bool same_operation(const Cse *s, HdIrRef x, HdIrRef y)
{
    const HdIrInst *a = &s->f->insts.at[x], *b = &s->f->insts.at[y];
    const HdIrRef *p = hd_ir_args(s->f, x), *q = hd_ir_args(s->f, y);

    if (a->op != b->op || a->type != b->type || a->sub != b->sub || a->imm != b->imm ||
        a->nargs != b->nargs || (a->op == HD_IR_PHI && a->block != b->block))
        return false;
    if (a->nargs == 2 && hd_ir_op_commutes(a->op) && p[0] == q[1] && p[1] == q[0])
        return true;
    return a->nargs == 0 || memcmp(p, q, a->nargs * sizeof *p) == 0;
}

/* Does what is known still hold for a load of these states here? */
static bool same_memory(const Cse *s, const Known *k, unsigned states)
{
    for (unsigned i = 0; i < STATES; i++)
        if ((states >> i & 1) != 0 && k->version[i] != s->version[i])
            return false;
    return true;
}

/* The address and type of a load, or of a store that makes one known. */
static HdIrType access_type(const HdIrFunc *f, HdIrRef r)
{
    return (HdIrType)f->insts.at[f->insts.at[r].op == HD_IR_STORE ? hd_ir_arg(f, r, 1) : r].type;
}

static bool same_access(const Cse *s, HdIrRef x, HdIrRef y)
{
    return hd_ir_arg(s->f, x, 0) == hd_ir_arg(s->f, y, 0) &&
           access_type(s->f, x) == access_type(s->f, y);
}

static HdStatus remember(Cse *s, uint64_t hash, HdIrRef ref, HdIrRef value)
{
    Known k = {.hash = hash, .ref = ref, .value = value};
    uint64_t head = 0;

    memcpy(k.version, s->version, sizeof k.version);
    (void)hd_map_get(&s->heads, hash, &head);
    k.next = (uint32_t)head;
    HD_TRY_PUSH(s->arena, &s->known, k);
    if (!hd_ir_op_is_pure(s->f->insts.at[ref].op))
        s->recent[s->recent_next++ % RECENT] = (uint32_t)s->known.count;
    return hd_map_put(s->arena, &s->heads, hash, s->known.count) ? HD_OK : HD_NO_MEMORY;
}

/* States that what is known of an access depends on. */
static unsigned states_of(const Cse *s, HdIrRef access)
{
    const HdIrInst *in = &s->f->insts.at[access];

    return in->op == HD_IR_LOAD && (in->flags & HD_IR_INVARIANT) != 0
               ? 0
               : hd_ir_memory_at(s->f, hd_ir_arg(s->f, access, 0), in->sub);
}

static HdIrRef look_up(const Cse *s, uint64_t hash, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    unsigned states = 0, steps = 0;
    uint64_t head = 0;
    bool load = in->op == HD_IR_LOAD;

    if (load)
        states = states_of(s, r);
    (void)hd_map_get(&s->heads, hash, &head);
    for (uint32_t i = (uint32_t)head; i != 0 && steps++ < 64; i = s->known.at[i - 1].next) {
        const Known *k = &s->known.at[i - 1];
        unsigned op = s->f->insts.at[k->ref].op;

        if (!hd_ir_dominates(s->g, s->f->insts.at[k->ref].block, in->block))
            continue;
        if (load ? (op == HD_IR_LOAD || op == HD_IR_STORE) && same_access(s, k->ref, r) &&
                       same_memory(s, k, states)
                 : same_operation(s, k->ref, r))
            return k->value;
    }
    return 0;
}

/* Are two accesses to different bytes of the same thing? */
static bool are_apart(const HdIrFunc *f, HdIrRef x, HdIrRef y)
{
    int64_t at, other;

    if (hd_linear_base(f, hd_ir_arg(f, x, 0), &at) != hd_linear_base(f, hd_ir_arg(f, y, 0), &other))
        return false;
    return at < other ? (uint64_t)other - (uint64_t)at >= hd_ir_type_bytes(access_type(f, x))
                      : (uint64_t)at - (uint64_t)other >= hd_ir_type_bytes(access_type(f, y));
}

/* A new version of the states that r writes; what a store leaves alone is known in it as well. */
static HdStatus write_memory(Cse *s, HdIrRef r)
{
    unsigned written = hd_ir_memory_written(s->f, r), count = 0;
    bool is_plain =
        s->f->insts.at[r].op == HD_IR_STORE && (s->f->insts.at[r].flags & HD_IR_VOLATILE) == 0;
    Known kept[RECENT];

    if (written == 0)
        return HD_OK;
    for (unsigned i = 0; is_plain && i < RECENT; i++) {
        const Known *k = s->recent[i] != 0 ? &s->known.at[s->recent[i] - 1] : NULL;

        if (k != NULL && same_memory(s, k, states_of(s, k->ref)) && are_apart(s->f, k->ref, r))
            kept[count++] = *k;
    }
    for (unsigned i = 0; i < STATES; i++)
        if ((written >> i & 1) != 0)
            s->version[i] = ++s->last_version;
    memset(s->recent, 0, sizeof s->recent);
    for (unsigned i = 0; i < count; i++)
        HD_TRY(remember(s, kept[i].hash, kept[i].ref, kept[i].value));
    return HD_OK;
}

static HdStatus visit(Cse *s, HdIrRef r, bool *changed)
{
    HdIrInst *in = hd_ir_inst(s->f, r);
    uint64_t hash;
    HdIrRef value;

    HD_TRY(write_memory(s, r));
    if (in->op == HD_IR_STORE && (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) == 0) {
        value = hd_ir_arg(s->f, r, 1);
        hash = hd_hash_u64(((uint64_t)access_type(s->f, r) << 32 | hd_ir_arg(s->f, r, 0)) ^ 0x10ad);
        return access_type(s->f, r) == HD_IR_BOOL ? HD_OK : remember(s, hash, r, value);
    }
    if (!is_load(in) && (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_ALLOCA ||
                         in->op == HD_IR_RESULT || in->op == HD_IR_SLOT))
        return HD_OK;
    hash = hash_of(s, r);
    value = look_up(s, hash, r);
    if (value == 0)
        return remember(s, hash, r, r);
    if (s->f->insts.at[value].op == in->op) /* both promises must hold for the promise to stay */
        s->f->insts.at[value].flags &=
            (HdIrFlags)(in->flags | ~(HD_IR_NSW | HD_IR_NUW | HD_IR_FAST | HD_IR_INVARIANT));
    s->with[r] = value;
    hd_ir_kill(s->f, r);
    *changed = true;
    return HD_OK;
}

/* Versions where a block begins: its predecessors' if they agree. */
static void enter(Cse *s, uint32_t b)
{
    const HdIrGraph *g = s->g;
    uint32_t loop =
        g->loop[b] != HD_IR_NOWHERE && g->loops[g->loop[b]].head == b ? g->loop[b] : HD_IR_NOWHERE;
    bool first = true;
    unsigned differ = 0;

    for (uint32_t e = g->pred_first[b]; e < g->pred_first[b + 1]; e++) {
        uint32_t p = g->pred[e];

        if (g->rank[p] >= g->rank[b]) { /* not seen yet: the loop's writes */
            if (loop == HD_IR_NOWHERE || g->loops[loop].irreducible)
                differ = ALL_STATES;
            else
                differ |= s->loop_writes[loop];
            continue;
        }
        for (unsigned i = 0; i < STATES; i++) {
            if (first)
                s->version[i] = s->at_end[p][i];
            else if (s->version[i] != s->at_end[p][i])
                differ |= 1u << i;
        }
        first = false;
    }
    for (unsigned i = 0; i < STATES; i++)
        if (first || (differ >> i & 1) != 0)
            s->version[i] = ++s->last_version;
}

static HdStatus find_writes(Cse *s)
{
    const HdIrGraph *g = s->g;

    HD_TAKE(s->loop_writes, HD_NEW(s->arena, uint16_t, (size_t)g->loop_count + 1));
    for (uint32_t i = 0; i < g->reachable; i++) {
        const HdIrBlock *b = &s->f->blocks.at[g->order[i]];
        unsigned all = 0;

        for (size_t k = 0; k < b->insts.count; k++)
            all |= hd_ir_memory_written(s->f, b->insts.at[k]);
        for (uint32_t l = g->loop[g->order[i]]; l != HD_IR_NOWHERE; l = g->loops[l].parent)
            s->loop_writes[l] |= (uint16_t)all;
    }
    return HD_OK;
}

/* ---- what is known on every way to a loop's head ------------------------------------------------
 */

/* What has the value of `wanted`, an instruction of no block, where block p ends; 0 = nothing. */
static HdIrRef known_at_end(Cse *s, HdIrRef wanted, uint32_t p)
{
    HdIrRef value;

    if (wanted == 0)
        return 0;
    memcpy(s->version, s->at_end[p], sizeof s->version);
    s->f->insts.at[wanted].block = p;
    value = look_up(s, hash_of(s, wanted), wanted);
    hd_ir_kill(s->f, wanted);
    return hd_ir_resolve(s->with, s->count, value);
}

/* The constant that an operation on constants gives, as an instruction of no block. */
static HdIrRef folded(Cse *s, const HdIrInst *in, const HdIrRef *args)
{
    uint64_t x[3], bits;
    HdIrType from = (HdIrType)s->f->insts.at[args[in->op == HD_IR_SELECT ? 1 : 0]].type;

    for (unsigned k = 0; k < in->nargs; k++)
        if (!hd_ir_is_const(s->f, args[k], &x[k]))
            return 0;
    return hd_ir_eval(in, from, x, &bits)
               ? hd_ir_make(s->f, 0, HD_IR_CONST, (HdIrType)in->type, 0, bits, NULL, 0)
               : 0;
}

/* What value v of block b is when b is entered from p; 0: not available. */
static HdIrRef on_edge(Cse *s, HdIrRef v, uint32_t b, uint32_t p, unsigned depth)
{
    HdIrInst in = s->f->insts.at[v];
    HdIrRef args[3], made;
    uint64_t bits;
    bool same = true;

    if (in.block != b)
        return v;
    if (in.op == HD_IR_PHI)
        return hd_ir_resolve(s->with, s->count, hd_ir_phi_value(s->f, v, p));
    if (!hd_ir_op_is_pure(in.op) || in.nargs == 0 || in.nargs > 3 || depth == 0)
        return 0;
    for (unsigned k = 0; k < in.nargs; k++) {
        args[k] = on_edge(s, hd_ir_arg(s->f, v, k), b, p, depth - 1);
        same = same && args[k] == hd_ir_arg(s->f, v, k);
        if (args[k] == 0)
            return 0;
    }
    if (same)
        return v;
    if (in.op == HD_IR_PTRADD && hd_ir_is_const(s->f, args[1], &bits) && bits == 0)
        return args[0];
    made = folded(s, &in, args);
    if (made == 0)
        made =
            hd_ir_make(s->f, 0, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
    return known_at_end(s, made, p);
}

/* Make the load r at the head b a phi of what is known on all ways to there. */
static HdStatus load_by_phi(Cse *s, HdIrRef r, uint32_t b, bool *changed)
{
    uint32_t first = s->g->pred_first[b], count = s->g->pred_first[b + 1] - first;
    const HdIrInst in = s->f->insts.at[r];
    HdIrRef *args, phi;

    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, 2 * (size_t)count));
    for (uint32_t e = 0; e < count; e++) {
        uint32_t p = s->g->pred[first + e];
        HdIrRef at = on_edge(s, hd_ir_arg(s->f, r, 0), b, p, MOST_STEPS);

        if (at == 0 || s->g->rank[p] == HD_IR_NOWHERE)
            return HD_OK;
        args[2 * e] = p;
        args[2 * e + 1] = known_at_end(
            s, hd_ir_make(s->f, 0, HD_IR_LOAD, (HdIrType)in.type, in.sub, in.imm, &at, 1), p);
        if (args[2 * e + 1] == 0)
            return HD_OK;
    }
    HD_TAKE(phi, hd_ir_insert(s->f, b, 0, HD_IR_PHI, (HdIrType)in.type, 0, 0, args, 2 * count));
    s->with[r] = phi;
    *changed = true;
    return HD_OK;
}

static HdStatus look_at_heads(Cse *s, bool *changed)
{
    for (uint32_t l = 0; l < s->g->loop_count; l++) {
        uint32_t b = s->g->loops[l].head;

        for (size_t i = 0; i < s->f->blocks.at[b].insts.count; i++) {
            HdIrRef r = s->f->blocks.at[b].insts.at[i];

            if (hd_ir_memory_written(s->f, r) != 0)
                break;
            if (r < s->count && s->with[r] == 0 && is_load(&s->f->insts.at[r]) &&
                (s->f->insts.at[r].flags & HD_IR_NONTEMPORAL) == 0 && !s->g->loops[l].irreducible)
                HD_TRY(load_by_phi(s, r, b, changed));
        }
    }
    for (HdIrRef r = 1; r < s->count; r++)
        if (s->with[r] != 0)
            hd_ir_kill(s->f, r);
    return s->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_opt_cse(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Cse s = {.f = f, .arena = scratch, .count = f->insts.count};
    HdIrGraph *g;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    HD_TAKE(s.with, HD_NEW(scratch, HdIrRef, s.count));
    HD_TAKE(s.at_end, hd_arena_zero_array(scratch, sizeof *s.at_end, g->count));
    HD_TRY(find_writes(&s));
    for (uint32_t i = 0; i < g->reachable; i++) {
        uint32_t b = g->order[i];

        enter(&s, b);
        memset(s.recent, 0, sizeof s.recent);
        for (size_t k = 0; k < f->blocks.at[b].insts.count; k++) {
            HdIrRef r = f->blocks.at[b].insts.at[k];

            for (unsigned a = 0; a < f->insts.at[r].nargs; a++)
                if (hd_ir_arg_is_value(&f->insts.at[r], a))
                    hd_ir_args(f, r)[a] = hd_ir_resolve(s.with, s.count, hd_ir_arg(f, r, a));
            HD_TRY(visit(&s, r, changed));
        }
        memcpy(s.at_end[b], s.version, sizeof s.version);
    }
    HD_TRY(look_at_heads(&s, changed));
    hd_ir_substitute(f, s.with, s.count);
    hd_ir_sweep(f);
    return HD_OK;
}
