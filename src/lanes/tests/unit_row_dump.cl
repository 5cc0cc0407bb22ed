// The length of a row is no step: lanes walk along rows of their own, once.
// RUN: heddle run %s row --global 16 --local 16 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=4 --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"row"
// CHECK: STORE.global
// CHECK-NOT: STORE.global
kernel void row(global float *o, global const float *a, int n)
{
    int i = get_global_id(0);
    float s = 0;

    for (int k = 0; k < n; k++)
        s += a[i * n + k];
    o[i] = s;
}
