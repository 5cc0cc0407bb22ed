// An asynchronous copy of as many elements as there are numbers: told, and ended as loops are.
// RUN: heddle check %s bad --global 1 --time-limit 1 --arg i32[4]=range --arg local[16]
// EXIT: 1
// CHECK: [check.out-of-bounds]
// CHECK: [check.time-limit]
kernel void bad(global const int *from, local int *to)
{
    event_t e = async_work_group_copy(to, from, (size_t)-1, 0);

    wait_group_events(1, &e);
}
