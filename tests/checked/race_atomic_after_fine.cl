// What atomic operations have changed is read behind a barrier, and by who was alone with it: the twin of race_atomic_after.
// RUN: heddle check %s good --global 16 --local 8 --width 8 --arg i32[2] --arg i32[16] --arg i32[2]
// EXIT: 0
// CHECK-NOT: check.
// CHECK: arg 2: i32[2] = 8, 8

kernel void good(global int *count, global int *own, global int *out)
{
    size_t i = get_local_id(0), group = get_group_id(0);

    atomic_inc(&count[group]);
    atomic_inc(&own[get_global_id(0)]);
    atomic_inc(&own[get_global_id(0)]);
    own[get_global_id(0)] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 7)
        out[group] = count[group];
}
