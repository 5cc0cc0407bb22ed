// Rows that are taken several elements at a time, whatever the number of rounds is and whatever is wanted of the loop behind it:
// none left over, some, fewer than are taken together.
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=20
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=19
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=5
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=4
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=1
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u32[480]=range --arg u32[96]=zeros --arg i32=0
// RUN: heddle run %s fixed --cl=-cl-std=CL3.0 --global 24 --local 24 --arg u8[384]=range --arg u32[48]=zeros
kernel void sums(global const uint *a, global uint *y, int n)
{
    uint row = get_global_id(0), sum = 0, last = 7, before = 9;
    int j, down = 0;

    for (j = 0; j < n; j++) {
        before = last;
        last = a[row * 20 + j];
        sum += last * (j + 1);
    }
    for (int k = n - 1; k >= 0; k--)
        down = down * 3 + a[row * 20 + (n - 1 - k)];
    y[row * 4] = sum;
    y[row * 4 + 1] = last + before * 1000;
    y[row * 4 + 2] = j;
    y[row * 4 + 3] = down;
}

kernel void fixed(global const uchar *a, global uint *y)
{
    uint row = get_global_id(0), sum = 0, most = 0;

    for (uint j = 0; j < 16; j++) {
        sum = sum * 5 + a[row * 16 + j];
        most = max(most, (uint)a[row * 16 + j]);
    }
    y[row * 2] = sum;
    y[row * 2 + 1] = most;
}
