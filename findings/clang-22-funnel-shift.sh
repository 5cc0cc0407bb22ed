#!/bin/sh
# findings/clang-22-funnel-shift.sh -- clang-22's SPIR-V back end shifts by the whole width where a rotation by 0 is meant.
#
# OpenCL C: uchar and ushort are promoted to int, so with n = m & 7 the value of `a << n | b >> (8 - n)` is defined for n = 0 as well,
# and as a uchar it is a. clang-22 22.1.8 (Debian 12) makes a funnel shift of it from -O1 on, and its back end a function that shifts
# the uchar b right by 8 - n % 8: by 8 then. SPIR-V, OpShiftRightLogical: the result is undefined "if Shift is greater than or equal
# to the bit width of the components of Base". Where registers are wider it is a by luck; a processor that shifts bytes modulo 8
# gives a | b. Operands of 32 bits keep the branch that a careful program has. Seen on 30 November 2026.
#
# Expected: shifts below the width. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/debian.sh"
cat >a.cl <<'C'
kernel void k(global uchar *o, global const uchar *a, global const uchar *b, uint m)
{
    size_t i = get_global_id(0);
    uint n = m & 7;
    o[i] = a[i] << n | b[i] >> (8 - n);
}
C
compile a.cl a.spv
{
    spirv-val --target-env spv1.4 a.spv && echo 'valid'
    spirv-dis --raw-id a.spv | sed -n 's/.*OpName .* "\(spirv.llvm_fsh[a-z0-9_]*\)"/\1/p'
    spirv-dis --no-header a.spv | sed -n '/= OpFunction %uchar/,/OpFunctionEnd/s/.*= \(Op\(UMod\|ISub\|Shift\|Bitwise\)[A-Za-z]*\) .*/\1/p'
} | tee seen
expect seen '^valid$' '^spirv.llvm_fshl_i8$' '^OpUMod$' '^OpISub$' '^OpShiftRightLogical$'
expect_no seen 'OpBitwiseXor'
