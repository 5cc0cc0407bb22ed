// Two words of each lane are gathered and scattered as one where an index of them may have wrapped.
// RUN: heddle run %s --global 32 --local 32 --arg f32x2[64]=range --arg u32=1 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: @llvm.masked.gather.v16i64
// CHECK: @llvm.masked.scatter.v16i64
// CHECK-NOT: .v16f32.v16p0
// CHECK: declare {{.*}}@llvm.masked.scatter
kernel void k(global float2 *s, uint stride)
{
    uint l = get_local_id(0), pos = 2 * l - (l & (stride - 1));
    float2 a = s[pos], b = s[pos + stride];

    s[pos] = b;
    s[pos + stride] = a;
}
