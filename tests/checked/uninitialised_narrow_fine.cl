// The twin of uninitialised_narrow.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg u32[4]=1,2,3,4 --arg f32[4]=1,2,3,4
// CHECK-NOT: [check.

union both {
    uint low;
    ulong all;
};

kernel void good(global uint *io, global float *x)
{
    union both u;

    u.low = io[0];
    io[1] = (uint)u.all;
    io[2] = (ushort)u.all;
    x[0] = as_float4(vload3(0, x)).z;
    x[1] = vload3(0, x + 1).hi.x;
}
