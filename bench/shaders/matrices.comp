// SPDX-License-Identifier: MIT
// groups 256; local 256; bind 0.0=f32x4[262144]=random:1; bind 0.1=f32x4[262144]=random:2; bind 0.2=f32x4[262144]=zeros; tolerance 1e-5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { mat4 a[]; };
layout(set = 0, binding = 1) readonly buffer B { mat4 b[]; };
layout(set = 0, binding = 2) writeonly buffer C { mat4 c[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    c[i] = a[i] * b[i];
}
