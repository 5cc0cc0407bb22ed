/* bench/latency.c -- what calls, builds and memory cost on an OpenCL driver: one measurement a
 * process.
 *
 *     latency MEASUREMENT [--il FILE] [--source FILE] [--count N]
 *
 * Takes the first platform's first device (OCL_ICD_VENDORS says which that is) and prints one line
 * of JSON. Times are medians over blocks of operations; `cpu` is what all threads of the process
 * took. bench/latency.py runs this on several drivers and compares.
 *
 * Programs hold the constant MARK, which is replaced by another number for each build, so that no
 * cache has seen it, or by the same numbers again for one that has.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MARK        0x3f123456u
#define MARK_TEXT   "0x3f123456"
#define SMALL_BYTES 4096u
#define LARGE_BYTES (64u << 20)
#define MAX_BLOCKS  64

typedef struct Bench {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, unordered;
    const char *il_path, *source_path;
    bool takes_il; /* else sources are built where IL is asked for */
    unsigned count;
    double open_us;       /* platform, device, context, queue */
    long start_rss_kib;   /* before the first call */
    cl_kernel kernel;     /* of the small program, when a measurement launches */
    cl_mem small, second; /* SMALL_BYTES each */
} Bench;

static void die(const char *what, cl_int code)
{
    fprintf(stderr, "latency: %s: %d\n", what, code);
    exit(1);
}

static void must(const char *what, cl_int code)
{
    if (code != CL_SUCCESS)
        die(what, code);
}

static double now_us(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double wall_us(void)
{
    return now_us(CLOCK_MONOTONIC);
}

/* Of all threads, and of compilers that ran as processes and have ended. */
static double cpu_us(void)
{
    struct rusage r;

    getrusage(RUSAGE_CHILDREN, &r);
    return now_us(CLOCK_PROCESS_CPUTIME_ID) +
           ((double)r.ru_utime.tv_sec + (double)r.ru_stime.tv_sec) * 1e6 +
           (double)r.ru_utime.tv_usec + (double)r.ru_stime.tv_usec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *of, unsigned count)
{
    qsort(of, count, sizeof *of, by_size);
    return count % 2 != 0 ? of[count / 2] : (of[count / 2 - 1] + of[count / 2]) / 2;
}

/* ---- files and programs ------------------------------------------------------------------------
 */

static char *read_file(const char *path, size_t *bytes)
{
    FILE *f = path != NULL ? fopen(path, "rb") : NULL;
    char *at;
    long size;

    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
        die("cannot read the program (--il, --source)", 0);
    rewind(f);
    at = malloc((size_t)size + 1);
    if (at == NULL || fread(at, 1, (size_t)size, f) != (size_t)size)
        die("cannot read the program", 0);
    at[size] = '\0';
    fclose(f);
    *bytes = (size_t)size;
    return at;
}

/* The program with `number` in place of MARK. */
static cl_program make_source(const Bench *b, uint32_t number)
{
    size_t bytes;
    char *text = read_file(b->source_path, &bytes), digits[sizeof MARK_TEXT];
    const char *strings[1] = {text};
    cl_int code;
    cl_program p;

    snprintf(digits, sizeof digits, "0x%08x", (unsigned)number);
    for (char *at = text; (at = strstr(at, MARK_TEXT)) != NULL; at++)
        memcpy(at, digits, sizeof digits - 1);
    p = clCreateProgramWithSource(b->context, 1, strings, NULL, &code);
    must("clCreateProgramWithSource", code);
    free(text);
    return p;
}

static cl_program make_il(const Bench *b, uint32_t number)
{
    size_t bytes;
    char *il;
    cl_int code;
    cl_program p;

    if (!b->takes_il)
        return make_source(b, number);
    il = read_file(b->il_path, &bytes);
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word;

        memcpy(&word, il + i, 4);
        if (word == MARK)
            memcpy(il + i, &number, 4);
    }
    p = clCreateProgramWithIL(b->context, il, bytes, &code);
    must("clCreateProgramWithIL", code);
    free(il);
    return p;
}

