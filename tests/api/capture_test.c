/* tests/api/capture_test.c -- HEDDLE_CAPTURE: what run.sh leaves is what the launch left.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <glob.h>
#include <unistd.h>

#include "check.h"

#define ITEMS 16u
#define WIDTH 5u
#define PITCH 64u /* bytes of a row of the image */

static const char source[] =
    "typedef struct { int a; float4 v; char c; } S;\n"
    "kernel void numbers(global int *x, constant short *t, local int *l, float f, int3 v, S s,\n"
    "                    uchar b, global int *none, global long *svm, global int *o)\n"
    "{\n"
    "    uint i = get_global_id(0), n = get_local_id(0);\n"
    "    l[n] = x[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    x[i] = l[get_local_size(0) - 1 - n] * (int)f + v.z + (int)s.v.w + s.a + s.c;\n"
    "    o[i - 3] = t[i & 3] + b + (int)svm[i & 1] + (none == 0 ? 1000 : 0) + "
    "get_global_offset(0);\n"
    "}\n"
    "kernel void texels(read_only image2d_t from, sampler_t s, write_only image2d_array_t to,\n"
    "                   read_only pipe int p, global uint4 *o)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    uint4 c = read_imageui(from, s, convert_float2(at) + 1.25f);\n"
    "    int packet = 0;\n"
    "    if (at.x + at.y == 0) { read_pipe(p, &packet); c.x += packet; }\n"
    "    write_imageui(to, (int4)(at, 1, 0), c);\n"
    "    o[at.y * 5 + at.x] = c;\n"
    "}\n"
    "kernel void fill(write_only pipe int p) { int x = 70; write_pipe(p, &x); }\n"
    "kernel void step(global int *x) { x[get_global_id(0)] = x[get_global_id(0)] * 3 + 1; }\n"
    "kernel void both(global int *x, global int *y) { y[0] = x[0] + 1; }\n";

static char folder[] = "/tmp/heddle-capture-XXXXXX";

/* Run what was captured of a kernel; the bytes of an argument, which `heddle run` writes. */
static bool repeat(const char *kernel, unsigned arg, void *bytes, size_t count)
{
    char words[256];
    glob_t found;
    FILE *f;
    bool fine = false;

    snprintf(words, sizeof words, "%s/%s-*/run.sh", folder, kernel);
    if (glob(words, 0, NULL, &found) != 0)
        return false;
    snprintf(words, sizeof words, "env -u HEDDLE %s run --no-print --out %u=%s/out",
             found.gl_pathv[0], arg, folder);
    if (found.gl_pathc == 1 && system(words) == 0) {
        snprintf(words, sizeof words, "%s/out", folder);
        f = fopen(words, "rb");
        fine = f != NULL && fread(bytes, 1, count, f) == count && fgetc(f) == EOF;
        if (f != NULL)
            fclose(f);
    }
    globfree(&found);
    return fine;
}

static void check_repeated(const char *kernel, unsigned arg, const void *left, size_t count)
{
    unsigned char got[512] = {0};

    CHECK(count <= sizeof got && repeat(kernel, arg, got, count) && memcmp(got, left, count) == 0);
}

static void *read_buffer(HdApiTest *t, cl_mem m, void *to, size_t bytes)
{
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
    return to;
}

static void test_numbers(HdApiTest *t, cl_program p)
{
    struct {
        cl_int a;
        cl_float4 v;
        cl_char c;
    } s = {.a = 7, .v = {{1, 2, 3, 4}}, .c = -5};
    cl_int x[ITEMS], out[ITEMS + 64];
    cl_short table[4] = {1, -2, 300, 4};
    cl_buffer_region region = {128, sizeof x};
    cl_int3 v = {{1, 2, 30}};
    cl_float f = 2;
    cl_uchar b = 200;
    size_t global = ITEMS, local = 4, offset = 3;
    cl_int code;
    cl_kernel k = clCreateKernel(p, "numbers", &code);
    cl_mem none = NULL, xs, tables, outs, part;
    cl_long *svm = clSVMAlloc(t->context, CL_MEM_READ_WRITE, 24, 0);

    memset(out, 0, sizeof out);
    for (unsigned i = 0; i < ITEMS; i++)
        x[i] = (cl_int)(i * i);
    svm[1] = 11;
    svm[2] = -12;
    xs = hd_api_buffer(t, x, sizeof x);
    tables = hd_api_buffer(t, table, sizeof table);
    outs = hd_api_buffer(t, out, sizeof out);
    part = clCreateSubBuffer(outs, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK_OK(code);
    clSetKernelArg(k, 0, sizeof xs, &xs);
    clSetKernelArg(k, 1, sizeof tables, &tables);
    clSetKernelArg(k, 2, 16, NULL);
    clSetKernelArg(k, 3, sizeof f, &f);
    clSetKernelArg(k, 4, sizeof v, &v);
    clSetKernelArg(k, 5, sizeof s, &s);
    clSetKernelArg(k, 6, sizeof b, &b);
    clSetKernelArg(k, 7, sizeof none, &none);
    CHECK_OK(clSetKernelArgSVMPointer(k, 8, svm + 1));
    CHECK_OK(clSetKernelArg(k, 9, sizeof part, &part));
    global -= offset;
    global -= global % local;
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, &offset, &global, &local, 0, NULL, NULL));
    check_repeated("numbers", 0, read_buffer(t, xs, x, sizeof x), sizeof x);
    check_repeated("numbers", 9, read_buffer(t, part, out, sizeof x), sizeof x);
    CHECK(out[0] == 4 + 200 - 12 + 1000 + 3);
    clSVMFree(t->context, svm);
    clReleaseMemObject(part);
    clReleaseMemObject(outs);
    clReleaseMemObject(tables);
    clReleaseMemObject(xs);
    clReleaseKernel(k);
}

