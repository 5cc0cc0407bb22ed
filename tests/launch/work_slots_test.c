/* tests/launch/work_slots_test.c -- joining and leaving offers, one step at a time and by many
 * threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "launch/work_slots.h"

#define OWNERS  3u
#define WORKERS 4u
#define ROUNDS  20000u

/* Pieces of work; a helper must not touch it once the offer has been withdrawn. */
typedef struct Work {
    HdWorkSlot offer; /* first: what is helped with */
    _Atomic int left;
    _Atomic unsigned done;
    _Atomic bool is_open;
} Work;

static HdWorkSlots offers;
static _Atomic bool is_over;
static _Atomic unsigned late, helped; /* touches after the end; helpers that came */

static void help(HdWorkSlot *o, struct HdRtWorker **own)
{
    Work *w = (Work *)o;

    (void)own;
    while (atomic_fetch_sub(&w->left, 1) > 0) {
        if (!atomic_load(&w->is_open))
            atomic_fetch_add(&late, 1);
        atomic_fetch_add(&w->done, 1);
    }
}

static bool has_more(const HdWorkSlot *o)
{
    return atomic_load(&((const Work *)o)->left) > 0;
}

static void open_work(Work *w, int pieces, unsigned most)
{
    w->offer = (HdWorkSlot){.help = help, .has_more = has_more, .max_helpers = most};
    atomic_store(&w->left, pieces);
    atomic_store(&w->done, 0);
    atomic_store(&w->is_open, true);
}

static void test_steps(Checks *c)
{
    HdPlace *at, *other, *none[HD_WORK_SLOTS_MOST];
    Work a, b;

    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == NULL);
    open_work(&a, 1, 2);
    open_work(&b, 1, 1);
    at = hd_work_slots_open(&offers, &a.offer);
    CHECK(c, at != NULL && at->offer == &a.offer);
    CHECK(c, hd_work_slots_join(&offers, hd_work_slots_bit(&offers, at), NULL) == NULL);
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == at);
    other = hd_work_slots_open(&offers, &b.offer);
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == other); /* it has no helper yet */
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == at);
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == NULL); /* no more than may help */
    CHECK(c, !hd_work_slots_leave(at));
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == at);
    hd_work_slots_close(&offers, at);
    CHECK(c, !hd_work_slots_leave(at));
    CHECK(c, hd_work_slots_join(&offers, 0, NULL) == NULL); /* it is closed */
    CHECK(c, hd_work_slots_must_wait(at));
    CHECK(c, hd_work_slots_leave(at)); /* the owner is to be woken */
    CHECK(c, !hd_work_slots_must_wait(at) && hd_work_slots_look(at));
    hd_work_slots_free(&offers, at);
    CHECK(c, !hd_work_slots_leave(other)); /* the owner has not slept yet */
    hd_work_slots_close(&offers, other);
    CHECK(c, hd_work_slots_look(other));
    hd_work_slots_free(&offers, other);
    for (unsigned i = 0; i < HD_WORK_SLOTS_MOST; i++)
        CHECK(c, (none[i] = hd_work_slots_open(&offers, &a.offer)) != NULL);
    CHECK(c, hd_work_slots_open(&offers, &b.offer) == NULL);
    for (unsigned i = 0; i < HD_WORK_SLOTS_MOST; i++) {
        hd_work_slots_close(&offers, none[i]);
        hd_work_slots_free(&offers, none[i]);
    }
    CHECK(c, offers.open == 0 && offers.taken == 0);
}

static void *worker_main(void *user)
{
    (void)user;
    while (!atomic_load(&is_over)) {
        HdPlace *at = hd_work_slots_join(&offers, 0, NULL);

        if (at == NULL) {
            sched_yield();
            continue;
        }
        at->offer->help(at->offer, NULL);
        atomic_fetch_add(&helped, 1);
        hd_work_slots_close(&offers, at);
        hd_work_slots_leave(at);
    }
    return NULL;
}

static void *owner_main(void *user)
{
    unsigned *wrong = user;

    for (unsigned i = 0; i < ROUNDS; i++) {
        int pieces = (int)(i % 7);
        HdPlace *at;
        Work w;

        open_work(&w, pieces, 1 + i % WORKERS);
        at = hd_work_slots_open(&offers, &w.offer);
        if (i % 16 == 0)
            sched_yield();
        help(&w.offer, NULL);
        hd_work_slots_close(&offers, at);
        while (!hd_work_slots_look(at))
            sched_yield();
        atomic_store(&w.is_open, false);
        hd_work_slots_free(&offers, at);
        *wrong += atomic_load(&w.done) != (unsigned)pieces;
    }
    return NULL;
}

/* All pieces are done once, before the owner goes on. */
static void test_threads(Checks *c)
{
    pthread_t workers[WORKERS], owners[OWNERS];
    unsigned wrong[OWNERS] = {0};

    for (unsigned i = 0; i < WORKERS; i++)
        CHECK(c, pthread_create(&workers[i], NULL, worker_main, NULL) == 0);
    for (unsigned i = 0; i < OWNERS; i++)
        CHECK(c, pthread_create(&owners[i], NULL, owner_main, &wrong[i]) == 0);
    for (unsigned i = 0; i < OWNERS; i++)
        pthread_join(owners[i], NULL);
    atomic_store(&is_over, true);
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    for (unsigned i = 0; i < OWNERS; i++)
        CHECK(c, wrong[i] == 0);
    CHECK(c, late == 0 && helped > 0 && offers.open == 0 && offers.taken == 0);
}

int main(void)
{
    Checks c = {0};

    test_steps(&c);
    test_threads(&c);
    return checks_end(&c, "work_slots_test");
}
