// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=f32[1048576]=random:2; bind 0.2=f32[1048576]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer P { uint place[]; };
layout(set = 0, binding = 1) readonly buffer A { float a[]; };
layout(set = 0, binding = 2) writeonly buffer B { float b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = a[place[i] & 0xfffff];
}
