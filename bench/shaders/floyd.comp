// SPDX-License-Identifier: MIT
// groups 32,32; local 16,16; bind 0.0=u32[262144]=random:1; push u32=512,u32=77
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) buffer A { uint d[]; };
layout(push_constant) uniform P { uint n, k; };
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    uint far = (d[g.y * n + k] >> 1) + (d[k * n + g.x] >> 1);
    if (g.x != k && g.y != k && far < d[g.y * n + g.x])
        d[g.y * n + g.x] = far;
}
