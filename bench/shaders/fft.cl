// SPDX-License-Identifier: MIT
uint turned(uint v) {
    v = (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    v = (v & 0x0f0f0f0f) << 4 | (v >> 4 & 0x0f0f0f0f);
    return (v & 0xff);
}
kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fft(global const float2 *a, global float2 *b) {
    local float2 t[256];
    uint l = get_local_id(0), base = get_group_id(0) * 256;
    t[turned(l)] = a[base + l];
    t[turned(l + 128)] = a[base + l + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint h = 1; h < 256; h <<= 1) {
        uint k = l & (h - 1), x = (l - k) * 2 + k;
        float angle = -3.14159265f * (float)k / (float)h;
        float2 w = (float2)(cos(angle), sin(angle)), u = t[x], v = t[x + h];
        v = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
        t[x] = u + v;
        t[x + h] = u - v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[base + l] = t[l];
    b[base + l + 128] = t[l + 128];
}
