// A function may be called by some, or from two places, when its barrier is not reached there.
// RUN: heddle check %s left --global 8 --local 8 --arg i32[8]=zeros --arg i32=5 --arg i32=0
// RUN: heddle check %s apart --global 8 --local 8 --arg i32[8]=zeros --arg i32=5 --arg i32=0
// RUN: heddle check %s left --global 8 --local 8 --arg i32[8]=zeros --arg i32=8 --arg i32=1
// CHECK: arg 0: i32[8] = 0, 1, 2, 3, 4

void set(local int *t, int l, int v, int meet)
{
    t[l] = v;
    if (meet)
        barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void left(global int *out, int n, int meet)
{
    local int t[8];
    int l = get_local_id(0);

    if (l >= n)
        return;
    set(t, l, l, meet);
    out[l] = t[l];
}

kernel void apart(global int *out, int n, int meet)
{
    local int t[8];
    int l = get_local_id(0);

    if (l >= n)
        set(t, l, 2 * l, meet);
    else
        set(t, l, l, meet);
    out[l] = t[l];
}
