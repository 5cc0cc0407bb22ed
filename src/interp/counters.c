/* interp/counters.c -- counters of a group in a checked launch: instructions, branches, bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/counters.h"

#include "base/memory.h"
#include "interp/room.h"
#include "interp/state.h"
#include "interp/watch_state.h"

/* ---- while lanes run ------------------------------------------------------------------------ */

static unsigned lanes_in(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

void hd_counters_enter(HdCounters *n, const HdInterpFrame *f)
{
    n->blocks[f->code->function->first_block + f->block] += lanes_in(f->mask);
}

void hd_counters_goto(HdCounters *n, const HdInterpFrame *f, uint64_t mask, uint32_t block)
{
    const HdCfg *cfg = f->code->cfg;
    uint32_t edge = cfg->succ_first[f->block];

    while (edge < cfg->succ_first[f->block + 1] && cfg->succ[edge] != block)
        edge++;
    if (edge < cfg->succ_first[f->block + 1])
        n->edges[f->code->first_edge + edge] += lanes_in(mask);
}

static HdCountMemory of_class(uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassFunction: return HD_COUNT_FUNCTION;
    case SpvStorageClassPrivate: return HD_COUNT_PRIVATE;
    case SpvStorageClassWorkgroup: return HD_COUNT_WORKGROUP;
    case SpvStorageClassUniformConstant: return HD_COUNT_CONSTANT;
    case SpvStorageClassInput: return HD_COUNT_INPUT;
    case SpvStorageClassStorageBuffer: return HD_COUNT_STORAGE_BUFFER;
    case SpvStorageClassUniform: return HD_COUNT_UNIFORM;
    case SpvStorageClassPushConstant: return HD_COUNT_PUSH_CONSTANT;
    case SpvStorageClassPhysicalStorageBuffer: return HD_COUNT_PHYSICAL;
    case SpvStorageClassImage: return HD_COUNT_IMAGE;
    default: return HD_COUNT_CROSS_WORKGROUP;
    }
}

static HdCountMemory of_memory(HdMemory memory)
{
    return memory == HD_MEMORY_PRIVATE ? HD_COUNT_FUNCTION
           : memory == HD_MEMORY_LOCAL ? HD_COUNT_WORKGROUP
                                       : HD_COUNT_CROSS_WORKGROUP;
}

/* Texels are accessed as global memory. */
static bool is_of_image(const HdEval *e)
{
    return e->in != NULL && strstr(hd_gram_insts[e->in->opix].name, "Image") != NULL;
}

static void add_bytes(HdCountBytes *to, HdEvalAccess how, uint64_t bytes)
{
    uint64_t *of = how == HD_EVAL_READ    ? &to->loaded
                   : how == HD_EVAL_WRITE ? &to->stored
                                          : &to->atomic;

    *of += bytes;
}

HdCountMemory hd_counters_memory(const HdEval *e, uint32_t storage, HdMemory memory)
{
    return is_of_image(e)                      ? HD_COUNT_IMAGE
           : storage == SpvStorageClassGeneric ? of_memory(memory)
                                               : of_class(storage);
}

void hd_counters_access(HdCounters *n, const HdEval *e, uint32_t storage, HdMemory memory,
                        HdEvalAccess how, uint64_t bytes)
{
    add_bytes(&n->memory[hd_counters_memory(e, storage, memory)], how, bytes);
}

/* ---- of a group ----------------------------------------------------------------------------- */

HdStatus hd_counters_begin(HdInterpRun *r, HdCounters **out)
{
    HdCounters *n;

    *out = NULL;
    if (r->g->check->counters == NULL)
        return HD_OK;
    HD_TAKE(n, hd_room_take(r->room, sizeof *n));
    HD_TAKE(n->blocks, hd_room_take(r->room, (r->p->m->block_count + 1) * sizeof *n->blocks));
    HD_TAKE(n->edges, hd_room_take(r->room, (r->p->edge_count + 1) * sizeof *n->edges));
    *out = n;
    return HD_OK;
}

/* The instructions of a frame's block from number `at` on were not executed. */
static void take_off(HdLaunchCounters *l, const HdInterpFrame *f, uint32_t at)
{
    const HdCountCode *code = l->total->code;
    const uint32_t block = f->code->function->first_block + f->block;

    for (uint32_t i = code->first[block]; i < code->first[block + 1]; i++)
        if (code->insts[i].word >= f->code->insts[at].word)
            l->own.insts[i] += lanes_in(f->mask);
}

/* The calls that a stopped sub-group is in were executed; where it stands was not. */
static void take_off_rest(HdLaunchCounters *l, const HdInterpSub *s)
{
    for (const HdInterpFrame *f = s->top; f != NULL; f = f->caller)
        if (f->mask != 0)
            take_off(l, f, f == s->top ? f->at : f->at + 1);
}

void hd_counters_end(HdInterpRun *r)
{
    const HdCounters *n = r->watch != NULL ? r->watch->counters : NULL;
    HdLaunchCounters *l;

    if (n == NULL)
        return;
    l = r->watch->c->counters;
    pthread_mutex_lock(&r->watch->c->lock);
    l->own.work_items += r->items;
    for (uint32_t i = 0; i < r->p->m->block_count; i++)
        l->blocks[i] += n->blocks[i];
    for (uint32_t i = 0; i < r->p->edge_count; i++)
        l->own.edges[i] += n->edges[i];
    hd_count_bytes_add(l->own.memory, n->memory);
    for (uint32_t i = 0; i < r->sub_count; i++)
        take_off_rest(l, &r->subs[i]);
    pthread_mutex_unlock(&r->watch->c->lock);
}
