// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void mandelbrot(global uint *a, uint n, uint most) {
    uint x = get_global_id(0), y = get_global_id(1);
    float2 c = (float2)(x, y) * (3.0f / n) - (float2)(2.2f, 1.5f), z = 0;
    uint k = 0;
    while (k < most && dot(z, z) < 4) {
        z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        k++;
    }
    a[y * n + x] = k;
}
