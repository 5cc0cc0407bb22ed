/* tests/kernels/matmul_tiled.c -- the matrix product through tiles in local memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matmul.h"

void case_matmul_tiled(Kc *c)
{
    matmul_case(c, "matmul_tiled", 16, 16, 16);
}
