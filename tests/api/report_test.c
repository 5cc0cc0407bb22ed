/* tests/api/report_test.c -- what the device reports holds together: each extension with its
 * queries and functions, versions, and SPIR-V queries with what modules are accepted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

/* Newer than some headers. */
#define SPIRV_SETS         0x12B9
#define SPIRV_EXTENSIONS   0x12BA
#define SPIRV_CAPABILITIES 0x12BB
#define UUID               0x106A

typedef struct Query {
    const char *extension;
    cl_device_info query;
    size_t least; /* bytes */
} Query;

/* Every device query that an extension brings. */
static const Query queries[] = {
    {"cl_khr_device_uuid", UUID, 16},
    {"cl_khr_device_uuid", UUID + 1, 16},
    {"cl_khr_device_uuid", UUID + 2, sizeof(cl_bool)},
    {"cl_khr_device_uuid", UUID + 3, 8},
    {"cl_khr_device_uuid", UUID + 4, sizeof(cl_uint)},
    {"cl_khr_il_program", CL_DEVICE_IL_VERSION, 1},
    {"cl_khr_extended_versioning", CL_DEVICE_NUMERIC_VERSION, sizeof(cl_version)},
    {"cl_khr_extended_versioning", CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, sizeof(cl_version)},
    {"cl_khr_extended_versioning", CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(cl_name_version)},
    {"cl_khr_extended_versioning", CL_DEVICE_ILS_WITH_VERSION, sizeof(cl_name_version)},
    {"cl_khr_extended_versioning", CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0},
    {"cl_khr_fp16", CL_DEVICE_HALF_FP_CONFIG, sizeof(cl_device_fp_config)},
    {"cl_khr_fp64", CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config)},
    {"cl_khr_subgroups", CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(cl_uint)},
    {"cl_khr_subgroups", CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof(cl_bool)},
    {"cl_khr_spirv_queries", SPIRV_SETS, sizeof(char *)},
    {"cl_khr_spirv_queries", SPIRV_EXTENSIONS, sizeof(char *)},
    {"cl_khr_spirv_queries", SPIRV_CAPABILITIES, sizeof(cl_uint)},
    {"cl_khr_integer_dot_product", CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, 8},
    {"cl_khr_integer_dot_product", CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
     6 * sizeof(cl_bool)},
    {"cl_khr_integer_dot_product",
     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, 6 * sizeof(cl_bool)},
    {"cl_khr_image2d_from_buffer", CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint)},
    {"cl_khr_image2d_from_buffer", CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint)},
    {"cl_ext_float_atomics", 0x4231, 8},
    {"cl_ext_float_atomics", 0x4232, 8},
    {"cl_ext_float_atomics", 0x4233, 8},
    {"cl_khr_kernel_clock", 0x1076, 8},
    {"cl_khr_cooperative_matrix", 0x107A, sizeof(cl_uint)},
    {"cl_khr_cooperative_matrix", 0x107B, sizeof(cl_uint)},
    {"cl_ext_cxx_for_opencl", CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof(cl_version)},
    {"cl_khr_command_buffer", 0x12A9, 8},
    {"cl_khr_command_buffer", 0x12AA, 8},
    {"cl_khr_command_buffer", 0x129A, 8},
    {"cl_khr_command_buffer_mutable_dispatch", 0x12B0, 8},
    {"cl_khr_command_buffer_multi_device", 0x12AB, sizeof(cl_uint)},
    {"cl_khr_command_buffer_multi_device", 0x12AC, sizeof(cl_device_id)},
    {"cl_khr_semaphore", CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof(cl_semaphore_type_khr)},
    {"cl_intel_required_subgroup_size", CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(size_t)},
    {"cl_intel_unified_shared_memory", CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, 8},
    {"cl_intel_unified_shared_memory", CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, 8},
    {"cl_intel_unified_shared_memory", CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 8},
    {"cl_intel_unified_shared_memory", CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 8},
    {"cl_intel_unified_shared_memory", CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, 8},
};

