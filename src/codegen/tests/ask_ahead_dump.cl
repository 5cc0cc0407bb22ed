// Rounds with an atomic for each lane are too long for a processor to see the next ones.
// RUN: heddle run %s k --global 64 --local 16 --arg u8[256]=zeros --arg u32[256]=zeros --arg u32=256 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: call void @llvm.prefetch
// CHECK: ret void
kernel void k(global const uchar *in, global uint *bins, uint n)
{
    local uint counts[256];

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&counts[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[get_local_id(0)] = counts[get_local_id(0)];
}
