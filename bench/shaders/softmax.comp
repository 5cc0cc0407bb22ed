// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0=f32[1048576]=random:1; bind 0.1=f32[1048576]=zeros; tolerance 1e-5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
shared float t[256];
void main() {
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024 + l;
    float v[4], m = -1e30, s = 0;
    for (uint k = 0; k < 4; k++) {
        v[k] = a[base + 256 * k];
        m = max(m, v[k]);
    }
    t[l] = m;
    barrier();
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] = max(t[l], t[l + d]);
        barrier();
    }
    m = t[0];
    barrier();
    for (uint k = 0; k < 4; k++) {
        v[k] = exp(v[k] - m);
        s += v[k];
    }
    t[l] = s;
    barrier();
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        barrier();
    }
    for (uint k = 0; k < 4; k++)
        b[base + 256 * k] = v[k] / t[0];
}