static cl_mem make_image(HdApiTest *t, cl_mem_object_type type, cl_mem_flags flags, void *texels)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = type,
                                .image_width = WIDTH,
                                .image_height = 4,
                                .image_array_size = 3,
                                .image_row_pitch = texels != NULL ? PITCH : 0};
    cl_int code;
    cl_mem m = clCreateImage(t->context, flags, &format, &desc, texels, &code);

    CHECK_OK(code);
    return m;
}

static void test_texels(HdApiTest *t, cl_program p)
{
    static cl_uchar from[PITCH * 4], to[WIDTH * 4 * 4 * 3];
    const size_t global[] = {WIDTH, 4}, one = 1, origin[3] = {0}, region[] = {WIDTH, 4, 3};
    cl_uint out[WIDTH * 4 * 4] = {0};
    cl_int code;
    cl_kernel k = clCreateKernel(p, "texels", &code), fill = clCreateKernel(p, "fill", &code);
    cl_sampler s =
        clCreateSampler(t->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    cl_mem pipe = clCreatePipe(t->context, 0, 4, 8, NULL, &code), images[2], outs;

    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (cl_uchar)(i * 7);
    images[0] = make_image(t, CL_MEM_OBJECT_IMAGE2D, CL_MEM_USE_HOST_PTR, from);
    images[1] = make_image(t, CL_MEM_OBJECT_IMAGE2D_ARRAY, 0, NULL);
    CHECK_OK(clEnqueueFillImage(t->queue, images[1], out, origin, region, 0, NULL, NULL));
    outs = hd_api_buffer(t, out, sizeof out);
    clSetKernelArg(fill, 0, sizeof pipe, &pipe);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, fill, 1, NULL, &one, NULL, 0, NULL, NULL));
    clSetKernelArg(k, 0, sizeof images[0], &images[0]);
    clSetKernelArg(k, 1, sizeof s, &s);
    clSetKernelArg(k, 2, sizeof images[1], &images[1]);
    clSetKernelArg(k, 3, sizeof pipe, &pipe);
    CHECK_OK(clSetKernelArg(k, 4, sizeof outs, &outs));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
    check_repeated("texels", 4, read_buffer(t, outs, out, sizeof out), sizeof out);
    CHECK(out[0] == from[PITCH + 4] + 70u);
    CHECK_OK(
        clEnqueueReadImage(t->queue, images[1], CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL));
    check_repeated("texels", 2, to, sizeof to);
    clReleaseSampler(s);
    clReleaseMemObject(pipe);
    clReleaseMemObject(images[0]);
    clReleaseMemObject(images[1]);
    clReleaseMemObject(outs);
    clReleaseKernel(fill);
    clReleaseKernel(k);
}

/* The second launch of three, and memory that two arguments share or that nobody knows. */
static void test_which(HdApiTest *t, cl_program p)
{
    cl_int x[4] = {1, 2, 3, 4}, own = 5, y = 0;
    const cl_int after[4] = {13, 22, 31, 40};
    size_t global = 4, one = 1;
    cl_int code;
    cl_kernel k = clCreateKernel(p, "step", &code), both = clCreateKernel(p, "both", &code);
    cl_mem m = hd_api_buffer(t, x, sizeof x);

    setenv("HEDDLE_CAPTURE_LAUNCH", "2", 1);
    clSetKernelArg(k, 0, sizeof m, &m);
    for (unsigned i = 0; i < 3; i++)
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    check_repeated("step", 0, after, sizeof after);
    setenv("HEDDLE_CAPTURE_LAUNCH", "1", 1);
    CHECK_OK(clSetKernelArgSVMPointer(both, 0, &own));
    clSetKernelArg(both, 1, sizeof m, &m);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, both, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &y, 0, NULL, NULL));
    CHECK(y == 6); /* the launch itself is as ever */
    clReleaseMemObject(m);
    clReleaseKernel(both);
    clReleaseKernel(k);
}

int main(void)
{
    char words[64];
    HdApiTest t;
    cl_program p;

    if (mkdtemp(folder) == NULL)
        return 1;
    setenv("HEDDLE_CAPTURE", folder, 1);
    t = hd_api_open();
    p = t.has_compiler ? hd_api_build(&t, source, "-cl-std=CL3.0") : NULL;
    if (p != NULL) {
        test_numbers(&t, p);
        test_texels(&t, p);
        test_which(&t, p);
        clReleaseProgram(p);
    } else {
        hd_api_skip("there is no compiler");
    }
    snprintf(words, sizeof words, "rm -r %s", folder);
    CHECK(system(words) == 0);
    return hd_api_close(&t);
}