/* Every function. */
static const struct {
    const char *extension, *function;
} functions[] = {
    {"cl_khr_icd", "clIcdGetPlatformIDsKHR"},
    {"cl_khr_il_program", "clCreateProgramWithILKHR"},
    {"cl_khr_create_command_queue", "clCreateCommandQueueWithPropertiesKHR"},
    {"cl_khr_suggested_local_work_size", "clGetKernelSuggestedLocalWorkSizeKHR"},
    {"cl_khr_subgroups", "clGetKernelSubGroupInfoKHR"},
    {"cl_khr_cooperative_matrix", "clGetDeviceCooperativeMatrixInfoKHR"},
    {"cl_ext_buffer_device_address", "clSetKernelArgDevicePointerEXT"},
    {"cl_khr_command_buffer", "clCreateCommandBufferKHR"},
    {"cl_khr_command_buffer", "clFinalizeCommandBufferKHR"},
    {"cl_khr_command_buffer", "clRetainCommandBufferKHR"},
    {"cl_khr_command_buffer", "clReleaseCommandBufferKHR"},
    {"cl_khr_command_buffer", "clEnqueueCommandBufferKHR"},
    {"cl_khr_command_buffer", "clCommandBarrierWithWaitListKHR"},
    {"cl_khr_command_buffer", "clCommandCopyBufferKHR"},
    {"cl_khr_command_buffer", "clCommandCopyBufferRectKHR"},
    {"cl_khr_command_buffer", "clCommandCopyBufferToImageKHR"},
    {"cl_khr_command_buffer", "clCommandCopyImageKHR"},
    {"cl_khr_command_buffer", "clCommandCopyImageToBufferKHR"},
    {"cl_khr_command_buffer", "clCommandFillBufferKHR"},
    {"cl_khr_command_buffer", "clCommandFillImageKHR"},
    {"cl_khr_command_buffer", "clCommandNDRangeKernelKHR"},
    {"cl_khr_command_buffer", "clCommandSVMMemcpyKHR"},
    {"cl_khr_command_buffer", "clCommandSVMMemFillKHR"},
    {"cl_khr_command_buffer", "clGetCommandBufferInfoKHR"},
    {"cl_khr_command_buffer_mutable_dispatch", "clUpdateMutableCommandsKHR"},
    {"cl_khr_command_buffer_mutable_dispatch", "clGetMutableCommandInfoKHR"},
    {"cl_khr_command_buffer_multi_device", "clRemapCommandBufferKHR"},
    {"cl_khr_semaphore", "clCreateSemaphoreWithPropertiesKHR"},
    {"cl_khr_semaphore", "clEnqueueWaitSemaphoresKHR"},
    {"cl_khr_semaphore", "clEnqueueSignalSemaphoresKHR"},
    {"cl_khr_semaphore", "clGetSemaphoreInfoKHR"},
    {"cl_khr_semaphore", "clReleaseSemaphoreKHR"},
    {"cl_khr_semaphore", "clRetainSemaphoreKHR"},
    {"cl_ext_image_requirements_info", "clGetImageRequirementsInfoEXT"},
    {"cl_intel_create_buffer_with_properties", "clCreateBufferWithPropertiesINTEL"},
    {"cl_intel_unified_shared_memory", "clHostMemAllocINTEL"},
    {"cl_intel_unified_shared_memory", "clDeviceMemAllocINTEL"},
    {"cl_intel_unified_shared_memory", "clSharedMemAllocINTEL"},
    {"cl_intel_unified_shared_memory", "clMemFreeINTEL"},
    {"cl_intel_unified_shared_memory", "clMemBlockingFreeINTEL"},
    {"cl_intel_unified_shared_memory", "clGetMemAllocInfoINTEL"},
    {"cl_intel_unified_shared_memory", "clSetKernelArgMemPointerINTEL"},
    {"cl_intel_unified_shared_memory", "clEnqueueMemFillINTEL"},
    {"cl_intel_unified_shared_memory", "clEnqueueMemcpyINTEL"},
    {"cl_intel_unified_shared_memory", "clEnqueueMigrateMemINTEL"},
    {"cl_intel_unified_shared_memory", "clEnqueueMemAdviseINTEL"},
};

