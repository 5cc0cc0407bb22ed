// Rows of numbers of 64 bits, of which several iterations are loaded together: of no element, of some, and of a few more
// than that. Results go back to the row.
// RUN: heddle check %s sums --global 20 --local 20 --arg i64[220]=range:-70 --arg f64[220]=range --arg i64[20]=zeros --arg f64[20]=zeros --arg i32=11 --no-print --expect 2=-715,-594,-473,-352,-231,-110,11,132,253,374,495,616,737,858,979,1100,1221,1342,1463,1584
// RUN: heddle run %s sums --global 20 --local 20 --arg i64[220]=range:-70 --arg f64[220]=range --arg i64[20]=zeros --arg f64[20]=zeros --arg i32=11 --no-print
// RUN: heddle run %s sums --global 20 --local 20 --arg i64[220]=range:-70 --arg f64[220]=range --arg i64[20]=zeros --arg f64[20]=zeros --arg i32=3 --no-print
// RUN: heddle run %s sums --global 20 --local 20 --arg i64[220]=range:-70 --arg f64[220]=range --arg i64[20]=zeros --arg f64[20]=zeros --arg i32=0 --no-print
// RUN: heddle run %s prefix --global 20 --local 20 --arg i64[220]=range:-70 --arg i32=11 --no-print
// WIDTHS: 1 4 8 16 32
kernel void sums(global const long *x, global const double *y, global long *sum, global double *most, int n)
{
    int id = get_global_id(0);
    long s = 0;
    double m = -1;

    for (int k = 0; k < n; k++) {
        s += x[id * n + k];
        m = fmax(m, y[id * n + k]);
    }
    sum[id] = s;
    most[id] = m;
}

kernel void prefix(global long *x, int n)
{
    int id = get_global_id(0);
    long s = 0;

    for (int k = 0; k < n; k++) {
        s = s * 3 + x[id * n + k];
        x[id * n + k] = s;
    }
}
