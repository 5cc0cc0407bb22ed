// Sub-groups that wait for later ones, and for what those do after them, between barriers.
// RUN: heddle run %s turns --global 128 --local 128 --arg i32[12]=zeros --arg i32[128]=zeros --print 0 --expect 0=33,22,11,0,0,1,2,3,6,6,6,6
// RUN: heddle run %s turns --global 256 --local 128 --arg i32[12]=zeros --arg i32[256]=zeros --print 0 --expect 0=33,22,11,0,0,1,2,3,6,6,6,6
// Sub-groups that part from the others: some end, some go round again, and only some of these wait.
// RUN: heddle run %s parting --global 512 --local 256 --arg i32[2]=zeros --expect 0=200,200
// RUN: heddle run %s parting --global 256 --local 256 --arg i32[1]=zeros --expect 0=200
// ENGINES: compiled
kernel void turns(global int *out, global int *items)
{
    volatile local int turn, count;
    local int rounds[4];
    int l = get_local_id(0), me = l / 32, kept = 3 * l;

    if (l == 0) {
        turn = 3;
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 32 == 0) {
        while (turn != me)
            ;
        out[3 - me] = 11 * me;
        turn = me - 1;
        rounds[me] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 32 == 0) {
        while (atomic_or(&count, 0) != me)
            ;
        out[4 + me] = atomic_inc(&count);
    }
    for (int r = 0; r < 6; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            turn = r % 4;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 32 == 0 && me != r % 4) {
            while (turn != me)
                ;
            rounds[me]++;
            turn = (me + 1) % 4;
        } else if (l % 32 == 0) {
            rounds[me]++;
            turn = (me + 1) % 4;
        }
        kept += r;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 32 == 0)
        out[8 + me] = rounds[me];
    items[get_global_id(0)] = kept;
}

kernel void parting(global int *out)
{
    volatile local int turn;
    local int sum;
    int l = get_local_id(0), me = l / 32;

    if (l == 0) {
        turn = 7;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 8 - me / 2; r++) {
        if (l % 32 == 0 && me % 3 != 0 && r == 0) {
            while (turn != me)
                ;
            turn = me == 7 || me == 4 ? me - 2 : me - 1;
        }
        atomic_add(&sum, r + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 255)
        out[get_group_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = sum / 32;
}
