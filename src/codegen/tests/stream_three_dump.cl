// Three members of each element, put together once for the store past the caches and the plain one: of values that were
// made apart, and of such as were loaded together.
// RUN: heddle run %s apart --cl=-cl-std=CL3.0 --global 64 --local 64 --arg f32[64]=range --arg f32[64]=range --arg f32[192]=zeros --dump asm
// RUN: heddle run %s together --cl=-cl-std=CL3.0 --global 64 --local 64 --arg f32[192]=range --arg f32[192]=range --arg f32[192]=zeros --dump asm
// WIDTHS: 16
// CPU: znver4
// ENGINES: compiled
// CHECK-NOT: vinsertps
// CHECK: vmovntp
// CHECK-NOT: vinsertps
kernel void apart(global const float *x, global const float *y, global float *o)
{
    int i = get_global_id(0);

    vstore3((float3)(x[i], y[i], x[i] * y[i]), i, o);
}

kernel void together(global const float *a, global const float *b, global float *o)
{
    int i = get_global_id(0);

    vstore3(vload3(i, a) * 2.0f + vload3(i, b), i, o);
}
