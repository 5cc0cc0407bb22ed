// Built-ins are no macros to a source: what it asks about macros of their names, removes, or defines by themselves means
// its own. The built-ins that are left are still those that Heddle replaces.
// RUN: heddle run %s k --global 1 --arg i32[12]=zeros --arg u16[1]=0xffff --arg i16[1]=-2 --expect 0=1,7,65535,-2,65536,-1,3,65535,10,11,21,48
// RUN: heddle run %s k --cl=-DOWN=21 --cl=-DONLY=OWN --cl=-g --cl=-Werror --global 1 --arg i32[12]=zeros --arg u16[1]=0xffff --arg i16[1]=-2 --expect 0=1,7,65535,-2,65536,-1,3,65535,10,11,21,48
// RUN: heddle run %s k --cl=-cl-opt-disable --cl=-cl-std=CL3.0 --global 1 --arg i32[12]=zeros --arg u16[1]=0xffff --arg i16[1]=-2 --expect 0=1,7,65535,-2,65536,-1,3,65535,10,11,21,48
// CHECK-NOT: {{warning|redefined|prelude|plain}}
#ifndef all
#define all(x) ((x) != 0)
#endif
#if defined(convert_int) || defined barrier || defined(atomic_init)
#define ASKED 8
#elif defined(any)
#define ASKED 9
#else
#define ASKED 7
#endif
#undef convert_uint
  # undef convert_int
#define convert_ulong(x) \
    (convert_ulong(x) + 1)
#define convert_long(x) 5
#undef convert_long
#pragma push_macro("convert_uint")
#define convert_uint(x) 3
static int early(ushort x)
{
    return convert_uint(x);
}
#pragma pop_macro("convert_uint")
#define any(x) (10 + any(x))
#ifndef OWN
#define OWN 21
#endif

kernel void k(global int *o, global const ushort *u, global const short *s)
{
    o[0] = all(5);
    o[1] = ASKED;
    o[2] = convert_uint(u[0]);
    o[3] = convert_int(s[0]);
    o[4] = convert_ulong(u[0]);
    o[5] = (int)convert_long(s[0]) + 1;
    o[6] = early(u[0]);
    o[7] = convert_uint(u[0]);
    o[8] = any((int4)(1, 2, 4, s[0] + 9));
    o[9] = any((int4)(s[0], 2, 4, 5));
    o[10] = OWN;
    o[11] = __LINE__;
}