/* Extensions that bring neither. */
static const char *const plain[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_priority_hints",
    "cl_khr_throttle_hints",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_expect_assume",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_extended_debug_info",
    "cl_khr_subgroup_named_barrier",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_rotate",
    "cl_khr_extended_bit_ops",
    "cl_khr_work_group_uniform_arithmetic",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_extended_async_copies",
    "cl_khr_external_semaphore",
    "cl_khr_external_semaphore_opaque_fd",
    "cl_khr_external_memory",
    "cl_khr_external_memory_opaque_fd",
    "cl_khr_initialize_memory",
    "cl_ext_image_from_buffer",
    "cl_ext_immutable_memory_objects",
    "cl_intel_mem_force_host_memory",
    "cl_intel_bfloat16_conversions",
    "cl_intel_media_block_io",
    "cl_intel_spirv_media_block_io",
    "cl_intel_spirv_subgroups",
    "cl_intel_split_work_group_barrier",
    "cl_intel_subgroup_2d_block_io",
    "cl_intel_subgroup_buffer_prefetch",
    "cl_intel_subgroup_local_block_io",
    "cl_intel_subgroup_matrix_multiply_accumulate",
    "cl_intel_subgroup_matrix_multiply_accumulate_tf32",
    "cl_intel_subgroups",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_long",
    "cl_intel_subgroups_short",
    "cl_khr_3d_image_writes",
    "cl_khr_depth_images",
    "cl_khr_gl_depth_images",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_srgb_image_writes",
    "cl_khr_device_enqueue_local_arg_types",
};

