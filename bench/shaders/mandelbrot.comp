// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=u32[1048576]=zeros; push u32=1024,u32=100; most 0.001
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) writeonly buffer A { uint a[]; };
layout(push_constant) uniform P { uint n, most; };
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    vec2 c = vec2(g) * (3.0 / n) - vec2(2.2, 1.5), z = vec2(0);
    uint k = 0;
    while (k < most && dot(z, z) < 4) {
        z = vec2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        k++;
    }
    a[g.y * n + g.x] = k;
}
