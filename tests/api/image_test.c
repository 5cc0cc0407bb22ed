/* tests/api/image_test.c -- images: formats, making, asking, and every command that moves texels.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define WIDTH  7
#define HEIGHT 5
#define DEPTH  3

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};

static cl_image_desc sized(cl_mem_object_type type, size_t w, size_t h, size_t d, size_t layers)
{
    return (cl_image_desc){.image_type = type,
                           .image_width = w,
                           .image_height = h,
                           .image_depth = d,
                           .image_array_size = layers};
}

static cl_mem make(HdApiTest *t, cl_mem_flags flags, const cl_image_format *format,
                   const cl_image_desc *desc, void *ptr)
{
    cl_int code;
    cl_mem m = clCreateImage(t->context, flags, format, desc, ptr, &code);

    CHECK_OK(code);
    return m;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool has_format(HdApiTest *t, cl_mem_flags flags, cl_mem_object_type type, cl_uint order,
                       cl_uint channel)
{
    cl_image_format formats[256];
    cl_uint count = 0;

    CHECK_OK(clGetSupportedImageFormats(t->context, flags, type, 256, formats, &count));
    for (cl_uint i = 0; i < count && i < 256; i++)
        if (formats[i].image_channel_order == order &&
            formats[i].image_channel_data_type == channel)
            return true;
    return false;
}

/* Spec: "Minimum List of Supported Image Formats": what every full-profile device has. */
static void test_formats(HdApiTest *t)
{
    static const cl_uint channels[] = {CL_UNORM_INT8,     CL_UNORM_INT16,   CL_SNORM_INT8,
                                       CL_SNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                       CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                                       CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
    static const cl_uint orders[] = {CL_R, CL_RG, CL_RGBA};
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
    static const cl_mem_flags flags[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                         CL_MEM_KERNEL_READ_AND_WRITE};
    cl_image_format one;
    cl_uint n = 0;

    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
                for (size_t c = 0; c < sizeof channels / sizeof *channels; c++)
                    CHECK(has_format(t, flags[f], types[k], orders[o], channels[c]));
            CHECK(has_format(t, flags[f], types[k], CL_BGRA, CL_UNORM_INT8));
        }
    CHECK(has_format(t, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, CL_sRGBA, CL_UNORM_INT8));
    CHECK(has_format(t, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, CL_DEPTH, CL_UNORM_INT16));
    CHECK(has_format(t, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_DEPTH, CL_FLOAT));
    CHECK(!has_format(t, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D, CL_DEPTH, CL_FLOAT));
    CHECK_CODE(
        clGetSupportedImageFormats((cl_context)t->device, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n),
        CL_INVALID_CONTEXT);
    CHECK_CODE(clGetSupportedImageFormats(t->context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &n),
               CL_INVALID_VALUE);
    CHECK_CODE(clGetSupportedImageFormats(t->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                          CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n),
               CL_INVALID_VALUE);
    CHECK_CODE(clGetSupportedImageFormats(t->context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &one, &n),
               CL_INVALID_VALUE);
}

#define FAILS(flags, format, desc, ptr, want) \
    CHECK_NULL(clCreateImage(t->context, flags, format, desc, ptr, &code), code, want)

