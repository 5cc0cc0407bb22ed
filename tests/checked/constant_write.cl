// A store to constant memory, its class cast away.
// RUN: heddle check %s bad --global 1 --arg i32[4]=range --arg i32[1]
// EXIT: 1
// CHECK: [check.read-only]

kernel void bad(constant int *c, global int *out)
{
    global int *p = (global int *)(ulong)c;

    p[0] = 1;
    out[0] = c[1];
}
