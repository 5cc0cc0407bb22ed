/* cl/platform.c -- the platform, its device and its thread pool.
 *
 * The three are created on first use and stay until the process ends: hosts keep handles in static
 * objects whose destructors run late. The library pins itself for the same reason, so that a
 * dlclose does not take code away from pool threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/platform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/option.h"
#include "cl/device_queue.h"
#include "cl/limits.h"
#include "cl/semaphore_fd.h"
#include "clc/clc.h"
#include "jit/cpu.h"

#define HD_DEVICE_VERSION      CL_MAKE_VERSION(3, 1, 0)
#define HD_DEVICE_VERSION_TEXT "3.1"
#define HD_VENDOR_ID           0x48444c00u /* "HDL": no PCI vendor, no Khronos number */
#define HD_FP_CONFIG                                                               \
    (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | \
     CL_FP_ROUND_TO_INF | CL_FP_FMA)
#define HD_IL_VERSIONS \
    "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0"

#define HD_FP_ATOMICS                                                                          \
    (HD_CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | HD_CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |    \
     HD_CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | HD_CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT | \
     HD_CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | HD_CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)
#define HD_USM                                                                              \
    (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL | \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |                                     \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL)

static const cl_name_version c_versions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"}, {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
    {CL_MAKE_VERSION(3, 1, 0), "OpenCL C"},
};

static const cl_external_memory_handle_type_khr memory_types[] = {
    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};

/* Ways of partitioning a device of several units, and of one. */
static const cl_device_partition_property partitions[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                          CL_DEVICE_PARTITION_BY_COUNTS};
static const cl_device_partition_property no_partitions[] = {0};

static const cl_name_version il_versions[] = {
    {CL_MAKE_VERSION(1, 6, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 5, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 4, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 3, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 2, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 1, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 0, 0), "SPIR-V"},
};

static const cl_device_integer_dot_product_acceleration_properties_khr *dot_acceleration(void)
{
    static const cl_device_integer_dot_product_acceleration_properties_khr none,
        all = {CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE};

    return hd_jit_cpu_has_dots() ? &all : &none;
}

/* Sub-group sizes that a kernel may require. */
static const size_t widths[] = {1, 4, 8, 16, 32};

/* "Heddle", the version, and zeros. */
static const unsigned char driver_uuid[HD_CL_UUID_SIZE] = "Heddle " HD_VERSION;

typedef struct ExtensionRow {
    const char *name;
    cl_version version;
    unsigned on;
} ExtensionRow;

static const ExtensionRow extension_rows[] = {
#define EXTENSION(name, major, minor, patch, on) {#name, CL_MAKE_VERSION(major, minor, patch), on},
#include "val/device.def"
};

static const ExtensionRow feature_rows[] = {
#define FEATURE(name, on) {#name, CL_MAKE_VERSION(3, 0, 0), on},
#include "val/features.def"
#undef FEATURE
};

/* What modules may use. */
typedef struct HdDeviceSpirv {
    HdNameList sets, extensions;
    HdNumberList capabilities;
} HdDeviceSpirv;

/* The listed globals: one platform, one device, one pool per process. */
static struct {
    pthread_once_t once;
    struct _cl_platform_id platform;
    struct _cl_device_id device;
    bool is_ready;
    pthread_once_t spirv_once;
    HdDeviceSpirv spirv;
    bool has_spirv;
    pthread_mutex_t pool_lock;
    _Atomic(HdPool *) pool;
    HD_ARRAY(struct SparePool {
        HdPool *pool;
        unsigned units;
    })
    spare; /* of former sub-devices */
    atomic_bool is_forked;
    atomic_bool lacks_gpu;   /* that the program asked for */
    atomic_bool has_context; /* that the program made */
} the = {.once = PTHREAD_ONCE_INIT,
         .spirv_once = PTHREAD_ONCE_INIT,
         .pool_lock = PTHREAD_MUTEX_INITIALIZER};

