// A work-item reads what it and others have changed atomically: its own operation is before, theirs are not.
// RUN: heddle check %s bad --global 8 --local 8 --width 8 --arg i32[1] --arg i32[2]
// EXIT: 1
// CHECK: error: a read of 4 bytes races with an atomic write by another work-item of the work-group [check.race-atomic]
// CHECK: who: work-item (7, 0, 0)
// CHECK: variable: count
// CHECK: written by several work-items in atomic_inc at {{.*}}:19:
// CHECK: error: a write of 4 bytes races with an atomic write by another work-item of the work-group [check.race-atomic]
// CHECK: variable: ticket

kernel void bad(global int *count, global int *out)
{
    local int ticket;
    size_t i = get_local_id(0);

    if (i == 0)
        ticket = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(count);
    if (i == 7)
        out[0] = *count;
    atomic_inc(&ticket);
    if (i == 7)
        ticket = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        out[1] = ticket;
}
