/* tests/kernels/harness.c -- programs, buffers, launches and timing for the kernel cases.
 *
 * Uses the oldest entry points that do the work, so that a young driver can run it. The
 * comparisons are in verdicts.c.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "harness_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GUARD_BYTES = 64, GUARD_VALUE = 0xA5, MAX_ROUNDS = 20000 };

double kc_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Of all threads of the process: what a busy machine does not stretch. Threads that run on other
 * processors are counted up to their last clock tick, so only sums over several rounds are right.
 */
static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* A test program without memory has nothing better to do than say so. */
static void *grow(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);

    if (p == NULL) {
        fprintf(stderr, "kernels: out of memory (%zu bytes)\n", bytes);
        exit(2);
    }
    return p;
}

/* ---- errors -------------------------------------------------------------------------- */

void kc_fail(Kc *c, const char *format, ...)
{
    va_list ap;

    if (c->result->verdict != KC_OK)
        return;
    c->result->verdict = KC_FAILED;
    va_start(ap, format);
    vsnprintf(c->result->reason, sizeof c->result->reason, format, ap);
    va_end(ap);
}

static void skip(Kc *c, const char *why)
{
    if (c->result->verdict != KC_OK)
        return;
    c->result->verdict = KC_SKIPPED;
    snprintf(c->result->reason, sizeof c->result->reason, "%s", why);
}

bool kc_call(Kc *c, cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return true;
    kc_fail(c, "%s: %s (%d)", call, kc_error_name(code), (int)code);
    return false;
}

/* ---- inputs -------------------------------------------------------------------------- */

size_t kc_pick(const Kc *c, size_t small, size_t large)
{
    return c->opt->large ? large : small;
}

size_t kc_ceil_div(size_t n, size_t step)
{
    return (n + step - 1) / step;
}

void *kc_alloc(Kc *c, size_t bytes)
{
    void *p = grow(NULL, bytes + 1);

    memset(p, 0, bytes + 1);
    c->allocations = grow(c->allocations, (c->nallocations + 1) * sizeof(void *));
    c->allocations[c->nallocations++] = p;
    return p;
}

/* SplitMix64: short, and good enough for test data. */
uint32_t kc_random(Kc *c, uint32_t below)
{
    uint64_t z = c->random += 0x9E3779B97F4A7C15u;
    uint32_t high;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    high = (uint32_t)((z ^ (z >> 31)) >> 32);
    return below == 0 ? high : (uint32_t)(((uint64_t)high * below) >> 32);
}

float *kc_floats(Kc *c, size_t n, float low, float high)
{
    float *p = kc_alloc(c, n * sizeof *p);

    for (size_t i = 0; i < n; i++)
        p[i] = low + (high - low) * ((float)kc_random(c, 1u << 24) / 16777216.0f);
    return p;
}

uint32_t *kc_words(Kc *c, size_t n, uint32_t below)
{
    uint32_t *p = kc_alloc(c, n * sizeof *p);

    for (size_t i = 0; i < n; i++)
        p[i] = kc_random(c, below);
    return p;
}

uint8_t *kc_bytes(Kc *c, size_t n, uint32_t below)
{
    uint8_t *p = kc_alloc(c, n);

    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)kc_random(c, below == 0 ? 256 : below);
    return p;
}

bool kc_needs_fp64(Kc *c)
{
    if (!c->dev->fp64)
        skip(c, "the device has no double precision");
    return c->dev->fp64;
}

const KcDevice *kc_device(const Kc *c)
{
    return c->dev;
}

/* ---- buffers ------------------------------------------------------------------------- */

cl_mem kc_buffer(Kc *c, size_t bytes, const void *init)
{
    unsigned char *fill;
    cl_mem buffer;
    cl_int code;

    if (c->result->verdict != KC_OK)
        return NULL;
    buffer = clCreateBuffer(c->dev->context, CL_MEM_READ_WRITE, bytes + GUARD_BYTES, NULL, &code);
    if (!kc_call(c, code, "clCreateBuffer"))
        return NULL;
    c->buffers = grow(c->buffers, (c->nbuffers + 1) * sizeof *c->buffers);
    c->buffers[c->nbuffers++] = (KcBuffer){buffer, bytes};

    fill = grow(NULL, bytes + GUARD_BYTES);
    memset(fill, GUARD_VALUE, bytes + GUARD_BYTES);
    if (init != NULL)
        memcpy(fill, init, bytes);
    kc_write(c, buffer, fill, bytes + GUARD_BYTES);
    free(fill);
    return buffer;
}

