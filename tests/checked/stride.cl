// A copy whose elements all go to one place.
// RUN: heddle check %s bad --global 4 --local 4 --arg i32[4]=range
// EXIT: 1
// CHECK: error: an asynchronous copy of 4 elements with a stride of 0 [check.stride]
// CHECK: hint: pass a stride of one element or more

kernel void bad(global int *io)
{
    local int to[4];
    event_t e = async_work_group_strided_copy(to, io, 4, 0, 0);

    wait_group_events(1, &e);
}
