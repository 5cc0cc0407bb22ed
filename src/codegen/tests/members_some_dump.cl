// Eight of sixteen members become vectors by shuffles of two registers each, never by one long shuffle, with and without a mask.
// RUN: heddle run %s k --dump llvm
// WIDTHS: 16
// CPU: x86-64-v4
// CHECK-NOT: shufflevector <256 x i32>
// CHECK: call <16 x i32> @llvm.masked.load.v16i32
// CHECK-NOT: shufflevector <256 x i32>
// CHECK: call void @llvm.masked.store.v16i32
// CHECK-NOT: shufflevector <256 x i32>
// CHECK: attributes
kernel void k(global const int16 *in, global int16 *out)
{
    int i = get_global_id(0);
    int8 x = in[i].lo;
    int sum = x.s0 ^ x.s1 * 3 ^ x.s2 * 5 ^ x.s3 * 7 ^ x.s4 * 9 ^ x.s5 * 11 ^ x.s6 * 13 ^ x.s7 * 15;
    if (sum > 3)
        out[i].hi = (int8)(sum, sum * 3, sum ^ 5, sum >> 2, sum - 9, sum & 7, 8 - sum, sum | 1);
}
