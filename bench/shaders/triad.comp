// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=f32x4[1048576]=random:1; bind 0.1=f32x4[1048576]=random:2; bind 0.2=f32x4[1048576]=zeros; push f32=0.5
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 1) readonly buffer B { vec4 b[]; };
layout(set = 0, binding = 2) writeonly buffer C { vec4 c[]; };
layout(push_constant) uniform P { float s; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    c[i] = a[i] + s * b[i];
}
