// The upper half of products that have none, where one factor is odd in some lanes, and what is made of it.
// RUN: heddle run %s k --global 16 --arg u32[16]=range:90:1 --arg u16[16]=zeros --arg u32[16]=zeros
// CHECK: arg 1: u16[16] = 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105
// CHECK: arg 2: u32[16] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1

kernel void k(global const uint *in, global ushort *quotient, global uint *wide)
{
    uint i = get_global_id(0), x = in[i], y = x < 100 ? 1 : x & 65535;

    quotient[i] = (ushort)x / (ushort)((ushort)mul_hi(x & 255, y) | 1);
    wide[i] = (uint)((ulong)(x & 255) * y >> 32) | 1;
}
