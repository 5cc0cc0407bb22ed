// One work-item of a group forgets to commit.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 4 --local 4 --arg pipe:8:u32[4]=range --arg u32[4]=zeros
// EXIT: 1
// CHECK: pipe_commit.cl:{{[0-9]+:[0-9]+}}: error: a reservation of a pipe that the kernel does not commit [check.pipe-commit]
// CHECK: who: work-item (2, 0, 0)

kernel void bad(read_only pipe uint in, global uint *to)
{
    uint i = get_global_id(0);
    reserve_id_t id = reserve_read_pipe(in, 1);

    read_pipe(in, id, 0, &to[i]);
    if (i != 2)
        commit_read_pipe(in, id);
}
