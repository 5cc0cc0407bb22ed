// Tables of as many entries as one or two registers of AVX2 have, or as many bytes: the program's constants and memory, with
// lanes that do not ask, and indices of bytes, words and longer ones.
// RUN: heddle run %s constants --global 200 --local 40 --arg u8[200]=range --arg i32[1600]=zeros
// RUN: heddle run %s wide --global 96 --local 32 --arg u8[96]=range --arg u64[192]=zeros
// RUN: heddle run %s memory --global 200 --local 50 --arg u8[200]=random:1 --arg u8[16]=random:2 --arg u16[16]=random:3 --arg u32[600]=zeros
// RUN: heddle run %s page --global 512 --local 64 --arg u8[4200]=random:4 --arg u8[512]=zeros
// RUN: heddle run %s local_bytes --global 128 --local 32 --arg u8[128]=random:5 --arg u8[128]=zeros
// WIDTHS: 1 4 8 16 32
constant char bytes16[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constant uchar bytes5[5] = {9, 250, 3, 77, 128};
constant char bytes40[40] = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAA";
constant ushort shorts16[16] = {1, 65535, 3, 4, 40000, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 300};
constant ushort shorts30[30] = {5, 65535, 3, 4, 40000, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 300, 2, 2, 2, 2, 8, 8, 8, 9, 1, 1, 1, 70};
constant float floats8[8] = {0.5f, 1, 2, 3, -4, 5, 6, 7e9f};
constant int ints12[12] = {1, -2, 3, 4, 5, 6, 7, 8, 9, 1 << 30, 11, 12};
constant int ints17[17] = {1, -2, 3, 4, 5, 6, 7, 8, 9, 1 << 30, 11, 12, 2, 2, 2, 2, 99};

kernel void constants(global const uchar *in, global int *out)
{
    uint i = get_global_id(0);
    uchar v = in[i];
    global int *o = out + i * 8;

    o[0] = bytes16[v & 15];
    o[1] = v % 3 == 1 ? bytes5[v % 5] : bytes16[v >> 4];
    o[2] = bytes40[v % 40];
    o[3] = shorts16[(v * 3) & 15];
    o[4] = shorts30[v % 30];
    o[5] = as_int(floats8[(v >> 2) & 7]);
    if (v & 4)
        o[6] = ints12[v % 12];
    o[7] = ints17[v % 17];
}

constant ulong longs8[8] = {1, ~0ul, 1ul << 40, 3, 4, 5, 6, 7};
constant double doubles5[5] = {1, -2.5, 3e300, 0.125, 9};

kernel void wide(global const uchar *in, global ulong *out)
{
    uint i = get_global_id(0);

    out[2 * i] = longs8[in[i] & 7];
    out[2 * i + 1] = as_ulong(doubles5[in[i] % 5]);
}

kernel void memory(global const uchar *in, global const uchar *a, global const ushort *b, global uint *out)
{
    uint i = get_global_id(0);
    ulong far = in[i] & 15;

    out[3 * i] = a[far];
    if (in[i] > 100)
        out[3 * i + 1] = b[in[i] >> 4] + a[in[i] % 11];
    out[3 * i + 2] = b[far ^ 5];
}

// At each place of a page.
kernel void page(global const uchar *in, global uchar *out)
{
    uint i = get_global_id(0);
    global const uchar *table = in + get_group_id(0) * 523;

    out[i] = table[in[i] & 15];
}

kernel void local_bytes(global const uchar *in, global uchar *out)
{
    local uchar table[32];
    uint i = get_global_id(0), l = get_local_id(0);

    table[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = table[in[i] & 15] + table[16 + (in[i] >> 4)];
}
