/* bench/checked.cl -- kernels of bench/checked.py.
 * SPDX-License-Identifier: MIT */
#define TILE 16

kernel void empty(global float *out)
{
    if (get_global_id(0) == 0)
        out[0] = 1;
}

kernel void vector_add(global const float *a, global const float *b, global float *out)
{
    size_t i = get_global_id(0);

    out[i] = a[i] + b[i];
}

kernel void matmul_naive(global const float *a, global const float *b, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    out[y * n + x] = sum;
}

kernel void matmul_tiled(global const float *a, global const float *b, global float *out, int n)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;

    for (int t = 0; t < n; t += TILE) {
        tile_a[ly][lx] = a[y * n + t + lx];
        tile_b[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ly][k] * tile_b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * n + x] = sum;
}

kernel void tree_reduction(global const float *a, global float *out)
{
    local float part[256];
    int l = get_local_id(0);

    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

kernel void histogram(global const uint *a, global uint *out)
{
    local uint count[256];
    int l = get_local_id(0);

    count[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count[a[get_global_id(0)] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], count[l]);
}
