// Rows whose index wraps now and then lie a power of two apart as others do: half a sub-group at a time where sixteen evict each other.
// RUN: heddle run %s masked --dump lanes
// RUN: heddle run %s divided --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: () -> () width 8 {
kernel void masked(global float *out, int mask)
{
    int s = get_global_id(0) * 1024;

    for (int j = 0; j < 1024; j++)
        out[(s + j) & mask] = j;
}

kernel void divided(global const int *in, global int *out, int n)
{
    int s = get_global_id(0) * 1024;

    for (int j = 0; j < 1024; j++)
        out[(s + j) % n] = in[(s + j + 3) % n] + 1;
}
