// The twin of pipe_reservation.cl: what failed is not used.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 2 --local 2 --arg pipe:2:u32 --arg u32[2]=range
// EXIT: 0
// CHECK: arg 0: u32[2] = 0, 0

kernel void fine(write_only pipe uint out, global const uint *from)
{
    uint i = get_global_id(0);
    reserve_id_t id = reserve_write_pipe(out, 2);

    if (is_valid_reserve_id(id)) {
        write_pipe(out, id, 0, &from[i]);
        write_pipe(out, id, 1, &from[i]);
        commit_write_pipe(out, id);
    }
}
