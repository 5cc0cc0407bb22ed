// Which lanes wait is known to be none of them wherever a barrier is: no mask is kept across it.
// RUN: heddle run %s --global 64 --local 64 --arg f32[64]=range --arg f32[64]=zeros --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: store i16
// CHECK: attributes #0
kernel void k(global const float *a, global float *b)
{
    local float s[64];
    int l = get_local_id(0);

    s[l] = a[l];
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s[l ^ d] > s[l])
            s[l] += 1;
        for (int k = l; k < d; k++)
            s[l] *= 2;
    }
    b[l] = s[l];
}
