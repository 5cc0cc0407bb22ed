// Variables that start with zeros, and the padding of those that start with values: clang-22 copies both from an array of bytes, with the
// variable's alignment instead of the bytes'. Constants of odd sizes stand before it, so that its address is odd.
// SPDX-License-Identifier: MIT
// RUN: heddle check %s zero --global 3 --arg u32[4]=range --arg u32[3]=zeros --expect 1=2,3,1
// CHECK-NOT: check.misaligned
// RUN: heddle check %s padded --global 3 --arg u32[4]=range --arg u32[3]=zeros --expect 1=47,149,251
// CHECK-NOT: check.misaligned
// RUN: heddle run %s zero --global 3 --arg u32[4]=range --arg u32[3]=zeros --cl -cl-opt-disable --expect 1=2,3,1
// RUN: heddle run %s padded --global 3 --arg u32[4]=range --arg u32[3]=zeros --cl -cl-opt-disable --expect 1=47,149,251
typedef struct {
    float8 a;
    char c;
    float8 b[3];
} Big;
typedef struct {
    char z[3];
} Odd;
typedef struct {
    char c;
    float3 v;
    int3 a[2];
    short s;
} Padded;
constant Odd odd = {{1, 2, 3}};

kernel void zero(global const uint *in, global uint *out)
{
    uint i = get_global_id(0);
    Big t = {0};
    Odd s = odd;

    out[i] = t.c + (int)t.b[i].s3 + s.z[in[i + 1] % 3];
}

kernel void padded(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), x = in[i];
    Odd s = odd;
    Padded p = {x, (float3)(x * 100), {(int3)(x), (int3)(1, 2, x)}, x + 44};

    out[i] = (uint)p.v.z + p.a[1].y + p.s + s.z[0] + p.c;
}
