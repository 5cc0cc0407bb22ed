// Four bits of each component reversed by hand: clang-22 recognises it, and its back end reverses all bits of bytes and does not shift
// back. (Of four bits of each component of a uint4 it makes nothing and gives up: tests/clc/gave_up_test.py.)
// RUN: heddle run %s bytes --cl -g --global 1 --arg u8[16]=range --arg u8[16]=zeros
// RUN: heddle run %s bytes --global 1 --arg u8[16]=range --arg u8[16]=zeros
// CHECK: = 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15
kernel void bytes(global const uchar16 *in, global uchar16 *out)
{
    size_t i = get_global_id(0);
    uchar16 x = in[i] & (uchar16)15, one = 1, three = 3;

    out[i] = (x & one) << three | (x & (uchar16)2) << one | (x & (uchar16)4) >> one | (x & (uchar16)8) >> three;
}
