/* tests/api/buffer_test.c -- buffers, sub-buffers and every command that moves their bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define N 64

static cl_mem make(HdApiTest *t, cl_mem_flags flags, size_t size, void *ptr)
{
    cl_int code;
    cl_mem m = clCreateBuffer(t->context, flags, size, ptr, &code);

    CHECK_OK(code);
    return m;
}

static void test_create_errors(HdApiTest *t)
{
    cl_ulong most = 0;
    unsigned char bytes[16];
    cl_int code;

    clGetDeviceInfo(t->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    CHECK_NULL(clCreateBuffer((cl_context)t->device, 0, 4, NULL, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(clCreateBuffer(t->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &code),
               code, CL_INVALID_VALUE);
    CHECK_NULL(
        clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes, &code),
        code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateBuffer(t->context, 0, 0, NULL, &code), code, CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateBuffer(t->context, 0, (size_t)most + 1, NULL, &code), code,
               CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateBuffer(t->context, 0, 4, bytes, &code), code, CL_INVALID_HOST_PTR);
    CHECK_NULL(clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, 4, NULL, &code), code,
               CL_INVALID_HOST_PTR);
    CHECK_CODE(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
}

static unsigned order;

static void CL_CALLBACK on_gone(cl_mem m, void *user)
{
    (void)m;
    order = order * 10 + *(const unsigned *)user;
}

static void test_info(HdApiTest *t)
{
    static const unsigned one = 1, two = 2;
    unsigned char bytes[N] = {0};
    cl_mem m = make(t, CL_MEM_USE_HOST_PTR, N, bytes);
    void *ptr = NULL;
    size_t size = 0;
    cl_mem_flags flags = 0;
    cl_uint n = 0;

    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof ptr, &ptr, NULL));
    CHECK(ptr == bytes);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK(size == N);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK((flags & CL_MEM_USE_HOST_PTR) != 0);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL));
    CHECK(n == 1);
    CHECK_CODE(clGetMemObjectInfo(m, 0x1234, sizeof n, &n, NULL), CL_INVALID_VALUE);
    CHECK_OK(clSetMemObjectDestructorCallback(m, on_gone, (void *)(uintptr_t)&one));
    CHECK_OK(clSetMemObjectDestructorCallback(m, on_gone, (void *)(uintptr_t)&two));
    CHECK_OK(clReleaseMemObject(m));
    CHECK(order == 21);
}

static void test_read_write(HdApiTest *t)
{
    cl_mem m = make(t, CL_MEM_READ_WRITE, N, NULL), hidden;
    unsigned char in[N], out[N];
    cl_event e = NULL;

    for (unsigned i = 0; i < N; i++)
        in[i] = (unsigned char)(i * 7);
    CHECK_OK(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 0, N, in, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_FALSE, 0, N, out, 0, NULL, &e));
    CHECK_OK(clWaitForEvents(1, &e));
    CHECK(memcmp(in, out, N) == 0);
    CHECK_OK(clReleaseEvent(e));
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, N - 4, 5, out, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, SIZE_MAX, 5, out, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, NULL, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, out, 1, NULL, NULL),
               CL_INVALID_EVENT_WAIT_LIST);
    CHECK_CODE(clEnqueueReadBuffer(NULL, m, CL_TRUE, 0, 4, out, 0, NULL, NULL),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, NULL, CL_TRUE, 0, 4, out, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    hidden = make(t, CL_MEM_HOST_NO_ACCESS, N, NULL);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, hidden, CL_TRUE, 0, 4, out, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueWriteBuffer(t->queue, hidden, CL_TRUE, 0, 4, out, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_OK(clReleaseMemObject(hidden));
    CHECK_OK(clReleaseMemObject(m));
}

static void test_copy_fill(HdApiTest *t)
{
    unsigned char in[N], out[N];
    const unsigned short pattern = 0x1234;
    cl_mem a, b;

    for (unsigned i = 0; i < N; i++)
        in[i] = (unsigned char)i;
    a = make(t, CL_MEM_COPY_HOST_PTR, N, in);
    b = make(t, 0, N, NULL);
    CHECK_OK(clEnqueueFillBuffer(t->queue, b, &pattern, 2, 0, N, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyBuffer(t->queue, a, b, 3, 10, 5, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, N, out, 0, NULL, NULL));
    CHECK(out[9] == 0x12 && out[10] == 3 && out[14] == 7 && out[16] == 0x34);
    CHECK_CODE(clEnqueueCopyBuffer(t->queue, a, a, 0, 2, 5, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyBuffer(t->queue, a, a, 0, 5, 5, 0, NULL, NULL));
    CHECK_CODE(clEnqueueCopyBuffer(t->queue, a, b, 60, 0, 5, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueFillBuffer(t->queue, b, &pattern, 3, 0, 6, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueFillBuffer(t->queue, b, &pattern, 2, 1, 4, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueFillBuffer(t->queue, b, NULL, 2, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
}

/* No bytes are no error, at the end of a buffer neither; the commands have events as others. */
static void test_no_bytes(HdApiTest *t)
{
    unsigned char in[N], out[N] = {0};
    cl_event done[3] = {NULL};
    cl_mem m;

    memset(in, 7, N);
    m = make(t, CL_MEM_COPY_HOST_PTR, N, in);
    CHECK_OK(clEnqueueWriteBuffer(t->queue, m, CL_FALSE, 4, 0, out, 0, NULL, &done[0]));
    CHECK_OK(clEnqueueCopyBuffer(t->queue, m, m, N, N, 0, 1, &done[0], &done[1]));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, N, 0, out, 1, &done[1], &done[2]));
    CHECK_OK(clWaitForEvents(3, done));
    CHECK(out[0] == 0);
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, N, out, 0, NULL, NULL));
    CHECK(memcmp(in, out, N) == 0);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, m, CL_TRUE, N + 1, 0, out, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 0, 0, NULL, 0, NULL, NULL),
               CL_INVALID_VALUE);
    for (unsigned i = 0; i < 3; i++)
        CHECK_OK(clReleaseEvent(done[i]));
    CHECK_OK(clReleaseMemObject(m));
}

