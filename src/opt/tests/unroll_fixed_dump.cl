// Operations that are the same in all rounds do not count: they are done once however often the loop is unrolled.
// RUN: heddle run %s --cl=-cl-opt-disable --global 16 --arg f32[64]=zeros --arg f32[64]=zeros --arg u32=3 --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: FMA
// CHECK: FMA
// CHECK: FMA
kernel void k(global const float *w, global float *x, uint n)
{
    uint i = (uint)get_global_id(0);
    float s = 0;

    for (uint j = 0; j < 16; j++)
        s += w[j] * x[((((((i * n + 5) * n ^ 9) * n ^ 7) * n ^ 3) * n ^ 2) & 15) + j];
    x[i] = s;
}
