// Reservations are committed in another order than they were made in, kept in local memory between; packets stay in the
// order of the reservations. Round the end of the ring, many times.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 32 --local 32 --arg pipe:40:u32[8]=fill:1000 --arg pipe:40:u32 --arg u32[1]=zeros --no-print --expect 0=1000,1000,1000,1000,1000,1000,1000,1000 --expect 1=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31 --expect 2=0
// RUN: heddle run %s rounds --cl -cl-std=CL3.0 --global 1 --arg pipe:7:u32[5]=1,2,3,4,5 --arg u32[1]=zeros --no-print --expect 0=zeros --expect 1=15
kernel void k(read_only pipe uint old, write_only pipe uint out, global uint *bad)
{
    local reserve_id_t ids[32];
    uint i = get_local_id(0);

    if (i == 0)
        for (uint n = 0; n < 32; n++)
            ids[n] = reserve_write_pipe(out, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_valid_reserve_id(ids[31 - i]) || get_pipe_num_packets(out) != 0)
        atomic_add(bad, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    i = 31 - i;
    write_pipe(out, ids[i], 0, &i);
    commit_write_pipe(out, ids[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_pipe_num_packets(out) != 32 || get_pipe_num_packets(old) != 8)
        atomic_add(bad, 1u);
}

kernel void rounds(read_only pipe uint in, global uint *sum)
{
    uint x;

    while (read_pipe(in, &x) == 0)
        *sum += x;
}
