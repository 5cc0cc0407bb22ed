// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
image_blur(read_only image2d_t src, write_only image2d_t dst) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(src, clamp(p + (int2)(x, y), (int2)(0), (int2)(1023)));
    write_imagef(dst, p, sum * (1.0f / 9.0f));
}