/* Extensions that Khronos has not finished: the draft that is followed. */
static const struct {
    const char *extension;
    cl_version version;
} drafts[] = {
    {"cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 8)},
    {"cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 5)},
    {"cl_khr_command_buffer_multi_device", CL_MAKE_VERSION(0, 9, 2)},
    {"cl_ext_image_requirements_info", CL_MAKE_VERSION(0, 5, 0)},
};

/* What a device of OpenCL 3.1 must have, and of 1.1. */
static const char *const demanded[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_device_uuid",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_spirv_queries",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_suggested_local_work_size",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool is_known(const char *name)
{
    for (size_t i = 0; i < COUNT(queries); i++)
        if (strcmp(queries[i].extension, name) == 0)
            return true;
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(functions[i].extension, name) == 0)
            return true;
    for (size_t i = 0; i < COUNT(plain); i++)
        if (strcmp(plain[i], name) == 0)
            return true;
    return false;
}

static bool is_draft(const cl_name_version *e)
{
    for (size_t i = 0; i < COUNT(drafts); i++)
        if (strcmp(drafts[i].extension, e->name) == 0)
            return e->version == drafts[i].version;
    return false;
}

/* An extension that these tables have not heard of is a failure: they must grow with the list. */
static void test_extension(HdApiTest *t, const cl_name_version *e)
{
    CHECK(e->version >= CL_MAKE_VERSION(1, 0, 0) || is_draft(e));
    if (!is_known(e->name))
        printf("%s has no row in this test\n", e->name);
    CHECK(is_known(e->name));
    for (size_t i = 0; i < COUNT(queries); i++) {
        char bytes[16384];
        size_t size = 0;

        if (strcmp(queries[i].extension, e->name) != 0)
            continue;
        CHECK_OK(clGetDeviceInfo(t->device, queries[i].query, sizeof bytes, bytes, &size));
        if (size < queries[i].least)
            printf("%s, query 0x%x: %zu bytes\n", e->name, (unsigned)queries[i].query, size);
        CHECK(size >= queries[i].least);
    }
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(functions[i].extension, e->name) == 0)
            CHECK(clGetExtensionFunctionAddressForPlatform(t->platform, functions[i].function) !=
                  NULL);
}

static void test_extensions(HdApiTest *t)
{
    cl_name_version list[128];
    size_t size = 0, length = 0;
    char text[8192];

    CHECK_OK(
        clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    for (size_t i = 0; i < size / sizeof list[0]; i++) {
        test_extension(t, &list[i]);
        CHECK(strncmp(text + length, list[i].name, strlen(list[i].name)) == 0);
        length += strlen(list[i].name);
        CHECK(text[length] == ' ' || text[length] == '\0');
        length += text[length] == ' ';
    }
    CHECK(text[length] == '\0');
    for (size_t k = 0; k < COUNT(demanded); k++) {
        bool has = false;

        for (size_t i = 0; i < size / sizeof list[0]; i++)
            has = has || strcmp(list[i].name, demanded[k]) == 0;
        CHECK(has);
    }
}

static bool has_version(const cl_name_version *list, size_t size, cl_version v)
{
    for (size_t i = 0; i < size / sizeof *list; i++)
        if (list[i].version == v)
            return true;
    return false;
}

static void test_versions(HdApiTest *t)
{
    cl_name_version list[16];
    size_t sizes[3] = {0}, size;
    cl_version v = 0;
    cl_uint n = 0;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_NUMERIC_VERSION, sizeof v, &v, NULL));
    CHECK(v == CL_MAKE_VERSION(3, 1, 0));
    CHECK_OK(clGetPlatformInfo(t->platform, CL_PLATFORM_NUMERIC_VERSION, sizeof v, &v, NULL));
    CHECK(v == CL_MAKE_VERSION(3, 1, 0));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size));
    CHECK(has_version(list, size, CL_MAKE_VERSION(3, 1, 0)));
    CHECK(has_version(list, size, CL_MAKE_VERSION(3, 0, 0)));
    CHECK(has_version(list, size, CL_MAKE_VERSION(1, 2, 0)));
    CHECK(has_version(list, size, CL_MAKE_VERSION(1, 1, 0)));
    CHECK(has_version(list, size, CL_MAKE_VERSION(1, 0, 0)));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_ILS_WITH_VERSION, sizeof list, list, &size));
    for (unsigned minor = 0; minor <= 4; minor++)
        CHECK(has_version(list, size, CL_MAKE_VERSION(1, minor, 0)));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof n, &n, NULL));
    CHECK(n >= 1);
    /* CL_DEVICE_MAX_WORK_GROUP_SIZES */
    CHECK_OK(clGetDeviceInfo(t->device, 0x1005, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] > 0 && sizes[1] > 0 && sizes[2] > 0);
    CHECK(clGetExtensionFunctionAddressForPlatform(t->platform,
                                                   "clGetKernelSuggestedLocalWorkSize") != NULL);
}

/* ---- SPIR-V
 * -------------------------------------------------------------------------------------- */

static bool builds(HdApiTest *t, const cl_uint *words, size_t count)
{
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, words, count * 4, &code);
    bool ok = p != NULL && clBuildProgram(p, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS;

    if (p != NULL)
        clReleaseProgram(p);
    return ok;
}

