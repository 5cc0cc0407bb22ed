// fmin and fmax give the other operand where one is NaN, a signalling one as well: of what was loaded, of sums, of
// products that may be NaN, of numbers made of integers, and carried round a loop.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 12 --local 12 --arg u32[12]=0x7fa00000,0xffa00001,0x7fc00000,0x3f800000,0xbf800000,0x40490fdb,0x7f800000,0xff800000,0x7f7fffff,1,0x7fa00000,0x7fc00000 --arg u32[12]=0x3f800000,0x40000000,0xc0000000,0x7fa00001,0xffc00000,0xffb00000,0xc0000000,0x40400000,0xff800000,0x80000002,0x7fc00000,0xffa00001 --arg f32[12]=zeros --arg f32[12]=zeros --arg f32[12]=zeros --arg f32[12]=zeros --arg f32[12]=zeros --arg f64[12]=zeros --arg i32=3
// CHECK: arg 2: f32[12] = 1, 2, -2, 1, -1, 3.1415927, -2, -inf, -inf, -3e-45, nan, nan
// CHECK: arg 3: f32[12] = 1, 2, -2, 1, -1, 3.1415927, inf, 3, 3.4028235e+38, 1e-45, nan, nan
// CHECK: arg 4: f32[12] = 0, 1, -3, 2, 0, 4.141593, inf, -inf, 3.4028235e+38, 1, nan, nan
// CHECK: arg 5: f32[12] = inf, inf, 3.4028235e+38, 3.4028235e+38, 1e-45, -2, -2, 3, 1, 1, 3.1415927, inf
// CHECK: arg 6: f32[12] = 1, 2, -1, -1, -1, -inf, -2, 3, 1e-45, 1e-45, 10, 11
// CHECK: arg 7: f64[12] = 1, 2, -2, 2, -2, 6.2831854820251465, -2, -inf, -inf, -2.802596928649634e-45, nan, nan
kernel void k(global const float *a, global const float *b, global float *least, global float *greatest,
              global float *sums, global float *rounds, global float *counts, global double *products, int n)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i], low = x, high = y, count = i;

    least[i] = fmin(x, y);
    greatest[i] = fmax(x, y);
    sums[i] = fmax(x + 1.0f, fmin(y - 1.0f, y * x));
    for (int k = i; k < n + i; k++) {
        low = fmin(low, b[k % 12]);
        high = fmax(a[(k + 5) % 12], high);
        count = fmin(count, a[k % 12]);
    }
    rounds[i] = fmax(low, high);
    counts[i] = fmax(b[i], count);
    products[i] = fmin(convert_double(x) * 2.0, isnan(y) ? as_double(0x7ff4000000000001UL) : y);
}
