// Volatile accesses of neighbours are those of one vector, as others are: no gathers and scatters.
// RUN: heddle run %s --global 64 --local 16 --arg u32[64]=range --arg local[64] --arg u32=64 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: load volatile <16 x i32>
// CHECK: ret void
kernel void k(volatile global uint *a, volatile local uint *own, uint n)
{
    uint i = get_global_id(0), t = get_local_id(0);

    own[t] = a[i];
    if (i < n)
        own[t] += 3;
    a[i] = own[t];
}
