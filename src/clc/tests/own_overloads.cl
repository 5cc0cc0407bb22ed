// Functions of a source that overload built-ins, of those that Heddle replaces (any, convert_…), and of others: the
// built-ins of the name are still there and right, chosen by types; one of the same types is the source's.
// RUN: heddle run %s k --global 1 --arg f32[3]=1,0,0 --arg i32[18]=zeros --arg i16[1]=-2 --expect 0=2.5,212,38 --expect 1=42,3,55,1,0,66,0,1,9,-2,4,2147483647,-7,3,9,0x3f800000,7,1
// RUN: heddle run %s k --cl=-cl-opt-disable --cl=-cl-std=CL3.0 --cl=-Werror --global 1 --arg f32[3]=1,0,0 --arg i32[18]=zeros --arg i16[1]=-2 --expect 0=2.5,212,38 --expect 1=42,3,55,1,0,66,0,1,9,-2,4,2147483647,-7,3,9,0x3f800000,7,1
// RUN: heddle run %s k --cl=-g --cl=-cl-std=CL2.0 --global 1 --arg f32[3]=1,0,0 --arg i32[18]=zeros --arg i16[1]=-2 --expect 0=2.5,212,38 --expect 1=42,3,55,1,0,66,0,1,9,-2,4,2147483647,-7,3,9,0x3f800000,7,1
// CHECK-NOT: {{warning|redefined|prelude}}
#define MANY __attribute__((overloadable))

float MANY atomic_add(volatile global float *p, float v)
{
    float before = *p;

    *p = before + v;
    return before;
}
typedef int4 Four;
static int MANY all(Four v) { return 55; }
int MANY any(short2 v) { return 66; }
int any(float4 v) MANY;
int any(float4 v) MANY { return 42; }
int4 MANY convert_int4(short4 v) { return (int4)(9); }
float MANY min(float2 a, float b, int c) { return min(a.x, b) + min(c, 3); }
float MANY dot(float8 a, float8 b) { return dot(a.lo, b.lo) + dot(a.hi, b.hi); }
uint MANY abs(double x) { return 77; }
int MANY max(int a) { return -a; }
struct s { int any; };
int MANY abs(struct s x) { return x.any; }

kernel void k(global float *f, global int *o, global const short *s)
{
    float8 v = (float8)(1, 2, 3, 4, 5, 6, 7, 8);
    struct s t = {.any = 7};

    atomic_add(f, 1.5f);
    f[1] = dot(v, v) + 8;
    f[2] = dot(v.lo, v.lo) + 8;
    o[0] = any((float4)(1));
    o[1] = 3;
    atomic_add(o + 1, 0);
    o[2] = all((int4)(1));
    o[3] = all((int2)(s[0]));
    o[4] = all((int2)(s[0] + 9));
    o[5] = any((short2)(1));
    o[6] = any((short4)(1));
    o[7] = any((short4)(s[0]));
    o[8] = convert_int4((short4)(s[0])).x;
    o[9] = convert_int4((char4)(s[0])).x;
    o[10] = min((float2)(2), 1.0f, 4);
    o[11] = convert_int4_sat((uint4)(s[0])).y;
    o[12] = max(max(7, s[0] + 0));
    o[13] = abs(s[0] - 1);
    o[14] = max(s[0] + 0, 9);
    o[15] = as_int(1.0f);
    o[16] = abs(t);
    o[17] = all((char16)(s[0]));
}
