// SPDX-License-Identifier: MIT
// groups 4096; local 256; bind 0.0=u32[1048576]=random:1
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint t[256];
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
    t[l] = a[i];
    barrier();
    for (uint k = 2; k <= 256; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint p = l ^ j;
            if (p > l && (t[l] > t[p]) == ((l & k) == 0)) {
                uint v = t[l];
                t[l] = t[p];
                t[p] = v;
            }
            barrier();
        }
    a[i] = t[l];
}
