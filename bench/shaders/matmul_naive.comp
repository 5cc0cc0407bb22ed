// SPDX-License-Identifier: MIT
// groups 16,16; local 16,16; bind 0.0=f32[65536]=random:1; bind 0.1=f32[65536]=random:2; bind 0.2=f32[65536]=zeros; push u32=256; tolerance 1e-4
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform P { uint n; };
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[g.y * n + k] * b[k * n + g.x];
    c[g.y * n + g.x] = s;
}
