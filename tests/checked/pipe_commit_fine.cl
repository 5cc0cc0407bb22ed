// The twin of pipe_commit.cl.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 4 --local 4 --arg pipe:8:u32[4]=range --arg u32[4]=zeros
// EXIT: 0
// CHECK: arg 1: u32[4] = 0, 1, 2, 3

kernel void fine(read_only pipe uint in, global uint *to)
{
    uint i = get_global_id(0);
    reserve_id_t id = reserve_read_pipe(in, 1);

    read_pipe(in, id, 0, &to[i]);
    commit_read_pipe(in, id);
}
