// Volatile accesses: neighbours, neighbours in reverse, of some lanes, bytes, words apart, and one word for all.
// RUN: heddle run %s --global 16 --local 16 --arg u32[16]=range --arg u8[16]=range --arg u32[32]=zeros --arg u32[1]=zeros
// CHECK: arg 0: u32[16] = 115, 14, 113, 12, 111, 10, 109, 8, 107, 6, 105, 4, 103, 2, 101, 0
// CHECK: arg 1: u8[16] = 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
// CHECK: arg 2: u32[32] = 15, 0, 14, 0, 13, 0, 12, 0, 11, 0, 10, 0, 9, 0, 8, 0, 7, 0, 6, 0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0
// CHECK: arg 3: u32[1] = 7
kernel void k(volatile global uint *a, volatile global uchar *b, volatile global uint *c, volatile global uint *one)
{
    uint i = get_local_id(0), x;
    volatile uint own[4];

    own[i & 3] = a[15 - i];
    x = own[i & 3];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = x;
    c[2 * i] = x;
    if (i % 2 == 0)
        a[i] += 100;
    b[i] += b[i];
    *one = 7;
}
