// What older compilers warn of builds, with a warning: a type left out, an integer as a pointer, a chained comparison.
// RUN: heddle run %s k --global 4 --arg i32[4]=range --arg i32[4]
// CHECK: arg 1: i32[4] = 13, 12, 12, 12
// CHECK: type specifier missing
// CHECK: incompatible integer to pointer conversion
// CHECK: chained comparison
constant zero = 12;

kernel void k(global const int *in, global int *out)
{
    int i = get_global_id(0);
    global int *to = (size_t)out;

    to[i] = zero + (0 < in[i] < 1);
}
