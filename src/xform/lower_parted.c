/* xform/lower_parted.c -- where work-items diverge before sub-group operations, and how functions
 * are cut into pieces there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_parted.h"

#include <stdlib.h>
#include <string.h>

#include "base/gather.h"
#include "module/constant.h"
#include "module/decoration.h"

/* What a function, or what it calls, contains. */
enum {
    HOLDS_OPERATIONS = 1, /* that not all come to by what the flow shows */
    HOLDS_MEETINGS = 2,
    HOLDS_GROUP_MEETINGS = 4 /* of more than a sub-group */
};

/* ---- instructions --------------------------------------------------------------------------- */

static bool begins(const HdInst *in, const char *with)
{
    const char *name = hd_gram_insts[in->opix].name;

    return name != NULL && strncmp(name, with, strlen(with)) == 0;
}

static bool is_meeting(const HdInst *in)
{
    return begins(in, "OpControlBarrier") || begins(in, "OpSubgroup") ||
           in->opix == HD_OPIX_MemoryNamedBarrier || begins(in, "OpUntypedGroup") ||
           (begins(in, "OpGroup") && !begins(in, "OpGroupNonUniform"));
}

/* Is it for all of a sub-group, and no more? */
static bool is_of_subgroup(const HdModule *m, const HdInst *in)
{
    bool first = hd_gram_forms[in->opix].result_at == 0;
    uint64_t scope = 0;

    return begins(in, "OpSubgroup") ||
           (in->nwords > 3 && in->opix != HD_OPIX_MemoryNamedBarrier &&
            hd_module_constant_u64(m, in->w[first ? 1 : 3], &scope) && scope == SpvScopeSubgroup);
}

static const HdFunction *callee(const HdModule *m, const HdInst *in)
{
    return in->opix == HD_OPIX_FunctionCall ? hd_module_function(m, in->w[3]) : NULL;
}

static unsigned holds(const HdLower *l, const HdFunction *f)
{
    return l->holds[f - l->m->functions];
}

bool hd_lower_takes_here(const HdLower *l, const HdFunction *f)
{
    return (holds(l, f) & HOLDS_OPERATIONS) != 0 && !l->meets_function[f - l->m->functions];
}

static unsigned look(const HdLower *l, const HdFunction *f)
{
    unsigned found = holds(l, f);

    for (uint32_t word = f->word; word < f->end;) {
        HdInst in = hd_module_inst(l->m, word);
        const HdFunction *to = callee(l->m, &in);

        word = hd_inst_next(&in);
        if (to != NULL)
            found |= holds(l, to);
        if (hd_lower_sees_others(&in) && !hd_lower_all_meet(l, &in))
            found |= HOLDS_OPERATIONS;
        if (is_meeting(&in))
            found |=
                is_of_subgroup(l->m, &in) ? HOLDS_MEETINGS : HOLDS_MEETINGS | HOLDS_GROUP_MEETINGS;
    }
    return found;
}

HdStatus hd_lower_find_parted(HdLower *l, bool *any)
{
    bool changed = true;

    *any = false;
    HD_TAKE(l->holds, HD_NEW(l->arena, uint8_t, l->m->function_count + 1));
    while (changed) { /* once for each level of calls at most */
        changed = false;
        for (uint32_t i = 0; i < l->m->function_count; i++) {
            unsigned found = look(l, &l->m->functions[i]);

            changed |= found != l->holds[i];
            l->holds[i] = (uint8_t)found;
            *any |= (found & HOLDS_OPERATIONS) != 0;
        }
    }
    return HD_OK;
}

/* ---- regions -------------------------------------------------------------------------------- */

/* Behind the variables of the first block. */
static uint32_t behind_variables(const HdModule *m, const HdFunction *f)
{
    HdInst label = hd_module_inst(m, m->blocks[f->first_block].word), in;
    uint32_t start = hd_inst_next(&label), end = hd_block_end(m, &m->blocks[f->first_block]);

    for (uint32_t word = start; word < end; word = hd_inst_next(&in)) {
        in = hd_module_inst(m, word);
        if (hd_inst_is_variable(&in))
            start = hd_inst_next(&in);
    }
    return start;
}

