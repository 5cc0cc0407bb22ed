/* tests/robust/process_test.c -- the driver through the life of processes: exit while kernels run,
 * dlclose, fork, many objects, many threads.
 *
 * The driver is opened by dlopen of the build's libheddle-cl.so, through the ICD's extension
 * function, without the loader.
 *
 * SPDX-License-Identifier: MIT
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "text/as.h"
#include "world.h"

static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %add \"add\"\n"
    "OpEntryPoint Kernel %wait \"wait\"\n%void = OpTypeVoid\n%bool = OpTypeBool\n"
    "%u32 = OpTypeInt 32 0\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
    "%pg = OpTypePointer CrossWorkgroup %u32\n%ft = OpTypeFunction %void %pg\n"
    "%add = OpFunction %void None %ft\n%b1 = OpFunctionParameter %pg\n%e1 = OpLabel\n"
    "%old = OpAtomicIAdd %u32 %b1 %c1 %c0 %c1\nOpReturn\nOpFunctionEnd\n"
    "%wait = OpFunction %void None %ft\n%b2 = OpFunctionParameter %pg\n%e2 = OpLabel\nOpBranch %l\n"
    "%l = OpLabel\n%x = OpLoad %u32 %b2 Volatile|Aligned 4\n%t = OpIEqual %bool %x %c0\n"
    "OpBranchConditional %t %l %e\n%e = OpLabel\nOpReturn\nOpFunctionEnd\n";

typedef struct Driver {
    void *library;
    const cl_icd_dispatch *cl;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem buffer;
} Driver;

static bool failed;

static void check_at(bool good, const char *what, int line)
{
    if (!good)
        printf("%s:%d: %s\n", __FILE__, line, what), failed = true;
}
#define CHECK(condition) check_at((condition), #condition, __LINE__)

/* The first member of every object is its table of entries. */
static bool driver_load(Driver *d)
{
    typedef cl_int (*Platforms)(cl_uint, cl_platform_id *, cl_uint *);
    typedef void *(*Address)(const char *);
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    Platforms platforms;
    Address address;
    void *found;

    memset(d, 0, sizeof *d);
    path[n > 0 ? n : 0] = '\0';
    strcpy(strrchr(path, '/'), "/../../libheddle-cl.so");
    d->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (d->library == NULL)
        return printf("%s\n", dlerror()), failed = true, false;
    found = dlsym(d->library, "clGetExtensionFunctionAddress");
    memcpy(&address, &found, sizeof address);
    found = address("clIcdGetPlatformIDsKHR");
    memcpy(&platforms, &found, sizeof platforms);
    if (platforms(1, &d->platform, NULL) != CL_SUCCESS)
        return failed = true, false;
    memcpy(&d->cl, d->platform, sizeof d->cl);
    return d->cl->clGetDeviceIDs(d->platform, CL_DEVICE_TYPE_ALL, 1, &d->device, NULL) ==
           CL_SUCCESS;
}

static bool driver_open(Driver *d)
{
    static const uint32_t zero;
    uint32_t *words = NULL;
    size_t count;
    HdDiags diags;
    cl_int e;

    if (!driver_load(d))
        return false;
    hd_diags_init(&diags);
    CHECK(hd_text_assemble(text, sizeof text - 1, NULL, &diags, &words, &count) == HD_OK);
    d->context = d->cl->clCreateContext(NULL, 1, &d->device, NULL, NULL, &e);
    d->queue = d->cl->clCreateCommandQueueWithProperties(d->context, d->device, NULL, &e);
    d->program = d->cl->clCreateProgramWithIL(d->context, words, count * 4, &e);
    CHECK(e == CL_SUCCESS);
    CHECK(d->cl->clBuildProgram(d->program, 1, &d->device, "", NULL, NULL) == CL_SUCCESS);
    d->buffer =
        d->cl->clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, 4, (void *)(uintptr_t)&zero, &e);
    CHECK(e == CL_SUCCESS);
    hd_free(words);
    hd_diags_drop(&diags);
    return !failed;
}

static void driver_close(Driver *d)
{
    d->cl->clReleaseMemObject(d->buffer);
    d->cl->clReleaseProgram(d->program);
    d->cl->clReleaseCommandQueue(d->queue);
    d->cl->clReleaseContext(d->context);
}

static cl_int enqueue(const Driver *d, const char *name, size_t items)
{
    cl_int e;
    cl_kernel k = d->cl->clCreateKernel(d->program, name, &e);

    if (e != CL_SUCCESS)
        return e;
    d->cl->clSetKernelArg(k, 0, sizeof d->buffer, &d->buffer);
    e = d->cl->clEnqueueNDRangeKernel(d->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL);
    d->cl->clReleaseKernel(k);
    return e;
}

static uint32_t value(const Driver *d)
{
    uint32_t v = 0;

    CHECK(d->cl->clEnqueueReadBuffer(d->queue, d->buffer, CL_TRUE, 0, 4, &v, 0, NULL, NULL) ==
          CL_SUCCESS);
    return v;
}

