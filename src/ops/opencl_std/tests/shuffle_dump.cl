// A component by an index is found by the index's bits: sixteen take four tests, not fifteen.
// RUN: heddle run %s --global 16 --local 16 --arg u8x16[1]=range --arg u8[16]=range --arg u8[16]=zeros --dump ir
// ENGINES: compiled
// CHECK: kernel
// CHECK: ICMP.
// CHECK: ICMP.
// CHECK: ICMP.
// CHECK: ICMP.
// CHECK-NOT: ICMP.
// CHECK: STORE.global
// CHECK: arg 2: u8[16] = 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
kernel void k(constant uchar16 *table, global const uchar *at, global uchar *out)
{
    size_t i = get_global_id(0);

    out[i] = shuffle(*table, (uchar2)((uchar)(15 - at[i]), 0)).x;
}
