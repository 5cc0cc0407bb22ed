// A fused multiply-add of halves is rounded to odd from the sums rounded down, up and towards zero.
// RUN: heddle run %s k --dump asm
// WIDTHS: 1 8 16 32
// CPU: znver5
// ENGINES: compiled
// CHECK: {rd-sae}
// CHECK: {r{{[uz]}}-sae}
// CHECK: {r{{[uz]}}-sae}
// CHECK: vcvtps2ph
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global const half *a, global half *b)
{
    size_t i = get_global_id(0);

    b[i] = fma(a[i], b[i], (half)1);
}
