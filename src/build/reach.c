/* build/reach.c -- what a kernel and the functions that it calls refer to.
 *
 * Each function is walked once; what it refers to is then propagated to its callers.
 *
 * In kernels any word of a function that is a variable's id counts as a mention: literals that look
 * like ids only make a kernel ask for local memory that it does not use. Shaders must not ask for
 * bindings that they do not use.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/array.h"
#include "build/build.h"
#include "build/layout_state.h"
#include "module/operands.h"

/* What functions reach of these is spread as local variables are. */
enum { USES_GROUP = 1, USES_SUBGROUPS = 2, HAS_NO_BODY = 4 };

#define UNKNOWN      UINT32_MAX /* what a constant leads to is found when it is mentioned */
#define SUBGROUP_BIT (UINT32_C(1) << 31) /* is, or leads to, a sub-group built-in */

/* A function mentions a local variable. */
typedef struct Mention {
    uint32_t function, local;
} Mention;

typedef struct Walk {
    const HdModule *m;
    uint32_t *leads; /* [bound] number of a local variable from 1, that the id is or leads to;
                        SUBGROUP_BIT; UNKNOWN */
    uint32_t *last;  /* [local_count + 1] the last function that mentioned it, plus 1 */
    HD_ARRAY(Mention) mentions;
    HdArena *arena;
    uint64_t flags; /* of the function that is walked */
} Walk;

static bool is_subgroup_builtin(const HdModule *m, HdId id)
{
    uint32_t which;

    return hd_build_is_builtin(m, id, &which) &&
           ((which >= SpvBuiltInSubgroupSize && which <= SpvBuiltInSubgroupLocalInvocationId) ||
            (which >= SpvBuiltInSubgroupEqMask && which <= SpvBuiltInSubgroupLtMask));
}

/* Does a sub-group wait, by itself or at a named barrier, or order its memory? */
static bool orders_subgroup(const HdModule *m, const HdInst *in)
{
    uint64_t scope = SpvScopeSubgroup;

    if (in->opix == HD_OPIX_ControlBarrier)
        return !hd_module_constant_u64(m, in->w[1], &scope) || scope != SpvScopeWorkgroup;
    if (strncmp(hd_gram_insts[in->opix].name, "OpAtomic", 8) == 0 && in->nwords > 4)
        return hd_module_constant_u64(m, in->w[hd_inst_result(in) != 0 ? 4 : 2], &scope) &&
               scope == SpvScopeSubgroup;
    return in->opix == HD_OPIX_NamedBarrierInitialize;
}

/* Does an instruction look at the quad, if the shader has such: derivatives, implicit levels? */
static bool may_differ(const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;

    return strncmp(name, "OpDPd", 5) == 0 || strncmp(name, "OpFwidth", 8) == 0 ||
           (strncmp(name, "OpImageSample", 13) == 0 && strstr(name, "Implicit") != NULL) ||
           in->opix == HD_OPIX_ImageQueryLod;
}

/* OpGroup…: scope is the first operand after the result, if there is one. */
static void note_group(Walk *w, const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;
    uint64_t scope = SpvScopeSubgroup;

    if (orders_subgroup(w->m, in) || strncmp(name, "OpCooperativeMatrix", 19) == 0 ||
        may_differ(in))
        w->flags |= USES_SUBGROUPS;
    if ((strncmp(name, "OpGroup", 7) != 0 && strncmp(name, "OpSubgroup", 10) != 0) ||
        in->opix == HD_OPIX_GroupAsyncCopy || in->opix == HD_OPIX_GroupWaitEvents)
        return;
    if (strncmp(name, "OpGroup", 7) == 0 && in->nwords > 3)
        hd_module_constant_u64(w->m, in->w[hd_inst_result(in) != 0 ? 3 : 1], &scope);
    if (scope == SpvScopeWorkgroup)
        w->flags |= USES_GROUP;
    else
        w->flags |= USES_SUBGROUPS;
}

/* A constant may hold the address of a variable, plain or through other constants. */
static uint32_t lead_of(const Walk *w, HdId id)
{
    uint32_t lead = w->leads[id];

    for (unsigned depth = 0; lead == UNKNOWN; depth++) {
        const HdConstant *c = hd_module_constant(w->m, id);

        if (c == NULL || c->kind != HD_C_ADDRESS || c->base >= w->m->bound || depth == 8)
            return 0;
        id = c->base;
        lead = w->leads[id];
    }
    return lead;
}

