// Indices without their highest bit: a mask of 2^63 - 1 has no successor that fits in a long.
// RUN: heddle run %s k --global 64 --arg u8[64]=range --arg u8[64]=zeros --arg i64=0
kernel void k(global const uchar *in, global uchar *out, long from)
{
    long i = get_global_id(0) + from;
    out[i & LONG_MAX] = in[i & LONG_MAX] + 1;
}
