// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
transform(global const float4 *a, global float4 *b, constant float4 *m) {
    uint i = get_global_id(0);
    float4 v = a[i];
    b[i] = m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3] * v.w;
}
