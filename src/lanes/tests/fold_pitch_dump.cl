// Rows of 126 work-items whose loads go along rows of 128 elements stay rows.
// RUN: heddle run %s blur --global 126,40 --arg f32[6000]=zeros --arg f32[5040]=zeros --no-print --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK-NOT: UMULHI
// CHECK-NOT: DIV
// CHECK-NOT: REM
// CHECK: RET
kernel void blur(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 126 + x] = in[y * 128 + x] + in[y * 128 + x + 1] + in[y * 128 + x + 2];
}
