// groups.cl -- kinds of kernels: sub-groups and work-groups that work together, long vectors, structures by value.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case butterfly
// 1 << 16, 64, I(1 << 16, 1000), O(1 << 16, np.int32), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void butterfly(global const int *in, global int *out)
{
    int v = in[get_global_id(0)];
    for (uint d = 1; d < 4; d <<= 1)
        v += sub_group_shuffle_xor(v, d);
    out[get_global_id(0)] = v;
}

// case sg_stencil
// 1 << 16, 64, F(1 << 16), O(1 << 16), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
kernel void sg_stencil(global const float *in, global float *out)
{
    int i = get_global_id(0), n = get_global_size(0);
    float v = in[i];
    float left = sub_group_shuffle_up(v, 1), right = sub_group_shuffle_down(v, 1);
    if (get_sub_group_local_id() == 0)
        left = in[max(i - 1, 0)];
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        right = in[min(i + 1, n - 1)];
    out[i] = 0.25f * left + 0.5f * v + 0.25f * right;
}

// case ballot_compact
// 1 << 16, 64, I(1 << 16, 100), O(1 << 16, np.int32), O(1, np.uint32), '-cl-std=CL3.0 unordered'
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void ballot_compact(global const int *in, global int *out, volatile global uint *count)
{
    int v = in[get_global_id(0)];
    uint4 votes = sub_group_ballot(v < 40);
    uint before = sub_group_ballot_exclusive_scan(votes), total = sub_group_ballot_bit_count(votes), base = 0;
    if (get_sub_group_local_id() == 0)
        base = atomic_add(count, total);
    base = sub_group_broadcast(base, 0);
    if (v < 40)
        out[(base + before) & 0xffff] = v;
}

// case partition
// 256 * 64, 256, I(1 << 14), O(1 << 14, np.int32), O(64, np.int32), S(1 << 29), '-cl-std=CL3.0'
kernel void partition(global const int *in, global int *out, global int *pivots, int pivot)
{
    int v = in[get_global_id(0)], base = get_group_id(0) * get_local_size(0);
    int low = v < pivot;
    int at = work_group_scan_exclusive_add(low);
    int lows = work_group_reduce_add(low);
    int lid = get_local_id(0);
    out[base + (low ? at : lows + lid - at)] = v;
    if (lid == 0)
        pivots[get_group_id(0)] = lows;
}

// case wg_vote
// 256 * 64, 256, F(1 << 14), O(1 << 14), '-cl-std=CL3.0'
kernel void wg_vote(global const float *in, global float *out)
{
    float x = in[get_global_id(0)] + 1, y = 1;
    int rounds = 0;
    while (work_group_any(fabs(y * y - x) > 1e-5f * x) && rounds++ < 20)
        y = 0.5f * (y + x / y);
    out[get_global_id(0)] = y + work_group_broadcast(y, 0);
}

// case sg_matvec
// 256 * 16, 64, F(1024 * 256), F(256), O(1024), S(256), S(1024), '-cl-std=CL3.0'
kernel void sg_matvec(global const float *a, global const float *x, global float *y, int n, int rows)
{
    int lane = get_sub_group_local_id(), lanes = get_sub_group_size();
    for (int row = get_group_id(0) * get_num_sub_groups() + get_sub_group_id(); row < rows;
         row += get_num_groups(0) * get_num_sub_groups()) {
        float sum = 0;
        for (int k = lane; k < n; k += lanes)
            sum += a[row * n + k] * x[k];
        sum = sub_group_reduce_add(sum);
        if (lane == 0)
            y[row] = sum;
    }
}

