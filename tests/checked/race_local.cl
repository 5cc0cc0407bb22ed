// A neighbour is read without a barrier.
// RUN: heddle check %s bad --global 64 --local 64 --arg i32[64]
// EXIT: 1
// CHECK: races with a {{write|read}} by another work-item of the work-group [check.race]

kernel void bad(global int *out)
{
    local int a[64];
    size_t i = get_local_id(0);

    a[i] = i;
    out[i] = a[63 - i];
}
