// Calls through a null pointer, and through a number that is no function.
// RUN: heddle check %s null --global 4 --arg u32[4]=1,1,0,1 --cl -cl-std=CL3.0
// RUN: heddle check %s number --global 4 --arg u64[4]=1,1,1,1 --cl -cl-std=CL3.0
// EXIT: 1
// CHECK: function_pointer.cl:{{13|20}}{{.*}}[check.function-pointer]
#if __OPENCL_C_VERSION__ >= 300 // in earlier versions clang 22.1 dies of the casts
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef uint (*Step)(uint);
static uint inc(uint x) { return x + 1; }
kernel void null(global uint *io)
{
    Step f = io[get_global_id(0)] != 0 ? inc : (Step)0;
    io[get_global_id(0)] = f(7);
}

kernel void number(global ulong *io)
{
    size_t i = get_global_id(0);
    Step f = (Step)(io[i] * 4096), g = inc;
    io[i] = f(7) + g(8);
}
#endif
