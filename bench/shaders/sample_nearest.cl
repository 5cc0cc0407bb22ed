// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
sample_nearest(read_only image2d_t src, global float *o, sampler_t s) {
    uint2 p = (uint2)(get_global_id(0), get_global_id(1));
    float2 at = (convert_float2(p) + 0.5f) * (1.0f / 512.0f);
    o[p.y * 1024 + p.x] = read_imagef(src, s, at).x + read_imagef(src, s, at.yx).x + read_imagef(src, s, (float2)(at.x, -at.y)).x;
}
