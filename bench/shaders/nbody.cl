// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
nbody(global const float4 *body, global float4 *force, uint n, float soft) {
    uint i = get_global_id(0);
    float3 at = body[i].xyz, sum = 0;
    for (uint k = 0; k < n; k++) {
        float4 b = body[k];
        float3 d = b.xyz - at;
        float r = rsqrt(dot(d, d) + soft);
        sum += d * (b.w * r * r * r);
    }
    force[i] = (float4)(sum, 0);
}
