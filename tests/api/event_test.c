/* tests/api/event_test.c -- events, user events, queues in and out of order, callbacks, profiling.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static void pause_ms(long ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&t, NULL);
}

static cl_command_queue out_of_order(HdApiTest *t)
{
    const cl_queue_properties p[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(t->context, t->device, p, &code);

    CHECK_OK(code);
    return q;
}

static void test_user_event(HdApiTest *t)
{
    cl_event user, marker;
    cl_int code;
    cl_command_queue no_queue = t->queue;

    user = clCreateUserEvent(t->context, &code);
    CHECK_OK(code);
    CHECK(hd_api_status(user) == CL_SUBMITTED);
    CHECK_OK(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof no_queue, &no_queue, NULL));
    CHECK(no_queue == NULL);
    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &user, &marker));
    CHECK_OK(clFlush(t->queue));
    pause_ms(5);
    CHECK(hd_api_status(marker) > CL_COMPLETE);
    CHECK_CODE(clSetUserEventStatus(user, CL_RUNNING), CL_INVALID_VALUE);
    CHECK_CODE(clSetUserEventStatus(marker, CL_COMPLETE), CL_INVALID_EVENT);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_CODE(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK_OK(clWaitForEvents(1, &marker));
    CHECK(hd_api_status(marker) == CL_COMPLETE);
    CHECK_OK(clReleaseEvent(marker));
    CHECK_OK(clReleaseEvent(user));
    CHECK_NULL(clCreateUserEvent(NULL, &code), code, CL_INVALID_CONTEXT);
}

/* An error runs along wait lists, not along the order of a queue. */
static void test_failed_event(HdApiTest *t)
{
    cl_event user = clCreateUserEvent(t->context, NULL), chain[3], after;

    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &user, &chain[0]));
    for (int i = 1; i < 3; i++)
        CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &chain[i - 1], &chain[i]));
    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 0, NULL, &after));
    CHECK_OK(clSetUserEventStatus(user, -77));
    CHECK_CODE(clWaitForEvents(1, &chain[2]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(hd_api_status(user) == -77);
    CHECK(hd_api_status(chain[0]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(hd_api_status(chain[2]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clWaitForEvents(1, &after));
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseEvent(after));
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseEvent(chain[i]));
}

/* A blocking read that waits for something that fails says so. */
static void test_failed_blocking(HdApiTest *t)
{
    cl_event user = clCreateUserEvent(t->context, NULL);
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    int x;

    CHECK_OK(clSetUserEventStatus(user, -5));
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 1, &user, NULL),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseMemObject(m));
}

/* Commands without a common event overtake each other out of order, and do not in order. */
static void test_order(HdApiTest *t)
{
    cl_command_queue q = out_of_order(t);
    cl_event user = clCreateUserEvent(t->context, NULL), first, second, barrier, third;

    CHECK_OK(clEnqueueMarkerWithWaitList(q, 1, &user, &first));
    CHECK_OK(clEnqueueBarrierWithWaitList(q, 1, &first, &barrier));
    CHECK_OK(clEnqueueMarkerWithWaitList(q, 0, NULL, &third));
    second = clCreateUserEvent(t->context, NULL);
    CHECK_OK(clFlush(q));
    pause_ms(5);
    CHECK(hd_api_status(third) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(q));
    CHECK(hd_api_status(third) == CL_COMPLETE && hd_api_status(barrier) == CL_COMPLETE);
    CHECK_OK(clReleaseEvent(first));
    CHECK_OK(clReleaseEvent(third));
    CHECK_OK(clReleaseEvent(barrier));
    /* something stuck does not hold up what does not wait for it */
    CHECK_OK(clEnqueueMarkerWithWaitList(q, 1, &second, &first));
    {
        cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
        int x = 5, y = 0;

        CHECK_OK(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, &y, 0, NULL, NULL));
        CHECK(y == 5 && hd_api_status(first) > CL_COMPLETE);
        CHECK_OK(clReleaseMemObject(m));
    }
    CHECK_OK(clSetUserEventStatus(second, CL_COMPLETE));
    CHECK_OK(clFinish(q));
    CHECK_OK(clReleaseEvent(first));
    CHECK_OK(clReleaseEvent(second));
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseCommandQueue(q));
}

