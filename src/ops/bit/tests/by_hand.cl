// Reversed bits, swapped bytes and counted bits as programs write them.
// RUN: heddle run %s k --global 3 --arg u32[3]=1,0x12345678,0xfffffffe --arg u32[3] --arg u32[3] --arg u32[3]
// CHECK: arg 1: u32[3] = 2147483648, 510274632, 2147483647
// CHECK: arg 2: u32[3] = 16777216, 2018915346, 4278190079
// CHECK: arg 3: u32[3] = 1, 13, 31
kernel void k(global const uint *a, global uint *reversed, global uint *swapped, global uint *count)
{
    int g = get_global_id(0);
    uint v = a[g], r = 0, x = v;
    for (int j = 0; j < 32; j++) {
        r = r << 1 | (x & 1);
        x >>= 1;
    }
    reversed[g] = r;
    swapped[g] = v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
    x = v - (v >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    count[g] = (x + (x >> 4) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
