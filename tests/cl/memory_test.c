/* tests/cl/memory_test.c -- every allocation fails once, in what a host does with the driver.
 *
 * The entry points are called as the ICD loader calls them, but in this program, where allocations
 * can be made to fail. Each scenario runs again and again; the nth allocation fails, n = 1, 2, 3 …
 * (in larger steps when n is large), until none did. A call that lost an allocation returns one of
 * the errors for that, or did without it; nothing is leaked either way, nothing crashes.
 *
 *   memory_test [SCENARIO]     only scenarios whose name begins so
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/entries.h"
#include "base/memory.h"
#include "cl/command_buffer.h"
#include "cl/semaphore.h"
#include "generator.h"

#define ITEMS 64u
#define BYTES (ITEMS * sizeof(cl_uint))

static const char source[] = "__attribute__((noinline)) uint twice(uint x) { return 2 * x; }\n"
                             "kernel void k(global uint *a, local uint *l, uint n)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    l[get_local_id(0)] = a[i];\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    a[i] = twice(l[get_local_id(0)]) + n;\n"
                             "}\n";

/* Everything that a scenario made; what is NULL is not released. */
typedef struct Made {
    cl_device_id device;
    const cl_context_properties *properties; /* of the context; NULL: none */
    cl_context context;
    cl_command_queue queue, other;
    cl_program program, object, header;
    cl_kernel kernel, copy;
    cl_mem buffer, part, image, pipe;
    cl_sampler sampler;
    cl_event event, user;
    cl_semaphore_khr semaphore;
    HdCommandBuffer commands;
    void *svm;
} Made;

/* What was built once, for the scenarios that only use it. */
typedef struct Binary {
    unsigned char *bytes;
    size_t count;
} Binary;

typedef cl_int Scenario(Made *m, const Binary *b);

#define TRY(call)                \
    do {                         \
        cl_int code_ = (call);   \
        if (code_ != CL_SUCCESS) \
            return code_;        \
    } while (0)

/* A call that returns an object, and its error in `code`. */
#define MAKE(place, call)         \
    do {                          \
        cl_int code = CL_SUCCESS; \
        (place) = (call);         \
        if (code != CL_SUCCESS)   \
            return code;          \
    } while (0)

/* Without it the driver tells standard error why a launch failed. */
static void CL_CALLBACK quiet(const char *text, const void *info, size_t bytes, void *user)
{
    (void)text, (void)info, (void)bytes, (void)user;
}

static cl_int open_context(Made *m)
{
    cl_platform_id platform;

    TRY(hd_clIcdGetPlatformIDsKHR(1, &platform, NULL));
    TRY(hd_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &m->device, NULL));
    MAKE(m->context, hd_clCreateContext(m->properties, 1, &m->device, quiet, NULL, &code));
    return CL_SUCCESS;
}

static cl_int open_queue(Made *m)
{
    TRY(open_context(m));
    MAKE(m->queue, hd_clCreateCommandQueueWithProperties(m->context, m->device, NULL, &code));
    return CL_SUCCESS;
}

