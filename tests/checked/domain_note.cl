// What the specification does not promise, and all implementations do.
// RUN: heddle check %s bad --global 1 --arg f32[1]=2 --arg i32[2]=16777216,-8388609 --arg u32[1]=16777216
// CHECK: note: mix with a weight outside 0 to 1: the specification promises nothing [check.domain]
// CHECK: note: a factor of more than 24 bits: the product depends on the implementation [check.domain]
// CHECK: note: a factor of more than 24 bits: the product depends on the implementation [check.domain]
// CHECK: note: a factor of more than 24 bits: the product depends on the implementation [check.domain]
// CHECK: 0 errors, 4 notes

kernel void bad(global float *x, global int *n, global uint *u)
{
    x[0] = mix(1.0f, 3.0f, x[0]);
    n[0] = mul24(n[0], 2);
    n[1] = mad24(n[1], 2, 1);
    u[0] = mul24(u[0], 2u);
}
