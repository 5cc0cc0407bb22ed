/* tests/api/command_buffer_test.c -- command buffers: recording, enqueuing, updates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include "cl/cl_command_buffer.h"

#define COUNT 1000u

/* The extensions' functions, found by name as programs do. */
static struct {
#define FUNCTION(name) hd_cl##name##KHR_fn name;
#define FUNCTIONS                        \
    FUNCTION(CreateCommandBuffer)        \
    FUNCTION(FinalizeCommandBuffer)      \
    FUNCTION(RetainCommandBuffer)        \
    FUNCTION(ReleaseCommandBuffer)       \
    FUNCTION(EnqueueCommandBuffer)       \
    FUNCTION(GetCommandBufferInfo)       \
    FUNCTION(CommandBarrierWithWaitList) \
    FUNCTION(CommandCopyBuffer)          \
    FUNCTION(CommandCopyBufferRect)      \
    FUNCTION(CommandCopyBufferToImage)   \
    FUNCTION(CommandCopyImage)           \
    FUNCTION(CommandCopyImageToBuffer)   \
    FUNCTION(CommandFillBuffer)          \
    FUNCTION(CommandFillImage)           \
    FUNCTION(CommandNDRangeKernel)       \
    FUNCTION(CommandSVMMemcpy)           \
    FUNCTION(CommandSVMMemFill)          \
    FUNCTION(UpdateMutableCommands)      \
    FUNCTION(GetMutableCommandInfo)      \
    FUNCTION(RemapCommandBuffer)
    FUNCTIONS
#undef FUNCTION
} f;

static bool find_functions(HdApiTest *t)
{
    bool all = true;
    void *at;

#define FUNCTION(name)                                                            \
    at = clGetExtensionFunctionAddressForPlatform(t->platform, "cl" #name "KHR"); \
    memcpy(&f.name, &at, sizeof at);                                              \
    all = all && at != NULL;
    FUNCTIONS
#undef FUNCTION
    CHECK(all);
    return all;
}

static const char source[] =
    "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }\n"
    "kernel void ids(global int *a, local int *l)\n"
    "{ l[get_local_id(0)] = (int)get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  a[get_global_id(0)] = l[get_local_id(0)] * 100 + (int)get_local_size(0); }\n";

static HdCommandBuffer new_buffer(HdApiTest *t, cl_command_queue q, cl_ulong flags)
{
    const cl_properties p[] = {HD_CL_COMMAND_BUFFER_FLAGS, flags, 0};
    cl_int code = 1;
    HdCommandBuffer b = f.CreateCommandBuffer(1, &q, flags != 0 ? p : NULL, &code);

    (void)t;
    CHECK_OK(code);
    CHECK(b != NULL);
    return b;
}

static cl_mem new_ints(HdApiTest *t, int value)
{
    int numbers[COUNT];

    for (unsigned i = 0; i < COUNT; i++)
        numbers[i] = value;
    return hd_api_buffer(t, numbers, sizeof numbers);
}

/* All numbers of a buffer are this one. */
static bool all_are(HdApiTest *t, cl_mem m, int value)
{
    int numbers[COUNT];
    bool same = true;

    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (unsigned i = 0; i < COUNT; i++)
        same = same && numbers[i] == value;
    return same;
}

static cl_uint state_of(HdCommandBuffer b)
{
    cl_uint state = 99;

    CHECK_OK(f.GetCommandBufferInfo(b, HD_CL_COMMAND_BUFFER_STATE, sizeof state, &state, NULL));
    return state;
}

static cl_kernel new_kernel(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(program, name, &code);

    CHECK_OK(code);
    return k;
}

static void set_add(cl_kernel k, cl_mem m, cl_int n)
{
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clSetKernelArg(k, 1, sizeof n, &n));
}

/* ---- creating, asking ------------------------------------------------------------------------ */

