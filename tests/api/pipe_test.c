/* tests/api/pipe_test.c -- pipes: making, asking, as arguments of kernels, several threads at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define ITEMS 4096

static const char source[] =
    "kernel void put(global const int *from, write_only pipe int out)\n"
    "{ write_pipe(out, &from[get_global_id(0)]); }\n"
    "kernel void get(read_only pipe int in, global int *to)\n"
    "{ int x = -1; if (read_pipe(in, &x) == 0) to[get_global_id(0)] = x; }\n"
    "kernel void put_three(global const int *from, write_only pipe int out)\n"
    "{\n"
    "    int i = 3 * get_global_id(0);\n"
    "    reserve_id_t id = reserve_write_pipe(out, 3);\n"
    "    if (!is_valid_reserve_id(id)) return;\n"
    "    for (int n = 2; n >= 0; n--) write_pipe(out, id, n, &from[i + n]);\n"
    "    commit_write_pipe(out, id);\n"
    "}\n"
    "kernel void get_group(read_only pipe int in, global int *to)\n"
    "{\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(in, get_local_size(0));\n"
    "    if (!is_valid_reserve_id(id)) return;\n"
    "    read_pipe(in, id, get_local_id(0), &to[get_global_id(0)]);\n"
    "    work_group_commit_read_pipe(in, id);\n"
    "}\n"
    "kernel void count(read_only pipe int in, global uint *n)\n"
    "{ n[0] = get_pipe_num_packets(in); n[1] = get_pipe_max_packets(in); }\n";

/* ---- objects --------------------------------------------------------------------------------- */

static void test_device(HdApiTest *t)
{
    cl_bool pipes = CL_FALSE;
    cl_uint args = 0, reservations = 0, packet = 0;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, NULL));
    CHECK(pipes);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_PIPE_ARGS, sizeof args, &args, NULL));
    CHECK(args >= 16);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof reservations,
                             &reservations, NULL));
    CHECK(reservations >= 1);
    CHECK_OK(
        clGetDeviceInfo(t->device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof packet, &packet, NULL));
    CHECK(packet >= 1024);
}

