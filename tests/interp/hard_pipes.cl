// Pipes where work-items go different ways: a read in a loop behind `continue`, reservations of several sizes in a loop that work-items
// leave by return, and reservations of work-groups in a loop in which the last one finds no room. Order is not defined where
// work-items read alone, so sums are compared.
// RUN: heddle run %s alone --cl -cl-std=CL3.0 --global 8 --local 8 --no-print --arg pipe:64:u32[20]=range --arg pipe:100:u32 --arg u32[2]=zeros --expect 0=zeros --expect 2=20,210
// RUN: heddle run %s reserved --cl -cl-std=CL3.0 --global 9 --local 3 --no-print --arg pipe:48:u32[48]=range --arg pipe:48:u32 --arg u32[2]=zeros --expect 2=48,1176
// RUN: heddle run %s together --cl -cl-std=CL3.0 --global 7 --local 7 --no-print --arg pipe:40:u32[40]=range:1 --arg pipe:16:u32 --arg u32[7]=zeros --expect 1=7,6,5,4,3,2,1,15,14,13,12,11,10,9 --expect 2=1011,1015,1019,1023,1027,1031,1035
kernel void alone(read_only pipe uint p, write_only pipe uint q, global uint *out)
{
    uint v, n = 0;

    for (uint i = 0; i < 40; i++) {
        if (read_pipe(p, &v) != 0) {
            if (i > get_global_id(0))
                break;
            continue;
        }
        n++;
        atomic_add(out + 1, v + 1);
        if (v & 1)
            continue;
        write_pipe(q, &v);
    }
    atomic_add(out, n);
}

/* Nine work-items take 1 + 2 + 3 packets, but for those that find too few. */
kernel void reserved(read_only pipe uint p, write_only pipe uint q, global uint *out)
{
    for (uint n = 1;; n = n % 3 + 1) {
        reserve_id_t from = reserve_read_pipe(p, n), to;

        if (!is_valid_reserve_id(from)) {
            if (n == 1)
                return;
            continue;
        }
        to = reserve_write_pipe(q, n);
        for (uint i = 0; i < n; i++) {
            uint v;

            read_pipe(p, from, i, &v);
            atomic_add(out + 1, v + 1);
            if (is_valid_reserve_id(to))
                write_pipe(q, to, n - 1 - i, &v);
        }
        commit_read_pipe(p, from);
        if (is_valid_reserve_id(to))
            commit_write_pipe(q, to);
        atomic_add(out, n);
    }
}

kernel void together(read_only pipe uint p, write_only pipe uint q, global uint *out)
{
    uint i = get_local_id(0), n = get_local_size(0), s = 0;

    for (uint round = 0; round < 3; round++) {
        reserve_id_t from = work_group_reserve_read_pipe(p, n);
        reserve_id_t to = work_group_reserve_write_pipe(q, n);
        uint v;

        if (!is_valid_reserve_id(from))
            break;
        if (is_valid_reserve_id(to)) {
            read_pipe(p, from, i, &v);
            s = 3 * s + v;
            v += round;
            write_pipe(q, to, n - 1 - i, &v);
            work_group_commit_write_pipe(q, to);
        } else {
            s += 1000;
        }
        work_group_commit_read_pipe(p, from);
    }
    out[get_global_id(0)] = s;
}
