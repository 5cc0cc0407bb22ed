// An endless loop on a way that no work-item goes: those that a branch sends past it go on.
// RUN: heddle run %s error --global 8 --arg i32[8]=range --arg i32[8]=zeros --expect 0=7,8,9,10,11,12,13,14 --expect 1=0,0,1,3,6,10,15,21
// RUN: heddle run %s cases --global 8 --arg i32[8]=range --expect 0=1,3,9,9,9,9,9,9
// RUN: heddle run %s rows --global 32,32 --local 16,8 --arg f32[1024]=zeros --arg f32[1024]=range:0:0.25 --arg f32[1024]=range:-9:0.5 --arg i32=32
// RUN: heddle run %s nested --global 8 --arg i32[8]=range --expect 0=10,2,12,6,14,10,16,14

kernel void error(global int *a, global int *sum)
{
    int i = get_global_id(0);

    if (a[i] == 12345) {
        sum[i] = 9;
        for (;;)
            ;
    }
    for (int j = 0; j < a[i]; j++)
        sum[i] += j;
    a[i] += 7;
}

kernel void cases(global int *a)
{
    int i = get_global_id(0), r;

    switch (a[i]) {
    case 0:
        r = 1;
        break;
    case 1:
        r = 3;
        break;
    case 77:
        a[i] = 5;
        while (1)
            a[i + 1]++;
    default:
        r = 9;
    }
    a[i] = r;
}

kernel void nested(global int *a)
{
    int i = get_global_id(0);

    if (a[i] & 1) {
        if (a[i] > 100) {
            a[i] = 0;
            for (;;)
                ;
        }
        a[i] *= 2;
    } else {
        a[i] += 10;
    }
}

// Rows that are done together, and could all loop for ever.
kernel void __attribute__((reqd_work_group_size(16, 8, 1))) rows(global float *out, global const float *a, global const float *b, int n)
{
    local float left[8][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int t = 0; t < n; t += 16) {
        left[y][x] = a[row * n + t + x];
        for (int i = y; i < min(n, 16); i += 8)
            right[i][x] = b[(t + i) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * n + column] = sum;
    if (row >= n)
        for (;;)
            out[column] += 1;
}
