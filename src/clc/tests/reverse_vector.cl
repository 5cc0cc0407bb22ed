// Four bits of each component reversed by hand: clang-22 recognises it, and its back end reverses all bits of bytes and does not shift
// back, or makes conversions from bytes to bytes.
// RUN: heddle run %s words --global 4 --arg u32[16]=range --arg u32[16]=zeros
// RUN: heddle run %s words --cl -g --global 4 --arg u32[16]=range --arg u32[16]=zeros
// RUN: heddle run %s bytes --global 1 --arg u8[16]=range --arg u8[16]=zeros
// CHECK: = 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15
kernel void words(global const uint4 *in, global uint4 *out)
{
    size_t i = get_global_id(0);
    uint4 x = in[i] & 15;

    out[i] = (x & 1) << 3 | (x & 2) << 1 | (x & 4) >> 1 | (x & 8) >> 3;
}
kernel void bytes(global const uchar16 *in, global uchar16 *out)
{
    size_t i = get_global_id(0);
    uchar16 x = in[i] & (uchar16)15, one = 1, three = 3;

    out[i] = (x & one) << three | (x & (uchar16)2) << one | (x & (uchar16)4) >> one | (x & (uchar16)8) >> three;
}
