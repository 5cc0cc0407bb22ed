// Two work-items write one place.
// RUN: heddle check %s bad --global 64 --local 64 --arg i32[64]
// EXIT: 1
// CHECK: error: a write of 4 bytes races with a write by another work-item of the work-group [check.race]
// CHECK: written in bad
// CHECK: hint: put a barrier

kernel void bad(global int *out)
{
    out[get_global_id(0) / 2] = get_global_id(0);
}
