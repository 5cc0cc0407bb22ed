// Classes of generic pointers: known from where they come, through loops and choices, or found out when the kernel runs; alike and
// different in the work-items of a sub-group, and where only some of them ask.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=1,0,1,1,0,0,1,0 --arg i32[8]=zeros --arg i32[64]=zeros
// CHECK: arg 2: i32[64] = 6, 1, 11, 3, 1, 1, 2, 1, 6, 1, 11, 3, 1, 0, 0, 0, 6, 1, 11, 3, 1, 1, 2, 1, 6, 1, 11, 3, 1, 1, 2, 1, 6, 1, 11, 3, 1, 0, 0, 0, 6, 1, 11, 3, 1, 0, 0, 0, 6, 1, 11, 3, 1, 1, 2, 1, 6, 1, 11, 3, 1, 0, 0, 0

kernel void k(global const int *which, global int *a, global int *out)
{
    local int l[8];
    int x[4] = {1, 2, 3, 4}, sum = 0;
    size_t i = get_local_id(0);
    int *p = (int *)which, *either = which[i] ? (int *)x : (int *)l, *one = which[0] ? (int *)l : (int *)x;

    l[i] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 6; j++, p++)
        sum += to_global(p) != 0;
    out += i * 8;
    out[0] = sum;
    out[1] = to_private((int *)which) == 0 && to_local((int *)which) == 0;
    sum = 0;
    for (int *q = x; q != x + 4; q++) {
        private int *own = to_private(q);

        sum += own != 0 ? *own : 100;
    }
    out[2] = sum + (to_global((int *)x) == 0);
    out[3] = to_local(one) != 0 ? *to_local(one) : 0;
    out[4] = to_private(one) == 0;
    if (which[i]) {
        out[5] = to_private(either) != 0 && to_local(either) == 0;
        out[6] = to_private(either + 1) == 0 ? 0 : *to_private(either + 1);
        out[7] = (get_fence(either) & CLK_LOCAL_MEM_FENCE) == 0;
    }
}
