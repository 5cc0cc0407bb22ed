// Which lanes find a slot taken says a load of all lanes, which stays in the loop.
// RUN: heddle run %s claim --dump llvm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: fence syncscope("singlethread")
// CHECK: @llvm.masked.gather
// CHECK: load atomic
kernel void claim(global const uint *keys, global uint *places)
{
    local uint slots[64];
    uint i = get_local_id(0), key = keys[get_global_id(0)], at = (key * 2654435761u) >> 26;

    slots[i & 63] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        uint old = atomic_cmpxchg(&slots[at], 0u, key);
        if (old == 0 || old == key)
            break;
        at = (at + 1) & 63;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    places[get_global_id(0)] = slots[i & 63] + at;
}