/* A module of capabilities, one extension and one set of instructions, and nothing else. */
static bool accepts(HdApiTest *t, cl_uint capability, const char *extension, const char *set)
{
    cl_uint words[128] = {0x07230203, 0x00010600, 0, 2, 0};
    static const cl_uint base[] = {6 /* Kernel */, 4 /* Addresses */, 5 /* Linkage */};
    /* LiteralSampler, Sampled1D, Image1D, SampledBuffer, ImageBuffer */
    static const cl_uint of_images[] = {20, 43, 44, 46, 47};
    size_t n = 5, length;

    for (size_t i = 0; i < COUNT(base); i++) {
        words[n++] = 2u << 16 | 17;
        words[n++] = base[i];
    }
    if (capability != UINT32_MAX) {
        words[n++] = 2u << 16 | 17;
        words[n++] = capability;
    }
    for (size_t i = 0; i < COUNT(of_images); i++)
        if (capability == of_images[i]) {
            words[n++] = 2u << 16 | 17;
            words[n++] = 13; /* ImageBasic, which they come with */
        }
    if (extension != NULL) {
        length = strlen(extension) / 4 + 1;
        words[n++] = (cl_uint)(length + 1) << 16 | 10;
        memcpy(words + n, extension, strlen(extension));
        n += length;
    }
    if (set != NULL) {
        length = strlen(set) / 4 + 1;
        words[n++] = (cl_uint)(length + 2) << 16 | 11;
        words[n++] = 1;
        memcpy(words + n, set, strlen(set));
        n += length;
    }
    words[n++] = 3u << 16 | 14; /* OpMemoryModel Physical64 OpenCL */
    words[n++] = 2;
    words[n++] = 2;
    return builds(t, words, n);
}

static void test_spirv(HdApiTest *t)
{
    const char *names[256];
    cl_uint capabilities[512], accepted = 0;
    size_t size = 0, count;
    bool has_std = false;

    CHECK_OK(clGetDeviceInfo(t->device, SPIRV_EXTENSIONS, sizeof names, names, &size));
    for (size_t i = 0; i < size / sizeof *names; i++) {
        if (!accepts(t, UINT32_MAX, names[i], NULL))
            printf("%s is reported, not accepted\n", names[i]);
        CHECK(accepts(t, UINT32_MAX, names[i], NULL));
        CHECK(strncmp(names[i], "SPV_", 4) == 0);
    }
    CHECK(accepts(t, 5603, "SPV_INTEL_function_pointers", NULL));
    /* A name alone asks for nothing; what it brings does. */
    CHECK(accepts(t, UINT32_MAX, "SPV_INTEL_inline_assembly", NULL));
    CHECK(!accepts(t, 5606, "SPV_INTEL_inline_assembly", NULL)); /* AsmINTEL */
    CHECK(!accepts(t, UINT32_MAX, "SPV_INTEL_no_such_thing", NULL));
    CHECK(accepts(t, UINT32_MAX, "SPV_INTEL_joint_matrix", NULL));
    CHECK(!accepts(t, 6411, "SPV_INTEL_joint_matrix", NULL)); /* CooperativeMatrixPrefetchINTEL */
    CHECK_OK(clGetDeviceInfo(t->device, SPIRV_SETS, sizeof names, names, &size));
    for (size_t i = 0; i < size / sizeof *names; i++) {
        CHECK(accepts(t, UINT32_MAX, NULL, names[i]));
        has_std = has_std || strcmp(names[i], "OpenCL.std") == 0;
    }
    CHECK(has_std);
    CHECK(!accepts(t, UINT32_MAX, NULL, "GLSL.std.450"));
    CHECK_OK(
        clGetDeviceInfo(t->device, SPIRV_CAPABILITIES, sizeof capabilities, capabilities, &size));
    count = size / sizeof *capabilities;
    CHECK(count > 30);
    /* Every capability of SPIR-V 1.6 itself: accepted if and only if it is reported. Those of
     * extensions would need them declared. */
    for (cl_uint c = 0; c < 80; c++) {
        bool reported = false, taken = accepts(t, c, NULL, NULL);

        for (size_t i = 0; i < count; i++)
            reported = reported || capabilities[i] == c;
        if (taken != reported)
            printf("capability %u: reported %d, accepted %d\n", (unsigned)c, reported, taken);
        CHECK(taken == reported);
        accepted += taken;
    }
    CHECK(accepted > 20);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_extensions(&t);
    test_versions(&t);
    test_spirv(&t);
    return hd_api_close(&t);
}