static HdStatus note_global(Walk *w, uint32_t function, HdId id)
{
    uint32_t local = w->leads[id] = lead_of(w, id);

    if (local == SUBGROUP_BIT) {
        w->flags |= USES_SUBGROUPS;
    } else if (local != 0 && w->last[local] != function + 1) {
        w->last[local] = function + 1;
        HD_TRY_PUSH(w->arena, &w->mentions, ((Mention){function, local}));
    }
    return HD_OK;
}

/* Is a word of an instruction an id? */
static bool names(const HdModule *m, const HdInst *in, unsigned at)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part))
        if (part.at == at)
            return part.klass == HD_OPERAND_ID;
    return false;
}

static HdStatus walk_function(Walk *w, uint32_t function)
{
    const HdFunction *f = &w->m->functions[function];
    uint32_t word = f->word;
    HdInst in = {0};

    w->flags = f->block_count == 0 ? HAS_NO_BODY : 0;
    while (word < f->end && hd_module_next(w->m, &word, &in)) {
        if (in.opix != HD_OPIX_NONE)
            note_group(w, &in);
        for (unsigned i = 1; i < in.nwords; i++) {
            HdId id = in.w[i];

            if (id < w->m->bound && w->leads[id] != 0 &&
                (hd_module_is_opencl(w->m) || names(w->m, &in, i)))
                HD_TRY(note_global(w, function, id));
        }
    }
    return HD_OK;
}

static HdStatus find_globals(Walk *w, HdMentions *out)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    HD_TAKE(w->leads, HD_NEW(w->arena, uint32_t, w->m->bound));
    while (hd_module_next(w->m, &word, &in)) {
        HdId id = hd_inst_result(&in);

        if (id == 0 || id >= w->m->bound)
            continue;
        if (in.opix == HD_OPIX_SpecConstantOp)
            w->leads[id] = UNKNOWN;
        else if (hd_inst_is_variable(&in) && hd_layout_is_numbered(w->m, in.w[3]))
            w->leads[id] = ++out->local_count;
        else if (hd_inst_is_variable(&in) && in.w[3] != SpvStorageClassFunction &&
                 is_subgroup_builtin(w->m, id))
            w->leads[id] = SUBGROUP_BIT;
    }
    HD_TAKE(w->last, HD_NEW(w->arena, uint32_t, (size_t)out->local_count + 1));
    return HD_OK;
}

/* The functions that refer to a local variable, in sequence. */
static HdStatus sort_mentions(const Walk *w, HdMentions *out)
{
    uint32_t *at;

    HD_TAKE(at, HD_NEW(w->arena, uint32_t, (size_t)out->local_count + 2));
    HD_TAKE(out->function, HD_NEW(w->arena, uint32_t, w->mentions.count + 1));
    for (size_t i = 0; i < w->mentions.count; i++)
        at[w->mentions.at[i].local + 1]++;
    for (uint32_t n = 1; n <= out->local_count + 1; n++)
        at[n] += at[n - 1];
    /* Each begins where the previous one ends. */
    for (size_t i = 0; i < w->mentions.count; i++)
        out->function[at[w->mentions.at[i].local]++] = w->mentions.at[i].function;
    out->end = at;
    return HD_OK;
}

/* ---- functions without a body ------------------------------------------------------------------
 */

/* So many calls are followed, each finding counting as more of them, so that a module of many
 * kernels that all miss many functions does not take forever. */
#define MOST_STEPS (UINT64_C(1) << 24)
#define FINDING    256u

typedef struct Imports {
    const HdModule *m;
    const HdMentions *r;
    const HdCalls *calls;
    uint32_t *seen; /* [functions] number of the last kernel that reached it, plus 1 */
    uint32_t *todo; /* [functions] */
    uint32_t count;
    uint64_t steps;
    HdDiags *diags;
} Imports;

/* Other kernels of the module may do without the function: said when a program is built, refused
 * only when this kernel is made. */
