// Of two variables of the program one is walked through into the other.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --arg i32[8]=range
// EXIT: 1
// CHECK: of 4 bytes {{.*}}behind the end of {{first|second}} [check.out-of-bounds]

global int first[8], second[8];

kernel void bad(global int *io)
{
    size_t i = get_global_id(0);
    global int *p = first, *q = second;

    p += io[i];
    q += io[i];
    p[8] = 1;
    q[8] = 2;
    io[i] = second[i];
}
