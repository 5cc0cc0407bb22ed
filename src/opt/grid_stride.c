/* opt/grid_stride.c -- grid-stride loops whose iterations the launch can distribute.
 *
 *     for (i = get_global_id(0); i < n; i += get_global_size(0)) …
 *
 * A sub-group that executes all its iterations before the next one starts touches one cache line of
 * each page: the hardware prefetchers do not help, and if the stride is a power of two all the
 * lines compete for a few cache sets. If such a loop is all that a kernel does, and each iteration
 * writes addresses that no other iteration accesses, the iterations of all work-items are
 * equivalent to the work-items of a larger launch: they may run in any order, on any thread. So a
 * launch may run each iteration of a group separately (HdRtGroup.one_round, round_start), and
 * traverse memory from one end to the other ([0028](docs/adr/0028-grid-strides.md)).
 *
 * Spec: OpenCL C, "Execution Model": the order in which work-items run is not defined.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/linear.h"
#include "ir/memory.h"
#include "opt/pass.h"

/* Operations outside the loop, which every iteration repeats. */
#define MOST_BESIDE 24u

typedef struct Stride {
    HdIrFunc *f;
    const HdIrGraph *g;
    uint32_t end; /* block that leads back */
    HdIrRef phi, start, next;
    HdIrRef asks[2]; /* comparisons: before the loop, and at its end */
    HdIrStride found;
    uint32_t bytes;
} Stride;

/* ---- numbers of the launch ------------------------------------------------------------------ */

/* To at least 32 bits: launches whose iterations are distributed have fewer than 2^31 work-items
 * (launch/ndrange.c). */
static HdIrRef without_casts(const HdIrFunc *f, HdIrRef r)
{
    while ((f->insts.at[r].op == HD_IR_TRUNC || f->insts.at[r].op == HD_IR_ZEXT ||
            f->insts.at[r].op == HD_IR_SEXT) &&
           hd_ir_type_bits((HdIrType)f->insts.at[hd_ir_arg(f, r, 0)].type) >= 32 &&
           hd_ir_type_bits((HdIrType)f->insts.at[r].type) >= 32)
        r = hd_ir_arg(f, r, 0);
    return r;
}

static bool is_builtin(const HdIrFunc *f, HdIrRef r, HdIrBuiltin which)
{
    const HdIrInst *in = &f->insts.at[without_casts(f, r)];

    return in->op == HD_IR_BUILTIN && in->sub == which && in->imm % 3 == 0;
}

static bool is_local_size(const HdIrFunc *f, HdIrRef r)
{
    return is_builtin(f, r, HD_BUILTIN_LOCAL_SIZE) ||
           is_builtin(f, r, HD_BUILTIN_ENQUEUED_LOCAL_SIZE);
}

/* The product of the local size and another one, as programs for other systems write it. */
static bool is_product(const HdIrFunc *f, HdIrRef r, HdIrBuiltin of)
{
    r = without_casts(f, r);
    if (f->insts.at[r].op != HD_IR_MUL)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (is_local_size(f, hd_ir_arg(f, r, k)) && is_builtin(f, hd_ir_arg(f, r, 1 - k), of))
            return true;
    return false;
}

/* In launches without an offset, of whole groups; so below. */
static bool is_global_size(const HdIrFunc *f, HdIrRef r)
{
    return is_builtin(f, r, HD_BUILTIN_GLOBAL_SIZE) || is_product(f, r, HD_BUILTIN_NUM_GROUPS);
}

static bool is_global_id(const HdIrFunc *f, HdIrRef r)
{
    if (is_builtin(f, r, HD_BUILTIN_GLOBAL_ID))
        return true;
    r = without_casts(f, r);
    if (f->insts.at[r].op != HD_IR_ADD)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (is_builtin(f, hd_ir_arg(f, r, k), HD_BUILTIN_LOCAL_ID) &&
            is_product(f, hd_ir_arg(f, r, 1 - k), HD_BUILTIN_GROUP_ID))
            return true;
    return false;
}

/* An argument of the kernel, or a constant, as where the loop ends. Up to `most` indices neither
 * wrap nor get a sign. */
