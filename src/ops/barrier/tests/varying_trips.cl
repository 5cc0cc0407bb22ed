// A barrier behind a condition in a loop, whose number of rounds is another one for each group; around it work-items go
// round a loop of their own.
// ENGINES: compiled dispatch fibers dispatch-fibers interpreted
// RUN: heddle run %s varying --global 72 --local 24 --arg u32[72]=zeros --arg u32[3]=0,5,8
// CHECK: arg 0: u32[72] = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 35, 77, 99, 57, 35, 77, 99, 57, 35, 77, 99, 57, 35, 77, 99, 57, 35, 77, 99, 57, 35, 77, 99, 57, 224, 336, 324, 212, 224, 336, 324, 212, 224, 336, 324, 212, 224, 336, 324, 212, 224, 336, 324, 212, 224, 336, 324, 212
kernel void varying(global uint *out, global const uint *trips)
{
    local uint cell[24];
    uint l = get_local_id(0), g = get_group_id(0), n = trips[g], sum = 0;

    for (uint i = 0; i < n; i++) {
        for (uint j = 0; j < (l & 3); j++)
            sum += j + i;
        if ((i ^ g) & 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            cell[l] = sum + i;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += cell[(l + 1) % 24];
        }
    }
    out[get_global_id(0)] = sum;
}
