// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
kmeans(global const float4 *point, global const float4 *centre, global uint *nearest) {
    uint i = get_global_id(0), best = 0;
    float least = 1e30f;
    float4 p = point[i];
    for (uint k = 0; k < 32; k++) {
        float4 d = p - centre[k];
        float f = dot(d, d);
        if (f < least) {
            least = f;
            best = k;
        }
    }
    nearest[i] = best;
}
