// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0=u32[262144]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) writeonly buffer A { uint a[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, n = i + 1, k = 0;
    while (n != 1 && k < 200) {
        n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
        k++;
    }
    a[i] = k;
}
