// A null buffer.
// RUN: heddle check %s bad --global 2 --arg null
// EXIT: 1
// CHECK: error: write of 4 bytes at the null address 0x0 [check.null]
// CHECK: times: 2
// CHECK: hint: is the argument set

kernel void bad(global int *out)
{
    out[0] = 1;
}
