/* tests/kernels/harness_state.h -- a running case, shared by the harness's own files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_HARNESS_STATE_H
#define KERNELS_HARNESS_STATE_H

#include "harness.h"

typedef struct {
    cl_mem mem;
    size_t bytes; /* without the guard */
} KcBuffer;

struct Kc {
    const KcDevice *dev;
    const KcOptions *opt;
    const char *name, *program_name; /* program_name: NULL = as the case */
    KcResult *result;
    uint64_t random;
    cl_program program;
    cl_kernel *kernels;
    KcBuffer *buffers;
    void **allocations;
    double *times; /* one per round */
    size_t nkernels;
    size_t nbuffers;
    size_t nallocations;
    unsigned launches; /* in this round */
    unsigned checks;
    double round_start, round_cpu, total_cpu;
    double total_ms;
};

/* Records the first failure of the case; later ones are dropped. */
void kc_fail(Kc *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
