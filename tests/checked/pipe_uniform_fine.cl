// The twin of pipe_uniform.cl.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 4 --local 4 --arg pipe:8:u32[8]=range --arg u32[4]=zeros
// EXIT: 0
// CHECK: arg 1: u32[4] = 0, 1, 2, 3

kernel void fine(read_only pipe uint in, global uint *to)
{
    uint i = get_local_id(0);
    reserve_id_t id = work_group_reserve_read_pipe(in, 4);

    read_pipe(in, id, i, &to[i]);
    work_group_commit_read_pipe(in, id);
}
