// Built-ins that need a declaration of Heddle's, whose names macros paste together from words that say nothing of it.
// RUN: heddle run %s k --global 8 --local 8 --arg i16[8]=range:-3 --arg i32[8]=zeros --no-print --expect 1=-3,-3,-3,-3,-3,-3,-3,-3
// RUN: heddle run %s groups --cl '-cl-std=CL3.0' --global 4 --local 4 --arg u32[4]=range:1 --no-print --expect 0=7,7,7,7
// WIDTHS: 8
#define GLUE2(a, b)          a##b
#define GLUE(a, b)           GLUE2(a, b)
#define NAMED(a, b, c, d, e) GLUE(GLUE(GLUE(a, b), GLUE(c, d)), e)

kernel void k(global const short *s, global int *out)
{
    size_t i = get_global_id(0);

    out[i] = NAMED(inte, l_sub, _gro, up_red, uce_min)(s[i]);
}

#if __OPENCL_C_VERSION__ >= 300
kernel void groups(global uint *x)
{
    size_t i = get_global_id(0);

    x[i] = NAMED(work_, gr, oup, _redu, ce_or)(x[i]);
}
#endif
