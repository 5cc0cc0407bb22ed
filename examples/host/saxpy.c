/* README's saxpy by a host program in C, on the platform that is called Heddle.
 *
 *   cc saxpy.c -o saxpy -lOpenCL
 *   ../../build/heddle exec ./saxpy ../readme/saxpy.cl
 *
 * SPDX-License-Identifier: MIT
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 8

static void fine(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, (int)code);
    exit(1);
}

static cl_platform_id find_heddle(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    char name[64];

    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) /* the loader has no driver at all */
        count = 0;
    for (cl_uint i = 0; i < count && i < 16; i++)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) ==
                CL_SUCCESS &&
            strcmp(name, "Heddle") == 0)
            return platforms[i];
    fputs("there is no platform Heddle: run this by heddle exec\n", stderr);
    exit(1);
}

static cl_program build(cl_context context, cl_device_id device, const char *path)
{
    static char text[1 << 16], log[1 << 16];
    const char *source = text;
    FILE *f = fopen(path, "r");
    size_t length = f != NULL ? fread(text, 1, sizeof text, f) : 0;
    cl_program program;
    cl_int code;

    if (f == NULL || length == sizeof text) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(f);
    program = clCreateProgramWithSource(context, 1, &source, &length, &code);
    fine(code, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
        exit(1);
    }
    return program;
}

int main(int argc, char **argv)
{
    cl_float x[COUNT], y[COUNT], a = 0.5f;
    size_t size = COUNT;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem x_on_device, y_on_device;
    cl_int code;

    for (int i = 0; i < COUNT; i++) {
        x[i] = (cl_float)i;
        y[i] = 1;
    }
    fine(clGetDeviceIDs(find_heddle(), CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    fine(code, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    fine(code, "clCreateCommandQueueWithProperties");
    program = build(context, device, argc > 1 ? argv[1] : "saxpy.cl");
    kernel = clCreateKernel(program, "saxpy", &code);
    fine(code, "clCreateKernel");
    y_on_device = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof y, y, &code);
    fine(code, "clCreateBuffer");
    x_on_device =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &code);
    fine(code, "clCreateBuffer");
    fine(clSetKernelArg(kernel, 0, sizeof y_on_device, &y_on_device), "clSetKernelArg");
    fine(clSetKernelArg(kernel, 1, sizeof x_on_device, &x_on_device), "clSetKernelArg");
    fine(clSetKernelArg(kernel, 2, sizeof a, &a), "clSetKernelArg");
    fine(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    fine(clEnqueueReadBuffer(queue, y_on_device, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    for (int i = 0; i < COUNT; i++)
        printf("%g%s", (double)y[i], i + 1 < COUNT ? ", " : "\n");
    clReleaseMemObject(x_on_device);
    clReleaseMemObject(y_on_device);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
