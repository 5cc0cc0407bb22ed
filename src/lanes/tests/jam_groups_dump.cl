// Rows of a work-group that a work-item does together share what they load from local memory: 16 sums for each load of the right tile. Where
// that is all of the group, nobody waits, and sums stay in registers from tile to tile.
// RUN: heddle run %s product --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=16 --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: PHI f32
// CHECK: FENCE
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: LOAD.local f32
// CHECK-NOT: CTX_SET
// CHECK: RET
kernel void __attribute__((reqd_work_group_size(16, 16, 1))) product(global float *out, global const float *a, global const float *b, int n)
{
    local float left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int t = 0; t < n; t += 16) {
        left[y][x] = a[row * 64 + t + x];
        right[y][x] = b[(t + y) * 64 + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * 64 + column] = sum;
}
