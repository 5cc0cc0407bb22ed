// The twin of pipe_packet.cl.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 1 --arg pipe:8:u16[4]=range:3 --arg u16[1]=zeros
// EXIT: 0
// CHECK: arg 1: u16[1] = 3

kernel void fine(read_only pipe ushort in, global ushort *to)
{
    read_pipe(in, to);
}
