// One load in a round: the least so far is known.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --dump ir
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --cl=-O0 --dump ir
// RUN: heddle run %s narrow --cl=-cl-std=CL3.0 --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: PHI f32
// CHECK: LOAD.global f32
// CHECK-NOT: LOAD.global
// CHECK: SELECT f32
// CHECK-NOT: LOAD.global
// CHECK: CONDBR
kernel void k(global const float *a, global int *y, int n)
{
    global const float *x = a + get_global_id(0) * n;
    int least = 0;

    for (int j = 1; j < n; j++)
        if (x[j] < x[least])
            least = j;
    y[get_global_id(0)] = least;
}

kernel void narrow(global const float *a, global int *y, int n)
{
    int row = get_global_id(0) * n, least = 0;

    for (int j = 1; j < n; j++)
        if (a[row + j] < a[row + least])
            least = j;
    y[get_global_id(0)] = least;
}
