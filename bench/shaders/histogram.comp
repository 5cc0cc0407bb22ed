// SPDX-License-Identifier: MIT
// groups 256; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[256]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint bins[]; };
shared uint t[256];
void main() {
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 4096;
    t[l] = 0;
    barrier();
    for (uint k = 0; k < 16; k++) {
        uint v = a[base + k * 256 + l];
        atomicAdd(t[v >> 24], 1);
        atomicAdd(t[v & 255], 1);
    }
    barrier();
    atomicAdd(bins[l], t[l]);
}