static cl_int open_kernel(Made *m, const Binary *b)
{
    const unsigned char *bytes = b->bytes;

    TRY(open_queue(m));
    MAKE(m->program,
         hd_clCreateProgramWithBinary(m->context, 1, &m->device, &b->count, &bytes, NULL, &code));
    TRY(hd_clBuildProgram(m->program, 0, NULL, "", NULL, NULL));
    MAKE(m->kernel, hd_clCreateKernel(m->program, "k", &code));
    MAKE(m->buffer, hd_clCreateBuffer(m->context, CL_MEM_READ_WRITE, BYTES, NULL, &code));
    TRY(hd_clSetKernelArg(m->kernel, 0, sizeof m->buffer, &m->buffer));
    TRY(hd_clSetKernelArg(m->kernel, 1, 16 * sizeof(cl_uint), NULL));
    return hd_clSetKernelArg(m->kernel, 2, sizeof(cl_uint), &(cl_uint){3});
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static cl_int objects(Made *m, const Binary *b)
{
    cl_buffer_region region = {.origin = 0, .size = BYTES / 2};
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const cl_mem_properties none[] = {0};

    (void)b;
    TRY(open_queue(m));
    MAKE(m->buffer,
         hd_clCreateBufferWithProperties(m->context, none, CL_MEM_READ_WRITE, BYTES, NULL, &code));
    MAKE(m->part, hd_clCreateSubBuffer(m->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    MAKE(m->image, hd_clCreateImage(m->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code));
    MAKE(m->pipe, hd_clCreatePipe(m->context, 0, 4, 16, NULL, &code));
    MAKE(m->sampler,
         hd_clCreateSampler(m->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code));
    MAKE(m->user, hd_clCreateUserEvent(m->context, &code));
    m->svm = hd_clSVMAlloc(m->context, CL_MEM_READ_WRITE, BYTES, 0);
    return m->svm != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int build(Made *m, const char *text, const char *options)
{
    TRY(open_context(m));
    MAKE(m->program, hd_clCreateProgramWithSource(m->context, 1, &text, NULL, &code));
    return hd_clBuildProgram(m->program, 1, &m->device, options, NULL, NULL);
}

static cl_int compile(Made *m, const Binary *b)
{
    (void)b;
    return build(m, source, "-cl-kernel-arg-info");
}

/* Through LLVM's text, for lines and blocks. */
static cl_int compile_text(Made *m, const Binary *b)
{
    static const char blocks[] =
        "kernel void k(global int *a)\n"
        "{\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4),\n"
        "                   ^{ a[get_global_id(0)] = 1; });\n"
        "}\n";

    (void)b;
    return build(m, blocks, "-cl-std=CL2.0 -g");
}

/* Separate compilation: a header, an object, an executable of it. */
static cl_int link_program(Made *m, const Binary *b)
{
    const char *header = "uint twice(uint x);\n", *name = "twice.h";
    const char *text = "#include \"twice.h\"\n"
                       "uint twice(uint x) { return 2 * x; }\n"
                       "kernel void k(global uint *a) { *a = twice(*a); }\n";

    (void)b;
    TRY(open_context(m));
    MAKE(m->header, hd_clCreateProgramWithSource(m->context, 1, &header, NULL, &code));
    MAKE(m->object, hd_clCreateProgramWithSource(m->context, 1, &text, NULL, &code));
    TRY(hd_clCompileProgram(m->object, 0, NULL, "", 1, &m->header, &name, NULL, NULL));
    MAKE(m->program, hd_clLinkProgram(m->context, 0, NULL, "", 1, &m->object, NULL, NULL, &code));
    MAKE(m->kernel, hd_clCreateKernel(m->program, "k", &code));
    MAKE(m->copy, hd_clCloneKernel(m->kernel, &code));
    return CL_SUCCESS;
}

static cl_int launch(Made *m, const Binary *b)
{
    cl_uint data[ITEMS] = {0}, *mapped;
    const size_t global = ITEMS, local = 16;

    TRY(open_kernel(m, b));
    TRY(hd_clEnqueueWriteBuffer(m->queue, m->buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &m->event));
    TRY(hd_clEnqueueNDRangeKernel(m->queue, m->kernel, 1, NULL, &global, &local, 1, &m->event,
                                  NULL));
    TRY(hd_clEnqueueFillBuffer(m->queue, m->buffer, data, 4, 0, 16, 0, NULL, NULL));
    MAKE(mapped, hd_clEnqueueMapBuffer(m->queue, m->buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                       NULL, &code));
    TRY(hd_clEnqueueUnmapMemObject(m->queue, m->buffer, mapped, 0, NULL, NULL));
    TRY(hd_clEnqueueReadBuffer(m->queue, m->buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
    return hd_clFinish(m->queue);
}

static void CL_CALLBACK told(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
}

/* Commands on images and shared memory, in a queue without order, all of them after a user event
 * that comes last. */
static cl_int wait_for_user(Made *m, const Binary *b)
{
    const cl_queue_properties any_order[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const size_t origin[3] = {0}, region[3] = {8, 8, 1};
    const cl_float colour[4] = {1, 2, 3, 4};
    unsigned char pixels[8 * 8 * 16] = {0};
    cl_command_queue in_order;

    TRY(objects(m, b));
    in_order = m->queue;
    m->queue = NULL;
    hd_clReleaseCommandQueue(in_order);
    MAKE(m->queue, hd_clCreateCommandQueueWithProperties(m->context, m->device, any_order, &code));
    TRY(hd_clEnqueueFillImage(m->queue, m->image, colour, origin, region, 1, &m->user, &m->event));
    TRY(hd_clSetEventCallback(m->event, CL_COMPLETE, told, NULL));
    TRY(hd_clEnqueueSVMMemFill(m->queue, m->svm, colour, 4, 16, 1, &m->user, NULL));
    TRY(hd_clEnqueueMarkerWithWaitList(m->queue, 1, &m->event, NULL));
    TRY(hd_clSetUserEventStatus(m->user, CL_COMPLETE));
    TRY(hd_clEnqueueReadImage(m->queue, m->image, CL_TRUE, origin, region, 0, 0, pixels, 1,
                              &m->event, NULL));
    return hd_clFinish(m->queue);
}

static cl_int record(Made *m, const Binary *b)
{
    const size_t global = ITEMS, local = 16;

    TRY(open_kernel(m, b));
    MAKE(m->commands, hd_clCreateCommandBufferKHR(1, &m->queue, NULL, &code));
    TRY(hd_clCommandNDRangeKernelKHR(m->commands, NULL, NULL, m->kernel, 1, NULL, &global, &local,
                                     0, NULL, NULL, NULL));
    TRY(hd_clFinalizeCommandBufferKHR(m->commands));
    TRY(hd_clEnqueueCommandBufferKHR(0, NULL, m->commands, 0, NULL, NULL));
    return hd_clFinish(m->queue);
}

/* Recorded to two queues, and run in both. */
static cl_int record_for_two(Made *m, const Binary *b)
{
    const cl_uint zero = 0;
    cl_command_queue two[2];

    (void)b;
    TRY(open_queue(m));
    MAKE(m->other, hd_clCreateCommandQueueWithProperties(m->context, m->device, NULL, &code));
    MAKE(m->buffer, hd_clCreateBuffer(m->context, CL_MEM_READ_WRITE, BYTES, NULL, &code));
    two[0] = m->queue;
    two[1] = m->other;
    MAKE(m->commands, hd_clCreateCommandBufferKHR(2, two, NULL, &code));
    for (int i = 0; i < 2; i++)
        TRY(hd_clCommandFillBufferKHR(m->commands, two[i], NULL, m->buffer, &zero, 4, 0, BYTES, 0,
                                      NULL, NULL, NULL));
    TRY(hd_clFinalizeCommandBufferKHR(m->commands));
    TRY(hd_clEnqueueCommandBufferKHR(0, NULL, m->commands, 0, NULL, &m->event));
    TRY(hd_clFinish(m->queue));
    return hd_clFinish(m->other);
}

static cl_int signal_and_wait(Made *m, const Binary *b)
{
    static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                         CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

    (void)b;
    TRY(open_queue(m));
    MAKE(m->other, hd_clCreateCommandQueueWithProperties(m->context, m->device, NULL, &code));
    MAKE(m->semaphore, hd_clCreateSemaphoreWithPropertiesKHR(m->context, binary, &code));
    TRY(hd_clEnqueueSignalSemaphoresKHR(m->queue, 1, &m->semaphore, NULL, 0, NULL, NULL));
    TRY(hd_clEnqueueWaitSemaphoresKHR(m->other, 1, &m->semaphore, NULL, 0, NULL, &m->event));
    TRY(hd_clFinish(m->other));
    return hd_clFinish(m->queue);
}

/* In a context whose kernels find zeros. */
static cl_int launch_zeroed(Made *m, const Binary *b)
{
    static const cl_context_properties zeroes[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 3, 0};

    m->properties = zeroes;
    return launch(m, b);
}

static const struct {
    const char *name;
    Scenario *run;
    unsigned every; /* so many first allocations one by one, then steps of n / every */
} scenarios[] = {
    {"objects", objects, 1000},
    {"compile", compile, 20},
    {"text", compile_text, 20},
    {"link", link_program, 10},
    {"launch", launch, 40},
    {"record", record, 40},
    {"user event", wait_for_user, 1000},
    {"two queues", record_for_two, 1000},
    {"semaphore", signal_and_wait, 1000},
    {"zeroed", launch_zeroed, 20},
};

/* ---- running them ---------------------------------------------------------------------------- */

static void release(Made *m)
{
    if (m->user != NULL)
        (void)hd_clSetUserEventStatus(m->user, CL_COMPLETE);
    if (m->queue != NULL)
        (void)hd_clFinish(m->queue);
    if (m->other != NULL)
        (void)hd_clFinish(m->other);
    if (m->svm != NULL)
        hd_clSVMFree(m->context, m->svm);
#define DROP(what, object)              \
    do {                                \
        if ((object) != NULL)           \
            hd_clRelease##what(object); \
    } while (0)
    DROP(Event, m->event);
    DROP(Event, m->user);
    DROP(CommandBufferKHR, m->commands);
    DROP(SemaphoreKHR, m->semaphore);
    DROP(Sampler, m->sampler);
    DROP(MemObject, m->pipe);
    DROP(MemObject, m->image);
    DROP(MemObject, m->part);
    DROP(MemObject, m->buffer);
    DROP(Kernel, m->copy);
    DROP(Kernel, m->kernel);
    DROP(Program, m->object);
    DROP(Program, m->header);
    DROP(Program, m->program);
    DROP(CommandQueue, m->other);
    DROP(CommandQueue, m->queue);
    DROP(Context, m->context);
#undef DROP
}

static bool is_for_memory(cl_int code)
{
    return code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES ||
           code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
           code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

/* Blocks held once the driver's threads have let go of theirs: at most `until` of them, or after a
 * while. */
static int64_t held(int64_t until)
{
    for (unsigned i = 0; i < 500 && hd_test_live_blocks() > until; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return hd_test_live_blocks();
}

static cl_int once(size_t s, const Binary *b, uint64_t nth, bool *lost)
{
    Made m = {0};
    cl_int code;

    hd_test_fail_alloc(nth);
    code = scenarios[s].run(&m, b);
    *lost = hd_test_alloc_failed();
    hd_test_fail_alloc(0);
    release(&m);
    return code;
}

/* Run one scenario until nothing fails. Returns how often something went wrong. */
static unsigned starve(size_t s, const Binary *b)
{
    unsigned wrong = 0;
    bool lost;
    cl_int clean = once(s, b, 0, &lost); /* also fills caches */

    if (clean != CL_SUCCESS) {
        printf("%s: error %d\n", scenarios[s].name, (int)clean);
        return 1;
    }
    for (uint64_t n = 1; wrong < 5; n += 1 + n / scenarios[s].every) {
        int64_t before = hd_test_live_blocks();
        cl_int code = once(s, b, n, &lost);
        int64_t more = held(before) - before;

        if (code != CL_SUCCESS && !is_for_memory(code)) {
            printf("%s: allocation %llu fails: error %d\n", scenarios[s].name,
                   (unsigned long long)n, (int)code);
            wrong++;
        }
        if (more > 0) { /* a leak, not a cache that was filled: it grows again */
            before = hd_test_live_blocks();
            once(s, b, n, &lost);
            more = held(before) - before;
        }
        if (more > 0) {
            printf("%s: allocation %llu fails: %lld blocks leaked\n", scenarios[s].name,
                   (unsigned long long)n, (long long)more);
            wrong++;
        }
        if (!lost) {
            printf("%s: about %llu allocations\n", scenarios[s].name, (unsigned long long)n);
            break;
        }
    }
    return wrong;
}

/* The kernel as a binary; false when it cannot be compiled. */
static bool make_binary(Binary *b)
{
    Made m = {0};
    bool made = compile(&m, NULL) == CL_SUCCESS &&
                hd_clGetProgramInfo(m.program, CL_PROGRAM_BINARY_SIZES, sizeof b->count, &b->count,
                                    NULL) == CL_SUCCESS;

    b->bytes = made ? malloc(b->count) : NULL;
    made = b->bytes != NULL && hd_clGetProgramInfo(m.program, CL_PROGRAM_BINARIES, sizeof b->bytes,
                                                   &b->bytes, NULL) == CL_SUCCESS;
    release(&m);
    return made;
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    unsigned counts[2] = {0};
    Binary b = {0};

    setenv("HEDDLE_CACHE", "0", 1);
    setenv("HEDDLE_AHEAD", "0", 1);
    setenv("HEDDLE_THREADS", "1", 1);
    generator_link();
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        int status;
        pid_t pid;

        if (strncmp(scenarios[s].name, only, strlen(only)) != 0)
            continue;
        fflush(NULL);
        pid = fork(); /* a crash is one failure */
        if (pid == 0) {
            alarm(300);
            status = !make_binary(&b) || starve(s, &b) != 0;
            free(b.bytes);
            fflush(NULL);
            _exit(status);
        }
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status))
            printf("%s: %s\n", scenarios[s].name, strsignal(WTERMSIG(status)));
        counts[status != 0]++;
    }
    printf("%u passed, %u failed, 0 skipped\n", counts[0], counts[1]);
    return counts[1] != 0;
}
