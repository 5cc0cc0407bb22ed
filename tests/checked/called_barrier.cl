// A function that meets the work-group is called by some: told once, at the operation, with the call.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range --arg i32[8]
// EXIT: 1
// CHECK: called_barrier.cl:10:12: error: work-items wait at a barrier or work-group operation
// CHECK: called in bad at
// CHECK: check: 1 error, 0 notes in 1 launch

int sum_of(int x)
{
    return work_group_reduce_add(x);
}

kernel void bad(global const int *a, global int *b)
{
    int l = get_local_id(0);

    b[l] = a[l] < 6 ? sum_of(a[l]) : 0;
}
