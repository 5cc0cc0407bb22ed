// A kernel that asks for no id is for a work-item alone, unless it counts work-items. Sixteen iterations of the loop over j,
// which load side by side, run in one loop over k; where they are rows it is eight, and a loop whose sums LLVM makes vectors of
// stays as it is.
// RUN: heddle run %s products --dump lanes
// RUN: heddle run %s rows --dump lanes
// RUN: heddle run %s sums --dump lanes
// RUN: heddle run %s counts --dump lanes
// RUN: heddle run %s asks --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"{{(products|rows|sums)" \(\) -> \(\) width 1 |(counts|asks)" \(\) -> \(\) width (16|32) }}{
// CHECK: {{FMA f32|LOAD.constant i32|RMW|STORE}}
kernel void products(constant float *a, constant float *b, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s += a[k] * b[k * n + j];
        c[j] = s;
    }
}

kernel void rows(constant float *a, constant float *x, global float *y, int n)
{
    for (int r = 0; r < n; r++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s += a[r * n + k] * x[k];
        y[r] = s;
    }
}

kernel void sums(constant int *a, global int *y, int n)
{
    for (int r = 0; r < n; r++) {
        int s = 0;

        for (int k = 0; k < n; k++)
            s += a[r * n + k];
        y[r] = s;
    }
}

kernel void counts(global int *c)
{
    atomic_inc(c);
}

kernel void asks(global float *c)
{
    c[get_global_id(0)] *= 2;
}
