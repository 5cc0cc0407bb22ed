// The twin of pointer_passed.cl: nothing to find.
// RUN: heddle check %s good --global 8 --arg i32[8]=range
// CHECK-NOT: [check.

__attribute__((noinline)) void fill(int *p, int count)
{
    for (int n = 0; n < count; n++)
        p[n] = count;
}

kernel void good(global int *io)
{
    size_t i = get_global_id(0);
    int a[5], b[4];

    fill(b, 4);
    fill(a, io[i] & 1 ? 4 : 5);
    io[i] = a[io[i] & 3] + b[1];
}
