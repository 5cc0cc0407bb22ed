/* tests/api/platform_test.c -- platform, device, context: queries and errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

static void test_platform(HdApiTest *t)
{
    char text[64];
    size_t size;

    CHECK_OK(clGetPlatformInfo(t->platform, CL_PLATFORM_VERSION, sizeof text, text, &size));
    CHECK(strncmp(text, "OpenCL 3.", 9) == 0 && size == strlen(text) + 1);
    CHECK_CODE(clGetPlatformInfo(t->platform, CL_PLATFORM_VERSION, 3, text, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clGetPlatformInfo(t->platform, 0x1234, sizeof text, text, NULL), CL_INVALID_VALUE);
}

static void test_device_ids(HdApiTest *t)
{
    cl_device_id d;
    cl_uint n = 7;

    CHECK_OK(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_CPU, 1, &d, &n));
    CHECK(n == 1 && d == t->device);
    CHECK_CODE(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_GPU, 1, &d, &n), CL_DEVICE_NOT_FOUND);
    CHECK_CODE(clGetDeviceIDs(t->platform, (cl_device_type)1 << 40, 1, &d, &n),
               CL_INVALID_DEVICE_TYPE);
    CHECK_CODE(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_CPU, 0, &d, &n), CL_INVALID_VALUE);
    CHECK_CODE(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_CPU, 0, NULL, NULL), CL_INVALID_VALUE);
}

/* Every query of OpenCL 1.0 to 3.0 by number: those that exist answer with a size. */
static void test_device_info(HdApiTest *t)
{
    cl_ulong memory = 0, alloc = 0, local = 0;
    size_t items = 0, sizes[3] = {0, 0, 0}, size;
    char bytes[16384], text[8192];

    for (cl_device_info q = CL_DEVICE_TYPE; q <= CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED; q++) {
        cl_int code = clGetDeviceInfo(t->device, q, sizeof bytes, bytes, &size);

        if (code != CL_SUCCESS)
            printf("query 0x%x: %d\n", (unsigned)q, (int)code);
        CHECK(code == CL_SUCCESS);
    }
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_GLOBAL_MEM_SIZE, 8, &memory, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, &alloc, NULL));
    CHECK(memory > 0 && alloc >= memory / 4 && alloc <= memory);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_LOCAL_MEM_SIZE, 8, &local, NULL));
    CHECK(local >= 32768);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, &items, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 24, sizes, NULL));
    CHECK(items >= 1 && sizes[0] >= items);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
    CHECK(strstr(text, "SPIR-V_1.0") != NULL && strstr(text, "SPIR-V_1.6") != NULL);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK(strstr(text, "cl_khr_icd") != NULL && strstr(text, "cl_khr_il_program") != NULL);
    CHECK_CODE(clGetDeviceInfo(t->device, 0x1fff, 8, &memory, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clGetDeviceInfo(t->device, CL_DEVICE_GLOBAL_MEM_SIZE, 4, &memory, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clGetDeviceInfo((cl_device_id)t->context, CL_DEVICE_TYPE, 8, &memory, NULL),
               CL_INVALID_DEVICE);
}

static void test_extension_list(HdApiTest *t)
{
    cl_name_version list[128];
    char text[4096];
    size_t size = 0, found = 0;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK_OK(
        clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof list[0]; i++)
        found += strstr(text, list[i].name) != NULL;
    CHECK(size > 0 && found == size / sizeof list[0]);
}

/* LibreOffice has 2,048 bytes for the names of extensions, erlang-cl 1,024. */
static void test_little_room(HdApiTest *t)
{
    char all[4096], some[4096];
    size_t size;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL));
    for (size_t room = 1024; room <= strlen(all); room += 64) {
        size_t used;

        memset(some, '#', sizeof some);
        CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, room, some, &size));
        used = strlen(some);
        CHECK(size == strlen(all) + 1 && used < room && strncmp(some, all, used) == 0);
        CHECK(all[used] == ' ' && used + 64 > room && some[room] == '#');
        CHECK(strstr(some, "cl_khr_fp64") != NULL || strstr(all, "cl_khr_fp64") == NULL);
    }
    CHECK_OK(clGetPlatformInfo(t->platform, CL_PLATFORM_EXTENSIONS, 1024, some, NULL));
    CHECK_CODE(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, 1023, some, NULL),
               CL_INVALID_VALUE);
    CHECK_CODE(clGetDeviceInfo(t->device, CL_DEVICE_NAME, 1, some, NULL), CL_INVALID_VALUE);
}

/* cl_khr_cooperative_matrix, for which there are no packaged headers yet */
typedef struct Variant {
    cl_uint m, n, k, a, b, c, result;
    cl_bool saturates;
} Variant;
typedef cl_int(CL_API_CALL *GetMatrixInfo)(cl_device_id, cl_uint, size_t, const void *, size_t,
                                           void *, size_t *);
enum { OF_DEFAULT_SIZE = 0x1078, OF_SIZE = 0x1079, FP16 = 0, FP32 = 1, UINT64 = 10 };

