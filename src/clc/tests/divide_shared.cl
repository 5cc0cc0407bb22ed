// Divisions by a number that all lanes share: by zero nothing traps, and the least number has no quotient by -1.
// RUN: heddle run %s --global 20 --local 20 --arg i32[20]=-2147483648,-2147483647,-7,-1,0,1,7,2147483646,2147483647,5,-2147483648,6,3,2,9,10,11,12,13,14 --arg i32[20]=zeros --arg i32[20]=zeros --arg i32[20]=zeros --arg i32=-1 --arg i32=0 --arg i32=-2147483648
// CHECK: arg 1: i32[20] = -2147483648, 2147483647, 7, 1, 0, -1, -7, -2147483646, -2147483647, -5, -2147483648, -6, -3, -2, -9, -10, -11, -12, -13, -14
// CHECK: arg 2: i32[20] = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
// CHECK: arg 3: i32[20] = 1, -2147483647, -7, -1, 0, 1, 7, 2147483646, 2147483647, 5, 1, 6, 3, 2, 9, 10, 11, 12, 13, 14
kernel void k(global const int *in, global int *a, global int *b, global int *c, int minus, int zero,
              int least)
{
    size_t i = get_global_id(0);

    a[i] = in[i] / minus + in[i] % minus;
    b[i] = in[i] / zero;
    c[i] = in[i] / least + in[i] % least;
}
