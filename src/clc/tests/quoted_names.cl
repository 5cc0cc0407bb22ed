// Names of built-ins that Heddle replaces, as strings that macros make of their arguments: as the source has them.
// RUN: heddle run %s k --global 1 --arg i8[48]=zeros --arg i32[2]=zeros --arg i16[1]=-2
// RUN: heddle run %s k --cl=-cl-opt-disable --cl=-cl-std=CL2.0 --global 1 --arg i8[48]=zeros --arg i32[2]=zeros --arg i16[1]=-2
// RUN: heddle run %s k --cl=-g '--cl=-DQUOTE(x)=#x' --global 1 --arg i8[48]=zeros --arg i32[2]=zeros --arg i16[1]=-2
// CHECK: any(v) convert_int4 barrier(1) vloada_half(0,p) # all(v)
// CHECK: 1 -2
// CHECK-NOT: {{heddle_|warning}}
#ifndef QUOTE
#define QUOTE(x) #x
#endif
#define TEXT(x) QUOTE(x)
#define SAY(x) printf("%s ", TEXT(x))

kernel void k(global char *c, global int *o, global const short *s)
{
    constant char *last = QUOTE(all(v)); // not expanded

    SAY(any(v));
    SAY(convert_int4);
    SAY(barrier(1));
    SAY(vloada_half(0,p));
    printf("# %s\n", last);
    printf("%d %d\n", any((int2)(s[0])), convert_int4((short4)(s[0])).x);
}