static bool is_sound(const Variant *v)
{
    return v->m != 0 && v->n != 0 && v->k != 0 && v->a <= UINT64 && v->b <= UINT64 &&
           v->c <= UINT64 && v->result <= UINT64 && v->saturates <= CL_TRUE;
}

static void test_matrices(HdApiTest *t)
{
    GetMatrixInfo get = (GetMatrixInfo)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
        t->platform, "clGetDeviceCooperativeMatrixInfoKHR");
    const cl_uint size = 16, none = 5;
    bool sound = true, halfs = false;
    Variant v[64], same[64];
    size_t bytes = 0, more = 1;

    CHECK(get != NULL);
    CHECK_OK(get(t->device, OF_DEFAULT_SIZE, 0, NULL, sizeof v, v, &bytes));
    CHECK(bytes != 0 && bytes % sizeof v[0] == 0);
    for (size_t i = 0; i < bytes / sizeof v[0]; i++) {
        sound = sound && is_sound(&v[i]);
        halfs =
            halfs || (v[i].a == FP16 && v[i].b == FP16 && v[i].c == FP32 && v[i].result == FP32);
    }
    CHECK(sound && halfs);
    CHECK_OK(get(t->device, OF_SIZE, sizeof size, &size, sizeof same, same, &more));
    CHECK(more == bytes && memcmp(v, same, bytes) == 0);
    CHECK_OK(get(t->device, OF_SIZE, sizeof none, &none, 0, NULL, &more));
    CHECK(more == 0);
    CHECK_CODE(get(NULL, OF_DEFAULT_SIZE, 0, NULL, sizeof v, v, NULL), CL_INVALID_DEVICE);
    CHECK_CODE(get(t->device, CL_DEVICE_NAME, 0, NULL, sizeof v, v, NULL), CL_INVALID_VALUE);
    CHECK_CODE(get(t->device, OF_DEFAULT_SIZE, 0, NULL, bytes - 1, v, NULL), CL_INVALID_VALUE);
    CHECK_CODE(get(t->device, OF_SIZE, sizeof size, NULL, sizeof v, v, NULL), CL_INVALID_VALUE);
    CHECK_CODE(get(t->device, OF_SIZE, 8, &size, sizeof v, v, NULL), CL_INVALID_VALUE);
}

static void test_timers(HdApiTest *t)
{
    cl_ulong device, host, later;

    CHECK_OK(clGetDeviceAndHostTimer(t->device, &device, &host));
    CHECK_OK(clGetHostTimer(t->device, &later));
    CHECK(later >= host && device > 0);
    CHECK_CODE(clGetHostTimer(t->device, NULL), CL_INVALID_VALUE);
}

static unsigned gone;

static void CL_CALLBACK on_gone(cl_context c, void *user)
{
    (void)c;
    gone = gone * 10 + *(const unsigned *)user;
}

static void test_context(HdApiTest *t)
{
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)t->platform,
                                          0};
    const cl_context_properties bad[] = {0x7777, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, good[1], CL_CONTEXT_PLATFORM,
                                           good[1], 0};
    cl_context_properties back[3] = {0, 0, 0};
    static const unsigned one = 1, two = 2;
    cl_uint refs = 0, n = 0;
    size_t size = 0;
    cl_int code;
    cl_context c = clCreateContext(good, 1, &t->device, NULL, NULL, &code);

    CHECK_OK(code);
    CHECK_OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    CHECK(size == sizeof good && back[1] == good[1]);
    CHECK_OK(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    CHECK(n == 1);
    CHECK_OK(clRetainContext(c));
    CHECK_OK(clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK(refs == 2);
    CHECK_OK(clReleaseContext(c));
    CHECK_OK(clSetContextDestructorCallback(c, on_gone, (void *)(uintptr_t)&one));
    CHECK_OK(clSetContextDestructorCallback(c, on_gone, (void *)(uintptr_t)&two));
    CHECK_CODE(clSetContextDestructorCallback(c, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseContext(c));
    CHECK(gone == 21); /* the last registered first */

    CHECK_NULL(clCreateContext(bad, 1, &t->device, NULL, NULL, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(clCreateContext(twice, 1, &t->device, NULL, NULL, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(clCreateContext(good, 0, &t->device, NULL, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateContext(good, 1, &t->device, NULL, &code, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateContextFromType(good, CL_DEVICE_TYPE_GPU, NULL, NULL, &code), code,
               CL_DEVICE_NOT_FOUND);
    c = clCreateContextFromType(good, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseContext(c));
}

static void test_extension_functions(HdApiTest *t)
{
    CHECK(clGetExtensionFunctionAddressForPlatform(t->platform, "clCreateProgramWithILKHR") !=
          NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(t->platform, "clNoSuchFunctionKHR") == NULL);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_platform(&t);
    test_device_ids(&t);
    test_device_info(&t);
    test_extension_list(&t);
    test_little_room(&t);
    test_matrices(&t);
    test_timers(&t);
    test_context(&t);
    test_extension_functions(&t);
    return hd_api_close(&t);
}
