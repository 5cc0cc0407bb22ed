// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
sample_blur(read_only image2d_t src, write_only image2d_t dst, sampler_t s) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float2 at = (convert_float2(p) + 0.5f) * (1.0f / 1024.0f);
    float4 sum = 0;
    for (int i = -3; i <= 3; i++)
        sum += read_imagef(src, s, at + (float2)(1.5f * i, -0.5f * i) * (1.0f / 1024.0f));
    write_imagef(dst, p, sum * (1.0f / 7.0f));
}
