// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
sample_linear(read_only image2d_t src, write_only image2d_t dst, sampler_t s) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(dst, p, read_imagef(src, s, (convert_float2(p) + 0.5f) * (1.0f / 1024.0f)));
}