static void test_create_errors(HdApiTest *t)
{
    const cl_image_format unknown = {CL_RGBA, 1}, odd = {CL_RGB, CL_UNORM_INT8};
    const cl_image_format lone = {CL_Rx, CL_UNORM_INT8};
    const cl_mem_properties strange[] = {77, 1, 0};
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0), bad = d;
    unsigned char bytes[64] = {0};
    cl_int code;

    CHECK_NULL(clCreateImage((cl_context)t->device, 0, &rgba8, &d, NULL, &code), code,
               CL_INVALID_CONTEXT);
    CHECK_NULL(clCreateImageWithProperties(t->context, strange, 0, &rgba8, &d, NULL, &code), code,
               CL_INVALID_PROPERTY);
    FAILS(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &d, NULL, CL_INVALID_VALUE);
    FAILS(0, NULL, &d, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    FAILS(0, &unknown, &d, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    FAILS(0, &odd, &d, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    FAILS(0, &lone, &d, NULL, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    FAILS(0, &rgba8, NULL, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad.image_type = CL_MEM_OBJECT_BUFFER;
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = sized(CL_MEM_OBJECT_IMAGE2D, 0, 4, 0, 0);
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = sized(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0, 0);
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = sized(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 0);
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = sized(CL_MEM_OBJECT_IMAGE2D, 100000, 4, 0, 0);
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_SIZE);
    bad = d;
    bad.num_samples = 65; /* more than there may be */
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad.num_samples = 4;
    bad.num_mip_levels = 2;
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = sized(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 0);
    bad.num_samples = 4;
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = d;
    bad.num_mip_levels = 9; /* of at most 3 */
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad = d;
    bad.image_row_pitch = 16; /* of no memory */
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    bad.image_row_pitch = 12;
    FAILS(CL_MEM_COPY_HOST_PTR, &rgba8, &bad, bytes, CL_INVALID_IMAGE_DESCRIPTOR);
    bad.image_row_pitch = 18;
    FAILS(CL_MEM_COPY_HOST_PTR, &rgba8, &bad, bytes, CL_INVALID_IMAGE_DESCRIPTOR);
    FAILS(CL_MEM_COPY_HOST_PTR, &rgba8, &d, NULL, CL_INVALID_HOST_PTR);
    FAILS(0, &rgba8, &d, bytes, CL_INVALID_HOST_PTR);
    bad = sized(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 0, 0, 0); /* of no buffer */
    FAILS(0, &rgba8, &bad, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_NULL(clCreateImage2D(t->context, 0, &rgba8, 4, 0, 0, NULL, &code), code,
               CL_INVALID_IMAGE_SIZE);
    for (size_t depth = 0; depth < 2; depth++)
        CHECK_NULL(clCreateImage3D(t->context, 0, &rgba8, 4, 4, depth, 0, 0, NULL, &code), code,
                   CL_INVALID_IMAGE_SIZE);
}

static size_t size_of(cl_mem m, cl_image_info query)
{
    size_t value = 99999;

    CHECK_OK(clGetImageInfo(m, query, sizeof value, &value, NULL));
    return value;
}

static void test_info(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D_ARRAY, WIDTH, HEIGHT, 0, DEPTH);
    cl_mem m = make(t, CL_MEM_READ_ONLY, &rgba8, &d, NULL), buffer = NULL;
    cl_image_format format = {0, 0};
    cl_mem_object_type type = 0;
    cl_uint n = 9;
    size_t size = 0;

    CHECK_OK(clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof format, &format, &size));
    CHECK(size == sizeof format && format.image_channel_order == CL_RGBA &&
          format.image_channel_data_type == CL_UNORM_INT8);
    CHECK(size_of(m, CL_IMAGE_ELEMENT_SIZE) == 4);
    CHECK(size_of(m, CL_IMAGE_ROW_PITCH) == 4 * WIDTH);
    CHECK(size_of(m, CL_IMAGE_SLICE_PITCH) == 4 * WIDTH * HEIGHT);
    CHECK(size_of(m, CL_IMAGE_WIDTH) == WIDTH && size_of(m, CL_IMAGE_HEIGHT) == HEIGHT);
    CHECK(size_of(m, CL_IMAGE_DEPTH) == 0 && size_of(m, CL_IMAGE_ARRAY_SIZE) == DEPTH);
    CHECK_OK(clGetImageInfo(m, CL_IMAGE_BUFFER, sizeof buffer, &buffer, NULL));
    CHECK(buffer == NULL);
    CHECK_OK(clGetImageInfo(m, CL_IMAGE_NUM_MIP_LEVELS, sizeof n, &n, NULL));
    CHECK(n == 0);
    CHECK_OK(clGetImageInfo(m, CL_IMAGE_NUM_SAMPLES, sizeof n, &n, NULL));
    CHECK(n == 0);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK(size == 4 * WIDTH * HEIGHT * DEPTH);
    CHECK_CODE(clGetImageInfo(m, CL_MEM_TYPE, sizeof n, &n, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof size, &size, NULL),
               CL_INVALID_MEM_OBJECT);
    buffer = clCreateBuffer(t->context, 0, 64, NULL, NULL);
    CHECK_CODE(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof size, &size, NULL),
               CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(buffer);
    CHECK_OK(clReleaseMemObject(m));
}

/* ---- moving texels --------------------------------------------------------------------------- */

/* What stands in byte b of texel (x, y, z). */
static unsigned char pattern(size_t x, size_t y, size_t z, size_t b)
{
    return (unsigned char)(x * 31 + y * 57 + z * 101 + b * 7 + 1);
}

/* One kind of image, as the API counts its dimensions. */
typedef struct Kind {
    cl_image_desc desc;
    size_t sizes[3];
} Kind;

static const Kind kinds[] = {
    {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = WIDTH}, {WIDTH, 1, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = WIDTH, .image_array_size = HEIGHT},
     {WIDTH, HEIGHT, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT},
     {WIDTH, HEIGHT, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_array_size = DEPTH},
     {WIDTH, HEIGHT, DEPTH}},
    {{.image_type = CL_MEM_OBJECT_IMAGE3D,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_depth = DEPTH},
     {WIDTH, HEIGHT, DEPTH}},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static cl_mem filled(HdApiTest *t, const Kind *k)
{
    unsigned char bytes[WIDTH * HEIGHT * DEPTH * 4];
    size_t at = 0;

    for (size_t z = 0; z < k->sizes[2]; z++)
        for (size_t y = 0; y < k->sizes[1]; y++)
            for (size_t x = 0; x < k->sizes[0]; x++)
                for (size_t b = 0; b < 4; b++)
                    bytes[at++] = pattern(x, y, z, b);
    return make(t, CL_MEM_COPY_HOST_PTR, &rgba8, &k->desc, bytes);
}

/* A part in the middle. */
static void middle(const Kind *k, size_t *origin, size_t *region)
{
    for (unsigned i = 0; i < 3; i++) {
        origin[i] = k->sizes[i] > 1 ? 1 : 0;
        region[i] = k->sizes[i] > 2 ? k->sizes[i] - 2 : 1;
    }
}

/* Read the middle with pitches of the host's, write it elsewhere. */
static void test_read_write(HdApiTest *t, const Kind *k)
{
    size_t origin[3], region[3], zero[3] = {0}, row = 40, slice;
    unsigned char got[40 * (HEIGHT + 2) * DEPTH], back[WIDTH * HEIGHT * DEPTH * 4];
    bool is_flat =
        k->desc.image_type == CL_MEM_OBJECT_IMAGE1D || k->desc.image_type == CL_MEM_OBJECT_IMAGE2D;
    bool is_row_array = k->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_mem m = filled(t, k);
    bool same = true;

    middle(k, origin, region);
    slice = is_flat ? 0 : is_row_array ? 40 : 40 * (HEIGHT + 1);
    memset(got, 0, sizeof got);
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, origin, region, is_row_array ? 0 : row, slice,
                                got, 0, NULL, NULL));
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                for (size_t b = 0; b < 4; b++)
                    same = same && got[z * slice + y * 40 + x * 4 + b] ==
                                       pattern(x + origin[0], y + origin[1], z + origin[2], b);
    CHECK(same);
    CHECK_OK(clEnqueueWriteImage(t->queue, m, CL_TRUE, zero, region, is_row_array ? 0 : row, slice,
                                 got, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, k->sizes, 0, 0, back, 0, NULL, NULL));
    CHECK(back[0] == pattern(origin[0], origin[1], origin[2], 0));
    CHECK(back[4 * (WIDTH - 1)] == pattern(WIDTH - 1, 0, 0, 0));
    clReleaseMemObject(m);
}

