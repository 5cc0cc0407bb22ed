// The twin of uninitialised_vstore.cl: what has a value is read back. Nothing to find.
// RUN: heddle check %s good --global 1 --arg f32[8]=range --arg u32[1]
// CHECK-NOT: [check.

struct pair {
    uint a;
    ushort b;
};

kernel void good(global float *x, global uint *n)
{
    local float kept[8];
    float8 v;
    struct pair p;

    v.lo = vload4(0, x);
    vstore8(v, 0, kept);
    x[0] = kept[3];
    p.b = 1;
    n[0] = p.b;
}
