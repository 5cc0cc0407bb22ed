// Places that work-items take in lists of their own by counters, and what they swap: all lanes, or some.
// RUN: heddle run %s take --global 32 --local 32 --arg u32[4]=range:10 --arg u32[32]=zeros --arg u32=40 --expect 0=18,19,20,21
// RUN: heddle run %s take --global 32 --local 32 --arg u32[4]=range:10 --arg u32[32]=zeros --arg u32=10 --expect 0=13,14,14,15
// RUN: heddle run %s swap --global 32 --local 32 --arg u32[32]=range --arg u32[32]=zeros --arg u32=32 --expect 1=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131
// RUN: heddle run %s swap --global 32 --local 32 --arg u32[32]=range --arg u32[32]=zeros --arg u32=5 --expect 1=100,101,102,103,104,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
kernel void take(global uint *count, global uint *slot, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        slot[i] = atomic_inc(&count[i & 3]);
}

kernel void swap(global uint *cell, global uint *found, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        found[i] = (atomic_cmpxchg(&cell[i ^ 1], i ^ 1, 7) ^ 1) + 100;
}
