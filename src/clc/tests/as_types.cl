// as_type are functions of OpenCL C, though macros to the compiler: a source may have macros of their names, which may
// call them, and may ask whether there are some.
// RUN: heddle run %s k --global 1 --arg i32[10]=zeros --expect 0=0x3f800001,5,6,7,2,0x40000000,1,0,0x7c00,0x3ff00000
// RUN: heddle run %s k --cl=-Werror --cl=-cl-std=CL3.0 --cl=-cl-opt-disable --global 1 --arg i32[10]=zeros --expect 0=0x3f800001,5,6,7,2,0x40000000,1,0,0x7c00,0x3ff00000
// RUN: heddle run %s k --cl=-g --cl=-cl-std=CLC++2021 --cl=-DCXX --global 1 --arg i32[10]=zeros --expect 0=0x3f800001,5,6,7,2,0x40000000,1,0,0x7c00,0x3ff00000
// CHECK-NOT: {{warning|redefined|prelude}}
#define as_int4(x) (as_int4(x) + 1)
#define as_float(x) 5.0f
#define as_uchar4(x) ((x) + 1)
  # undef as_ushort
#if defined(as_float3) || defined as_uint2
#define ASKED 8
#else
#define ASKED 7
#endif
#ifndef as_long
#define as_long(x) 2
#endif
#define UINT(x) as_uint(x)
#ifdef as_half
#error as_half is no macro
#endif

kernel void k(global int *o)
{
    o[0] = as_int4((float4)(1)).y;
    o[1] = as_float(1);
    o[2] = as_uchar4(5);
    o[3] = ASKED;
    o[4] = as_long(1);
    o[5] = UINT(2.0f);
    o[6] = as_float3((int4)(1, 2, 3, 4)).x == UINT(0) + 1.40129846e-45f;
    o[7] = as_uint2((char8)(0)).y;
    o[8] = as_ushort(as_half((short)0x7c00));
    o[9] = as_int2(1.0).y;
}
