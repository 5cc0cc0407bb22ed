// Comparisons that fail only read: who has changed the place may read it beside them. The twin of race_exchange.
// RUN: heddle check %s good --global 4 --local 4 --arg i32[5]
// EXIT: 0
// CHECK-NOT: check.
// CHECK: arg 0: i32[5] = 1, 2, 3, 4, 4

kernel void good(global int *out)
{
    local int place;
    size_t i = get_local_id(0);
    int mine = 0;

    if (i == 0)
        place = 0;
    for (int k = 0; k < 4; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int was = place;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine == 0 && atomic_cmpxchg(&place, was, was + 1) == was)
            mine = place;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = mine;
    if (i == 0)
        out[4] = place;
}
