// A kernel that is for work-groups of 16 is launched with them.
// RUN: heddle check %s k --global 32 --local 16 --arg i32[32]
// CHECK-NOT: [launch.

kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global int *out)
{
    out[get_global_id(0)] = 1;
}
