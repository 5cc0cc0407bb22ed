// The twin of pointer_chosen.cl: nothing to find.
// RUN: heddle check %s good --global 8 --arg i32[8]=range
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    size_t i = get_global_id(0);
    int a[4], b[5];

    for (int n = 0; n < 4; n++) {
        a[n] = io[i] + n;
        b[n] = io[i] - n;
    }
    b[4] = 9;
    const int *p = io[i] & 1 ? a : b;
    io[i] = p[io[i] & 1 ? 3 : 4];
}
