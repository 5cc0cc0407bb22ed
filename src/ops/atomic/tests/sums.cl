// Additions that nobody looks at before the launch ends are kept by each thread; these are all there in the end.
// RUN: heddle run %s histogram --global 5000 --local 50 --arg u8[5000]=random:1 --arg u32[256]=fill:7 --no-print
// RUN: heddle run %s scattered --global 20000 --local 100 --arg u32[20000]=random:2 --arg i32[65536]=zeros --no-print
// RUN: heddle run %s count --global 4999 --arg u32[4999]=random:3 --arg u32[2]=zeros --no-print
// RUN: heddle run %s groups --global 700 --local 70 --arg u8[700]=random:4 --arg u32[64]=zeros --no-print
// RUN: heddle run %s seen --global 64 --arg u32[64]=zeros --arg u32[64]=zeros --no-print
// RUN: heddle run %s replaced --global 64 --arg u32[64]=zeros --no-print
// RUN: heddle run %s rounds --global 64 --arg u32[64]=zeros --no-print
// RUN: heddle run %s turns --global 500 --local 50 --arg u32[20000]=random:5 --arg u32[65536]=zeros --arg u32[500]=zeros --arg u32[1]=20000 --no-print
// RUN: heddle run %s in_turn --global 64 --local 64 --arg u32[20000]=zeros --arg u32[1]=20000 --no-print
// RUN: heddle run %s waits --global 64 --local 64 --arg u32[2]=zeros --arg u32[64]=zeros --no-print
kernel void histogram(global const uchar *data, global uint *bins)
{
    atomic_inc(&bins[data[get_global_id(0)]]);
}

// More lines than a thread keeps: most of them are made at once.
kernel void scattered(global const uint *x, global int *to)
{
    uint k = x[get_global_id(0)];

    atomic_sub(&to[k % 65536], (int)(k >> 20));
    if (k & 1)
        atomic_add(&to[k % 64], 3);
}

kernel void count(global const uint *x, global uint *to)
{
    uint k = x[get_global_id(0)];

    if (k % 3 == 0)
        atomic_inc(&to[0]);
    atomic_add(&to[1], k & 15);
}

kernel void groups(global const uchar *data, global uint *bins)
{
    local uint counts[64];

    for (uint b = get_local_id(0); b < 64; b += get_local_size(0))
        counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[data[get_global_id(0)] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < 64; b += get_local_size(0))
        if (counts[b] != 0)
            atomic_add(&bins[b], counts[b]);
}

// A work-item finds what it has added itself,
kernel void seen(global uint *to, global uint *found)
{
    int i = get_global_id(0);

    atomic_add(&to[i], i * 3);
    found[i] = to[i];
}

// replaces it,
kernel void replaced(global uint *to)
{
    int i = get_global_id(0);

    atomic_add(&to[i], 5);
    to[i] = i;
}

// finds it in the next round,
kernel void rounds(global uint *to)
{
    int i = get_global_id(0);

    for (int k = 0; k < 5; k++)
        atomic_add(&to[i], to[i] + i);
}

// and another one of the group may wait for it.
kernel void waits(global uint *flag, global uint *to)
{
    int i = get_global_id(0);

    if (i == 63)
        while (atomic_or(&flag[0], 0) == 0)
            ;
    if (i == 0)
        atomic_inc(&flag[0]);
    to[i] = i == 63 ? 63 : i;
}

// Counters next to each other, by one work-group: lines stay in the table until the launch ends.
kernel void in_turn(global uint *to, global const uint *n)
{
    for (uint i = get_global_id(0); i < n[0]; i += get_global_size(0))
        atomic_inc(&to[i]);
}

// What else it reads and writes in between is other memory.
kernel void turns(global const uint *x, global uint *to, global uint *last, global const uint *n)
{
    uint k = 0;

    for (uint i = get_global_id(0); i < n[0]; i += get_global_size(0)) {
        k = x[i];
        atomic_add(&to[k % 65536], k >> 24);
        last[get_global_id(0)] += k;
    }
}
