// The pipe was made for packets of another size.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 1 --arg pipe:8:u16[4]=range --arg u32[1]=zeros
// EXIT: 1
// CHECK: error: a pipe whose packets are not of the instruction's size, 4 bytes [check.pipe-packet]

kernel void bad(read_only pipe uint in, global uint *to)
{
    read_pipe(in, to);
}