static void build(const Bench *b, cl_program p)
{
    char log[4096] = "";
    cl_int code = clBuildProgram(p, 1, &b->device, "", NULL, NULL);

    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(p, b->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    must("clBuildProgram", code);
}

/* Arguments of every kernel here: two buffers and a float. */
static void set_args(const Bench *b, cl_kernel k)
{
    float a = 1;

    must("clSetKernelArg", clSetKernelArg(k, 0, sizeof b->small, &b->small));
    must("clSetKernelArg", clSetKernelArg(k, 1, sizeof b->second, &b->second));
    must("clSetKernelArg", clSetKernelArg(k, 2, sizeof a, &a));
}

static void launch(const Bench *b, cl_command_queue q, cl_kernel k, cl_uint waits,
                   const cl_event *wait, cl_event *event)
{
    size_t global = 64, local = 64;

    (void)b;
    must("clEnqueueNDRangeKernel",
         clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, waits, wait, event));
}

/* Build and run up to `most` kernels of a program. */
static void build_and_run(const Bench *b, cl_program p, unsigned most)
{
    cl_kernel kernels[64];
    cl_uint found;

    build(b, p);
    if (most == 1) {
        cl_int code;

        kernels[0] = clCreateKernel(p, "k0", &code);
        must("clCreateKernel", code);
        found = 1;
    } else {
        must("clCreateKernelsInProgram", clCreateKernelsInProgram(p, 64, kernels, &found));
    }
    for (cl_uint i = 0; i < found; i++) {
        set_args(b, kernels[i]);
        launch(b, b->queue, kernels[i], 0, NULL, NULL);
    }
    must("clFinish", clFinish(b->queue));
    for (cl_uint i = 0; i < found; i++)
        clReleaseKernel(kernels[i]);
}

/* ---- set-up -------------------------------------------------------------------------------------
 */

static long rss_kib(const char *key)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtol(line + strlen(key) + 1, NULL, 10);
    }
    if (f != NULL)
        fclose(f);
    return kib;
}

static bool has_library(const char *name)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4096];
    bool has = false;

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        has = has || strstr(line, name) != NULL;
    if (f != NULL)
        fclose(f);
    return has;
}

static void open_all(Bench *b)
{
    const cl_queue_properties unordered[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    char il[256] = "";
    double start = wall_us();
    cl_int code;

    b->start_rss_kib = rss_kib("VmRSS");
    must("clGetPlatformIDs", clGetPlatformIDs(1, &b->platform, NULL));
    must("clGetDeviceIDs", clGetDeviceIDs(b->platform, CL_DEVICE_TYPE_ALL, 1, &b->device, NULL));
    b->context = clCreateContext(NULL, 1, &b->device, NULL, NULL, &code);
    must("clCreateContext", code);
    b->queue = clCreateCommandQueueWithProperties(b->context, b->device, NULL, &code);
    must("clCreateCommandQueueWithProperties", code);
    b->open_us = wall_us() - start;
    must("clGetDeviceInfo", clGetDeviceInfo(b->device, CL_DEVICE_IL_VERSION, sizeof il, il, NULL));
    b->takes_il = strstr(il, "SPIR-V") != NULL;
    b->unordered = clCreateCommandQueueWithProperties(b->context, b->device, unordered, &code);
    must("clCreateCommandQueueWithProperties", code);
    b->small = clCreateBuffer(b->context, CL_MEM_READ_WRITE, SMALL_BYTES, NULL, &code);
    must("clCreateBuffer", code);
    b->second = clCreateBuffer(b->context, CL_MEM_READ_WRITE, SMALL_BYTES, NULL, &code);
    must("clCreateBuffer", code);
}

static void open_kernel(Bench *b, const char *name)
{
    cl_program p = make_il(b, MARK);
    cl_int code;

    build(b, p);
    b->kernel = clCreateKernel(p, name, &code);
    must("clCreateKernel", code);
    if (strcmp(name, "empty") != 0)
        set_args(b, b->kernel);
    launch(b, b->queue, b->kernel, 0, NULL, NULL);
    must("clFinish", clFinish(b->queue));
}

/* ---- calls --------------------------------------------------------------------------------------
 */

/* One block of `count` operations. */
typedef void Block(Bench *b, unsigned count);

static void empty(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        launch(b, b->queue, b->kernel, 0, NULL, NULL);
        must("clFinish", clFinish(b->queue));
    }
}

