/* tests/api/stride_test.c -- loops in steps of the launch's size: each index once, whether each
 * work-item makes its rounds behind each other or all make them together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define ROOM 70000u

/* Each is the whole loop over `seen`: how often an index was met, and whether it was met right. */
static const char source[] =
    "#define BODY seen[i] += 1 + (in[i] != (uint)i)\n"
    "kernel void sizes(global uint *seen, global const uint *in, uint n)\n"
    "{ for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) BODY; }\n"
    "kernel void uints(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = get_global_id(0); i < n; i += get_global_size(0)) BODY; }\n"
    "kernel void ints(global uint *seen, global const uint *in, int n)\n"
    "{ for (int i = get_global_id(0); i < n; i += get_global_size(0)) BODY; }\n"
    "kernel void longs(global uint *seen, global const uint *in, ulong n)\n"
    "{ size_t i = get_global_id(0); while (i < n) { BODY; i += get_global_size(0); } }\n"
    "kernel void mixed(global uint *seen, global const uint *in, int n)\n"
    "{ for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) BODY; }\n"
    "kernel void blocks(global uint *seen, global const uint *in, uint n)\n"
    "{ uint i = get_group_id(0) * get_local_size(0) + get_local_id(0);\n"
    "  for (; i < n; i += get_local_size(0) * get_num_groups(0)) BODY; }\n"
    /* ints that are extended, and memory from an offset on, as pyopencl writes them */
    "kernel void moved(global uint *base, global const uint *in, uint n)\n"
    "{ int first = get_local_size(0) * get_group_id(0), step = get_global_size(0);\n"
    "  global uint *seen = (global uint *)((global char *)base + (n & 4));\n"
    "  for (long i = first + (int)get_local_id(0); i < n; i += step) BODY; }\n"
    "kernel void fixed(global uint *seen, global const uint *in, uint n)\n"
    "{ for (size_t i = get_global_id(0); i < 30011; i += get_global_size(0)) BODY; }\n"
    "kernel void parted(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    if (in[i] % 3 == 0) { BODY; } else { uint k = in[i] % 5; do { k--; } while (k < 5 && "
    "in[k] != 7);\n"
    "      seen[i] += 1 + (in[i] != i); } } }\n"
    "kernel void bytes(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = (uchar)get_global_id(0); i < n; i += get_global_size(0))\n"
    "    atomic_add(&seen[i], 1 + (in[i] != i)); }\n"
    /* what may not be taken apart */
    "kernel void carried(global uint *seen, global const uint *in, uint n)\n"
    "{ uint k = 0; for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    seen[i] += 1 + (in[i] != i) + \n"
    "      (k != (i - get_global_offset(0)) / get_global_size(0)); k++; } }\n"
    "kernel void left(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    BODY; if (in[i] >= 4096 * 5) break; } }\n"
    "kernel void array(global uint *seen, global const uint *in, uint n)\n"
    "{ uint last[8]; for (int k = 0; k < 8; k++) last[k] = 0;\n"
    "  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    uint k = in[i & 1023] & 7; seen[i] += 1 + (last[k] > i); last[k] = i; } }\n"
    "kernel void chain(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    uint k = i - get_global_size(0); BODY; if (k < i && k >= get_global_offset(0))\n"
    "      seen[i] += seen[k] - 1; } }\n"
    "kernel void ahead(global uint *seen, global const uint *in, uint n)\n"
    "{ uint first = seen[get_global_id(0)];\n"
    "  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) { BODY; seen[i] += first; } "
    "}\n"
    "kernel void counts(global uint *seen, global const uint *in, uint n)\n"
    "{ for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&seen[in[i]]); "
    "}\n";

typedef struct Shape {
    size_t global, local, offset;
    cl_ulong n;
} Shape;

/* Of 4,096 work-items or more are a page in each of two threads; others make rounds of their own.
 */
static const Shape shapes[] = {{4096, 64, 0, 65536}, {4096, 64, 0, 65537},  {4096, 256, 0, 40000},
                               {8192, 32, 0, 65004}, {4096, 16, 0, 4097},   {4096, 64, 0, 4096},
                               {4096, 64, 0, 17},    {4096, 64, 0, 0},      {4096, 64, 7, 65536},
                               {4100, 64, 0, 65536}, {4099, 1, 0, 50000},   {64, 64, 0, 30000},
                               {20000, 0, 0, 60001}, {32768, 128, 0, 65536}};

static cl_uint in[ROOM], got[ROOM], want[ROOM];

