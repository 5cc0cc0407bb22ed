// The same packet of a reservation twice: noted, no error.
// RUN: heddle check %s again --cl -cl-std=CL3.0 --global 1 --arg pipe:8:u32[4]=range --arg u32[4]=zeros
// EXIT: 0
// CHECK: arg 1: u32[4] = 0, 1, 0, 1
// CHECK: note: a packet of a reservation is read a second time [check.pipe-again]

kernel void again(read_only pipe uint in, global uint *to)
{
    reserve_id_t id = reserve_read_pipe(in, 2);

    for (uint i = 0; i < 4; i++)
        read_pipe(in, id, i & 1, &to[i]);
    commit_read_pipe(in, id);
}