static void test_copies(HdApiTest *t, const Kind *k)
{
    size_t origin[3], region[3], zero[3] = {0}, bytes;
    unsigned char got[WIDTH * HEIGHT * DEPTH * 4 + 8];
    cl_mem a = filled(t, k), b = make(t, 0, &rgba8, &k->desc, NULL);
    cl_mem buffer = clCreateBuffer(t->context, 0, sizeof got, NULL, NULL);
    bool same = true;
    size_t at = 8;

    middle(k, origin, region);
    bytes = region[0] * region[1] * region[2] * 4;
    CHECK_OK(clEnqueueCopyImage(t->queue, a, b, origin, zero, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyImageToBuffer(t->queue, b, buffer, zero, region, 8, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, buffer, CL_TRUE, 0, 8 + bytes, got, 0, NULL, NULL));
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                for (size_t c = 0; c < 4; c++)
                    same = same &&
                           got[at++] == pattern(x + origin[0], y + origin[1], z + origin[2], c);
    CHECK(same);
    CHECK_OK(clEnqueueCopyBufferToImage(t->queue, buffer, a, 8, zero, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, a, CL_TRUE, zero, region, 0, 0, got, 0, NULL, NULL));
    CHECK(got[0] == pattern(origin[0], origin[1], origin[2], 0));
    CHECK_CODE(clEnqueueCopyImage(t->queue, a, a, zero, zero, region, 0, NULL, NULL),
               CL_MEM_COPY_OVERLAP);
    CHECK_CODE(clEnqueueCopyImageToBuffer(t->queue, a, buffer, zero, k->sizes, sizeof got - 4, 0,
                                          NULL, NULL),
               CL_INVALID_VALUE);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(buffer);
}

static void test_map(HdApiTest *t, const Kind *k)
{
    size_t origin[3], region[3], zero[3] = {0}, row = 0, slice = 0, second;
    bool is_row_array = k->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY, same = true;
    unsigned char got[4];
    cl_mem m = filled(t, k);
    unsigned char *p;
    cl_int code;

    middle(k, origin, region);
    p = clEnqueueMapImage(t->queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region, &row,
                          &slice, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(p != NULL && row >= 4 * WIDTH);
    if (p == NULL)
        return;
    second = is_row_array ? slice : row;
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                same = same && p[z * slice + y * second + x * 4] ==
                                   pattern(x + origin[0], y + origin[1], z + origin[2], 0);
    CHECK(same);
    p[0] = 250;
    CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, p, 0, NULL, NULL));
    for (unsigned i = 0; i < 3; i++)
        region[i] = 1;
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    CHECK(got[0] == 250);
    CHECK_NULL(clEnqueueMapImage(t->queue, m, CL_TRUE, CL_MAP_READ, zero, region, NULL, &slice, 0,
                                 NULL, NULL, &code),
               code, CL_INVALID_VALUE);
    CHECK_NULL(clEnqueueMapImage(t->queue, m, CL_TRUE, 1 << 20, zero, region, &row, &slice, 0, NULL,
                                 NULL, &code),
               code, CL_INVALID_VALUE);
    clReleaseMemObject(m);
}

