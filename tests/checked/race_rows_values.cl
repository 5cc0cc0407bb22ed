// Different values in no order are errors, where all that execute together have places of their own, and where
// one is alone.
// RUN: heddle check %s rows --global 192 --local 192 --arg i32[64]=zeros
// RUN: heddle check %s wide --global 192 --local 192 --arg u64[64]=zeros
// RUN: heddle check %s bytes --global 192 --local 192 --arg u8[64]=zeros
// RUN: heddle check %s vectors --global 192 --local 192 --arg f32[256]=zeros
// RUN: heddle check %s alone --global 130 --local 65 --arg i32[8]=zeros
// RUN: heddle check %s leave --global 192 --local 192 --arg i32[1]=zeros
// RUN: heddle check %s structures --global 8 --local 8 --arg i32[3]=zeros --arg i32[24]=range
// EXIT: 1
// CHECK: error: {{.*}} races with a write by another work-item of the work-group [check.race]

kernel void rows(global int *flags)
{
    flags[get_local_id(0) % 64] = get_local_id(0);
}

kernel void wide(global ulong *flags)
{
    flags[get_local_id(0) % 64] = get_local_id(0);
}

kernel void bytes(global uchar *flags)
{
    flags[get_local_id(0) % 64] = get_local_id(0);
}

kernel void vectors(global float4 *flags)
{
    flags[get_local_id(0) % 64] = get_local_id(0);
}

// The last work-item executes alone.
kernel void alone(global int *counts)
{
    local int sum;

    sum = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = sum;
}

// The last work-item of each row, in a loop that the others have left.
kernel void leave(global int *flag)
{
    for (int i = 0; i < get_local_id(0) % 64; i++)
        if (i == 62)
            flag[0] = get_local_id(0);
}

struct pixel {
    int x, y;
    float light;
};

kernel void structures(global struct pixel *to, global const struct pixel *from)
{
    *to = from[get_local_id(0)];
}
