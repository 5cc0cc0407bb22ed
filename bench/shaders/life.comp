// SPDX-License-Identifier: MIT
// groups 32,128; local 32,8; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[1048576]=zeros
#version 450
layout(local_size_x = 32, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    uint count = 0;
    for (uint y = 0; y < 3; y++)
        for (uint x = 0; x < 3; x++)
            count += a[(g.y + y + 1023 & 1023) * 1024 + (g.x + x + 1023 & 1023)] & 1;
    uint self = a[g.y * 1024 + g.x] & 1;
    b[g.y * 1024 + g.x] = uint(count == 3 || (count == 4 && self == 1));
}
