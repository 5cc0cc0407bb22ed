// Each work-group sets a counter of its own: the twin of race_atomic_groups. A counter that all have is set by nobody.
// RUN: heddle check %s good --global 16 --local 8 --threads 1 --arg i32[3]
// EXIT: 0
// CHECK-NOT: check.
// CHECK: arg 0: i32[3] = 13, 13, 16

kernel void good(global int *count)
{
    size_t group = get_group_id(0);

    if (get_local_id(0) == 0)
        count[group] = 5;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&count[group]);
    atomic_inc(&count[2]);
}
