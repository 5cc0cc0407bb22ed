// The same where an included file has them, and the source nothing that tells so; as a kernel that another name begins.
// RUN: heddle run %s k --global 1 --arg i32[3]=zeros --expect 0=77,78,79
// RUN: heddle run %s k --cl -cl-opt-disable --global 1 --arg i32[3]=zeros --expect 0=77,78,79
// RUN: heddle run %s intel_sub_group_broadcast --global 1 --arg i32[1]=zeros --expect 0=80
// CHECK-NOT: {{warning|redefined|prelude}}
#include "own_names.clh"

kernel void k(global int *o)
{
    o[0] = any((int4)(1));
    o[1] = vloada_half(o);
    o[2] = popcount(7);
}

kernel void intel_sub_group_broadcast(global int *o) { *o = 80; }
