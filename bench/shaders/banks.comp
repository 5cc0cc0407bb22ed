// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0[0]=f32[262144]=random:1; bind 0.0[1]=f32[262144]=random:2; bind 0.0[2]=f32[262144]=random:3; bind 0.0[3]=f32[262144]=random:4; bind 0.1=f32[262144]=zeros; tolerance 1e-5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; } bank[4];
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float s = 0;
    for (uint k = 0; k < 4; k++)
        s = s * 0.5 + bank[k].a[i];
    b[i] = s;
}
