/* tests/api/check.h -- a device to test on, and counting of checks.
 *
 * Each program tests one kind of object through the ICD loader and ends with the line
 * `N passed, N failed, N skipped`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TESTS_API_CHECK_H
#define HD_TESTS_API_CHECK_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct HdApiTest {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    bool has_compiler;
} HdApiTest;

/* Open the platform called Heddle; ends the program when there is none. */
HdApiTest hd_api_open(void);
/* Print the counts. Returns what main returns. */
int hd_api_close(HdApiTest *t);

/* A buffer that begins as a copy of so many bytes. */
cl_mem hd_api_buffer(HdApiTest *t, void *from, size_t bytes);
/* Build a program from source; NULL, with the log printed and a failed check, when it fails. */
cl_program hd_api_build(HdApiTest *t, const char *source, const char *options);
/* A program that is not built yet. */
cl_program hd_api_source(HdApiTest *t, const char *text);
cl_build_status hd_api_build_status(HdApiTest *t, cl_program p);
/* Run a kernel with one buffer (and perhaps a number) over one work-item; its first element. */
int hd_api_run_one(HdApiTest *t, cl_program p, const char *name, const int *number);

/* The state of a command: CL_QUEUED … CL_COMPLETE, or an error. */
cl_int hd_api_status(cl_event e);
/* Run a kernel of a buffer and a number; the state that its command ends in. */
cl_int hd_api_run(HdApiTest *t, cl_kernel k, cl_mem buffer, cl_ulong number, size_t items);
/* Was the context's callback told something that contains the text? Waits until it was told
 * something; with "" only looks, and is true if nothing was told at all. */
bool hd_api_was_told(const char *text);
/* The entries of a folder of the disk cache that are written as a whole, by their size: outcomes of
 * trials, and code or modules. What is only known of code is neither: whether it is kept depends on
 * time. */
unsigned hd_api_outcomes(const char *folder);
unsigned hd_api_codes(const char *folder);

void hd_api_check(bool ok, const char *file, int line, const char *what);
void hd_api_check_code(cl_int got, cl_int want, const char *file, int line, const char *what);
void hd_api_skip(const char *why);

/* Something holds. */
#define CHECK(condition) hd_api_check((condition), __FILE__, __LINE__, #condition)
/* A call gives this error code. */
#define CHECK_CODE(call, want) hd_api_check_code((call), (want), __FILE__, __LINE__, #call)
#define CHECK_OK(call)         CHECK_CODE(call, CL_SUCCESS)
/* A call that returns a handle gives NULL and this code in `code`, a cl_int that the call sets. */
#define CHECK_NULL(call, code, want)                                         \
    do {                                                                     \
        const void *handle_ = (call);                                        \
        hd_api_check(handle_ == NULL, __FILE__, __LINE__, #call " is NULL"); \
        hd_api_check_code((code), (want), __FILE__, __LINE__, #call);        \
    } while (0)

#endif