static unsigned entries(const char *folder)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;

    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

/* ---- tests -------------------------------------------------------------------------------------
 */

/* LeakSanitizer asks at exit: these tests leave things open on purpose. */
static bool is_left_open;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_left_open;
}

/* Leave in every way while a kernel runs for ever. */
static bool test_exit(size_t how)
{
    Driver d;

    is_left_open = true;
    if (!driver_open(&d))
        return false;
    CHECK(enqueue(&d, "add", 100) == CL_SUCCESS && value(&d) == 100);
    d.buffer = d.cl->clCreateBuffer(d.context, 0, 4, NULL, NULL);
    CHECK(enqueue(&d, "wait", 1) == CL_SUCCESS);
    d.cl->clFlush(d.queue);
    usleep(30000);
    fflush(NULL);
    if (how == 0)
        exit(failed);
    _exit(failed);
}

/* Exit with everything still open but idle. */
static bool test_exit_idle(size_t which)
{
    Driver d;

    (void)which;
    is_left_open = true;
    return driver_open(&d) && enqueue(&d, "add", 1000) == CL_SUCCESS && value(&d) == 1000;
}

/* Exit while kernels are being compiled that nobody has asked for. */
static bool test_exit_compiling(size_t delay_us)
{
    Driver d;

    is_left_open = true;
    setenv("HEDDLE_CACHE", "0", 1);
    setenv("HEDDLE_THREADS", "4", 1);
    if (!driver_open(&d) || d.cl->clCreateKernel(d.program, "add", NULL) == NULL)
        return false;
    usleep((useconds_t)delay_us);
    return true;
}

/* The same with kernels that take a while. */
static bool test_exit_large(size_t delay_us)
{
    HdStrbuf large = {0};
    uint32_t *words = NULL;
    size_t count;
    HdDiags diags;
    Driver d;
    cl_program p;
    cl_int e;

    is_left_open = true;
    setenv("HEDDLE_CACHE", "0", 1);
    setenv("HEDDLE_THREADS", "4", 1);
    if (!driver_open(&d))
        return false;
    hd_strbuf_add(&large, "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
                          "OpMemoryModel Physical64 OpenCL\n");
    for (unsigned k = 0; k < 12; k++)
        hd_strbuf_printf(&large, "OpEntryPoint Kernel %%k%u \"k%u\"\n", k, k);
    hd_strbuf_add(&large, "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
                          "%pg = OpTypePointer CrossWorkgroup %u32\n"
                          "%ft = OpTypeFunction %void %pg\n");
    for (unsigned k = 0; k < 12; k++) {
        hd_strbuf_printf(&large,
                         "%%k%u = OpFunction %%void None %%ft\n%%p%u = OpFunctionParameter %%pg\n"
                         "%%b%u = OpLabel\n%%v%u_0 = OpLoad %%u32 %%p%u Volatile|Aligned 4\n",
                         k, k, k, k, k);
        for (unsigned i = 0; i < (k == 0 ? 1 : 400); i++)
            hd_strbuf_printf(&large,
                             "%%w%u_%u = OpLoad %%u32 %%p%u Volatile|Aligned 4\n"
                             "%%v%u_%u = OpUDiv %%u32 %%v%u_%u %%w%u_%u\n",
                             k, i, k, k, i + 1, k, i, k, i);
        hd_strbuf_printf(&large, "OpStore %%p%u %%v%u_1 Aligned 4\nOpReturn\nOpFunctionEnd\n", k,
                         k);
    }
    hd_diags_init(&diags);
    CHECK(hd_text_assemble(large.at, large.count, NULL, &diags, &words, &count) == HD_OK);
    p = d.cl->clCreateProgramWithIL(d.context, words, count * 4, &e);
    CHECK(d.cl->clBuildProgram(p, 1, &d.device, "", NULL, NULL) == CL_SUCCESS);
    CHECK(d.cl->clCreateKernel(p, "k0", NULL) != NULL);
    hd_free(words);
    hd_diags_drop(&diags);
    hd_strbuf_free(&large);
    usleep((useconds_t)delay_us);
    return !failed;
}

static bool test_dlclose(size_t which)
{
    (void)which;
    for (int i = 0; i < 5; i++) {
        Driver d;

        if (!driver_open(&d))
            return false;
        CHECK(enqueue(&d, "add", 1000) == CL_SUCCESS && value(&d) == 1000);
        driver_close(&d);
        CHECK(dlclose(d.library) == 0);
        usleep(5000);
    }
    return !failed;
}

/* Platforms that a loader has not looked at: in properties, any number. */
static bool test_platforms(size_t which)
{
    static const cl_context_properties numbers[] = {8, 0x1000, 1 << 20, -8};
    Driver d;

    (void)which;
    if (!driver_open(&d))
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cl_context_properties p[] = {CL_CONTEXT_PLATFORM, numbers[i], 0};
        cl_int e = CL_SUCCESS;

        CHECK(d.cl->clCreateContext(p, 1, &d.device, NULL, NULL, &e) == NULL);
        CHECK(e == CL_INVALID_PLATFORM);
        CHECK(d.cl->clCreateContextFromType(p, CL_DEVICE_TYPE_CPU, NULL, NULL, &e) == NULL);
        CHECK(e == CL_INVALID_PLATFORM);
    }
    driver_close(&d);
    return !failed;
}