static void test_creating(HdApiTest *t)
{
    const cl_properties unknown[] = {0x7777, 1, 0}, bad[] = {HD_CL_COMMAND_BUFFER_FLAGS, 1 << 9, 0};
    const cl_properties twice[] = {HD_CL_COMMAND_BUFFER_FLAGS, 1, HD_CL_COMMAND_BUFFER_FLAGS, 1, 0};
    const cl_command_queue two[] = {t->queue, t->queue};
    cl_command_queue none = NULL;
    HdCommandBuffer b;
    cl_int code = 0;

    CHECK_NULL(f.CreateCommandBuffer(0, NULL, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(f.CreateCommandBuffer(1, NULL, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(f.CreateCommandBuffer(1, &none, NULL, &code), code, CL_INVALID_COMMAND_QUEUE);
    CHECK_NULL(f.CreateCommandBuffer(1, two, unknown, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(f.CreateCommandBuffer(1, two, bad, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(f.CreateCommandBuffer(1, two, twice, &code), code, CL_INVALID_VALUE);
    b = new_buffer(t, t->queue, 0);
    CHECK_OK(f.RetainCommandBuffer(b));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_CODE(f.RetainCommandBuffer(NULL), HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_CODE(f.ReleaseCommandBuffer(NULL), HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_CODE(f.FinalizeCommandBuffer((HdCommandBuffer)t->queue), HD_CL_INVALID_COMMAND_BUFFER);
}

static void test_asking(HdApiTest *t)
{
    HdCommandBuffer b = new_buffer(t, t->queue, HD_CL_COMMAND_BUFFER_MUTABLE);
    cl_properties given[3] = {0};
    cl_command_queue q = NULL;
    cl_context c = NULL;
    cl_uint count = 0;
    size_t size = 99;

    CHECK_OK(f.GetCommandBufferInfo(b, 0x1295, sizeof count, &count, NULL));
    CHECK(count == 1);
    CHECK_OK(f.GetCommandBufferInfo(b, 0x1294, sizeof q, &q, NULL));
    CHECK(q == t->queue);
    CHECK_OK(f.GetCommandBufferInfo(b, 0x1299, sizeof c, &c, NULL));
    CHECK(c == t->context);
    CHECK_OK(f.RetainCommandBuffer(b));
    CHECK_OK(f.GetCommandBufferInfo(b, 0x1296, sizeof count, &count, NULL));
    CHECK(count == 2);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(f.GetCommandBufferInfo(b, 0x1298, sizeof given, given, &size));
    CHECK(size == sizeof given && given[0] == 0x1293 && given[1] == 2 && given[2] == 0);
    CHECK_CODE(f.GetCommandBufferInfo(b, 0x1294, 1, &q, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.GetCommandBufferInfo(b, 0x1234, sizeof q, &q, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.GetCommandBufferInfo(NULL, 0x1294, sizeof q, &q, NULL),
               HD_CL_INVALID_COMMAND_BUFFER);
    CHECK(state_of(b) == HD_CL_COMMAND_BUFFER_STATE_RECORDING);
    CHECK_CODE(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK(state_of(b) == HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE);
    CHECK_CODE(f.FinalizeCommandBuffer(b), CL_INVALID_OPERATION);
    CHECK_CODE(f.CommandBarrierWithWaitList(b, NULL, NULL, 0, NULL, NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_OK(f.ReleaseCommandBuffer(b));
}

/* ---- recording ------------------------------------------------------------------------------- */

static void test_refusals(HdApiTest *t, cl_program program)
{
    HdCommandBuffer b = new_buffer(t, t->queue, 0);
    cl_kernel k = new_kernel(program, "add");
    const cl_properties unknown[] = {0x7777, 1, 0};
    HdSyncPoint point = 0, wrong = 7;
    HdMutableCommand handle;
    size_t global = COUNT;
    cl_mem m = new_ints(t, 0);
    cl_command_queue other = clCreateCommandQueueWithProperties(t->context, t->device, NULL, NULL);
    int zero = 0;

    CHECK_CODE(f.CommandFillBuffer(NULL, NULL, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL),
               HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_CODE(f.CommandFillBuffer(b, other, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clReleaseCommandQueue(other));
    CHECK_CODE(f.CommandFillBuffer(b, NULL, unknown, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, &handle),
               CL_INVALID_VALUE);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 4, 0, 4, 1, NULL, NULL, NULL),
               HD_CL_INVALID_SYNC_POINT_WAIT_LIST);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 4, 0, 4, 0, &point, NULL, NULL),
               HD_CL_INVALID_SYNC_POINT_WAIT_LIST);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 4, 0, 4, 1, &wrong, NULL, NULL),
               HD_CL_INVALID_SYNC_POINT_WAIT_LIST);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 3, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(f.CommandCopyBuffer(b, NULL, NULL, m, m, 0, 2, 4, 0, NULL, NULL, NULL),
               CL_MEM_COPY_OVERLAP);
    CHECK_CODE(f.CommandCopyBuffer(b, NULL, NULL, NULL, m, 0, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_MEM_OBJECT);
    CHECK_CODE(
        f.CommandNDRangeKernel(b, NULL, NULL, NULL, 1, NULL, &global, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_KERNEL);
    CHECK_CODE(
        f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    set_add(k, m, 1);
    CHECK_CODE(
        f.CommandNDRangeKernel(b, NULL, NULL, k, 4, NULL, &global, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_WORK_DIMENSION);
    CHECK_CODE(
        f.CommandNDRangeKernel(b, NULL, unknown, k, 1, NULL, &global, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_VALUE);
    /* Nothing of all this was recorded. */
    CHECK_OK(f.CommandBarrierWithWaitList(b, NULL, NULL, 0, NULL, &point, NULL));
    CHECK(point == 1);
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK(all_are(t, m, 0));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
}

/* A chain of commands that only the right order makes right, enqueued several times. */
static void test_replay(HdApiTest *t, cl_program program, cl_command_queue q)
{
    HdCommandBuffer b = new_buffer(t, q, 0);
    cl_mem a = new_ints(t, -1), c = new_ints(t, -1);
    cl_kernel k = new_kernel(program, "add");
    size_t global = COUNT, bytes = COUNT * sizeof(int);
    HdSyncPoint points[4];
    cl_command_type type = 0;
    cl_event done = NULL;
    int three = 3;

    CHECK_OK(f.CommandFillBuffer(b, NULL, NULL, a, &three, 4, 0, bytes, 0, NULL, &points[0], NULL));
    set_add(k, a, 4);
    CHECK_OK(f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 1, points, &points[1],
                                    NULL));
    set_add(k, a, 10); /* what was recorded keeps its arguments */
    CHECK_OK(f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 2, points, &points[2],
                                    NULL));
    CHECK_OK(f.CommandBarrierWithWaitList(b, NULL, NULL, 0, NULL, NULL, NULL));
    CHECK_OK(f.CommandCopyBuffer(b, NULL, NULL, a, c, 0, 0, bytes, 3, points, &points[3], NULL));
    CHECK(points[0] != points[1] && points[1] != points[2] && points[2] != points[3]);
    CHECK_OK(f.FinalizeCommandBuffer(b));
    /* It keeps what it uses. */
    CHECK_OK(clReleaseKernel(k));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(clEnqueueFillBuffer(q, c, &i, 4, 0, bytes, 0, NULL, NULL));
        CHECK_OK(clFinish(q));
        CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, &done));
        CHECK_OK(clWaitForEvents(1, &done));
        CHECK_OK(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        CHECK(type == 0x12A8);
        CHECK_OK(clReleaseEvent(done));
        CHECK(all_are(t, c, 17));
    }
    /* Released while on its way. */
    CHECK_OK(clEnqueueFillBuffer(q, c, &three, 4, 0, bytes, 0, NULL, &done));
    CHECK_OK(f.EnqueueCommandBuffer(1, &t->queue, b, 1, &done, NULL));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseEvent(done));
    CHECK_OK(clFinish(t->queue));
    CHECK(all_are(t, c, 17));
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(c));
}

static void test_enqueue_errors(HdApiTest *t)
{
    HdCommandBuffer b = new_buffer(t, t->queue, 0);
    cl_context other = clCreateContext(NULL, 1, &t->device, NULL, NULL, NULL);
    cl_command_queue foreign = clCreateCommandQueueWithProperties(other, t->device, NULL, NULL);
    cl_command_queue two[] = {t->queue, t->queue}, none = NULL;
    cl_event user = clCreateUserEvent(other, NULL);

    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK_CODE(f.EnqueueCommandBuffer(0, NULL, NULL, 0, NULL, NULL), HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_CODE(f.EnqueueCommandBuffer(1, NULL, b, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.EnqueueCommandBuffer(0, two, b, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.EnqueueCommandBuffer(2, two, b, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.EnqueueCommandBuffer(1, &none, b, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(f.EnqueueCommandBuffer(1, &foreign, b, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_CODE(f.EnqueueCommandBuffer(0, NULL, b, 1, &user, NULL), CL_INVALID_CONTEXT);
    CHECK_CODE(f.EnqueueCommandBuffer(0, NULL, b, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseCommandQueue(foreign));
    CHECK_OK(clReleaseContext(other));
    CHECK_OK(f.ReleaseCommandBuffer(b));
}

/* Boxes of buffers, images, shared virtual memory. */
static void test_transfers(HdApiTest *t)
{
    const size_t origin[3] = {0, 0, 0}, inner[3] = {4, 1, 0}, box[3] = {8, 2, 1};
    const size_t whole[3] = {8, 8, 1}, corner[3] = {2, 2, 1};
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const cl_uint colour[4] = {77, 0, 0, 0};
    unsigned char bytes[64], at_end[64];
    cl_uint texels[64];
    HdCommandBuffer b = new_buffer(t, t->queue, 0);
    cl_mem from, to, left, right, list;
    unsigned char *shared = clSVMAlloc(t->context, CL_MEM_READ_WRITE, 64, 0);
    unsigned char nine = 9;
    cl_int code;

    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (unsigned char)i;
    from = hd_api_buffer(t, bytes, sizeof bytes);
    memset(at_end, 0, sizeof at_end);
    to = hd_api_buffer(t, at_end, sizeof at_end);
    list = clCreateBuffer(t->context, 0, sizeof texels, NULL, &code);
    left = clCreateImage(t->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    CHECK_OK(code);
    right = clCreateImage(t->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(f.CommandCopyBufferRect(b, NULL, NULL, from, to, inner, origin, box, 16, 0, 8, 0, 0,
                                     NULL, NULL, NULL));
    CHECK_OK(f.CommandFillImage(b, NULL, NULL, left, colour, origin, whole, 0, NULL, NULL, NULL));
    CHECK_OK(f.CommandCopyBufferToImage(b, NULL, NULL, from, left, 16, origin, corner, 0, NULL,
                                        NULL, NULL));
    CHECK_OK(
        f.CommandCopyImage(b, NULL, NULL, left, right, origin, origin, whole, 0, NULL, NULL, NULL));
    CHECK_OK(f.CommandCopyImageToBuffer(b, NULL, NULL, right, list, origin, whole, 0, 0, NULL, NULL,
                                        NULL));
    CHECK_OK(f.CommandSVMMemFill(b, NULL, NULL, shared, &nine, 1, 64, 0, NULL, NULL, NULL));
    CHECK_OK(f.CommandSVMMemcpy(b, NULL, NULL, shared + 8, bytes + 32, 16, 0, NULL, NULL, NULL));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, 64, at_end, 0, NULL, NULL));
    CHECK(memcmp(at_end, bytes + 20, 8) == 0 && memcmp(at_end + 8, bytes + 36, 8) == 0 &&
          at_end[16] == 0);
    CHECK_OK(clEnqueueReadBuffer(t->queue, list, CL_TRUE, 0, sizeof texels, texels, 0, NULL, NULL));
    CHECK(memcmp(&texels[0], bytes + 16, 8) == 0 && memcmp(&texels[8], bytes + 24, 8) == 0);
    CHECK(texels[2] == 77 && texels[10] == 77 && texels[63] == 77);
    CHECK(shared[7] == 9 && memcmp(shared + 8, bytes + 32, 16) == 0 && shared[24] == 9);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    clSVMFree(t->context, shared);
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseMemObject(list));
    CHECK_OK(clReleaseMemObject(left));
    CHECK_OK(clReleaseMemObject(right));
}

/* ---- updates --------------------------------------------------------------------------------- */

static cl_int update(HdCommandBuffer b, const HdMutableConfig *c)
{
    const cl_uint type = HD_CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG;
    const void *configs[] = {c};

    return f.UpdateMutableCommands(b, 1, &type, configs);
}

static void test_updates(HdApiTest *t, cl_program program)
{
    HdCommandBuffer b = new_buffer(
        t, t->queue, HD_CL_COMMAND_BUFFER_MUTABLE | HD_CL_COMMAND_BUFFER_SIMULTANEOUS_USE);
    cl_mem a = new_ints(t, 0), c = new_ints(t, 0), still = new_ints(t, 0);
    cl_kernel k = new_kernel(program, "add"), of = NULL;
    size_t global = COUNT, sizes[3] = {99, 99, 99}, given = 0;
    int five = 5, numbers[2];
    HdMutableArg args[] = {{0, sizeof c, &c}, {1, sizeof five, &five}};
    HdMutableConfig config = {.num_args = 2, .args = args};
    HdMutableCommand handle = NULL;
    cl_event user = clCreateUserEvent(t->context, NULL);
    HdCommandBuffer owner = NULL;
    cl_uint dims = 0;

    set_add(k, a, 1);
    CHECK_OK(
        f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 0, NULL, NULL, &handle));
    config.command = handle;
    CHECK_CODE(update(b, &config), CL_INVALID_OPERATION); /* not final */
    CHECK_OK(f.FinalizeCommandBuffer(b));
    /* An enqueue runs what was there when it was made. */
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 1, &user, NULL));
    CHECK_OK(update(b, &config));
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(t->queue));
    CHECK(all_are(t, a, 1));
    CHECK(all_are(t, c, 5));
    /* Half of it, from elsewhere on. */
    sizes[0] = 10;
    global = COUNT / 2;
    config = (HdMutableConfig){
        .command = handle, .work_dim = 1, .global_offset = sizes, .global_size = &global};
    CHECK_OK(update(b, &config));
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, c, CL_TRUE, 9 * sizeof(int), sizeof numbers, numbers, 0,
                                 NULL, NULL));
    CHECK(numbers[0] == 5 && numbers[1] == 10);
    /* What it says of itself. */
    sizes[0] = 99;
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A5, sizeof sizes, sizes, &given));
    CHECK(given == sizeof(size_t) && sizes[0] == 10);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A6, sizeof sizes, sizes, &given));
    CHECK(given == sizeof(size_t) && sizes[0] == COUNT / 2);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A7, sizeof sizes, sizes, &given));
    CHECK(given == sizeof(size_t) && sizes[0] == 0);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A3, sizeof of, &of, NULL));
    CHECK(of == k);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A4, sizeof dims, &dims, NULL));
    CHECK(dims == 1);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A1, sizeof owner, &owner, NULL));
    CHECK(owner == b);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12AD, sizeof dims, &dims, NULL));
    CHECK(dims == CL_COMMAND_NDRANGE_KERNEL);
    CHECK_OK(f.GetMutableCommandInfo(handle, 0x12A2, 0, NULL, &given));
    CHECK(given == 0);
    CHECK_CODE(f.GetMutableCommandInfo(NULL, 0x12A4, sizeof dims, &dims, NULL),
               HD_CL_INVALID_MUTABLE_COMMAND);
    CHECK_CODE(f.GetMutableCommandInfo(handle, 0x1, sizeof dims, &dims, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(c));
    CHECK_OK(clReleaseMemObject(still));
}

