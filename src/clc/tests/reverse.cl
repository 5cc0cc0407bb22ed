// Other numbers of bits than types have, reversed by hand: clang-22's back end reverses the next type's and does not shift back.
// RUN: heddle run %s --global 16 --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=range
// RUN: heddle run %s --cl -g --global 16 --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=zeros --arg u32[16]=range
// CHECK: arg 0: u32[16] = 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15
// CHECK: arg 1: u32[16] = 0, 512, 256, 768, 128, 640, 384, 896, 64
// CHECK: arg 2: u32[16] = 0, 4096, 2048, 6144, 1024
// CHECK: arg 3: u32[16] = 0, 2147483648, 1073741824, 3221225472
uint by_hand(uint v, int bits)
{
    uint r = 0;

    for (int i = 0; i < bits; i++)
        r = r << 1 | v >> i & 1;
    return r;
}

kernel void reverse(global uint *four, global uint *ten, global uint *thirteen, global uint *whole, global const uint *x)
{
    size_t g = get_global_id(0);
    uint v = x[g];

    four[g] = (v & 1) << 3 | (v & 2) << 1 | (v & 4) >> 1 | (v & 8) >> 3;
    ten[g] = by_hand(v, 10);
    thirteen[g] = by_hand(v | 0xffffe000, 13);
    whole[g] = by_hand(v, 32);
}