void kc_write(Kc *c, cl_mem buffer, const void *data, size_t bytes)
{
    if (c->result->verdict != KC_OK)
        return;
    kc_call(c, clEnqueueWriteBuffer(c->dev->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
}

void kc_read(Kc *c, cl_mem buffer, void *data, size_t bytes)
{
    if (c->result->verdict != KC_OK)
        return;
    kc_call(c, clEnqueueReadBuffer(c->dev->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
            "clEnqueueReadBuffer");
}

void kc_copy(Kc *c, cl_mem from, cl_mem to, size_t bytes)
{
    if (c->result->verdict != KC_OK)
        return;
    kc_call(c, clEnqueueCopyBuffer(c->dev->queue, from, to, 0, 0, bytes, 0, NULL, NULL),
            "clEnqueueCopyBuffer");
}

/* A store past the end of a buffer lands in its guard. */
static void check_guards(Kc *c)
{
    unsigned char guard[GUARD_BYTES];

    for (size_t i = 0; i < c->nbuffers && c->result->verdict == KC_OK; i++) {
        if (!kc_call(c,
                     clEnqueueReadBuffer(c->dev->queue, c->buffers[i].mem, CL_TRUE,
                                         c->buffers[i].bytes, GUARD_BYTES, guard, 0, NULL, NULL),
                     "clEnqueueReadBuffer (guard)"))
            return;
        for (size_t b = 0; b < GUARD_BYTES; b++)
            if (guard[b] != GUARD_VALUE)
                kc_fail(c, "buffer %zu of %zu bytes was written %zu bytes past its end", i,
                        c->buffers[i].bytes, b + 1);
    }
}

/* ---- programs ------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t have = 0;
    size_t got;

    if (f == NULL)
        return NULL;
    do {
        text = grow(text, have + 65536 + 1);
        got = fread(text + have, 1, 65536, f);
        have += got;
    } while (got > 0);
    fclose(f);
    text[have] = '\0';
    *length = have;
    return text;
}

static void print_build_log(Kc *c)
{
    size_t size = 0;
    char *log;

    if (clGetProgramBuildInfo(c->program, c->dev->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
            CL_SUCCESS ||
        size <= 1)
        return;
    log = grow(NULL, size + 1);
    log[0] = log[size] = '\0';
    clGetProgramBuildInfo(c->program, c->dev->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    fprintf(stderr, "build log of %s:\n%s\n", c->name, log);
    free(log);
}

static void build_program(Kc *c)
{
    const KcOptions *o = c->opt;
    bool il = o->il_file != NULL || o->il_dir != NULL;
    char options[512];
    char path[1024];
    double start;
    size_t length;
    const char *source;
    char *text;
    cl_int code;

    if (o->il_file != NULL)
        snprintf(path, sizeof path, "%s", o->il_file);
    else
        snprintf(path, sizeof path, "%s/%s.%s", il ? o->il_dir : o->cl_dir,
                 c->program_name != NULL ? c->program_name : c->name, il ? "spv" : "cl");
    text = read_file(path, &length);
    if (text == NULL && o->il_dir != NULL && o->il_file == NULL) {
        skip(c, "no module in the folder of --il-dir");
        return;
    }
    if (text == NULL) {
        kc_fail(c, "cannot read %s", path);
        return;
    }
    snprintf(options, sizeof options, "%s%s%s", il ? "" : "-cl-std=CL3.0",
             o->build_options != NULL && !il ? " " : "",
             o->build_options != NULL ? o->build_options : "");

    source = text;
    start = kc_now_ms();
    if (il)
        c->program = clCreateProgramWithIL(c->dev->context, text, length, &code);
    else
        c->program = clCreateProgramWithSource(c->dev->context, 1, &source, &length, &code);
    free(text);
    if (!kc_call(c, code, il ? "clCreateProgramWithIL" : "clCreateProgramWithSource"))
        return;
    code = clBuildProgram(c->program, 1, &c->dev->device, options, NULL, NULL);
    c->result->build_ms += kc_now_ms() - start;
    if (!kc_call(c, code, "clBuildProgram"))
        print_build_log(c);
}

void kc_program(Kc *c, const char *name)
{
    c->program_name = name;
}

cl_kernel kc_kernel(Kc *c, const char *name)
{
    cl_kernel kernel;
    double start;
    cl_int code;

    if (c->result->verdict == KC_OK && c->program == NULL)
        build_program(c);
    if (c->result->verdict != KC_OK)
        return NULL;
    start = kc_now_ms();
    kernel = clCreateKernel(c->program, name, &code);
    c->result->build_ms += kc_now_ms() - start;
    if (!kc_call(c, code, "clCreateKernel"))
        return NULL;
    c->kernels = grow(c->kernels, (c->nkernels + 1) * sizeof(cl_kernel));
    c->kernels[c->nkernels++] = kernel;
    return kernel;
}

/* One value of any argument type, taken from a va_list. */
typedef union {
    cl_mem m;
    cl_int i;
    cl_uint u;
    cl_ulong L;
    cl_float f;
    cl_double d;
} ArgValue;

void kc_args(Kc *c, cl_kernel k, const char *format, ...)
{
    char call[64];
    va_list ap;

    if (c->result->verdict != KC_OK)
        return;
    va_start(ap, format);
    for (cl_uint n = 0; format[n] != '\0'; n++) {
        const void *value;
        ArgValue v;
        size_t size = 0;

        value = &v;
        switch (format[n]) {
        case 'm': v.m = va_arg(ap, cl_mem), size = sizeof v.m; break;
        case 'i': v.i = va_arg(ap, cl_int), size = sizeof v.i; break;
        case 'u': v.u = va_arg(ap, cl_uint), size = sizeof v.u; break;
        case 'L': v.L = va_arg(ap, cl_ulong), size = sizeof v.L; break;
        case 'f': v.f = (cl_float)va_arg(ap, double), size = sizeof v.f; break;
        case 'd': v.d = va_arg(ap, double), size = sizeof v.d; break;
        case 'v': size = va_arg(ap, size_t), value = va_arg(ap, const void *); break;
        case 'l': value = NULL, size = va_arg(ap, size_t); break;
        default: kc_fail(c, "kc_args: unknown letter '%c'", format[n]); break;
        }
        if (c->result->verdict != KC_OK)
            break;
        snprintf(call, sizeof call, "clSetKernelArg %u", (unsigned)n);
        if (!kc_call(c, clSetKernelArg(k, n, size, value), call))
            break;
    }
    va_end(ap);
}

/* ---- launches ------------------------------------------------------------------------ */

void kc_launch(Kc *c, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
               const size_t *local)
{
    size_t whole[3];

    if (c->result->verdict != KC_OK)
        return;
    for (cl_uint d = 0; d < dims; d++) {
        whole[d] = global[d];
        if (local != NULL && !c->dev->non_uniform)
            whole[d] = kc_ceil_div(global[d], local[d]) * local[d];
    }
    c->launches++;
    kc_call(c, clEnqueueNDRangeKernel(c->dev->queue, k, dims, offset, whole, local, 0, NULL, NULL),
            "clEnqueueNDRangeKernel");
}

void kc_launch_1d(Kc *c, cl_kernel k, size_t global, size_t local)
{
    kc_launch(c, k, 1, NULL, &global, local == 0 ? NULL : &local);
}

void kc_launch_2d(Kc *c, cl_kernel k, size_t gx, size_t gy, size_t lx, size_t ly)
{
    const size_t global[2] = {gx, gy};
    const size_t local[2] = {lx, ly};

    kc_launch(c, k, 2, NULL, global, lx == 0 ? NULL : local);
}

bool kc_again(Kc *c)
{
    if (c->result->verdict != KC_OK || c->result->rounds >= MAX_ROUNDS)
        return false;
    return c->result->rounds < c->opt->repeat || c->total_ms < c->opt->min_time_ms;
}

void kc_work(Kc *c, double bytes, double flops, bool is_double)
{
    c->result->bytes = bytes;
    c->result->flops = flops;
    c->result->is_double = is_double;
}

void kc_begin(Kc *c)
{
    c->launches = 0;
    c->round_cpu = cpu_ms();
    c->round_start = kc_now_ms();
}

void kc_end(Kc *c)
{
    unsigned n = c->result->rounds;
    double ms;

    if (c->result->verdict != KC_OK || !kc_call(c, clFinish(c->dev->queue), "clFinish"))
        return;
    ms = kc_now_ms() - c->round_start;
    if (n <= 1)
        c->total_cpu = 0; /* the first round counts only when alone */
    c->total_cpu += cpu_ms() - c->round_cpu;
    c->result->cpu_ms = c->total_cpu / (n > 1 ? n : 1);
    if ((n & (n + 1)) == 0) /* room for twice as many whenever a power of two is full */
        c->times = grow(c->times, 2 * ((size_t)n + 1) * sizeof(double));
    c->times[n] = ms;
    c->total_ms += ms;
    c->result->rounds = n + 1;
    c->result->launches = c->launches;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The first round pays for what a driver compiles late, so it counts only when alone. */
static void sum_up_times(Kc *c)
{
    unsigned n = c->result->rounds;
    unsigned from = n > 1 ? 1 : 0;

    if (n == 0)
        return;
    c->result->first_ms = c->times[0];
    qsort(c->times + from, n - from, sizeof(double), by_value);
    c->result->best_ms = c->times[from];
    c->result->median_ms = c->times[from + (n - from) / 2];
}

void kc_run(const KcDevice *dev, const KcOptions *opt, const char *name, KcCase *run, KcResult *out)
{
    Kc c = {.dev = dev, .opt = opt, .name = name, .result = out, .random = 20260101};

    memset(out, 0, sizeof *out);
    out->exact = true;
    out->digest = 0xCBF29CE484222325u;
    run(&c);
    check_guards(&c);
    if (out->verdict == KC_OK && c.checks == 0)
        kc_fail(&c, "the case compared nothing");
    sum_up_times(&c);

    clFinish(dev->queue);
    for (size_t i = 0; i < c.nkernels; i++)
        clReleaseKernel(c.kernels[i]);
    if (c.program != NULL)
        clReleaseProgram(c.program);
    for (size_t i = 0; i < c.nbuffers; i++)
        clReleaseMemObject(c.buffers[i].mem);
    for (size_t i = 0; i < c.nallocations; i++)
        free(c.allocations[i]);
    free(c.kernels);
    free(c.buffers);
    free(c.allocations);
    free(c.times);
}
