// In C++ for OpenCL functions overload the built-ins of their name without an attribute; in a namespace they hide them.
// RUN: heddle run %s k --cl=-cl-std=CLC++2021 --global 1 --arg f32[4]=zeros --arg i32[5]=zeros --arg i16[1]=-2 --expect 0=204,3,1,8 --expect 1=1,0,42,-2,2147483647
// RUN: heddle run %s k --cl=-cl-std=CLC++1.0 --cl=-cl-opt-disable --global 1 --arg f32[4]=zeros --arg i32[5]=zeros --arg i16[1]=-2 --expect 0=204,3,1,8 --expect 1=1,0,42,-2,2147483647
// CHECK-NOT: {{warning|redefined|prelude}}
struct Pair {
    int a, b;
};
float dot(float8 a, float8 b) { return dot(a.lo, b.lo) + dot(a.hi, b.hi); }
uint abs(Pair x) { return x.a; }
int any(Pair x) { return x.b; }
int4 convert_int4(Pair x) { return (int4)(x.a); }
template <typename T> T mix(T a, T b) { return a + b; }
namespace own {
int clamp(int x) { return x + 1; }
}

kernel void k(global float *f, global int *o, global const short *s)
{
    float8 v = (float8)(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f);
    Pair p = {1, 42};

    f[0] = dot(v, v);
    f[1] = mix(1.0f, 5.0f, 0.5f);
    f[2] = abs(p);
    f[3] = own::clamp(7) + clamp(0, -1, 1);
    o[0] = any((int2)((int)s[0]));
    o[1] = any((int2)((int)s[0] + 9));
    o[2] = any(p);
    o[3] = convert_int4((short4)(s[0])).x;
    o[4] = convert_int4_sat((uint4)((uint)s[0])).y * convert_int4(p).x;
}
