// Where no row of a group is longer than a sub-group, each begins with its first work-item: which that is need not be counted.
// RUN: heddle run %s k --global 6,8 --local 3,4 --arg f32[48]=zeros --arg f32[48]=range --arg i32=6 --dump llvm
// WIDTHS: 4
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: and i32 {{.*}}, -4
// CHECK: @llvm.masked.store.v4f32
// CHECK: ret void
kernel void __attribute__((reqd_work_group_size(3, 4, 1))) k(global float *out, global const float *in, int w)
{
    local float t[4][3];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);

    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[3 - ly][lx] + t[1][1];
}
