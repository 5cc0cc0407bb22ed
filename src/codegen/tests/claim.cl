// Slots that are claimed by comparing with what an empty one holds: lanes that find it taken know that from a load of
// all lanes; the others claim it one after the other, also where several want the same one. In local and in global
// memory, with 32 and with 64 bits, under masks; what a lane gets that finds it taken is what is there.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 32 --local 32 --arg u32[64]=fill:77 --arg u64[8]=zeros --arg u32[32]=zeros --arg u32[32]=zeros --arg u32[32]=zeros
// CHECK: arg 2: u32[32] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// CHECK: arg 3: u32[32] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// CHECK: arg 4: u32[32] = 4, 4, 4, 4, 4, 4, 4, 4, 0, 0
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global uint *table, global ulong *owner, global uint *found, global uint *agrees, global uint *members)
{
    local uint slots[16];
    uint i = get_global_id(0), key = i % 8 * 5, at = key & 63, own;
    ulong before;

    if (i < 16)
        slots[i] = ~0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) { /* in a table of 64, keys 0, 5, …, 35 */
        uint old = atomic_cmpxchg(&table[at], 77u, key);
        if (old == 77 || old == key)
            break;
        at = (at + 1) & 63;
    }
    found[i] = table[at] == key && at == key;
    own = key & 3; /* eight keys crowd into the slots from there on */
    for (;;) {
        uint old = atomic_cmpxchg(&slots[own], ~0u, key);
        if (old == ~0u || old == key)
            break;
        own = (own + 1) & 15;
    }
    before = i % 3 == 0 ? 0 : atom_cmpxchg(&owner[i % 8], 0ul, (1ul << 40) + i);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    agrees[i] = slots[own] == key &&
                (i % 3 == 0 || before == owner[i % 8] || (before == 0 && owner[i % 8] == (1ul << 40) + i));
    atomic_inc(&members[key / 5]);
}