/* Queues wait for each other through events without any flush by the host. */
static void test_across_queues(HdApiTest *t)
{
    cl_command_queue q = out_of_order(t);
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    cl_event e[3];
    int x = 7, y = 0;

    CHECK_OK(clEnqueueWriteBuffer(q, m, CL_FALSE, 0, 4, &x, 0, NULL, &e[0]));
    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &e[0], &e[1]));
    CHECK_OK(clEnqueueReadBuffer(q, m, CL_FALSE, 0, 4, &y, 1, &e[1], &e[2]));
    CHECK_OK(clWaitForEvents(1, &e[2]));
    CHECK(y == 7);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseEvent(e[i]));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseCommandQueue(q));
}

typedef struct Seen {
    atomic_int count;
    cl_int status[8];
} Seen;

static void CL_CALLBACK note(cl_event e, cl_int status, void *user)
{
    Seen *s = user;

    (void)e;
    s->status[atomic_load(&s->count)] = status;
    atomic_fetch_add(&s->count, 1);
}

static void wait_for(Seen *s, int count)
{
    for (int i = 0; i < 2000 && atomic_load(&s->count) < count; i++)
        pause_ms(1);
    CHECK(atomic_load(&s->count) == count);
}

static void test_callbacks(HdApiTest *t)
{
    cl_event user = clCreateUserEvent(t->context, NULL), e;
    Seen s = {0}, failed = {0};

    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &user, &e));
    CHECK_OK(clSetEventCallback(e, CL_SUBMITTED, note, &s));
    CHECK_OK(clSetEventCallback(e, CL_RUNNING, note, &s));
    CHECK_OK(clSetEventCallback(e, CL_COMPLETE, note, &s));
    CHECK_CODE(clSetEventCallback(e, 77, note, &s), CL_INVALID_VALUE);
    CHECK_CODE(clSetEventCallback(e, CL_COMPLETE, NULL, &s), CL_INVALID_VALUE);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(t->queue));
    wait_for(&s, 3);
    CHECK(s.status[0] == CL_SUBMITTED && s.status[1] == CL_RUNNING && s.status[2] == CL_COMPLETE);
    CHECK_OK(clSetEventCallback(e, CL_COMPLETE, note, &s)); /* too late is at once */
    wait_for(&s, 4);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(clReleaseEvent(user));

    user = clCreateUserEvent(t->context, NULL);
    CHECK_OK(clSetEventCallback(user, CL_COMPLETE, note, &failed));
    CHECK_OK(clSetUserEventStatus(user, -9));
    wait_for(&failed, 1);
    CHECK(failed.status[0] == -9);
    CHECK_OK(clReleaseEvent(user));
}

static void test_profiling(HdApiTest *t)
{
    static const cl_profiling_info queries[] = {
        CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE};
    cl_command_queue plain = clCreateCommandQueueWithProperties(t->context, t->device, NULL, NULL);
    cl_ulong times[5] = {0};
    cl_event e, user = clCreateUserEvent(t->context, NULL);

    CHECK_OK(clEnqueueMarkerWithWaitList(t->queue, 1, &user, &e));
    CHECK_CODE(clGetEventProfilingInfo(e, queries[0], 8, times, NULL),
               CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &e));
    for (int i = 0; i < 5; i++)
        CHECK_OK(clGetEventProfilingInfo(e, queries[i], 8, &times[i], NULL));
    for (int i = 1; i < 5; i++)
        CHECK(times[i] >= times[i - 1]);
    CHECK(times[0] > 0);
    CHECK_CODE(clGetEventProfilingInfo(e, 0x7777, 8, times, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetEventProfilingInfo(user, queries[0], 8, times, NULL),
               CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(clEnqueueMarkerWithWaitList(plain, 0, NULL, &e));
    CHECK_OK(clFinish(plain));
    CHECK_CODE(clGetEventProfilingInfo(e, queries[0], 8, times, NULL),
               CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseCommandQueue(plain));
}

static void test_queue_info(HdApiTest *t)
{
    const cl_queue_properties bad[] = {CL_QUEUE_PROPERTIES, (cl_queue_properties)1 << 50, 0};
    const cl_queue_properties unknown[] = {0x7777, 1, 0};
    const cl_queue_properties sized[] = {CL_QUEUE_SIZE, 4096, 0}; /* of the host's queues */
    cl_command_queue_properties p = 0;
    cl_queue_properties list[3] = {0};
    cl_context c = NULL;
    cl_uint refs = 0;
    cl_int code;

    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_CONTEXT, sizeof c, &c, NULL));
    CHECK(c == t->context);
    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_PROPERTIES, sizeof p, &p, NULL));
    CHECK(p == CL_QUEUE_PROFILING_ENABLE);
    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK(refs == 1);
    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, NULL));
    CHECK(list[0] == CL_QUEUE_PROPERTIES && list[2] == 0);
    CHECK_CODE(clGetCommandQueueInfo(t->queue, CL_QUEUE_SIZE, sizeof refs, &refs, NULL),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, bad, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, unknown, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, sized, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, NULL, NULL, &code), code,
               CL_INVALID_DEVICE);
}

