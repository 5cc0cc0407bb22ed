// Loops in steps of the launch's size whose rounds know nothing of each other leave them to launches.
// RUN: heddle run %s sizes --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s uints --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s ints --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s blocks --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s vectors --global 64 --local 16 --arg f32[360]=zeros --arg f32[360]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s members --global 64 --local 16 --arg f32[270]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s moved --global 64 --local 16 --arg f32[91]=zeros --arg f32[91]=zeros --arg i64=4 --arg i64=90 --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: BUILTIN.one_round i32
kernel void sizes(global uint *out, global const uint *in, uint n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] += in[i];
}

kernel void uints(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        if (in[i] > 3)
            out[i] = in[i] + in[in[i] & 15];
}

kernel void ints(global uint *out, global const uint *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + i;
}

kernel void blocks(global uint *out, global const uint *in, uint n)
{
    uint i = get_group_id(0) * get_local_size(0) + get_local_id(0);

    for (; i < n; i += get_local_size(0) * get_num_groups(0))
        out[i] = in[i] + 1;
}

kernel void vectors(global float4 *out, global const float4 *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = out[i] * 2 + in[i];
}

typedef struct Point {
    float x, y, z;
} Point;

kernel void members(global Point *out, global const uint *in, uint n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i].x += 1;
        out[i].z = out[i].y + in[i];
    }
}

/* As pyopencl writes element-wise kernels. */
kernel void moved(global float *out, global float *in, long offset, long n)
{
    int lid = get_local_id(0), gsize = get_global_size(0), start = get_local_size(0) * get_group_id(0);
    long i;

    out = (global float *)((global char *)out + offset);
    in = (global float *)((global char *)in + offset);
    for (i = start + lid; i < n; i += gsize)
        out[i] = 2 * in[i] + 3;
}
