// Iterations of an outer loop that may run together, with any number of them left over, and those that may not: what they
// store is what the next one loads, or loads again, they go different ways, or leave a value behind.
// RUN: heddle run %s products --global 1 --arg f32[1600]=random:1 --arg f32[1600]=random:2 --arg f32[1600]=zeros --arg i32=1
// RUN: heddle run %s products --global 1 --arg f32[1600]=random:1 --arg f32[1600]=random:2 --arg f32[1600]=zeros --arg i32=15
// RUN: heddle run %s products --global 1 --arg f32[1600]=random:1 --arg f32[1600]=random:2 --arg f32[1600]=zeros --arg i32=16
// RUN: heddle run %s products --global 1 --arg f32[1600]=random:1 --arg f32[1600]=random:2 --arg f32[1600]=zeros --arg i32=40
// RUN: heddle run %s whole --global 1 --arg i32[1600]=random:1 --arg i32[1600]=random:2 --arg i32[1600]=zeros --arg i32=35
// RUN: heddle run %s rows --global 5 --arg f64[1520]=random:1 --arg f64[38]=random:2 --arg f64[40]=zeros --arg i32=38
// RUN: heddle run %s backwards --global 1 --arg f32[120]=random:1 --arg f32[70]=zeros --arg i32=53
// RUN: heddle run %s in_place --global 1 --arg f32[120]=random:1 --arg f32[70]=random:2 --arg i32=50
// RUN: heddle run %s from_before --global 1 --arg f32[120]=random:1 --arg f32[70]=random:2 --arg i32=50
// RUN: heddle run %s by_halves --global 1 --arg f32[120]=random:1 --arg f32[70]=random:2 --arg i32=50
// RUN: heddle run %s again --global 1 --arg f32[120]=random:1 --arg f32[70]=random:2 --arg i32=50
// RUN: heddle run %s same_place --global 1 --arg f32[120]=random:1 --arg f32[70]=random:2 --arg i32=50
// RUN: heddle run %s inside --global 1 --arg f32[120]=random:1 --arg f32[700]=random:2 --arg i32=50
// RUN: heddle run %s last --global 1 --arg f32[120]=random:1 --arg f32[70]=zeros --arg i32=50
// RUN: heddle run %s triangle --global 1 --arg f32[120]=random:1 --arg f32[70]=zeros --arg i32=50
// RUN: heddle run %s odd --global 1 --arg f32[120]=random:1 --arg f32[70]=zeros --arg i32=50 --arg i32=5
// RUN: heddle run %s short_numbers --global 1 --arg f32[400]=random:1 --arg f32[300]=zeros --arg u8=250
// RUN: heddle run %s chosen --global 1 --arg f32[120]=random:1 --arg f32[70]=zeros --arg i32=50 --arg i32=5
// WIDTHS: 1 8
kernel void products(constant float *a, constant float *b, global float *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;

            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

kernel void whole(constant int *a, constant int *b, global int *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = j;

            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

kernel void rows(constant double *a, constant double *x, global double *y, int n)
{
    int first = get_global_id(0) * 8;

    for (int r = first; r < first + 8; r++) {
        double s = 0;

        for (int k = 0; k < n; k++)
            s += a[r * n + k] * x[k];
        y[r] = s;
    }
}

kernel void backwards(constant float *a, global float *c, int n)
{
    for (int j = n; j > 0; j--) {
        float s = j;

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        c[j] = s;
    }
}

kernel void in_place(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = c[j];

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        c[j] = s;
    }
}

kernel void from_before(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = c[j];

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        c[j + 3] = s;
    }
}

kernel void by_halves(constant float *a, global float *c, int n)
{
    global char *to = (global char *)c;

    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        *(global ushort *)(to + 2 * j) = (ushort)(s * 1000);
        to[2 * j + 2] = (char)j;
    }
}

kernel void again(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k] * c[k];
        c[j] = s;
    }
}

kernel void same_place(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        c[j & 7] = s;
    }
}

kernel void inside(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++) {
            s = s * 0.5f + a[j + k];
            c[j + 2 * k] = s;
        }
    }
}

kernel void last(constant float *a, global float *c, int n)
{
    float s = 0;

    for (int j = 0; j < n; j++) {
        s = 0;
        for (int k = 0; k < n; k++)
            s = s * 0.5f + a[j + k];
        c[j] = s;
    }
    c[n] = s;
}

kernel void triangle(constant float *a, global float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k <= j; k++)
            s = s * 0.5f + a[j + k];
        c[j] = s;
    }
}

kernel void odd(constant float *a, global float *c, int n, int m)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++) {
            if (k % m == 0)
                s = s * 0.25f + a[2 * j];
            s = s * 0.5f + a[j + k];
        }
        c[j] = s;
    }
}

kernel void short_numbers(constant float *a, global float *c, uchar n)
{
    for (uchar j = 3; j != n; j++) {
        float s = 0;

        for (uchar k = 0; k < 100; k++)
            s = s * 0.5f + a[j + k];
        c[j] = s;
    }
}

kernel void chosen(constant float *a, global float *c, int n, int m)
{
    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++) {
            if ((j + k) % m == 0)
                s += 1;
            s = s * 0.5f + a[j + k];
        }
        c[j] = s;
    }
}
