/* val/threads.c -- running the passes of one module on several threads.
 *
 * A thread takes one job after another: a pass, or some of the functions for a pass. Each job has
 * separate findings, which are merged in the order of the jobs, so that they are the same as with
 * one thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdatomic.h>

#include "base/array.h"
#include "base/bitset.h"
#include "base/crew.h"
#include "val/rule.h"

#define CHUNK_WORDS 65536u /* a job has functions of about so many words */

typedef struct Job Job;
struct Job {
    HdStatus (*run)(HdVal *v, Job *job);
    uint32_t word, end, function; /* what to check; number of the first function in it */
    HdStatus st;
    HdDiags d;
    bool any_sampled;        /* as the job leaves it in its HdVal */
    HD_ARRAY(HdValUse) uses; /* heap; likewise */
};

typedef struct Team {
    const HdVal *v;
    HD_ARRAY(Job) jobs;
    atomic_uint next;
    atomic_bool no_memory;
} Team;

bool hd_val_has_team(const HdVal *v)
{
    return v->options->threads > 1 && v->m->nwords - v->m->first_function >= 2 * CHUNK_WORDS;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static HdStatus run_layout(HdVal *v, Job *job)
{
    (void)job;
    return hd_val_layout(v);
}

static HdStatus run_needs(HdVal *v, Job *job)
{
    HdStatus st = hd_val_needs(v);

    job->any_sampled = v->any_sampled;
    return st;
}

static HdStatus run_ids(HdVal *v, Job *job)
{
    v->function = job->function - 1;
    v->uses.count = 0;
    HD_TRY(hd_val_ids_range(v, job->word, job->end, true));
    for (size_t i = 0; i < v->uses.count; i++)
        HD_TRY_PUSH(NULL, &job->uses, v->uses.at[i]);
    return HD_OK;
}

static HdStatus run_body(HdVal *v, Job *job)
{
    return hd_val_body_range(v, job->word, job->end);
}

/* ---- threads ------------------------------------------------------------------------------- */

/* What a thread writes is its own. */
static HdStatus copy_val(const HdVal *from, HdVal *v)
{
    *v = *from;
    v->fa = NULL;
    v->debug = NULL;
    v->guesses = NULL;
    v->uses = (__typeof__(v->uses)){0};
    HD_TAKE(v->a, hd_arena_open());
    HD_TRY(hd_val_held_open(v));
    HD_TAKE(v->failed,
            hd_arena_copy(v->a, from->failed, HD_BITSET_WORDS(v->m->bound) * sizeof *v->failed));
    if (from->last_user != NULL)
        HD_TAKE(v->last_user, HD_NEW(v->a, uint32_t, v->m->bound));
    return HD_OK;
}

/* Jobs until none is left. */
static void *work(void *arg)
{
    Team *team = arg;
    HdVal v = {0};
    uint32_t i;

    if (copy_val(team->v, &v) != HD_OK)
        atomic_store(&team->no_memory, true);
    while (!atomic_load(&team->no_memory) &&
           (i = atomic_fetch_add(&team->next, 1)) < team->jobs.count) {
        Job *job = &team->jobs.at[i];

        hd_val_begin_list(&v, &job->d);
        job->st = job->run(&v, job);
        if (job->st == HD_NO_MEMORY || v.stop)
            atomic_store(&team->no_memory, true);
    }
    hd_arena_drop(v.a);
    return NULL;
}

static HdStatus run_jobs(HdVal *v, Team *team)
{
    unsigned threads = v->options->threads;

    team->v = v;
    hd_crew_run(threads < team->jobs.count ? threads : (unsigned)team->jobs.count, work, team);
    return atomic_load(&team->no_memory) ? HD_NO_MEMORY : HD_OK;
}

static HdStatus add_job(HdVal *v, Team *team, HdStatus (*run)(HdVal *, Job *), uint32_t word,
                        uint32_t end, uint32_t function)
{
    Job job = {.run = run, .word = word, .end = end, .function = function};

    HD_TRY_PUSH(v->a, &team->jobs, job);
    return HD_OK;
}

/* Jobs for all functions. */
static HdStatus add_chunks(HdVal *v, Team *team, HdStatus (*run)(HdVal *, Job *))
{
    uint32_t word = v->m->first_function, first = 0;

    for (uint32_t i = 0; i < v->m->function_count; i++) {
        bool last = i + 1 == v->m->function_count;
        uint32_t end = last ? v->m->nwords : v->m->functions[i + 1].word;

        if (end - word < CHUNK_WORDS && !last)
            continue;
        HD_TRY(add_job(v, team, run, word, end, first));
        word = end;
        first = i + 1;
    }
    return HD_OK;
}

static void drop_jobs(Team *team)
{
    for (size_t i = 0; i < team->jobs.count; i++) {
        hd_diags_drop(&team->jobs.at[i].d);
        HD_ARRAY_FREE(&team->jobs.at[i].uses);
    }
}

/* ---- passes -------------------------------------------------------------------------------- */

/* What the jobs of the first passes found. When an id is wrong, which ones are reported depends on
 * what came before, and one thread looks again. */
static HdStatus put_together(HdVal *v, const Team *team)
{
    bool fine = true;

    for (size_t i = 0; i < team->jobs.count; i++) {
        const Job *job = &team->jobs.at[i];

        if (job->run != run_ids)
            hd_diags_append(v->d, &job->d);
        fine &= job->st == HD_OK;
        v->any_sampled |= job->any_sampled;
    }
    if (!fine)
        return hd_val_ids(v);
    for (size_t i = 0; i < team->jobs.count; i++)
        for (size_t k = 0; k < team->jobs.at[i].uses.count; k++)
            HD_TRY_PUSH(v->a, &v->uses, team->jobs.at[i].uses.at[k]);
    return HD_OK;
}

HdStatus hd_val_team_first(HdVal *v)
{
    Team team = {.v = v};
    HdStatus st = add_job(v, &team, run_layout, 0, 0, 0);

    if (st == HD_OK)
        st = add_job(v, &team, run_needs, 0, 0, 0);
    if (st == HD_OK)
        st = add_job(v, &team, run_ids, HD_MODULE_FIRST_WORD, v->m->first_function, 0);
    if (st == HD_OK)
        st = add_chunks(v, &team, run_ids);
    if (st == HD_OK)
        st = run_jobs(v, &team);
    if (st == HD_OK)
        st = put_together(v, &team);
    drop_jobs(&team);
    return st;
}

HdStatus hd_val_team_body(HdVal *v)
{
    Team team = {.v = v};
    HdStatus st = add_chunks(v, &team, run_body);

    if (st == HD_OK)
        st = run_jobs(v, &team);
    for (size_t i = 0; i < team.jobs.count; i++)
        hd_diags_append(v->d, &team.jobs.at[i].d);
    drop_jobs(&team);
    return st;
}
