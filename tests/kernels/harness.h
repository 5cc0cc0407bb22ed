/* tests/kernels/harness.h -- what a kernel case needs of OpenCL, in few words.
 *
 * A case is one function `case_NAME(Kc *c)` beside NAME.cl: it makes inputs and buffers, runs
 * its launches inside `while (kc_again(c)) { kc_begin(c); … kc_end(c); }`, reads the results
 * and compares them with a reference in plain C. The first error (a failing OpenCL call or a
 * mismatch) sticks to the case: every later call does nothing, so cases need no error paths.
 *
 * Ordinary OpenCL against the ICD loader; knows no driver. Single-threaded.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_HARNESS_H
#define KERNELS_HARNESS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where programs come from and how often launches are repeated. */
typedef struct {
    const char *cl_dir;        /* folder with NAME.cl */
    const char *il_file;       /* one SPIR-V file, or NULL */
    const char *il_dir;        /* folder with NAME.spv, or NULL; source when both are NULL */
    const char *build_options; /* added to the defaults, or NULL */
    bool large;
    unsigned repeat;    /* rounds at least, >= 1 */
    double min_time_ms; /* more rounds until their time adds up to this */
} KcOptions;

typedef struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    bool non_uniform; /* takes global sizes that the local size does not divide */
    bool fp64;
    bool il;
    char name[256];
    char driver[256];
} KcDevice;

typedef enum { KC_OK, KC_FAILED, KC_SKIPPED } KcVerdict;

/* What came of one case. Times in milliseconds by the host's clock. */
typedef struct {
    KcVerdict verdict;
    char reason[512];
    double build_ms; /* program creation, build and kernel creation */
    double first_ms; /* first round: enqueue to finish */
    double best_ms;
    double median_ms;
    double cpu_ms; /* mean processor time of a round, all threads together */
    double bytes;  /* that a round must read and write at least, in memory; 0 = not said */
    double flops;  /* that it must do at least, in f32 or f64 as `is_double` says; 0 = not said */
    bool is_double;
    unsigned rounds;
    unsigned launches; /* per round */
    uint64_t digest;   /* of all bytes that were compared */
    bool exact;        /* every comparison was for equality */
    double error;      /* largest error as a share of the tolerance */
} KcResult;

typedef struct Kc Kc;
typedef void KcCase(Kc *c);

/* Open the first device of any platform whose name, vendor or platform contains `substring`
 * (NULL: the first device at all). False, with a line on stderr, when there is none. */
bool kc_open_device(const char *substring, KcDevice *out);
void kc_close_device(KcDevice *dev);

/* Run one case and give back what it held. */
void kc_run(const KcDevice *dev, const KcOptions *opt, const char *name, KcCase *run,
            KcResult *out);

const char *kc_error_name(cl_int code);
double kc_now_ms(void);

/* The cases, one row of cases.def each. */
#define CASE(name, use, what) KcCase case_##name;
#include "cases.def"
#undef CASE

/* --- for cases: inputs --------------------------------------------------------------- */

size_t kc_pick(const Kc *c, size_t small, size_t large);

/* Zeroed memory that lives as long as the case. */
void *kc_alloc(Kc *c, size_t bytes);

/* The case's own random numbers: the same in every run. `below` 0 means all 32 bits. */
uint32_t kc_random(Kc *c, uint32_t below);
float *kc_floats(Kc *c, size_t n, float low, float high);
uint32_t *kc_words(Kc *c, size_t n, uint32_t below);
uint8_t *kc_bytes(Kc *c, size_t n, uint32_t below);

/* Skips the case where the device lacks double precision; true when it has it. */
bool kc_needs_fp64(Kc *c);

/* --- for cases: OpenCL --------------------------------------------------------------- */

/* A buffer filled from `init`, or with 0xA5 when that is NULL. Behind its `bytes` lie guard
 * bytes that must still be there at the end of the case. */
cl_mem kc_buffer(Kc *c, size_t bytes, const void *init);
void kc_write(Kc *c, cl_mem buffer, const void *data, size_t bytes);
void kc_read(Kc *c, cl_mem buffer, void *data, size_t bytes);
void kc_copy(Kc *c, cl_mem from, cl_mem to, size_t bytes);

/* Take the program from NAME.cl instead of the case's own file. */
void kc_program(Kc *c, const char *name);

/* A kernel of the case's program, which is built by the first call. NULL after an error. */
cl_kernel kc_kernel(Kc *c, const char *name);

/* Set all arguments; one letter of `format` each: m cl_mem, i cl_int, u cl_uint, L cl_ulong,
 * f float, d double, l size_t bytes of local memory, v size_t bytes and const void * to a value
 * of any other type. */
void kc_args(Kc *c, cl_kernel k, const char *format, ...);

/* Enqueue. A local size of 0 leaves the choice to the driver. Where the device wants whole
 * work-groups, the global size is rounded up, so kernels check their bounds. */
void kc_launch_1d(Kc *c, cl_kernel k, size_t global, size_t local);
void kc_launch_2d(Kc *c, cl_kernel k, size_t gx, size_t gy, size_t lx, size_t ly);
void kc_launch(Kc *c, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
               const size_t *local);

/* True while another round is wanted. What stands between kc_begin and kc_end is timed; the
 * latter waits for the queue. */
bool kc_again(Kc *c);
void kc_begin(Kc *c);
void kc_end(Kc *c);

const KcDevice *kc_device(const Kc *c);

/* Size divided by step, rounded up to a whole number. */
/* What a round cannot do without, for comparing it with the machine (bench/run.py --roof). */
void kc_work(Kc *c, double bytes, double flops, bool is_double);
size_t kc_ceil_div(size_t n, size_t step);

/* --- for cases: verdicts ------------------------------------------------------------- */

void kc_check_u8(Kc *c, const char *what, const uint8_t *got, const uint8_t *want, size_t n);
void kc_check_u32(Kc *c, const char *what, const uint32_t *got, const uint32_t *want, size_t n);
void kc_check_i32(Kc *c, const char *what, const int32_t *got, const int32_t *want, size_t n);

/* |got - want| <= absolute + relative * |want|, but for at most `outliers` elements. */
void kc_check_f32(Kc *c, const char *what, const float *got, const double *want, size_t n,
                  double relative, double absolute, size_t outliers);
void kc_check_f64(Kc *c, const char *what, const double *got, const double *want, size_t n,
                  double relative, double absolute);

/* Fails the case with a sentence unless `holds`. */
void kc_expect(Kc *c, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Checks a code that an OpenCL call of the case's own returned; true when it is CL_SUCCESS. */
bool kc_call(Kc *c, cl_int code, const char *call);

#endif
