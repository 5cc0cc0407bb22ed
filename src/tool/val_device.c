/* tool/val_device.c -- queries what installed OpenCL drivers accept.
 *
 * Spec: OpenCL API, "Querying Devices"; OpenCL SPIR-V Environment Specification.
 *
 * SPDX-License-Identifier: MIT
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "tool/val_device.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "val/device.h"

/* Of cl_khr_spirv_queries, which packaged headers do not have yet. */
#define DEVICE_SPIRV_EXTENSIONS   0x12BA
#define DEVICE_SPIRV_CAPABILITIES 0x12BB

#define MAX_PLATFORMS 64
#define MAX_DEVICES   64

typedef struct Loader {
    void *library;
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_int (*platform_info)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
    cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    cl_int (*device_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);
} Loader;

static HdStatus open_loader(Loader *l, HdDiags *d)
{
    l->library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (l->library == NULL)
        return hd_fail(d, HD_IO, HD_NO_PLACE, "device.loader",
                       "cannot load the OpenCL ICD loader: %s", dlerror());
    *(void **)&l->platforms = dlsym(l->library, "clGetPlatformIDs");
    *(void **)&l->platform_info = dlsym(l->library, "clGetPlatformInfo");
    *(void **)&l->devices = dlsym(l->library, "clGetDeviceIDs");
    *(void **)&l->device_info = dlsym(l->library, "clGetDeviceInfo");
    if (l->platforms != NULL && l->platform_info != NULL && l->devices != NULL &&
        l->device_info != NULL)
        return HD_OK;
    return hd_fail(d, HD_IO, HD_NO_PLACE, "device.loader",
                   "libOpenCL.so.1 is not an OpenCL ICD loader");
}

/* A query's answer, heap, with a NUL after it; NULL when there is none. */
static char *ask_device(const Loader *l, cl_device_id device, cl_device_info what, size_t *bytes)
{
    size_t count = 0;
    char *answer;

    if (l->device_info(device, what, 0, NULL, &count) != CL_SUCCESS)
        return NULL;
    answer = hd_alloc_zero(count + 1);
    if (answer != NULL && l->device_info(device, what, count, answer, NULL) != CL_SUCCESS) {
        hd_free(answer);
        return NULL;
    }
    if (bytes != NULL)
        *bytes = count;
    return answer;
}

/* ---- an environment ------------------------------------------------------------------------ */

/* "OpenCL 3.0 …" to "opencl3.0"; an environment that there is, the next lower one at least. */
static bool find_version(const char *version, bool embedded, HdValEnv *env)
{
    unsigned major = 0, minor = 0;
    char name[40];

    if (sscanf(version, "OpenCL %u.%u", &major, &minor) != 2)
        return false;
    if (major > 3 || (major == 3 && minor > 1))
        major = 3, minor = 1;
    if (major == 1)
        minor = 2; /* SPIR-V by extension: as 1.2 has it */
    snprintf(name, sizeof name, "opencl%u.%u%s", major, minor, embedded ? "-embedded" : "");
    return hd_val_env_find(name, env);
}

/* The highest of "SPIR-V_1.0 SPIR-V_1.2 …"; 0 when there is none. */
static uint32_t highest_version(const char *il)
{
    uint32_t highest = 0;

    for (const char *at = il; (at = strstr(at, "SPIR-V_1.")) != NULL; at++) {
        uint32_t version = 0x10000u | (uint32_t)strtoul(at + 9, NULL, 10) << 8;

        if (version > highest)
            highest = version;
    }
    return highest;
}

static void add_names(HdValEnv *env, char *list)
{
    const char *bad;

    for (char *at = strtok_r(list, " ", &list); at != NULL; at = strtok_r(NULL, " ", &list))
        (void)hd_val_env_extend(env, at, &bad); /* unknown ones have no rules */
}