/* All blocks that `from` leads to without coming to `to` are in the region, unless in one before.
 */
static HdStatus fill_region(HdParted *p, uint32_t from, uint32_t to, uint32_t region)
{
    HD_ARRAY(uint32_t) stack = {0};

    HD_TRY_PUSH(p->l->arena, &stack, from);
    while (stack.count != 0) {
        uint32_t b = stack.at[--stack.count];

        for (uint32_t s = p->g->succ_first[b]; s < p->g->succ_first[b + 1]; s++) {
            uint32_t next = p->g->succ[s];

            if (next == to || p->region_of[next] != HD_NO_BLOCK)
                continue;
            p->region_of[next] = region;
            HD_TRY_PUSH(p->l->arena, &stack, next);
        }
    }
    return HD_OK;
}

static HdStatus find_regions(HdParted *p)
{
    const HdModule *m = p->l->m;
    const HdCfg *g = p->g;
    HdRegion whole = {.to = HD_NO_BLOCK};

    HD_TAKE(p->region_of, hd_arena_take(p->l->arena, g->count * sizeof *p->region_of));
    memset(p->region_of, 0xff, g->count * sizeof *p->region_of);
    if (p->takes_here) {
        whole.start = behind_variables(m, p->f);
        HD_TRY_PUSH(p->l->arena, &p->regions, whole);
        p->region_of[0] = 0;
        return fill_region(p, 0, HD_NO_BLOCK, 0);
    }
    for (uint32_t b = 0; b != HD_NO_BLOCK;) {
        const HdBlock *block = &m->blocks[p->f->first_block + b];
        uint32_t merge = hd_block_merge(m, block);
        HdRegion r = {.start = merge != 0 ? merge : block->terminator};

        for (r.to = g->ipdom[b]; r.to != HD_NO_BLOCK && g->loop_head[r.to] != HD_NO_BLOCK;)
            r.to = g->ipdom[r.to];
        HD_TRY_PUSH(p->l->arena, &p->regions, r);
        HD_TRY(fill_region(p, b, r.to, (uint32_t)p->regions.count - 1));
        b = r.to;
    }
    return HD_OK;
}

/* ---- stops ---------------------------------------------------------------------------------- */

static bool find_stop(const HdParted *p, const HdInst *in, HdStop *stop)
{
    const HdFunction *to = callee(p->l->m, in);

    stop->word = in->word;
    if (hd_lower_sees_others(in))
        stop->kind = HD_STOP_OPERATION;
    else if (to != NULL && hd_lower_takes_here(p->l, to))
        stop->kind = HD_STOP_CALL;
    else if (is_meeting(in) || (to != NULL && holds(p->l, to) != 0))
        stop->kind = HD_STOP_MEETING;
    else
        return false;
    return true;
}

static bool waits_for_group(const HdParted *p, const HdInst *in)
{
    const HdFunction *to = callee(p->l->m, in);

    return to != NULL ? (holds(p->l, to) & HOLDS_GROUP_MEETINGS) != 0
                      : is_meeting(in) && !is_of_subgroup(p->l->m, in);
}

/* Stops of a block. Those of regions without operations are left out later. */
static HdStatus find_stops(HdParted *p, uint32_t b)
{
    const HdModule *m = p->l->m;
    const HdBlock *block = &m->blocks[p->f->first_block + b];
    HdStop stop = {.region = p->region_of[b], .rank = p->g->rank[b]};
    uint32_t word = block->word, end = hd_block_end(m, block);

    if (stop.region == HD_NO_BLOCK)
        return HD_OK;
    for (HdInst in; word < end && hd_module_next(m, &word, &in);) {
        HdRegion *r = &p->regions.at[stop.region];

        if (!find_stop(p, &in, &stop))
            continue;
        r->is_cut |= stop.kind != HD_STOP_MEETING;
        r->by_group |= waits_for_group(p, &in);
        HD_TRY_PUSH(p->l->arena, &p->stops, stop);
    }
    return HD_OK;
}

