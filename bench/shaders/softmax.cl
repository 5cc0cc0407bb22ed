// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void softmax(global const float *a, global float *b) {
    local float t[256];
    uint l = get_local_id(0), base = get_group_id(0) * 1024 + l;
    float v[4], m = -1e30f, s = 0;
    for (uint k = 0; k < 4; k++) {
        v[k] = a[base + 256 * k];
        m = fmax(m, v[k]);
    }
    t[l] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] = fmax(t[l], t[l + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m = t[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++) {
        v[k] = exp(v[k] - m);
        s += v[k];
    }
    t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < 4; k++)
        b[base + 256 * k] = v[k] / t[0];
}