static void launch(HdApiTest *t, cl_kernel k, const Shape *s)
{
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, &s->offset, &s->global,
                                    s->local != 0 ? &s->local : NULL, 0, NULL, NULL));
}

/* How often each index is met. */
static void expect(const char *name, const Shape *s)
{
    bool moved = strcmp(name, "moved") == 0, leaves = strcmp(name, "left") == 0;
    bool blocks = moved || strcmp(name, "blocks") == 0;
    size_t by = moved ? (s->n & 4) / 4 : 0, n = strcmp(name, "fixed") == 0 ? 30011 : s->n;
    size_t offset = blocks ? 0 : s->offset, most = strcmp(name, "bytes") == 0 ? 255 : SIZE_MAX;

    memset(want, 0, sizeof want);
    for (size_t g = 0; g < s->global; g++)
        for (size_t i = (offset + g) & most; i < n; i += s->global) {
            want[i + by]++;
            if (leaves && in[i] >= 4096 * 5)
                break;
        }
}

static void test_shape(HdApiTest *t, cl_kernel k, const char *name, const Shape *s)
{
    cl_mem seen, from = hd_api_buffer(t, in, sizeof in);
    cl_uint n32 = (cl_uint)s->n;
    bool is_long = strcmp(name, "longs") == 0;

    memset(got, 0, sizeof got);
    seen = hd_api_buffer(t, got, sizeof got);
    CHECK_OK(clSetKernelArg(k, 0, sizeof seen, &seen));
    CHECK_OK(clSetKernelArg(k, 1, sizeof from, &from));
    CHECK_OK(clSetKernelArg(k, 2, is_long ? 8 : 4, is_long ? (const void *)&s->n : &n32));
    launch(t, k, s);
    CHECK_OK(clEnqueueReadBuffer(t->queue, seen, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    expect(name, s);
    CHECK(memcmp(got, want, sizeof got) == 0);
    if (memcmp(got, want, sizeof got) != 0)
        printf("    %s, %zu work-items in groups of %zu from %zu, %llu indices\n", name, s->global,
               s->local, s->offset, (unsigned long long)s->n);
    CHECK_OK(clReleaseMemObject(seen));
    CHECK_OK(clReleaseMemObject(from));
}

static void test_kernel(HdApiTest *t, cl_program p, const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);

    CHECK_OK(code);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        /* These count in local sizes, which the last group of others has a smaller one of. */
        if ((strcmp(name, "blocks") == 0 || strcmp(name, "moved") == 0) &&
            (shapes[i].local == 0 || shapes[i].global % shapes[i].local != 0))
            continue;
        test_shape(t, k, name, &shapes[i]);
    }
    CHECK_OK(clReleaseKernel(k));
}

/* A bound that is no number of indices. */
static void test_negative(HdApiTest *t, cl_program p)
{
    static const Shape none = {4096, 64, 0, 0};
    cl_int code, n = -5;
    cl_kernel k = clCreateKernel(p, "ints", &code);
    cl_mem seen, from = hd_api_buffer(t, in, sizeof in);

    CHECK_OK(code);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    seen = hd_api_buffer(t, got, sizeof got);
    CHECK_OK(clSetKernelArg(k, 0, sizeof seen, &seen));
    CHECK_OK(clSetKernelArg(k, 1, sizeof from, &from));
    CHECK_OK(clSetKernelArg(k, 2, sizeof n, &n));
    launch(t, k, &none);
    CHECK_OK(clEnqueueReadBuffer(t->queue, seen, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK(memcmp(got, want, sizeof got) == 0);
    CHECK_OK(clReleaseMemObject(seen));
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseKernel(k));
}

int main(void)
{
    static const char *const names[] = {"sizes", "uints", "ints",   "longs", "mixed",   "blocks",
                                        "moved", "fixed", "parted", "bytes", "carried", "left",
                                        "array", "chain", "counts", "ahead"};
    HdApiTest t;
    cl_program p;

    setenv("HEDDLE_STREAM_KB", "1", 1);
    t = hd_api_open();
    for (cl_uint i = 0; i < ROOM; i++)
        in[i] = i;
    p = t.has_compiler ? hd_api_build(&t, source, "-cl-std=CL3.0") : NULL;
    if (p == NULL) {
        hd_api_skip("no compiler");
    } else {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            test_kernel(&t, p, names[i]);
        test_negative(&t, p);
        CHECK_OK(clReleaseProgram(p));
    }
    return hd_api_close(&t);
}
