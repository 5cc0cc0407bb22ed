// Bits without a value that are cut off, and bytes between members that are copied along.
// RUN: heddle check %s good --global 4 --arg i32[4] --arg bytes[32]=0000000000000000000000000000000000000000000000000000000000000000
// CHECK-NOT: check.

struct S {
    char c;
    int i;
};

kernel void good(global int *out, global struct S *copies)
{
    struct S s, t;
    int x;

    s.c = 1;
    s.i = 2;
    t = s;
    copies[get_global_id(0)] = t;
    out[get_global_id(0)] = (x | 0x100) & 0x100;
}
