/* tests/api/precompile_test.c -- kernels that nobody has asked for are compiled meanwhile.
 *
 * What was compiled is seen in a cache folder of the test's own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"
#include "folder.h"

#include <unistd.h>

#define KERNELS 4u
#define TRIES   3000u /* of 20 ms */

static const char *const source = "kernel void a(global int *p) { *p = 1; }\n"
                                  "kernel void b(global int *p) { *p = 2; }\n"
                                  "kernel void c(global int *p) { *p = 3; }\n"
                                  "kernel void d(global int *p) { *p = 4; }\n";

static bool comes_to(const char *folder, unsigned count)
{
    for (unsigned i = 0; i < TRIES && hd_api_codes(folder) < count; i++)
        usleep(20000);
    return hd_api_codes(folder) == count;
}

static cl_kernel make(cl_program p, const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);

    CHECK_OK(code);
    return k;
}

/* One kernel says nothing about the others, a second one does. */
static void test_second(HdApiTest *t, const char *folder)
{
    cl_program p = hd_api_build(t, source, "-DONE_BY_ONE");
    unsigned before = hd_api_codes(folder);
    cl_kernel a, b;

    if (p == NULL)
        return;
    a = make(p, "a");
    CHECK(comes_to(folder, before + 1));
    b = make(p, "b");
    CHECK(comes_to(folder, before + KERNELS));
    CHECK_OK(clReleaseKernel(a));
    CHECK_OK(clReleaseKernel(b));
    CHECK_OK(clReleaseProgram(p));
}

/* All at once, and again when they are on disk. */
static void test_all(HdApiTest *t, const char *folder)
{
    unsigned before = 0;

    for (unsigned round = 0; round < 2; round++) {
        cl_program p = hd_api_build(t, source, "-DALL_AT_ONCE -cl-fast-relaxed-math");
        cl_kernel kernels[KERNELS];

        if (p == NULL)
            return;
        before = round == 0 ? hd_api_codes(folder) : before;
        CHECK_OK(clCreateKernelsInProgram(p, KERNELS, kernels, NULL));
        CHECK(comes_to(folder, before + KERNELS));
        for (unsigned i = 0; i < KERNELS; i++)
            CHECK_OK(clReleaseKernel(kernels[i]));
        CHECK_OK(clReleaseProgram(p));
    }
}

/* A launch in groups that need another form than most: the usual one is not compiled. What is known
 * of it is on disk, so that a later process does not look again. */
static void test_other_form(HdApiTest *t, const char *folder)
{
    static const char *const squares =
        "kernel void s(global int *p) { local int l[64]; size_t i = get_local_id(1) * 8 +"
        " get_local_id(0); l[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = l[63 - i]; }\n";
    size_t size[2] = {8, 8};
    cl_int values[64];
    unsigned before = 0;

    for (unsigned round = 0; round < 2; round++) {
        cl_program p = hd_api_build(t, squares, "-DSQUARES");
        cl_mem m;
        cl_kernel k;
        cl_int code;

        if (p == NULL)
            return;
        before = round == 0 ? hd_api_codes(folder) : before;
        for (int i = 0; i < 64; i++)
            values[i] = i;
        m = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
        CHECK_OK(code);
        k = make(p, "s");
        CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, size, size, 0, NULL, NULL));
        CHECK_OK(
            clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
        for (int i = 0; i < 64; i++)
            CHECK(values[i] == 63 - i);
        usleep(100000);
        CHECK(hd_api_codes(folder) == before + 1);
        CHECK_OK(clReleaseKernel(k));
        CHECK_OK(clReleaseMemObject(m));
        CHECK_OK(clReleaseProgram(p));
    }
}

int main(void)
{
    char folder[] = "/tmp/heddle-ahead-XXXXXX";
    HdApiTest t;
    int status;

    CHECK(mkdtemp(folder) != NULL);
    setenv("HEDDLE_CACHE", "1", 1);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    setenv("HEDDLE_TRIAL", "0", 1);   /* which compiles other forms */
    setenv("HEDDLE_THREADS", "6", 1); /* three compile at once */
    t = hd_api_open();
    if (!t.has_compiler) {
        hd_api_skip("there is no compiler");
        return hd_api_close(&t);
    }
    test_second(&t, folder);
    test_all(&t, folder);
    test_other_form(&t, folder);
    status = hd_api_close(&t); /* which waits for what is made in the background */
    folder_empty(folder);
    rmdir(folder);
    return status;
}
