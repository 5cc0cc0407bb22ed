/* tests/launch/pool_test.c -- jobs of the pool: several launches at once, and what may wait for
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "plain.h"

typedef struct Job {
    HdPool *pool;
    _Atomic uint32_t *done;
    uint32_t *counts;
    size_t items;
    HdStatus status;
} Job;

static void launch_job(void *user)
{
    Job *j = user;
    Checks ignored = {0};
    PlainTest t;

    plain_open(&t, &ignored, j->pool, plain_count, false, j->counts);
    plain_sizes(t.launch.global_size, j->items, 1, 1);
    plain_sizes(t.launch.local_size, 16, 1, 1);
    j->status = plain_run(&t);
    plain_close(&t);
    atomic_fetch_add(j->done, 1);
}

static void test_jobs(Checks *c, HdPool *pool)
{
    enum { JOBS = 40, ITEMS = 5000 };
    static Job jobs[JOBS];
    _Atomic uint32_t done = 0;
    size_t wrong = 0;

    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (Job){.pool = pool,
                        .done = &done,
                        .counts = calloc(ITEMS, 4),
                        .items = ITEMS,
                        .status = HD_BUG};
        CHECK(c, hd_pool_submit(pool, HD_POOL_NOW, launch_job, &jobs[i]) == HD_OK);
    }
    while (atomic_load(&done) < JOBS)
        usleep(1000);
    for (int i = 0; i < JOBS; i++) {
        wrong += jobs[i].status != HD_OK;
        for (size_t k = 0; k < ITEMS; k++)
            wrong += jobs[i].counts[k] != 1;
        free(jobs[i].counts);
    }
    CHECK(c, wrong == 0);
}

static void test_close_waits(Checks *c)
{
    _Atomic uint32_t done = 0;
    static uint32_t counts[100000];
    Job job = {.done = &done, .counts = counts, .items = 100000};
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    job.pool = pool;
    CHECK(c, hd_pool_submit(pool, HD_POOL_NOW, launch_job, &job) == HD_OK);
    hd_pool_close(pool);
    CHECK(c, atomic_load(&done) == 1);
}

typedef struct Step {
    HdPool *pool;
    _Atomic int32_t *left, *at_work, *most;
    int32_t together; /* as many jobs as should be at work at once */
} Step;

/* One of many jobs, each of which submits the next. */
static void idle_job(void *user)
{
    Step *s = user;

    if (atomic_fetch_add(s->at_work, 1) + 1 > atomic_load(s->most))
        atomic_fetch_add(s->most, 1);
    for (int i = 0; i < 50000 && atomic_load(s->most) < s->together; i++)
        usleep(100);
    usleep(100);
    atomic_fetch_sub(s->at_work, 1);
    if (atomic_fetch_sub(s->left, 1) > 1)
        (void)hd_pool_submit(s->pool, HD_POOL_IDLE, idle_job, s);
}

/* Jobs that may wait run on half of the threads, all of them, before the pool is gone. */
static void test_idle(Checks *c, unsigned threads)
{
    _Atomic int32_t left = 50, at_work = 0, most = 0;
    Step s = {.left = &left, .at_work = &at_work, .most = &most, .together = (int32_t)threads / 2};

    CHECK(c, hd_pool_open(threads, &s.pool) == HD_OK);
    for (int i = 0; i < 3; i++)
        CHECK(c, hd_pool_submit(s.pool, HD_POOL_IDLE, idle_job, &s) == HD_OK);
    while (atomic_load(&left) > 10)
        usleep(100);
    hd_pool_close(s.pool);
    CHECK(c, atomic_load(&left) <= 0);
    CHECK(c, atomic_load(&most) == s.together);
}

static void count_job(void *user)
{
    atomic_fetch_add((_Atomic int32_t *)user, 1);
}

static void no_help(HdWorkSlot *o, HdRtWorker **own)
{
    (void)o;
    (void)own;
}

static bool nothing_left(const HdWorkSlot *o)
{
    (void)o;
    return false;
}

/* While a launch wants helpers such jobs wait, but for those beyond a number that may; when it is
 * over they run. */
