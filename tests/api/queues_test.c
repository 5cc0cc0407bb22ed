/* tests/api/queues_test.c -- threads with queues that join each other's now and then.
 *
 * Each command notes that it has run and checks that what it comes after has: the command before it
 * in its queue, and the one whose event it waits for. The notes are plain memory, so that the
 * thread sanitizer sees whether the driver orders them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define THREADS 4u
#define STEPS   1500u
#define MOST    (THREADS * STEPS + 1) /* commands of a queue */
#define PUBLIC  8u                    /* events that all threads see */
#define PENDING 4u                    /* user events of a thread that are not set yet */

/* A queue, and the number of each of its commands that has run. */
typedef struct Lane {
    cl_command_queue queue;
    pthread_mutex_t lock; /* numbers in the order of the queue */
    unsigned enqueued;
    bool has_run[MOST];
    atomic_uint wrong;
} Lane;

typedef struct Command {
    Lane *lane, *waits_in;
    unsigned number, waits_for;
    bool waits;
} Command;

typedef struct Public {
    cl_event event; /* NULL: none yet */
    Lane *lane;
    unsigned number;
} Public;

static HdApiTest test;
static Lane lanes[THREADS];
static Public published[PUBLIC];
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint callbacks_set, callbacks_seen, failures;

static void CL_CALLBACK note(void *arg)
{
    const struct timespec moment = {.tv_nsec = 20000};
    const Command *c = arg;

    if (c->number % 4 == 0)
        nanosleep(&moment, NULL); /* so that others come to wait for it */
    if ((c->number > 0 && !c->lane->has_run[c->number - 1]) ||
        (c->waits && !c->waits_in->has_run[c->waits_for]))
        atomic_fetch_add(&c->lane->wrong, 1);
    c->lane->has_run[c->number] = true;
}

static void CL_CALLBACK seen(cl_event e, cl_int status, void *user)
{
    (void)e, (void)user;
    if (status != CL_COMPLETE)
        atomic_fetch_add(&failures, 1);
    atomic_fetch_add(&callbacks_seen, 1);
}

static void must(cl_int code)
{
    if (code != CL_SUCCESS)
        atomic_fetch_add(&failures, 1);
}

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % below;
}

/* Some event that any thread has published, retained. */
static Public take_public(unsigned *state)
{
    Public p;

    pthread_mutex_lock(&publishing);
    p = published[draw(state, PUBLIC)];
    if (p.event != NULL)
        must(clRetainEvent(p.event));
    pthread_mutex_unlock(&publishing);
    return p;
}

static void publish(unsigned *state, Public p)
{
    Public *at = &published[draw(state, PUBLIC)], before;

    pthread_mutex_lock(&publishing);
    before = *at;
    *at = p;
    pthread_mutex_unlock(&publishing);
    if (before.event != NULL)
        must(clReleaseEvent(before.event));
}

/* Enqueue one. after: what it waits for, NULL or with an event; user: another one, or NULL. */
static void enqueue(Lane *lane, const Public *after, cl_event user, Public *out)
{
    Command c = {.lane = lane};
    cl_event waits[2];
    cl_uint count = 0;

    if (after != NULL) {
        c.waits = true;
        c.waits_in = after->lane;
        c.waits_for = after->number;
        waits[count++] = after->event;
    }
    if (user != NULL)
        waits[count++] = user;
    pthread_mutex_lock(&lane->lock);
    c.number = lane->enqueued++;
    must(clEnqueueNativeKernel(lane->queue, note, &c, sizeof c, 0, NULL, NULL, count,
                               count > 0 ? waits : NULL, out != NULL ? &out->event : NULL));
    pthread_mutex_unlock(&lane->lock);
    if (out != NULL) {
        out->lane = lane;
        out->number = c.number;
    }
}

typedef struct Pending {
    cl_event user[PENDING];
    unsigned count;
} Pending;

