/* An observer for observer_test.py: it adds up what it is told, looks whether it is told in order,
 * and writes both to the file RECORD when it is closed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "heddle/heddle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 256

typedef struct Sum {
    char name[64];
    uint64_t count[4];
} Sum;

typedef struct Sums {
    Sum at[MOST_NAMES];
    unsigned count;
} Sums;

static struct {
    pthread_mutex_t lock;
    Sums opcodes, bytes, lines;
    uint64_t launches, groups, items, barriers, faults;
    uint64_t odd_lanes; /* accesses of lanes that do not execute the instruction */
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Sum *sum_of(Sums *sums, const char *name)
{
    for (unsigned i = 0; i < sums->count; i++)
        if (strcmp(sums->at[i].name, name) == 0)
            return &sums->at[i];
    if (sums->count == MOST_NAMES)
        abort();
    snprintf(sums->at[sums->count].name, sizeof sums->at->name, "%s", name);
    return &sums->at[sums->count++];
}

static void launch_begins(void *user, heddle_observed_launch *l)
{
    pthread_mutex_lock(&the.lock);
    the.launches++;
    the.faults += user != &the || l->data != NULL || l->kernel == NULL || l->global_size[0] == 0 ||
                  l->local_size[0] == 0;
    l->data = &the;
    pthread_mutex_unlock(&the.lock);
}

static void launch_ends(void *user, heddle_observed_launch *l)
{
    (void)user;
    pthread_mutex_lock(&the.lock);
    the.faults += l->data != &the;
    pthread_mutex_unlock(&the.lock);
}

static void group_begins(void *user, heddle_observed_group *g)
{
    (void)user;
    pthread_mutex_lock(&the.lock);
    the.groups++;
    the.items += g->size[0] * g->size[1] * g->size[2];
    the.faults += g->data != NULL || g->launch->data != &the || g->lanes == 0 || g->lanes > 64;
    g->data = malloc(1);
    pthread_mutex_unlock(&the.lock);
}

static void group_ends(void *user, heddle_observed_group *g)
{
    (void)user;
    pthread_mutex_lock(&the.lock);
    the.faults += g->data == NULL;
    free(g->data);
    pthread_mutex_unlock(&the.lock);
}

static void instruction(void *user, heddle_observed_group *g, const heddle_observed_instruction *in)
{
    unsigned lanes = (unsigned)__builtin_popcountll(in->lanes);
    char line[64];

    (void)user;
    snprintf(line, sizeof line, "%u", (unsigned)in->place.line);
    pthread_mutex_lock(&the.lock);
    the.faults += lanes == 0 || g->data == NULL || in->place.byte == UINT64_MAX ||
                  in->first_item >= g->size[0] * g->size[1] * g->size[2];
    sum_of(&the.opcodes, in->opcode)->count[0] += lanes;
    sum_of(&the.lines, line)->count[0] += lanes;
    pthread_mutex_unlock(&the.lock);
}

static void accesses(void *user, heddle_observed_group *g, const heddle_observed_instruction *in,
                     const heddle_access *a)
{
    (void)user;
    pthread_mutex_lock(&the.lock);
    the.faults += g->data == NULL || a->lanes == 0;
    the.odd_lanes += (a->lanes & ~in->lanes) != 0;
    for (unsigned i = 0; i < 64; i++)
        the.faults += (a->lanes >> i & 1) != 0 && a->address[i] == 0;
    sum_of(&the.bytes, a->storage)->count[a->kind] +=
        a->bytes * (unsigned)__builtin_popcountll(a->lanes);
    pthread_mutex_unlock(&the.lock);
}

static void barrier(void *user, heddle_observed_group *g)
{
    (void)user;
    pthread_mutex_lock(&the.lock);
    the.barriers++;
    the.faults += g->data == NULL;
    pthread_mutex_unlock(&the.lock);
}

static void write_sums(FILE *f, const char *name, const Sums *s)
{
    fprintf(f, ", \"%s\": {", name);
    for (unsigned i = 0; i < s->count; i++)
        fprintf(f, "%s\"%s\": [%llu, %llu, %llu, %llu]", i > 0 ? ", " : "", s->at[i].name,
                (unsigned long long)s->at[i].count[0], (unsigned long long)s->at[i].count[1],
                (unsigned long long)s->at[i].count[2], (unsigned long long)s->at[i].count[3]);
    fputs("}", f);
}

static void close_all(void *user)
{
    const char *path = getenv("RECORD");
    FILE *f = path != NULL ? fopen(path, "w") : NULL;

    (void)user;
    if (f == NULL)
        return;
    fprintf(f,
            "{\"launches\": %llu, \"groups\": %llu, \"items\": %llu, \"barriers\": %llu, "
            "\"faults\": %llu",
            (unsigned long long)the.launches, (unsigned long long)the.groups,
            (unsigned long long)the.items, (unsigned long long)the.barriers,
            (unsigned long long)(the.faults + the.odd_lanes));
    write_sums(f, "opcodes", &the.opcodes);
    write_sums(f, "bytes", &the.bytes);
    write_sums(f, "lines", &the.lines);
    fputs("}\n", f);
    fclose(f);
}

int heddle_observer_open(heddle_observer *o, size_t size)
{
    if (size < sizeof *o || getenv("REFUSE") != NULL)
        return 7;
    *o = (heddle_observer){.user = &the,
                           .launch_begins = launch_begins,
                           .launch_ends = launch_ends,
                           .group_begins = group_begins,
                           .group_ends = group_ends,
                           .instruction = instruction,
                           .access = accesses,
                           .barrier = barrier,
                           .close = close_all};
    return 0;
}
