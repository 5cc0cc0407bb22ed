// A work-group takes more local memory than there is: half of it by a variable, half by an argument.
// RUN: heddle check %s bad --cl -O0 --global 8 --local 8 --arg i32[8]=range --arg local[160000]
// EXIT: 1
// CHECK: a work-group takes {{[0-9]+}} bytes of local memory, more than the 262144 that there are [check.local-memory]
// CHECK: kernel: bad
// CHECK: hint: make

kernel void bad(global int *io, local int *other)
{
    local int a[40000];
    int i = get_local_id(0);
    a[i] = io[i];
    other[i] = 1;
    io[i] = a[i] + other[i];
}
