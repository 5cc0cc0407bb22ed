// Operands of what commutes may stand in either order: sums that saturate are done together.
// RUN: heddle run %s exchanged --global 4 --width 1 --arg i16[16]=range --arg i16[16]=range:32760 --arg i16[16]=zeros --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: llvm.sadd.sat.v4i16
kernel void exchanged(global const short4 *x, global const short4 *y, global short4 *out)
{
    int i = get_global_id(0);
    short4 a = x[i], b = y[i] ^ a;

    out[i] = (short4)(add_sat(a.x, b.x), add_sat(b.y, a.y), add_sat(b.z, a.z), add_sat(a.w, b.w));
}
