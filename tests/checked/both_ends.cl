// One access that leaves a buffer at both ends is two findings: each has a reason of its own.
// RUN: heddle check %s buffer --global 8 --arg i32[8]=fill:1 --arg i32[8]
// EXIT: 1
// CHECK: error: read of 4 bytes 4 bytes before the start of buffer 0 [check.out-of-bounds]
// CHECK: error: read of 4 bytes right behind the end of buffer 0 [check.out-of-bounds]
// CHECK: check.out-of-bounds          2 places, 2 times
// CHECK: check: 2 errors, 0 notes
// WIDTHS: 1 8
kernel void buffer(global int *a, global int *b)
{
    int i = get_global_id(0), n = 0;

    for (int d = -1; d <= 1; d++)
        n += a[i + d];
    b[i] = n;
}
