// Tables in memory of which the index is bounded, or looks so: loaded whole into registers where they lie in one page; with
// lanes that do not ask, indices that are not what they look like, entries of one, two, four and eight bytes, local memory, behind
// an offset, at the end of a buffer.
// RUN: heddle run %s bias --global 100 --local 20 --arg f32[100]=zeros --arg f32[100]=range --arg f32[10]=range
// RUN: heddle run %s code --global 100 --local 25 --arg f32[100]=zeros --arg u8[100]=range --arg f32[16]=range
// RUN: heddle run %s bytes --global 256 --local 64 --arg u8[256]=zeros --arg u8[256]=range --arg u8[64]=range
// RUN: heddle run %s halves --global 128 --local 32 --arg i16[128]=zeros --arg u8[128]=range --arg local[128]
// RUN: heddle run %s behind --global 64 --local 32 --arg u32[64]=zeros --arg u32[64]=range --arg u32[64]=range --arg u32=17
// RUN: heddle run %s not_rest --global 64 --local 64 --arg u32[64]=zeros --arg u32[64]=range --arg u32[2048]=range
// RUN: heddle run %s long_rest --global 64 --local 64 --arg u32[64]=zeros --arg u32[64]=range --arg u64=4294967296
// RUN: heddle run %s doubles --global 64 --local 64 --arg f64[64]=zeros --arg u32[64]=range --arg f64[8]=range
// RUN: heddle run %s many --global 4096 --local 64 --arg u32[4096]=zeros --arg u32[4111]=range
// WIDTHS: 1 4 8 16 32
kernel void bias(global float *out, global const float *in, global const float *bias)
{
    uint i = get_global_id(0);

    out[i] = in[i] + bias[i % 10];
}

kernel void code(global float *out, global const uchar *in, global const float *table)
{
    uint i = get_global_id(0);

    if (in[i] % 3 != 1)
        out[i] = table[in[i] & 15];
    else if (in[i] > 90)
        out[i] = table[in[i] >> 4];
}

kernel void bytes(global uchar *out, global const uchar *in, global const uchar *table)
{
    uint i = get_global_id(0);

    out[i] = table[(in[i] * 7) & 63];
}

kernel void halves(global short *out, global const uchar *in, local short *table)
{
    uint i = get_global_id(0);

    table[get_local_id(0)] = in[i] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = table[(in[i] >> 2) & 31];
}

kernel void behind(global uint *out, global const uint *in, global const uint *table, uint from)
{
    uint i = get_global_id(0);

    out[i] = table[from + 3 + (in[i] & 7)] + table[from + (in[i] * 5 & 31)];
}

// What is taken away is not all: the index goes on to 63 * 63 - 50.
kernel void not_rest(global uint *out, global const uint *in, global const uint *table)
{
    uint i = get_global_id(0), x = in[i] * in[i] / 2;

    out[i] = table[x - x / 100 * 10];
}

kernel void long_rest(global uint *out, global const uint *in, ulong far)
{
    uint i = get_global_id(0);
    ulong x = (in[i] + far) % (far + 9);

    out[i] = in[x < far ? x : x - far];
}

kernel void doubles(global double *out, global const uint *in, global const double *table)
{
    uint i = get_global_id(0);

    out[i] = table[in[i] % 8] + table[in[i] % 7];
}

// Each group of lanes at another place of a page.
kernel void many(global uint *out, global const uint *in)
{
    uint i = get_global_id(0);
    global const uint *table = in + get_group_id(0) * 64;

    out[i] = table[(in[i] * 11) & 15];
}