static void many(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        launch(b, b->queue, b->kernel, 0, NULL, NULL);
    must("clFinish", clFinish(b->queue));
}

static void chain(Bench *b, unsigned count)
{
    cl_event last = NULL;

    for (unsigned i = 0; i < count; i++) {
        cl_event e;

        launch(b, b->unordered, b->kernel, last != NULL, last != NULL ? &last : NULL, &e);
        if (last != NULL)
            clReleaseEvent(last);
        last = e;
    }
    must("clFinish", clFinish(b->unordered));
    clReleaseEvent(last);
}

static void CL_CALLBACK tell(cl_event e, cl_int status, void *user)
{
    (void)e;
    (void)status;
    atomic_store((atomic_int *)user, 1);
}

/* A launch, its end, and the callback seen by the host, which looks all the time. */
static void callback(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        atomic_int is_told = 0;
        cl_event e;

        launch(b, b->queue, b->kernel, 0, NULL, &e);
        must("clSetEventCallback", clSetEventCallback(e, CL_COMPLETE, tell, &is_told));
        must("clFinish", clFinish(b->queue));
        while (atomic_load(&is_told) == 0)
            sched_yield();
        clReleaseEvent(e);
    }
}

static void map(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        cl_int code;
        void *at = clEnqueueMapBuffer(b->queue, b->small, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      SMALL_BYTES, 0, NULL, NULL, &code);

        must("clEnqueueMapBuffer", code);
        must("unmap", clEnqueueUnmapMemObject(b->queue, b->small, at, 0, NULL, NULL));
        must("clFinish", clFinish(b->queue));
    }
}

static void read_4k(Bench *b, unsigned count)
{
    static char room[SMALL_BYTES];

    for (unsigned i = 0; i < count; i++)
        must("clEnqueueReadBuffer",
             clEnqueueReadBuffer(b->queue, b->small, CL_TRUE, 0, SMALL_BYTES, room, 0, NULL, NULL));
}

static void write_4k(Bench *b, unsigned count)
{
    static char room[SMALL_BYTES];

    for (unsigned i = 0; i < count; i++)
        must("clEnqueueWriteBuffer", clEnqueueWriteBuffer(b->queue, b->small, CL_TRUE, 0,
                                                          SMALL_BYTES, room, 0, NULL, NULL));
}

static void set_value(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float a = (float)i;

        must("clSetKernelArg", clSetKernelArg(b->kernel, 2, sizeof a, &a));
    }
}

static void set_buffer(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        must("clSetKernelArg",
             clSetKernelArg(b->kernel, 0, sizeof(cl_mem), i % 2 != 0 ? &b->small : &b->second));
}

static void buffer(Bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        cl_int code;
        cl_mem m = clCreateBuffer(b->context, CL_MEM_READ_WRITE, SMALL_BYTES, NULL, &code);

        must("clCreateBuffer", code);
        clReleaseMemObject(m);
    }
}

typedef struct Call {
    const char *name, *unit;
    Block *block;
    const char *kernel; /* that it launches, or NULL */
    unsigned per_block, blocks;
} Call;

