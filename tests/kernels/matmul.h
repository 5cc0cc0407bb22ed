/* tests/kernels/matmul.h -- the matrix product as a reference, shared by two cases.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_MATMUL_H
#define KERNELS_MATMUL_H

#include "harness.h"

/* Runs C = A B with `kernel`, whose global size is (columns, rows) rounded up to `whole`
 * work-items, and compares it. */
void matmul_case(Kc *c, const char *kernel, size_t whole, size_t lx, size_t ly);

#endif
