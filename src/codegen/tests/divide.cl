// Quotients and remainders of numbers of every size, and of multiples and their neighbours, by each lane's own divisor: one
// that a loop changes and one that it does not. A quotient times its divisor and the remainder are the number, and the
// remainder is smaller. What has no value is 0 or wraps.
// RUN: heddle run %s own --cl=-cl-std=CL3.0 --global 67 --arg u32[67]=zeros --arg u32[67]=zeros --no-print --expect 0=0 --expect 1=0
// RUN: heddle run %s kept --cl=-cl-std=CL3.0 --global 67 --arg u32[67]=zeros --arg u32[67]=zeros --no-print --expect 0=0 --expect 1=0
// RUN: heddle run %s ends --cl=-cl-std=CL3.0 --global 4 --arg i32[4]=-2147483648,-2147483648,7,-7 --arg i32[4]=-1,0,0,-2 --arg i32[4]=zeros --arg i32[4]=zeros --no-print --expect 2=-2147483648,0,0,3 --expect 3=0,0,0,-1
// WIDTHS: 1 4 8 16 32
uint next(uint x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

uint is_wrong(uint x, uint y)
{
    uint q = x / y, r = x % y;
    int i = as_int(x), k = as_int(y), s, t;

    if (k == -1)
        k = 1;
    s = i / k;
    t = i % k;
    return (r >= y || q * y + r != x) + 16 * (abs(t) >= abs(k) || s * k + t != i || (t != 0 && (t < 0) != (i < 0)));
}

kernel void own(global uint *wrong, global uint *near)
{
    uint i = get_global_id(0), x = i * 2654435761u + 1, y;

    for (int n = 0; n < 200; n++) {
        x = next(x);
        y = max(next(x + n) >> (n & 31), 1u);
        wrong[i] += is_wrong(x >> (n * 7 & 31), y);
        near[i] += is_wrong(x / y * y, y) + is_wrong(x / y * y - 1, y) + is_wrong(0xffffffffu - (n & 3), y);
    }
}

kernel void kept(global uint *wrong, global uint *near)
{
    uint i = get_global_id(0), x = i * 2654435761u + 1, y = max(next(x) >> (i & 31), 1u);

    for (int n = 0; n < 200; n++) {
        x = next(x);
        wrong[i] += is_wrong(x >> (n * 7 & 31), y);
        near[i] += is_wrong(x / y * y, y) + is_wrong(x / y * y - 1, y);
    }
}

kernel void ends(global const int *x, global const int *y, global int *q, global int *r)
{
    uint i = get_global_id(0);

    q[i] = x[i] / y[i];
    r[i] = x[i] % y[i];
}
