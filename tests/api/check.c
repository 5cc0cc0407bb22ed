/* tests/api/check.c -- a device to test on, and counting of checks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <dirent.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Threads of a test check, too. */
static struct {
    atomic_uint passed, failed, skipped;
} count;

void hd_api_check(bool ok, const char *file, int line, const char *what)
{
    if (ok) {
        count.passed++;
        return;
    }
    count.failed++;
    printf("%s:%d: not so: %s\n", file, line, what);
}

void hd_api_check_code(cl_int got, cl_int want, const char *file, int line, const char *what)
{
    if (got == want) {
        count.passed++;
        return;
    }
    count.failed++;
    printf("%s:%d: %d, should be %d: %s\n", file, line, (int)got, (int)want, what);
}

void hd_api_skip(const char *why)
{
    count.skipped++;
    printf("skipped: %s\n", why);
}

static int report(void)
{
    printf("%u passed, %u failed, %u skipped\n", count.passed, count.failed, count.skipped);
    return count.failed == 0 ? 0 : 1;
}

static bool find(HdApiTest *t)
{
    cl_platform_id platforms[32];
    cl_uint n = 0;

    if (clGetPlatformIDs(32, platforms, &n) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < n && i < 32; i++) {
        char name[64] = "";

        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "Heddle") != 0)
            continue;
        t->platform = platforms[i];
        return clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_ALL, 1, &t->device, NULL) == CL_SUCCESS;
    }
    return false;
}

static char told[1024]; /* by the context */
static atomic_bool is_told;

static void CL_CALLBACK tell(const char *what, const void *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    strncpy(told, what, sizeof told - 1);
    atomic_store(&is_told, true);
}

HdApiTest hd_api_open(void)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    HdApiTest t = {0};
    cl_bool compiler = CL_FALSE;

    CHECK(find(&t));
    if (t.device == NULL) {
        printf("no platform called Heddle (OCL_ICD_VENDORS=build/heddle.icd?)\n");
        exit(report());
    }
    t.context = clCreateContext(NULL, 1, &t.device, tell, NULL, NULL);
    t.queue = clCreateCommandQueueWithProperties(t.context, t.device, properties, NULL);
    CHECK(t.context != NULL && t.queue != NULL);
    clGetDeviceInfo(t.device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    t.has_compiler = compiler != CL_FALSE;
    return t;
}

int hd_api_close(HdApiTest *t)
{
    CHECK_OK(clReleaseCommandQueue(t->queue));
    CHECK_OK(clReleaseContext(t->context));
    return report();
}

cl_mem hd_api_buffer(HdApiTest *t, void *from, size_t bytes)
{
    cl_int code;
    cl_mem m =
        clCreateBuffer(t->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, &code);

    CHECK_OK(code);
    return m;
}

cl_program hd_api_build(HdApiTest *t, const char *source, const char *options)
{
    cl_int code;
    cl_program p = clCreateProgramWithSource(t->context, 1, &source, NULL, &code);

    CHECK_OK(code);
    if (p == NULL)
        return NULL;
    code = clBuildProgram(p, 1, &t->device, options, NULL, NULL);
    CHECK_OK(code);
    if (code != CL_SUCCESS) {
        size_t size = 0;
        char *log;

        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
        log = calloc(size + 1, 1);
        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
        printf("%s\n", log);
        free(log);
        clReleaseProgram(p);
        return NULL;
    }
    return p;
}

cl_int hd_api_status(cl_event e)
{
    cl_int status = 99;

    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

cl_int hd_api_run(HdApiTest *t, cl_kernel k, cl_mem buffer, cl_ulong number, size_t items)
{
    cl_int status;
    cl_event e;

    CHECK_OK(clSetKernelArg(k, 0, sizeof buffer, &buffer));
    CHECK_OK(clSetKernelArg(k, 1, sizeof number, &number));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL, &e));
    (void)clWaitForEvents(1, &e);
    status = hd_api_status(e);
    CHECK_OK(clReleaseEvent(e));
    return status;
}

bool hd_api_was_told(const char *text)
{
    if (text[0] == '\0')
        return !atomic_load(&is_told);
    while (!atomic_load(&is_told))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return strstr(told, text) != NULL;
}

#define MOST_OUTCOME 64 /* bytes of an entry */
#define LEAST_CODE   400

static unsigned count_entries(const char *folder, off_t least, off_t most)
{
    DIR *d = opendir(folder);
    unsigned n = 0;

    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const char *end = strrchr(e->d_name, '.');
        struct stat about;

        if (end != NULL && strcmp(end, ".entry") == 0 &&
            fstatat(dirfd(d), e->d_name, &about, 0) == 0)
            n += about.st_size >= least && about.st_size <= most;
    }
    if (d != NULL)
        closedir(d);
    return n;
}

unsigned hd_api_outcomes(const char *folder)
{
    return count_entries(folder, 0, MOST_OUTCOME);
}

unsigned hd_api_codes(const char *folder)
{
    return count_entries(folder, LEAST_CODE, LONG_MAX);
}

cl_program hd_api_source(HdApiTest *t, const char *text)
{
    cl_int code;
    cl_program p = clCreateProgramWithSource(t->context, 1, &text, NULL, &code);

    CHECK_OK(code);
    return p;
}

int hd_api_run_one(HdApiTest *t, cl_program p, const char *name, const int *number)
{
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    const size_t one = 1;
    int x = 1;
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);

    CHECK_OK(code);
    if (k == NULL)
        return -1;
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    if (number != NULL)
        CHECK_OK(clSetKernelArg(k, 1, sizeof *number, number));
    CHECK_OK(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
    return x;
}

cl_build_status hd_api_build_status(HdApiTest *t, cl_program p)
{
    cl_build_status s = 99;

    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL));
    return s;
}
