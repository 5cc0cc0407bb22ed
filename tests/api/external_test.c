/* tests/api/external_test.c -- buffers and images in memory that a file descriptor stands for
 * (cl_khr_external_memory, cl_khr_external_memory_opaque_fd).
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cl/cl_new.h"

enum { BYTES = 65536 };

static clEnqueueAcquireExternalMemObjectsKHR_fn acquire;
static clEnqueueReleaseExternalMemObjectsKHR_fn release;

static void test_queries(HdApiTest *t)
{
    static const cl_uint names[] = {
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
        HD_CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR};
    cl_external_memory_handle_type_khr types[4];
    size_t size;

    for (int i = 0; i < 2; i++) {
        CHECK_OK(clGetDeviceInfo(t->device, names[i], sizeof types, types, &size));
        CHECK(size == sizeof types[0] && types[0] == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
    }
    CHECK_OK(clGetPlatformInfo(t->platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                               sizeof types, types, &size));
    CHECK(size == sizeof types[0] && types[0] == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
}

/* The event's type, and that its command ends. */
static void handed_over(cl_event e, cl_command_type type)
{
    cl_command_type is = 0;

    CHECK_OK(clWaitForEvents(1, &e));
    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof is, &is, NULL));
    CHECK(is == type);
    CHECK_OK(clReleaseEvent(e));
}

/* What the owner writes kernels read, and the other way round; in two objects at once. */
static void test_buffer(HdApiTest *t, int fd)
{
    cl_mem_properties properties[] = {
        CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, (cl_mem_properties)fd,
        HD_CL_MEM_DEVICE_HANDLE_LIST_KHR,        (cl_mem_properties)(uintptr_t)t->device,
        HD_CL_MEM_DEVICE_HANDLE_LIST_END_KHR,    0};
    unsigned char bytes[64], nine = 9, *whole;
    cl_mem_properties kept[8];
    cl_mem m[2];
    cl_event e;
    size_t size;
    cl_int code;

    memset(bytes, 5, sizeof bytes);
    CHECK(pwrite(fd, bytes, sizeof bytes, 1000) == sizeof bytes);
    for (int i = 0; i < 2; i++) {
        m[i] = clCreateBufferWithProperties(t->context, properties, 0, BYTES, NULL, &code);
        CHECK_OK(code);
    }
    CHECK_OK(clGetMemObjectInfo(m[0], CL_MEM_PROPERTIES, sizeof kept, kept, &size));
    CHECK(size == sizeof properties && memcmp(kept, properties, size) == 0);
    CHECK_OK(acquire(t->queue, 2, m, 0, NULL, &e));
    handed_over(e, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
    memset(bytes, 0, sizeof bytes);
    CHECK_OK(
        clEnqueueReadBuffer(t->queue, m[0], CL_TRUE, 1000, sizeof bytes, bytes, 0, NULL, NULL));
    CHECK(bytes[0] == 5 && bytes[63] == 5);
    CHECK_OK(clEnqueueFillBuffer(t->queue, m[1], &nine, 1, 2000, 64, 0, NULL, NULL));
    whole =
        clEnqueueMapBuffer(t->queue, m[0], CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &code);
    CHECK(code == CL_SUCCESS && whole[2000] == 9 && whole[1063] == 5 && whole[1064] == 0);
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, m[0], whole, 0, NULL, NULL));
    CHECK_OK(release(t->queue, 2, m, 0, NULL, &e));
    handed_over(e, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
    CHECK(pread(fd, bytes, sizeof bytes, 2000) == sizeof bytes && bytes[0] == 9 && bytes[63] == 9);
    CHECK_OK(clReleaseMemObject(m[0]));
    CHECK_OK(clReleaseMemObject(m[1]));
    CHECK(pread(fd, bytes, 1, 2000) == 1 && bytes[0] == 9);
}