static void set_pending(Pending *p)
{
    while (p->count > 0) {
        p->count--;
        must(clSetUserEventStatus(p->user[p->count], CL_COMPLETE));
        must(clReleaseEvent(p->user[p->count]));
    }
}

static void enqueue_after_user(Lane *lane, Pending *p)
{
    cl_int code;

    if (p->count == PENDING)
        set_pending(p);
    p->user[p->count] = clCreateUserEvent(test.context, &code);
    must(code);
    enqueue(lane, NULL, p->user[p->count++], NULL);
}

/* Do something with an event that may be another thread's. */
static void use_public(unsigned *state, Lane *lane, Pending *pending)
{
    Public p = take_public(state);

    if (p.event == NULL)
        return;
    switch (draw(state, 4)) {
    case 0:
        set_pending(pending);
        must(clWaitForEvents(1, &p.event));
        break;
    case 1:
        atomic_fetch_add(&callbacks_set, 1);
        must(clSetEventCallback(p.event, CL_COMPLETE, seen, NULL));
        break;
    default: enqueue(lane, &p, NULL, NULL); break;
    }
    must(clReleaseEvent(p.event));
}

static void step(unsigned *state, Lane *own, Pending *pending)
{
    Lane *any = &lanes[draw(state, THREADS)];
    Public p;

    switch (draw(state, 12)) {
    case 0:
    case 1: use_public(state, own, pending); break;
    case 2:
        enqueue(own, NULL, NULL, &p);
        publish(state, p);
        break;
    case 3:
        enqueue(any, NULL, NULL, &p);
        enqueue(any, &p, NULL, NULL);
        must(clReleaseEvent(p.event));
        break;
    case 4: enqueue_after_user(own, pending); break;
    case 5: must(clFlush(any->queue)); break;
    case 6:
        set_pending(pending);
        must(clFinish(any->queue));
        break;
    case 7:
        set_pending(pending);
        must(clFinish(own->queue));
        break;
    default: enqueue(own, NULL, NULL, NULL); break;
    }
}

static void *thread_main(void *user)
{
    Lane *own = user;
    unsigned state = (unsigned)(own - lanes) + 1;
    Pending pending = {.count = 0};

    for (unsigned i = 0; i < STEPS; i++)
        step(&state, own, &pending);
    set_pending(&pending);
    must(clFinish(own->queue));
    return NULL;
}

static void see_all(void)
{
    const struct timespec ms = {.tv_nsec = 1000000};

    while (atomic_load(&callbacks_seen) != atomic_load(&callbacks_set))
        nanosleep(&ms, NULL);
}

static void check_lane(Lane *lane)
{
    unsigned run = 0;

    for (unsigned i = 0; i < lane->enqueued; i++)
        run += lane->has_run[i];
    CHECK(lane->enqueued > STEPS / 4);
    CHECK(run == lane->enqueued);
    CHECK(atomic_load(&lane->wrong) == 0);
}

int main(void)
{
    pthread_t threads[THREADS];

    test = hd_api_open();
    for (unsigned i = 0; i < THREADS; i++) {
        cl_int code;

        pthread_mutex_init(&lanes[i].lock, NULL);
        lanes[i].queue = clCreateCommandQueueWithProperties(test.context, test.device, NULL, &code);
        CHECK_OK(code);
    }
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, thread_main, &lanes[i]) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_OK(clFinish(lanes[i].queue));
    for (unsigned i = 0; i < THREADS; i++)
        check_lane(&lanes[i]);
    CHECK(atomic_load(&callbacks_set) > 0);
    see_all();
    CHECK(atomic_load(&failures) == 0);
    for (unsigned i = 0; i < PUBLIC; i++)
        if (published[i].event != NULL)
            CHECK_OK(clReleaseEvent(published[i].event));
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_OK(clReleaseCommandQueue(lanes[i].queue));
    return hd_api_close(&test);
}
