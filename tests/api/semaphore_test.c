/* tests/api/semaphore_test.c -- semaphores: errors, queries, and who waits for whom.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <time.h>

#define DEVICE_LIST 0x2053 /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, which packaged headers lack */

static struct {
    clCreateSemaphoreWithPropertiesKHR_fn create;
    clEnqueueWaitSemaphoresKHR_fn wait;
    clEnqueueSignalSemaphoresKHR_fn signal;
    clGetSemaphoreInfoKHR_fn info;
    clRetainSemaphoreKHR_fn retain;
    clReleaseSemaphoreKHR_fn release;
    clGetSemaphoreHandleForTypeKHR_fn handle;
} s;

static void *find(HdApiTest *t, const char *name)
{
    void *f = clGetExtensionFunctionAddressForPlatform(t->platform, name);

    CHECK(f != NULL);
    return f;
}

static void find_all(HdApiTest *t)
{
    *(void **)&s.create = find(t, "clCreateSemaphoreWithPropertiesKHR");
    *(void **)&s.wait = find(t, "clEnqueueWaitSemaphoresKHR");
    *(void **)&s.signal = find(t, "clEnqueueSignalSemaphoresKHR");
    *(void **)&s.info = find(t, "clGetSemaphoreInfoKHR");
    *(void **)&s.retain = find(t, "clRetainSemaphoreKHR");
    *(void **)&s.release = find(t, "clReleaseSemaphoreKHR");
    *(void **)&s.handle = find(t, "clGetSemaphoreHandleForTypeKHR");
}

static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                     CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

static cl_semaphore_khr make(HdApiTest *t)
{
    cl_int code;
    cl_semaphore_khr made = s.create(t->context, binary, &code);

    CHECK_OK(code);
    return made;
}

static cl_command_queue make_queue(HdApiTest *t, bool out_of_order)
{
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                  out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(t->context, t->device, list, &code);

    CHECK_OK(code);
    return q;
}

