// The twin of domain.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg f32[4]=1,2,100000,1e10 --arg i32=2 --arg i32=5 --arg i32[1]=3
// CHECK-NOT: [check.

kernel void good(global float *x, int low, int high, global int *n)
{
    int none = clamp(n[0], high, low); /* that nobody uses */

    x[0] = clamp(x[0], (float)low, (float)high);
    x[1] = smoothstep(2.0f, 2.5f, x[1]);
    x[2] = half_sin(fmod(x[2], 6.0f));
    x[3] = fast_normalize((float2)(x[3], x[3])).x;
    n[0] = clamp(n[0], low, high);
}
