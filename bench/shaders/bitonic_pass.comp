// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=u32[1048576]=random:1; push u32=4096,u32=1024
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint k, j; };
void main() {
    uint i = gl_GlobalInvocationID.x, p = i ^ j;
    if (p > i) {
        uint x = a[i], y = a[p];
        if ((x > y) == ((i & k) == 0)) {
            a[i] = y;
            a[p] = x;
        }
    }
}