static const Call calls[] = {
    {"empty", "us", empty, "empty", 200, 60},
    {"many", "us", many, "k0", 10000, 21},
    {"chain", "us", chain, "k0", 1000, 30},
    {"callback", "us", callback, "k0", 20, 60},
    {"map", "us", map, NULL, 200, 60},
    {"read", "us", read_4k, NULL, 200, 60},
    {"write", "us", write_4k, NULL, 200, 60},
    {"setarg", "ns", set_value, "k0", 2000, 60},
    {"setbuffer", "ns", set_buffer, "k0", 2000, 60},
    {"buffer", "ns", buffer, NULL, 500, 60},
};

static void run_calls(Bench *b, const Call *c)
{
    double walls[MAX_BLOCKS], scale = strcmp(c->unit, "ns") == 0 ? 1e3 : 1, cpu, best;

    if (c->kernel != NULL)
        open_kernel(b, c->kernel);
    c->block(b, c->per_block);
    cpu = cpu_us();
    for (unsigned i = 0; i < c->blocks; i++) {
        double start = wall_us();

        c->block(b, c->per_block);
        walls[i] = (wall_us() - start) / c->per_block * scale;
    }
    cpu = (cpu_us() - cpu) / c->per_block / c->blocks * scale;
    qsort(walls, c->blocks, sizeof walls[0], by_size);
    best = walls[0];
    printf("{\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.4f, \"best\": %.4f, \"cpu\": %.4f}\n",
           c->name, c->unit, median(walls, c->blocks), best, cpu);
}

/* ---- memory speed ------------------------------------------------------------------------------
 */

#define MEMORY_ROUNDS 11

/* GB/s that commands write, and what memset or memcpy on one thread do. */
static void run_memory(Bench *b, bool is_fill)
{
    double walls[MEMORY_ROUNDS], plain[MEMORY_ROUNDS], gb = LARGE_BYTES / 1e9;
    const cl_uint pattern = 0x01020304;
    cl_int code;
    cl_mem to = clCreateBuffer(b->context, CL_MEM_READ_WRITE, LARGE_BYTES, NULL, &code);
    cl_mem from = clCreateBuffer(b->context, CL_MEM_READ_WRITE, LARGE_BYTES, NULL, &code);
    char *host = malloc(LARGE_BYTES), *other = malloc(LARGE_BYTES);
    double cpu = 0;

    must("clCreateBuffer", code);
    if (host == NULL || other == NULL)
        die("no memory", 0);
    memset(host, 1, LARGE_BYTES);
    memset(other, 1, LARGE_BYTES);
    must("fill", clEnqueueFillBuffer(b->queue, from, &pattern, 4, 0, LARGE_BYTES, 0, NULL, NULL));
    must("fill", clEnqueueFillBuffer(b->queue, to, &pattern, 4, 0, LARGE_BYTES, 0, NULL, NULL));
    must("clFinish", clFinish(b->queue));
    for (int i = 0; i < MEMORY_ROUNDS; i++) {
        double start = wall_us(), start_cpu = cpu_us();

        if (is_fill)
            code = clEnqueueFillBuffer(b->queue, to, &pattern, 4, 0, LARGE_BYTES, 0, NULL, NULL);
        else
            code = clEnqueueCopyBuffer(b->queue, from, to, 0, 0, LARGE_BYTES, 0, NULL, NULL);
        must("clEnqueue", code);
        must("clFinish", clFinish(b->queue));
        walls[i] = wall_us() - start;
        cpu += cpu_us() - start_cpu;
        start = wall_us();
        if (is_fill)
            memset(host, i, LARGE_BYTES);
        else
            memcpy(host, other, LARGE_BYTES);
        plain[i] = wall_us() - start;
    }
    printf(
        "{\"name\": \"%s\", \"unit\": \"GB/s\", \"value\": %.3f, \"plain\": %.3f, \"cpu\": %.3f, "
        "\"check\": %d}\n",
        is_fill ? "fill" : "copy", gb / median(walls, MEMORY_ROUNDS) * 1e6,
        gb / median(plain, MEMORY_ROUNDS) * 1e6, cpu / MEMORY_ROUNDS, host[LARGE_BYTES / 2]);
}

