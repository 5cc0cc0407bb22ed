// SPDX-License-Identifier: MIT
// groups 1024; local 128; bind 0.0=f32x2[262144]=random:1; bind 0.1=f32x2[262144]=zeros; tolerance 1e-3
#version 450
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec2 b[]; };
shared vec2 t[256];
void main() {
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 256;
    t[bitfieldReverse(l) >> 24] = a[base + l];
    t[bitfieldReverse(l + 128) >> 24] = a[base + l + 128];
    barrier();
    for (uint h = 1; h < 256; h <<= 1) {
        uint k = l & (h - 1), x = (l - k) * 2 + k;
        float angle = -3.14159265 * float(k) / float(h);
        vec2 w = vec2(cos(angle), sin(angle)), u = t[x], v = t[x + h];
        v = vec2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
        t[x] = u + v;
        t[x + h] = u - v;
        barrier();
    }
    b[base + l] = t[l];
    b[base + l + 128] = t[l + 128];
}
