// Bounds of a tile: one test finds that all rows pass, for which 16 loads stand side by side without a mask, and their 16 stores behind them in
// memory or registers: nobody else loads what a lane stores to `right`. Rows that do not agree go through one masked load in a loop.
// RUN: heddle run %s product --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg f32[4096]=zeros --arg u32=64 --arg u32=64 --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: CONST i32 imm 4294901761
// CHECK: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK-NEXT: LOAD.global f32 imm
// CHECK: LOAD.global f32 masked
// CHECK-NOT: LOAD.global f32 masked
// CHECK: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NEXT: STORE.local void
// CHECK-NOT: STORE.local void
// CHECK: FENCE
// CHECK-NOT: STORE.local void
// CHECK: RET
kernel void __attribute__((reqd_work_group_size(16, 16, 1))) product(global float *out, global const float *a, global const float *b, uint rows, uint n)
{
    local float left[16][16], right[16][16];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (uint t = 0; t < n; t += 16) {
        left[y][x] = row < rows && t + x < n ? a[row * n + t + x] : 0;
        right[y][x] = t + y < n && column < n ? b[(t + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * n + column] = sum;
}
