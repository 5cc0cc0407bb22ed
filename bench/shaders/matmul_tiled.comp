// SPDX-License-Identifier: MIT
// groups 32,32; local 16,16; bind 0.0=f32[262144]=random:1; bind 0.1=f32[262144]=random:2; bind 0.2=f32[262144]=zeros; push u32=512; tolerance 1e-4
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform P { uint n; };
shared float ta[16][16], tb[16][16];
void main() {
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    float s = 0;
    for (uint t = 0; t < n; t += 16) {
        ta[l.y][l.x] = a[g.y * n + t + l.x];
        tb[l.y][l.x] = b[(t + l.y) * n + g.x];
        barrier();
        for (uint k = 0; k < 16; k++)
            s += ta[l.y][k] * tb[k][l.x];
        barrier();
    }
    c[g.y * n + g.x] = s;
}
