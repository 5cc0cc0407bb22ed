// Of short rounds a processor sees several at a time: nothing is asked for.
// RUN: heddle run %s --global 64 --local 16 --arg f32[256]=zeros --arg f32[256]=zeros --arg u32=256 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: prefetch
// CHECK: ret void
kernel void k(global const float *in, global float *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] += in[i];
}
