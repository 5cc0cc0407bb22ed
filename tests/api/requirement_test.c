/* tests/api/requirement_test.c -- what images need before they are made, images of every kind in
 * buffers, and memory objects that nobody may change (cl_ext_image_requirements_info,
 * cl_ext_image_from_buffer, cl_ext_immutable_memory_objects).
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define IMMUTABLE       ((cl_mem_flags)1 << 6) /* CL_MEM_IMMUTABLE_EXT */
#define SLICE_ALIGNMENT 0x1291                 /* CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT */

static clGetImageRequirementsInfoEXT_fn ask;

static const cl_image_format rgba16 = {CL_RGBA, CL_UNSIGNED_INT16};

static cl_image_desc sized(cl_mem_object_type type)
{
    bool is_row = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                  type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

    return (cl_image_desc){
        .image_type = type,
        .image_width = 5,
        .image_height = is_row ? 0 : 3,
        .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? 2 : 0,
        .image_array_size =
            type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 2 : 0};
}

static size_t need(HdApiTest *t, const cl_image_format *f, const cl_image_desc *d, cl_uint query)
{
    size_t value = 0, size = 0;

    CHECK_OK(ask(t->context, NULL, CL_MEM_READ_ONLY, f, d, query, sizeof value, &value, &size));
    CHECK(size == sizeof value);
    return value;
}

static cl_uint most(HdApiTest *t, const cl_image_desc *d, cl_uint query)
{
    cl_uint value = 0;
    size_t size = 0;

    CHECK_OK(ask(t->context, NULL, 0, NULL, d, query, sizeof value, &value, &size));
    CHECK(size == sizeof value);
    return value;
}

static size_t limit(HdApiTest *t, cl_device_info query)
{
    size_t value = 0;

    CHECK_OK(clGetDeviceInfo(t->device, query, sizeof value, &value, NULL));
    return value;
}

