// Where an index may wrap, a lane's four bytes are gathered and scattered as a word: LLVM would branch for each byte.
// RUN: heddle run %s bytes --global 64 --local 64 --arg u8[256]=range --arg u8[256]=zeros --arg u32=44 --arg u32=1000 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: each:
// CHECK-NOT: i8.v{{(16|32)}}p0
// CHECK: @llvm.masked.gather.v{{(16|32)}}i32
// CHECK-NOT: i8.v{{(16|32)}}p0
// CHECK: @llvm.masked.scatter.v{{(16|32)}}i32
// CHECK-NOT: i8.v{{(16|32)}}p0
// CHECK: declare {{.*}}@llvm.masked.scatter
kernel void bytes(global const uchar *in, global uchar *out, uint start, uint n)
{
    uint x = get_global_id(0) * 4 + start, w = x & 255;

    if (x < n)
        vstore4(vload4(0, in + w) * (uchar4)(3), 0, out + w);
}
