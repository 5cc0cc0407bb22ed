// Two or three adjacent bytes from places of the lanes' own, at every distance from a multiple of four, from the first byte
// of a buffer to its last.
// RUN: heddle run %s pairs --global 200 --arg u8[257]=random:1 --arg u8[200]=random:2 --arg u32[200]=zeros
// RUN: heddle run %s triples --global 200 --arg u8[258]=random:1 --arg u8[200]=random:2 --arg u32[200]=zeros
// RUN: heddle run %s ends --global 200 --arg u8[258]=random:1 --arg u8[200]=random:2 --arg u32[200]=zeros
// RUN: heddle run %s some --global 200 --arg u8[258]=random:1 --arg u8[200]=random:2 --arg i32[200]=zeros --arg i32=100
// RUN: heddle run %s last --global 16 --arg u8[19]=range --arg u32[16]=zeros --expect 1=197121,262914,328707,394500,460293,526086,591879,657672,723465,789258,855051,920844,986637,1052430,1118223,1184016
// WIDTHS: 4 16 32
kernel void pairs(global const uchar *in, global const uchar *at, global uint *out)
{
    int i = get_global_id(0);

    out[i] = in[at[i]] << 8 | in[at[i] + 1];
}

kernel void triples(global const uchar *in, global const uchar *at, global uint *out)
{
    int i = get_global_id(0);

    out[i] = in[at[i]] << 16 | in[at[i] + 1] << 8 | in[at[i] + 2];
}

kernel void ends(global const uchar *in, global const uchar *at, global uint *out)
{
    int i = get_global_id(0);

    out[i] = in[at[i]] << 16 | in[at[i] + 2];
}

kernel void some(global const char *in, global const uchar *at, global int *out, int limit)
{
    int i = get_global_id(0);

    if (at[i] < limit)
        out[i] = in[at[i] * 2] * 5 - in[at[i] * 2 + 1];
}

kernel void last(global const uchar *in, global uint *out)
{
    int i = get_global_id(0), at = i ^ (i & in[0]);

    out[i] = in[at + 1] | in[at + 2] << 8 | in[at + 3] << 16;
}
