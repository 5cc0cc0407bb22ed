#!/usr/bin/env python3
"""Run the short kernels of bench/kinds.cl on several drivers and compare times and results.

    python3 bench/kinds.py [--cpu] [--cases a,b] heddle=build/libheddle-cl.so pocl=PATH/libpocl.so

What SPIR-V producers make of them is compared with one driver under several names:

    python3 bench/kinds.py --split build/kinds
    tools/kernels-spv.sh build/kinds-spv build/kinds/*.cl
    python3 bench/kinds.py --cpu --il-dir O2=build/kinds-spv/clang22-O2 --il-dir O0=build/kinds-spv/clang22-O0 \
        O2=build/libheddle-cl.so O0=build/libheddle-cl.so

Needs PyPI's pyopencl and numpy. Each driver has a process of its own; they take turns case by case and
round after round, so that a busy machine hurts all alike. Times are those of
one launch on the wall, in ms (--cpu: processor time of all threads, for a busy machine): the median
over the rounds. The last column is the best peer's time
divided by the first driver's: above 1 the first one is faster. Cases in which the sum
of a buffer differs by a ten thousandth of its size are marked.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

RANDOM = np.random.default_rng(1)
N = 1 << 18


# ---- arguments: a kind and its content ----------------------------------------------------------

def F(n):
    return 'buffer', RANDOM.random(n, dtype=np.float32)


def D(n):
    return 'buffer', RANDOM.random(n)


def H(n):
    return 'buffer', RANDOM.random(n).astype(np.float16)


def I(n, end=1 << 30, dtype=np.int32):
    return 'buffer', RANDOM.integers(0, end, n).astype(dtype)


def O(n, dtype=np.float32):
    return 'buffer', np.zeros(n, dtype)


def S(value, dtype=np.int32):
    return 'value', dtype(value)


def row_starts(rows, most):
    return 'buffer', np.concatenate([[0], np.cumsum(RANDOM.integers(0, most, rows))]).astype(np.int32)


def even_starts(cells, items):
    return 'buffer', np.linspace(0, items, cells + 1).astype(np.int32)


# Name, global size, local size (None: the driver's choice), arguments, options.
CASES = [
    ('mat4vec', N, 64, F(16), F(4 * N), O(4 * N)),
    ('mat4mul', 1 << 14, 64, F(16 << 14), F(16 << 14), O(16 << 14)),
    ('quat', N, None, F(4 * N), F(4 * N), O(4 * N)),
    ('gray_uchar4', 1 << 20, None, I(4 << 20, 256, np.uint8), O(1 << 20, np.uint8)),
    ('gray_uchar3', 1 << 20, None, I(3 << 20, 256, np.uint8), O(1 << 20, np.uint8)),
    ('blur3_u8', (1024, 512), (16, 16), I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024), S(512)),
    ('bilateral', (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256)),
    ('stencil3d', (64, 64, 64), (64, 4, 1), F(64 ** 3), O(64 ** 3), S(64)),
    ('aos_update', 1 << 16, 64, F(8 << 16), S(0.01, np.float32)),
    ('aos_member', 1 << 16, 64, F(8 << 16), O(1 << 16)),
    ('soa3', N, 64, F(4 * N), O(N)),
    ('normalize4', N, 64, F(4 * N), O(4 * N)),
    ('cross_dot', N, 64, F(3 * N), F(3 * N), O(3 * N)),
    ('dgemm_naive', (192, 192), (16, 4), D(192 * 192), D(192 * 192), O(192 * 192, np.float64), S(192)),
    ('gemm_nt', (192, 192), (16, 16), F(192 * 192), F(192 * 192), O(192 * 192), S(192)),
    ('gemv_rows', 1024, 64, F(1 << 20), F(1024), O(1024), S(1024)),
    ('gemv_cols', 1024, 64, F(1 << 20), F(1024), O(1024), S(1024), S(1024)),
    ('gemm_local', (192, 192), (16, 16), F(192 * 192), F(192 * 192), O(192 * 192), S(192)),
    ('int8gemm', (256, 256), (16, 16), I(1 << 16, 127, np.int8), I(1 << 16, 127, np.int8), O(1 << 16,
     np.int32), S(256)),
    ('softmax_row', 512, 64, F(512 * 128), O(512 * 128), S(128)),
    ('layernorm_wg', 512 * 64, 64, F(512 * 512), O(512 * 512), S(512), '-cl-std=CL3.0'),
    ('lut_const', N, 64, I(N, 256, np.uint8), O(N)),
    ('lut_global', N, 64, I(N, 256, np.uint8), F(256), O(N)),
    ('hist_local', 4096, 256, I(N, 256, np.uint8), O(256, np.uint32), S(N)),
    ('compact', N, 64, I(N), O(1, np.int32), O(1024, np.int32)),
    ('ell_spmv', 1 << 15, 64, F(16 << 15), I(16 << 15, 1 << 15), F(1 << 15), O(1 << 15), S(1 << 15)),
    ('gcd', 1 << 15, 64, I(1 << 15), I(1 << 15), O(1 << 15, np.uint32)),
    ('modpow', 1 << 14, 64, I(1 << 14, 1 << 30, np.uint64), O(1 << 14, np.uint64), S(2147483647, np.uint64)),
    ('collatz32', 1 << 15, 64, O(1 << 15, np.uint32)),
    ('sieve', 1 << 15, 64, O(1 << 15, np.uint32)),
    ('popc_rev', N, 64, I(N), O(N, np.uint32)),
    ('insertsort', 1 << 13, 64, I(16 << 13), O(16 << 13, np.int32)),
    ('sortnet8', 1 << 15, 64, I(8 << 15), O(8 << 15, np.int32)),
    ('treewalk', 1 << 15, 64, I(1 << 16, 1000000000), F(1 << 15), O(1 << 15, np.int32), S(1 << 16)),
    ('stackwalk', 1 << 13, 64, F(1 << 10), F(1 << 13), O(1 << 13, np.int32), S(1 << 10)),
    ('perlin', (512, 256), None, I(256, 256), O(512 * 256), S(512)),
    ('julia_double', (256, 256), (16, 16), O(1 << 16, np.int32), S(256)),
    ('mc_pi', 1 << 14, 64, O(1 << 14, np.uint32)),
    ('lcg64', 1 << 15, 64, O(1 << 15, np.uint64)),
    ('fnv_bytes', 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.uint32)),
    ('base64', N, 64, I(3 * N, 256, np.uint8), O(4 * N, np.int8)),
    ('transp_naive', (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512)),
    ('fp16conv', N, 64, F(N), O(N, np.float16)),
    ('half_poly', N, 64, H(N), O(N, np.float16)),
    ('short_sat', 1 << 20, None, I(1 << 20, 30000, np.int16), I(1 << 20, 30000, np.int16), O(1 << 20,
     np.int16)),
    ('uchar_blend', 1 << 19, None, I(4 << 19, 256, np.uint8), I(4 << 19, 256, np.uint8), O(4 << 19,
     np.uint8)),
    ('conv_sat', N, None, F(4 * N), O(4 * N, np.uint8)),
    ('yuv', (1024, 512), None, I(1 << 19, 256, np.uint8), I(1 << 17, 256, np.uint8), I(1 << 17, 256,
     np.uint8), O(4 << 19, np.uint8), S(1024)),
    ('lbm_like', 1 << 16, 64, F(9 << 16), O(9 << 16), S(1 << 16)),
    ('knn', 4096, 64, F(2 * 1024), F(2 * 4096), O(4096, np.int32), S(1024)),
    ('dp_lcs', 1 << 13, 64, I(16 << 13, 4, np.uint8), I(16 << 13, 4, np.uint8), O(1 << 13, np.int32)),
    ('sg_scan', N, 64, I(N, 1000), O(N, np.int32), '-cl-std=CL3.0'),
    ('wg_reduce_tree', N, 256, F(N), O(N // 256)),
    ('fft4', 1 << 16, 64, F(8 << 16), S(1 << 16)),
    ('cplx_mandel', (256, 256), None, O(1 << 16, np.int32), S(256)),
    ('switchy', 1 << 16, 64, I(1 << 16), O(1 << 16, np.int32)),
    ('strided_sum', N, 64, F(8 * N), O(N)),
    ('gather2d', (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256), S(0.8, np.float32), S(0.6,
     np.float32)),
    ('axpby_d', N, None, D(N), D(N), S(0.3, np.float64)),
    ('div_int', N, None, I(N), I(N, 1000), O(N, np.int32)),
    ('long_arith', N, None, I(N, 1 << 62, np.int64), I(N, 1 << 62, np.int64), O(N, np.int64)),
    ('conv_const', (512, 256), (16, 8), F(512 * 256), F(25), O(512 * 256), S(512), S(256)),
    ('dilate_u8', (1024, 256), None, I(1 << 18, 256, np.uint8), O(1 << 18, np.uint8), S(1024), S(256)),
    ('rowscan', 512, 64, F(512 * 256), O(512 * 256), S(256)),
    ('colscan', 512, 64, F(512 * 256), O(512 * 256), S(512), S(256)),
    ('bitonic_g', N, 256, I(N), S(64), S(1024)),
    ('inv3', 1 << 15, 64, F(9 << 15), O(9 << 15)),
    ('lu4', 1 << 14, 64, F(16 << 14), O(16 << 14)),
    ('horner_d', 1 << 17, 64, D(1 << 17), O(1 << 17, np.float64)),
    ('newton', 1 << 16, 64, F(1 << 16), O(1 << 16)),
    ('rk4', 1 << 13, 64, F(1 << 13), O(1 << 13)),
    ('boxmuller', 1 << 17, None, F(1 << 18), O(1 << 18)),
    ('bs_double', 1 << 15, 64, D(1 << 15), O(1 << 15, np.float64)),
    ('csr', 1 << 14, 64, row_starts(1 << 14, 32), I(32 << 14, 1 << 14), F(32 << 14), F(1 << 14), O(1 << 14)),
    ('words', 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.int32)),
    ('hexenc', 1 << 19, None, I(1 << 19, 256, np.uint8), O(2 << 19, np.uint8)),
    ('crctab', 1 << 14, 64, I(32 << 14, 256, np.uint8), I(256, 1 << 32, np.uint32), O(1 << 14, np.uint32)),
    ('xx64', 1 << 15, 64, I(8 << 15, 1 << 62, np.uint64), O(1 << 15, np.uint64)),
    ('sha1ish', 1 << 13, 64, I(16 << 13), O(1 << 13, np.uint32)),
    ('chacha', 1 << 14, 64, O(16 << 14, np.uint32)),
    ('rc4', 1 << 11, 64, I(256, 256, np.uint8), O(16 << 11, np.uint8)),
    ('nbody_tile', 1024, 64, F(4096), O(4096), S(1024)),
    ('md_cut', 1 << 12, 64, F(4 << 12), I(32 << 12, 1 << 12), O(4 << 12)),
    ('spheres', (256, 256), (16, 16), F(4 * 32), O(1 << 16), S(256), S(32)),
    ('rot_near', (512, 256), None, I(4 * 512 * 256, 256, np.uint8), O(4 * 512 * 256, np.uint8), S(512),
     S(256), S(0.8, np.float32), S(0.6, np.float32)),
    ('tonemap', 1 << 16, None, F(4 << 16), O(4 << 16, np.uint8)),
    ('hsv', 1 << 17, None, F(4 << 17), O(4 << 17)),
    ('fft_stage', 1 << 16, 64, F(4 << 16), S(64), S(1 << 17)),
    ('dct_local', (256, 256), (8, 8), F(1 << 16), F(64), O(1 << 16), S(256)),
    ('redblack', (255, 254), None, F(1 << 17), S(512), S(0)),
    ('life_bits', N-2048, None, I(N), O(N, np.uint32), S(1024)),
    ('bnn', (256, 256), (16, 16), I(256 * 64, 1 << 32, np.uint32), I(256 * 64, 1 << 32, np.uint32), O(1 << 16,
     np.int32), S(64)),
    ('reverse', N, None, F(N), O(N), S(N)),
    ('deint', 1 << 19, None, I(1 << 20, 30000, np.int16), O(1 << 19, np.int16), O(1 << 19, np.int16)),
    ('gather_f4', 1 << 16, None, F(4 << 16), I(1 << 16, 1 << 16), O(4 << 16)),
    ('atomic_fmax', N, 64, F(N), O(1, np.uint32)),
    ('bigadd', 1 << 15, 64, I(8 << 15, 1 << 62, np.uint64), I(8 << 15, 1 << 62, np.uint64), O(8 << 15,
     np.uint64)),
    ('half_dot', 4096, 64, H(1 << 16), H(1 << 16), O(4096)),
    ('async_tile', N, 256, F(N), O(N)),
    ('blelloch', N // 2, 256, I(N, 1000), O(N, np.int32)),
    ('oddeven', 1 << 14, 64, I(1 << 14)),
    ('fib_mat', 1 << 12, 64, O(1 << 12, np.uint64)),
    ('heapsel', 1 << 12, 64, F(64 << 12), O(8 << 12)),
    ('sincos_d', 1 << 16, None, D(1 << 16), O(1 << 16, np.float64)),
    ('logsumexp', 4096, 64, F(64 * 4096), O(4096), S(64)),
    ('relu_bias', N, None, F(N), F(512), O(N), S(512)),
    ('maxpool', (256, 256), None, F(1 << 18), O(1 << 16), S(512)),
    ('im2col', (256, 128, 9), None, F(1 << 15), O(9 << 15), S(256), S(128)),
    ('argmax_wg', N, 256, F(N), O(N // 256, np.int32)),
    ('shorts8', 1 << 16, None, I(8 << 16, 100, np.int16), I(8 << 16, 100, np.int16), O(8 << 16, np.int16)),
    ('int16_min', 1 << 14, None, I(16 << 14), O(1 << 14, np.int32)),
    ('shuffle_v', 1 << 15, None, I(16 << 15, 256, np.uint8), O(16 << 15, np.uint8)),
    ('mirror', (1024, 256), None, I(4 << 18, 256, np.uint8), O(4 << 18, np.uint8), S(1024)),
    ('rot90', (512, 512), (16, 16), I(1 << 18), O(1 << 18, np.uint32), S(512), S(512)),
    ('bfs_level', 1 << 14, 64, row_starts((1 << 14) + 1, 16), I(16 << 14, 1 << 14), I(1 << 14, 3,
     np.int32), S(1)),
    ('pagerank', 1 << 14, 64, row_starts((1 << 14) + 1, 16), I(16 << 14, 1 << 14), F(1 << 14), ('buffer',
     RANDOM.integers(1, 16, 1 << 14).astype(np.int32)), O(1 << 14), S(0.85, np.float32)),
    ('radix_count', 1 << 14, 128, I(1 << 18, 1 << 32, np.uint32), O(16 * 128, np.uint32), S(8), S(16)),
    ('odd_reduce', 100 * 64, 100, F(1 << 18), O(64), S(1 << 18)),
    ('kmp', 1 << 18, 64, I((1 << 18) + 16, 3, np.int8), I(16, 2, np.int8), O(1, np.int32), S(1 << 18), S(8)),
    ('utf8_len', 1 << 14, 64, I(32 << 14, 256, np.uint8), O(1 << 14, np.int32)),
    ('tea', 1 << 16, 64, I(2 << 16, 1 << 32, np.uint32), I(4, 1 << 32, np.uint32)),
    ('siphash', 1 << 15, 64, I(4 << 15, 1 << 62, np.uint64), O(1 << 15, np.uint64), S(7, np.uint64), S(9,
     np.uint64)),
    ('morton', N, None, I(2 * N, 1 << 16, np.uint16), O(N, np.uint32)),
    ('gray_code', N, None, I(N, 1 << 32, np.uint32), S(0)),
    ('sobel_u8', (1022, 510), None, I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024)),
    ('gauss_row', (512, 256), None, F(4 * 512 * 256), O(4 * 512 * 256), F(7), S(512)),
    ('bilinear', (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256), S(0.63, np.float32)),
    ('threshold', 1 << 20, None, I(1 << 20, 256, np.uint8), O(1 << 20, np.uint8), S(99, np.uint8)),
    ('local_hist3', 4096, 128, I(4 * N, 256, np.uint8), O(192, np.uint32), S(N)),
    ('sycl_index', (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512, np.uint64), S(512, np.uint64), S(0,
     np.uint64)),
    ('linear_3d', 64 * 64 * 64, 64, F(1 << 18), O(1 << 18), S(64), S(64), S(64)),
    ('soa_aos', N, 64, F(N), F(N), F(N), O(3 * N)),
    ('aos_dot3', N, 64, F(3 * N), F(3 * N), O(N)),
    ('short_fir', N, 64, I(N + 16, 30000, np.int16), I(16, 2000, np.int16), O(N, np.int16)),
    ('char_count', 1 << 14, 64, I(32 << 14, 128, np.int8), O(1 << 14, np.uint32), S(32)),
    ('dmath', 1 << 15, 64, D(1 << 15), O(1 << 15, np.float64)),
    ('dquad', 1 << 12, 64, O(1 << 12, np.float64), S(64)),
    ('mul128', 1 << 17, 64, I(1 << 17, 1 << 62, np.uint64), I(1 << 17, 1 << 62, np.uint64), O(2 << 17,
     np.uint64)),
    ('ldiv', 1 << 15, 64, I(1 << 15, 1 << 62, np.int64), I(1 << 15, 1 << 20, np.int64), O(1 << 15, np.int64)),
    ('isqrt64', 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint32)),
    ('prefix_local', N, 256, I(N, 100), O(N, np.int32)),
    ('stencil_local', N, 256, F(N), O(N), S(N)),
    ('transpose_pad', (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512)),
    ('upsweep_gs', 4096, 64, F(N), S(N), S(0.5, np.float32)),
    ('batchnorm', N, 64, F(N), F(64), F(64), F(64), F(64), O(N), S(1024), S(64)),
    ('conv1x1', (1024, 32), None, F(32 << 10), F(1024), O(32 << 10), S(1024), S(32)),
    ('conv3x3', (64, 64, 8), (16, 4, 1), F(66 * 66 * 8), F(9 * 64), O(64 * 64 * 8), S(64), S(64), S(8)),
    ('gelu', N, None, F(N), O(N)),
    ('embedding', (128, 2048), None, I(2048, 1000), F(128 * 1000), O(128 * 2048), S(128)),
    ('quant8', N, None, F(N), O(N, np.int8), S(100, np.float32)),
    ('dequant4', N, None, I(N // 2, 256, np.uint8), F(N // 32), O(N)),
    ('wave2d', (512, 512), None, F(N), F(N), O(N), S(512), S(512), S(0.2, np.float32)),
    ('lj_force', 1024, 64, F(4096), O(4096), S(1024)),
    ('ray_box', 1 << 14, 64, F(3 << 14), F(3 << 14), O(1 << 14), S(32), F(6 * 32)),
    ('median5', N, 64, F(N + 8), O(N)),
    ('lower_bound', 1 << 15, 64, ('buffer', np.sort(RANDOM.integers(0, 1 << 30,
     1 << 14)).astype(np.int32)), I(1 << 15), O(1 << 15, np.int32), S(1 << 14)),
    ('hash_probe', 1 << 16, 64, I(1 << 14, 1 << 14, np.uint32), I(1 << 16, 1 << 14, np.uint32), O(1 << 16,
     np.uint32), S((1 << 14) - 1, np.uint32)),
    ('group_any', N, 128, I(N, 1010), O(N // 128, np.int32)),
    ('cas_max', 1 << 16, 64, F(1 << 16), O(64, np.uint32)),
    ('poly16', 1 << 14, None, F(16 << 14), O(16 << 14)),
    ('lens', (512, 512), None, F(N), O(N), S(512), S(512), S(0.3, np.float32)),
    ('trace_row', 512 * 64, 64, F(512 * 512), O(512), S(512), S(512)),
    ('unsharp3', (512, 256), None, F(3 * 512 * 256), O(3 * 512 * 256), S(512), S(256)),
    ('lut_local', 1 << 14, 256, I(1 << 20, 256, np.uint8), I(256, 256, np.uint8), O(1 << 20, np.uint8),
     S(1 << 20)),
    ('xorwow', 1 << 14, 64, I(6 << 14), O(1 << 14), S(64)),
    ('pcg32', 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint32), S(64)),
    ('halton', 1 << 16, None, O(2 << 16)),
    ('minmax_local', 1 << 14, 128, F(1 << 20), O(256), S(1 << 20)),
    ('sortnet16', 1 << 14, 64, I(16 << 14)),
    ('find_word', N, 128, I(N + 16, 3, np.int8), I(16, 2, np.int8), O(N // 128, np.int32), S(N), S(6)),
    ('md5', 1 << 14, 64, I(16 << 14), O(4 << 14, np.uint32)),
    ('keccak', 1 << 12, 64, I(8 << 12, 1 << 62, np.uint64), O(4 << 12, np.uint64)),
    ('slerp', 1 << 16, None, F(4 << 16), F(4 << 16), O(4 << 16), S(0.3, np.float32)),
    ('springs', (256, 256), (16, 16), F(4 << 16), F(4 << 16), O(4 << 16), S(256), S(256), S(10, np.float32)),
    ('brain', (512, 256), None, I(512 * 256, 3, np.uint8), O(512 * 256, np.uint8), S(512), S(256)),
    ('cfir', 1 << 15, 64, F(2 * ((1 << 15) + 64)), F(128), O(2 << 15), S(64)),
    ('zmul', 1 << 17, None, D(2 << 17), D(2 << 17), O(2 << 17, np.float64)),
    ('half4scale', 1 << 16, None, H(4 << 16), O(4 << 16, np.float16), S(0.5, np.float32)),
    ('coo_atomic', 1 << 16, 64, I(1 << 16, 1 << 12), I(1 << 16, 1 << 12), F(1 << 16), F(1 << 12), O(1 << 12)),
    ('dia_spmv', 1 << 16, 64, F(7 << 16), ('buffer', np.array([-256, -16, -1, 0, 1, 16, 256], np.int32)),
     F(1 << 16), O(1 << 16), S(1 << 16), S(7)),
    ('bsr4', 1 << 13, 64, row_starts((1 << 13) + 1, 8), I(8 << 13, 1 << 13), F(16 * 8 << 13), F(4 << 13),
     O(4 << 13)),
    ('subsets', 1 << 10, 64, I(12 << 10, 100), O(1 << 10, np.int32), S(300)),
    ('heap_perm', 1 << 12, 64, O(1 << 12, np.int32)),
    ('uf_find', 1 << 16, 64, ('buffer', (np.arange(1 << 16) * RANDOM.random(1 << 16)).astype(np.int32)),
     O(1 << 16, np.int32)),
    ('box_local', (512, 256), (16, 16), F(512 * 256), O(512 * 256), S(512), S(256)),
    ('stackvm', 1 << 14, 64, I(64, 256, np.uint8), I(1 << 14), O(1 << 14, np.int32), S(64)),
    ('colmajor', 2048, 64, F(2048 * 512), F(512), O(2048), S(2048), S(512)),
    ('transpose3d', (64, 64, 64), (16, 4, 4), F(N), O(N), S(64), S(64), S(64)),
    ('pcr', 1 << 16, 128, F(1 << 16), F(1 << 16), F(1 << 16), F(1 << 16), O(1 << 16)),
    ('lu_local', (16 * 256, 16), (16, 16), F(256 * 256)),
    ('median9_u8', (1022, 510), None, I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024)),
    ('sad8', (126, 64), None, I(1 << 19, 256, np.uint8), I((1 << 19) + 16, 256, np.uint8), O(126 * 64,
     np.uint32), S(1024)),
    ('hough', (512, 256), None, I(512 * 256, 256, np.uint8), O(32 * 2048, np.uint32), S(512), S(2048)),
    ('in_polygon', 1 << 15, 64, F(2 << 15), F(64), O(1 << 15, np.int32), S(32)),
    ('bigmul', 1 << 14, 64, I(8 << 14, 1 << 32, np.uint32), I(8 << 14, 1 << 32, np.uint32), O(16 << 14,
     np.uint32)),
    ('montgomery', 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint64), S((1 << 61) - 1,
     np.uint64), S(0x1fffffffffffffff, np.uint64), S(65537)),
    ('crc64', 1 << 13, 64, I(32 << 13, 256, np.uint8), O(1 << 13, np.uint64), S(32)),
    ('adler', 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.uint32), S(64)),
    ('itoa', 1 << 15, 64, I(1 << 15), O(12 << 15, np.int8)),
    ('atoi', 1 << 15, 64, ('buffer', RANDOM.integers(46, 58, 12 << 15).astype(np.int8)), O(1 << 15, np.int32)),
    ('bitunpack', N, None, I(N // 2, 1 << 32, np.uint32), O(N, np.uint32), S(11)),
    ('varint', 1 << 14, 64, I(41 << 14, 256, np.uint8), O(1 << 14, np.uint32)),
    ('lstm_gate', 1 << 16, None, F(4 << 16), F(1 << 16), O(1 << 16), S(1 << 16)),
    ('attention', 1 << 10, 64, F(16 << 10), F(16 << 10), F(16 << 10), O(16 << 10), S(256)),
    ('topk', 1 << 12, 64, F(64 << 12), O(4 << 12), S(64)),
    ('depthwise', (64, 64, 32), None, F(1 << 17), F(9 * 32), O(1 << 17), S(64), S(64)),
    ('binomial', 128 * 256, 128, F(256), O(256), S(120), S(1.02, np.float32), S(0.5, np.float32)),
    ('asian_mc', 1 << 12, 64, O(1 << 12), S(0.0001, np.float32), S(0.01, np.float32), S(64)),
    ('rgb565', 1 << 19, None, I(4 << 19, 256, np.uint8), O(1 << 19, np.uint16)),
    ('yuyv', 1 << 18, None, I(4 << 18, 256, np.uint8), O(8 << 18, np.uint8)),
    ('demosaic', (1022, 510), None, I(1 << 19, 1 << 14, np.uint16), O(3 << 19, np.uint16), S(1024)),
    ('bezier', 1 << 17, None, F(8 << 10), O(2 << 17), S(128)),
    ('haar', (512, 256), None, F(N), O(N), S(1024)),
    ('lift53', 1 << 17, None, I(N), O(N, np.int32), S(N)),
    ('ray_tri', 1 << 13, 64, F(3 << 13), F(3 << 13), F(9 * 64), O(1 << 13), S(64)),
    ('sdf_march', (256, 256), None, O(1 << 16), S(256), S(256)),
    ('eigen3', 1 << 14, 64, F(9 << 14), O(3 << 14)),
    ('gauss6', 1 << 13, 64, D(42 << 13), O(6 << 13, np.float64)),
    ('bitrev_perm', 1 << 17, 64, F(2 << 17), O(2 << 17), S(17)),
    ('bittrans32', 1 << 13, 64, I(32 << 13, 1 << 32, np.uint32)),
    ('sobol', N, None, I(32, 1 << 32, np.uint32), O(N)),
    ('miller', 1 << 13, 64, I(1 << 13), O(1 << 13, np.uint8)),
    ('knapsack', 256 * 128, 256, I(128 * 32, 64), I(128 * 32, 100), O(256 * 128, np.int32), S(32)),
    ('wavefront', 64 * 256, 64, I(64 * 256, 4, np.int8), I(64 * 256, 4, np.int8), O(64 * 256, np.int32)),
    ('sg_reduce', N, 256, F(N), O(N // 256), '-cl-std=CL3.0'),
    ('sg_bcast', 1 << 13, 64, F(1024), F(64 << 10), O(1 << 13), S(256), '-cl-std=CL3.0'),
    ('wg_scan', N, 256, I(N, 1000), O(N, np.int32), '-cl-std=CL3.0'),
    ('rle', 1 << 13, 64, I(64 << 13, 2, np.uint8), O(1 << 13, np.int32), S(64)),
    ('particles_grid', 1 << 13, 64, F(2 << 13), even_starts(32 * 32, 1 << 13), I(1 << 13, 1 << 13), O(1 << 13),
     S(32)),
    ('triad_f16', 1 << 14, None, F(16 << 14), F(16 << 14), O(16 << 14), S(0.5, np.float32)),
    ('dither', (1024, 512), None, I(1 << 19, 256, np.uint8), I(64, 256, np.uint8), O(1 << 19, np.uint8),
     S(1024)),
    ('pack_rgba', N, None, F(N), F(N), F(N), O(N, np.uint32)),
    ('blowfish', 1 << 14, 64, I(2 << 14, 1 << 32, np.uint32), I(18, 1 << 32, np.uint32), I(1024, 1 << 32,
     np.uint32)),
    ('sha512r', 1 << 12, 64, I(16 << 12, 1 << 62, np.uint64), O(8 << 12, np.uint64)),
    ('fft8', 1 << 15, 64, F(16 << 15), O(16 << 15), S(1 << 15)),
    ('mandel4', (64, 256), None, O(4 * 64 * 256, np.uint8), S(256)),
    ('heat3d_local', (128, 128), (16, 8), F(17 * 128 * 128), O(17 * 128 * 128), S(128)),
    ('sum_rows_wg', 512 * 128, 128, F(512 * 512), O(512), S(512), '-cl-std=CL3.0'),
    ('insert_hash', 1 << 14, 64, I(1 << 14, 1 << 32, np.uint32), O(1 << 16, np.uint32), S((1 << 16) - 1,
     np.uint32)),
    ('trapezoid', 1 << 12, 64, O(1 << 12), S(0, np.float32), S(20, np.float32), S(128)),
    ('kalman', 1 << 12, 64, F(64 << 12), O(1 << 12), S(64)),
    ('iir_rows', 1 << 12, 64, F(64 << 12), O(64 << 12), S(64)),
    ('bilinear_u8', (512, 256), None, I(4 << 17, 256, np.uint8), O(4 << 17, np.uint8), S(512), S(256), S(0.7,
     np.float32), S(0.9, np.float32)),
    ('alpha_premul', 1 << 18, None, I(4 << 18, 256, np.uint8)),
    ('hist16_private', 1 << 13, 64, I(1 << 19, 256, np.uint8), O(16, np.uint32), S(1 << 19)),
    ('radix_scatter', 1 << 17, 64, I(1 << 17, 1 << 32, np.uint32), O(1 << 17, np.uint32), ('buffer',
     (np.arange(256) * 256).astype(np.uint32)), S(8)),
    ('long_sum', 1 << 13, 64, I(1 << 19, 1 << 20), O(128, np.int64), S(1 << 19)),
]


def sources():
    text = (pathlib.Path(__file__).parent / 'kinds.cl').read_text()
    parts = text.split('// case ')[1:]
    return {part.split('\n', 1)[0]: part.split('\n', 1)[1] for part in parts}


def size(x):
    return x if x is None or isinstance(x, tuple) else (x,)


class Prepared:
    """A case in a driver's process, ready to be launched again and again."""

    def __init__(self, cl, context, queue, source, case):
        name, items, group, *arguments = case
        options = arguments.pop() if isinstance(arguments[-1], str) else '-cl-std=CL1.2'
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        program = cl.Program(context, source)
        self.kernel = getattr(program.build(options if isinstance(source, str) else ''), name)
        self.buffers = [(cl.Buffer(context, flags, hostbuf=a), a) if kind == 'buffer' else (a, None)
                        for kind, a in arguments]
        self.kernel.set_args(*(b for b, _ in self.buffers))
        self.launch = lambda: (cl.enqueue_nd_range_kernel(queue, self.kernel, size(items), size(group)),
                               queue.finish())
        self.launch()
        self.sums = [sums_of(cl, queue, *b) for b in self.buffers if b[1] is not None]

    def measure(self, clock, min_time):
        """Milliseconds of a launch. Launches are timed together: the processor time of threads that
        still run somewhere else is up to date only now and then."""
        start, now, count = clock(), 0, 0
        while count < 3 or (now - start < min_time and count < 2000):
            self.launch()
            now, count = clock(), count + 1
        return (now - start) / count * 1e3


