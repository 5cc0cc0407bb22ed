// SPDX-License-Identifier: MIT
// groups 2048; local 256; bind 0.0=f32x4[524288]=random:1; bind 0.1=f32x4[524288]=zeros; bind 0.2=f32x4[4]=random:2; tolerance 1e-5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec4 b[]; };
layout(set = 0, binding = 2, std140) uniform M { mat4 m; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = m * a[i];
}
