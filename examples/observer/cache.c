/* An observer: how often the lines of a kernel miss a cache of 32 KiB, 8 ways and lines of 64
 * bytes, which each work-group has for itself.
 *
 *   cc -shared -fPIC -I ../../include cache.c -o cache.so
 *   heddle check saxpy.cl --global 1024 --arg 'f32[1024]' --arg 'f32[1024]' --arg f32=2 --no-print
 * \
 *       --observer cache.so
 *   heddle exec --observer ./cache.so ./program
 *
 * SPDX-License-Identifier: MIT
 */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS       64
#define WAYS       8
#define LINE_BYTES 64
#define MOST_LINES 4096 /* of the source */

typedef struct Cache {
    uint64_t tags[SETS][WAYS]; /* the one used last first */
} Cache;

typedef struct Line {
    uint64_t accesses, misses;
} Line;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Line lines[MOST_LINES];

/* Work-groups run on several threads: each has a cache of its own. */
static void group_begins(void *user, heddle_observed_group *g)
{
    (void)user;
    g->data = calloc(1, sizeof(Cache));
}

static void group_ends(void *user, heddle_observed_group *g)
{
    (void)user;
    free(g->data);
}

static int misses(Cache *c, uint64_t address)
{
    uint64_t tag = address / LINE_BYTES, *set = c->tags[tag % SETS];
    int way = 0;

    while (way < WAYS - 1 && set[way] != tag)
        way++;
    if (set[way] != tag) {
        memmove(set + 1, set, (WAYS - 1) * sizeof *set);
        set[0] = tag;
        return 1;
    }
    memmove(set + 1, set, (size_t)way * sizeof *set);
    set[0] = tag;
    return 0;
}

static void access_memory(void *user, heddle_observed_group *g,
                          const heddle_observed_instruction *in, const heddle_access *a)
{
    Line found = {0, 0};

    (void)user;
    if (g->data == NULL || strcmp(a->storage, "CrossWorkgroup") != 0 ||
        in->place.line >= MOST_LINES)
        return;
    for (int i = 0; i < 64; i++)
        if ((a->lanes >> i & 1) != 0) {
            found.accesses++;
            found.misses += (uint64_t)misses(g->data, a->address[i]);
        }
    pthread_mutex_lock(&lock);
    lines[in->place.line].accesses += found.accesses;
    lines[in->place.line].misses += found.misses;
    pthread_mutex_unlock(&lock);
}

static void close_observer(void *user)
{
    (void)user;
    puts("line    accesses      misses");
    for (int i = 0; i < MOST_LINES; i++)
        if (lines[i].accesses > 0)
            printf("%4d %11llu %11llu\n", i, (unsigned long long)lines[i].accesses,
                   (unsigned long long)lines[i].misses);
}

int heddle_observer_open(heddle_observer *o, size_t size)
{
    if (size < sizeof *o)
        return 1; /* an older Heddle */
    o->group_begins = group_begins;
    o->group_ends = group_ends;
    o->access = access_memory;
    o->close = close_observer;
    return 0;
}
