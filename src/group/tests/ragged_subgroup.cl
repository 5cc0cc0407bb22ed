// The same within a sub-group: barriers, reductions and shuffles of a sub-group in loops that work-items go round in different ways.
// RUN: heddle run %s waits --global 16 --local 16 --arg u32[1] --arg u32=13 --expect 0=91
// RUN: heddle run %s adds --global 16 --local 16 --arg u32[16] --arg u32=13 --expect 0=176,1,2,1,4,1,2,1,8,1,2,1,1,1,1,1
// RUN: heddle run %s rotates --global 16 --local 16 --arg u32[16] --arg u32=13 --expect 0=447,16,65,18,211,20,133,22,583,24,201,26,27,28,29,30
// WIDTHS: 16
kernel __attribute__((intel_reqd_sub_group_size(16))) void waits(global uint *out, uint n)
{
    local uint s[16];
    const uint l = get_local_id(0);

    s[l] = l < n ? l + 1 : 0;
    for (uint i = 1; i < 16; i <<= 1) {
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & (2 * i - 1)) == 0 && l + i < n)
            s[l] += s[l + i];
    }
    if (l == 0)
        out[0] = s[0];
}

/* All of them add 1 in each of four rounds; some store what they have so far. */
kernel __attribute__((intel_reqd_sub_group_size(16))) void adds(global uint *out, uint n)
{
    local uint s[16];
    const uint l = get_local_id(0);
    uint sum = 0;

    s[l] = 1;
    for (uint i = 1; i < 16; i <<= 1) {
        sum += sub_group_reduce_add(1u);
        if ((l & (2 * i - 1)) == 0 && l + i < n)
            s[l] = s[l] + (l == 0 ? sum + i : i);
    }
    out[l] = s[l];
}

/* Each number goes to the next work-item, i places on in each round. */
kernel __attribute__((intel_reqd_sub_group_size(16))) void rotates(global uint *out, uint n)
{
    local uint s[16];
    const uint l = get_local_id(0);
    uint x = l;

    s[l] = 1;
    for (uint i = 1; i < 16; i <<= 1) {
        x = sub_group_shuffle(x, (l + i) & 15);
        if ((l & (2 * i - 1)) == 0 && l + i < n)
            s[l] = s[l] + x;
    }
    out[l] = s[l] * 16 + x;
}
