// A sum of even numbers is even: an index that follows it is one element away whether it is extended before or after.
// RUN: heddle run %s --cl=-cl-opt-disable --global 16 --local 16 --arg i32[32]=zeros --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: SEXT
// CHECK-NOT: SEXT
// CHECK: RET
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global int *x)
{
    uint first = (uint)get_group_id(0) * 32 + (uint)get_local_id(0) * 2;

    x[(int)first] = 1;
    x[(int)(first + 1)] = 2;
}
