/* examples/mandelbrot/main.c -- a picture from a SPIR-V kernel, on any OpenCL device.
 *
 *   mandelbrot [--device NAME] [--output FILE.png] [--size WIDTHxHEIGHT] KERNEL.spv
 *
 * An ordinary OpenCL program: it goes through the ICD loader and knows no driver. It loads the
 * module with clCreateProgramWithIL, runs it, compares every pixel with a reference in plain C,
 * writes the picture as PNG and prints what was measured. Exit status 1 when a call fails or
 * the picture is wrong.
 *
 * NAME is part of a device's or platform's name; without it, the environment's EXAMPLE_DEVICE
 * counts, and else the first device is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE          200809L
#define CL_TARGET_OPENCL_VERSION 300
#include "reference.h"

#include <CL/cl.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RUNS = 10,
    TOLERANCE = 2,   /* of 255: colours go through log2 */
    MAY_DIFFER = 500 /* one pixel of so many */
};

typedef struct {
    const char *module;
    const char *output;
    const char *device;
    View view;
} Command;

typedef struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem picture;
} Work;

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Names the call that failed. */
static bool good(cl_int code, const char *call)
{
    if (code != CL_SUCCESS)
        fprintf(stderr, "mandelbrot: %s failed with code %d\n", call, (int)code);
    return code == CL_SUCCESS;
}

/* ---- the device ---------------------------------------------------------------------- */

static bool is_wanted(cl_platform_id platform, cl_device_id device, const char *name)
{
    char text[256] = "";

    if (name == NULL)
        return true;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL);
    if (strstr(text, name) != NULL)
        return true;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL);
    return strstr(text, name) != NULL;
}

static bool find_device(const char *name, Work *w)
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint nplatforms = 0;

    if (!good(clGetPlatformIDs(16, platforms, &nplatforms), "clGetPlatformIDs"))
        return false;
    for (cl_uint p = 0; p < nplatforms && p < 16; p++) {
        cl_uint n = 0;

        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &n) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < n && d < 16; d++)
            if (is_wanted(platforms[p], devices[d], name)) {
                w->platform = platforms[p];
                w->device = devices[d];
                return true;
            }
    }
    fprintf(stderr, "mandelbrot: no OpenCL device%s%s\n", name != NULL ? " like " : "",
            name != NULL ? name : "");
    return false;
}

static void print_device(const Work *w)
{
    char text[256] = "";

    clGetPlatformInfo(w->platform, CL_PLATFORM_NAME, sizeof text, text, NULL);
    printf("platform   %s\n", text);
    clGetDeviceInfo(w->device, CL_DEVICE_NAME, sizeof text, text, NULL);
    printf("device     %s\n", text);
    clGetDeviceInfo(w->device, CL_DRIVER_VERSION, sizeof text, text, NULL);
    printf("driver     %s", text);
    clGetDeviceInfo(w->device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    printf(", %s\n", text);
}

static bool open_device(const char *name, Work *w)
{
    cl_int code;

    if (!find_device(name, w))
        return false;
    print_device(w);
    w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &code);
    if (!good(code, "clCreateContext"))
        return false;
    w->queue = clCreateCommandQueueWithProperties(w->context, w->device, NULL, &code);
    return good(code, "clCreateCommandQueueWithProperties");
}

/* ---- the program --------------------------------------------------------------------- */

static unsigned char *read_module(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    unsigned char *data = NULL;
    long end;

    if (f != NULL && fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) > 0) {
        rewind(f);
        *bytes = (size_t)end;
        data = malloc(*bytes);
        if (data != NULL && fread(data, 1, *bytes, f) != *bytes) {
            free(data);
            data = NULL;
        }
    }
    if (f != NULL)
        fclose(f);
    if (data == NULL)
        fprintf(stderr, "mandelbrot: cannot read %s\n", path);
    return data;
}

