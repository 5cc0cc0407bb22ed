// Functions that are `inline` and nothing else, with the names of built-ins, which clang-22's back end would call instead
// where calls remain: at -O0, and where a function is too large to be inlined.
// RUN: heddle run %s k --global 1 --arg i32[6]=1,2,3,4,5,6 --expect 0=1001,1002,77,114,5,6
// RUN: heddle run %s k --cl -cl-opt-disable --global 1 --arg i32[6]=1,2,3,4,5,6 --expect 0=1001,1002,77,114,5,6
// CHECK-NOT: {{warning}}
#define OWN inline
inline int popcount(int x) { return x + 1000; }
inline __attribute__((overloadable)) int clz(int x) { return x + 1000; }
OWN float mix(float a, float b, float t)
{
    float sum = 0;

    for (int i = 0; i < (int)t; i++)
        sum += a / (b + i) - (float)(i & 3) * b;
    for (int i = 0; i < (int)a; i++)
        sum += b / (a + i) - (float)(i & 5) * t;
    for (int i = 0; i < (int)b; i++)
        sum += t / (a + i) - (float)(i & 6) * t;
    return sum > 1e30f ? sum : 38;
}
__inline int barrier(int x) { return x + 110; }

kernel void k(global int *o)
{
    o[0] = popcount(o[0]);
    o[1] = clz(o[1]);
    o[2] = (int)(mix(o[2], o[3], o[4]) + mix(o[3], o[3], o[5]) + mix(o[4], o[5], o[2])) - 37;
    o[3] = barrier(o[3]);
}
