// The larger of what was added, which is no signalling NaN, is one instruction, and so is that of a number and
// anything; what was loaded is made quiet first.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 64 --local 64 --arg f32[64]=range --arg f32[64]=range --arg f32[64]=zeros --dump asm
// WIDTHS: 16
// CPU: x86-64-v4
// ENGINES: compiled
// CHECK-NOT: vcmp
// CHECK: vrangeps $5
// CHECK-NOT: vcmp
// CHECK: vminps
// CHECK-NEXT: vmaxps
// CHECK-NOT: vcmp
// CHECK: vrangeps $4
// CHECK-NEXT: vrangeps $4
// CHECK-NEXT: vrangeps $4
// CHECK-NEXT: vaddps
kernel void k(global const float *x, global const float *y, global float *z)
{
    int i = get_global_id(0);
    float a = x[i], b = y[i];

    z[i] = fmax(fmax(a + 1.0f, b + 2.0f), fmin(convert_float(i), a)) + fmin(a, b);
}
