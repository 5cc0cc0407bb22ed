// Pointer arguments of a launch that lead to different memory: a store to one is passed by loads through the other, here four
// bytes of a lane that are loaded as one word, and a load that does not change is not repeated.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --dump lanes,llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: STORE.global
// CHECK-NOT: LOAD.global f32
// CHECK: define void
// CHECK: !noalias
kernel void k(global const uchar *a, global const float *scale, global float *y)
{
    uint i = get_global_id(0);

    for (uint j = 0; j < 4; j++)
        y[i + j * 64] = a[i * 4 + j] * scale[0];
}