/* A child made by fork gets errors, not hangs; the parent goes on. */
static bool test_fork(size_t which)
{
    Driver d;
    int status;
    pid_t pid;

    (void)which;
    if (!driver_open(&d))
        return false;
    CHECK(enqueue(&d, "add", 10) == CL_SUCCESS && value(&d) == 10);
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        uint32_t v;
        cl_int e = CL_SUCCESS, r;

        alarm(300);
        r = enqueue(&d, "add", 10);
        if (r == CL_SUCCESS)
            r = d.cl->clFinish(d.queue);
        d.cl->clCreateContext(NULL, 1, &d.device, NULL, NULL, &e);
        if (d.cl->clEnqueueReadBuffer(d.queue, d.buffer, CL_TRUE, 0, 4, &v, 0, NULL, NULL) ==
            CL_SUCCESS)
            _exit(2);
        _exit(r != CL_SUCCESS ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(enqueue(&d, "add", 10) == CL_SUCCESS && value(&d) == 20);
    driver_close(&d);
    return !failed;
}

/* What is opened and closed again leaves no files and no threads. */
static bool test_many(size_t which)
{
    unsigned files = 0, threads = 0;
    Driver d;

    (void)which;
    if (!driver_load(&d))
        return false;
    for (int i = 0; i < 60; i++) {
        cl_command_queue queues[20];
        cl_context c;
        cl_int e;

        c = d.cl->clCreateContext(NULL, 1, &d.device, NULL, NULL, &e);
        CHECK(e == CL_SUCCESS);
        for (int q = 0; q < 20; q++) {
            queues[q] = d.cl->clCreateCommandQueueWithProperties(c, d.device, NULL, &e);
            CHECK(e == CL_SUCCESS);
            CHECK(d.cl->clEnqueueMarkerWithWaitList(queues[q], 0, NULL, NULL) == CL_SUCCESS);
        }
        for (int q = 0; q < 20; q++)
            CHECK(d.cl->clFinish(queues[q]) == CL_SUCCESS &&
                  d.cl->clReleaseCommandQueue(queues[q]) == CL_SUCCESS);
        CHECK(d.cl->clReleaseContext(c) == CL_SUCCESS);
        if (i == 4) {
            files = entries("/proc/self/fd");
            threads = entries("/proc/self/task");
        }
    }
    CHECK(entries("/proc/self/fd") <= files);
    CHECK(entries("/proc/self/task") <= threads);
    return !failed;
}

static void *launch_often(void *user)
{
    const Driver *d = user;
    Driver own = *d;
    bool good = true;
    cl_int e;

    own.queue = d->cl->clCreateCommandQueueWithProperties(d->context, d->device, NULL, &e);
    good = e == CL_SUCCESS;
    for (int i = 0; i < 50 && good; i++)
        good = enqueue(&own, "add", 100) == CL_SUCCESS;
    good = good && d->cl->clFinish(own.queue) == CL_SUCCESS;
    d->cl->clReleaseCommandQueue(own.queue);
    return good ? user : NULL;
}

static bool test_threads(size_t which)
{
    pthread_t threads[8];
    Driver d;

    (void)which;
    if (!driver_open(&d))
        return false;
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, launch_often, &d) == 0);
    for (int i = 0; i < 8; i++) {
        void *result;

        pthread_join(threads[i], &result);
        CHECK(result != NULL);
    }
    CHECK(value(&d) == 8 * 50 * 100);
    driver_close(&d);
    return !failed;
}

int main(void)
{
    static const struct {
        const char *name;
        bool (*run)(size_t which);
        size_t which;
    } tests[] = {
        {"exit while a kernel runs", test_exit, 0},
        {"_exit while a kernel runs", test_exit, 1},
        {"exit with all open", test_exit_idle, 0},
        {"exit at once behind a kernel's creation", test_exit_compiling, 0},
        {"exit 2 ms behind it", test_exit_compiling, 2000},
        {"exit 20 ms behind it", test_exit_compiling, 20000},
        {"exit while large kernels are compiled", test_exit_large, 0},
        {"exit 30 ms behind the first", test_exit_large, 30000},
        {"exit 150 ms behind the first", test_exit_large, 150000},
        {"dlclose", test_dlclose, 0},
        {"platforms that are none", test_platforms, 0},
        {"fork", test_fork, 0},
        {"many contexts and queues", test_many, 0},
        {"eight threads", test_threads, 0},
    };
    unsigned counts[2] = {0};

    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        counts[!world_apart(tests[i].name, tests[i].run, tests[i].which)]++;
    printf("%u passed, %u failed, 0 skipped\n", counts[0], counts[1]);
    return counts[1] != 0;
}
