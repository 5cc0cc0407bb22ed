// The upper half of a number whose lower half alone has a value, and the component that a vector of three lacks, in two ways.
// RUN: heddle check %s bad --global 1 --arg u32[4]=1,2,3,4 --arg f32[4]=1,2,3,4
// EXIT: 1
// CHECK: the host reads byte 4 of buffer 0, where this kernel stored an undefined value [check.uninitialised]
// CHECK: the host reads byte 0 of buffer 1, where this kernel stored an undefined value [check.uninitialised]
// CHECK: the value is undefined,
// CHECK: the host reads byte 4 of buffer 1, where this kernel stored an undefined value [check.uninitialised]

union both {
    uint low;
    ulong all;
};

kernel void bad(global uint *io, global float *x)
{
    union both u;

    u.low = io[0];
    io[1] = (uint)(u.all >> 32);
    x[0] = as_float4(vload3(0, x)).w;
    x[1] = vload3(0, x + 1).hi.y;
}