static void test_make(HdApiTest *t)
{
    const cl_pipe_properties properties[] = {0};
    cl_uint most = 0;
    cl_int code;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL));
    CHECK_NULL(clCreatePipe(NULL, 0, 4, 4, NULL, &code), code, CL_INVALID_CONTEXT);
    CHECK_NULL(clCreatePipe(t->context, CL_MEM_READ_ONLY, 4, 4, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreatePipe(t->context, CL_MEM_COPY_HOST_PTR, 4, 4, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clCreatePipe(t->context, 0, 4, 4, properties, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreatePipe(t->context, 0, 0, 4, NULL, &code), code, CL_INVALID_PIPE_SIZE);
    CHECK_NULL(clCreatePipe(t->context, 0, 4, 0, NULL, &code), code, CL_INVALID_PIPE_SIZE);
    CHECK_NULL(clCreatePipe(t->context, 0, most + 1, 4, NULL, &code), code, CL_INVALID_PIPE_SIZE);
    CHECK_NULL(clCreatePipe(t->context, 0, most, UINT32_MAX, NULL, &code), code,
               CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

static void test_ask(HdApiTest *t)
{
    cl_int code;
    cl_mem p = clCreatePipe(t->context, 0, 12, 5, NULL, &code);
    cl_mem b = clCreateBuffer(t->context, 0, 16, NULL, NULL);
    cl_uint packet = 0, most = 0;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    size_t size = 99;
    int x = 0;

    CHECK_OK(code);
    CHECK_OK(clGetPipeInfo(p, CL_PIPE_PACKET_SIZE, sizeof packet, &packet, NULL));
    CHECK_OK(clGetPipeInfo(p, CL_PIPE_MAX_PACKETS, sizeof most, &most, NULL));
    CHECK(packet == 12 && most == 5);
    CHECK_OK(clGetPipeInfo(p, CL_PIPE_PROPERTIES, 0, NULL, &size));
    CHECK(size == 0);
    CHECK_CODE(clGetPipeInfo(p, CL_MEM_TYPE, sizeof packet, &packet, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetPipeInfo(p, CL_PIPE_MAX_PACKETS, 1, &packet, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetPipeInfo(b, CL_PIPE_MAX_PACKETS, sizeof packet, &packet, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clGetPipeInfo(NULL, CL_PIPE_MAX_PACKETS, sizeof packet, &packet, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_OK(clGetMemObjectInfo(p, CL_MEM_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_MEM_OBJECT_PIPE);
    CHECK_OK(clGetMemObjectInfo(p, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
    /* It is no buffer. */
    CHECK_CODE(clEnqueueReadBuffer(t->queue, p, CL_TRUE, 0, 4, &x, 0, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_NULL(clEnqueueMapBuffer(t->queue, p, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code),
               code, CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clEnqueueUnmapMemObject(t->queue, p, &code, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clRetainMemObject(p));
    CHECK_OK(clReleaseMemObject(p));
    clReleaseMemObject(b);
    CHECK_OK(clReleaseMemObject(p));
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void test_arguments(HdApiTest *t, cl_program program)
{
    cl_kernel k = clCreateKernel(program, "get", NULL);
    cl_mem p = clCreatePipe(t->context, 0, 4, 4, NULL, NULL);
    cl_mem b = clCreateBuffer(t->context, 0, 16, NULL, NULL);
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_kernel_arg_access_qualifier access = 0;
    const size_t one = 1;

    CHECK_CODE(clSetKernelArg(k, 0, sizeof p, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(k, 0, sizeof p, &b), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(k, 1, sizeof p, &p), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(k, 0, 1, &p), CL_INVALID_ARG_SIZE);
    CHECK_OK(clSetKernelArg(k, 1, sizeof b, &b));
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL),
               CL_INVALID_KERNEL_ARGS);
    CHECK_OK(clSetKernelArg(k, 0, sizeof p, &p));
    CHECK_OK(
        clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    CHECK((qualifier & CL_KERNEL_ARG_TYPE_PIPE) != 0);
    CHECK_OK(
        clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    CHECK(access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
    clReleaseKernel(k);
    clReleaseMemObject(b);
    clReleaseMemObject(p);
}

/* ---- running --------------------------------------------------------------------------------- */

static void run(HdApiTest *t, cl_program program, const char *name, cl_mem first, cl_mem second,
                size_t items, size_t local)
{
    cl_kernel k = clCreateKernel(program, name, NULL);

    CHECK_OK(clSetKernelArg(k, 0, sizeof first, &first));
    CHECK_OK(clSetKernelArg(k, 1, sizeof second, &second));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, local != 0 ? &local : NULL, 0,
                                    NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    clReleaseKernel(k);
}

static void check_count(HdApiTest *t, cl_program program, cl_mem pipe, cl_uint packets)
{
    cl_mem b = clCreateBuffer(t->context, 0, 2 * sizeof(cl_uint), NULL, NULL);
    cl_uint n[2] = {0};

    run(t, program, "count", pipe, b, 1, 0);
    CHECK_OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, sizeof n, n, 0, NULL, NULL));
    CHECK(n[0] == packets && n[1] == ITEMS);
    clReleaseMemObject(b);
}

/* Every number comes out once, whoever of several threads takes it; groups of three stay together.
 */
static void test_through(HdApiTest *t, cl_program program, const char *put, size_t each,
                         const char *get, size_t local)
{
    static int numbers[ITEMS], got[ITEMS];
    size_t count = ITEMS / each * each, odd = 0;
    cl_mem pipe = clCreatePipe(t->context, 0, sizeof(int), ITEMS, NULL, NULL), from, to;

    for (int i = 0; i < ITEMS; i++)
        numbers[i] = i;
    from = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
    to = clCreateBuffer(t->context, 0, sizeof got, NULL, NULL);
    for (int round = 0; round < 3; round++) {
        static bool seen[ITEMS];

        memset(seen, 0, sizeof seen);
        run(t, program, put, from, pipe, count / each, 0);
        check_count(t, program, pipe, (cl_uint)count);
        run(t, program, get, pipe, to, count, local);
        check_count(t, program, pipe, 0);
        CHECK_OK(
            clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, count * sizeof(int), got, 0, NULL, NULL));
        for (size_t i = 0; i < count; i++) {
            odd += got[i] < 0 || (size_t)got[i] >= count || seen[got[i] % ITEMS];
            if (got[i] >= 0)
                seen[got[i] % ITEMS] = true;
            if (local != 0 && i % each != 0) /* read in the order in which they were written */
                odd += got[i] != got[i - 1] + 1;
        }
    }
    CHECK(odd == 0);
    clReleaseMemObject(pipe);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_program p;

    test_device(&t);
    test_make(&t);
    test_ask(&t);
    if (!t.has_compiler) {
        hd_api_skip("there is no compiler");
        return hd_api_close(&t);
    }
    p = hd_api_build(&t, source, "-cl-std=CL3.0 -cl-kernel-arg-info");
    if (p != NULL) {
        test_arguments(&t, p);
        test_through(&t, p, "put", 1, "get", 0);
        test_through(&t, p, "put_three", 3, "get", 0);
        test_through(&t, p, "put_three", 3, "get_group", 15);
        clReleaseProgram(p);
    }
    return hd_api_close(&t);
}