/* Rows lie as the descriptor says. */
static void test_image(HdApiTest *t, int fd)
{
    cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                      (cl_mem_properties)fd, 0};
    cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 4,
                          .image_row_pitch = 256};
    size_t origin[3] = {1, 2, 0}, region[3] = {3, 1, 1};
    unsigned char texels[3] = {1, 2, 3}, back[3];
    cl_int code;
    cl_mem m = clCreateImageWithProperties(t->context, properties, 0, &format, &desc, NULL, &code);

    CHECK_OK(code);
    CHECK_OK(acquire(t->queue, 1, &m, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueWriteImage(t->queue, m, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    CHECK_OK(release(t->queue, 1, &m, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK(pread(fd, back, 3, 2 * 256 + 1) == 3 && memcmp(back, texels, 3) == 0);
    CHECK_OK(clReleaseMemObject(m));
    desc.num_mip_levels = 2;
    CHECK_NULL(clCreateImageWithProperties(t->context, properties, 0, &format, &desc, NULL, &code),
               code, CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 0;
    CHECK_NULL(clCreateImageWithProperties(t->context, properties, CL_MEM_ALLOC_HOST_PTR, &format,
                                           &desc, NULL, &code),
               code, CL_INVALID_VALUE);
    desc.image_row_pitch = BYTES;
    CHECK_NULL(clCreateImageWithProperties(t->context, properties, 0, &format, &desc, NULL, &code),
               code, CL_INVALID_PROPERTY);
}

static void refuse(HdApiTest *t, const cl_mem_properties *p, cl_mem_flags flags, size_t size,
                   cl_int want)
{
    cl_int code;

    CHECK_NULL(clCreateBufferWithProperties(t->context, p, flags, size, NULL, &code), code, want);
}

static void test_refusals(HdApiTest *t, int fd)
{
    const cl_mem_properties opaque = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, n = (cl_uint)fd;
    int closed = dup(fd), read_only = open("/dev/null", O_RDONLY);
    char byte = 0;
    cl_int code;

    close(closed);
    refuse(t, (cl_mem_properties[]){opaque, n, opaque, n, 0}, 0, 16, CL_INVALID_PROPERTY);
    refuse(t, (cl_mem_properties[]){opaque, (cl_uint)closed, 0}, 0, 16, CL_INVALID_PROPERTY);
    refuse(t, (cl_mem_properties[]){opaque, (cl_uint)read_only, 0}, 0, 16, CL_INVALID_PROPERTY);
    refuse(t, (cl_mem_properties[]){opaque, n, 0}, 0, BYTES + 1, CL_INVALID_PROPERTY);
    refuse(t, (cl_mem_properties[]){CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, n, 0}, 0, 16,
           CL_INVALID_PROPERTY);
    refuse(t,
           (cl_mem_properties[]){HD_CL_MEM_DEVICE_HANDLE_LIST_KHR,
                                 (cl_mem_properties)(uintptr_t)t->device, 0, 0},
           0, 16, CL_INVALID_PROPERTY);
    refuse(t, (cl_mem_properties[]){opaque, n, HD_CL_MEM_DEVICE_HANDLE_LIST_KHR, 1, 0, 0}, 0, 16,
           CL_INVALID_DEVICE);
    refuse(t, (cl_mem_properties[]){opaque, n, 0}, CL_MEM_ALLOC_HOST_PTR, 16, CL_INVALID_VALUE);
    refuse(t, (cl_mem_properties[]){opaque, n, 0}, 0, 0, CL_INVALID_BUFFER_SIZE);
    CHECK_NULL(clCreateBufferWithProperties(t->context, (cl_mem_properties[]){opaque, n, 0}, 0, 16,
                                            &byte, &code),
               code, CL_INVALID_HOST_PTR);
    close(read_only);
}

static void test_commands(HdApiTest *t)
{
    cl_int code;
    cl_mem own = clCreateBuffer(t->context, 0, 16, NULL, &code);
    cl_event e;

    CHECK_CODE(acquire(t->queue, 1, &own, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(release(t->queue, 1, &own, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(acquire(t->queue, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(acquire(t->queue, 0, &own, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(acquire(NULL, 0, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(acquire(t->queue, 0, NULL, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_OK(acquire(t->queue, 0, NULL, 0, NULL, &e));
    handed_over(e, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
    CHECK_OK(clReleaseMemObject(own));
}

int main(void)
{
    HdApiTest t = hd_api_open();
    int fd = memfd_create("heddle", 0);

    acquire = (clEnqueueAcquireExternalMemObjectsKHR_fn)clGetExtensionFunctionAddressForPlatform(
        t.platform, "clEnqueueAcquireExternalMemObjectsKHR");
    release = (clEnqueueReleaseExternalMemObjectsKHR_fn)clGetExtensionFunctionAddressForPlatform(
        t.platform, "clEnqueueReleaseExternalMemObjectsKHR");
    CHECK(acquire != NULL && release != NULL);
    CHECK(fd >= 0 && ftruncate(fd, BYTES) == 0);
    test_queries(&t);
    test_buffer(&t, fd);
    test_image(&t, fd);
    test_refusals(&t, fd);
    test_commands(&t);
    close(fd);
    return hd_api_close(&t);
}
