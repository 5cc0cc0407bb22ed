// An int at an odd address.
// RUN: heddle check %s bad --global 1 --arg u8[16]=range
// EXIT: 1
// CHECK: is not a multiple of 4 [check.misaligned]

kernel void bad(global char *io)
{
    *(global int *)(io + 1) = 1;
}
