// SPDX-License-Identifier: MIT
// A result of ldexp far below the least number is a zero of x's sign (the interpreter made NaN of -0).
// RUN: heddle run %s --global 4 --arg f32[4]=zeros --arg f32[4]=-1,1,-1.5,-1.75 --arg i32[4]=-2000,-2000,-149,-150
// CHECK: arg 0: f32[4] = -0, 0, -3e-45, -1e-45
kernel void k(global float *r, global const float *x, global const int *e)
{
    size_t i = get_global_id(0);

    r[i] = ldexp(x[i], e[i]);
}
