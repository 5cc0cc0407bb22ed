// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[256]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint bins[]; };
void main() {
    atomicAdd(bins[a[gl_GlobalInvocationID.x] >> 24], 1);
}
