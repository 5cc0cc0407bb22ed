// A counter that is an index as well has 64 bits; 32 of these are compared with each lane's number.
// RUN: heddle run %s ranks --global 64 --local 64 --arg i32[64]=zeros --arg i32[64]=zeros --dump lanes
// RUN: heddle run %s counted --global 64 --arg i32[64]=zeros --arg i32[64]=zeros --arg i32=1 --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: PHI i64 uniform
// CHECK: TRUNC i32 uniform
// CHECK-NEXT: TRUNC i32
// CHECK-NEXT: ICMP.slt bool
kernel void ranks(global const int *in, global int *out)
{
    local int keys[64];
    int id = get_local_id(0), key = keys[id] = in[id], rank = 0;

    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        rank += keys[k] < key || (keys[k] == key && k < id);
    out[rank] = key;
}

kernel void counted(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), least = in[id], sum = 0;

    for (int k = 0; k < n; k++)
        sum += k < least ? in[k] : 1;
    out[id] = sum;
}
