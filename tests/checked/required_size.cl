// A kernel that is for work-groups of 16 is launched with 8.
// RUN: not heddle check %s k --global 16 --local 8 --arg i32[16]
// CHECK: requires a local size of 16, 1, 1 [launch.local-size]

kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global int *out)
{
    out[get_global_id(0)] = 1;
}
