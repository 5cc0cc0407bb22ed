// Loops that may wait for other sub-groups are in regions too.
// RUN: heddle run %s find --global 64 --local 64 --arg i32[64]=zeros --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: YIELD
// CHECK: NEXT
int root_of(volatile local int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}

kernel void find(global int *out)
{
    local int parent[64];
    int l = get_local_id(0);

    parent[l] = l / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = root_of(parent, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    parent[l] = 0;
}
