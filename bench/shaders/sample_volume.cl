// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
sample_volume(read_only image3d_t volume, global float *o, sampler_t s) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 at = (float4)((convert_float2(p) + 0.5f) * (1.0f / 256.0f), 0, 0);
    float most = 0;
    for (int i = 0; i < 32; i++, at += (float4)(0.002f, 0.001f, 1.0f / 32.0f, 0))
        most = fmax(most, read_imagef(volume, s, at).x);
    o[p.y * 256 + p.x] = most;
}
