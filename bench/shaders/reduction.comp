// SPDX-License-Identifier: MIT
// groups 2048; local 256; bind 0.0=f32[1048576]=random:1; bind 0.1=f32[2048]=zeros; tolerance 1e-4
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
shared float t[256];
void main() {
    uint l = gl_LocalInvocationID.x, i = gl_WorkGroupID.x * 512 + l;
    t[l] = a[i] + a[i + 256];
    barrier();
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        barrier();
    }
    if (l == 0)
        b[gl_WorkGroupID.x] = t[0];
}
