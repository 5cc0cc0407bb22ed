/* api/dispatch.c -- the table that ICD loaders call through, and lookup of entry points by name.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"

#include <pthread.h>
#include <string.h>

/* Headers of 3.0 end the table before what 3.1 added; newer loaders read further. */
static const struct {
    cl_icd_dispatch old;
    clGetKernelSuggestedLocalWorkSize_fn suggested;
} table = {
#define ENTRY(name) .old.name = hd_##name,
#define NONE(name)
#define EXTENSION(name)
#define NEWER(name)
#include "api/entries.def"
#undef ENTRY
#undef NONE
#undef EXTENSION
#undef NEWER
    .suggested = hd_clGetKernelSuggestedLocalWorkSize,
};

typedef void AnyFunction(void);

static const struct {
    const char *name;
    AnyFunction *function;
} by_name[] = {
#define ENTRY(name) {#name, (AnyFunction *)hd_##name},
#define NONE(name)
#define EXTENSION(name) {#name, (AnyFunction *)hd_##name},
#define NEWER(name)     {#name, (AnyFunction *)hd_##name},
#include "api/entries.def"
#undef ENTRY
#undef NONE
#undef EXTENSION
#undef NEWER
};

static void set_table(void)
{
    hd_object_set_dispatch(&table);
}

/* The platform, with the table in place. */
static cl_platform_id platform(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, set_table);
    return hd_platform_get();
}

CL_API_ENTRY cl_int CL_API_CALL hd_clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                          cl_platform_id *platforms,
                                                          cl_uint *num_platforms)
{
    HD_TRACED;
    cl_platform_id p;

    HD_REQUIRE(platforms == NULL || num_entries > 0, CL_INVALID_VALUE);
    HD_REQUIRE(platforms != NULL || num_platforms != NULL, CL_INVALID_VALUE);
    p = platform();
    HD_REQUIRE(p != NULL, CL_OUT_OF_HOST_MEMORY);
    if (platforms != NULL)
        platforms[0] = p;
    if (num_platforms != NULL)
        *num_platforms = 1;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                                    cl_uint *num_platforms)
{
    HD_TRACED;
    return hd_clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

CL_API_ENTRY void *CL_API_CALL hd_clGetExtensionFunctionAddress(const char *name)
{
    HD_TRACED;
    for (size_t i = 0; name != NULL && i < sizeof by_name / sizeof by_name[0]; i++) {
        if (strcmp(by_name[i].name, name) == 0) {
            void *address;

            memcpy(&address, &by_name[i].function, sizeof address);
            return address;
        }
    }
    return NULL;
}

CL_API_ENTRY void *CL_API_CALL hd_clGetExtensionFunctionAddressForPlatform(cl_platform_id p,
                                                                           const char *name)
{
    HD_TRACED;
    return hd_platform_is(p) ? hd_clGetExtensionFunctionAddress(name) : NULL;
}

/* ---- what the loader looks up in the library ------------------------------------------------ */

#pragma GCC visibility push(default)

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                       cl_platform_id *platforms,
                                                       cl_uint *num_platforms)
{
    return hd_clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return hd_clGetExtensionFunctionAddress(name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id p, cl_platform_info query,
                                                  size_t room, void *value, size_t *size)
{
    return hd_clGetPlatformInfo(p, query, room, value, size);
}

#pragma GCC visibility pop
