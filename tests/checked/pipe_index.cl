// A packet behind the reservation's last.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 1 --arg pipe:8:u32[4]=range --arg u32[4]=zeros
// EXIT: 1
// CHECK: error: an index outside of the reservation [check.pipe-index]
// CHECK: times: 2

kernel void bad(read_only pipe uint in, global uint *to)
{
    reserve_id_t id = reserve_read_pipe(in, 2);

    for (uint i = 0; i < 4; i++)
        read_pipe(in, id, i, &to[i]);
    commit_read_pipe(in, id);
}
