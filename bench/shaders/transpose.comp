// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=f32[1048576]=random:1; bind 0.1=f32[1048576]=zeros; push u32=1024
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
shared float t[16][17];
void main() {
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy, w = gl_WorkGroupID.xy * 16;
    t[l.y][l.x] = a[g.y * n + g.x];
    barrier();
    b[(w.x + l.y) * n + w.y + l.x] = t[l.x][l.y];
}