// case local_pointers
// 1 << 14, 128, F(1 << 14), O(1 << 14), L(128), L(128), S(6)
kernel void local_pointers(global const float *in, global float *out, local float *first, local float *second, int rounds)
{
    local float *banks[2] = {first, second};
    int lid = get_local_id(0);
    banks[0][lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        local float *from = banks[r & 1], *to = banks[(r + 1) & 1];
        to[lid] = 0.5f * from[lid] + 0.25f * (from[(lid + 127) & 127] + from[(lid + 1) & 127]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = banks[rounds & 1][lid];
}

// case struct_lights
// (256, 128), None, O(256 * 128), V(0.5, 0.2, 0.7, 1, 0.1, 0.9, 0.3, 2, 0.8, 0.8, 0.9, 0.5, 0.3, 0.4, 0.5, 3), V(0.1, 0.2, 0.3, 20)
typedef struct {
    float4 lights[4];
} Scene;
typedef struct {
    float ambient, diffuse, specular, shininess;
} Material;
kernel void struct_lights(global float *out, Scene scene, Material material)
{
    float3 p = (float3)(get_global_id(0) / 256.0f, get_global_id(1) / 128.0f, 0);
    float3 n = normalize((float3)(sin(p.x * 20) * 0.3f, cos(p.y * 20) * 0.3f, 1)), view = (float3)(0, 0, 1);
    float sum = material.ambient;
    for (int i = 0; i < 4; i++) {
        float3 l = scene.lights[i].xyz - p;
        float d2 = dot(l, l);
        l *= rsqrt(d2);
        float3 h = normalize(l + view);
        sum += scene.lights[i].w / (1 + d2) * (material.diffuse * fmax(dot(n, l), 0.0f) +
               material.specular * pow(fmax(dot(n, h), 0.0f), material.shininess));
    }
    out[get_global_id(1) * 256 + get_global_id(0)] = sum;
}

// case complex_double
// 1 << 14, 64, D(4 << 14), O(2 << 14, np.float64)
kernel void complex_double(global const double2 *in, global double2 *out)
{
    int i = get_global_id(0);
    double2 z = in[2 * i], c = in[2 * i + 1] - 0.5, w = z;
    for (int k = 0; k < 16; k++) {
        double2 num = (double2)(w.x * z.x - w.y * z.y, w.x * z.y + w.y * z.x) + c;
        double d = z.x * z.x + z.y * z.y + 1;
        w = (double2)(num.x * z.x + num.y * z.y, num.y * z.x - num.x * z.y) / d;
    }
    out[i] = w;
}

// case char16_lut
// 1 << 14, None, I(16 << 14, 256, np.uint8), O(16 << 14, np.uint8)
kernel void char16_lut(global const uchar16 *in, global uchar16 *out)
{
    const uchar16 low = (uchar16)(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);
    int i = get_global_id(0);
    uchar16 v = in[i];
    uchar16 a = shuffle(low, v & (uchar)15), b = shuffle(low, v >> (uchar)4);
    out[i] = select((uchar16)0, (uchar16)255, (a & b) != (uchar)0) ^ hadd(v, a);
}

// case ring_buffer
// 1 << 12, 64, F(64 << 12), O(64 << 12), S(64)
kernel void ring_buffer(global const float *in, global float *out, int n)
{
    int id = get_global_id(0), head = 0;
    float ring[8], sum = 0;
    for (int k = 0; k < 8; k++)
        ring[k] = 0;
    for (int i = 0; i < n; i++) {
        float v = in[i * get_global_size(0) + id];
        sum += v - ring[head];
        ring[head] = v;
        head = (head + 1) % 8;
        out[i * get_global_size(0) + id] = sum / min(i + 1, 8);
    }
}

// case fft16_private
// 1 << 13, 64, F(32 << 13), O(32 << 13)
void bfly(float2 *a, float2 *b, float2 w)
{
    float2 t = (float2)(b->x * w.x - b->y * w.y, b->x * w.y + b->y * w.x);
    *b = *a - t;
    *a = *a + t;
}
kernel void fft16_private(global const float2 *in, global float2 *out)
{
    int id = get_global_id(0), n = get_global_size(0);
    float2 v[16];
    for (int i = 0; i < 16; i++) {
        int r = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
        v[r] = in[i * n + id];
    }
    for (int len = 2; len <= 16; len <<= 1)
        for (int i = 0; i < 16; i += len)
            for (int k = 0; k < len / 2; k++) {
                float angle = -2 * M_PI_F * k / len;
                bfly(&v[i + k], &v[i + k + len / 2], (float2)(cos(angle), sin(angle)));
            }
    for (int i = 0; i < 16; i++)
        out[i * n + id] = v[i];
}

// case last_block
// 256 * 32, 256, F(1 << 16), O(32), O(2), O(1, np.uint32), S(1 << 16)
kernel void last_block(global const float *in, volatile global float *partial, global float *result,
                       volatile global uint *ticket, int n)
{
    local float s[256];
    local bool last;
    int lid = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    s[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d >>= 1) {
        if (lid < d)
            s[lid] += s[lid + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        partial[get_group_id(0)] = s[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(ticket) % get_num_groups(0) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && lid == 0) {
        float total = 0;
        for (int g = 0; g < get_num_groups(0); g++)
            total += partial[g];
        result[0] = total;
    }
}

// case ragged_tree
// 1 << 18, 128, I(1 << 18, 1000), O(1 << 11, np.int32), S(101)
kernel void ragged_tree(global const int *in, global int *out, uint n)
{
    local int s[128];
    uint l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    for (uint d = 1; d < get_local_size(0); d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & (2 * d - 1)) == 0 && l + d < n)
            s[l] += s[l + d];
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

// case ragged_largest
// 1 << 18, 128, I(1 << 18, 1000), O(1 << 11, np.int32), S(101)
kernel void ragged_largest(global const int *in, global int *out, uint n)
{
    local int s[128];
    uint l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    for (uint d = 1; d < get_local_size(0); d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & (2 * d - 1)) != 0)
            continue;
        if (l + d >= n)
            continue;
        s[l] = max(s[l], s[l + d]);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

// case ragged_halving
// 1 << 18, 128, I(1 << 18, 1000), O(1 << 11, np.int32), S(101)
kernel void ragged_halving(global const int *in, global int *out, uint n)
{
    local int s[128];
    uint l = get_local_id(0), count = n;
    s[l] = in[get_global_id(0)];
    while (count > 1) {
        uint half_count = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_count && l + half_count < count)
            s[l] += s[l + half_count];
        count = half_count;
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
