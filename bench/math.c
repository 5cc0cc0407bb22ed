/* bench/math.c -- nanoseconds of processor time for each function of mathematics inside a kernel.
 *
 *     cc -O2 bench/math.c -o build/bench-math -lOpenCL
 *     OCL_ICD_VENDORS=DRIVER build/bench-math [float|double|half|native] [FUNCTION …]
 *
 * Each work-item sums a function over 64 operands, so that memory and launches do not count; the
 * best of five rounds, a line `function ns` for each.
 *
 * SPDX-License-Identifier: MIT
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ITEMS 262144
#define CALLS 64

static const char *const functions[] = {
    "acos(v*.05f)",   "acosh(v+1)",  "asin(v*.05f)", "asinh(v)",  "atan(v)",    "atan2(v,w)",
    "atanh(v*.05f)",  "cbrt(v)",     "cos(v)",       "cosh(v)",   "erf(v*.2f)", "erfc(v*.2f)",
    "exp(-v)",        "exp10(-v)",   "exp2(-v)",     "expm1(-v)", "fmod(v,w)",  "hypot(v,w)",
    "lgamma(v)",      "log(v)",      "log10(v)",     "log1p(v)",  "log2(v)",    "pow(v,w)",
    "remainder(v,w)", "rsqrt(v)",    "sin(v)",       "sinh(v)",   "sinpi(v)",   "sqrt(v)",
    "tan(v)",         "tanh(v*.2f)", "tgamma(v)",    "v/w"};

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void give_up(const char *what, cl_int error)
{
    fprintf(stderr, "math: %s: %d\n", what, error);
    exit(1);
}

/* Nanoseconds a call; negative when the function is not there. */
static double measure(cl_context c, cl_command_queue q, cl_device_id d, cl_mem out,
                      const char *type, const char *call)
{
    char source[1024];
    const char *text = source;
    const size_t items = ITEMS, local = 64;
    double best = 1e30;
    cl_program p;
    cl_kernel k;
    cl_int error;

    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef %s T;\n"
             "kernel void k(global T *out, float step) { size_t i = get_global_id(0);\n"
             "T v = (T)(i & 1023) * (T)step + (T).01f, w = (T)1.7f, s = (T)0;\n"
             "for (int j = 0; j < %d; j++) { s += %s; v += (T)step; w += (T)step; }\n"
             "out[i] = s; }\n",
             type, CALLS, call);
    p = clCreateProgramWithSource(c, 1, &text, NULL, &error);
    if (clBuildProgram(p, 1, &d, "", NULL, NULL) != CL_SUCCESS)
        return -1.0;
    k = clCreateKernel(p, "k", &error);
    if (error != CL_SUCCESS)
        return -1.0;
    clSetKernelArg(k, 0, sizeof out, &out);
    clSetKernelArg(k, 1, sizeof(cl_float), &(cl_float){0.0078125f});
    for (int round = 0; round < 6; round++) {
        double start = now_ns(), took;

        for (int i = 0; i < 2; i++)
            error |= clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &local, 0, NULL, NULL);
        error |= clFinish(q);
        took = (now_ns() - start) / (2.0 * ITEMS * CALLS);
        best = round > 0 && took < best ? took : best;
    }
    clReleaseKernel(k);
    clReleaseProgram(p);
    return error == CL_SUCCESS ? best : -1.0;
}

int main(int argc, char **argv)
{
    const char *type = argc > 1 ? argv[1] : "float";
    int native = strcmp(type, "native") == 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_command_queue queue;
    cl_context context;
    cl_int error;
    cl_mem out;

    type = native ? "float" : type;
    if ((error = clGetPlatformIDs(1, &platform, NULL)) != CL_SUCCESS ||
        (error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) != CL_SUCCESS)
        give_up("no device", error);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        give_up("no context", error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    if (error != CL_SUCCESS)
        give_up("no queue", error);
    out = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * 8, NULL, &error);
    if (error != CL_SUCCESS)
        give_up("no buffer", error);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        char call[64];
        size_t name = strcspn(functions[i], "(/");
        int wanted = argc <= 2;

        for (int a = 2; a < argc; a++)
            wanted |= strlen(argv[a]) == name && strncmp(argv[a], functions[i], name) == 0;
        snprintf(call, sizeof call, "%s%s", native ? "native_" : "", functions[i]);
        if (wanted) {
            double ns = measure(context, queue, device, out, type, call);

            printf("%-10.*s %s%.3f\n", (int)name, functions[i], ns < 0.0 ? "no " : "", ns);
            fflush(stdout);
        }
    }
    return 0;
}
