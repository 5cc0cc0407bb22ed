// SPDX-License-Identifier: MIT
// groups 16384; local 256; bind 0.0=f32[4194304]=random:1; bind 0.1=f32[4194304]=random:2; push u32=4194304,f32=0.5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { uint n; float a; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
