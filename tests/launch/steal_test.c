/* tests/launch/steal_test.c -- work-groups dealt out: each once, neighbours together, none left.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>

#include "check.h"
#include "launch/steal.h"

#define GROUPS  10007u
#define THREADS 4u

/* A launch smaller than its threads, and one that they divide. */
static void test_sizes(Checks *c)
{
    HdSteal s;
    uint64_t first, sum = 0, n;

    hd_steal_open(&s, 2, 5);
    CHECK(c, hd_steal_has_more(&s));
    CHECK(c, hd_steal_take(&s, 4, 1, 9, &first) == 1);
    CHECK(c, hd_steal_take(&s, 4, 1, 9, &first) == 1);
    CHECK(c, hd_steal_take(&s, 4, 1, 9, &first) == 0);
    CHECK(c, !hd_steal_has_more(&s));
    hd_steal_open(&s, 100, 1000);
    CHECK(c, s.count == HD_STEAL_MOST);
    while ((n = hd_steal_take(&s, 0, 4, 3, &first)) > 0)
        sum += n;
    CHECK(c, sum == 100);
}

/* Its own share from the front, another from the end; never more than asked for. */
static void test_order(Checks *c)
{
    HdSteal s;
    uint64_t first;

    hd_steal_open(&s, 100, 2);
    CHECK(c, hd_steal_take(&s, 1, 5, 1000, &first) == 10 && first == 50);
    CHECK(c, hd_steal_take(&s, 1, 1, 30, &first) == 30 && first == 60);
    CHECK(c, hd_steal_take(&s, 1, 1, 1000, &first) == 10 && first == 90);
    CHECK(c, hd_steal_take(&s, 1, 5, 1000, &first) == 10 && first == 40);
    CHECK(c, hd_steal_take(&s, 0, 4, 1000, &first) == 10 && first == 0);
}

static void test_claims(Checks *c)
{
    HdSteal s;

    hd_steal_open(&s, 100, 3);
    CHECK(c, hd_steal_claim(&s, 4) == 1);
    CHECK(c, hd_steal_claim(&s, 1) == 2);
    CHECK(c, hd_steal_claim(&s, 1) == 0);
    CHECK(c, hd_steal_claim(&s, 2) == 2); /* all are taken: at least its own */
}

/* More groups than fit 32 bits. */
static void test_many(Checks *c)
{
    HdSteal s;
    uint64_t total = (UINT64_C(1) << 40) + 5, first, end = 0, n;

    hd_steal_open(&s, total, 1);
    while ((n = hd_steal_take(&s, 0, 2, UINT64_MAX, &first)) > 0) {
        CHECK(c, first == end);
        end = first + n;
    }
    CHECK(c, end == total);
}

typedef struct Team {
    HdSteal shares;
    _Atomic unsigned seen[GROUPS];
} Team;

static void *work(void *user)
{
    Team *t = user;
    unsigned mine = hd_steal_claim(&t->shares, 1);
    uint64_t first, n;

    while ((n = hd_steal_take(&t->shares, mine, 4, 64, &first)) > 0)
        for (uint64_t i = first; i < first + n; i++)
            atomic_fetch_add(&t->seen[i], 1);
    return NULL;
}

static void test_threads(Checks *c)
{
    static Team team; /* aligned, which calloc does not promise */
    Team *t = &team;
    pthread_t threads[THREADS];
    bool once = true;

    hd_steal_open(&t->shares, GROUPS, THREADS - 1);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, t);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < GROUPS; i++)
        once = once && t->seen[i] == 1;
    CHECK(c, once);
}

int main(void)
{
    Checks checks = {0};

    test_sizes(&checks);
    test_order(&checks);
    test_claims(&checks);
    test_many(&checks);
    test_threads(&checks);
    return checks_end(&checks, "shares");
}