/* A box of 3 x 2 x 2 bytes out of a cube of 4, into the middle of another. */
static void test_rect(HdApiTest *t)
{
    const size_t origin[3] = {1, 1, 1}, zero[3] = {0, 0, 0}, region[3] = {3, 2, 2};
    const size_t big[3] = {4, 4, 5}, none[3] = {3, 0, 2};
    unsigned char in[N], box[12] = {0}, out[N];
    cl_mem a, b;
    bool ok = true;

    for (unsigned i = 0; i < N; i++)
        in[i] = (unsigned char)i;
    a = make(t, CL_MEM_COPY_HOST_PTR, N, in);
    b = make(t, 0, N, NULL);
    CHECK_OK(clEnqueueReadBufferRect(t->queue, a, CL_TRUE, origin, zero, region, 4, 16, 0, 0, box,
                                     0, NULL, NULL));
    for (unsigned i = 0; i < 12; i++)
        ok = ok && box[i] == 21 + i % 3 + i / 3 % 2 * 4 + i / 6 * 16;
    CHECK(ok);
    memset(out, 255, N);
    CHECK_OK(clEnqueueWriteBuffer(t->queue, b, CL_TRUE, 0, N, out, 0, NULL, NULL));
    CHECK_OK(clEnqueueWriteBufferRect(t->queue, b, CL_TRUE, origin, zero, region, 4, 16, 0, 0, box,
                                      0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, N, out, 0, NULL, NULL));
    CHECK(out[21] == 21 && out[20] == 255 && out[24] == 255 && out[43] == 43);
    CHECK_OK(
        clEnqueueCopyBufferRect(t->queue, a, b, zero, origin, region, 4, 16, 4, 16, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, N, out, 0, NULL, NULL));
    CHECK(out[21] == 0 && out[25] == 4 && out[37] == 16);
    CHECK_CODE(clEnqueueReadBufferRect(t->queue, a, CL_TRUE, origin, zero, big, 4, 16, 0, 0, box, 0,
                                       NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadBufferRect(t->queue, a, CL_TRUE, origin, zero, none, 4, 16, 0, 0, box,
                                       0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadBufferRect(t->queue, a, CL_TRUE, origin, zero, region, 2, 16, 0, 0, box,
                                       0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(
        clEnqueueCopyBufferRect(t->queue, a, a, zero, origin, region, 4, 16, 4, 16, 0, NULL, NULL),
        CL_MEM_COPY_OVERLAP);
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
}

/* Boxes of one memory that share a byte, by rows that go on behind the pitch and by sub-buffers. */
static void test_rect_overlap(HdApiTest *t)
{
    const size_t row_end[3] = {8, 0, 0}, next_row[3] = {0, 1, 0}, beside[3] = {4, 0, 0};
    const size_t zero[3] = {0}, far[3] = {0, 64, 0}, region[3] = {8, 2, 1}, column[3] = {4, 4, 1};
    cl_mem m = make(t, 0, 2048, NULL), low, high;
    cl_buffer_region part = {0, 1024};

    low = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, NULL);
    part.origin = 512;
    high = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, NULL);
    CHECK_CODE(clEnqueueCopyBufferRect(t->queue, m, m, row_end, next_row, region, 10, 40, 10, 40, 0,
                                       NULL, NULL),
               CL_MEM_COPY_OVERLAP);
    CHECK_OK(
        clEnqueueCopyBufferRect(t->queue, m, m, zero, beside, column, 8, 32, 8, 32, 0, NULL, NULL));
    CHECK_CODE(
        clEnqueueCopyBufferRect(t->queue, low, high, far, zero, region, 8, 0, 8, 0, 0, NULL, NULL),
        CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyBufferRect(t->queue, low, high, zero, zero, region, 8, 0, 8, 0, 0, NULL,
                                     NULL));
    CHECK_OK(clReleaseMemObject(high));
    CHECK_OK(clReleaseMemObject(low));
    CHECK_OK(clReleaseMemObject(m));
}

/* What is mapped for writing is not mapped for writing again, from wherever. */
static void test_map_twice(HdApiTest *t)
{
    cl_mem m = make(t, 0, 2048, NULL), sub;
    cl_buffer_region part = {512, 512};
    cl_uint count = 0;
    cl_int code;
    void *first, *second;

    sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, NULL);
    first = clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_WRITE, 0, 600, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_NULL(clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 599, 1, 0,
                                  NULL, NULL, &code),
               code, CL_INVALID_OPERATION);
    CHECK_NULL(
        clEnqueueMapBuffer(t->queue, sub, CL_TRUE, CL_MAP_WRITE, 0, 512, 0, NULL, NULL, &code),
        code, CL_INVALID_OPERATION);
    second = clEnqueueMapBuffer(t->queue, sub, CL_TRUE, CL_MAP_WRITE, 88, 4, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK(count == 1);
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, first, 0, NULL, NULL));
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, sub, second, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) { /* for reading as often as one likes, once more written */
        first = clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_READ, 0, 600, 0, NULL, NULL, &code);
        CHECK_OK(code);
    }
    (void)clEnqueueMapBuffer(t->queue, sub, CL_TRUE, CL_MAP_WRITE, 0, 512, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(sub)); /* its map goes with it */
    for (int i = 0; i < 2; i++)
        CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, first, 0, NULL, NULL));
    first = clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_WRITE, 0, 2048, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, first, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(m));
}

