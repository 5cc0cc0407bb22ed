// A work-item alone adds a shifted vector as one, though the first sums, with 0, are not computed.
// RUN: heddle run %s scan --width 1 --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: load <16 x i32>
// CHECK: shufflevector <16 x i32>
// CHECK: add <16 x i32>
// CHECK-NOT: insertelement
// CHECK: add <16 x i32>
// CHECK-NOT: insertelement
// CHECK: store <16 x i32>
kernel void scan(global const int *in, global int *out)
{
    int16 v = vload16(get_global_id(0), in);

    v += (int16)(0, v.s01234567, v.s89ab, v.scd, v.se);
    v += (int16)((int8)(0), v.lo);
    vstore16(v, get_global_id(0), out);
}
