// `id < n` is asked of the last lane alone; no vector of 64-bit ids is made before lanes part.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 32 --local 32 --arg u32[32]=zeros --arg u32=32 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: store <16 x i32>
// CHECK: icmp ult <16 x i64>
// CHECK: masked.store
// CHECK: icmp ult i64
kernel void k(global uint *y, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        y[i] = 7;
}