static bool find_bound(const HdIrFunc *f, HdIrRef r, bool is_signed, HdIrStride *out)
{
    const HdIrInst *in = &f->insts.at[r];
    unsigned bits = hd_ir_type_bits((HdIrType)in->type);

    out->most = bits == 64 ? (uint64_t)1 << 62 : hd_ir_ones((HdIrType)in->type) >> is_signed;
    if (in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT) {
        is_signed = in->op == HD_IR_SEXT;
        in = &f->insts.at[hd_ir_arg(f, r, 0)];
    }
    out->bits = (uint8_t)hd_ir_type_bits((HdIrType)in->type);
    out->is_signed = is_signed || out->bits == 64;
    out->is_constant = in->op == HD_IR_CONST;
    out->bound = in->imm;
    return (in->op == HD_IR_KARG || in->op == HD_IR_CONST) && (out->bits == 32 || out->bits == 64);
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* Is r the index, or that cut off to 32 bits? */
static bool is_index(const HdIrFunc *f, HdIrRef r, HdIrRef index)
{
    const HdIrInst *in = &f->insts.at[r];

    return r == index ||
           (in->op == HD_IR_TRUNC && in->type == HD_IR_I32 && hd_ir_arg(f, r, 0) == index);
}

/* Does the branch at the end of `block` lead to `inside` where the value of `index` is below the
 * bound, and only there? */
static bool asks_below(Stride *s, uint32_t block, uint32_t inside, HdIrRef index, unsigned which)
{
    const HdIrFunc *f = s->f;
    HdIrRef branch = hd_ir_last(f, block), ask;
    const HdIrBlock *b = &f->blocks.at[block];
    unsigned how, at;
    HdIrStride found;

    if (f->insts.at[branch].op != HD_IR_CONDBR || (b->succ[0] == inside) == (b->succ[1] == inside))
        return false;
    ask = hd_ir_arg(f, branch, 0);
    if (f->insts.at[ask].op != HD_IR_ICMP)
        return false;
    how = f->insts.at[ask].sub;
    if (b->succ[1] == inside)
        how = hd_ir_icmp_inverse(how);
    at = is_index(f, hd_ir_arg(f, ask, 0), index) ? 0 : 1;
    if (at == 1)
        how = hd_ir_icmp_swapped(how);
    if (!is_index(f, hd_ir_arg(f, ask, at), index) || (how != HD_IR_ULT && how != HD_IR_SLT) ||
        !find_bound(f, hd_ir_arg(f, ask, 1 - at), how == HD_IR_SLT, &found))
        return false;
    s->asks[which] = ask;
    if (which == 0) {
        s->found = found;
        return true;
    }
    return found.bits == s->found.bits && found.is_signed == s->found.is_signed &&
           found.is_constant == s->found.is_constant && found.bound == s->found.bound &&
           found.most == s->found.most;
}

/* The initial value of a phi of the header, and its value from the back edge; 0 if there are
 * several. */
static bool find_ends(const Stride *s, uint32_t loop, HdIrRef phi, HdIrRef *start, HdIrRef *next,
                      uint32_t *end)
{
    const HdIrFunc *f = s->f;

    *start = *next = 0;
    if (f->insts.at[phi].nargs != 4)
        return false;
    for (unsigned k = 0; k < 4; k += 2) {
        uint32_t from = hd_ir_arg(f, phi, k);

        if (hd_ir_loop_holds(s->g, loop, from)) {
            *end = from;
            *next = hd_ir_arg(f, phi, k + 1);
        } else {
            *start = hd_ir_arg(f, phi, k + 1);
        }
    }
    return *next != 0 && *start != 0;
}

/* Is it the index, incremented by the launch's size? */
static bool steps(const Stride *s)
{
    const HdIrFunc *f = s->f;

    if (f->insts.at[s->next].op != HD_IR_ADD || !is_global_id(f, s->start))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (hd_ir_arg(f, s->next, k) == s->phi && is_global_size(f, hd_ir_arg(f, s->next, 1 - k)))
            return true;
    return false;
}

/* Only the index, and its 32-bit form, are loop-carried. */
static bool find_index(Stride *s, uint32_t loop)
{
    const HdIrBlock *head = &s->f->blocks.at[s->g->loops[loop].head];
    size_t phis = hd_ir_phi_count(s->f, s->g->loops[loop].head), i;
    HdIrRef start, next;
    uint32_t end;

    for (i = 0; i < phis; i++) {
        s->phi = head->insts.at[i];
        if (find_ends(s, loop, s->phi, &s->start, &s->next, &s->end) && steps(s))
            break;
    }
    if (i == phis)
        return false;
    for (i = 0; i < phis; i++)
        if (!find_ends(s, loop, head->insts.at[i], &start, &next, &end) ||
            !is_index(s->f, start, s->start) || !is_index(s->f, next, s->next))
            return false;
    return true;
}

/* ---- independent iterations ---------------------------------------------------------------- */

/* The index, in whatever size. */
static bool follows_index(const Stride *s, HdIrRef r)
{
    const HdIrFunc *f = s->f;
    const HdIrInst *in = &f->insts.at[r];
    uint64_t mask;

    while (in->op == HD_IR_TRUNC || in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT ||
           (in->op == HD_IR_AND && hd_ir_is_const(f, hd_ir_arg(f, r, 1), &mask) &&
            mask == UINT32_MAX)) {
        if (hd_ir_type_bits((HdIrType)in->type) < 32)
            return false;
        r = hd_ir_arg(f, r, 0);
        in = &f->insts.at[r];
    }
    return r == s->phi || (in->op == HD_IR_PHI && in->block == f->insts.at[s->phi].block);
}

/* `by` bytes for each index. */
static bool find_scale(const Stride *s, HdIrRef r, uint64_t *by)
{
    const HdIrFunc *f = s->f;
    const HdIrInst *in = &f->insts.at[r];
    uint64_t k;

    *by = 1;
    if (follows_index(s, r))
        return true;
    if ((in->op != HD_IR_SHL && in->op != HD_IR_MUL) ||
        !hd_ir_is_const(f, hd_ir_arg(f, r, 1), &k) || k > (in->op == HD_IR_SHL ? 20 : 1 << 20))
        return false;
    *by = in->op == HD_IR_SHL ? (uint64_t)1 << k : k;
    return follows_index(s, hd_ir_arg(f, r, 0));
}

/* An argument's memory from `base` on, which all iterations share, has so many bytes for each
 * index. */
typedef struct Part {
    HdIrRef base; /* 0: the argument is not written */
    uint64_t bytes;
} Part;

/* Is it `size` bytes within a part? */
static bool is_own(const Stride *s, HdIrRef address, uint64_t size, Part *part)
{
    const HdIrFunc *f = s->f;
    int64_t within;

    address = hd_linear_base(f, address, &within);
    if (within < 0 || within >= 1 << 20 || f->insts.at[address].op != HD_IR_PTRADD)
        return false;
    part->base = hd_ir_arg(f, address, 0);
    return s->g->loop[f->insts.at[part->base].block] == HD_IR_NOWHERE &&
           find_scale(s, hd_ir_arg(f, address, 1), &part->bytes) &&
           (uint64_t)within + size <= part->bytes;
}

/* Of each argument that is written. */
typedef struct Parts {
    unsigned written;
    Part of[HD_IR_MEM_KINDS];
} Parts;

static uint64_t size_of(const HdIrFunc *f, HdIrRef r)
{
    HdIrRef value = f->insts.at[r].op == HD_IR_STORE ? hd_ir_arg(f, r, 1) : r;

    return hd_ir_type_bytes((HdIrType)f->insts.at[value].type);
}

static bool is_written(const Stride *s, HdIrRef load, const Parts *p)
{
    return (hd_ir_memory_at(s->f, hd_ir_arg(s->f, load, 0), s->f->insts.at[load].sub) &
            p->written) != 0;
}

/* To be called for all stores before the first load. */
static bool stays_apart(const Stride *s, HdIrRef r, Parts *p)
{
    const HdIrInst *in = &s->f->insts.at[r];
    unsigned kinds, kind;
    Part part;

    if (in->op != HD_IR_LOAD && in->op != HD_IR_STORE)
        return hd_ir_memory_written(s->f, r) == 0;
    if ((in->flags & HD_IR_VOLATILE) != 0)
        return false;
    if (in->op == HD_IR_LOAD && !is_written(s, r, p))
        return true;
    kinds = hd_ir_memory_at(s->f, hd_ir_arg(s->f, r, 0), in->sub);
    kind = (unsigned)__builtin_ctz(kinds | 1u << 31);
    if (kinds != 1u << kind || kind < HD_IR_MEM_ARG ||
        !is_own(s, hd_ir_arg(s->f, r, 0), size_of(s->f, r), &part) ||
        (p->of[kind].base != 0 &&
         (p->of[kind].base != part.base || p->of[kind].bytes != part.bytes)))
        return false;
    p->written |= kinds;
    p->of[kind] = part;
    return true;
}

/* Outside the loop nothing is written; what is loaded there is reloaded for each iteration. */
static bool are_apart(const Stride *s, uint32_t loop)
{
    Parts p = {0};

    for (unsigned loads = 0; loads < 2; loads++)
        for (HdIrEach e = hd_ir_each_reachable(s->f, s->g); hd_ir_next(&e);) {
            HdIrRef r = e.inst;

            if ((s->f->insts.at[r].op == HD_IR_LOAD) != (loads != 0))
                continue;
            if (!stays_apart(s, r, &p) ||
                (loads != 0 && !hd_ir_loop_holds(s->g, loop, e.block) && is_written(s, r, &p)))
                return false;
        }
    return true;
}

/* ---- a kernel that is nothing else ---------------------------------------------------------- */

static bool is_of_a_round(unsigned op)
{
    switch ((HdIrOp)op) {
    case HD_IR_ALLOCA:
    case HD_IR_LOCAL_ADDR:
    case HD_IR_CALL:
    case HD_IR_RTCALL: return false;
    default: return !hd_ir_op_is_convergent(op);
    }
}

static uint32_t bytes_of(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];
    bool moves = (in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && in->sub == HD_SPACE_GLOBAL;

    return moves ? (uint32_t)size_of(f, r) : 0;
}

/* There are only blocks before and after the loop, and they do little. */
static bool is_all(Stride *s, uint32_t loop)
{
    const HdIrFunc *f = s->f;
    unsigned beside = 0;

    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t b = s->g->order[i];
        const HdIrBlock *block = &f->blocks.at[b];
        bool inside = hd_ir_loop_holds(s->g, loop, b);

        for (size_t k = 0; k < block->insts.count; k++) {
            const HdIrInst *in = &f->insts.at[block->insts.at[k]];

            if (!is_of_a_round(in->op))
                return false;
            if (inside)
                s->bytes += bytes_of(f, block->insts.at[k]);
            if (inside || k + 1 == block->insts.count || in->op == HD_IR_CONST ||
                in->op == HD_IR_KARG)
                continue;
            if ((!hd_ir_op_is_pure(in->op) && in->op != HD_IR_LOAD) || hd_ir_op_is_costly(in->op) ||
                in->op == HD_IR_PHI || ++beside > MOST_BESIDE)
                return false;
        }
        for (uint32_t k = 0; inside && k < block->succ_count; k++)
            if (b != s->end && !hd_ir_loop_holds(s->g, loop, block->succ[k]))
                return false;
    }
    return true;
}

