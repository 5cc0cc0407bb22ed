/* tests/api/usm_test.c -- cl_intel_unified_shared_memory, and shared virtual memory beside it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <stdint.h>

/* Functions of the extension are found by name. */
static struct {
    clHostMemAllocINTEL_fn host;
    clDeviceMemAllocINTEL_fn device;
    clSharedMemAllocINTEL_fn shared;
    clMemFreeINTEL_fn free;
    clMemBlockingFreeINTEL_fn blocking_free;
    clGetMemAllocInfoINTEL_fn info;
    clSetKernelArgMemPointerINTEL_fn set_arg;
    clEnqueueMemsetINTEL_fn set;
    clEnqueueMemFillINTEL_fn fill;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMigrateMemINTEL_fn migrate;
    clEnqueueMemAdviseINTEL_fn advise;
} usm;

static void find(HdApiTest *t)
{
#define FIND(member, name)                                                       \
    do {                                                                         \
        void *f_ = clGetExtensionFunctionAddressForPlatform(t->platform, #name); \
                                                                                 \
        CHECK(f_ != NULL);                                                       \
        memcpy(&usm.member, &f_, sizeof f_);                                     \
    } while (0)
    FIND(host, clHostMemAllocINTEL);
    FIND(device, clDeviceMemAllocINTEL);
    FIND(shared, clSharedMemAllocINTEL);
    FIND(free, clMemFreeINTEL);
    FIND(blocking_free, clMemBlockingFreeINTEL);
    FIND(info, clGetMemAllocInfoINTEL);
    FIND(set_arg, clSetKernelArgMemPointerINTEL);
    FIND(set, clEnqueueMemsetINTEL);
    FIND(fill, clEnqueueMemFillINTEL);
    FIND(copy, clEnqueueMemcpyINTEL);
    FIND(migrate, clEnqueueMigrateMemINTEL);
    FIND(advise, clEnqueueMemAdviseINTEL);
}

static cl_uint type_of(HdApiTest *t, const void *p)
{
    cl_uint type = 0;

    CHECK_OK(usm.info(t->context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    return type;
}

static void test_allocations(HdApiTest *t)
{
    const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    cl_mem_alloc_flags_intel flags = 0;
    cl_device_id device = NULL;
    size_t size = 0;
    cl_int code;
    char *base = NULL, *h, *d, *s, *svm;

    h = usm.host(t->context, NULL, 100, 0, &code);
    CHECK_OK(code);
    d = usm.device(t->context, t->device, combined, 1000, 64, &code);
    CHECK_OK(code);
    s = usm.shared(t->context, NULL, placed, 24, 128, &code);
    CHECK_OK(code);
    svm = clSVMAlloc(t->context, CL_MEM_READ_WRITE, 16, 0);
    CHECK(h != NULL && d != NULL && s != NULL && svm != NULL);
    CHECK((uintptr_t)h % 128 == 0 && (uintptr_t)d % 64 == 0 && (uintptr_t)s % 128 == 0);
    CHECK(type_of(t, h) == CL_MEM_TYPE_HOST_INTEL);
    CHECK(type_of(t, d + 999) == CL_MEM_TYPE_DEVICE_INTEL);
    CHECK(type_of(t, s) == CL_MEM_TYPE_SHARED_INTEL);
    CHECK(type_of(t, svm) == CL_MEM_TYPE_UNKNOWN_INTEL);
    CHECK(type_of(t, &code) == CL_MEM_TYPE_UNKNOWN_INTEL);
    CHECK_OK(usm.info(t->context, d + 7, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL));
    CHECK(base == d);
    CHECK_OK(usm.info(t->context, d, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL));
    CHECK(size == 1000);
    CHECK_OK(usm.info(t->context, d, CL_MEM_ALLOC_DEVICE_INTEL, sizeof device, &device, NULL));
    CHECK(device == t->device);
    CHECK_OK(usm.info(t->context, h, CL_MEM_ALLOC_DEVICE_INTEL, sizeof device, &device, &size));
    CHECK(device == NULL && size == sizeof device);
    CHECK_OK(usm.info(t->context, d, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL));
    CHECK(flags == CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    CHECK_CODE(usm.info(NULL, d, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL),
               CL_INVALID_CONTEXT);
    CHECK_CODE(usm.info(t->context, d, 0x1234, sizeof size, &size, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.info(t->context, d, CL_MEM_ALLOC_SIZE_INTEL, 2, &size, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.free(t->context, svm), CL_INVALID_VALUE);
    CHECK_CODE(usm.free(t->context, d + 1), CL_INVALID_VALUE);
    CHECK_CODE(usm.free(NULL, d), CL_INVALID_CONTEXT);
    clSVMFree(t->context, d); /* not one of its own: left alone */
    CHECK(type_of(t, d) == CL_MEM_TYPE_DEVICE_INTEL);
    CHECK_OK(usm.free(t->context, NULL));
    CHECK_OK(usm.free(t->context, h));
    CHECK_OK(usm.free(t->context, d));
    CHECK_OK(usm.blocking_free(t->context, s));
    CHECK_CODE(usm.free(t->context, s), CL_INVALID_VALUE);
    CHECK_CODE(usm.blocking_free(t->context, s), CL_INVALID_VALUE);
    CHECK_CODE(usm.blocking_free(NULL, s), CL_INVALID_CONTEXT);
    clSVMFree(t->context, svm);
}

/* Pages, and more: HIP's runtime on OpenCL (chipStar) takes all memory of the host like this. */
/* Kernels of others read a block behind the end, as GPUs have whole pages: zeros. */
static void test_tail(HdApiTest *t)
{
    const size_t sizes[] = {28, 4032, 100000, (size_t)3 << 20};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned char *p = usm.device(t->context, t->device, NULL, sizes[i], 0, NULL);
        bool ok = p != NULL;

        for (size_t j = 0; ok && j < 4096; j++)
            ok = p[sizes[i] + j] == 0;
        CHECK(ok);
        CHECK_OK(usm.blocking_free(t->context, (void *)(uintptr_t)p));
    }
}

static void test_aligned(HdApiTest *t)
{
    static const size_t sizes[] = {4, (size_t)5 << 20};
    cl_int code;

    for (cl_uint align = 1; align <= 2u << 20; align *= 2)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char *h = usm.host(t->context, NULL, sizes[i], align, &code), *d;

            CHECK_OK(code);
            d = usm.device(t->context, t->device, NULL, sizes[i], align, &code);
            CHECK_OK(code);
            CHECK(h != NULL && (uintptr_t)h % align == 0);
            CHECK(d != NULL && (uintptr_t)d % align == 0);
            if (h != NULL)
                memset(h, 1, sizes[i]);
            CHECK_OK(usm.free(t->context, h));
            CHECK_OK(usm.free(t->context, d));
        }
}

static void test_refused(HdApiTest *t)
{
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    const cl_mem_properties_intel both[] = {
        CL_MEM_ALLOC_FLAGS_INTEL,
        CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
    const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL,
                                             0, 0};
    const cl_mem_properties_intel unknown[] = {0x7777, 1, 0};
    cl_int code;

    CHECK_NULL(usm.host(NULL, NULL, 4, 0, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(usm.host(t->context, NULL, 4, 3, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(usm.host(t->context, NULL, 4, 4u << 20, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(usm.host(t->context, unknown, 4, 0, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(usm.host(t->context, twice, 4, 0, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(usm.host(t->context, placed, 4, 0, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(usm.host(t->context, NULL, 0, 0, &code), code, CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(usm.host(t->context, NULL, SIZE_MAX / 2, 0, &code), code, CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(usm.device(NULL, t->device, NULL, 4, 0, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(usm.device(t->context, NULL, NULL, 4, 0, &code), code, CL_INVALID_DEVICE);
    CHECK_NULL(usm.device(t->context, t->device, NULL, 4, 3, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(usm.device(t->context, t->device, placed, 4, 0, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(usm.device(t->context, t->device, NULL, 0, 0, &code), code, CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(usm.shared(NULL, t->device, NULL, 4, 0, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(usm.shared(t->context, (cl_device_id)t->context, NULL, 4, 0, &code), code,
               CL_INVALID_DEVICE);
    CHECK_NULL(usm.shared(t->context, NULL, NULL, 4, 3, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(usm.shared(t->context, NULL, both, 4, 0, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(usm.shared(t->context, NULL, NULL, 0, 0, &code), code, CL_INVALID_BUFFER_SIZE);
}

static cl_command_type command_of(cl_event e)
{
    cl_command_type type = 0;

    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_OK(clReleaseEvent(e));
    return type;
}

static void test_commands(HdApiTest *t)
{
    const unsigned short two[2] = {1, 2};
    unsigned short *d = usm.device(t->context, t->device, NULL, 64, 0, NULL), out[32];
    cl_command_queue q = t->queue;
    cl_event e;

    CHECK_OK(usm.fill(q, d, two, 4, 64, 0, NULL, &e));
    CHECK(command_of(e) == CL_COMMAND_MEMFILL_INTEL);
    CHECK_OK(usm.set(q, d + 2, 0x55, 4, 0, NULL, NULL));
    CHECK_OK(usm.advise(q, d, 64, 0, 0, NULL, &e));
    CHECK(command_of(e) == CL_COMMAND_MEMADVISE_INTEL);
    CHECK_OK(usm.migrate(q, d, 64, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &e));
    CHECK(command_of(e) == CL_COMMAND_MIGRATEMEM_INTEL);
    CHECK_OK(usm.copy(q, CL_TRUE, out, d, 64, 0, NULL, &e));
    CHECK(command_of(e) == CL_COMMAND_MEMCPY_INTEL);
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 0x5555 && out[3] == 0x5555 && out[31] == 2);
    CHECK_CODE(usm.fill(NULL, d, two, 4, 64, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(usm.fill(q, NULL, two, 4, 64, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d + 1, two, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d, NULL, 4, 64, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d, two, 3, 63, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d, two, 256, 256, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d, two, 4, 62, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.fill(q, d, two, 4, 64, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_CODE(usm.copy(NULL, CL_TRUE, out, d, 64, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(usm.copy(q, CL_TRUE, NULL, d, 64, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.copy(q, CL_TRUE, out, NULL, 64, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.copy(q, CL_TRUE, d, d + 2, 64, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_CODE(usm.migrate(q, d, 64, 1u << 20, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.migrate(NULL, d, 64, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(usm.advise(q, d, 64, 77, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(usm.advise(NULL, d, 64, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(usm.free(t->context, d));
}

/* src/ops/usm/tests/casts.spvasm, assembled: k(device, host, cross-workgroup) on u32 reads through
 * both casts, stores sums to the first and third, and adds to the second atomically. */
static const cl_uint casts[] = {
    0x07230203, 0x00010600, 0x00070000, 0x0000001f, 0x00000000, 0x00020011, 0x00000004, 0x00020011,
    0x00000005, 0x00020011, 0x00000006, 0x00020011, 0x0000000b, 0x00020011, 0x0000172f, 0x0009000a,
    0x5f565053, 0x45544e49, 0x73755f4c, 0x74735f6d, 0x6761726f, 0x6c635f65, 0x65737361, 0x00000073,
    0x0003000e, 0x00000002, 0x00000002, 0x0005000f, 0x00000006, 0x00000001, 0x0000006b, 0x00000002,
    0x00040047, 0x00000002, 0x0000000b, 0x0000001c, 0x00030047, 0x00000002, 0x00000016, 0x00020013,
    0x00000003, 0x00040015, 0x00000004, 0x00000020, 0x00000000, 0x00040015, 0x00000005, 0x00000040,
    0x00000000, 0x00040017, 0x00000006, 0x00000005, 0x00000003, 0x00040020, 0x00000007, 0x00000001,
    0x00000006, 0x00040020, 0x00000008, 0x00001730, 0x00000004, 0x00040020, 0x00000009, 0x00001731,
    0x00000004, 0x00040020, 0x0000000a, 0x00000005, 0x00000004, 0x00060021, 0x0000000b, 0x00000003,
    0x00000008, 0x00000009, 0x0000000a, 0x0004003b, 0x00000007, 0x00000002, 0x00000001, 0x0004002b,
    0x00000004, 0x0000000c, 0x00000001, 0x0004002b, 0x00000004, 0x0000000d, 0x00000000, 0x00050036,
    0x00000003, 0x00000001, 0x00000000, 0x0000000b, 0x00030037, 0x00000008, 0x0000000e, 0x00030037,
    0x00000009, 0x0000000f, 0x00030037, 0x0000000a, 0x00000010, 0x000200f8, 0x00000011, 0x0006003d,
    0x00000006, 0x00000012, 0x00000002, 0x00000002, 0x00000020, 0x00050051, 0x00000005, 0x00000013,
    0x00000012, 0x00000000, 0x00050046, 0x00000008, 0x00000014, 0x0000000e, 0x00000013, 0x00050046,
    0x00000009, 0x00000015, 0x0000000f, 0x00000013, 0x00050046, 0x0000000a, 0x00000016, 0x00000010,
    0x00000013, 0x0004172e, 0x0000000a, 0x00000017, 0x00000014, 0x0004172e, 0x0000000a, 0x00000018,
    0x00000015, 0x0006003d, 0x00000004, 0x00000019, 0x00000017, 0x00000002, 0x00000004, 0x0006003d,
    0x00000004, 0x0000001a, 0x00000015, 0x00000002, 0x00000004, 0x00050080, 0x00000004, 0x0000001b,
    0x00000019, 0x0000001a, 0x0006003d, 0x00000004, 0x0000001c, 0x00000018, 0x00000002, 0x00000004,
    0x0005003e, 0x00000016, 0x0000001c, 0x00000002, 0x00000004, 0x00041732, 0x00000008, 0x0000001d,
    0x00000016, 0x0005003e, 0x0000001d, 0x0000001b, 0x00000002, 0x00000004, 0x0005003e, 0x00000014,
    0x0000001b, 0x00000002, 0x00000004, 0x000700ea, 0x00000004, 0x0000001e, 0x0000000f, 0x0000000c,
    0x0000000d, 0x0000000c, 0x000100fd, 0x00010038,
};

static cl_kernel casts_kernel(HdApiTest *t, cl_program *p)
{
    cl_int code;
    cl_kernel k;

    *p = clCreateProgramWithIL(t->context, casts, sizeof casts, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(*p, 0, NULL, NULL, NULL, NULL));
    k = clCreateKernel(*p, "k", &code);
    CHECK_OK(code);
    return k;
}

/* Pointers of three kinds as arguments, by either function. */
static void test_kernel(HdApiTest *t, bool by_svm)
{
    enum { N = 5 };
    const size_t global = N, local = N;
    const cl_bool yes = CL_TRUE;
    cl_uint *d = by_svm ? clSVMAlloc(t->context, 0, 4 * N, 0)
                        : usm.device(t->context, t->device, NULL, 4 * N, 0, NULL);
    cl_uint *h = by_svm ? malloc(4 * N) : usm.host(t->context, NULL, 4 * N, 0, NULL);
    cl_uint *s = by_svm ? clSVMAlloc(t->context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 4 * N, 0)
                        : usm.shared(t->context, t->device, NULL, 4 * N, 0, NULL);
    void *all[3] = {d, h, s};
    cl_program p;
    cl_kernel k = casts_kernel(t, &p);
    bool ok = true;

    for (cl_uint i = 0; i < N; i++)
        d[i] = i + 10, h[i] = i + 1, s[i] = 0;
    for (cl_uint i = 0; i < 3; i++)
        CHECK_OK(by_svm ? clSetKernelArgSVMPointer(k, i, all[i]) : usm.set_arg(k, i, all[i]));
    CHECK_CODE(usm.set_arg(NULL, 0, d), CL_INVALID_KERNEL);
    CHECK_CODE(usm.set_arg(k, 3, d), CL_INVALID_ARG_INDEX);
    CHECK_OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof all, all));
    CHECK_OK(
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof yes, &yes));
    CHECK_OK(
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
    CHECK_OK(
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes));
    CHECK_OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    CHECK_CODE(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, 1, &yes),
               CL_INVALID_VALUE);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    for (cl_uint i = 0; i < N; i++)
        ok = ok && d[i] == 11 + 2 * i && s[i] == 11 + 2 * i && h[i] == i + (i == 0 ? 6 : 1);
    CHECK(ok);
    clReleaseKernel(k);
    clReleaseProgram(p);
    if (by_svm) {
        clSVMFree(t->context, d);
        clSVMFree(t->context, s);
        free(h);
        return;
    }
    for (int i = 0; i < 3; i++)
        CHECK_OK(usm.blocking_free(t->context, all[i]));
}

/* A free that waits: nothing else does. */
static void test_blocking_free(HdApiTest *t)
{
    enum { N = 5 };
    const size_t global = N, local = N;
    cl_uint *d = usm.device(t->context, t->device, NULL, 4 * N, 0, NULL), out[N] = {0};
    cl_mem b = clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, sizeof out, out, NULL);
    cl_program p;
    cl_kernel k = casts_kernel(t, &p);

    for (cl_uint i = 0; i < N; i++)
        d[i] = i;
    CHECK_OK(usm.set_arg(k, 0, d));
    CHECK_OK(usm.set_arg(k, 1, d));
    CHECK_OK(clSetKernelArg(k, 2, sizeof b, &b));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK_OK(usm.blocking_free(t->context, d));
    CHECK(out[4] == 8);
    clReleaseMemObject(b);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    find(&t);
    test_allocations(&t);
    test_tail(&t);
    test_aligned(&t);
    test_refused(&t);
    test_commands(&t);
    test_kernel(&t, false);
    test_kernel(&t, true);
    test_blocking_free(&t);
    return hd_api_close(&t);
}
