// A pointer that is compared with null before it is called.
// RUN: heddle check %s k --global 4 --arg u32[4]=1,1,0,1 --cl -cl-std=CL3.0
// CHECK-NOT: error
// CHECK: arg 0: u32[4] = 8, 8, 0, 8
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef uint (*Step)(uint);
static uint inc(uint x) { return x + 1; }
kernel void k(global uint *io)
{
    Step f = io[get_global_id(0)] != 0 ? inc : (Step)0;
    if (f != 0)
        io[get_global_id(0)] = f(7);
}
