/* tests/device/fake_driver.c -- a driver for the ICD loader that has one device and can nothing: it
 * answers queries with what the file named by FAKE_DEVICE says, one line for each:
 *
 *     s NUMBER TEXT         a string
 *     n NUMBER N…           64-bit numbers, cut to what is asked for
 *     u NUMBER N…           32-bit numbers
 *     a NUMBER TEXT…        pointers to strings
 *     e NUMBER CODE         fails with that code
 *
 * NUMBER is the query's, in hexadecimal; of platforms those above 0x900 and below 0x1000. What no
 * line is about fails with CL_INVALID_VALUE.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* bytes of an answer */

/* Handles begin with the dispatch table: the loader wants it so. */
struct _cl_platform_id {
    const cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
    const cl_icd_dispatch *dispatch;
};

typedef struct Answer {
    cl_int code;
    size_t bytes;
    union {
        char text[MOST];
        cl_ulong longs[MOST / 8];
        cl_uint words[MOST / 4];
        const char *names[MOST / 8];
    } is;
} Answer;

/* Strings whose pointers were handed out; they stay. */
static char *kept[64];
static unsigned kept_count;

static void read_list(Answer *a, char kind, char *list)
{
    for (char *at = strtok(list, " \n"); at != NULL; at = strtok(NULL, " \n")) {
        if (kind == 'n') {
            a->is.longs[a->bytes / 8] = strtoull(at, NULL, 0);
        } else if (kind == 'u') {
            a->is.words[a->bytes / 4] = (cl_uint)strtoul(at, NULL, 0);
        } else if (kept_count < sizeof kept / sizeof *kept) {
            kept[kept_count] = strdup(at);
            a->is.names[a->bytes / 8] = kept[kept_count++];
        }
        a->bytes += kind == 'u' ? 4 : 8;
    }
}

static void find(unsigned query, Answer *a)
{
    const char *path = getenv("FAKE_DEVICE");
    FILE *f = path != NULL ? fopen(path, "r") : NULL;
    char line[MOST], kind;
    unsigned number;
    int rest;

    memset(a, 0, sizeof *a);
    a->code = CL_INVALID_VALUE;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "%c %x %n", &kind, &number, &rest) != 2 || number != query)
            continue;
        a->code = kind == 'e' ? atoi(line + rest) : CL_SUCCESS;
        if (kind == 's') {
            line[strcspn(line, "\n")] = '\0';
            strcpy(a->is.text, line + rest);
            a->bytes = strlen(a->is.text) + 1;
        } else if (kind != 'e') {
            read_list(a, kind, line + rest);
        }
        break;
    }
    if (f != NULL)
        fclose(f);
}

static cl_int answer(unsigned query, size_t room, void *value, size_t *bytes)
{
    Answer a;

    find(query, &a);
    if (a.code != CL_SUCCESS)
        return a.code;
    /* A number takes what there is room for: queries differ in width. */
    if (value != NULL && a.bytes == 8 && room == 4)
        a.bytes = 4;
    if (value != NULL && room < a.bytes)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, &a.is, a.bytes);
    if (bytes != NULL)
        *bytes = a.bytes;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info query,
                                        size_t room, void *value, size_t *bytes)
{
    const char *text = query == CL_PLATFORM_ICD_SUFFIX_KHR ? "FAKE"
                       : query == CL_PLATFORM_EXTENSIONS   ? "cl_khr_icd"
                       : query == CL_PLATFORM_VERSION      ? "OpenCL 3.0 fake"
                                                           : "Fake platform";

    (void)platform;
    if (value != NULL && room < strlen(text) + 1)
        return CL_INVALID_VALUE;
    if (value != NULL)
        strcpy(value, text);
    if (bytes != NULL)
        *bytes = strlen(text) + 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info query, size_t room,
                                      void *value, size_t *bytes)
{
    (void)device;
    return answer(query, room, value, bytes);
}

static cl_int CL_API_CALL device_ids(cl_platform_id, cl_device_type, cl_uint, cl_device_id *,
                                     cl_uint *);
static cl_int CL_API_CALL platform_ids(cl_uint, cl_platform_id *, cl_uint *);

static const cl_icd_dispatch dispatch = {
    .clGetPlatformIDs = platform_ids,
    .clGetPlatformInfo = platform_info,
    .clGetDeviceIDs = device_ids,
    .clGetDeviceInfo = device_info,
};
static struct _cl_platform_id the_platform = {&dispatch};
static struct _cl_device_id the_device = {&dispatch};

static cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                                     cl_device_id *devices, cl_uint *count)
{
    (void)platform;
    (void)type;
    if (devices != NULL && room != 0)
        *devices = &the_device;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    if (platforms != NULL && room != 0)
        *platforms = &the_platform;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)platform_ids : NULL;
}

/* Some loaders ask for this one by name. */
CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info query,
                                                  size_t room, void *value, size_t *bytes)
{
    return platform_info(platform, query, room, value, bytes);
}
