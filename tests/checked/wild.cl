// An address that was made of a number.
// RUN: heddle check %s bad --global 1 --arg u64[1]=305419896
// EXIT: 1
// CHECK: where no memory is [check.wild-pointer]

kernel void bad(global ulong *io)
{
    *(global int *)io[0] = 1;
}
