// SPDX-License-Identifier: MIT
// groups 2048; local 256; bind 0.0=i32[1048576]=random:1; bind 0.1=i32[1048576]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { int a[]; };
layout(set = 0, binding = 1) writeonly buffer B { int b[]; };
shared int t[512];
void main() {
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 512;
    t[2 * l] = a[base + 2 * l];
    t[2 * l + 1] = a[base + 2 * l + 1];
    uint step = 1;
    for (uint d = 256; d > 0; d >>= 1) {
        barrier();
        if (l < d)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
        step *= 2;
    }
    if (l == 0)
        t[511] = 0;
    for (uint d = 1; d < 512; d *= 2) {
        step >>= 1;
        barrier();
        if (l < d) {
            uint x = step * (2 * l + 1) - 1, y = step * (2 * l + 2) - 1;
            int v = t[x];
            t[x] = t[y];
            t[y] += v;
        }
    }
    barrier();
    b[base + 2 * l] = t[2 * l];
    b[base + 2 * l + 1] = t[2 * l + 1];
}