static void print_build_log(const Work *w)
{
    char log[4096] = "";

    clGetProgramBuildInfo(w->program, w->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
}

static bool build(const char *path, Work *w)
{
    unsigned char *module;
    size_t bytes;
    double start;
    cl_int code;

    module = read_module(path, &bytes);
    if (module == NULL)
        return false;
    start = now_ms();
    w->program = clCreateProgramWithIL(w->context, module, bytes, &code);
    free(module);
    if (!good(code, "clCreateProgramWithIL"))
        return false;
    if (!good(clBuildProgram(w->program, 1, &w->device, "", NULL, NULL), "clBuildProgram")) {
        print_build_log(w);
        return false;
    }
    w->kernel = clCreateKernel(w->program, "mandelbrot", &code);
    if (!good(code, "clCreateKernel"))
        return false;
    printf("module     %s, %zu bytes of SPIR-V\n", path, bytes);
    printf("compile    %.2f ms\n", now_ms() - start);
    return true;
}

/* ---- the run ------------------------------------------------------------------------- */

static bool set_arguments(const View *v, Work *w)
{
    const struct {
        size_t bytes;
        const void *value;
    } args[] = {
        {sizeof w->picture, &w->picture},   {sizeof v->width, &v->width},
        {sizeof v->height, &v->height},     {sizeof v->centre_x, &v->centre_x},
        {sizeof v->centre_y, &v->centre_y}, {sizeof v->step, &v->step},
        {sizeof v->limit, &v->limit},
    };
    cl_int code;

    w->picture = clCreateBuffer(w->context, CL_MEM_WRITE_ONLY, (size_t)v->width * v->height * 4,
                                NULL, &code);
    if (!good(code, "clCreateBuffer"))
        return false;
    for (cl_uint i = 0; i < sizeof args / sizeof args[0]; i++)
        if (!good(clSetKernelArg(w->kernel, i, args[i].bytes, args[i].value), "clSetKernelArg"))
            return false;
    return true;
}

/* Runs the kernel several times; the first run pays for what is compiled late. */
static bool run(const View *v, Work *w, double *best_ms)
{
    const size_t global[2] = {v->width, v->height};
    double first_ms = 0;

    if (!set_arguments(v, w))
        return false;
    for (int i = 0; i <= RUNS; i++) {
        double start = now_ms();
        double ms;

        if (!good(clEnqueueNDRangeKernel(w->queue, w->kernel, 2, NULL, global, NULL, 0, NULL, NULL),
                  "clEnqueueNDRangeKernel") ||
            !good(clFinish(w->queue), "clFinish"))
            return false;
        ms = now_ms() - start;
        if (i == 0)
            first_ms = ms;
        else if (i == 1 || ms < *best_ms)
            *best_ms = ms;
    }
    printf("first run  %.2f ms\n", first_ms);
    return true;
}

static bool check(const View *v, const uint8_t *picture, double best_ms)
{
    size_t pixels = (size_t)v->width * v->height;
    uint64_t iterations;
    double start = now_ms();
    size_t differ = compare_with_reference(v, picture, TOLERANCE, &iterations);
    double host_ms = now_ms() - start;
    bool right = differ <= pixels / MAY_DIFFER;

    printf("run        %.2f ms, the best of %d: %.2f Gstep/s\n", best_ms, RUNS,
           (double)iterations / best_ms * 1e-6);
    printf("reference  %.2f ms in plain C on one core: %.2f Gstep/s\n", host_ms,
           (double)iterations / host_ms * 1e-6);
    printf("check      %zu of %zu pixels differ by more than %d/255: %s\n", differ, pixels,
           TOLERANCE, right ? "right" : "WRONG");
    return right;
}

static bool write_png(const char *path, const View *v, const uint8_t *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = v->width,
                       .height = v->height,
                       .format = PNG_FORMAT_RGBA};

    if (!png_image_write_to_file(&image, path, 0, picture, 0, NULL)) {
        fprintf(stderr, "mandelbrot: cannot write %s: %s\n", path, image.message);
        return false;
    }
    printf("picture    %s, %u x %u\n", path, (unsigned)v->width, (unsigned)v->height);
    return true;
}

static void close_all(Work *w)
{
    if (w->picture != NULL)
        clReleaseMemObject(w->picture);
    if (w->kernel != NULL)
        clReleaseKernel(w->kernel);
    if (w->program != NULL)
        clReleaseProgram(w->program);
    if (w->queue != NULL)
        clReleaseCommandQueue(w->queue);
    if (w->context != NULL)
        clReleaseContext(w->context);
}

static bool make_picture(const Command *cmd, Work *w)
{
    size_t bytes = (size_t)cmd->view.width * cmd->view.height * 4;
    uint8_t *picture = malloc(bytes);
    double best_ms = 0;
    bool done;

    if (picture == NULL) {
        fprintf(stderr, "mandelbrot: out of memory\n");
        return false;
    }
    done =
        open_device(cmd->device, w) && build(cmd->module, w) && run(&cmd->view, w, &best_ms) &&
        good(clEnqueueReadBuffer(w->queue, w->picture, CL_TRUE, 0, bytes, picture, 0, NULL, NULL),
             "clEnqueueReadBuffer");
    if (done) {
        bool right = check(&cmd->view, picture, best_ms);

        done = write_png(cmd->output, &cmd->view, picture) && right;
    }
    free(picture);
    return done;
}

static bool read_command(int argc, char **argv, Command *cmd)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (argv[i][0] != '-' && cmd->module == NULL) {
            cmd->module = argv[i];
            continue;
        }
        if (value == NULL)
            return false;
        if (strcmp(argv[i], "--device") == 0)
            cmd->device = value;
        else if (strcmp(argv[i], "--output") == 0)
            cmd->output = value;
        else if (strcmp(argv[i], "--size") != 0 ||
                 sscanf(value, "%ux%u", &cmd->view.width, &cmd->view.height) != 2)
            return false;
        i++;
    }
    return cmd->module != NULL && cmd->view.width > 0 && cmd->view.height > 0 &&
           cmd->view.width <= 16384 && cmd->view.height <= 16384;
}

int main(int argc, char **argv)
{
    Command cmd = {.output = "mandelbrot.png",
                   .device = getenv("EXAMPLE_DEVICE"),
                   .view = {.width = 1024,
                            .height = 768,
                            .centre_x = -0.7445f,
                            .centre_y = 0.1325f,
                            .limit = 1000}};
    Work work = {0};
    bool done;

    if (!read_command(argc, argv, &cmd)) {
        fprintf(stderr, "usage: mandelbrot [--device NAME] [--output FILE.png] "
                        "[--size WIDTHxHEIGHT] KERNEL.spv\n");
        return 2;
    }
    cmd.view.step = 0.0085f / (float)cmd.view.width;
    done = make_picture(&cmd, &work);
    close_all(&work);
    return done ? 0 : 1;
}
