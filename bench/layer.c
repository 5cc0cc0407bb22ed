/* bench/layer.c -- what the kernels of an OpenCL program take, by the driver's own clock.
 *
 * To be preloaded (LD_PRELOAD) into a program that is linked with libOpenCL: queues get profiling,
 * devices of any type are found where GPUs are asked for, and at the end the file BENCH_LAYER has a
 * line for each kernel: its name, its launches, and nanoseconds from start to end of all of them;
 * with BENCH_LAYER_CPU=1 those of processor time of all threads, for which each launch is waited
 * for.
 *
 *     cc -O2 -shared -fPIC bench/layer.c -o build/bench-layer.so -ldl
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_KERNELS  512
#define MOST_PENDING  4096
#define MOST_PROPERTY 32

typedef struct Kernel {
    char name[128];
    unsigned long long launches, ns;
} Kernel;

typedef struct Pending {
    cl_event event;
    Kernel *kernel;
} Pending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Kernel kernels[MOST_KERNELS];
static Pending pending[MOST_PENDING];
static unsigned kernel_count, pending_count;

/* The function of the library behind this one. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static Kernel *find(const char *name)
{
    for (unsigned i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    if (kernel_count == MOST_KERNELS)
        return NULL;
    snprintf(kernels[kernel_count].name, sizeof kernels[0].name, "%s", name);
    return &kernels[kernel_count++];
}

/* Wait for all launches, and add what they took. With the lock held. */
static void drain(void)
{
    for (unsigned i = 0; i < pending_count; i++) {
        cl_ulong start = 0, end = 0;

        if (clWaitForEvents(1, &pending[i].event) == CL_SUCCESS &&
            clGetEventProfilingInfo(pending[i].event, CL_PROFILING_COMMAND_START, sizeof start,
                                    &start, NULL) == CL_SUCCESS &&
            clGetEventProfilingInfo(pending[i].event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                    NULL) == CL_SUCCESS) {
            pending[i].kernel->launches++;
            pending[i].kernel->ns += end - start;
        }
        clReleaseEvent(pending[i].event);
    }
    pending_count = 0;
}

static void drain_locked(void)
{
    pthread_mutex_lock(&lock);
    drain();
    pthread_mutex_unlock(&lock);
}

static void write_all(void)
{
    const char *path = getenv("BENCH_LAYER");
    FILE *to = path != NULL ? fopen(path, "w") : NULL;

    drain_locked();
    for (unsigned i = 0; i < kernel_count && to != NULL; i++)
        fprintf(to, "%s %llu %llu\n", kernels[i].name, kernels[i].launches, kernels[i].ns);
    if (to != NULL)
        fclose(to);
}

static unsigned long long cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

/* The kernel's record; with the lock held. */
static Kernel *record_of(cl_kernel k)
{
    static int is_open;
    char name[128] = "?";

    clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    if (!is_open) /* before the handlers of the driver, which is loaded by now */
        atexit(write_all);
    is_open = 1;
    return find(name);
}

static void note(cl_kernel k, cl_event e)
{
    Kernel *at;

    pthread_mutex_lock(&lock);
    at = record_of(k);
    if (pending_count == MOST_PENDING)
        drain();
    if (at != NULL)
        pending[pending_count++] = (Pending){e, at};
    pthread_mutex_unlock(&lock);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count,
                              const cl_event *waits, cl_event *event)
{
    int by_cpu = getenv("BENCH_LAYER_CPU") != NULL;
    unsigned long long start;
    cl_event own;
    cl_int st;

    if (by_cpu)
        NEXT(clFinish)(q);
    start = cpu_ns();
    st = NEXT(clEnqueueNDRangeKernel)(q, k, dims, offset, global, local, count, waits, &own);
    if (st != CL_SUCCESS)
        return st;
    if (by_cpu) {
        Kernel *at;

        NEXT(clFinish)(q);
        pthread_mutex_lock(&lock);
        at = record_of(k);
        if (at != NULL) {
            at->ns += cpu_ns() - start;
            at->launches++;
        }
        pthread_mutex_unlock(&lock);
    }
    if (event != NULL) {
        clRetainEvent(own);
        *event = own;
    }
    if (by_cpu)
        clReleaseEvent(own);
    else
        note(k, own);
    return CL_SUCCESS;
}

cl_int clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint count, const cl_event *waits,
                     cl_event *event)
{
    const size_t one = 1;

    return clEnqueueNDRangeKernel(q, k, 1, NULL, &one, &one, count, waits, event);
}

cl_int clFinish(cl_command_queue q)
{
    cl_int st = NEXT(clFinish)(q);

    drain_locked();
    return st;
}

cl_int clReleaseCommandQueue(cl_command_queue q)
{
    drain_locked();
    return NEXT(clReleaseCommandQueue)(q);
}

cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties p,
                                      cl_int *error)
{
    return NEXT(clCreateCommandQueue)(c, d, p | CL_QUEUE_PROFILING_ENABLE, error);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d,
                                                    const cl_queue_properties *p, cl_int *error)
{
    cl_queue_properties list[MOST_PROPERTY + 3] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE};
    unsigned count = 2;

    for (; p != NULL && p[0] != 0 && count < MOST_PROPERTY; p += 2) {
        if (p[0] == CL_QUEUE_PROPERTIES) {
            list[1] |= p[1];
            continue;
        }
        list[count++] = p[0];
        list[count++] = p[1];
    }
    return NEXT(clCreateCommandQueueWithProperties)(c, d, list, error);
}

cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint most, cl_device_id *devices,
                      cl_uint *count)
{
    (void)type;
    return NEXT(clGetDeviceIDs)(p, CL_DEVICE_TYPE_ALL, most, devices, count);
}

cl_context clCreateContextFromType(const cl_context_properties *p, cl_device_type type,
                                   void(CL_CALLBACK *tell)(const char *, const void *, size_t,
                                                           void *),
                                   void *user, cl_int *error)
{
    (void)type;
    return NEXT(clCreateContextFromType)(p, CL_DEVICE_TYPE_ALL, tell, user, error);
}
