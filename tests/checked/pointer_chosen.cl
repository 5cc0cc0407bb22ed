// A pointer to one of two arrays, chosen by each work-item, goes past the end of its own into the other one.
// RUN: heddle check %s bad --global 8 --arg i32[8]=range
// EXIT: 1
// CHECK: read of 4 bytes right behind the end of the private variable of 16 bytes [check.out-of-bounds]
// CHECK: times: 4

kernel void bad(global int *io)
{
    size_t i = get_global_id(0);
    int a[4], b[4];

    for (int n = 0; n < 4; n++) {
        a[n] = io[i] + n;
        b[n] = io[i] - n;
    }
    const int *p = io[i] & 1 ? a : b;
    io[i] = p[io[i] & 1 ? 3 : 4];
}
