// Sub-groups that are at different places (one is behind a barrier of its own) read a cell; then all meet, and one
// work-item writes it.
// RUN: heddle check %s k --cl -cl-std=CL3.0 --width 8 --global 32 --local 32 --arg 'i32[1]=7' --arg 'i32[32]'
// CHECK-NOT: check.
// CHECK: arg 0: i32[1] = 5
kernel void k(global int *x, global int *out) {
  if (get_sub_group_id() == 0)
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = x[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    x[0] = 5;
}
