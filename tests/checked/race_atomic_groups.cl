// One work-group sets a counter and a flag behind which it has a barrier: for the other work-groups' atomic operations that is no
// order, though the group's own ones lie between.
// RUN: heddle check %s bad --global 16 --local 8 --threads 1 --arg i32[2] --arg i32[16]
// EXIT: 1
// CHECK: error: an atomic operation of 4 bytes races with a write by another work-item, of another work-group [check.race-atomic]
// CHECK: who: {{.*}}group (1, 0, 0)
// CHECK: written in bad at {{.*}}:14:
// CHECK: error: an atomic operation of 4 bytes races with a read by another work-item, of another work-group [check.race-atomic]
// CHECK: who: {{.*}}group (1, 0, 0)

kernel void bad(global int *count, global int *out)
{
    if (get_global_id(0) == 0) {
        count[0] = 5;
        out[0] = count[1];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&count[0]);
    atomic_dec(&count[1]);
}
