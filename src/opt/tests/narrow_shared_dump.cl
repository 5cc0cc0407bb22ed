// Bits of one byte, used in four ways: each as a byte would be extended apart, while the byte is extended once.
// RUN: heddle run %s k --global 16 --local 16 --arg u8[16]=random:3 --arg f32[16]=zeros --dump ir
// ENGINES: compiled
// CHECK: kernel
// CHECK: ZEXT i32
// CHECK-NOT: ZEXT i32
// CHECK: RET
kernel void k(global const uchar *in, global float *out)
{
    int i = get_global_id(0), x = in[i];

    out[i] = ((x & 3) << 4) * 0.5f + (((x >> 2) & 3) << 4) * 0.25f + (((x >> 4) & 3) << 4) * 0.125f + (x >> 6 << 4);
}