/* The only loop that is in no other one; HD_IR_NOWHERE: there are none, or several. */
static uint32_t only_loop(const HdIrGraph *g)
{
    uint32_t loop = HD_IR_NOWHERE;

    for (uint32_t l = 0; l < g->loop_count; l++) {
        if (g->loops[l].parent != HD_IR_NOWHERE)
            continue;
        if (loop != HD_IR_NOWHERE || g->loops[l].irreducible)
            return HD_IR_NOWHERE;
        loop = l;
    }
    return loop;
}

/* The entry tests whether the loop runs at all; one block may be in between. */
static bool find_loop(Stride *s)
{
    uint32_t loop = only_loop(s->g), head;
    const HdIrBlock *entry = &s->f->blocks.at[0];

    if (loop == HD_IR_NOWHERE || entry->succ_count != 2)
        return false;
    head = s->g->loops[loop].head;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t first = entry->succ[k];
        const HdIrBlock *b = &s->f->blocks.at[first];

        if (first == head || (b->succ_count == 1 && b->succ[0] == head))
            return find_index(s, loop) && asks_below(s, 0, first, s->start, 0) &&
                   asks_below(s, s->end, head, s->next, 1) && is_all(s, loop) && are_apart(s, loop);
    }
    return false;
}

/* ---- one iteration at a time------------------------------------------------------------------ */

