/* tests/api/chains_test.c -- threads that wait for chains of launches, each in its own queue, and
 * so help with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS 5u
#define ROUNDS  25u
#define ITEMS   40000u
#define FEW     64u /* work-items of a launch that is not worth helping with */
#define MOST    6u  /* launches of a chain */
#define TURNS   50u

static const char source[] = "kernel void turn(global uint *a, uint by)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    uint x = a[i];\n"
                             "\n"
                             "    for (uint k = 0; k < 50; k++)\n"
                             "        x = x * 1664525 + by;\n"
                             "    a[i] = x;\n"
                             "}\n";

static HdApiTest test;
static cl_program program;
static atomic_uint failures, wrong;

static void must(cl_int code)
{
    if (code != CL_SUCCESS)
        atomic_fetch_add(&failures, 1);
}

static void turn(cl_uint *at, size_t count, cl_uint by)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < TURNS; k++)
            at[i] = at[i] * 1664525 + by;
}

/* Launches after each other, in order or by events; the last one's event. */
static cl_event launch_chain(cl_command_queue q, cl_kernel k, unsigned *state, cl_uint *want)
{
    unsigned count = 1 + (unsigned)rand_r(state) % MOST;
    cl_event last = NULL;

    for (unsigned i = 0; i < count; i++) {
        size_t items = rand_r(state) % 4 == 0 ? FEW : ITEMS;
        cl_uint by = (cl_uint)rand_r(state);
        cl_event next = NULL;

        must(clSetKernelArg(k, 1, sizeof by, &by));
        must(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, last != NULL, last ? &last : NULL,
                                    &next));
        if (last != NULL)
            must(clReleaseEvent(last));
        last = next;
        turn(want, items, by);
        if (rand_r(state) % 3 == 0)
            must(clFlush(q));
        if (rand_r(state) % 4 == 0)
            must(clWaitForEvents(1, &last));
    }
    return last;
}

static void read_mapped(cl_command_queue q, cl_mem m, cl_event last, cl_uint *got)
{
    cl_int code;
    void *at = clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, ITEMS * 4, 1, &last, NULL, &code);

    must(code);
    if (at == NULL)
        return;
    memcpy(got, at, ITEMS * sizeof *got);
    must(clEnqueueUnmapMemObject(q, m, at, 0, NULL, NULL));
    must(clFinish(q));
}

static void round_of(cl_command_queue q, cl_kernel k, unsigned *state, cl_uint *got, cl_uint *want)
{
    cl_event last;
    cl_int code;
    cl_mem m;

    for (cl_uint i = 0; i < ITEMS; i++)
        want[i] = i;
    m = clCreateBuffer(test.context, CL_MEM_COPY_HOST_PTR, ITEMS * sizeof *want, want, &code);
    must(code);
    must(clSetKernelArg(k, 0, sizeof m, &m));
    last = launch_chain(q, k, state, want);
    switch (rand_r(state) % 3) {
    case 0:
        must(clFinish(q));
        must(clEnqueueReadBuffer(q, m, CL_TRUE, 0, ITEMS * 4, got, 0, NULL, NULL));
        break;
    case 1: must(clEnqueueReadBuffer(q, m, CL_TRUE, 0, ITEMS * 4, got, 1, &last, NULL)); break;
    default: read_mapped(q, m, last, got); break;
    }
    must(clReleaseEvent(last));
    must(clReleaseMemObject(m));
    if (memcmp(got, want, ITEMS * sizeof *got) != 0)
        atomic_fetch_add(&wrong, 1);
}

static void *thread_main(void *user)
{
    unsigned number = *(unsigned *)user, state = number + 1;
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, number % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_uint *got = calloc(ITEMS, sizeof *got), *want = calloc(ITEMS, sizeof *want);
    cl_command_queue q;
    cl_kernel k;
    cl_int code;

    q = clCreateCommandQueueWithProperties(test.context, test.device, properties, &code);
    must(code);
    k = clCreateKernel(program, "turn", &code);
    must(code);
    for (unsigned i = 0; i < ROUNDS && got != NULL && want != NULL; i++)
        round_of(q, k, &state, got, want);
    must(clReleaseKernel(k));
    must(clReleaseCommandQueue(q));
    free(got);
    free(want);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];

    test = hd_api_open();
    program = test.has_compiler ? hd_api_build(&test, source, "") : NULL;
    if (program == NULL) {
        hd_api_skip("no compiler");
        return hd_api_close(&test);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, thread_main, &numbers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&failures) == 0);
    CHECK(atomic_load(&wrong) == 0);
    CHECK_OK(clReleaseProgram(program));
    return hd_api_close(&test);
}