/* The rows that are on, as a list and as one string. */
static HdStatus make_list(const ExtensionRow *rows, size_t count, cl_name_version **list,
                          size_t *on, char **text)
{
    HdStrbuf s = {0};

    *on = 0;
    HD_TAKE(*list, hd_alloc_zero(count * sizeof **list));
    for (size_t i = 0; i < count; i++) {
        cl_name_version *v = &(*list)[*on];

        if (!hd_val_device_has(rows[i].on))
            continue;
        v->version = rows[i].version;
        snprintf(v->name, sizeof v->name, "%s", rows[i].name);
        hd_strbuf_printf(&s, "%s%s", *on > 0 ? " " : "", rows[i].name);
        ++*on;
    }
    *text = hd_strbuf_take(&s);
    return *text != NULL ? HD_OK : HD_NO_MEMORY;
}

static void stay(HdObject *o)
{
    (void)o; /* the platform and the device are never freed */
}

/* Hardly any host asks; listing takes as long as the rest of the device. */
static void list_spirv(void)
{
    HdValEnv env;

    hd_val_env_device(&env, false);
    the.has_spirv = hd_val_env_list_sets(&env, &the.spirv.sets) == HD_OK &&
                    hd_val_env_list_extensions(&env, &the.spirv.extensions) == HD_OK &&
                    hd_val_env_list_capabilities(&env, &the.spirv.capabilities) == HD_OK;
}

/* Empty without memory. */
static const HdDeviceSpirv *device_spirv(void)
{
    static const HdDeviceSpirv none;

    pthread_once(&the.spirv_once, list_spirv);
    return the.has_spirv ? &the.spirv : &none;
}

static HdStatus open_device(cl_device_id d)
{
    HdStrbuf language = {0};
    char cpu[64], *features = NULL;

    hd_object_init(&d->object, HD_MAGIC_DEVICE, stay);
    hd_machine_name(cpu, sizeof cpu);
    snprintf(d->name, sizeof d->name, "Heddle on %s", cpu);
    d->type = hd_option_number(HD_OPTION_GPU) == 1 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    d->units = hd_limits_units();
    d->clock_mhz = hd_machine_clock();
    d->memory_bytes = hd_limits_memory();
    d->is_smaller = hd_option_number(HD_OPTION_GLOBAL_MB) != 0;
    d->max_alloc_bytes = d->memory_bytes / 2;
    d->constant_bytes = hd_limits_constant(d->max_alloc_bytes);
    d->local_bytes = hd_limits_local_bytes();
    d->most_items = hd_limits_group_items();
    d->cache_bytes = hd_machine_cache();
    d->width = hd_machine_vector_bytes() / 4;
    d->has_compiler = hd_clc_is_available();
    hd_machine_uuid(d->uuid);
    HD_TRY(make_list(extension_rows, sizeof extension_rows / sizeof extension_rows[0],
                     &d->extension_list, &d->extension_count, &d->extensions));
    HD_TRY(make_list(feature_rows, sizeof feature_rows / sizeof feature_rows[0], &d->feature_list,
                     &d->feature_count, &features));
    hd_strbuf_printf(&language, "%s %s%s", d->extensions, features,
                     hd_val_device_profile() != HD_DEVICE_FULL ? " __EMBEDDED_PROFILE__" : "");
    d->language = hd_strbuf_take(&language);
    hd_free(features);
    return d->language != NULL ? HD_OK : HD_NO_MEMORY;
}

bool hd_device_take(uint64_t bytes)
{
    uint64_t before = atomic_fetch_add_explicit(&the.device.taken, bytes, memory_order_relaxed);

    if (!the.device.is_smaller || before + bytes <= the.device.memory_bytes)
        return true;
    hd_device_give(bytes);
    return false;
}

void hd_device_give(uint64_t bytes)
{
    atomic_fetch_sub_explicit(&the.device.taken, bytes, memory_order_relaxed);
}

static void tell_of_gpu(void)
{
    if (!atomic_load(&the.has_context) && !atomic_load(&the.is_forked))
        fputs("heddle: note: the program asked for a GPU and made no context; with --gpu (or "
              "HEDDLE_GPU=1) the device says that it is one\n",
              stderr);
}

void hd_platform_lacks_gpu(void)
{
    if (hd_option_number(HD_OPTION_GPU) == 2 && !atomic_exchange(&the.lacks_gpu, true))
        (void)atexit(tell_of_gpu);
}

void hd_platform_has_context(void)
{
    atomic_store_explicit(&the.has_context, true, memory_order_relaxed);
}

