// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
convolution(global const float *a, global const float *w, global float *b, int n) {
    int2 g = (int2)(get_global_id(0), get_global_id(1));
    float s = 0;
    for (int y = -3; y <= 3; y++)
        for (int x = -3; x <= 3; x++) {
            int2 p = clamp(g + (int2)(x, y), (int2)(0), (int2)(n - 1));
            s += a[p.y * n + p.x] * w[(y + 3) * 7 + x + 3];
        }
    b[g.y * n + g.x] = s;
}
