/* tests/api/semaphore_fd_test.c -- semaphores that contexts and processes share
 * (cl_khr_external_semaphore, cl_khr_external_semaphore_opaque_fd). Called with a descriptor, it is
 * the other process: it signals what it imports, after a wait.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cl/cl_new.h"

typedef cl_semaphore_properties_khr Property;

static clCreateSemaphoreWithPropertiesKHR_fn create;
static clEnqueueWaitSemaphoresKHR_fn wait_for;
static clEnqueueSignalSemaphoresKHR_fn signal_to;
static clGetSemaphoreInfoKHR_fn info;
static clReleaseSemaphoreKHR_fn release;
static clGetSemaphoreHandleForTypeKHR_fn export_handle;

static void *find(HdApiTest *t, const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(t->platform, name);
}

static void find_all(HdApiTest *t)
{
    *(void **)&create = find(t, "clCreateSemaphoreWithPropertiesKHR");
    *(void **)&wait_for = find(t, "clEnqueueWaitSemaphoresKHR");
    *(void **)&signal_to = find(t, "clEnqueueSignalSemaphoresKHR");
    *(void **)&info = find(t, "clGetSemaphoreInfoKHR");
    *(void **)&release = find(t, "clReleaseSemaphoreKHR");
    *(void **)&export_handle = find(t, "clGetSemaphoreHandleForTypeKHR");
}

#define BINARY CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR
#define EXPORT CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
#define OPAQUE CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR

static cl_semaphore_khr make_exportable(cl_context c)
{
    cl_int code;
    cl_semaphore_khr s = create(c, (Property[]){BINARY, EXPORT, OPAQUE, 0, 0}, &code);

    CHECK_OK(code);
    return s;
}

static int export_of(HdApiTest *t, cl_semaphore_khr s)
{
    int fd = -1;
    size_t size = 0;

    CHECK_OK(export_handle(s, t->device, OPAQUE, sizeof fd, &fd, &size));
    CHECK(fd >= 0 && size == sizeof fd);
    return fd;
}

static cl_semaphore_khr import(cl_context c, int fd)
{
    cl_int code;
    cl_semaphore_khr s = create(c, (Property[]){BINARY, OPAQUE, (Property)fd, 0}, &code);

    CHECK_OK(code);
    return s;
}

static cl_ulong payload_of(cl_semaphore_khr s)
{
    cl_semaphore_payload_khr payload = 7;

    CHECK_OK(info(s, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    return payload;
}

/* Does a command that should wait still do so after a while? */
static bool waits(cl_event e)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return hd_api_status(e) > CL_COMPLETE;
}

/* Is a semaphore signalled, at the latest after a while? A wait that looks whether it has all of
 * its signals takes them for a moment. */
