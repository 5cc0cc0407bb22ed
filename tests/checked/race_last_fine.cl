// All work-groups read a cell and then count themselves; the last one, which has acquired what the others released, may
// write it.
// RUN: heddle check %s k --cl -cl-std=CL3.0 --global 32 --local 8 --arg 'i32[1]=7' --arg 'u32[1]' --arg 'i32[32]'
// CHECK-NOT: check.
// CHECK: arg 0: i32[1] = 5
kernel void k(global int *x, global atomic_uint *count, global int *out) {
  out[get_global_id(0)] = x[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1)
    x[0] = 5;
}