static void test_idle_gives_way(Checks *c)
{
    enum { JOBS = 20, MAY_WAIT = 16 };
    _Atomic int32_t done = 0;
    HdWorkSlot offer = {.help = no_help, .has_more = nothing_left, .max_helpers = 1};
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    hd_pool_offer(pool, &offer);
    for (int i = 0; i < JOBS; i++)
        CHECK(c, hd_pool_submit(pool, HD_POOL_IDLE, count_job, &done) == HD_OK);
    while (atomic_load(&done) < JOBS - MAY_WAIT)
        usleep(100);
    usleep(5000);
    CHECK(c, atomic_load(&done) == JOBS - MAY_WAIT);
    hd_pool_withdraw(pool, &offer);
    while (atomic_load(&done) < JOBS)
        usleep(100);
    hd_pool_close(pool);
}

/* One that may begin later waits, unless the pool closes. */
static void test_later(Checks *c)
{
    _Atomic int32_t done = 0;
    uint64_t start = hd_clock_ns();
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    CHECK(c, hd_pool_submit_later(pool, count_job, &done, start + 30000000) == HD_OK);
    CHECK(c, hd_pool_submit_later(pool, count_job, &done, UINT64_MAX / 2) == HD_OK);
    while (atomic_load(&done) == 0)
        usleep(100);
    CHECK(c, hd_clock_ns() - start >= 30000000);
    usleep(5000);
    CHECK(c, atomic_load(&done) == 1);
    hd_pool_close(pool);
    CHECK(c, atomic_load(&done) == 2);
}

/* A launch that another thread has offered, and who waits for it. */
typedef struct Wait {
    HdPool *pool;
    HdWorkSlot offer;
    _Atomic int32_t left, by_guest; /* pieces of work; done by the thread that waits */
    pthread_t guest;
    atomic_bool is_offered, is_over;
} Wait;

static bool wait_has_more(const HdWorkSlot *o)
{
    const Wait *w = (const Wait *)((const char *)o - offsetof(Wait, offer));

    return atomic_load(&w->left) > 0;
}

static void wait_help(HdWorkSlot *o, HdRtWorker **own)
{
    Wait *w = (Wait *)((char *)o - offsetof(Wait, offer));

    (void)own;
    while (atomic_fetch_sub(&w->left, 1) > 0) {
        if (pthread_equal(pthread_self(), w->guest))
            atomic_fetch_add(&w->by_guest, 1);
        usleep(100);
    }
}

static void wait_job(void *user)
{
    Wait *w = user;

    hd_pool_offer(w->pool, &w->offer);
    atomic_store(&w->is_offered, true);
    for (int i = 0; i < 50000 && atomic_load(&w->left) == 1000; i++)
        usleep(100); /* until a guest has come, if it does */
    wait_help(&w->offer, NULL);
    hd_pool_withdraw(w->pool, &w->offer);
    hd_pool_end_job(w->pool);
    atomic_store(&w->is_over, true);
}

static bool wait_is_over(void *user)
{
    return atomic_load(&((Wait *)user)->is_over);
}

/* A thread that waits works along with what is its own, and returns when that is over; not with
 * what is another's. */
static void test_guest(Checks *c)
{
    for (int is_mine = 0; is_mine < 2; is_mine++) {
        Wait w = {.guest = pthread_self()};

        w.offer = (HdWorkSlot){.help = wait_help,
                               .has_more = wait_has_more,
                               .max_helpers = 2, /* the other worker, too */
                               .whose = is_mine ? (void *)&w : (void *)c};
        atomic_init(&w.left, is_mine ? 1000 : 10);
        CHECK(c, hd_pool_open(2, &w.pool) == HD_OK);
        CHECK(c, hd_pool_submit(w.pool, HD_POOL_NOW, wait_job, &w) == HD_OK);
        while (!atomic_load(&w.is_offered))
            usleep(100);
        for (int i = 0; i < 50000 && !wait_is_over(&w); i++) { /* it may look in vain at first */
            hd_pool_help(w.pool, &w, wait_is_over, &w);
            usleep(100);
        }
        CHECK(c, wait_is_over(&w) && atomic_load(&w.left) <= 0);
        CHECK(c, (atomic_load(&w.by_guest) > 0) == (is_mine != 0));
        hd_pool_close(w.pool);
    }
}

int main(void)
{
    Checks checks = {0};
    HdPool *pool;

    CHECK(&checks, hd_pool_open(4, &pool) == HD_OK);
    for (int i = 0; i < 3; i++)
        test_jobs(&checks, pool);
    test_close_waits(&checks);
    test_idle(&checks, 2);
    test_idle(&checks, 6);
    test_idle_gives_way(&checks);
    test_later(&checks);
    test_guest(&checks);
    hd_pool_close(pool);
    return checks_end(&checks, "pool");
}