static bool is_signalled(cl_semaphore_khr s)
{
    for (unsigned i = 0; i < 1000; i++) {
        if (payload_of(s) == 1)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static void test_queries(HdApiTest *t)
{
    static const cl_uint of_device[] = {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                        CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR};
    static const cl_uint of_platform[] = {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                          CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR};
    cl_external_semaphore_handle_type_khr types[4];
    cl_semaphore_khr s = make_exportable(t->context);
    cl_bool is = 7;
    cl_int code;
    size_t size;

    for (int i = 0; i < 2; i++) {
        CHECK_OK(clGetDeviceInfo(t->device, of_device[i], sizeof types, types, &size));
        CHECK(size == sizeof types[0] && types[0] == OPAQUE);
        CHECK_OK(clGetPlatformInfo(t->platform, of_platform[i], sizeof types, types, &size));
        CHECK(size == sizeof types[0] && types[0] == OPAQUE);
    }
    CHECK_OK(info(s, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, sizeof types, types, &size));
    CHECK(size == sizeof types[0] && types[0] == OPAQUE);
    CHECK_OK(info(s, HD_CL_SEMAPHORE_EXPORTABLE, sizeof is, &is, NULL));
    CHECK(is == CL_TRUE);
    CHECK_OK(export_handle(s, t->device, OPAQUE, 0, NULL, &size));
    CHECK(size == sizeof(int));
    CHECK_CODE(export_handle(s, t->device, OPAQUE, 1, types, NULL), CL_INVALID_VALUE);
    CHECK_CODE(export_handle(s, t->device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 4, types, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(export_handle(s, NULL, OPAQUE, 4, types, NULL), CL_INVALID_DEVICE);
    CHECK_CODE(export_handle(NULL, t->device, OPAQUE, 4, types, NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_OK(release(s));
    s = create(t->context, (Property[]){BINARY, 0}, &code);
    CHECK_OK(info(s, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, sizeof types, types, &size));
    CHECK_OK(info(s, HD_CL_SEMAPHORE_EXPORTABLE, sizeof is, &is, NULL));
    CHECK(size == 0 && is == CL_FALSE);
    CHECK_CODE(export_handle(s, t->device, OPAQUE, 4, types, NULL), CL_INVALID_VALUE);
    CHECK_OK(release(s));
}

static void refuse(HdApiTest *t, const Property *p, cl_int want)
{
    cl_int code;

    CHECK_NULL(create(t->context, p, &code), code, want);
}

static void test_refusals(HdApiTest *t)
{
    cl_semaphore_khr s = make_exportable(t->context);
    int fd = export_of(t, s), other = open("/dev/null", O_RDWR);

    refuse(t, (Property[]){BINARY, EXPORT, OPAQUE, OPAQUE, 0, 0}, CL_INVALID_VALUE);
    refuse(t, (Property[]){BINARY, EXPORT, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, 0},
           CL_INVALID_PROPERTY);
    refuse(t, (Property[]){BINARY, EXPORT, OPAQUE, 0, EXPORT, OPAQUE, 0, 0}, CL_INVALID_PROPERTY);
    refuse(t, (Property[]){BINARY, OPAQUE, (Property)fd, OPAQUE, (Property)fd, 0},
           CL_INVALID_PROPERTY);
    refuse(t, (Property[]){BINARY, OPAQUE, (Property)fd, EXPORT, OPAQUE, 0, 0},
           CL_INVALID_OPERATION);
    refuse(t, (Property[]){BINARY, OPAQUE, (Property)other, 0}, CL_INVALID_PROPERTY);
    refuse(t, (Property[]){BINARY, OPAQUE, 9999, 0}, CL_INVALID_PROPERTY);
    close(other);
    close(fd);
    CHECK_OK(release(s));
}

/* All semaphores of one payload are as one, in each context. */
static void test_contexts(HdApiTest *t)
{
    cl_context c = clCreateContext(NULL, 1, &t->device, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueueWithProperties(c, t->device, NULL, NULL);
    cl_semaphore_khr a = make_exportable(t->context), far = import(c, export_of(t, a));
    cl_semaphore_khr near = import(t->context, export_of(t, a)), two[2] = {a, NULL};
    cl_event e, f;
    cl_int code;

    CHECK_OK(signal_to(q, 1, &far, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    CHECK(payload_of(a) == 1 && payload_of(far) == 1 && payload_of(near) == 1);
    CHECK_OK(wait_for(t->queue, 1, &near, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK(payload_of(a) == 0 && payload_of(far) == 0);
    for (int i = 0; i < 20; i++) { /* a wait that is there before */
        CHECK_OK(wait_for(t->queue, 1, &a, NULL, 0, NULL, &e));
        CHECK_OK(clFlush(t->queue));
        CHECK(i > 0 || waits(e));
        CHECK_OK(signal_to(q, 1, &far, NULL, 0, NULL, NULL));
        CHECK_OK(clFlush(q));
        CHECK_OK(clWaitForEvents(1, &e));
        CHECK_OK(clReleaseEvent(e));
    }
    /* What waits for something else as well leaves it to others. */
    two[1] = create(t->context, (Property[]){BINARY, 0}, &code);
    CHECK_OK(wait_for(t->queue, 2, two, NULL, 0, NULL, &e));
    CHECK_OK(clFlush(t->queue));
    CHECK_OK(signal_to(q, 1, &far, NULL, 0, NULL, NULL));
    CHECK_OK(wait_for(q, 1, &far, NULL, 0, NULL, &f));
    CHECK_OK(clWaitForEvents(1, &f));
    CHECK(waits(e) && payload_of(a) == 0);
    CHECK_OK(signal_to(q, 1, &far, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    CHECK(waits(e) && is_signalled(far));
    {
        cl_command_queue own =
            clCreateCommandQueueWithProperties(t->context, t->device, NULL, NULL);

        CHECK_OK(signal_to(own, 1, &two[1], NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(own));
        CHECK_OK(clReleaseCommandQueue(own));
    }
    CHECK_OK(clWaitForEvents(1, &e));
    CHECK(payload_of(a) == 0);
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(clReleaseEvent(f));
    CHECK_OK(release(two[1]));
    CHECK_OK(release(a));
    CHECK_OK(release(far));
    CHECK_OK(release(near));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseContext(c));
}

/* A wait that fails leaves the signal that comes later. */
static void test_failed_wait(HdApiTest *t)
{
    cl_semaphore_khr a = make_exportable(t->context), b = import(t->context, export_of(t, a));
    cl_event user = clCreateUserEvent(t->context, NULL), e;

    CHECK_OK(wait_for(t->queue, 1, &a, NULL, 1, &user, &e));
    CHECK_OK(clSetUserEventStatus(user, -5));
    (void)clWaitForEvents(1, &e);
    CHECK(hd_api_status(e) < 0);
    CHECK_OK(signal_to(t->queue, 1, &b, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK(payload_of(a) == 1);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseEvent(e));
    CHECK_OK(release(a));
    CHECK_OK(release(b));
}

/* Two processes take turns. */
static void test_processes(HdApiTest *t, const char *self)
{
    cl_semaphore_khr there = make_exportable(t->context), back = make_exportable(t->context);
    char numbers[2][16];
    int fds[2] = {dup(export_of(t, there)), dup(export_of(t, back))}, status = -1;
    cl_event e;
    pid_t child;

    for (int i = 0; i < 2; i++)
        snprintf(numbers[i], sizeof numbers[i], "%d", fds[i]);
    child = fork();
    if (child == 0) {
        execl(self, self, numbers[0], numbers[1], (char *)NULL);
        _exit(99);
    }
    for (int i = 0; i < 10; i++) {
        CHECK_OK(signal_to(t->queue, 1, &there, NULL, 0, NULL, NULL));
        CHECK_OK(wait_for(t->queue, 1, &back, NULL, 0, NULL, &e));
        CHECK_OK(clWaitForEvents(1, &e));
        CHECK_OK(clReleaseEvent(e));
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(payload_of(there) == 0 && payload_of(back) == 0);
    close(fds[0]);
    close(fds[1]);
    CHECK_OK(release(there));
    CHECK_OK(release(back));
}

/* The other process. */
static int answer(HdApiTest *t, int there_fd, int back_fd)
{
    cl_semaphore_khr there = import(t->context, there_fd), back = import(t->context, back_fd);

    for (int i = 0; i < 10; i++) {
        CHECK_OK(wait_for(t->queue, 1, &there, NULL, 0, NULL, NULL));
        CHECK_OK(signal_to(t->queue, 1, &back, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(t->queue));
    }
    CHECK_OK(release(there));
    CHECK_OK(release(back));
    return hd_api_close(t);
}

int main(int argc, char **argv)
{
    HdApiTest t = hd_api_open();

    find_all(&t);
    if (argc == 3)
        return answer(&t, atoi(argv[1]), atoi(argv[2]));
    test_queries(&t);
    test_refusals(&t);
    test_contexts(&t);
    test_failed_wait(&t);
    test_processes(&t, argv[0]);
    return hd_api_close(&t);
}
