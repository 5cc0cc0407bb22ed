/* tests/api/sampler_test.c -- samplers, and images and samplers as arguments of kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define WIDTH  8
#define HEIGHT 4

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_format real = {CL_R, CL_FLOAT};

/* ---- samplers -------------------------------------------------------------------------------- */

static void test_sampler(HdApiTest *t)
{
    cl_int code;
    cl_sampler s = clCreateSampler(t->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code);
    cl_uint n = 0;
    cl_bool normalised = CL_FALSE;
    cl_context context = NULL;
    cl_addressing_mode mode = 0;
    cl_filter_mode filter = 0;
    size_t size = 9;

    CHECK_OK(code);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_REFERENCE_COUNT, sizeof n, &n, NULL));
    CHECK(n == 1);
    CHECK_OK(clRetainSampler(s));
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_REFERENCE_COUNT, sizeof n, &n, NULL));
    CHECK(n == 2);
    CHECK_OK(clReleaseSampler(s));
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == t->context);
    CHECK_OK(
        clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalised, &normalised, NULL));
    CHECK(normalised == CL_TRUE);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL));
    CHECK(mode == CL_ADDRESS_REPEAT);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL));
    CHECK(filter == CL_FILTER_LINEAR);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
    CHECK(size == 0);
    CHECK_CODE(clGetSamplerInfo(s, CL_MEM_TYPE, sizeof n, &n, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseSampler(s));
    CHECK_CODE(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
    CHECK_CODE(clRetainSampler((cl_sampler)t->context), CL_INVALID_SAMPLER);
    CHECK_CODE(clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, sizeof context, &context, NULL),
               CL_INVALID_SAMPLER);
    CHECK_NULL(clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code), code,
               CL_INVALID_CONTEXT);
    CHECK_NULL(clCreateSampler(t->context, 7, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateSampler(t->context, CL_TRUE, 7, CL_FILTER_LINEAR, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreateSampler(t->context, CL_TRUE, CL_ADDRESS_REPEAT, 7, &code), code,
               CL_INVALID_VALUE);
}

static void test_properties(HdApiTest *t)
{
    const cl_sampler_properties fine[] = {CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_LINEAR,
                                          CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_FALSE,
                                          CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                          CL_FILTER_LINEAR,
                                          0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties strange[] = {77, 1, 0};
    cl_sampler_properties got[16] = {0};
    cl_addressing_mode mode = 0;
    cl_filter_mode filter = 0;
    cl_float lod = 0;
    size_t size = 0;
    cl_int code;
    cl_sampler s = clCreateSamplerWithProperties(t->context, fine, &code);

    CHECK_OK(code);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, sizeof got, got, &size));
    CHECK(size == sizeof fine && memcmp(got, fine, sizeof fine) == 0);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL));
    CHECK(mode == CL_ADDRESS_CLAMP); /* nobody said */
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_MIP_FILTER_MODE_KHR, sizeof filter, &filter, NULL));
    CHECK(filter == CL_FILTER_LINEAR);
    CHECK_OK(clGetSamplerInfo(s, CL_SAMPLER_LOD_MAX_KHR, sizeof lod, &lod, NULL));
    CHECK(lod > 1e30f);
    CHECK_OK(clReleaseSampler(s));
    CHECK_NULL(clCreateSamplerWithProperties(t->context, twice, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateSamplerWithProperties(t->context, strange, &code), code, CL_INVALID_VALUE);
    s = clCreateSamplerWithProperties(t->context, NULL, &code);
    CHECK_OK(code);
    clReleaseSampler(s);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char source[] =
    "constant sampler_t fixed = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_LINEAR;\n"
    "kernel void copy(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
    "  if ((p.x & 1) == 0) write_imagef(to, p, read_imagef(from, p).zyxw);\n"
    "}\n"
    "kernel void sample(read_only image2d_t from, sampler_t s, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  const sampler_t own = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "  out[i] = read_imagef(from, s, (float2)((i + 0.5f) / 8, 0.5f / 4)).x +\n"
    "           1000 * read_imagef(from, fixed, (float2)(i / 8.0f, 0)).x +\n"
    "           1e6f * read_imagef(from, own, (int2)(i, -1)).w;\n"
    "}\n"
    "kernel void add(read_write image2d_t im) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(im, p, read_imagef(im, p) + 1);\n"
    "}\n"
    "kernel void ask(read_only image2d_array_t a, read_only image3d_t b,\n"
    "                read_only image1d_buffer_t c, read_only image2d_depth_t d, global int *out) "
    "{\n"
    "  out[0] = get_image_width(a); out[1] = get_image_height(a); out[2] = "
    "get_image_array_size(a);\n"
    "  out[3] = get_image_depth(b); out[4] = get_image_width(c); out[5] = get_image_dim(b).y;\n"
    "  out[6] = get_image_channel_order(d) == CLK_DEPTH;\n"
    "  out[7] = get_image_channel_data_type(a) == CLK_UNORM_INT8;\n"
    "  out[8] = 100 * read_imagef(d, (int2)(1, 0)); out[9] = read_imagef(c, 3).x;\n"
    "}\n"
    "kernel void ints(read_only image2d_t s, read_only image2d_t u, global int *out) {\n"
    "  out[0] = read_imagei(s, (int2)(0, 0)).x; out[1] = read_imageui(u, (int2)(0, 0)).x;\n"
    "}\n"
    "kernel void halfs(read_only image2d_t a, write_only image2d_t b) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageh(b, p, read_imageh(a, fixed, (float2)(p.x + 0.5f, p.y + 0.5f) / (float2)(8, "
    "4)));\n"
    "}\n"
    "#ifdef cl_khr_mipmap_image\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "kernel void levels(read_only image2d_t a, sampler_t s, global float *out) {\n"
    "  out[0] = read_imagef(a, s, (float2)(0.5f, 0.5f), 2.0f).x;\n"
    "  out[1] = read_imagef(a, s, (float2)(0.5f, 0.5f), (float2)(0.25f, 0), (float2)(0, 0)).x;\n"
    "  out[2] = get_image_num_mip_levels(a);\n"
    "  out[3] = read_imagef(a, s, (float2)(0.5f, 0.5f)).x;\n"
    "}\n"
    "kernel void into(write_only image2d_t a) {\n"
    "  write_imagef(a, (int2)(get_global_id(0), 0), 1, (float4)(get_global_id(0) + 5));\n"
    "}\n"
    "#endif\n";

static cl_mem image(HdApiTest *t, cl_mem_flags flags, const cl_image_format *f,
                    cl_mem_object_type type, size_t w, size_t h, size_t d, void *ptr)
{
    const cl_image_desc desc = {.image_type = type,
                                .image_width = w,
                                .image_height = h,
                                .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? d : 0,
                                .image_array_size = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? d : 0};
    cl_int code;
    cl_mem m = clCreateImage(t->context, flags, f, &desc, ptr, &code);

    CHECK_OK(code);
    return m;
}

static cl_kernel kernel(cl_program p, const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);

    CHECK_OK(code);
    return k;
}

static void run(HdApiTest *t, cl_kernel k, size_t w, size_t h)
{
    const size_t global[2] = {w, h};

    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
}

static void test_arguments(HdApiTest *t, cl_program p)
{
    cl_kernel k = kernel(p, "copy"), s = kernel(p, "sample"), b = kernel(p, "add");
    cl_mem ro = image(t, CL_MEM_READ_ONLY, &rgba8, CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, NULL);
    cl_mem wo = image(t, CL_MEM_WRITE_ONLY, &rgba8, CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, NULL);
    cl_mem buffer = clCreateBuffer(t->context, 0, 64, NULL, NULL);
    cl_sampler sampler =
        clCreateSampler(t->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, NULL);
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier address = 0;
    char name[32] = "";

    CHECK_CODE(clSetKernelArg(k, 0, sizeof wo, &wo), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(k, 1, sizeof ro, &ro), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(b, 0, sizeof ro, &ro), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(k, 0, sizeof buffer, &buffer), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(k, 0, 4, &ro), CL_INVALID_ARG_SIZE);
    CHECK_CODE(clSetKernelArg(s, 2, sizeof ro, &ro), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(s, 1, sizeof ro, &ro), CL_INVALID_SAMPLER);
    CHECK_CODE(clSetKernelArg(s, 1, 4, &sampler), CL_INVALID_ARG_SIZE);
    CHECK_CODE(clSetKernelArg(s, 1, sizeof sampler, NULL), CL_INVALID_SAMPLER);
    CHECK_OK(clSetKernelArg(s, 1, sizeof sampler, &sampler));
    CHECK_OK(clSetKernelArg(k, 0, sizeof ro, &ro));
    CHECK_OK(
        clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    CHECK(access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    CHECK_OK(
        clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    CHECK(address == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK_OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    CHECK(strcmp(name, "image2d_t") == 0);
    CHECK_OK(clGetKernelArgInfo(s, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    CHECK(strcmp(name, "sampler_t") == 0);
    clReleaseSampler(sampler);
    clReleaseMemObject(ro);
    clReleaseMemObject(wo);
    clReleaseMemObject(buffer);
    clReleaseKernel(k);
    clReleaseKernel(s);
    clReleaseKernel(b);
}

/* An image of any type fits the parameters of its own type only.
 * Spec: OpenCL API 3.1, clSetKernelArg, CL_INVALID_MEM_OBJECT. */
static void test_types(HdApiTest *t)
{
    static const char typed_source[] =
        "kernel void k(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_t c,\n"
        "              read_only image2d_array_t d, read_only image3d_t e,\n"
        "              read_only image1d_buffer_t f, read_only image2d_depth_t g) {}\n";
    static const cl_mem_object_type types[7] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                                CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                                CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                CL_MEM_OBJECT_IMAGE2D};
    static const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
    cl_program program = hd_api_build(t, typed_source, "-cl-std=CL3.0");
    cl_mem buffer = clCreateBuffer(t->context, 0, 64, NULL, NULL);
    cl_kernel k;

    if (program == NULL)
        return;
    k = kernel(program, "k");
    for (cl_uint i = 0; i < 7; i++) {
        cl_image_desc d = {.image_type = types[i],
                           .image_width = 4,
                           .image_height = 4,
                           .image_depth = 4,
                           .image_array_size = 4,
                           .buffer = types[i] == CL_MEM_OBJECT_IMAGE1D_BUFFER ? buffer : NULL};
        cl_int code;
        cl_mem m = clCreateImage(t->context, 0, i == 6 ? &depth : &rgba8, &d, NULL, &code);

        CHECK_OK(code);
        for (cl_uint j = 0; j < 7; j++) {
            bool fits = types[i] == types[j] && (j != 6 || i == 6);

            CHECK_CODE(clSetKernelArg(k, j, sizeof m, &m),
                       fits ? CL_SUCCESS : CL_INVALID_MEM_OBJECT);
        }
        clReleaseMemObject(m);
    }
    clReleaseMemObject(buffer);
    clReleaseKernel(k);
    clReleaseProgram(program);
}

static void test_copy(HdApiTest *t, cl_program p)
{
    const size_t zero[3] = {0}, all[3] = {WIDTH, HEIGHT, 1};
    unsigned char bytes[WIDTH * HEIGHT * 4], got[sizeof bytes], none[sizeof bytes] = {0};
    cl_mem from, to;
    cl_kernel k = kernel(p, "copy"), h = kernel(p, "halfs");
    bool same = true;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 3 + 1);
    from = image(t, CL_MEM_COPY_HOST_PTR, &rgba8, CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 0, bytes);
    to = image(t, CL_MEM_COPY_HOST_PTR, &rgba8, CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 0, none);
    CHECK_OK(clSetKernelArg(k, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(k, 1, sizeof to, &to));
    run(t, k, WIDTH, HEIGHT);
    CHECK_OK(clEnqueueReadImage(t->queue, to, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        for (size_t c = 0; c < 4; c++)
            same = same && got[i * 4 + c] == (i % 2 == 0 ? bytes[i * 4 + (c == 3 ? 3 : 2 - c)] : 0);
    CHECK(same);
    CHECK_OK(clSetKernelArg(h, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(h, 1, sizeof to, &to));
    run(t, h, WIDTH, HEIGHT);
    CHECK_OK(clEnqueueReadImage(t->queue, to, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    CHECK(memcmp(got, bytes, sizeof got) == 0);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(k);
    clReleaseKernel(h);
}

static void test_sample(HdApiTest *t, cl_program p)
{
    float texels[WIDTH * HEIGHT], got[WIDTH * 2];
    cl_sampler s = clCreateSampler(t->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, NULL);
    cl_mem im, out = clCreateBuffer(t->context, 0, sizeof got, NULL, NULL);
    cl_kernel k = kernel(p, "sample"), add = kernel(p, "add");
    const size_t zero[3] = {0}, all[3] = {WIDTH, HEIGHT, 1};
    bool same = true;

    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = (float)(i % WIDTH);
    im = image(t, CL_MEM_COPY_HOST_PTR, &real, CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 0, texels);
    CHECK_OK(clSetKernelArg(k, 0, sizeof im, &im));
    CHECK_OK(clSetKernelArg(k, 1, sizeof s, &s));
    CHECK_OK(clReleaseSampler(s)); /* a kernel keeps what the sampler says */
    CHECK_OK(clSetKernelArg(k, 2, sizeof out, &out));
    run(t, k, WIDTH * 2, 1);
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t i = 0; i < WIDTH * 2; i++) {
        float between = i == 0 ? 0 : i >= WIDTH ? WIDTH - 1 : (float)i - 0.5f;

        same = same && got[i] == (float)(i % WIDTH) + 1000 * between + 1e6f;
    }
    CHECK(same);
    CHECK_OK(clSetKernelArg(add, 0, sizeof im, &im));
    run(t, add, WIDTH, HEIGHT);
    CHECK_OK(clEnqueueReadImage(t->queue, im, CL_TRUE, zero, all, 0, 0, texels, 0, NULL, NULL));
    CHECK(texels[0] == 1 && texels[WIDTH * HEIGHT - 1] == WIDTH);
    clReleaseMemObject(im);
    clReleaseMemObject(out);
    clReleaseKernel(k);
    clReleaseKernel(add);
}

static void test_queries(HdApiTest *t, cl_program p)
{
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
    const cl_image_format s8 = {CL_R, CL_SIGNED_INT8}, u8 = {CL_R, CL_UNSIGNED_INT8};
    static const int want[] = {4, 3, 5, 7, 16, 3, 1, 1, 25, 42};
    float texels[16] = {0, 0.25f, 0, 42};
    signed char negative[4] = {-2};
    cl_mem buffer = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof texels, texels, NULL);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};
    cl_mem a = image(t, 0, &rgba8, CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 3, 5, NULL);
    cl_mem b = image(t, 0, &rgba8, CL_MEM_OBJECT_IMAGE3D, 4, 3, 7, NULL), c;
    cl_mem d = image(t, CL_MEM_COPY_HOST_PTR, &depth, CL_MEM_OBJECT_IMAGE2D, 2, 1, 0, texels);
    cl_mem s = image(t, CL_MEM_COPY_HOST_PTR, &s8, CL_MEM_OBJECT_IMAGE2D, 2, 2, 0, negative);
    cl_mem u = image(t, CL_MEM_COPY_HOST_PTR, &u8, CL_MEM_OBJECT_IMAGE2D, 2, 2, 0, negative);
    cl_mem out = clCreateBuffer(t->context, 0, sizeof want, NULL, NULL);
    cl_kernel k = kernel(p, "ask"), i = kernel(p, "ints");
    int got[10] = {0};

    desc.mem_object = buffer;
    c = clCreateImage(t->context, 0, &real, &desc, NULL, NULL);
    clSetKernelArg(k, 0, sizeof a, &a);
    clSetKernelArg(k, 1, sizeof b, &b);
    clSetKernelArg(k, 2, sizeof c, &c);
    clSetKernelArg(k, 3, sizeof d, &d);
    CHECK_OK(clSetKernelArg(k, 4, sizeof out, &out));
    run(t, k, 1, 1);
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t n = 0; n < sizeof want / sizeof *want; n++)
        CHECK(got[n] == want[n]);
    clSetKernelArg(i, 0, sizeof s, &s);
    clSetKernelArg(i, 1, sizeof u, &u);
    CHECK_OK(clSetKernelArg(i, 2, sizeof out, &out));
    run(t, i, 1, 1);
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, 8, got, 0, NULL, NULL));
    CHECK(got[0] == -2 && got[1] == 254);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(c);
    clReleaseMemObject(d);
    clReleaseMemObject(s);
    clReleaseMemObject(u);
    clReleaseMemObject(out);
    clReleaseMemObject(buffer);
    clReleaseKernel(k);
    clReleaseKernel(i);
}

/* Levels of 8x8, 4x4, 2x2 and 1x1 texels, each of one value. */
static void test_levels(HdApiTest *t, cl_program p)
{
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                CL_ADDRESS_CLAMP_TO_EDGE, 0};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .num_mip_levels = 4};
    cl_sampler s = clCreateSamplerWithProperties(t->context, properties, NULL);
    cl_mem im = clCreateImage(t->context, 0, &real, &desc, NULL, NULL);
    cl_mem out = clCreateBuffer(t->context, 0, 16, NULL, NULL);
    cl_kernel k = kernel(p, "levels"), into = kernel(p, "into");
    size_t origin[4] = {0, 0, 1, 0}, region[3] = {4, 1, 1};
    float got[4] = {0};

    for (size_t level = 0; level < 4; level++) {
        const size_t at[4] = {0, 0, level, 0}, size[3] = {8u >> level, 8u >> level, 1};
        const float colour[4] = {(float)(10 * level + 1)};

        CHECK_OK(clEnqueueFillImage(t->queue, im, colour, at, size, 0, NULL, NULL));
    }
    clSetKernelArg(k, 0, sizeof im, &im);
    clSetKernelArg(k, 1, sizeof s, &s);
    CHECK_OK(clSetKernelArg(k, 2, sizeof out, &out));
    run(t, k, 1, 1);
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, 16, got, 0, NULL, NULL));
    CHECK(got[0] == 21 && got[1] == 11 && got[2] == 4 && got[3] == 1);
    CHECK_OK(clSetKernelArg(into, 0, sizeof im, &im));
    run(t, into, 4, 1);
    CHECK_OK(clEnqueueReadImage(t->queue, im, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    CHECK(got[0] == 5 && got[3] == 8);
    clReleaseSampler(s);
    clReleaseMemObject(im);
    clReleaseMemObject(out);
    clReleaseKernel(k);
    clReleaseKernel(into);
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_program p;

    test_sampler(&t);
    test_properties(&t);
    if (!t.has_compiler) {
        hd_api_skip("there is no compiler");
        return hd_api_close(&t);
    }
    p = hd_api_build(&t, source, "-cl-std=CL3.0 -cl-kernel-arg-info");
    if (p != NULL) {
        test_arguments(&t, p);
        test_types(&t);
        test_copy(&t, p);
        test_sample(&t, p);
        test_queries(&t, p);
        test_levels(&t, p);
        clReleaseProgram(p);
    }
    return hd_api_close(&t);
}