static void test_errors(HdApiTest *t)
{
    const cl_mem_properties property[] = {0x7777, 1, 0};
    const cl_image_format unsound = {CL_INTENSITY, CL_UNORM_SHORT_555};
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D), none = sized(CL_MEM_OBJECT_IMAGE1D);
    cl_image_desc buffer = {.image_type = CL_MEM_OBJECT_BUFFER, .image_width = 5};
    cl_uint q = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
    size_t v;

    none.image_width = 0;
    CHECK_CODE(ask(NULL, NULL, 0, &rgba16, &d, q, 8, &v, NULL), CL_INVALID_CONTEXT);
    CHECK_CODE(ask(t->context, property, 0, &rgba16, &d, q, 8, &v, NULL), CL_INVALID_PROPERTY);
    CHECK_CODE(ask(t->context, NULL, ~(cl_mem_flags)0, &rgba16, &d, q, 8, &v, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(ask(t->context, NULL, 0, &unsound, &d, q, 8, &v, NULL),
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &buffer, q, 8, &v, NULL),
               CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &none, q, 8, &v, NULL),
               CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &d, CL_IMAGE_FORMAT, 8, &v, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &d, q, 7, &v, NULL), CL_INVALID_VALUE);
    q = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
    CHECK_CODE(ask(t->context, NULL, 0, NULL, &d, q, 8, &v, NULL), CL_INVALID_VALUE);
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, NULL, q, 8, &v, NULL), CL_INVALID_VALUE);
    q = CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT;
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &none, q, 8, &v, NULL),
               CL_INVALID_IMAGE_DESCRIPTOR);
    q = CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT;
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &d, q, 8, &v, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    q = CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
    CHECK_CODE(ask(t->context, NULL, 0, &rgba16, &d, q, 8, &v, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    q = CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT;
    CHECK_OK(ask(t->context, NULL, CL_MEM_KERNEL_READ_AND_WRITE, &rgba16, &none, q, 8, &v, NULL));
}

static void test_answers(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE3D), row = sized(CL_MEM_OBJECT_IMAGE1D_BUFFER);

    CHECK(need(t, &rgba16, &d, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT) == 8);
    CHECK(need(t, &rgba16, &d, SLICE_ALIGNMENT) == 8);
    CHECK(need(t, NULL, NULL, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT) == 16);
    CHECK(need(t, &rgba16, &d, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT) == 1);
    CHECK(need(t, &rgba16, &d, CL_IMAGE_REQUIREMENTS_SIZE_EXT) == 5 * 3 * 2 * 8);
    d.image_row_pitch = 48;
    d.image_slice_pitch = 192;
    CHECK(need(t, &rgba16, &d, CL_IMAGE_REQUIREMENTS_SIZE_EXT) == 2 * 192);
    CHECK(most(t, &d, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT) ==
          limit(t, CL_DEVICE_IMAGE3D_MAX_WIDTH));
    CHECK(most(t, &d, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT) ==
          limit(t, CL_DEVICE_IMAGE3D_MAX_DEPTH));
    CHECK(most(t, &row, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT) ==
          limit(t, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
    d = sized(CL_MEM_OBJECT_IMAGE2D_ARRAY);
    d.image_width = 0; /* whatever it is */
    CHECK(most(t, &d, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT) ==
          limit(t, CL_DEVICE_IMAGE2D_MAX_HEIGHT));
    CHECK(most(t, &d, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT) ==
          limit(t, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
    CHECK(most(t, NULL, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT) <=
          limit(t, CL_DEVICE_IMAGE3D_MAX_WIDTH));
}

/* Kernels see what is in the buffer, and the other way round. */
static const char source[] =
    "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "#define LOOK(name, type, at) kernel void name(global uint *o, read_only type i) {\\\n"
    "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\\\n"
    "  o[(z * 3 + y) * 5 + x] = read_imageui(i, s, at).y; }\n"
    "LOOK(k1, image1d_t, x) LOOK(k1a, image1d_array_t, (int2)(x, z))\n"
    "LOOK(k2, image2d_t, ((int2)(x, y))) LOOK(k2a, image2d_array_t, ((int4)(x, y, z, 0)))\n"
    "LOOK(k3, image3d_t, ((int4)(x, y, z, 0)))\n";

static void test_kind(HdApiTest *t, cl_program p, cl_mem_object_type type, const char *name)
{
    cl_image_desc d = sized(type);
    bool has_slices = d.image_depth + d.image_array_size > 0;
    cl_ushort texels[512];
    cl_uint out[30] = {0}, wrong = 0;
    size_t row = 48, slice = d.image_height > 0 ? 192 : 48, least, size[3];
    cl_int code;
    cl_mem m, image, o, back = NULL;
    cl_kernel k;

    for (unsigned i = 0; i < 512; i++)
        texels[i] = (cl_ushort)i;
    d.image_row_pitch = row;
    d.image_slice_pitch = has_slices ? slice : 0;
    m = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof texels, texels, &code);
    o = clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, sizeof out, out, &code);
    d.mem_object = m;
    image = clCreateImage(t->context, 0, &rgba16, &d, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof back, &back, NULL));
    CHECK(back == m);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof size[0], size, NULL));
    CHECK(size[0] == row);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_SLICE_PITCH, sizeof size[0], size, NULL));
    CHECK(size[0] == (has_slices ? slice : 0));
    k = clCreateKernel(p, name, &code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof o, &o));
    CHECK_OK(clSetKernelArg(k, 1, sizeof image, &image));
    size[0] = 5;
    size[1] = d.image_height > 0 ? 3 : 1;
    size[2] = has_slices ? 2 : 1;
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 3, NULL, size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, o, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < 5; x++)
                wrong += out[(z * 3 + y) * 5 + x] != (z * slice + y * row + x * 8) / 2 + 1;
    CHECK(wrong == 0);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(image));
    d.image_row_pitch = 49;
    CHECK_NULL(clCreateImage(t->context, 0, &rgba16, &d, NULL, &code), code,
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    d.image_row_pitch = row;
    if (has_slices) {
        d.image_slice_pitch = slice + 1;
        CHECK_NULL(clCreateImage(t->context, 0, &rgba16, &d, NULL, &code), code,
                   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    d.image_row_pitch = d.image_slice_pitch = 0;
    least = need(t, &rgba16, &d, CL_IMAGE_REQUIREMENTS_SIZE_EXT);
    CHECK_OK(clReleaseMemObject(m));
    m = clCreateBuffer(t->context, 0, least - 1, NULL, &code);
    d.mem_object = m;
    CHECK_NULL(clCreateImage(t->context, 0, &rgba16, &d, NULL, &code), code, CL_INVALID_IMAGE_SIZE);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseMemObject(o));
}

static void test_kinds(HdApiTest *t)
{
    cl_program p = hd_api_build(t, source, "-cl-std=CL3.0");

    if (p == NULL)
        return;
    test_kind(t, p, CL_MEM_OBJECT_IMAGE1D, "k1");
    test_kind(t, p, CL_MEM_OBJECT_IMAGE1D_ARRAY, "k1a");
    test_kind(t, p, CL_MEM_OBJECT_IMAGE2D, "k2");
    test_kind(t, p, CL_MEM_OBJECT_IMAGE2D_ARRAY, "k2a");
    test_kind(t, p, CL_MEM_OBJECT_IMAGE3D, "k3");
    CHECK_OK(clReleaseProgram(p));
}

static void test_immutable_buffer(HdApiTest *t)
{
    static const cl_mem_flags bad[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY,
                                       CL_MEM_HOST_WRITE_ONLY};
    cl_uchar bytes[256] = {1, 2, 3}, back[4] = {0};
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    cl_buffer_region part = {0, 128};
    cl_mem_flags flags = 0;
    cl_command_queue q = t->queue;
    cl_int code;
    cl_mem m = clCreateBuffer(t->context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, 256, bytes, &code);
    cl_mem sub, from = clCreateBuffer(t->context, 0, 256, NULL, &code);

    CHECK_OK(code);
    for (int i = 0; i < 3; i++) {
        CHECK_NULL(clCreateBuffer(t->context, IMMUTABLE | CL_MEM_COPY_HOST_PTR | bad[i], 256, bytes,
                                  &code),
                   code, CL_INVALID_VALUE);
        CHECK_NULL(clCreateSubBuffer(m, bad[i], CL_BUFFER_CREATE_TYPE_REGION, &part, &code), code,
                   CL_INVALID_VALUE);
    }
    CHECK_NULL(clCreateBuffer(t->context, IMMUTABLE, 256, NULL, &code), code, CL_INVALID_VALUE);
    sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags == (IMMUTABLE | CL_MEM_COPY_HOST_PTR));
    for (int i = 0; i < 2; i++) {
        cl_mem to = i == 0 ? m : sub;

        CHECK_CODE(clEnqueueWriteBuffer(q, to, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
                   CL_INVALID_OPERATION);
        CHECK_CODE(clEnqueueWriteBufferRect(q, to, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes, 0,
                                            NULL, NULL),
                   CL_INVALID_OPERATION);
        CHECK_CODE(clEnqueueCopyBuffer(q, from, to, 0, 0, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
        CHECK_CODE(clEnqueueCopyBufferRect(q, from, to, zero, zero, one, 0, 0, 0, 0, 0, NULL, NULL),
                   CL_INVALID_OPERATION);
        CHECK_CODE(clEnqueueFillBuffer(q, to, bytes, 4, 0, 8, 0, NULL, NULL), CL_INVALID_OPERATION);
        CHECK_NULL(clEnqueueMapBuffer(q, to, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &code),
                   code, CL_INVALID_OPERATION);
        CHECK_OK(clEnqueueReadBuffer(q, to, CL_TRUE, 0, 4, back, 0, NULL, NULL));
        CHECK(memcmp(back, bytes, 4) == 0);
    }
    CHECK_OK(clEnqueueCopyBuffer(q, sub, from, 0, 0, 4, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(m));
}

static void test_immutable_image(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D), in_buffer = d;
    cl_ushort texels[60] = {7};
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    cl_command_queue q = t->queue;
    cl_uint n = 0;
    cl_int code;
    cl_mem m =
        clCreateImage(t->context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, &rgba16, &d, texels, &code);
    cl_mem other = clCreateImage(t->context, 0, &rgba16, &d, NULL, &code), view;
    cl_mem buffer =
        clCreateBuffer(t->context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, sizeof texels, texels, &code);

    CHECK_NULL(clCreateImage(t->context, IMMUTABLE, &rgba16, &d, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueWriteImage(q, m, CL_TRUE, zero, one, 0, 0, texels, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueCopyImage(q, other, m, zero, zero, one, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueCopyBufferToImage(q, buffer, m, 0, zero, one, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueCopyImageToBuffer(q, m, buffer, zero, one, 0, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueFillImage(q, m, (cl_uint[4]){0}, zero, one, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_NULL(
        clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_WRITE, zero, one, NULL, NULL, 0, NULL, NULL, &code),
        code, CL_INVALID_OPERATION);
    CHECK_OK(clEnqueueCopyImage(q, m, other, zero, zero, one, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    in_buffer.mem_object = buffer;
    CHECK_NULL(clCreateImage(t->context, CL_MEM_READ_ONLY, &rgba16, &in_buffer, NULL, &code), code,
               CL_INVALID_VALUE);
    view = clCreateImage(t->context, IMMUTABLE, &rgba16, &in_buffer, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(view));
    CHECK_OK(clGetSupportedImageFormats(t->context, IMMUTABLE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
    CHECK(n > 0);
    if (t->has_compiler) {
        cl_program p = hd_api_build(t,
                                    "kernel void r(read_only image2d_t i) {}\n"
                                    "kernel void w(write_only image2d_t i) {}\n",
                                    "-cl-std=CL3.0");
        cl_kernel r = clCreateKernel(p, "r", &code), w = clCreateKernel(p, "w", &code);

        CHECK_OK(clSetKernelArg(r, 0, sizeof m, &m));
        CHECK_CODE(clSetKernelArg(w, 0, sizeof m, &m), CL_INVALID_ARG_VALUE);
        CHECK_OK(clReleaseKernel(r));
        CHECK_OK(clReleaseKernel(w));
        CHECK_OK(clReleaseProgram(p));
    }
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseMemObject(other));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_NULL(clCreatePipe(t->context, IMMUTABLE, 4, 4, NULL, &code), code, CL_INVALID_VALUE);
    CHECK(clSVMAlloc(t->context, IMMUTABLE, 64, 0) == NULL);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    *(void **)&ask =
        clGetExtensionFunctionAddressForPlatform(t.platform, "clGetImageRequirementsInfoEXT");
    test_errors(&t);
    test_answers(&t);
    if (t.has_compiler)
        test_kinds(&t);
    else
        hd_api_skip("no compiler");
    test_immutable_buffer(&t);
    test_immutable_image(&t);
    return hd_api_close(&t);
}