static cl_ulong payload_of(cl_semaphore_khr sem)
{
    cl_semaphore_payload_khr payload = 7;

    CHECK_OK(s.info(sem, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    return payload;
}

/* Does a command that should wait still do so after a while? */
static bool waits(cl_event e)
{
    for (unsigned i = 0; i < 20; i++) {
        if (hd_api_status(e) <= CL_COMPLETE)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

static void test_create(HdApiTest *t)
{
    const cl_semaphore_properties_khr device = (cl_semaphore_properties_khr)(uintptr_t)t->device;
    const cl_semaphore_properties_khr unknown[] = {0x7777, 1, 0};
    const cl_semaphore_properties_khr type[] = {CL_SEMAPHORE_TYPE_KHR, 2, 0};
    const cl_semaphore_properties_khr twice[] = {binary[0], binary[1], binary[0], binary[1], 0};
    const cl_semaphore_properties_khr none[] = {0};
    const cl_semaphore_properties_khr no_device[] = {binary[0], binary[1], DEVICE_LIST, 0, 0};
    const cl_semaphore_properties_khr two[] = {binary[0], binary[1], DEVICE_LIST, device, device,
                                               0,         0};
    const cl_semaphore_properties_khr stray[] = {binary[0], binary[1], DEVICE_LIST, 16, 0, 0};
    const cl_semaphore_properties_khr again[] = {binary[0],   binary[1], DEVICE_LIST, device, 0,
                                                 DEVICE_LIST, device,    0,           0};
    const cl_semaphore_properties_khr good[] = {DEVICE_LIST, device, 0, binary[0], binary[1], 0};
    cl_semaphore_properties_khr back[6];
    cl_device_id d = NULL;
    cl_semaphore_khr made;
    size_t size;
    cl_int code;

    CHECK_NULL(s.create(NULL, binary, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(s.create(t->context, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(s.create(t->context, none, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(s.create(t->context, unknown, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(s.create(t->context, type, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(s.create(t->context, twice, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(s.create(t->context, again, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(s.create(t->context, no_device, &code), code, CL_INVALID_DEVICE);
    CHECK_NULL(s.create(t->context, two, &code), code, CL_INVALID_DEVICE);
    CHECK_NULL(s.create(t->context, stray, &code), code, CL_INVALID_DEVICE);
    made = s.create(t->context, good, &code);
    CHECK_OK(code);
    CHECK_OK(s.info(made, CL_SEMAPHORE_PROPERTIES_KHR, sizeof back, back, &size));
    CHECK(size == sizeof good && memcmp(back, good, sizeof good) == 0);
    CHECK_OK(s.info(made, DEVICE_LIST, sizeof d, &d, &size));
    CHECK(size == sizeof d && d == t->device);
    CHECK_OK(s.release(made));
}

/* A context of two devices has to say which one it is for. */
static void test_two_devices(HdApiTest *t)
{
    cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id devices[64];
    cl_semaphore_properties_khr first[] = {binary[0], binary[1], DEVICE_LIST, 0, 0, 0};
    cl_context c;
    cl_command_queue q[2];
    cl_semaphore_khr made;
    cl_uint n = 0;
    cl_int code;

    if (clCreateSubDevices(t->device, parts, 64, devices, &n) != CL_SUCCESS || n < 2) {
        hd_api_skip("one processor");
        return;
    }
    c = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    CHECK_NULL(s.create(c, binary, &code), code, CL_INVALID_PROPERTY);
    first[3] = (cl_semaphore_properties_khr)(uintptr_t)devices[0];
    made = s.create(c, first, &code);
    CHECK_OK(code);
    for (int i = 0; i < 2; i++)
        q[i] = clCreateCommandQueueWithProperties(c, devices[i], NULL, &code);
    CHECK_OK(s.signal(q[0], 1, &made, NULL, 0, NULL, NULL));
    CHECK_CODE(s.signal(q[1], 1, &made, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(s.wait(q[1], 1, &made, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(s.wait(t->queue, 1, &made, NULL, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_OK(s.wait(q[0], 1, &made, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(q[0]));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(q[i]));
    CHECK_OK(s.release(made));
    CHECK_OK(clReleaseContext(c));
    for (cl_uint i = 0; i < n; i++)
        CHECK_OK(clReleaseDevice(devices[i]));
}

static void test_queries(HdApiTest *t)
{
    cl_semaphore_khr made = make(t);
    cl_semaphore_type_khr type = 0;
    cl_context c = NULL;
    cl_uint refs = 0;
    int fd = 0;
    size_t size;

    CHECK_OK(clGetPlatformInfo(t->platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, 4, &type, &size));
    CHECK(size == 4 && type == CL_SEMAPHORE_TYPE_BINARY_KHR);
    type = 0;
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_SEMAPHORE_TYPES_KHR, 4, &type, &size));
    CHECK(size == 4 && type == CL_SEMAPHORE_TYPE_BINARY_KHR);
    type = 0;
    CHECK_OK(s.info(made, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, NULL));
    CHECK(type == CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK_OK(s.info(made, CL_SEMAPHORE_CONTEXT_KHR, sizeof c, &c, NULL));
    CHECK(c == t->context);
    CHECK_OK(s.retain(made));
    CHECK_OK(s.info(made, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof refs, &refs, NULL));
    CHECK(refs == 2);
    CHECK_OK(s.release(made));
    CHECK_CODE(s.info(made, CL_SEMAPHORE_CONTEXT_KHR, 1, &c, NULL), CL_INVALID_VALUE);
    CHECK_CODE(s.info(made, 0x7777, sizeof c, &c, NULL), CL_INVALID_VALUE);
    CHECK_CODE(s.info(NULL, CL_SEMAPHORE_CONTEXT_KHR, sizeof c, &c, NULL),
               CL_INVALID_SEMAPHORE_KHR);
    CHECK_CODE(s.retain(NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_CODE(s.release(NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_CODE(s.release((cl_semaphore_khr)t->queue), CL_INVALID_SEMAPHORE_KHR);
    CHECK_CODE(s.handle(made, t->device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof fd, &fd, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(s.handle(made, NULL, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof fd, &fd, NULL),
               CL_INVALID_DEVICE);
    CHECK_CODE(s.handle(NULL, t->device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof fd, &fd, NULL),
               CL_INVALID_SEMAPHORE_KHR);
    CHECK_OK(s.release(made));
}

static void test_errors(HdApiTest *t)
{
    cl_semaphore_khr made = make(t), none = NULL;
    cl_int code;
    cl_context c = clCreateContext(NULL, 1, &t->device, NULL, NULL, &code);
    cl_event elsewhere = clCreateUserEvent(c, &code), failed = clCreateUserEvent(t->context, &code);

    CHECK_OK(clSetUserEventStatus(failed, -5));
    for (int i = 0; i < 2; i++) {
        clEnqueueWaitSemaphoresKHR_fn f = i == 0 ? s.wait : s.signal;

        CHECK_CODE(f(NULL, 1, &made, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
        CHECK_CODE(f(t->queue, 0, &made, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
        CHECK_CODE(f(t->queue, 1, &none, NULL, 0, NULL, NULL), CL_INVALID_SEMAPHORE_KHR);
        CHECK_CODE(f(t->queue, 1, &made, NULL, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
        CHECK_CODE(f(t->queue, 1, &made, NULL, 0, &failed, NULL), CL_INVALID_EVENT_WAIT_LIST);
        CHECK_CODE(f(t->queue, 1, &made, NULL, 1, &elsewhere, NULL), CL_INVALID_CONTEXT);
        CHECK_CODE(f(t->queue, 1, &made, NULL, 1, &failed, NULL),
                   CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    CHECK_OK(clReleaseEvent(elsewhere));
    CHECK_OK(clReleaseEvent(failed));
    CHECK_OK(clReleaseContext(c));
    CHECK_OK(s.release(made));
}

/* One queue, then another one that began to wait first. */
static void test_order(HdApiTest *t, bool out_of_order)
{
    cl_command_queue a = make_queue(t, out_of_order), b = make_queue(t, out_of_order);
    cl_semaphore_khr made = make(t);
    cl_command_type type = 0;
    cl_event e;

    CHECK(payload_of(made) == 0);
    CHECK_OK(s.signal(a, 1, &made, NULL, 0, NULL, &e));
    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(clFinish(a));
    CHECK(payload_of(made) == 1);
    CHECK_OK(s.wait(a, 1, &made, NULL, 0, NULL, &e));
    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_COMMAND_SEMAPHORE_WAIT_KHR);
    CHECK_OK(clWaitForEvents(1, &e));
    CHECK_OK(clReleaseEvent(e));
    CHECK(payload_of(made) == 0);

    CHECK_OK(s.wait(b, 1, &made, NULL, 0, NULL, &e));
    CHECK_OK(clFlush(b));
    CHECK(waits(e));
    CHECK_OK(s.signal(a, 1, &made, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(a));
    CHECK_OK(clFinish(b));
    CHECK(hd_api_status(e) == CL_COMPLETE && payload_of(made) == 0);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(s.release(made));
    CHECK_OK(clReleaseCommandQueue(a));
    CHECK_OK(clReleaseCommandQueue(b));
}

/* Of two signals and two waits the second ones belong together, though the first wait runs last. */
static void test_again(HdApiTest *t)
{
    cl_command_queue a = make_queue(t, true), b = make_queue(t, true);
    cl_semaphore_khr made = make(t);
    cl_int code;
    cl_event first = clCreateUserEvent(t->context, &code), e[2];
    cl_event second = clCreateUserEvent(t->context, &code);

    CHECK_OK(s.signal(a, 1, &made, NULL, 0, NULL, NULL));
    CHECK_OK(s.wait(b, 1, &made, NULL, 1, &first, &e[0]));
    CHECK_OK(s.signal(a, 1, &made, NULL, 1, &second, NULL));
    CHECK_OK(s.wait(b, 1, &made, NULL, 0, NULL, &e[1]));
    CHECK_OK(clFlush(a));
    CHECK_OK(clFlush(b));
    CHECK(waits(e[0]) && waits(e[1]));
    CHECK_OK(clSetUserEventStatus(second, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &e[1]));
    CHECK(waits(e[0]));
    CHECK_OK(clSetUserEventStatus(first, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &e[0]));
    CHECK(payload_of(made) == 0);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseEvent(e[i]));
    CHECK_OK(clReleaseEvent(first));
    CHECK_OK(clReleaseEvent(second));
    CHECK_OK(s.release(made));
    CHECK_OK(clReleaseCommandQueue(a));
    CHECK_OK(clReleaseCommandQueue(b));
}

/* Several at once, one of them named twice; a wait that fails takes nothing, a signal gives
 * nothing. */
static void test_several(HdApiTest *t)
{
    cl_command_queue q = make_queue(t, true);
    cl_semaphore_khr two[3] = {make(t), make(t), NULL};
    cl_int code;
    cl_event user = clCreateUserEvent(t->context, &code), e[3];

    two[2] = two[0];
    CHECK_OK(s.wait(q, 3, two, NULL, 0, NULL, &e[0]));
    CHECK_OK(s.signal(q, 1, &two[1], NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(q));
    CHECK(waits(e[0]));
    CHECK_OK(s.signal(q, 1, &two[0], NULL, 0, NULL, NULL));
    CHECK_OK(clWaitForEvents(1, &e[0]));
    CHECK(payload_of(two[0]) == 0 && payload_of(two[1]) == 0);

    CHECK_OK(s.wait(q, 2, two, NULL, 1, &user, &e[1]));
    CHECK_OK(s.wait(q, 2, two, NULL, 0, NULL, &e[2]));
    CHECK_OK(s.signal(q, 2, two, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(q));
    CHECK(waits(e[2]));
    CHECK_OK(clSetUserEventStatus(user, -9));
    CHECK_CODE(clWaitForEvents(1, &e[1]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clWaitForEvents(1, &e[2]));
    CHECK_OK(clFinish(q));
    CHECK(payload_of(two[0]) == 0 && payload_of(two[1]) == 0);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseEvent(e[i]));
    CHECK_OK(clReleaseEvent(user));

    user = clCreateUserEvent(t->context, &code);
    CHECK_OK(s.signal(q, 1, two, NULL, 1, &user, NULL));
    CHECK_OK(clSetUserEventStatus(user, -9));
    CHECK_OK(clFinish(q));
    CHECK(payload_of(two[0]) == 0);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(s.release(two[0]));
    CHECK_OK(s.release(two[1]));
    CHECK_OK(clReleaseCommandQueue(q));
}

/* Two queues hand work to each other; semaphores are released while commands use them. */
static void test_turns(HdApiTest *t)
{
    cl_command_queue a = make_queue(t, false), b = make_queue(t, false);
    cl_semaphore_khr there = make(t), back = make(t);
    cl_int code;
    cl_mem m = clCreateBuffer(t->context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    cl_uint last[1024], wrong = 0;

    for (cl_uint i = 0; i < 200; i++) {
        CHECK_OK(clEnqueueFillBuffer(a, m, &i, sizeof i, 0, 4096, 0, NULL, NULL));
        CHECK_OK(s.signal(a, 1, &there, NULL, 0, NULL, NULL));
        CHECK_OK(s.wait(b, 1, &there, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(b, m, CL_FALSE, i, 4, &last[i], 0, NULL, NULL));
        CHECK_OK(s.signal(b, 1, &back, NULL, 0, NULL, NULL));
        CHECK_OK(s.wait(a, 1, &back, NULL, 0, NULL, NULL));
    }
    CHECK_OK(s.release(there));
    CHECK_OK(s.release(back));
    CHECK_OK(clFlush(a));
    CHECK_OK(clFinish(b));
    CHECK_OK(clFinish(a));
    for (cl_uint i = 0; i < 200; i++)
        wrong += i % 4 == 0 && last[i] != i;
    CHECK(wrong == 0);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseCommandQueue(a));
    CHECK_OK(clReleaseCommandQueue(b));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    find_all(&t);
    test_create(&t);
    test_two_devices(&t);
    test_queries(&t);
    test_errors(&t);
    test_order(&t, false);
    test_order(&t, true);
    test_again(&t);
    test_several(&t);
    test_turns(&t);
    return hd_api_close(&t);
}
