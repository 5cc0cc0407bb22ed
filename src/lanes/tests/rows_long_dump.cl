// Lanes load two numbers of 64 bits of their rows at a time where a processor gathers slowly.
// RUN: heddle run %s k --dump asm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: k.kernel:
// CHECK: vunpcklpd
// CHECK: vunpckhpd
kernel void k(global const double *x, global double *sum, int n)
{
    int id = get_global_id(0);
    double s = 0;

    for (int k = 0; k < n; k++)
        s += x[id * n + k];
    sum[id] = s;
}