def sums_of(cl, queue, buffer, content):
    result = np.empty_like(content)
    cl.enqueue_copy(queue, result, buffer)
    result = result.astype(np.float64)
    return float(np.nansum(result)), float(np.nansum(abs(result)))


def source_of(name, il_dir):
    return (pathlib.Path(il_dir) / f'{name}.spv').read_bytes() if il_dir else sources()[name]


def run_driver(clock, min_time, il_dir):
    """In a process of its own: for each line, the name of a case, a line of JSON."""
    import pyopencl as cl
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    cases, ready = {case[0]: case for case in CASES}, None
    for name in map(str.strip, sys.stdin):
        try:
            if ready is None or ready[0] != name:
                ready = None # its buffers go first
                ready = name, Prepared(cl, context, queue, source_of(name, il_dir), cases[name])
            print(json.dumps([ready[1].measure(clock, min_time), ready[1].sums]), flush=True)
        except cl.Error:
            print(json.dumps([None, []]), flush=True)


def split(folder):
    """Each case's source in a file of its own, for tools/kernels-spv.sh."""
    os.makedirs(folder, exist_ok=True)
    for name, text in sources().items():
        (pathlib.Path(folder) / f'{name}.cl').write_text(text)


class Driver:
    """A driver's process, and what it has measured of the case at hand."""

    def __init__(self, name, library, options):
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, __file__, '--in-driver', '--min-time', str(options.min_time)] + ['--cpu'] * options.cpu +
            [arg for d in options.il_dir if d.startswith(name + '=') for arg in ('--il-dir', d.split('=', 1)[1])],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(library), PYOPENCL_NO_CACHE='1'))

    def measure(self, case):
        try:
            self.process.stdin.write(case + '\n')
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            sys.exit(f'{self.name}: ended at {case} with {self.process.wait()}')


