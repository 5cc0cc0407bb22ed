// A function is given too little memory.
// RUN: heddle check %s bad --global 8 --arg i32[8]=range
// EXIT: 1
// CHECK: write of 4 bytes right behind the end of the private variable of 16 bytes [check.out-of-bounds]
// CHECK: function fill

__attribute__((noinline)) void fill(int *p, int count)
{
    for (int n = 0; n < count; n++)
        p[n] = count;
}

kernel void bad(global int *io)
{
    size_t i = get_global_id(0);
    int a[4], b[4];

    fill(b, 4);
    fill(a, io[i] & 1 ? 4 : 5);
    io[i] = a[io[i] & 3] + b[1];
}
