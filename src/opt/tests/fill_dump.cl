// A work-item that runs alone fills by stores under a mask, 64 bytes at a time.
// RUN: heddle run %s k --dump lanes,asm
// WIDTHS: 1
// CPU: znver5
// ENGINES: compiled
// CHECK: MEMSET.global
// CHECK: k.kernel:
// CHECK: vmovdqu8{{.*}}{%k1}
kernel void k(global const int *n, global uchar *out, int c)
{
    int id = get_global_id(0), from = n[id], to = n[id + 1];

    for (int i = from; i < to; i++)
        out[i] = c;
}