def differ(a, b):
    return any(abs(x - y) > 1e-4 * max(1, most) for (x, most), (y, _) in zip(a, b))


def run_case(name, drivers, rounds):
    """The median of each driver's rounds, or None, and whether results differ from the first one's."""
    found = [[d.measure(name) for d in drivers] for _ in range(rounds)]
    columns = list(zip(*found))
    times = [statistics.median(t for t, _ in c) if c[0][0] is not None else None for c in columns]
    told = [c[0][1] for c in columns if c[0][0] is not None]
    return times, any(differ(told[0], sums) for sums in told[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('drivers', nargs='*', metavar='NAME=LIBRARY')
    parser.add_argument('--cases', default='')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--min-time', type=float, default=0.05, help='seconds for each case, driver and round')
    parser.add_argument('--cpu', action='store_true', help='processor time of all threads instead of time on the wall')
    parser.add_argument('--il-dir', action='append', default=[], metavar='NAME=DIR',
                        help="take a driver's programs from the SPIR-V modules in DIR")
    parser.add_argument('--split', metavar='DIR', help="write the cases' sources there, and end")
    parser.add_argument('--in-driver', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.in_driver:
        return run_driver(time.process_time if options.cpu else time.perf_counter, options.min_time,
                          ''.join(options.il_dir))
    if options.split:
        return split(options.split)
    wanted = set(filter(None, options.cases.split(',')))
    drivers = [Driver(*d.split('=', 1), options) for d in options.drivers]
    print(f'{"case":16}' + ''.join(f'{d.name:>10}' for d in drivers) + f'{"ratio":>8}')
    ratios = []
    for name in (c[0] for c in CASES):
        if wanted and name not in wanted:
            continue
        times, is_different = run_case(name, drivers, options.rounds)
        line = f'{name:16}' + ''.join(f'{t:10.3f}' if t is not None else f'{"-":>10}' for t in times)
        peers = [t for t in times[1:] if t is not None]
        if times[0] is not None and peers:
            ratios.append(min(peers) / times[0])
            line += f'{ratios[-1]:8.2f}'
        print(line + ('  results differ' if is_different else ''), flush=True)
    if ratios:
        print(f'geometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}')


if __name__ == '__main__':
    main()
