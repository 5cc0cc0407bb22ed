// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
matrices(global const float4 *a, global const float4 *b, global float4 *c) {
    uint i = get_global_id(0) * 4;
    float4 m[4];
    for (uint k = 0; k < 4; k++) {
        float4 v = b[i + k];
        m[k] = a[i] * v.x + a[i + 1] * v.y + a[i + 2] * v.z + a[i + 3] * v.w;
    }
    for (uint k = 0; k < 4; k++)
        c[i + k] = m[k];
}
