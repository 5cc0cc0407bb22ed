// Lanes do not wait for each other: the place is another one in each round, or what was there is not asked for, all of them meet at a barrier before anything is stored
// there, or one work-item gets to the loop alone.
// RUN: heddle run %s roots --global 16 --local 16 --arg i32[16]=zeros --arg i32[16]=zeros --dump ir
// RUN: heddle run %s meeting --global 16 --local 16 --arg i32[1]=fill:1 --arg i32[16]=zeros --dump ir
// RUN: heddle run %s counted --global 16 --local 16 --arg i32[16]=zeros --arg i32[16]=zeros --arg i32[1]=zeros --dump ir
// RUN: heddle run %s leader --global 16 --local 16 --arg i32[3]=fill:1 --dump ir
// WIDTHS: 1
// ENGINES: compiled
// CHECK: needs_fibers {
kernel void roots(volatile global int *parent, global int *out)
{
    int i = get_global_id(0);

    while (parent[i] != i)
        i = parent[i];
    out[get_global_id(0)] = i;
    atomic_min(parent + i, i);
}

kernel void meeting(volatile global int *flag, global int *out)
{
    while (*flag == 0)
        ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
    *flag = 1;
}

kernel void counted(volatile global int *parent, global int *out, volatile global int *steps)
{
    int i = get_global_id(0);

    while (parent[i] != i) {
        i = parent[i];
        atomic_inc(steps);
    }
    out[get_global_id(0)] = i;
    atomic_inc(steps);
}

kernel void leader(volatile global int *state)
{
    if (get_local_id(0) == 0) {
        while (state[get_group_id(0)] == 0)
            ;
        state[get_group_id(0) + 1] = 1;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