static void note_fork(void)
{
    atomic_store(&the.is_forked, true);
}

static void open_once(void)
{
    Dl_info info;

    hd_option_complain(stderr);
    hd_jit_cpu_complain(stderr);
    /* Pool threads and handles in static objects outlive a dlclose. */
    if (dladdr(&the, &info) != 0 && info.dli_fname != NULL)
        (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    pthread_atfork(NULL, NULL, note_fork);
    hd_object_init(&the.platform.object, HD_MAGIC_PLATFORM, stay);
    the.is_ready = open_device(&the.device) == HD_OK;
}

cl_platform_id hd_platform_get(void)
{
    pthread_once(&the.once, open_once);
    return the.is_ready ? &the.platform : NULL;
}

cl_device_id hd_device_get(void)
{
    return hd_platform_get() != NULL ? &the.device : NULL;
}

bool hd_platform_is_forked(void)
{
    return atomic_load_explicit(&the.is_forked, memory_order_relaxed);
}

HdPool *hd_platform_pool(void)
{
    HdPool *pool;

    if (hd_platform_is_forked())
        return NULL;
    pool = atomic_load_explicit(&the.pool, memory_order_acquire);
    if (pool != NULL)
        return pool;
    pthread_mutex_lock(&the.pool_lock);
    pool = atomic_load_explicit(&the.pool, memory_order_relaxed);
    if (pool == NULL && hd_pool_open(0, &pool) == HD_OK)
        atomic_store_explicit(&the.pool, pool, memory_order_release);
    pthread_mutex_unlock(&the.pool_lock);
    return pool;
}

/* One that a former sub-device left, or a new one; with the lock held. */
static HdPool *take_pool(unsigned units)
{
    HdPool *pool = NULL;

    for (size_t i = 0; i < the.spare.count; i++) {
        if (the.spare.at[i].units == units) {
            pool = the.spare.at[i].pool;
            the.spare.at[i] = the.spare.at[--the.spare.count];
            return pool;
        }
    }
    return hd_pool_open(units, &pool) == HD_OK ? pool : NULL;
}

HdPool *hd_device_pool(cl_device_id d)
{
    HdPool *pool;

    if (d->parent == NULL)
        return hd_platform_pool();
    if (hd_platform_is_forked())
        return NULL;
    pthread_mutex_lock(&the.pool_lock);
    if (d->pool == NULL)
        d->pool = take_pool(d->units);
    pool = d->pool;
    pthread_mutex_unlock(&the.pool_lock);
    return pool;
}

/* Its threads stay for the next: the one that lets the last reference go may be one of them, and
 * cannot wait for its own end. */
void hd_platform_return_pool(HdPool *pool, unsigned units)
{
    struct SparePool s = {.pool = pool, .units = units};

    pthread_mutex_lock(&the.pool_lock);
    (void)HD_PUSH(NULL, &the.spare, s); /* without memory its threads sleep forever */
    pthread_mutex_unlock(&the.pool_lock);
}

cl_int hd_cl_error(HdStatus st)
{
    switch (st) {
    case HD_OK: return CL_SUCCESS;
    case HD_NO_MEMORY: return CL_OUT_OF_HOST_MEMORY;
    case HD_BAD_INPUT: return CL_INVALID_VALUE;
    case HD_UNSUPPORTED:
    case HD_IO:
    case HD_ABORTED:
    case HD_BUG: break;
    }
    return CL_OUT_OF_RESOURCES;
}

#define ROW(query, kind, value)     \
    case query:                     \
        hd_answer_##kind(a, value); \
        return true;
#define ROW2(query, kind, x, y)    \
    case query:                    \
        hd_answer_##kind(a, x, y); \
        return true;
#define ROW3(query, kind, x, y, z) \
    case query: hd_answer_##kind(a, x, y, z); return true;

bool hd_platform_answer(cl_platform_id p, cl_uint query, HdAnswer *a)
{
    cl_device_id d = &the.device;

    (void)p;
    switch (query) {
#include "cl/platform.def"
    default: return false;
    }
}

bool hd_device_answer(cl_device_id d, cl_uint query, HdAnswer *a)
{
    switch (query) {
#include "cl/device.def"
    default: return false;
    }
}
