// One access with indexes -1 and n is two findings; so are two wrong indexes of one access.
// RUN: heddle check %s shared --global 8 --local 8 --arg i32[8]=fill:1 --arg i32[8]
// RUN: heddle check %s own --global 8 --local 8 --arg i32[8]=fill:1 --arg i32[8]
// RUN: heddle check %s rows --global 8 --local 8 --arg i32[8]=fill:1 --arg i32[8]
// EXIT: 1
// CHECK: of element -1 of an array or vector of
// CHECK: of element {{[48]}} of an array or vector of {{[48]}} [check.index]
// CHECK: check.index                  2 places, 2 times
// CHECK: check: 2 errors, 0 notes
// WIDTHS: 1 8
kernel void shared(global int *a, global int *b)
{
    local int s[8];
    int i = get_local_id(0), n = 0;

    s[i] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = -1; d <= 1; d++)
        n += s[i + d];
    b[i] = n;
}

kernel void own(global int *a, global int *b)
{
    int s[8] = {0};
    int i = get_global_id(0);

    for (int d = -1; d <= 1; d++)
        s[i + d] = a[i];
    b[i] = s[i];
}

kernel void rows(global int *a, global int *b)
{
    local int s[4][8];
    int i = get_local_id(0), n = 0;

    s[i / 2][i % 8] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        n = s[i + 4][i - 1]; /* two indexes, one access */
    b[i] = n;
}