/* The last rank of each loop, by its header. Loops are contiguous; an inner loop at the end of
 * another one may extend past the last block that belongs only to the outer one. */
static HdStatus find_ends(const HdParted *p, uint32_t **ends)
{
    const HdCfg *g = p->g;
    uint32_t *end;

    HD_TAKE(*ends, HD_NEW(p->l->arena, uint32_t, g->count));
    end = *ends;
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r], head = g->loop_head[b];

        if (head != HD_NO_BLOCK && end[head] < r)
            end[head] = r;
        for (uint32_t s = g->succ_first[b]; s < g->succ_first[b + 1]; s++) {
            uint32_t to = g->succ[s];

            if (g->rank[to] <= r && g->loop_head[to] != HD_NO_BLOCK && end[g->loop_head[to]] < r)
                end[g->loop_head[to]] = r;
        }
    }
    for (uint32_t first = g->reachable; first-- > 0;) {
        uint32_t head = g->order[first];

        for (uint32_t r = first + 1; g->loop_head[head] == head && r <= end[head]; r++)
            if (g->loop_head[g->order[r]] == g->order[r] && end[g->order[r]] > end[head])
                end[head] = end[g->order[r]];
    }
    return HD_OK;
}

static bool has_stop(const HdParted *p, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < p->stops.count; i++)
        if (p->stops.at[i].kind != HD_STOP_BACK && p->stops.at[i].rank >= first &&
            p->stops.at[i].rank <= last)
            return true;
    return false;
}

/* Branches back to the head of a loop with stops. */
static HdStatus find_backs(HdParted *p, const uint32_t *ends, uint32_t b)
{
    const HdModule *m = p->l->m;
    const HdCfg *g = p->g;
    uint32_t region = p->region_of[b];

    if (region == HD_NO_BLOCK || !p->regions.at[region].is_cut)
        return HD_OK;
    for (uint32_t s = g->succ_first[b]; s < g->succ_first[b + 1]; s++) {
        uint32_t to = g->succ[s], head = g->loop_head[to];
        HdStop stop = {.kind = HD_STOP_BACK, .region = region, .rank = g->rank[b]};

        if (g->rank[to] > g->rank[b] || head == HD_NO_BLOCK ||
            !has_stop(p, g->rank[head], ends[head]))
            continue;
        stop.word = m->blocks[p->f->first_block + b].terminator;
        stop.target_rank = g->rank[to];
        stop.target = hd_block_label(m, &m->blocks[p->f->first_block + to]);
        HD_TRY_PUSH(p->l->arena, &p->stops, stop);
    }
    return HD_OK;
}

