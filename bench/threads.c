/* bench/threads.c -- what a launch that all threads share takes, by the work in it and by the pause
 * before it.
 *
 *     cc -O2 bench/threads.c -o build/bench-threads -lOpenCL
 *     OCL_ICD_VENDORS=build/libheddle-cl.so build/bench-threads
 *
 * 256 groups of 64 work-items do some rounds of two multiply-adds each. Printed are microseconds
 * from enqueue to the end of clFinish, the median and the 95th percentile for each pause, and what
 * one of 500 launches takes that are enqueued together. Takes the first platform's first device.
 *
 * SPDX-License-Identifier: MIT
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LAUNCHES 800u
#define WARM_UP  20u
#define QUEUED   500u

static const char *source = "kernel void work(global float *out, int rounds) {\n"
                            "    size_t i = get_global_id(0);\n"
                            "    float a = i * 1e-3f, b = a + 1;\n"
                            "    for (int k = 0; k < rounds; k++) {\n"
                            "        a = fma(a, 0.999f, b);\n"
                            "        b = fma(b, 0.998f, a * 1e-3f);\n"
                            "    }\n"
                            "    out[i] = a + b;\n"
                            "}\n";

static const int rounds[] = {25, 100, 400, 1600, 6400};
static const double pauses_us[] = {0, 20, 100, 1000};

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void must(const char *what, cl_int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "threads: %s: %d\n", what, code);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void launch(cl_command_queue queue, cl_kernel kernel)
{
    size_t global = 16384, local = 64;

    must("clEnqueueNDRangeKernel",
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

static void measure_pause(cl_command_queue queue, cl_kernel kernel, double pause_us)
{
    static double took[LAUNCHES];

    for (unsigned i = 0; i < WARM_UP + LAUNCHES; i++) {
        double start = now_us(), end;

        launch(queue, kernel);
        must("clFinish", clFinish(queue));
        end = now_us();
        if (i >= WARM_UP)
            took[i - WARM_UP] = end - start;
        while (now_us() - end < pause_us)
            continue;
    }
    qsort(took, LAUNCHES, sizeof *took, by_size);
    printf("  %8.1f %8.1f", took[LAUNCHES / 2], took[LAUNCHES * 95 / 100]);
}

static void measure_queue(cl_command_queue queue, cl_kernel kernel)
{
    double start = now_us();

    for (unsigned i = 0; i < QUEUED; i++)
        launch(queue, kernel);
    must("clFinish", clFinish(queue));
    printf("  %8.1f\n", (now_us() - start) / QUEUED);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem out;
    cl_int code;

    must("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
    must("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must("clCreateContext", code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    must("clCreateCommandQueueWithProperties", code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    must("clCreateProgramWithSource", code);
    must("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL));
    kernel = clCreateKernel(program, "work", &code);
    must("clCreateKernel", code);
    out = clCreateBuffer(context, CL_MEM_READ_WRITE, 16384 * sizeof(float), NULL, &code);
    must("clCreateBuffer", code);
    must("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof out, &out));
    printf("rounds ");
    for (unsigned p = 0; p < sizeof pauses_us / sizeof *pauses_us; p++)
        printf("  pause %4.0f      95%%", pauses_us[p]);
    printf("    queued\n");
    for (unsigned i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        printf("%6d ", rounds[i]);
        must("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof rounds[i], &rounds[i]));
        for (unsigned p = 0; p < sizeof pauses_us / sizeof *pauses_us; p++)
            measure_pause(queue, kernel, pauses_us[p]);
        measure_queue(queue, kernel);
    }
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
