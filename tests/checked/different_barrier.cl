// Half of the work-group waits at one barrier, half at another one.
// RUN: heddle check %s bad --global 128 --local 128 --arg i32[128]
// EXIT: 1
// CHECK: work-items of one work-group wait at different barriers{{.*}} [check.different-barrier]

kernel void bad(global int *io)
{
    if (get_local_id(0) < 64) {
        io[get_local_id(0)] = 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
        io[get_local_id(0)] += io[0];
    } else {
        io[get_local_id(0)] = 2;
        barrier(CLK_GLOBAL_MEM_FENCE);
        io[get_local_id(0)] -= 1;
    }
}