static int compare_stops(const void *left, const void *right)
{
    const HdStop *a = left, *b = right;
    const uint32_t x[] = {a->region, a->turn, a->word, a->target_rank},
                   y[] = {b->region, b->turn, b->word, b->target_rank};

    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Stops are made in the order of blocks: those of operations may come after others of their loop.
 */
static HdStatus find_turns(HdParted *p)
{
    const HdCfg *g = p->g;
    HdGatherOrder order;
    unsigned char *kind;

    HD_TAKE(kind, HD_NEW(p->l->arena, unsigned char, g->count + 1));
    for (size_t i = 0; i < p->stops.count; i++) {
        const HdStop *s = &p->stops.at[i];
        unsigned char *of = &kind[s->rank < g->reachable ? g->order[s->rank] : g->count];

        if (s->kind == HD_STOP_MEETING)
            *of = HD_GATHER_ALL;
        else if (s->kind != HD_STOP_BACK && *of == HD_GATHER_NONE)
            *of = HD_GATHER_ROUND;
    }
    HD_TRY(hd_cfg_gather_order(g, kind, p->l->arena, &order));
    for (size_t i = 0; i < p->stops.count; i++)
        p->stops.at[i].turn = p->stops.at[i].rank < g->reachable
                                  ? order.turn[g->order[p->stops.at[i].rank]]
                                  : p->stops.at[i].rank;
    return HD_OK;
}

static HdStatus number_stops(HdParted *p)
{
    HdLower *l = p->l;
    size_t kept = 0;

    for (size_t i = 0; i < p->stops.count; i++)
        if (p->regions.at[p->stops.at[i].region].is_cut)
            p->stops.at[kept++] = p->stops.at[i];
    p->stops.count = kept;
    if (kept != 0)
        qsort(p->stops.at, kept, sizeof *p->stops.at, compare_stops);
    for (uint32_t i = 0; i < kept; i++) {
        HdStop *s = &p->stops.at[i];
        HdRegion *r = &p->regions.at[s->region];

        if (r->stop_count == 0)
            r->first_stop = i;
        s->number = ++r->stop_count;
        s->wait = l->next++;
        s->here = l->next++;
        s->behind = l->next++;
        if (s->kind != HD_STOP_BACK && !hd_map_put(l->arena, &p->stop_at, s->word, i))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}

static HdStatus name_regions(HdParted *p)
{
    HdLower *l = p->l;

    for (uint32_t i = 0; i < p->regions.count; i++) {
        HdRegion *r = &p->regions.at[i];
        HdId *const ids[] = {&r->state, &r->now, &r->round, &r->again, &r->begin, &r->end};

        if (!r->is_cut)
            continue;
        p->is_cut = true;
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
            *ids[k] = l->next++;
        r->leave = r->to == HD_NO_BLOCK
                       ? l->next++
                       : hd_block_label(l->m, &l->m->blocks[p->f->first_block + r->to]);
        if (!hd_map_put(l->arena, &p->start_at, r->start, i))
            return HD_NO_MEMORY;
    }
    for (uint32_t b = 0; b < p->g->count; b++)
        if (p->region_of[b] != HD_NO_BLOCK && !p->regions.at[p->region_of[b]].is_cut)
            p->region_of[b] = HD_NO_BLOCK;
    return HD_OK;
}

/* ---- values --------------------------------------------------------------------------------- */

void hd_parted_step(const HdParted *p, const HdInst *in, HdPlace *at)
{
    if (in->opix == HD_OPIX_Label) {
        at->block = hd_module_block(p->l->m, in->w[1]) - p->f->first_block;
        at->part++;
        at->is_reached = p->g->rank[at->block] != HD_NO_BLOCK;
        /* The first block's beginning holds the variables. */
        at->is_cut = at->block != 0 && p->region_of[at->block] != HD_NO_BLOCK;
    }
    if (hd_map_get(&p->start_at, in->word, NULL)) {
        at->part++;
        at->is_cut = true;
    }
    if (hd_map_get(&p->stop_at, in->word, NULL))
        at->part++;
}

/* A variable for values of a type. */
static HdStatus keep(HdParted *p, const HdInst *in, HdId type, HdId *variable)
{
    const HdType *t = hd_module_type(p->l->m, type);
    HdKept kept = {type, p->l->next};

    if (*variable != 0)
        return HD_OK;
    if (t == NULL || t->kind == HD_T_VOID || t->kind == HD_T_IMAGE || t->kind == HD_T_SAMPLER ||
        t->kind == HD_T_SAMPLED_IMAGE || t->kind == HD_T_PIPE || t->kind == HD_T_NAMED_BARRIER)
        return hd_lower_fail(p->l, in,
                             ": its value, which no variable can hold, is used behind an operation "
                             "of a sub-group that not all work-items come to");
    *variable = p->l->next++;
    HD_TRY_PUSH(p->l->arena, &p->kept, kept);
    return HD_OK;
}

static HdStatus use_in(HdParted *p, HdId id, uint32_t part)
{
    HdInst in;

    if (p->part_of[id] == 0 || p->part_of[id] == part || !hd_module_def(p->l->m, id, &in))
        return HD_OK;
    return keep(p, &in, hd_inst_type(&in), &p->variable[id]);
}

static HdStatus plan_phi(HdParted *p, const HdInst *in)
{
    for (uint32_t i = 3; i + 1 < in->nwords; i += 2) {
        uint32_t b = hd_module_block(p->l->m, in->w[i + 1]) - p->f->first_block;

        if (b < p->g->count && p->g->rank[b] != HD_NO_BLOCK)
            HD_TRY(use_in(p, in->w[i], p->last_part[b]));
    }
    return keep(p, in, in->w[1], &p->incoming[in->w[2]]);
}

static HdStatus plan_uses(HdParted *p, const HdInst *in, uint32_t part)
{
    HdOperandWalk walk;
    HdOperandPart operand;

    if (in->opix == HD_OPIX_Phi)
        return plan_phi(p, in);
    hd_operands_start(&walk, &p->l->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &operand))
        if (operand.klass <= HD_OPERAND_SEMANTICS_ID &&
            operand.at != hd_gram_forms[in->opix].result_at)
            HD_TRY(use_in(p, in->w[operand.at], part));
    return HD_OK;
}

static HdStatus plan_values(HdParted *p)
{
    const HdModule *m = p->l->m;
    HdPlace at = {.block = HD_NO_BLOCK};
    uint32_t word = p->f->word;

    HD_TAKE(p->part_of, HD_NEW(p->l->arena, uint32_t, m->bound));
    HD_TAKE(p->variable, HD_NEW(p->l->arena, HdId, m->bound));
    HD_TAKE(p->incoming, HD_NEW(p->l->arena, HdId, m->bound));
    HD_TAKE(p->last_part, HD_NEW(p->l->arena, uint32_t, p->g->count));
    for (HdInst in; word < p->f->end && hd_module_next(m, &word, &in);) {
        HdId result = hd_inst_result(&in);

        hd_parted_step(p, &in, &at);
        if (result != 0 && at.is_cut && at.is_reached && in.opix != HD_OPIX_Label)
            p->part_of[result] = at.part;
        if (at.block != HD_NO_BLOCK)
            p->last_part[at.block] = at.part;
    }
    word = p->f->word;
    at = (HdPlace){.block = HD_NO_BLOCK};
    for (HdInst in; word < p->f->end && hd_module_next(m, &word, &in);) {
        hd_parted_step(p, &in, &at);
        if (at.is_reached)
            HD_TRY(plan_uses(p, &in, at.part));
    }
    return HD_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Who else calls a function does not know of its new parameter. */
static HdStatus check_callers(HdLower *l, const HdFunction *f)
{
    HdInst in = hd_module_inst(l->m, f->word);

    if (hd_module_decoration(l->m, f->id, SpvDecorationLinkageAttributes) == NULL)
        return HD_OK;
    return hd_lower_fail(l, &in,
                         ": it is exported, and has operations of sub-groups; their work-items may "
                         "have parted where it is called");
}

HdStatus hd_lower_plan_parted(HdLower *l, const HdFunction *f, HdParted *p)
{
    uint32_t *ends;

    *p = (HdParted){.l = l, .f = f, .takes_here = hd_lower_takes_here(l, f)};
    if (p->takes_here)
        HD_TRY(check_callers(l, f));
    if (f->block_count == 0 || (holds(l, f) & HOLDS_OPERATIONS) == 0)
        return HD_OK;
    HD_TRY(hd_cfg_build(l->m, f, l->arena, l->d, &p->g));
    for (uint32_t b = 0; b < p->g->count; b++)
        if (l->m->blocks[f->first_block + b].terminator == 0) {
            HdInst in = hd_module_inst(l->m, l->m->blocks[f->first_block + b].word);

            return hd_lower_fail(l, &in, " for a block without an end");
        }
    HD_TRY(find_regions(p));
    for (uint32_t b = 0; b < p->g->count; b++)
        HD_TRY(find_stops(p, b));
    HD_TRY(find_ends(p, &ends));
    for (uint32_t b = 0; b < p->g->count; b++)
        HD_TRY(find_backs(p, ends, b));
    HD_TRY(find_turns(p));
    HD_TRY(number_stops(p));
    HD_TRY(name_regions(p));
    return p->is_cut ? plan_values(p) : HD_OK;
}
