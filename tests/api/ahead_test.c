/* tests/api/ahead_test.c -- what sub-groups ask for ahead: results are the same, and nothing is
 * read behind the last number.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"

#define PAGE  4096u
#define LARGE (1u << 19) /* numbers that a second cache does not hold */
#define MOST  (4 * PAGE / 4)

static const char source[] =
    "kernel void take(global uint *o, global const uint *a, global const uint *x)\n"
    "{ size_t i = get_global_id(0); o[i] = a[x[i]]; }\n"
    "kernel void row(global uint *o, global const uint *a, global const uint *x)\n"
    "{ size_t i = get_global_id(0); uint4 v = vload4(x[i] / 4, a); o[i] = v.x + v.z; }\n"
    "kernel void put(global uint *o, global uint *a, global const uint *x)\n"
    "{ size_t i = get_global_id(0); a[x[i]] = (uint)i; o[i] = 0; }\n"
    "kernel void count(global uint *o, global uint *a, global const uint *x)\n"
    "{ size_t i = get_global_id(0); atomic_inc(&a[x[i]]); o[i] = 0; }\n"
    "kernel void turns(global uint *o, global const uint *a, global const uint *x)\n"
    "{ size_t i = get_global_id(0), n = get_global_size(0); uint s = 0;\n"
    "  for (uint k = 0; k < 200; k++) s += a[x[(i + k * 7) % n]] ^ a[x[i] ^ k]; o[i] = s; }\n"
    "kernel void wide(global uint *o, global const uint *a, global const ulong *x)\n"
    "{ size_t i = get_global_id(0); o[i] = a[x[i]]; }\n";

static uint32_t *from, got[MOST];

/* `items` numbers of `bytes` each, places in `from`, of which the last one ends where nothing is
 * mapped. */
static void *places(unsigned items, unsigned bytes, void **mapped)
{
    size_t room = ((size_t)items * bytes + PAGE - 1) / PAGE * PAGE;
    unsigned char *at =
        mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(at != MAP_FAILED && mprotect(at + room, PAGE, PROT_NONE) == 0);
    *mapped = at;
    at += room - (size_t)items * bytes;
    for (uint64_t i = 0; i < items; i++) {
        uint64_t place = i * 40503 * 13 % LARGE;

        memcpy(at + i * bytes, &place, bytes); /* little-endian */
    }
    return at;
}

static uint64_t place_of(const unsigned char *x, unsigned i, unsigned bytes)
{
    uint64_t place = 0;

    memcpy(&place, x + (size_t)i * bytes, bytes);
    return place;
}

/* What is wrong in the results, and in memory afterwards. */
static unsigned wrong_in(const char *name, const unsigned char *x, unsigned items, unsigned bytes,
                         const uint32_t *after)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < items; i++) {
        uint64_t at = place_of(x, i, bytes);
        uint32_t sum = 0;

        for (unsigned k = 0; k < 200 && strcmp(name, "turns") == 0; k++)
            sum += from[place_of(x, (i + k * 7) % items, bytes)] ^ from[at ^ k];
        if (strcmp(name, "put") == 0)
            wrong += after[at] != i;
        else if (strcmp(name, "count") == 0)
            wrong += after[at] != from[at] + 1;
        else if (strcmp(name, "row") == 0)
            wrong += got[i] != from[at / 4 * 4] + from[at / 4 * 4 + 2];
        else if (strcmp(name, "turns") == 0)
            wrong += got[i] != sum;
        else
            wrong += got[i] != from[at];
    }
    return wrong;
}

static void test(HdApiTest *t, cl_program p, const char *name, unsigned items, unsigned bytes)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);
    void *mapped, *x = places(items, bytes, &mapped);
    cl_mem m[3] = {hd_api_buffer(t, got, sizeof got), hd_api_buffer(t, from, LARGE * 4), NULL};
    uint32_t *after = malloc(LARGE * 4);
    size_t size = items;

    CHECK_OK(code);
    m[2] = clCreateBuffer(t->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (size_t)items * bytes,
                          x, &code);
    CHECK_OK(code);
    for (cl_uint i = 0; i < 3; i++)
        CHECK_OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m[0], CL_TRUE, 0, items * 4, got, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m[1], CL_TRUE, 0, LARGE * 4, after, 0, NULL, NULL));
    CHECK(wrong_in(name, x, items, bytes, after) == 0);
    for (unsigned i = 0; i < 3; i++)
        CHECK_OK(clReleaseMemObject(m[i]));
    CHECK_OK(clReleaseKernel(k));
    free(after);
    munmap(mapped, ((size_t)items * bytes + PAGE - 1) / PAGE * PAGE + PAGE);
}

int main(void)
{
    static const unsigned items[] = {16, 200, 1024, 1040, MOST};
    HdApiTest t;
    cl_program p;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni"))
        setenv("HEDDLE_CPU", "znver4", 1); /* which asks ahead; another processor runs its code */
#endif
    t = hd_api_open();
    from = malloc(LARGE * 4);
    for (unsigned i = 0; i < LARGE; i++)
        from[i] = i * 2654435761u >> 3;
    p = t.has_compiler ? hd_api_build(&t, source, "") : NULL;
    for (unsigned i = 0; p != NULL && i < sizeof items / sizeof *items; i++) {
        test(&t, p, "take", items[i], 4);
        test(&t, p, "row", items[i], 4);
        test(&t, p, "put", items[i], 4);
        test(&t, p, "count", items[i], 4);
        test(&t, p, "turns", items[i], 4);
        test(&t, p, "wide", items[i] / 2, 8);
    }
    if (p == NULL)
        hd_api_skip("no compiler");
    else
        CHECK_OK(clReleaseProgram(p));
    free(from);
    return hd_api_close(&t);
}
