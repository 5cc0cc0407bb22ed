// SPDX-License-Identifier: MIT
// groups 8,128; local 128,8; bind 0.0=f32[1048576]=random:1; bind 0.1=f32x4[4]=random:2; bind 0.2=f32[1048576]=zeros; tolerance 1e-4
#version 450
layout(local_size_x = 128, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1, std140) uniform W { vec4 w[4]; };
layout(set = 0, binding = 2) writeonly buffer B { float b[]; };
shared float t[8][144];
void main() {
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    uint row = g.y * 1024;
    for (uint x = l.x; x < 144; x += 128) {
        int at = int(gl_WorkGroupID.x * 128 + x) - 8;
        t[l.y][x] = at >= 0 && at < 1024 ? a[row + at] : 0;
    }
    barrier();
    float s = 0;
    for (uint k = 0; k < 16; k++)
        s += w[k >> 2][k & 3] * t[l.y][l.x + k];
    b[row + g.x] = s;
}
