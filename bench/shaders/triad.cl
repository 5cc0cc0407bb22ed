// SPDX-License-Identifier: MIT
kernel void triad(global const float4 *a, global const float4 *b, global float4 *c, float s) {
    uint i = get_global_id(0);
    c[i] = a[i] + s * b[i];
}
