// SPDX-License-Identifier: MIT
// groups 256; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=f32[1048576]=random:2; bind 0.2=f32[65536]=random:3; bind 0.3=f32[65536]=zeros; tolerance 1e-4
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer C { uint column[]; };
layout(set = 0, binding = 1) readonly buffer V { float value[]; };
layout(set = 0, binding = 2) readonly buffer X { float x[]; };
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float s = 0;
    for (uint k = i * 16; k < i * 16 + 8 + (i & 7); k++)
        s += value[k] * x[column[k] & 65535];
    y[i] = s;
}
