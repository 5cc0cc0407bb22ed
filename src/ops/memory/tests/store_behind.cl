// Sums that every round of a loop stores: kept until the loop is left, by each work-item after as many rounds as it takes, unless
// something in the loop sees the place.
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 21 --local 21 --arg u32[84]=range --arg u32[84]=range --arg i32=4
// RUN: heddle run %s early --cl=-cl-std=CL3.0 --global 21 --local 21 --arg u32[84]=range --arg u32[84]=range --arg i32=9
// RUN: heddle run %s seen --cl=-cl-std=CL3.0 --global 21 --local 21 --arg u32[84]=range --arg u32[84]=range --arg i32=4
kernel void sums(global const uint *x, global uint *y, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n; k++)
        y[i * 4] += x[i * 4 + k] * k;
    for (int j = 0; j < i % 3; j++) {
        y[i * 4 + 2] = j;
        for (int k = 0; k < j; k++)
            y[i * 4 + 3] = y[i * 4 + 3] * 3 + x[i * 4 + k];
    }
}

kernel void early(global const uint *x, global uint *y, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n; k++) {
        y[i * 4 + 1] += k;
        if (x[(i * 4 + k) % 84] % 7 == 0)
            break;
    }
}

kernel void seen(global const uint *x, global uint *y, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n; k++) {
        y[i * 4] = x[i * 4 + k] + k;
        y[i * 4 + 1] += y[i * 4 + (k & 1) * 2];
    }
}