/* What is mapped for writing is not mapped for writing again; rows beside each other are. */
static void test_map_twice(HdApiTest *t)
{
    const cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0, 0);
    const size_t left[3] = {0}, right[3] = {4, 0, 0}, middle_of[3] = {3, 2, 0};
    const size_t half[3] = {4, 8, 1}, part[3] = {1, 1, 1};
    cl_mem m = make(t, 0, &rgba8, &d, NULL);
    void *maps[2];
    cl_int code;
    size_t row;

    maps[0] = clEnqueueMapImage(t->queue, m, CL_TRUE, CL_MAP_WRITE, left, half, &row, NULL, 0, NULL,
                                NULL, &code);
    CHECK_OK(code);
    maps[1] = clEnqueueMapImage(t->queue, m, CL_TRUE, CL_MAP_WRITE, right, half, &row, NULL, 0,
                                NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_NULL(clEnqueueMapImage(t->queue, m, CL_TRUE, CL_MAP_WRITE, middle_of, part, &row, NULL, 0,
                                 NULL, NULL, &code),
               code, CL_INVALID_OPERATION);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clEnqueueUnmapMemObject(t->queue, m, maps[i], 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK_OK(clReleaseMemObject(m));
}

static void test_fill(HdApiTest *t, const Kind *k)
{
    const cl_float colour[4] = {0.0f, 1.0f, 0.5f, 2.0f};
    size_t origin[3], region[3], zero[3] = {0}, at;
    unsigned char got[WIDTH * HEIGHT * DEPTH * 4];
    cl_mem m = filled(t, k);

    middle(k, origin, region);
    CHECK_OK(clEnqueueFillImage(t->queue, m, colour, origin, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, k->sizes, 0, 0, got, 0, NULL, NULL));
    at = ((origin[2] * k->sizes[1] + origin[1]) * WIDTH + origin[0]) * 4;
    CHECK(got[at] == 0 && got[at + 1] == 255 && got[at + 2] == 128 && got[at + 3] == 255);
    CHECK(got[0] == (at == 0 ? 0 : pattern(0, 0, 0, 0)));
    CHECK_CODE(clEnqueueFillImage(t->queue, m, NULL, origin, region, 0, NULL, NULL),
               CL_INVALID_VALUE);
    clReleaseMemObject(m);
}

/* Integers are saturated; depth is one float. */
static void test_fill_formats(HdApiTest *t)
{
    const cl_image_format signed8 = {CL_RG, CL_SIGNED_INT8}, depth = {CL_DEPTH, CL_UNORM_INT16};
    const cl_image_format packed = {CL_RGB, CL_UNORM_SHORT_565}, half = {CL_A, CL_HALF_FLOAT};
    const cl_int ints[4] = {-1000, 1000, 0, 0};
    const cl_float floats[4] = {1.0f, 0.5f, 0.0f, 1.0f};
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 2, 2, 0, 0);
    unsigned char got[8];
    cl_ushort word;
    cl_mem m;

    m = make(t, 0, &signed8, &d, NULL);
    CHECK_OK(clEnqueueFillImage(t->queue, m, ints, zero, one, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, one, 0, 0, got, 0, NULL, NULL));
    CHECK(got[0] == 0x80 && got[1] == 0x7f);
    clReleaseMemObject(m);
    m = make(t, 0, &depth, &d, NULL);
    CHECK_OK(clEnqueueFillImage(t->queue, m, floats, zero, one, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, one, 0, 0, &word, 0, NULL, NULL));
    CHECK(word == 0xffff);
    clReleaseMemObject(m);
    m = make(t, 0, &packed, &d, NULL);
    CHECK_OK(clEnqueueFillImage(t->queue, m, floats, zero, one, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, one, 0, 0, &word, 0, NULL, NULL));
    CHECK(word == (31 << 11 | 32 << 5));
    clReleaseMemObject(m);
    m = make(t, 0, &half, &d, NULL);
    CHECK_OK(clEnqueueFillImage(t->queue, m, floats, zero, one, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, one, 0, 0, &word, 0, NULL, NULL));
    CHECK(word == 0x3c00);
    clReleaseMemObject(m);
}

