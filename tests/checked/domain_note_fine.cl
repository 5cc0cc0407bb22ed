// The twin of domain_note.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg f32[1]=1 --arg i32[2]=8388607,-8388608 --arg u32[1]=16777215
// CHECK-NOT: [check.

kernel void good(global float *x, global int *n, global uint *u)
{
    x[0] = mix(1.0f, 3.0f, x[0]);
    n[0] = mul24(n[0], 2);
    n[1] = mad24(n[1], 2, 1);
    u[0] = mul24(u[0], 2u);
}
