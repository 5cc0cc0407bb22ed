// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[1048576]=zeros; bind 0.2=u32[4096]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer S { uint sums[]; };
shared uint t[256];
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
    t[l] = a[i];
    barrier();
    for (uint d = 1; d < 256; d <<= 1) {
        uint add = l >= d ? t[l - d] : 0;
        barrier();
        t[l] += add;
        barrier();
    }
    b[i] = t[l];
    if (l == 255)
        sums[gl_WorkGroupID.x] = t[255];
}