static void test_transfer_errors(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
    cl_mem m = make(t, CL_MEM_HOST_NO_ACCESS, &rgba8, &d, NULL);
    cl_mem buffer = clCreateBuffer(t->context, 0, 64, NULL, NULL);
    const cl_image_format other = {CL_RGBA, CL_SNORM_INT8};
    cl_mem n = make(t, 0, &other, &d, NULL);
    const size_t zero[3] = {0}, far[3] = {1, 0, 0}, deep[3] = {0, 0, 1};
    const size_t all[3] = {4, 4, 1}, none[3] = {4, 0, 1};
    unsigned char bytes[64];

    CHECK_CODE(clEnqueueReadImage(NULL, m, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, buffer, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clEnqueueReadBuffer(t->queue, n, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, far, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, deep, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, zero, none, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, NULL, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, zero, all, 4, 0, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, zero, all, 0, 64, bytes, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, n, CL_TRUE, zero, all, 0, 0, NULL, 0, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueWriteImage(t->queue, m, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_CODE(clEnqueueCopyImage(t->queue, m, n, zero, zero, all, 0, NULL, NULL),
               CL_IMAGE_FORMAT_MISMATCH);
    CHECK_CODE(clEnqueueCopyImageToBuffer(t->queue, n, n, zero, all, 0, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(m);
    clReleaseMemObject(n);
    clReleaseMemObject(buffer);
}

/* ---- memory of others ------------------------------------------------------------------------ */

static void test_from_buffer(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 4, 3, 0, 0), row = d, large = d;
    cl_mem buffer = clCreateBuffer(t->context, CL_MEM_READ_ONLY, 256, NULL, NULL), got = NULL;
    const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
    const size_t origin[3] = {1, 2, 0}, one[3] = {1, 1, 1}, zero[3] = {0};
    unsigned char texel[4] = {1, 2, 3, 4}, back[4];
    cl_mem m, view;
    cl_int code;

    d.mem_object = buffer;
    d.image_row_pitch = 64;
    m = make(t, 0, &rgba8, &d, NULL);
    CHECK(size_of(m, CL_IMAGE_ROW_PITCH) == 64);
    CHECK_OK(clGetImageInfo(m, CL_IMAGE_BUFFER, sizeof got, &got, NULL));
    CHECK(got == buffer);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof got, &got, NULL));
    CHECK(got == buffer);
    CHECK_OK(clEnqueueWriteImage(t->queue, m, CL_TRUE, origin, one, 0, 0, texel, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, buffer, CL_TRUE, 2 * 64 + 4, 4, back, 0, NULL, NULL));
    CHECK(memcmp(texel, back, 4) == 0);
    /* Unlike those in one dimension they may be copied to other places of their buffer. */
    CHECK_OK(clEnqueueCopyImageToBuffer(t->queue, m, buffer, origin, one, 200, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, buffer, CL_TRUE, 200, 4, back, 0, NULL, NULL));
    CHECK(memcmp(texel, back, 4) == 0);
    CHECK_OK(clEnqueueCopyBufferToImage(t->queue, buffer, m, 200, origin, one, 0, NULL, NULL));
    CHECK_NULL(clCreateImage(t->context, CL_MEM_WRITE_ONLY, &rgba8, &d, NULL, &code), code,
               CL_INVALID_VALUE);
    large.mem_object = buffer;
    large.image_height = 100;
    CHECK_NULL(clCreateImage(t->context, 0, &rgba8, &large, NULL, &code), code,
               CL_INVALID_IMAGE_SIZE);
    row = sized(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64, 0, 0, 0);
    row.mem_object = buffer;
    view = make(t, 0, &rgba8, &row, NULL);
    CHECK(size_of(view, CL_IMAGE_WIDTH) == 64);
    CHECK_CODE(clEnqueueCopyImageToBuffer(t->queue, view, buffer, zero, one, 200, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(view);
    row.image_width = 65;
    CHECK_NULL(clCreateImage(t->context, 0, &rgba8, &row, NULL, &code), code,
               CL_INVALID_IMAGE_SIZE);
    /* The same texels in another order. */
    d.mem_object = m;
    d.image_row_pitch = 0;
    view = make(t, 0, &srgb, &d, NULL);
    CHECK_OK(clEnqueueReadImage(t->queue, view, CL_TRUE, origin, one, 0, 0, back, 0, NULL, NULL));
    CHECK(memcmp(texel, back, 4) == 0);
    d.image_width = 3;
    CHECK_NULL(clCreateImage(t->context, 0, &srgb, &d, NULL, &code), code,
               CL_INVALID_IMAGE_DESCRIPTOR);
    clReleaseMemObject(buffer);
    clReleaseMemObject(m);
    clReleaseMemObject(view);
}

static void test_host_memory(HdApiTest *t)
{
    unsigned char bytes[3 * 32], texel[4] = {9, 8, 7, 6};
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 4, 3, 0, 0);
    const size_t origin[3] = {2, 1, 0}, one[3] = {1, 1, 1};
    void *ptr = NULL;
    cl_mem m;

    memset(bytes, 0, sizeof bytes);
    d.image_row_pitch = 32;
    m = make(t, CL_MEM_USE_HOST_PTR, &rgba8, &d, bytes);
    CHECK_OK(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof ptr, &ptr, NULL));
    CHECK(ptr == bytes);
    CHECK_OK(clEnqueueWriteImage(t->queue, m, CL_TRUE, origin, one, 0, 0, texel, 0, NULL, NULL));
    CHECK(memcmp(bytes + 32 + 8, texel, 4) == 0);
    clReleaseMemObject(m);
}

/* Spec: cl_khr_mipmap_image: the level stands behind the coordinates of an origin. */
static void test_levels(HdApiTest *t)
{
    cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 8, 4, 0, 0);
    size_t origin[4] = {0, 0, 1, 0}, region[3] = {4, 2, 1};
    unsigned char bytes[32], back[32];
    cl_mem m;
    cl_uint n = 0;

    d.num_mip_levels = 4;
    m = make(t, 0, &rgba8, &d, NULL);
    CHECK_OK(clGetImageInfo(m, CL_IMAGE_NUM_MIP_LEVELS, sizeof n, &n, NULL));
    CHECK(n == 4);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    CHECK_OK(clEnqueueWriteImage(t->queue, m, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(t->queue, m, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
    CHECK(memcmp(bytes, back, sizeof bytes) == 0);
    region[0] = 5; /* level 1 has 4 */
    CHECK_CODE(clEnqueueReadImage(t->queue, m, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL),
               CL_INVALID_VALUE);
    origin[2] = 4;
    CHECK_CODE(clEnqueueReadImage(t->queue, m, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL),
               CL_INVALID_MIP_LEVEL);
    clReleaseMemObject(m);
}

/* The first component of each sample of two columns, and what the images say of themselves. */
static const char samples_source[] =
    "kernel void look(read_only image2d_msaa_t a, read_only image2d_array_msaa_t b,\n"
    "                 read_only image2d_msaa_depth_t c, read_only image2d_array_msaa_depth_t d,\n"
    "                 global float *out, global int *facts)\n"
    "{\n"
    "    int x = get_global_id(0);\n"
    "    for (int s = 0; s < 2; s++) {\n"
    "        out[8 * x + s] = read_imagef(a, (int2)(x, 1), s).x;\n"
    "        out[8 * x + 2 + s] = read_imagef(b, (int4)(x, 1, 1, 0), s).x;\n"
    "        out[8 * x + 4 + s] = read_imagef(c, (int2)(x, 1), s);\n"
    "        out[8 * x + 6 + s] = read_imagef(d, (int4)(x, 1, 1, 0), s);\n"
    "    }\n"
    "    facts[0] = get_image_num_samples(a);\n"
    "    facts[1] = get_image_array_size(b);\n"
    "    facts[2] = get_image_channel_order(c);\n"
    "    facts[3] = get_image_channel_data_type(c);\n"
    "    facts[4] = get_image_dim(d).y;\n"
    "}\n";

/* Spec: OpenCL Extensions, cl_khr_gl_msaa_sharing; who makes such images: src/cl/image.c. */
static void test_samples(HdApiTest *t)
{
    static const cl_image_format formats[4] = {
        {CL_R, CL_FLOAT}, {CL_R, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}};
    const size_t origin[3] = {0}, region[3] = {1, 1, 1}, global = 2;
    float texels[16], out[16] = {0};
    int facts[5] = {0};
    cl_mem images[4], result, told;
    cl_program program = hd_api_build(t, samples_source, "-cl-std=CL3.0");
    cl_kernel k;
    cl_uint n = 0;

    if (program == NULL)
        return;
    for (int i = 0; i < 16; i++)
        texels[i] = (float)i;
    k = clCreateKernel(program, "look", NULL);
    for (cl_uint i = 0; i < 4; i++) {
        cl_image_desc d = i % 2 == 0 ? sized(CL_MEM_OBJECT_IMAGE2D, 2, 2, 0, 0)
                                     : sized(CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, 2, 0, 2);

        images[i] = make(t, CL_MEM_READ_ONLY, &formats[i], &d, NULL); /* one sample: another kind */
        CHECK_CODE(clSetKernelArg(k, i, sizeof images[i], &images[i]), CL_INVALID_MEM_OBJECT);
        CHECK_OK(clReleaseMemObject(images[i]));
        d.num_samples = 2;
        images[i] = make(t, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &formats[i], &d, texels);
        CHECK_OK(clSetKernelArg(k, i, sizeof images[i], &images[i]));
    }
    CHECK_OK(clGetImageInfo(images[0], CL_IMAGE_NUM_SAMPLES, sizeof n, &n, NULL));
    CHECK(n == 2);
    CHECK_CODE(
        clEnqueueReadImage(t->queue, images[0], CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    result = clCreateBuffer(t->context, 0, sizeof out, NULL, NULL);
    told = clCreateBuffer(t->context, 0, sizeof facts, NULL, NULL);
    CHECK_OK(clSetKernelArg(k, 4, sizeof result, &result));
    CHECK_OK(clSetKernelArg(k, 5, sizeof told, &told));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, told, CL_TRUE, 0, sizeof facts, facts, 0, NULL, NULL));
    for (int x = 0; x < 2; x++)
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 4; i++) /* row 1; of arrays: of layer 1 */
                CHECK(out[8 * x + 2 * i + s] ==
                      (i % 2 == 0 ? (float)(4 * s + 2 + x) : (float)(8 * s + 4 + 2 + x)));
    CHECK(facts[0] == 2 && facts[1] == 2 && facts[2] == CL_DEPTH && facts[3] == CL_FLOAT);
    CHECK(facts[4] == 2);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(images[i]);
    clReleaseMemObject(result);
    clReleaseMemObject(told);
    clReleaseKernel(k);
    clReleaseProgram(program);
}

static const char stencil_source[] =
    "kernel void look(read_only image2d_depth_t a, global float *out, global int *facts)\n"
    "{\n"
    "    int x = get_global_id(0);\n"
    "    out[x] = read_imagef(a, (int2)(x, 0));\n"
    "    facts[0] = get_image_channel_order(a);\n"
    "    facts[1] = get_image_channel_data_type(a);\n"
    "}\n";

/* Spec: OpenCL Extensions, cl_khr_gl_depth_images. */
static void test_stencil(HdApiTest *t)
{
    static const cl_image_format format = {CL_DEPTH_STENCIL, CL_UNORM_INT24};
    const cl_uint texels[2] = {0xffffff07, 0x00000103}; /* the stencil in the lowest byte */
    const cl_image_desc d = sized(CL_MEM_OBJECT_IMAGE2D, 2, 1, 0, 0);
    const size_t global = 2;
    float out[2] = {0};
    int facts[2] = {0};
    cl_program program = hd_api_build(t, stencil_source, "-cl-std=CL3.0");
    cl_mem image, result, told;
    cl_kernel k;

    if (program == NULL)
        return;
    CHECK(!has_format(t, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, CL_DEPTH_STENCIL,
                      CL_UNORM_INT24)); /* the specification lets it come from OpenGL only */
    image = make(t, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &d, (void *)texels);
    result = clCreateBuffer(t->context, 0, sizeof out, NULL, NULL);
    told = clCreateBuffer(t->context, 0, sizeof facts, NULL, NULL);
    k = clCreateKernel(program, "look", NULL);
    CHECK_OK(clSetKernelArg(k, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(k, 1, sizeof result, &result));
    CHECK_OK(clSetKernelArg(k, 2, sizeof told, &told));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, told, CL_TRUE, 0, sizeof facts, facts, 0, NULL, NULL));
    CHECK(out[0] == 1.0f && out[1] == 1.0f / 16777215.0f);
    CHECK(facts[0] == CL_DEPTH_STENCIL && facts[1] == CL_UNORM_INT24);
    clReleaseMemObject(image);
    clReleaseMemObject(result);
    clReleaseMemObject(told);
    clReleaseKernel(k);
    clReleaseProgram(program);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_formats(&t);
    test_create_errors(&t);
    test_info(&t);
    for (size_t i = 0; i < KINDS; i++) {
        test_read_write(&t, &kinds[i]);
        test_copies(&t, &kinds[i]);
        test_map(&t, &kinds[i]);
        test_fill(&t, &kinds[i]);
    }
    test_fill_formats(&t);
    test_transfer_errors(&t);
    test_map_twice(&t);
    test_from_buffer(&t);
    test_host_memory(&t);
    test_levels(&t);
    test_samples(&t);
    test_stencil(&t);
    return hd_api_close(&t);
}
