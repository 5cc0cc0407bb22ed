// A reservation of the work-group that only some of its work-items reach.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 4 --local 4 --arg pipe:8:u32[8]=range --arg u32[4]=zeros
// EXIT: 1
// CHECK: error: {{.*}}[check.{{divergent-barrier|barrier-left}}]

kernel void bad(read_only pipe uint in, global uint *to)
{
    uint i = get_local_id(0);

    if (i < 2) {
        reserve_id_t id = work_group_reserve_read_pipe(in, 4);

        read_pipe(in, id, i, &to[i]);
        work_group_commit_read_pipe(in, id);
    }
}
