// Half of a vector that is stored by vstore has no value; nor has a number that was made wider.
// RUN: heddle check %s bad --global 1 --arg f32[8]=range --arg u32[1]
// EXIT: 1
// CHECK: the host reads byte 16 of buffer 0, where this kernel stored an undefined value [check.uninitialised]
// CHECK: the host reads byte 0 of buffer 1, where this kernel stored an undefined value [check.uninitialised]

struct pair {
    uint a;
    ushort b;
};

kernel void bad(global float *x, global uint *n)
{
    float8 v;
    struct pair p;

    v.lo = vload4(0, x);
    vstore8(v, 0, x);
    p.a = 1;
    n[0] = p.b;
}
