// A reservation that failed is used, and one after its commit.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 2 --local 2 --arg pipe:2:u32 --arg u32[2]=range
// EXIT: 1
// CHECK: error: a reservation that is not held{{.*}}[check.pipe-reservation]
// CHECK: check.pipe-reservation{{ +}}2 places

kernel void bad(write_only pipe uint out, global const uint *from)
{
    uint i = get_global_id(0);
    reserve_id_t id = reserve_write_pipe(out, 2);

    write_pipe(out, id, 0, &from[i]);
    if (is_valid_reserve_id(id)) {
        write_pipe(out, id, 1, &from[i]);
        commit_write_pipe(out, id);
        write_pipe(out, id, 1, &from[i]);
    }
}
