// Stores of every fourth element: a race is with the one that writes the element, though the elements of the others lie
// on both sides of it.
// RUN: heddle check %s --global 64 --local 64 --arg i32[64] --no-print
// RUN: heddle check %s --optimised --global 64 --local 64 --arg i32[64] --no-print
// CHECK: .cl:22:{{[0-9]+}}: error: a read of 4 bytes races with a write
// CHECK: written in k at {{.*}}.cl:19:
// CHECK: .cl:23:{{[0-9]+}}: error: a read of 4 bytes races with a write
// CHECK: written in k at {{.*}}.cl:20:
// CHECK: .cl:24:{{[0-9]+}}: error: a read of 8 bytes races with a write
// CHECK: written in k at {{.*}}.cl:21:
// CHECK: 3 errors
// EXIT: 1
// WIDTHS: 1 8 16
kernel void k(global int *o)
{
    local int s[256];
    int l = get_local_id(0), next = (l + 1) & 63;

    s[4 * l] = l;
    s[4 * l + 1] = -l;
    *(local int2 *)&s[4 * l + 2] = (int2)(l, 7);
    int a = s[4 * next];
    int b = s[4 * next + 1];
    int2 c = *(local int2 *)&s[4 * next + 2];
    o[get_global_id(0)] = a + b + c.x + c.y;
}