/* Refused updates change nothing, also when others of the same call were fine. */
static void test_refused_updates(HdApiTest *t, cl_program program)
{
    const cl_properties only_sizes[] = {
        HD_CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS,
        HD_CL_MUTABLE_DISPATCH_GLOBAL_SIZE | HD_CL_MUTABLE_DISPATCH_LOCAL_SIZE, 0};
    HdCommandBuffer b = new_buffer(t, t->queue, HD_CL_COMMAND_BUFFER_MUTABLE);
    HdCommandBuffer fixed = new_buffer(t, t->queue, 0);
    const cl_uint types[] = {0, 0}, odd = 5;
    cl_mem a = new_ints(t, 0);
    cl_kernel k = new_kernel(program, "add");
    size_t global = COUNT, local = 10, uneven = 15;
    int hundred = 100;
    HdMutableArg arg = {1, sizeof hundred, &hundred}, far = {2, 4, &hundred}, wide = {1, 8, &arg};
    HdMutableCommand free_one, sized_one, foreign;
    HdMutableConfig good, bad;
    const void *both[2] = {&good, &bad}, *none = NULL;

    set_add(k, a, 1);
    CHECK_OK(f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, &local, 0, NULL, NULL,
                                    &free_one));
    CHECK_OK(f.CommandNDRangeKernel(b, NULL, only_sizes, k, 1, NULL, &global, &local, 0, NULL, NULL,
                                    &sized_one));
    CHECK_OK(f.CommandNDRangeKernel(fixed, NULL, NULL, k, 1, NULL, &global, &local, 0, NULL, NULL,
                                    &foreign));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK_OK(f.FinalizeCommandBuffer(fixed));
    good = (HdMutableConfig){.command = free_one, .num_args = 1, .args = &arg};
    bad = (HdMutableConfig){.command = sized_one, .num_args = 1, .args = &arg};
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_OPERATION);
    bad = (HdMutableConfig){.command = free_one, .num_args = 1, .args = &far};
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_ARG_INDEX);
    bad.args = &wide;
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_ARG_SIZE);
    bad.args = NULL;
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_VALUE);
    bad = (HdMutableConfig){.command = free_one, .work_dim = 2};
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_OPERATION);
    bad = (HdMutableConfig){.command = sized_one, .local_size = &uneven};
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), CL_INVALID_OPERATION);
    bad.command = foreign;
    CHECK_CODE(f.UpdateMutableCommands(b, 2, types, both), HD_CL_INVALID_MUTABLE_COMMAND);
    CHECK_CODE(f.UpdateMutableCommands(fixed, 1, types, both), CL_INVALID_OPERATION);
    CHECK_CODE(f.UpdateMutableCommands(b, 1, &odd, both), CL_INVALID_VALUE);
    CHECK_CODE(f.UpdateMutableCommands(b, 1, types, &none), CL_INVALID_VALUE);
    CHECK_CODE(f.UpdateMutableCommands(b, 1, types, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.UpdateMutableCommands(b, 0, types, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.UpdateMutableCommands(NULL, 1, types, both), HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_OK(f.UpdateMutableCommands(b, 0, NULL, NULL));
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK(all_are(t, a, 2));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(f.ReleaseCommandBuffer(fixed));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(a));
}

/* Arguments may come after recording. */
static void test_late_arguments(HdApiTest *t, cl_program program)
{
    const cl_properties late[] = {HD_CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS,
                                  HD_CL_MUTABLE_DISPATCH_ARGUMENTS, 0};
    HdCommandBuffer b = new_buffer(t, t->queue, HD_CL_COMMAND_BUFFER_MUTABLE);
    cl_mem a = new_ints(t, 0);
    cl_kernel k = new_kernel(program, "ids");
    size_t global = COUNT, local = 25, given = 0;
    HdMutableArg first = {0, sizeof a, &a}, second = {1, 25 * sizeof(int), NULL};
    HdMutableConfig config = {.num_args = 1, .args = &first};
    int numbers[COUNT];
    bool right = true;

    CHECK_OK(f.CommandNDRangeKernel(b, NULL, late, k, 1, NULL, &global, &local, 0, NULL, NULL,
                                    &config.command));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK(state_of(b) == HD_CL_COMMAND_BUFFER_STATE_FINALIZED);
    CHECK_CODE(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(update(b, &config));
    CHECK(state_of(b) == HD_CL_COMMAND_BUFFER_STATE_FINALIZED);
    config.args = &second;
    CHECK_OK(update(b, &config));
    CHECK(state_of(b) == HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE);
    CHECK_OK(f.GetMutableCommandInfo(config.command, 0x12A2, 0, NULL, &given));
    CHECK(given == sizeof late);
    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, a, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (int i = 0; i < (int)COUNT; i++)
        right = right && numbers[i] == i * 100 + 25;
    CHECK(right);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(a));
}

static void test_asserts(HdApiTest *t, cl_program program)
{
    const cl_properties on_buffer[] = {HD_CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS, 1, 0};
    const cl_properties on_kernel[] = {HD_CL_MUTABLE_DISPATCH_ASSERTS, 1, 0};
    const cl_properties odd[] = {HD_CL_MUTABLE_DISPATCH_ASSERTS, 2, 0};
    const cl_properties fields[] = {HD_CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS, 1 << 20, 0};
    cl_int code;
    HdCommandBuffer b = f.CreateCommandBuffer(1, &t->queue, on_buffer, &code);
    HdCommandBuffer plain = new_buffer(t, t->queue, 0);
    cl_kernel k = new_kernel(program, "add");
    cl_mem a = new_ints(t, 0);
    size_t global = COUNT, local = 10;

    CHECK_OK(code);
    set_add(k, a, 1);
    CHECK_CODE(
        f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 0, NULL, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_OK(
        f.CommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
    CHECK_CODE(f.CommandNDRangeKernel(plain, NULL, on_kernel, k, 1, NULL, &global, NULL, 0, NULL,
                                      NULL, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(
        f.CommandNDRangeKernel(plain, NULL, odd, k, 1, NULL, &global, &local, 0, NULL, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_CODE(f.CommandNDRangeKernel(plain, NULL, fields, k, 1, NULL, &global, &local, 0, NULL,
                                      NULL, NULL),
               CL_INVALID_OPERATION);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(f.ReleaseCommandBuffer(plain));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(a));
}

/* ---- several queues ----------------------------------------------------------------------------
 */

static cl_command_queue new_queue(cl_context c, cl_device_id d, cl_queue_properties properties)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(c, d, list, &code);

    CHECK_OK(code);
    return q;
}

static void test_queues_queries(HdApiTest *t)
{
    cl_ulong bits = 0;
    cl_uint n = 0;
    cl_device_id d = NULL;

    CHECK_OK(clGetPlatformInfo(t->platform, HD_CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES, sizeof bits,
                               &bits, NULL));
    CHECK(bits == (HD_CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC |
                   HD_CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES |
                   HD_CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP));
    CHECK_OK(clGetDeviceInfo(t->device, HD_CL_DEVICE_COMMAND_BUFFER_CAPABILITIES, sizeof bits,
                             &bits, NULL));
    CHECK((bits & HD_CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE) != 0);
    CHECK_OK(clGetDeviceInfo(t->device, HD_CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES, sizeof n, &n,
                             NULL));
    CHECK_OK(
        clGetDeviceInfo(t->device, HD_CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES, sizeof d, &d, NULL));
    CHECK(n == 1 && d == t->device);
}

static void test_queues_errors(HdApiTest *t, cl_mem m)
{
    const cl_properties native[] = {HD_CL_COMMAND_BUFFER_FLAGS,
                                    HD_CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC, 0};
    cl_int code, zero = 0;
    cl_context c = clCreateContext(NULL, 1, &t->device, NULL, NULL, &code);
    cl_command_queue other = new_queue(c, t->device, 0), a = new_queue(t->context, t->device, 0);
    cl_command_queue two[] = {t->queue, a}, mixed[] = {t->queue, other}, back[3] = {0};
    HdCommandBuffer b = f.CreateCommandBuffer(2, two, native, &code);
    cl_uint n = 0;
    size_t size;

    CHECK_OK(code);
    CHECK_NULL(f.CreateCommandBuffer(2, mixed, NULL, &code), code, CL_INVALID_CONTEXT);
    CHECK_OK(f.GetCommandBufferInfo(b, HD_CL_COMMAND_BUFFER_NUM_QUEUES, sizeof n, &n, NULL));
    CHECK_OK(f.GetCommandBufferInfo(b, HD_CL_COMMAND_BUFFER_QUEUES, sizeof back, back, &size));
    CHECK(n == 2 && size == sizeof two && back[0] == t->queue && back[1] == a);
    CHECK_CODE(f.CommandFillBuffer(b, NULL, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(f.CommandFillBuffer(b, other, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL),
               CL_INVALID_CONTEXT);
    CHECK_OK(f.CommandFillBuffer(b, a, NULL, m, &zero, 4, 0, 4, 0, NULL, NULL, NULL));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    CHECK_CODE(f.EnqueueCommandBuffer(1, two, b, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(f.EnqueueCommandBuffer(2, mixed, b, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_NULL(f.RemapCommandBuffer(NULL, CL_FALSE, 2, two, 0, NULL, NULL, &code), code,
               HD_CL_INVALID_COMMAND_BUFFER);
    CHECK_NULL(f.RemapCommandBuffer(b, CL_FALSE, 1, two, 0, NULL, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(f.RemapCommandBuffer(b, CL_FALSE, 2, mixed, 0, NULL, NULL, &code), code,
               CL_INVALID_CONTEXT);
    CHECK_NULL(f.RemapCommandBuffer(b, CL_FALSE, 2, two, 1, NULL, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseCommandQueue(a));
    CHECK_OK(clReleaseCommandQueue(other));
    CHECK_OK(clReleaseContext(c));
}

/* It comes after what is in each of its queues, and what is enqueued to these later after it. */
static void test_queues_order(HdApiTest *t, cl_kernel k, cl_mem m)
{
    cl_command_queue a = new_queue(t->context, t->device, 0);
    cl_command_queue p = new_queue(t->context, t->device, CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue two[] = {a, p}, of = a;
    cl_int code, one = 1, values[COUNT];
    cl_event gate = clCreateUserEvent(t->context, &code), e;
    HdCommandBuffer b = f.CreateCommandBuffer(2, two, NULL, &code);
    const size_t global = COUNT;
    HdSyncPoint point;
    cl_ulong ns = 0;

    set_add(k, m, 10);
    CHECK_OK(f.CommandNDRangeKernel(b, p, NULL, k, 1, NULL, &global, NULL, 0, NULL, &point, NULL));
    set_add(k, m, 100);
    CHECK_OK(f.CommandNDRangeKernel(b, a, NULL, k, 1, NULL, &global, NULL, 1, &point, NULL, NULL));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    for (int round = 0; round < 2; round++) {
        cl_command_queue blocked = two[round], free = two[1 - round];

        CHECK_OK(clEnqueueFillBuffer(blocked, m, &one, 4, 0, COUNT * 4, 1, &gate, NULL));
        CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, &e));
        CHECK_OK(clEnqueueReadBuffer(free, m, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL));
        CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL));
        CHECK(of == NULL);
        CHECK_OK(clFlush(free));
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK_OK(clFinish(free));
        CHECK(values[0] == 111 && values[COUNT - 1] == 111);
        CHECK_OK(clWaitForEvents(1, &e));
        CHECK_OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof ns, &ns, NULL));
        CHECK_OK(clReleaseEvent(e));
        CHECK_OK(clReleaseEvent(gate));
        gate = clCreateUserEvent(t->context, &code);
    }
    CHECK_OK(f.EnqueueCommandBuffer(2, two, b, 1, &gate, NULL));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(a));
    CHECK_OK(clFinish(p));
    CHECK(all_are(t, m, 221));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK_OK(clReleaseCommandQueue(a));
    CHECK_OK(clReleaseCommandQueue(p));
}

/* What a buffer does to ints that a queue can read; all are the same, else -1. */
static int result_of(cl_command_queue q, HdCommandBuffer b, cl_mem m)
{
    int numbers[COUNT];

    CHECK_OK(f.EnqueueCommandBuffer(0, NULL, b, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    CHECK_OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (unsigned i = 1; i < COUNT; i++)
        if (numbers[i] != numbers[0])
            return -1;
    return numbers[0];
}

/* Copies for queues of other devices: of what is recorded, and of handles, which change the copy
 * and not what it is of. Its kernels run on the other device, whose program has variables of its
 * own. */
static void test_remap(HdApiTest *t, const cl_device_id devices[2])
{
    const cl_properties mutable[] = {HD_CL_COMMAND_BUFFER_FLAGS, HD_CL_COMMAND_BUFFER_MUTABLE, 0};
    cl_context c = clCreateContext(NULL, 2, devices, NULL, NULL, NULL);
    cl_command_queue q[2] = {new_queue(c, devices[0], 0), new_queue(c, devices[1], 0)};
    cl_command_queue swapped[2] = {q[1], q[0]}, of;
    const char *text = "global int times; kernel void add(global int *p, int n)"
                       "{ p[get_global_id(0)] += n; if (get_global_id(0) == 0) times++; }"
                       "kernel void told(global int *p) { *p = times; }";
    cl_program program = clCreateProgramWithSource(c, 1, &text, NULL, NULL);
    int hundred = 100, zero = 0, runs;
    HdMutableArg args[] = {{1, sizeof hundred, &hundred}};
    HdMutableConfig config = {.num_args = 1, .args = args};
    HdMutableCommand handle, copy = NULL;
    HdCommandBuffer b, other, early, automatic;
    const size_t global = COUNT, one = 1;
    cl_kernel k, told;
    cl_int code;
    cl_mem m = clCreateBuffer(c, 0, COUNT * 4, NULL, &code);

    (void)t;
    CHECK_OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    k = new_kernel(program, "add");
    told = new_kernel(program, "told");
    b = f.CreateCommandBuffer(2, q, mutable, &code);
    CHECK_OK(code);
    CHECK_OK(f.CommandFillBuffer(b, q[1], NULL, m, &zero, 4, 0, COUNT * 4, 0, NULL, NULL, NULL));
    set_add(k, m, 10);
    CHECK_OK(f.CommandNDRangeKernel(b, q[0], NULL, k, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
    set_add(k, m, 1);
    CHECK_OK(
        f.CommandNDRangeKernel(b, q[0], NULL, k, 1, NULL, &global, NULL, 0, NULL, NULL, &handle));
    set_add(k, m, 5000); /* what is recorded stays */
    early = f.RemapCommandBuffer(b, CL_FALSE, 2, swapped, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(state_of(early) == HD_CL_COMMAND_BUFFER_STATE_RECORDING);
    CHECK_OK(f.FinalizeCommandBuffer(early));
    CHECK_OK(f.FinalizeCommandBuffer(b));
    other = f.RemapCommandBuffer(b, CL_FALSE, 2, swapped, 1, &handle, &copy, &code);
    CHECK_OK(code);
    CHECK(copy != NULL && copy != handle);
    CHECK(state_of(other) == HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE);
    CHECK_OK(
        f.GetMutableCommandInfo(copy, HD_CL_MUTABLE_COMMAND_COMMAND_QUEUE, sizeof of, &of, NULL));
    CHECK(of == q[1]);
    CHECK(result_of(q[0], other, m) == 11);
    config.command = copy;
    CHECK_OK(update(other, &config));
    CHECK(result_of(q[0], other, m) == 110);
    CHECK(result_of(q[0], early, m) == 11);
    CHECK_OK(clSetKernelArg(told, 0, sizeof m, &m));
    for (int i = 0; i < 2; i++) { /* three runs of two kernels on the second device */
        CHECK_OK(clEnqueueNDRangeKernel(q[i], told, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(q[i], m, CL_TRUE, 0, 4, &runs, 0, NULL, NULL));
        CHECK(runs == (i == 0 ? 0 : 6));
    }
    CHECK(result_of(q[0], b, m) == 11);
    automatic = f.RemapCommandBuffer(b, CL_TRUE, 1, q, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(f.ReleaseCommandBuffer(b));
    CHECK(result_of(q[0], automatic, m) == 11);
    CHECK_OK(f.ReleaseCommandBuffer(automatic));
    CHECK_OK(f.ReleaseCommandBuffer(early));
    CHECK_OK(f.ReleaseCommandBuffer(other));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseKernel(told));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(q[i]));
    CHECK_OK(clReleaseContext(c));
}

static void test_remap_devices(HdApiTest *t)
{
    cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id devices[64];
    cl_uint n = 0;

    if (clCreateSubDevices(t->device, parts, 64, devices, &n) != CL_SUCCESS || n < 2) {
        hd_api_skip("one processor");
        return;
    }
    test_remap(t, devices);
    for (cl_uint i = 0; i < n; i++)
        CHECK_OK(clReleaseDevice(devices[i]));
}

static void test_queues(HdApiTest *t, cl_program program)
{
    cl_mem m = new_ints(t, 0);
    cl_kernel k = new_kernel(program, "add");

    test_queues_queries(t);
    test_queues_errors(t, m);
    test_queues_order(t, k, m);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
}

int main(void)
{
    const cl_queue_properties p[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                     0};
    HdApiTest t = hd_api_open();
    cl_command_queue q = clCreateCommandQueueWithProperties(t.context, t.device, p, NULL);
    cl_program program;

    if (!find_functions(&t))
        return hd_api_close(&t);
    test_creating(&t);
    test_asking(&t);
    test_enqueue_errors(&t);
    test_transfers(&t);
    if (t.has_compiler) {
        program = hd_api_build(&t, source, "");
        test_refusals(&t, program);
        test_replay(&t, program, t.queue);
        test_replay(&t, program, q);
        test_updates(&t, program);
        test_refused_updates(&t, program);
        test_late_arguments(&t, program);
        test_asserts(&t, program);
        test_queues(&t, program);
        test_remap_devices(&t);
        CHECK_OK(clReleaseProgram(program));
    } else {
        hd_api_skip("no compiler for OpenCL C");
    }
    CHECK_OK(clReleaseCommandQueue(q));
    return hd_api_close(&t);
}
