// A work-item alone loads each of several windows that overlap as a vector.
// RUN: heddle run %s middle --global 4 --width 1 --arg u8[80]=range --arg u8[64]=zeros --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: load <16 x i8>
// CHECK: load <16 x i8>
// CHECK: llvm.umin.v16i8
kernel void middle(global const uchar *in, global uchar *out)
{
    global const uchar *p = in + 16 * get_global_id(0);

    vstore16(min(vload16(0, p), vload16(0, p + 1)), get_global_id(0), out);
}
