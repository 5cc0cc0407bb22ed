// One work-item sets the counter, and nothing is between that and the others' atomic operations.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: races with a write by another work-item of the work-group [check.race-atomic]

kernel void bad(global int *out)
{
    local int count;

    if (get_local_id(0) == 0)
        count = 0;
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count;
}
