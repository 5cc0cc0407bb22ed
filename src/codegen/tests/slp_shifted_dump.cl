// A work-item alone shifts a vector that a loop carries as one.
// RUN: heddle run %s shift --global 4 --width 1 --arg u8[64]=range --arg u8[64]=zeros --arg i32=4 --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: phi <15 x i8>
// CHECK: shufflevector <15 x i8> {{.*}} <16 x i32> <i32 {{.*}}, i32 0, i32 1, i32 2,
// CHECK: llvm.uadd.sat.v16i8
kernel void shift(global const uchar *in, global uchar *most, int n)
{
    uchar16 h = 0, x = vload16(get_global_id(0), in), best = 0;

    for (int i = 0; i < n; i++) {
        h = add_sat((uchar16)(i, h.s01234567, h.s89ab, h.scde), x);
        best = max(best, h);
    }
    vstore16(best, get_global_id(0), most);
}
