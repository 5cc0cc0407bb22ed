// In a loop each lane mostly writes to the line that it wrote to before: no operation with a lock (see few_sets_dump.cl).
// RUN: heddle run %s in_loop --dump asm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: in_loop.kernel:
// CHECK-NOT: lock
// CHECK: scatter
// CHECK-NOT: lock
// CHECK: .size
kernel void in_loop(global const uint *x, global float *out, uint n)
{
    uint i = get_global_id(0);

    for (uint k = 0; k < n; k++)
        out[x[i] * 1024 + k * k % 5] = k;
}
