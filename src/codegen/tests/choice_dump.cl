// Lanes that choose between two addresses all share load from each once, and none gathers; of a table of two likewise.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg u32[64]=range --arg u32[16]=zeros --arg local[64] --arg u32=4 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: @llvm.masked.gather
// CHECK: ret void
kernel void k(global const uint *a, global uint *y, local uint *t, uint n)
{
    uint l = get_local_id(0), sum = 0;

    t[l] = a[l] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint *p = l & 1 ? (const uint *)t : (const uint *)a;
    for (uint i = 0; i < n; i++)
        sum += p[i * 2] ^ i;
    y[l] = sum + a[8 + (l > 5)];
}
