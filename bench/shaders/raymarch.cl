// SPDX-License-Identifier: MIT
float away(float3 p) {
    float3 q = p - round(p / 3) * 3;
    return length(q) - 0.8f + 0.1f * sin(5 * p.x) * sin(5 * p.y);
}
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void raymarch(global float4 *a, uint n) {
    uint x = get_global_id(0), y = get_global_id(1);
    float3 at = (float3)(0.3f, 0.2f, -4), to = normalize((float3)((float)x / n - 0.5f, (float)y / n - 0.5f, 1));
    float t = 0;
    for (uint k = 0; k < 48; k++) {
        float d = away(at + to * t);
        if (d < 0.001f || t > 30)
            break;
        t += 0.7f * d;
    }
    a[y * n + x] = (float4)((float3)(1 / (1 + t)), 1);
}