static void test_wait_errors(HdApiTest *t)
{
    cl_context other = clCreateContext(NULL, 1, &t->device, NULL, NULL, NULL);
    cl_event mixed[2] = {clCreateUserEvent(t->context, NULL), clCreateUserEvent(other, NULL)};

    CHECK_CODE(clWaitForEvents(0, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clWaitForEvents(1, (const cl_event *)&t->context), CL_INVALID_EVENT);
    CHECK_CODE(clWaitForEvents(2, mixed), CL_INVALID_CONTEXT);
    CHECK_CODE(clEnqueueMarkerWithWaitList(t->queue, 1, &mixed[1], NULL), CL_INVALID_CONTEXT);
    CHECK_CODE(clEnqueueMarkerWithWaitList(t->queue, 1, (const cl_event *)&t->context, NULL),
               CL_INVALID_EVENT_WAIT_LIST);
    CHECK_OK(clReleaseEvent(mixed[0]));
    CHECK_OK(clReleaseEvent(mixed[1]));
    CHECK_OK(clReleaseContext(other));
}

static void CL_CALLBACK native(void *args)
{
    struct {
        int *buffer, number;
    } *a = args;

    a->buffer[0] = a->number;
}

static void test_native_kernel(HdApiTest *t)
{
    struct {
        int *buffer, number;
    } args = {NULL, 31};
    const void *where = &args.buffer;
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    int x = 0;

    CHECK_OK(
        clEnqueueNativeKernel(t->queue, native, &args, sizeof args, 1, &m, &where, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK(x == 31);
    CHECK_CODE(clEnqueueNativeKernel(t->queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(m));
}

/* A long chain is ended without a deep recursion. */
static void test_long_chain(HdApiTest *t)
{
    cl_event user = clCreateUserEvent(t->context, NULL), last = NULL;

    for (int i = 0; i < 20000; i++) {
        cl_event e;

        if (clEnqueueMarkerWithWaitList(t->queue, 1, last != NULL ? &last : &user, &e) !=
            CL_SUCCESS)
            break;
        if (last != NULL)
            clReleaseEvent(last);
        last = e;
    }
    CHECK_OK(clSetUserEventStatus(user, -3));
    CHECK_CODE(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(last));
    CHECK_OK(clReleaseEvent(user));
}

static void CL_CALLBACK note_thread(void *args)
{
    **(pthread_t **)args = pthread_self();
}

/* What nobody has flushed runs on the thread that waits for it. */
static void test_inline(HdApiTest *t)
{
    pthread_t thread, *at = &thread;
    cl_event e;

    for (int i = 0; i < 40; i++) {
        memset(&thread, 0, sizeof thread);
        CHECK_OK(clEnqueueNativeKernel(t->queue, note_thread, &at, sizeof at, 0, NULL, NULL, 0,
                                       NULL, &e));
        if (i % 2 == 0)
            CHECK_OK(clFinish(t->queue));
        else
            CHECK_OK(clWaitForEvents(1, &e));
        CHECK(pthread_equal(thread, pthread_self()));
        CHECK_OK(clReleaseEvent(e));
    }
}

typedef struct Meeting {
    atomic_int here;
    atomic_int met;
} Meeting;

static void CL_CALLBACK meet(void *args)
{
    Meeting *m = *(Meeting **)args;

    atomic_fetch_add(&m->here, 1);
    for (int i = 0; i < 10000 && atomic_load(&m->here) < 2; i++)
        pause_ms(1);
    atomic_fetch_add(&m->met, atomic_load(&m->here) >= 2);
}

/* Commands of one out-of-order queue run at the same time, where there are threads for them. */
static void test_together(HdApiTest *t)
{
    cl_command_queue q = out_of_order(t);
    Meeting m = {0}, *at = &m;

    for (int i = 0; i < 2; i++)
        CHECK_OK(clEnqueueNativeKernel(q, meet, &at, sizeof at, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(q));
    CHECK_OK(clFinish(q));
    CHECK(atomic_load(&m.met) == 2);
    CHECK_OK(clReleaseCommandQueue(q));
}

/* More small commands than may wait unflushed, each of which needs the one before it; in order, and
 * by events. Twice, because events are used again. */
static void test_many(HdApiTest *t)
{
    enum { COUNT = 20000 };
    cl_mem m = clCreateBuffer(t->context, 0, (COUNT + 1) * 4, NULL, NULL);
    cl_command_queue q = out_of_order(t);

    for (cl_uint turn = 1; turn <= 4; turn++) {
        cl_command_queue to = turn % 2 != 0 ? t->queue : q;
        cl_event last, next;
        cl_uint x = 77 + turn, y = 0;

        CHECK_OK(clEnqueueWriteBuffer(to, m, CL_FALSE, 0, 4, &x, 0, NULL, &last));
        for (size_t i = 0; i < COUNT; i++) {
            if (clEnqueueCopyBuffer(to, m, m, i * 4, i * 4 + 4, 4, turn % 2 == 0,
                                    turn % 2 == 0 ? &last : NULL, &next) != CL_SUCCESS)
                break;
            (void)clReleaseEvent(last);
            last = next;
        }
        CHECK_OK(clEnqueueReadBuffer(to, m, CL_TRUE, COUNT * 4, 4, &y, 1, &last, NULL));
        CHECK(y == x);
        CHECK_OK(clReleaseEvent(last));
    }
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseMemObject(m));
}

/* Many commands wait for one event, and one of them for many. */
static void test_fan(HdApiTest *t)
{
    enum { COUNT = 100 };
    cl_command_queue q = out_of_order(t);
    cl_event user = clCreateUserEvent(t->context, NULL), e[COUNT], all;

    for (int i = 0; i < COUNT; i++)
        CHECK_OK(clEnqueueMarkerWithWaitList(q, 1, &user, &e[i]));
    CHECK_OK(clEnqueueBarrierWithWaitList(q, COUNT, e, &all));
    CHECK(hd_api_status(all) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &all));
    for (int i = 0; i < COUNT; i++) {
        CHECK(hd_api_status(e[i]) == CL_COMPLETE);
        CHECK_OK(clReleaseEvent(e[i]));
    }
    CHECK_OK(clReleaseEvent(all));
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseCommandQueue(q));
}

/* Hints are taken, kept and change no result. */
static void test_hints(HdApiTest *t)
{
    const cl_queue_properties hinted[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR,
                                          CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR, 0};
    const cl_queue_properties odd[] = {CL_QUEUE_THROTTLE_KHR, 3, 0};
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_queue_properties kept[5];
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(t->context, t->device, hinted, &code);

    CHECK_OK(code);
    CHECK_OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof kept, kept, NULL));
    CHECK(memcmp(kept, hinted, sizeof hinted) == 0);
    CHECK_OK(clEnqueueMarkerWithWaitList(q, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, odd, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, on_device, &code), code,
               CL_INVALID_QUEUE_PROPERTIES);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_queue_info(&t);
    test_user_event(&t);
    test_failed_event(&t);
    test_failed_blocking(&t);
    test_order(&t);
    test_across_queues(&t);
    test_callbacks(&t);
    test_profiling(&t);
    test_wait_errors(&t);
    test_native_kernel(&t);
    test_long_chain(&t);
    test_inline(&t);
    test_together(&t);
    test_many(&t);
    test_fan(&t);
    test_hints(&t);
    return hd_api_close(&t);
}