/* What the device lists is supported, and nothing else of what the environment would have. */
static void list_capabilities(HdValEnv *env, const cl_uint *has, size_t count, HdValDevice *lists)
{
    const HdKind *kind = &hd_gram_kinds[HD_KIND_Capability];
    uint32_t *without = lists->without;

    for (unsigned i = 0; i < kind->count; i++) {
        uint32_t capability = kind->enumerants[i].value;
        bool found = false;

        for (size_t k = 0; k < count && !found; k++)
            found = has[k] == capability;
        if (!found && env->without_count < HD_VAL_DEVICE_WITHOUT &&
            hd_val_env_accepts(env, capability))
            without[env->without_count++] = capability;
    }
    env->without = without;
    env->with = lists->with;
    for (size_t k = 0; k < count && env->with_count < HD_VAL_DEVICE_WITH; k++)
        if (!hd_val_env_accepts(env, has[k]))
            lists->with[env->with_count++] = has[k];
}

static uint64_t ask_bits(const Loader *l, cl_device_id device, cl_device_info what)
{
    cl_ulong bits = 0;

    return l->device_info(device, what, sizeof bits, &bits, NULL) == CL_SUCCESS ? bits : 0;
}

/* What a version has and a device may lack. A query that fails is answered with "has it". */
static void ask_options(const Loader *l, cl_device_id device, HdValEnv *env, uint32_t *without)
{
    static const struct {
        cl_device_info what;
        uint16_t since; /* OpenCL version that has the query and makes the feature optional */
        uint32_t capability;
    } optional[] = {
        {CL_DEVICE_IMAGE_SUPPORT, 12, SpvCapabilityImageBasic},
        {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 20, SpvCapabilityImageReadWrite},
        {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 30, SpvCapabilityDeviceEnqueue},
        {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 30, SpvCapabilityGenericPointer},
        {CL_DEVICE_PIPE_SUPPORT, 30, SpvCapabilityPipes},
    };

    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        cl_ulong answer = 0; /* no answer of these is wider */

        if (env->opencl >= optional[i].since &&
            l->device_info(device, optional[i].what, sizeof answer, &answer, NULL) == CL_SUCCESS &&
            answer == 0 && env->without_count < HD_VAL_DEVICE_WITHOUT)
            without[env->without_count++] = optional[i].capability;
    }
    env->without = without;
    if (env->opencl >= 30) {
        env->atomic_memory = ask_bits(l, device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
        env->atomic_fence = ask_bits(l, device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
    }
}

static HdStatus read_device(const Loader *l, cl_device_id device, HdDiags *d, HdValEnv *env,
                            HdValDevice *lists)
{
    char *version = ask_device(l, device, CL_DEVICE_VERSION, NULL);
    char *profile = ask_device(l, device, CL_DEVICE_PROFILE, NULL);
    char *il = ask_device(l, device, CL_DEVICE_IL_VERSION, NULL);
    char *extensions = ask_device(l, device, CL_DEVICE_EXTENSIONS, NULL), *list;
    bool embedded = profile != NULL && strstr(profile, "EMBEDDED") != NULL;
    cl_uint subgroups = 0;
    size_t bytes = 0;
    HdStatus st = HD_OK;

    if (version == NULL || !find_version(version, embedded, env)) {
        st = hd_fail(d, HD_IO, HD_NO_PLACE, "device.version", "the device's version is '%s'",
                     version != NULL ? version : "");
    } else if (il == NULL || (env->max_version = highest_version(il)) == 0) {
        st = hd_fail(d, HD_IO, HD_NO_PLACE, "device.spirv",
                     "the device takes no SPIR-V (IL versions: '%s')", il != NULL ? il : "");
    } else if (extensions != NULL) {
        bool queries = strstr(extensions, "cl_khr_spirv_queries") != NULL || env->opencl >= 31;
        const char *bad;

        add_names(env, extensions);
        if (ask_bits(l, device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0)
            (void)hd_val_env_extend(env, "cl_khr_fp64", &bad);
        ask_options(l, device, env, lists->without);
        if (l->device_info(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof subgroups, &subgroups,
                           NULL) == CL_SUCCESS &&
            subgroups != 0 && env->opencl >= 21)
            (void)hd_val_env_extend(env, "cl_khr_subgroups", &bad);
        list = queries ? ask_device(l, device, DEVICE_SPIRV_EXTENSIONS, &bytes) : NULL;
        for (size_t i = 0; list != NULL && i < bytes / sizeof(const char *); i++)
            (void)hd_val_env_extend(env, ((const char **)(void *)list)[i], &bad);
        hd_free(list);
        list = queries ? ask_device(l, device, DEVICE_SPIRV_CAPABILITIES, &bytes) : NULL;
        if (list != NULL && bytes != 0)
            list_capabilities(env, (const cl_uint *)(void *)list, bytes / sizeof(cl_uint), lists);
        hd_free(list);
    }
    hd_free(version);
    hd_free(profile);
    hd_free(il);
    hd_free(extensions);
    return st;
}

/* ---- all devices --------------------------------------------------------------------------- */

typedef bool EachDevice(void *user, const Loader *l, const char *platform, cl_device_id device,
                        const char *name);

/* Call `each` until it returns true; false when it never did. */
static bool walk(const Loader *l, EachDevice *each, void *user)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    bool found = false;

    if (l->platforms(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return false;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS && !found; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint count = 0;
        char platform[256] = "";

        (void)l->platform_info(platforms[p], CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
        if (l->devices(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) !=
            CL_SUCCESS)
            continue;
        for (cl_uint i = 0; i < count && i < MAX_DEVICES && !found; i++) {
            char *name = ask_device(l, devices[i], CL_DEVICE_NAME, NULL);

            found = each(user, l, platform, devices[i], name != NULL ? name : "");
            hd_free(name);
        }
    }
    return found;
}

typedef struct Wanted {
    const char *name;
    HdDiags *d;
    HdValEnv *env;
    HdValDevice *lists;
    HdStatus st;
} Wanted;

static bool is_wanted(void *user, const Loader *l, const char *platform, cl_device_id device,
                      const char *name)
{
    Wanted *w = user;

    if (strcasestr(platform, w->name) == NULL && strcasestr(name, w->name) == NULL)
        return false;
    w->st = read_device(l, device, w->d, w->env, w->lists);
    return true;
}

static bool print_device(void *user, const Loader *l, const char *platform, cl_device_id device,
                         const char *name)
{
    char *version = ask_device(l, device, CL_DEVICE_VERSION, NULL);
    char *il = ask_device(l, device, CL_DEVICE_IL_VERSION, NULL);

    (void)user;
    printf("%s: %s: %s, %s\n", platform, name, version != NULL ? version : "?",
           il != NULL && il[0] != '\0' ? il : "no SPIR-V");
    hd_free(version);
    hd_free(il);
    return false;
}

HdStatus hd_val_device_env(const char *name, HdDiags *d, HdValEnv *env, HdValDevice *device)
{
    Wanted wanted = {name, d, env, device, HD_OK};
    Loader l;

    if (strcmp(name, "default") == 0) {
        hd_val_env_device(env, false);
        return HD_OK;
    }
    HD_TRY(open_loader(&l, d)); /* stays open: drivers have threads of their own */
    if (walk(&l, is_wanted, &wanted))
        return wanted.st;
    (void)hd_fail(d, HD_IO, HD_NO_PLACE, "device.name", "no OpenCL device has '%s' in its name",
                  name);
    if (hd_diags_last(d) != NULL)
        hd_diags_last(d)->hint = "heddle val --device list lists them";
    return HD_IO;
}

HdStatus hd_val_devices_list(HdDiags *d)
{
    Loader l;

    puts("default: Heddle's own device");
    HD_TRY(open_loader(&l, d));
    (void)walk(&l, print_device, NULL);
    return HD_OK;
}
