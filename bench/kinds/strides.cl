// Loops in steps of the launch's size, as kernels for GPUs go through what is larger than the launch.

// case gs_axpy
// 8192, 256, F(4000000), F(4000000), S(4000000)
kernel void gs_axpy(global const float *x, global float *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = 0.25f * x[i] + y[i];
}

// case gs_blocks
// 16384, 128, F(2000000), F(2000000), O(2000000), S(2000000)
kernel void gs_blocks(global const float *a, global const float *b, global float *c, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);

    for (; i < n; i += get_local_size(0) * get_num_groups(0))
        c[i] = a[i] * b[i] + 1;
}

// case gs_grey
// 4096, 64, I(1000000), O(1000000), S(1000000)
kernel void gs_grey(global const uchar4 *in, global float *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i].x * 0.299f + in[i].y * 0.587f + in[i].z * 0.114f;
}

// case gs_small
// 1024, 64, F(50000), F(50000), S(50000)
kernel void gs_small(global const float *x, global float *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = x[i] > 0 ? x[i] : 0.1f * y[i];
}

// case gs_one_group
// 256, 256, F(500000), F(500000), S(500000)
kernel void gs_one_group(global const float *x, global float *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = sqrt(x[i] * x[i] + 1) + y[i] * 0.5f;
}

// case gs_gather
// 8192, 256, F(100000), I(1000000), O(1000000), S(1000000)
kernel void gs_gather(global const float *table, global const int *at, global float *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = table[(uint)at[i] % 100000u];
}

// case gs_logistic
// 4096, 64, F(300000), O(300000), S(300000)
kernel void gs_logistic(global const float *x, global float *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = 1 / (1 + exp(-x[i]));
}

// case gs_float4
// 4096, 64, F(2000000), O(2000000), S(500000)
kernel void gs_float4(global const float4 *x, global float4 *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = x[i] * 2 + 1;
}

// case gs_partial_sums
// 8192, 256, F(2000000), O(8192), S(2000000)
kernel void gs_partial_sums(global const float *x, global float *out, uint n)
{
    float sum = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i];
    out[get_global_id(0)] = sum;
}

// case gs_dot_local
// 8192, 256, F(1000000), F(1000000), O(32), S(1000000)
kernel void gs_dot_local(global const float *x, global const float *y, global float *out, uint n)
{
    local float part[256];
    uint lid = get_local_id(0);
    float sum = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i] * y[i];
    part[lid] = sum;
    for (uint step = 128; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < step)
            part[lid] += part[lid + step];
    }
    if (lid == 0)
        out[get_group_id(0)] = part[0];
}

// case gs_minmax
// 4096, 256, I(1000000), O(8192, np.int32), S(1000000)
kernel void gs_minmax(global const int *x, global int2 *out, uint n)
{
    int2 m = (int2)(INT_MAX, INT_MIN);

    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        m.x = min(m.x, x[i]);
        m.y = max(m.y, x[i]);
    }
    out[get_global_id(0)] = m;
}

// case gs_hist_local
// 4096, 256, I(1000000), O(256, np.int32), S(1000000)
kernel void gs_hist_local(global const uint *x, global uint *out, uint n)
{
    local uint bins[256];

    bins[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[x[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[get_local_id(0)], bins[get_local_id(0)]);
}

// case gs_rows
// (256, 16), (64, 1), F(1024 * 1024), O(1024 * 1024), S(1024), S(1024)
kernel void gs_rows(global const float *in, global float *out, int width, int height)
{
    for (int y = get_global_id(1); y < height; y += get_global_size(1))
        for (int x = get_global_id(0); x < width; x += get_global_size(0))
            out[y * width + x] = in[y * width + x] * 0.5f + 1;
}

// case gs_double
// 4096, 128, D(1000000), D(1000000), S(1000000)
kernel void gs_double(global const double *x, global double *y, uint n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] += x[i] * x[i];
}
