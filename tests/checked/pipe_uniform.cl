// Work-items of a work-group ask for different numbers of packets.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 4 --local 4 --arg pipe:8:u32[8]=range --arg u32[4]=zeros
// EXIT: 1
// CHECK: error: a reservation of a group whose work-items bring different {{.*}}[check.non-uniform]

kernel void bad(read_only pipe uint in, global uint *to)
{
    uint i = get_local_id(0);
    reserve_id_t id = work_group_reserve_read_pipe(in, i < 3 ? 4 : 5);

    read_pipe(in, id, i, &to[i]);
    work_group_commit_read_pipe(in, id);
}
