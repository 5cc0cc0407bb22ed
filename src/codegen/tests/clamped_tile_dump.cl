// A tile clamps indices at its edges and computes inside: what a lane has chosen that has no part in an access is not
// asked about, so all is contiguous where the others' indices are.
// RUN: heddle run %s --global 16 --local 16 --arg f32[16]=range --arg f32[16]=zeros --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: = or <16 x i1>
// CHECK-NEXT: = bitcast <16 x i1>
// CHECK-NEXT: = icmp eq i16 {{%[0-9]+}}, -1
kernel void k(global const float *a, global float *b)
{
    local float t[16];
    int x = get_local_id(0), left = max(x - 1, 0), right = min(x + 1, 15);

    t[x] = a[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= 1 && x <= 14)
        b[x] = t[left] + t[right];
}
