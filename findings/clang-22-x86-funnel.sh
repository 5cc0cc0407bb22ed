#!/bin/sh
# findings/clang-22-x86-funnel.sh -- clang-22 for x86-64: a funnel shift by a quotient that is 0 gives all ones.
#
# C with vectors of three (ext_vector_type). The quotient x is {0, 0, 0}: its dividends are 0, and a number of 32 bits that is divided
# by 2^63. __builtin_elementwise_fshr(3, w, x) shifts w by nothing, so that w is left. clang-22 22.1.8 (Debian 12) makes correct LLVM IR
# of it at -O1, and code in which the result is a constant, all ones. -O0 is right; so is code that does not store x as well.
# Found where kernels that clang had compiled for x86-64 were the judge of a driver. Seen on 30 November 2026.
#
# Expected: 5 in both. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/debian.sh"
cat >a.c <<'C'
typedef unsigned int uint3 __attribute__((ext_vector_type(3)));
typedef unsigned long ulong3 __attribute__((ext_vector_type(3)));
__attribute__((noinline)) static void f(unsigned long y, const uint3 *w, uint3 *o, ulong3 *p)
{
    ulong3 x = (ulong3){0, 0, y >> 32} / (ulong3){7, y | 1, 1ul << 63};
    *p = x;
    *o = __builtin_elementwise_fshr((uint3)3, *w, __builtin_convertvector(x, uint3));
}
__attribute__((force_align_arg_pointer)) void _start(void)
{
    volatile unsigned long y = 9;
    volatile uint3 w = {5, 6, 7};
    uint3 v = w, o;
    ulong3 p;
    f(y, &v, &o, &p);
    __asm__ volatile("syscall" : : "a"(60L), "D"((long)(o.x & 127)));
}
C
for level in -O0 -O1; do
    clang --target=x86_64-linux-gnu $level -ffreestanding -nostdlib -static a.c -o a
    status=0
    ./a || status=$?
    echo "$level: $status"
done | tee seen
expect seen '^-O0: 5$' '^-O1: 127$'
