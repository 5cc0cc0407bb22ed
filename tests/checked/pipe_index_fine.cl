// The twin of pipe_index.cl.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 1 --arg pipe:8:u32[4]=range --arg u32[4]=zeros
// EXIT: 0
// CHECK: arg 1: u32[4] = 0, 1, 0, 0

kernel void fine(read_only pipe uint in, global uint *to)
{
    reserve_id_t id = reserve_read_pipe(in, 2);

    for (uint i = 0; i < 2; i++)
        read_pipe(in, id, i, &to[i]);
    commit_read_pipe(in, id);
}
