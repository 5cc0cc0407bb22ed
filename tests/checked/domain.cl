// Functions that have no result for what they are given.
// RUN: heddle check %s bad --global 1 --arg f32[4]=1,2,100000,1e30 --arg i32=5 --arg i32=2 --arg i32[1]=3
// EXIT: 1
// CHECK: error: the host reads byte 0 of buffer 0, where this kernel stored an undefined value [check.domain]
// CHECK: the value comes from a function that has no result for its arguments,
// CHECK: hint: keep the arguments in the function's range
// CHECK: error: the host reads byte 4 of buffer 0, where this kernel stored an undefined value [check.domain]
// CHECK: error: the host reads byte 8 of buffer 0, where this kernel stored an undefined value [check.domain]
// CHECK: error: the host reads byte 12 of buffer 0, where this kernel stored an undefined value [check.domain]
// CHECK: error: the host reads byte 0 of buffer 3, where this kernel stored an undefined value [check.domain]
// CHECK: 5 errors

kernel void bad(global float *x, int low, int high, global int *n)
{
    x[0] = clamp(x[0], (float)low, (float)high);
    x[1] = smoothstep(2.0f, 2.0f, x[1]);
    x[2] = half_sin(x[2]);
    x[3] = fast_normalize((float2)(x[3], x[3])).x;
    n[0] = clamp(n[0], low, high);
}
