// Operations for a whole sub-group behind branches whose condition comes from memory. Its lanes take them together, as
// the operations demand: none waits there for one that passed by, so that the loop is neither copied nor dispatched.
// RUN: heddle run %s cells --local 16 --global 16 --arg u32[6]=1,2,3,0,2,3 --arg i32[3]=5,7,9 --arg i32[16]=zeros --arg i32=3 --dump lanes
// WIDTHS: 8
// ENGINES: compiled
// CHECK: COLLECTIVE.broadcast i32 masked
// CHECK: COLLECTIVE.broadcast i32 masked
// CHECK-NOT: block 16:
// CHECK: arg 2: i32[16] = 29, 29, 29, 29, 29, 29, 29, 29, 22, 22, 22, 22, 22, 22, 22, 22
__attribute__((intel_reqd_sub_group_size(8)))
kernel void cells(global const uint *masks, global const int *cells, global int *out, int n)
{
    uint item = get_local_id(0);
    int s = 0;

    for (int j = 0; j < n; j++) {
        uint mask = masks[2 * j + item / 8];
        int cell = sub_group_broadcast(cells[j], 0);

        if (mask & 1)
            s += sub_group_broadcast(cell + (int)get_sub_group_local_id(), 1);
        if (mask & 2)
            s += sub_group_broadcast(cell - (int)get_sub_group_local_id(), 2) + j;
    }
    out[item] = s;
}
