// Two work-groups write one place.
// RUN: heddle check %s bad --global 8 --local 4 --arg i32[4]
// EXIT: 1
// CHECK: races with a write by another work-item, of another work-group [check.race]

kernel void bad(global int *out)
{
    out[get_local_id(0)] = get_global_id(0);
}