/* ---- builds ------------------------------------------------------------------------------------
 */

typedef struct Making {
    const char *name;
    bool from_source;
    unsigned kernels; /* at most so many are made and run */
    bool is_first;    /* the first of the process, with all that is loaded then */
} Making;

static const Making makings[] = {
    {"il", false, 64, false},    {"il-first", false, 64, true},    {"il-one", false, 1, false},
    {"source", true, 64, false}, {"source-first", true, 64, true},
};

static double time_of(const Bench *b, const Making *m, uint32_t number, double *cpu)
{
    double start = wall_us(), start_cpu = cpu_us();
    cl_program p = m->from_source ? make_source(b, number) : make_il(b, number);

    build_and_run(b, p, m->kernels);
    *cpu = cpu_us() - start_cpu;
    start = wall_us() - start;
    clReleaseProgram(p);
    return start;
}

/* ms until all kernels have run; the program before says what the first costs. */
static void run_making(Bench *b, const Making *m)
{
    double walls[MAX_BLOCKS], cpus[MAX_BLOCKS], first, first_cpu, best;

    first = time_of(b, m, MARK + 1, &first_cpu);
    if (m->is_first) {
        printf("{\"name\": \"%s\", \"unit\": \"ms\", \"value\": %.4f, \"cpu\": %.4f, \"open\": "
               "%.4f}\n",
               m->name, first / 1e3, first_cpu / 1e3, b->open_us / 1e3);
        return;
    }
    for (unsigned i = 0; i < b->count; i++)
        walls[i] = time_of(b, m, MARK + 2 + i, &cpus[i]);
    qsort(walls, b->count, sizeof walls[0], by_size);
    best = walls[0];
    printf("{\"name\": \"%s\", \"unit\": \"ms\", \"value\": %.4f, \"best\": %.4f, \"cpu\": %.4f, "
           "\"first\": %.4f, \"open\": %.4f}\n",
           m->name, median(walls, b->count) / 1e3, best / 1e3, median(cpus, b->count) / 1e3,
           first / 1e3, b->open_us / 1e3);
}

/* MB resident beyond what the process had before its first OpenCL call. */
static void run_resident(Bench *b)
{
    cl_program p = make_il(b, MARK + 1);

    build_and_run(b, p, 64);
    printf("{\"name\": \"resident\", \"unit\": \"MB\", \"value\": %.3f, \"own\": %.3f, \"llvm\": "
           "%s}\n",
           (double)(rss_kib("VmRSS") - b->start_rss_kib) / 1024, (double)rss_kib("RssAnon") / 1024,
           has_library("libLLVM") ? "true" : "false");
}

static bool run(Bench *b, const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(calls[i].name, name) == 0) {
            run_calls(b, &calls[i]);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof makings / sizeof makings[0]; i++) {
        if (strcmp(makings[i].name, name) == 0) {
            run_making(b, &makings[i]);
            return true;
        }
    }
    if (strcmp(name, "fill") == 0 || strcmp(name, "copy") == 0)
        run_memory(b, name[0] == 'f');
    else if (strcmp(name, "resident") == 0)
        run_resident(b);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    Bench b = {.count = 9};

    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--il") == 0)
            b.il_path = argv[i + 1];
        else if (strcmp(argv[i], "--source") == 0)
            b.source_path = argv[i + 1];
        else if (strcmp(argv[i], "--count") == 0)
            b.count = (unsigned)strtoul(argv[i + 1], NULL, 10);
    }
    if (argc < 2 || b.count == 0 || b.count > MAX_BLOCKS) {
        fprintf(stderr, "usage: latency MEASUREMENT [--il FILE] [--source FILE] [--count N]\n");
        return 2;
    }
    open_all(&b);
    if (!run(&b, argv[1])) {
        fprintf(stderr, "latency: no measurement named %s\n", argv[1]);
        return 2;
    }
    return 0;
}
