// What no round loads is stored behind the loop: j < i < t.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg f32[256]=zeros --arg u32=5 --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: PHI f32
// CHECK: LOAD.local
// CHECK: LOAD.local
// CHECK-NOT: STORE
// CHECK: CONDBR
// CHECK: STORE.local
kernel void k(global float *x, uint i)
{
    local float a[16][16];
    uint t = get_local_id(0);

    for (uint r = 0; r < 16; r++)
        a[r][t] = x[r * 16 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t > i)
        for (uint j = 0; j < i; j++)
            a[t][i] -= a[t][j] * a[j][i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 16; r++)
        x[r * 16 + t] = a[r][t];
}
