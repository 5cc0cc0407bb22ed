// The twin of atomic_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 8 --arg u32[5]
// CHECK-NOT: [check.

kernel void good(global uint *count)
{
    atomic_inc(&count[get_global_id(0) & 4]);
}
