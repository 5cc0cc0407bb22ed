// as_type are functions of OpenCL C, though macros to the compiler, also in files that a source includes.
// RUN: heddle run %s k --global 1 --arg i32[4]=zeros --expect 0=0x40600000,7,0x3f800000,2
// RUN: heddle run %s k --cl=-Werror --cl=-cl-opt-disable --global 1 --arg i32[4]=zeros --expect 0=0x40600000,7,0x3f800000,2
// RUN: heddle run %s k --cl=-g --cl=-cl-std=CLC++ --global 1 --arg i32[4]=zeros --expect 0=0x40600000,7,0x3f800000,2
// CHECK-NOT: {{warning|redefined|prelude}}
#include "as_included.clh"

kernel void k(global int *o)
{
    o[0] = as_int(as_float(3));
    o[1] = ASKED;
    o[2] = as_int(1.0f);
    o[3] = as_long(1.0);
}
