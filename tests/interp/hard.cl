// Hard cases of other implementations, in a loop of all engines and widths: barriers under guards in loops whose trip counts
// vary from group to group, nested loops with barriers, groups that return before a barrier, swaps under a mask, switches
// that fall through with different targets, loops without a condition that each work-item leaves on its own.
// ENGINES: compiled dispatch fibers dispatch-fibers interpreted
// RUN: heddle run %s guarded --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=0,3,9,0,3,9,0,3,9,0,3,9,0,3,9,0,7,29,57,28,50,78,49,71,99,70,92,120,91,113,141,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,24,46,28,45,67,49,66,88,70,87,109,91,108,130,0
// RUN: heddle run %s nested --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=216,209,202,195,188,181,174,167,160,153,146,139,132,125,118,111,10966437,10964390,10962343,10960296,10958249,10956202,10954155,10952108,10950061,10948014,10945967,10943920,10941873,10939826,10937779,10935732,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,173019,172764,172509,172254,171999,171744,171489,171234,170979,170724,170469,170214,169959,169704,169449,169194
// RUN: heddle run %s returns --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,30,28,26,24,22,20,18,16,14,12,10,8,6,4,2,0,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,60,56,52,48,44,40,36,32,28,24,20,16,12,8,4,0
// RUN: heddle run %s falls --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=7,6,9,4294967294,12,110,18,44,15,106,30,116,11,42,9,116,51,51,113,356,19,16,69,18,72,122,29,28,779,90,90,96,131,38,29,1220,31,111,141,117,47,1676,1759,38,135,150,138,148,2299,44,45,156,156,50,157,3020,51,174,177,177,167,166,57,58
// RUN: heddle run %s endless --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=0,7,0,0,32,26,45,18,67,36,0,20,53,15,26,32,11,56,5,50,0,22,33,5,17,120,4,142,15,87,0,18,26,0,23,0,0,5,50,0,19,37,27,13,13,0,67,27,0,10,0,0,12,76,7,26,5,38,135,22,26,195,6,65
// RUN: heddle run %s swap --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --arg u32[64]=range:0:10 --expect 0=0,6,0,30,40,2,60,4,80,8,100,10,120,12,140,14,822,170,284,16,200,210,234,230,240,452,260,270,670,402,300,888,620,330,340,838,360,370,32,390,400,250,1006,430,468,200,460,686,418,490,500,636,520,530,854,586,560,48,804,590,266,1022,620,630 --expect 1=3,10,20,5,1,50,7,70,9,90,13,110,15,130,11,150,160,553,180,190,771,503,220,989,721,250,183,939,280,290,133,310,320,351,83,350,569,301,380,787,519,410,420,737,440,450,955,470,480,149,905,510,367,99,540,550,317,570,580,535,600,610,753,485

kernel void guarded(global uint *out, global const uint *in)
{
    local uint s[16];
    uint l = get_local_id(0), sum = 0, n = in[get_group_id(0)];

    for (uint k = 0; k < n; k++) {
        if (in[k] & 1) {
            s[l] = k * l;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += s[(l + 1) % 16];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint j = 0; j < l % 3; j++)
            sum += j + k;
    }
    out[get_global_id(0)] = sum;
}

kernel void nested(global uint *out, global const uint *in)
{
    local uint s[16];
    uint l = get_local_id(0), sum = 0, n = in[get_group_id(0)];

    for (uint i = 0; i < n; i++)
        for (uint j = 0; j < in[i] % 3 + 1; j++) {
            s[l] = sum + l + i;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = sum * 3 + s[15 - l] + j;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[get_global_id(0)] = sum;
}

kernel void returns(global uint *out, global const uint *in)
{
    local uint s[16];
    uint l = get_local_id(0), g = get_group_id(0);

    if (in[g] == 0)
        return;
    s[l] = l * (g + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[15 - l];
}

kernel void swap(global uint *x, global uint *y)
{
    size_t i = get_global_id(0);

    if (x[i] & 1) {
        uint a = x[i], b = y[i];

        x[i] = b;
        y[i] = a;
    }
}

kernel void falls(global uint *out, global const uint *in)
{
    uint r = get_global_id(0);

    switch (in[r] % 6) {
    case 0: r += 1; /* fall through */
    case 1: r *= 3; break;
    case 2: r += 100; /* fall through */
    case 3: r ^= 7; break;
    case 4: r = r * r; /* fall through */
    default: r -= 5;
    }
    out[get_global_id(0)] = r;
}

kernel void endless(global uint *out, global const uint *in)
{
    uint x = in[get_global_id(0)], n = 0;

    for (;;) {
        x = x * 1103515245u + 12345u;
        if ((x >> 16) % 5 == 0)
            break;
        n += x & 15;
    }
    out[get_global_id(0)] = n;
}