static HdIrRef insert(Stride *s, uint32_t block, size_t *at, HdIrOp op, HdIrType type, unsigned sub,
                      uint64_t imm, HdIrRef x, HdIrRef y)
{
    HdIrRef args[2] = {x, y};

    return hd_ir_insert(s->f, block, (*at)++, op, type, sub, imm, args,
                        x == 0   ? 0
                        : y == 0 ? 1
                                 : 2);
}

static size_t place_of(const HdIrFunc *f, uint32_t block, HdIrRef r)
{
    size_t at = 0;

    while (f->blocks.at[block].insts.at[at] != r)
        at++;
    return at;
}

/* What is derived from `first` in the way r is from the first index. */
static HdIrRef anew(Stride *s, size_t *at, HdIrRef r, HdIrRef first)
{
    if (!is_index(s->f, r, s->start))
        return r;
    return r == s->start ? first : insert(s, 0, at, HD_IR_TRUNC, HD_IR_I32, 0, 0, first, 0);
}

/* The first index becomes that of the launch's iteration, and no other iteration follows. */
static HdStatus leave_rounds(Stride *s)
{
    HdIrFunc *f = s->f;
    uint32_t head = s->g->loops[s->g->loop[s->end]].head;
    HdIrRef guard = hd_ir_last(f, 0), end = hd_ir_last(f, s->end), ask = s->asks[0];
    HdIrRef round, none, one, first, x, y;
    bool goes_on = f->blocks.at[s->end].succ[0] == head;
    size_t at = place_of(f, 0, guard);

    round = insert(s, 0, &at, HD_IR_BUILTIN, (HdIrType)f->insts.at[s->phi].type,
                   HD_BUILTIN_ROUND_START, 0, 0, 0);
    first = insert(s, 0, &at, HD_IR_ADD, (HdIrType)f->insts.at[s->phi].type, 0, 0, s->start, round);
    for (size_t i = 0; i < hd_ir_phi_count(f, head); i++) {
        HdIrRef phi = f->blocks.at[head].insts.at[i];
        unsigned from = hd_ir_arg(f, phi, 0) == s->end ? 2 : 0;

        x = anew(s, &at, hd_ir_arg(f, phi, from + 1), first);
        hd_ir_args(f, phi)[from + 1] = x;
    }
    x = anew(s, &at, hd_ir_arg(f, ask, 0), first);
    y = anew(s, &at, hd_ir_arg(f, ask, 1), first);
    x = insert(s, 0, &at, HD_IR_ICMP, HD_IR_BOOL, f->insts.at[ask].sub, 0, x, y);
    hd_ir_args(f, guard)[0] = x;
    one = insert(s, 0, &at, HD_IR_BUILTIN, HD_IR_I32, HD_BUILTIN_ONE_ROUND, 0, 0, 0);
    none = insert(s, 0, &at, HD_IR_CONST, HD_IR_I32, 0, 0, 0, 0);
    x = insert(s, 0, &at, HD_IR_ICMP, HD_IR_BOOL, goes_on ? HD_IR_EQ : HD_IR_NE, 0, one, none);
    at = place_of(f, s->end, end);
    x = insert(s, s->end, &at, goes_on ? HD_IR_AND : HD_IR_OR, HD_IR_BOOL, 0, 0, s->asks[1], x);
    hd_ir_args(f, end)[0] = x;
    f->stride = s->found;
    f->stride.bytes = s->bytes;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_opt_grid_stride(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Stride s = {.f = f};
    HdIrGraph *g;

    if (f->waits.has_barrier || f->waits.needs_fibers)
        return HD_OK;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    if (!find_loop(&s) || s.bytes == 0 || f->insts.at[s.start].block != 0 ||
        f->insts.at[s.asks[0]].block != 0)
        return HD_OK;
    *changed = true;
    return leave_rounds(&s);
}
