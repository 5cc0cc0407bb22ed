// Addresses that all lanes of a sub-group have where they lie between two multiples of a power of two (`i >> 5`, `i / 8`,
// `i & ~15`, `i - (i & 31)`) or of a number that the host gives (`i / n`), and that lie side by side there (`i % n`). Ids
// begin at 5, so that some sub-groups lie across a multiple; some lanes load in a branch, none in others; neighbours, bytes
// and doubles; in a loop, and kept across a barrier; indices and divisors that wrap, are below zero, are 0.
// RUN: heddle run %s shifted --global 96 --local 32 --offset 5 --arg i32[128]=range:7 --arg i32[128]=zeros
// RUN: heddle run %s divided --global 96 --local 32 --offset 5 --arg i32[64]=range:7 --arg i32[128]=zeros --arg i32=-40
// RUN: heddle run %s masked --global 96 --local 32 --offset 5 --arg u8[128]=range:7 --arg i32[128]=zeros
// RUN: heddle run %s parts --global 96 --local 32 --offset 5 --arg f32[512]=range:7 --arg f32[128]=zeros
// RUN: heddle run %s rounds --global 96 --local 32 --offset 5 --arg f64[160]=range:7 --arg f64[128]=zeros
// RUN: heddle run %s ring --global 96 --local 32 --offset 5 --arg i32[300]=range:7 --arg i32[300]=zeros --arg i32=16
// RUN: heddle run %s kept --global 96 --local 32 --arg i32[160]=range:7 --arg i32[128]=zeros
// RUN: heddle run %s far --global 96 --local 32 --offset 5 --arg i32[128]=range:7 --arg i32[128]=zeros --arg u32=4294967280
// RUN: heddle run %s quotients --global 96 --local 32 --offset 5 --arg i32[160]=range:7 --arg i32[128]=zeros --arg i32=40 --arg u32=37 --arg i32=-30
// RUN: heddle run %s quotients --global 96 --local 32 --arg i32[160]=range:7 --arg i32[128]=zeros --arg i32=100 --arg u32=1 --arg i32=-99
// RUN: heddle run %s quotients --global 96 --local 32 --arg i32[160]=range:7 --arg i32[128]=zeros --arg i32=3 --arg u32=0 --arg i32=0
// RUN: heddle run %s wrapped --global 96 --local 32 --arg i32[128]=range:7 --arg i32[128]=zeros --arg u32=4294967280 --arg u32=64
// RUN: heddle run %s wrapped --global 96 --local 32 --arg i32[128]=range:7 --arg i32[128]=zeros --arg u32=4294967272 --arg u32=100
kernel void shifted(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    uint u = i;
    out[i] = in[i >> 5] + 3 * in[u >> 4] + 5 * in[(i & ~(size_t)15) + 2] + 7 * in[u & 0x70u] + 9 * in[(u >> 3) * 2 + (u >> 5)];
}

kernel void divided(global const int *in, global int *out, int below)
{
    int i = get_global_id(0);
    out[i] = in[i / 8] * 3 + in[8 + (i + below) / 16] + in[20 + ((i + below) >> 4)];
}

kernel void masked(global const uchar *in, global int *out)
{
    int i = get_global_id(0), sum = 0;
    if (in[i] % 3 == 1)
        sum = in[i >> 3];
    if (i > 50)
        sum += in[(i & ~31) + 1] * 2;
    out[i] = sum;
}

kernel void parts(global const float4 *in, global float *out)
{
    int i = get_global_id(0);
    float4 v = in[i >> 4];
    if (i % 5 != 0)
        v.xyz += in[(i >> 3) + 1].xyz;
    out[i] = v.x + 2 * v.y + 4 * v.z;
}

kernel void rounds(global const double *in, global double *out)
{
    int i = get_global_id(0);
    double sum = 0;
    for (int j = i & ~31; j < (i & ~31) + 32; j++)
        if (j != i)
            sum += in[j] * j;
    out[i] = sum;
}

kernel void ring(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), k = i & (n - 1), at = 2 * (i - k) + k;
    out[at] = in[at + n] - in[at];
    out[at + n] = in[at];
}

kernel void kept(global const int *in, global int *out)
{
    local int part[32];
    int i = get_global_id(0), l = get_local_id(0), at = (i >> 4) * 3 + 1;
    part[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = in[at] + part[31 - l] + part[l & ~7];
}

kernel void far(global const int *in, global int *out, uint start)
{
    uint i = get_global_id(0), at = i + start;
    out[i] = in[(at >> 4) & 7] + in[((at & ~15u) + 64) & 127];
}

kernel void quotients(global const int *in, global int *out, int columns, uint planes, int below)
{
    int i = get_global_id(0);
    uint u = get_global_id(0);
    size_t z = get_global_id(0);
    out[i] = in[i / columns] + 3 * in[i % columns] + 5 * in[u / planes % 7] + 7 * in[u % planes] + 9 * in[z / planes] +
             11 * in[z % planes] + 13 * in[(i + below) % columns + columns] + 17 * in[(i + below) / columns + columns] +
             19 * in[i / 50] + 23 * in[u % 50];
}

kernel void wrapped(global const int *in, global int *out, uint start, uint n)
{
    uint i = get_global_id(0), at = i + start;
    out[i] = in[at / n & 63] + 2 * in[at % n & 127];
}