static void tell_import(const HdModule *m, const char *kernel, HdId function, uint32_t word,
                        HdDiags *d)
{
    const char *name = hd_module_name(m, function);
    HdDiag diag = {.severity = HD_WARNING,
                   .rule = "build.import",
                   .word = word,
                   .hint = "link what defines it; until then the kernel cannot be created"};

    hd_diags_add(d, &diag, "kernel %s calls function %s, which has no body", kernel,
                 name ? name : "without a name");
}

/* A function that the kernel reaches, and the word of what calls it. */
static void note_function(Imports *x, HdKernelInfo *kernel, uint32_t number, uint32_t function,
                          uint32_t word)
{
    x->steps++;
    if (x->seen[function] == number + 1 || (x->r->reach.mask[function] & HAS_NO_BODY) == 0)
        return;
    x->seen[function] = number + 1;
    x->todo[x->count++] = function;
    if (x->m->functions[function].block_count != 0)
        return;
    x->steps += FINDING;
    kernel->lacks_body = true;
    tell_import(x->m, kernel->name, x->m->functions[function].id, word, x->diags);
}

static HdStatus tell_imports(const HdModule *m, HdArena *a, HdBuildLayout *l, const HdMentions *r,
                             const HdCalls *calls, HdDiags *d)
{
    Imports x = {.m = m, .r = r, .calls = calls, .diags = d};

    HD_TAKE(x.seen, HD_NEW(a, uint32_t, m->function_count));
    HD_TAKE(x.todo, HD_NEW(a, uint32_t, m->function_count));
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        HdKernelInfo *kernel = &l->kernels[k];

        x.count = 0;
        note_function(&x, kernel, k, hd_mentions_vertex(m, kernel), kernel->entry->word);
        for (uint32_t i = 0; i < x.count && x.steps < MOST_STEPS; i++) {
            uint32_t f = x.todo[i];

            for (uint32_t c = calls->first[f]; c < calls->first[f + 1]; c++)
                note_function(&x, kernel, k, calls->to[c], calls->word[c]);
        }
    }
    return HD_OK;
}

HdStatus hd_layout_check_bodies(const HdBuildLayout *l, HdDiags *d)
{
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        if (l->kernels[k].lacks_body)
            return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "build.import",
                           "the program does not define what kernel %s calls", l->kernels[k].name);
    }
    return HD_OK;
}

/* ---- all ---------------------------------------------------------------------------------------
 */

HdStatus hd_mentions_open(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d,
                          HdMentions *out)
{
    Walk w = {.m = m, .arena = a};
    HdReach *reach = &out->reach;
    HdCalls calls;
    bool any_import = false;

    *out = (HdMentions){0};
    HD_TRY(hd_module_calls(m, a, &calls));
    *reach = (HdReach){
        .count = m->function_count, .first = calls.first, .end = calls.first + 1, .to = calls.to};
    HD_TRY(hd_reach_open(a, reach));
    for (uint32_t k = 0; k < hd_layout_count(l); k++)
        hd_reach_add(reach, hd_mentions_vertex(m, &l->kernels[k]));
    HD_TRY(find_globals(&w, out));
    for (uint32_t i = 0; i < reach->order_count; i++) {
        HD_TRY(walk_function(&w, reach->order[i]));
        reach->mask[reach->order[i]] = w.flags;
        any_import |= (w.flags & HAS_NO_BODY) != 0;
    }
    HD_TRY(sort_mentions(&w, out));
    hd_reach_spread(reach);
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        HdKernelInfo *kernel = &l->kernels[k];
        uint64_t flags = reach->mask[hd_mentions_vertex(m, kernel)];

        kernel->uses_group = (flags & USES_GROUP) != 0;
        kernel->uses_subgroups = (flags & USES_SUBGROUPS) != 0;
    }
    return any_import ? tell_imports(m, a, l, out, &calls, d) : HD_OK;
}

void hd_mentions_spread(HdMentions *r, uint32_t first)
{
    hd_reach_clear(&r->reach);
    for (uint32_t local = first; local <= r->local_count && local - first < 64; local++)
        for (uint32_t i = r->end[local - 1]; i < r->end[local]; i++)
            r->reach.mask[r->function[i]] |= UINT64_C(1) << (local - first);
    hd_reach_spread(&r->reach);
}