static void test_map(HdApiTest *t)
{
    unsigned char bytes[N] = {0}, *p;
    cl_mem m = make(t, CL_MEM_USE_HOST_PTR, N, bytes);
    cl_uint maps = 0;
    cl_int code;

    p = clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_WRITE, 8, 8, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(p == bytes + 8);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    CHECK(maps == 1);
    p[0] = 99;
    CHECK_CODE(clEnqueueUnmapMemObject(t->queue, m, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, p, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK(bytes[8] == 99);
    CHECK_NULL(clEnqueueMapBuffer(t->queue, m, CL_TRUE, CL_MAP_READ, 60, 8, 0, NULL, NULL, &code),
               code, CL_INVALID_VALUE);
    CHECK_NULL(clEnqueueMapBuffer(t->queue, m, CL_TRUE,
                                  CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 8, 0, NULL, NULL,
                                  &code),
               code, CL_INVALID_VALUE);
    CHECK_OK(
        clEnqueueMigrateMemObjects(t->queue, 1, &m, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    CHECK_CODE(clEnqueueMigrateMemObjects(t->queue, 0, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(m));
}

static void test_sub_buffer(HdApiTest *t)
{
    const cl_buffer_region good = {128, 128}, far = {128, 512}, odd = {3, 8}, empty = {0, 0};
    unsigned char in[512], out[128];
    cl_mem m, s, parent = NULL;
    size_t offset = 0;
    cl_int code;

    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i / 2);
    m = make(t, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in);
    s = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(s, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    CHECK_OK(clGetMemObjectInfo(s, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    CHECK(parent == m && offset == 128);
    CHECK_OK(clReleaseMemObject(m)); /* the sub-buffer keeps it */
    CHECK_OK(clEnqueueReadBuffer(t->queue, s, CL_TRUE, 0, 128, out, 0, NULL, NULL));
    CHECK(memcmp(out, in + 128, 128) == 0);
    CHECK_NULL(clCreateSubBuffer(s, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &code), code,
               CL_INVALID_MEM_OBJECT);
    CHECK_OK(clReleaseMemObject(s));
    m = make(t, CL_MEM_READ_ONLY, 512, NULL);
    CHECK_NULL(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &far, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &code), code,
               CL_MISALIGNED_SUB_BUFFER_OFFSET);
    CHECK_NULL(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &code), code,
               CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateSubBuffer(m, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &good, &code),
               code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateSubBuffer(m, 0, 0x7777, &good, &code), code, CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(m));
}

static void test_svm(HdApiTest *t)
{
    unsigned char *a = clSVMAlloc(t->context, CL_MEM_READ_WRITE, N, 0);
    unsigned char *b = clSVMAlloc(t->context, CL_MEM_SVM_FINE_GRAIN_BUFFER, N, 64);
    const unsigned int pattern = 0x01020304;
    void *both[2] = {a, b};
    cl_bool uses = CL_FALSE;
    cl_int code;
    cl_mem m;

    CHECK(a != NULL && b != NULL && (uintptr_t)b % 64 == 0);
    CHECK_NULL(clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, N + 1, a, &code), code,
               CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, N, a + 1, &code), code,
               CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, N, a + 1, &code), code,
               CL_INVALID_BUFFER_SIZE);
    CHECK(clSVMAlloc(t->context, CL_MEM_READ_WRITE, 0, 0) == NULL);
    CHECK(clSVMAlloc(t->context, CL_MEM_READ_WRITE, N, 3) == NULL);
    CHECK(clSVMAlloc(t->context, CL_MEM_SVM_ATOMICS, N, 0) == NULL);
    CHECK_OK(clEnqueueSVMMemFill(t->queue, a, &pattern, 4, N, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMemcpy(t->queue, CL_TRUE, b, a, N, 0, NULL, NULL));
    CHECK(b[0] == 4 && b[N - 1] == 1);
    CHECK_CODE(clEnqueueSVMMemcpy(t->queue, CL_TRUE, b, b + 1, 4, 0, NULL, NULL),
               CL_MEM_COPY_OVERLAP);
    CHECK_CODE(clEnqueueSVMMemcpy(t->queue, CL_TRUE, NULL, b, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueSVMMemcpy(t->queue, CL_TRUE, NULL, b, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueSVMMemFill(t->queue, NULL, &pattern, 4, 0, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueSVMMap(t->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, a,
                               N, 0, NULL, NULL),
               CL_INVALID_VALUE);
    for (size_t i = 0; i < 3; i++) {
        const void *inner = a + 4;
        const size_t size = N - 5 + i;

        CHECK_CODE(clEnqueueSVMMigrateMem(t->queue, 1, &inner, &size, 0, 0, NULL, NULL),
                   i < 2 ? CL_SUCCESS : CL_INVALID_VALUE);
    }
    CHECK_OK(clEnqueueSVMMap(t->queue, CL_TRUE, CL_MAP_READ, a, N, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMUnmap(t->queue, a, 0, NULL, NULL));
    m = make(t, CL_MEM_USE_HOST_PTR, N, a);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    CHECK(uses == CL_TRUE);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clEnqueueSVMFree(t->queue, 2, both, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
}

/* cl_ext_buffer_device_address */
#define PRIVATE_ADDRESS 0x5000
#define ADDRESS         0x5001
#define DEVICE_PTRS     0x5002

typedef cl_int(CL_API_CALL *SetPointer)(cl_kernel kernel, cl_uint index, cl_ulong address);

static void check_addresses_are_used(HdApiTest *t, cl_ulong at, cl_mem told)
{
    cl_program p =
        hd_api_build(t,
                     "kernel void k(global int *middle, global ulong *told, local int *l, int x)"
                     "{ middle[-1] += x; *(global int *)told[0] += 2 * x; }",
                     "-cl-std=CL3.0");
    SetPointer set = NULL;
    const cl_int x = 7;
    const size_t one = 1;
    cl_int code;
    cl_kernel k = clCreateKernel(p, "k", &code);
    void *f =
        clGetExtensionFunctionAddressForPlatform(t->platform, "clSetKernelArgDevicePointerEXT");

    CHECK_OK(code);
    CHECK(f != NULL);
    memcpy(&set, &f, sizeof set);
    CHECK_OK(set(k, 0, at + 8));
    CHECK_OK(clSetKernelArg(k, 1, sizeof told, &told));
    CHECK_OK(clSetKernelArg(k, 2, 4, NULL));
    CHECK_OK(clSetKernelArg(k, 3, sizeof x, &x));
    CHECK_OK(clSetKernelExecInfo(k, DEVICE_PTRS, sizeof at, &at));
    CHECK_CODE(clSetKernelExecInfo(k, DEVICE_PTRS, 3, &at), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_CODE(set((cl_kernel)p, 0, at), CL_INVALID_KERNEL);
    CHECK_CODE(set(k, 4, at), CL_INVALID_ARG_INDEX);
    CHECK_CODE(set(k, 3, at), CL_INVALID_ARG_INDEX);
    CHECK_CODE(set(k, 2, at), CL_INVALID_ARG_INDEX);
    CHECK_OK(set(k, 0, 1));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
}

static void test_device_address(HdApiTest *t)
{
    const cl_mem_properties with[] = {PRIVATE_ADDRESS, CL_TRUE, 0};
    const cl_mem_properties without[] = {PRIVATE_ADDRESS, CL_FALSE, 0};
    const cl_mem_properties odd[] = {PRIVATE_ADDRESS, 2, 0};
    const cl_mem_properties twice[] = {PRIVATE_ADDRESS, CL_TRUE, PRIVATE_ADDRESS, CL_TRUE, 0};
    cl_mem_properties kept[8] = {0};
    cl_int numbers[3] = {100, 200, 300};
    cl_ulong at = 0;
    size_t size = 0;
    cl_int code;
    cl_mem m = clCreateBufferWithProperties(t->context, with, CL_MEM_COPY_HOST_PTR, sizeof numbers,
                                            numbers, &code);
    cl_mem plain = clCreateBufferWithProperties(t->context, without, 0, 8, NULL, &code), told;

    CHECK(m != NULL && plain != NULL);
    CHECK_NULL(clCreateBufferWithProperties(t->context, odd, 0, 8, NULL, &code), code,
               CL_INVALID_PROPERTY);
    CHECK_NULL(clCreateBufferWithProperties(t->context, twice, 0, 8, NULL, &code), code,
               CL_INVALID_PROPERTY);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof kept, kept, &size));
    CHECK(size == sizeof with && memcmp(kept, with, sizeof with) == 0);
    CHECK_OK(clGetMemObjectInfo(m, ADDRESS, sizeof at, &at, &size));
    CHECK(size == sizeof at && at != 0);
    CHECK_CODE(clGetMemObjectInfo(m, ADDRESS, 4, &at, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetMemObjectInfo(plain, ADDRESS, sizeof at, &at, NULL), CL_INVALID_OPERATION);
    told = make(t, CL_MEM_COPY_HOST_PTR, sizeof at, &at);
    check_addresses_are_used(t, at, told);
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    CHECK(numbers[0] == 114 && numbers[1] == 207 && numbers[2] == 300);
    CHECK_OK(clReleaseMemObject(told));
    CHECK_OK(clReleaseMemObject(plain));
    CHECK_OK(clReleaseMemObject(m));
}

/* Bytes in front of and behind what was filled stay as they were; every pattern, at lengths from a
 * few bytes to what goes past the caches and to what several threads do. */
static void test_large(HdApiTest *t)
{
    static const size_t lengths[] = {128, 640, 100000, ((size_t)4 << 20) + 128, (size_t)17 << 20};
    size_t room = ((size_t)17 << 20) + 512;
    unsigned char *bytes = malloc(room), *copied = malloc(room), pattern[128];
    cl_mem b = make(t, CL_MEM_USE_HOST_PTR, room, bytes), c = make(t, 0, room, NULL);

    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)(i * 7 + 1);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        for (size_t p = 1; p <= sizeof pattern; p *= 2) {
            size_t offset = 256 - 256 % p - p, wrong = 0;
            size_t length = lengths[k] - lengths[k] % p;

            memset(bytes, 0xee, room);
            CHECK_OK(clEnqueueFillBuffer(t->queue, b, pattern, p, offset, length, 0, NULL, NULL));
            CHECK_OK(clFinish(t->queue));
            for (size_t i = 0; i < length; i++)
                wrong += bytes[offset + i] != pattern[i % p];
            CHECK(wrong == 0);
            CHECK(bytes[offset - 1] == 0xee && bytes[offset + length] == 0xee);
        }
        memset(copied, 0xdd, room);
        CHECK_OK(clEnqueueCopyBuffer(t->queue, b, c, 3, 5, lengths[k], 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(t->queue, c, CL_TRUE, 5, lengths[k], copied, 0, NULL, NULL));
        CHECK(memcmp(copied, bytes + 3, lengths[k]) == 0 && copied[lengths[k]] == 0xdd);
    }
    CHECK_OK(clReleaseMemObject(b));
    CHECK_OK(clReleaseMemObject(c));
    free(bytes);
    free(copied);
}

/* cl_intel_mem_force_host_memory, cl_intel_create_buffer_with_properties */
static void test_intel(HdApiTest *t)
{
    static unsigned char lines[256] __attribute__((aligned(64)));
    const cl_mem_flags forced = CL_MEM_FORCE_HOST_MEMORY_INTEL,
                       given = forced | CL_MEM_USE_HOST_PTR;
    const cl_mem_properties bad[] = {0x7777, 1, 0}, none[] = {0};
    cl_buffer_region part = {0, 128};
    cl_mem_flags flags = 0;
    clCreateBufferWithPropertiesINTEL_fn create;
    cl_int code;
    cl_mem m = clCreateBuffer(t->context, forced, 256, NULL, &code);

    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags == (forced | CL_MEM_READ_WRITE));
    CHECK_NULL(clCreateSubBuffer(m, forced, CL_BUFFER_CREATE_TYPE_REGION, &part, &code), code,
               CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(m));
    m = clCreateBuffer(t->context, given, 128, lines + 64, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_NULL(clCreateBuffer(t->context, given, 128, lines + 4, &code), code, CL_INVALID_HOST_PTR);
    CHECK_NULL(clCreateBuffer(t->context, given, 100, lines, &code), code, CL_INVALID_BUFFER_SIZE);

    *(void **)&create =
        clGetExtensionFunctionAddressForPlatform(t->platform, "clCreateBufferWithPropertiesINTEL");
    m = create(t->context, none, 0, 64, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_NULL(create(NULL, NULL, 0, 64, NULL, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(create(t->context, bad, 0, 64, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(create(t->context, NULL, 0, 0, NULL, &code), code, CL_INVALID_BUFFER_SIZE);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_create_errors(&t);
    test_info(&t);
    test_read_write(&t);
    test_copy_fill(&t);
    test_no_bytes(&t);
    test_rect(&t);
    test_rect_overlap(&t);
    test_map(&t);
    test_map_twice(&t);
    test_sub_buffer(&t);
    test_svm(&t);
    test_device_address(&t);
    test_large(&t);
    test_intel(&t);
    return hd_api_close(&t);
}
