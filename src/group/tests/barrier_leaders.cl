// Barriers in shapes that compilers of other drivers have got wrong, continued (barrier_shapes.cl): what one work-item does for its
// group, ways that nobody takes, values that live across barriers. Numbers: a model in which each work-item runs up to the next barrier.
// SPDX-License-Identifier: MIT
// WIDTHS: 4 8 16 32
// ENGINES: compiled dispatch interpreted fibers
// RUN: heddle run %s leader --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[65]=zeros --no-print --expect 1=19,13,33,25,60,38,25,56,9,39,12,24,37,10,12,54,34,21,15,19,21,31,78,25,36,41,55,30,23,33,18,9,31,20,15,10,28,13,23,22,23,37,29,21,17,24,33,9,9,17,35,23,22,29,17,23,12,23,10,28,21,15,34,17,52
// RUN: heddle run %s leader --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[49]=zeros --no-print --expect 1=9,24,34,2,53,30,29,49,40,34,12,21,28,10,23,20,32,28,12,22,21,36,33,32,32,49,17,61,44,12,14,32,34,20,13,28,18,15,12,31,29,78,30,21,13,18,24,17,10
// RUN: heddle run %s never_ends --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=118,818,1618,218,1118,2118,918,2018,918,2218,1218,318,118,818,1618,218,1118,118,818,1618,218,1118,2118,918,2018,918,2218,1218,318,118,818,1618,218,1118,118,818,1618,218,1118,2118,918,2018,918,2218,1218,318,118,818,1618,218,1118
// RUN: heddle run %s never_ends --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=118,818,1618,218,1118,118,818,1618,218,1118
// RUN: heddle run %s returns_first --global 64 --local 16 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=20,1003,2010,3018,4003,5012,6022,7009,8020,9009,10021,11011,12002,13016,14008,15001,16009,17005,18001,19021,20019,21017,22016,23016,24016,25017,26019,27021,28001,29005,30009,31014,32008,33016,34002,35011,36021,37009,38020,39009,40022,41012,42003,43018,44010,45003,46020,47014,48017,49014,50012,51011,52010,53010,54011,55012,56014,57017,58020,59001,60006,61011,62017,63001
// RUN: heddle run %s returns_first --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=9,1005,2001,3021,4019,5017,6016,7016,8016,9017,10019,11021,12001,13005,14009,15014,16020,17003,18010,19018,20003,21012,22022,23009,24020,25009,26021,27011,28002,29016,30008,31001,32017,33014,34012,35011,36010,37010,38011,39012,40014,41017,42020,43001,44006,45011,46017,47001,48008,49016,50002,51011,52021,53009,54020,55009,56022,57012,58003,59018,60010,61003,62020,63014
// RUN: heddle run %s partly --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --arg u32=32 --no-print --expect 1=52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s partly --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --arg u32=34 --no-print --expect 1=52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,52,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s guard_twice --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=0,0,114,652,1070,0,0,0,363,0
// RUN: heddle run %s guard_twice --global 64 --local 16 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=0,0,114,652,1070,0,1419,0,1768,0,2231,2345,0,2732,2846,0,0,0,204,242,0,0,23,244,356,468,88,0,0,2858,3048,3390,0,0,128,508,0,629,1085,0,1434,0,1783,0,2208,2284,531,3150,0,0,432,660,698,0,35,1669,2125,2543,2923,3303,3721,4177,4709,146
// RUN: heddle run %s rows_columns --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=7788087,7788088,7788089,7788090,7788091,7788092,7788093,7788094,7788095,7788096,7788097,7788098,7788099,7788100,7788101,7788102,7788103,7788104,7788105,7788106,7788107,7788108,7788109,7788110,7788111,7788112,7788113,7788114,7788115,7788116,7788117,7788118,7611102,7611103,7611104,7611105,7611106,7611107,7611108,7611109,7611110,7611111,7611112,7611113,7611114,7611115,7611116,7611117,7611118,7611119,7611120,7611121,7611122,7611123,7611124,7611125,7611126,7611127,7611128,7611129,7611130,7611131,7611132,7611133
// RUN: heddle run %s rows_columns --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=11731293,11731294,11731295,11731296,11731297,11731298,11731299,11731300,11731301,11731302,11731303,11731304,11731305,11731306,11731307,11731308,11731309,11731310,11731311,11731312,11731313,11731314,11731315,11731316,11731317,11731318,11731319,11731320,11731321,11731322,11731323,11731324,11731325,11731326,11731327,11731328,11731329,11731330,11731331,11731332,11731333,11731334,11731335,11731336,11731337,11731338,11731339,11731340
// RUN: heddle run %s bypassed --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=5001,8001,16005,2001,33001,63005,29001,20001,27005,22001,12031,9063,18033,10001,9001,20001,14007,29001,17001,5005,63005,57005,51005,16005,16005,16001,51001,57001,63051,3057,15063,27007,14019,20031,11005,10005,18005,11001,12001,22001,29005,20005,27005,63001,33031,2001,16001,8013,3001,51001,33013
// RUN: heddle run %s bypassed --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=5005,8001,16001,2001,33007,63001,29005,20001,27031,22063
// RUN: heddle run %s flag --global 64 --local 16 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=11,78,154,32,117,211,107,210,115,236,150,73,212,144,85,242,381,259,164,69,622,581,540,526,539,552,592,659,726,199,320,441,1138,1664,327,934,1622,447,1216,2066,1053,1984,1133,2145,1375,686,1860,1252,248,4257,2920,1826,732,5470,4862,4254,3889,3767,3645,3766,4130,4494,5101,5951
// RUN: heddle run %s flag --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=11,78,154,32,117,211,107,210,115,236,150,73,212,144,85,242,192,151,119,87,271,257,243,238,242,246,259,281,303,127,167,207,381,556,110,312,541,149,405,688,350,660,376,713,456,226,617,414,238,683,534,412,290,816,748,680,639,625,611,624,664,704,771,865
// RUN: heddle run %s butterfly --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=801562,801160,800556,800680,801502,800948,800978,800584,801418,800960,800940,801416,801164,801032,801390,801328,801076,801060,801354,802192,801010,801036,801410,802144,800912,801072,801586,802464,800658,801156,801874,803000,800748,800912,802070,803360,800484,801188,802156,803352,800570,800960,802354,803744,800310,801232,802276,804328
// RUN: heddle run %s butterfly --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=800234,800568,800180,800528,800198,800244,800498,800512,800130,800336,800540,801232,800084,800304,800878,801040,800020,800234,800556,800498,800032,800014,800436,800428,800568,800144,800364,800470,800768,800250,800516,800650,801160,800048,800198,800520,800128,800488,800176,800224,800490,800504,800130,800348,800558,801264,800104,800336,800930,801128,800054
// RUN: heddle run %s leaders --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=27,22,0,0,11,59,44,0,0,22
// RUN: heddle run %s leaders --global 64 --local 16 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=27,122,138,204,61,61,61,61,46,46,46,46,51,51,51,51,29,146,204,144,73,73,73,73,68,68,68,68,36,36,36,36,47,110,177,148,55,55,55,55,59,59,59,59,37,37,37,37,35,104,129,216,52,52,52,52,43,43,43,43,54,54,54,54

/* One work-item reports behind the work of all: its block runs once in a group, behind a loop with barriers. */
kernel void leader(global const uint *in, global uint *out)
{
    local uint s[64];
    int l = get_local_id(0), n = get_local_size(0);
    uint i = get_global_id(0), x = in[i];
    for (uint j = 0; j < 3; j++) {
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((s[(l + 1) % n] & 3) == j)
            x += s[n - 1 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
    if (l == 0)
        atomic_add(&out[get_global_size(0)], 1 + x);
}

static void endless_if(local uint *s, bool c)
{
    s[0] += 3;
    if (c)
        for (;;)
            s[1]++;
}

/* A way that never ends, that nobody takes, behind a test of the local index that is made again after a barrier. */
kernel void never_ends(global const uint *in, global uint *out)
{
    local uint s[2];
    uint i = get_global_id(0), l = get_local_id(0);
    if (l < 2)
        s[l] = l + 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 12 == 0 && l == 0)
        endless_if(s, in[0] > 100);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = in[l % 12] * 100 + s[0] + s[1];
}

/* A return in front of a barrier, of work-items that the launch does not have, and global indices behind it. */
kernel void returns_first(global const uint *in, global uint *out)
{
    local uint s[64];
    uint l = get_local_id(0), n = get_local_size(0);
    if (l > in[0] * 63)
        return;
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0) * 1000 + s[n - 1 - l];
}

/* A cell that the first work-item resets, a condition under which some write it, two barriers, and everybody reads it, in a group of
   which only a part has something to do. */
kernel void partly(global const uint *in, global uint *out, uint count)
{
    local uint cell;
    uint i = get_global_id(0), l = get_local_id(0), sum = 0;
    for (uint j = 0; j < 5; j++) {
        if (l == 0)
            cell = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < count && in[i] == j + 9)
            cell = j + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 2 + cell;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < count)
        out[i] = sum;
}

/* One condition in front of an inner loop with barriers and behind it. */
kernel void guard_twice(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = 0;
    for (uint j = 0; j < 3; j++) {
        bool mine = l >= 2 && in[i] + j < 18;
        if (mine)
            s[l] = in[i] * (j + 1);
        else
            s[l] = j;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 1; k < n; k *= 2) {
            uint y = l >= k ? s[l - k] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] += y;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (mine)
            x = x * 5 + s[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

/* Loops within each other around a reduction of every element of a private matrix. */
kernel void rows_columns(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), own[6], all = 0;
    for (uint r = 0; r < 2; r++)
        for (uint c = 0; c < 3; c++)
            own[r * 3 + c] = in[i] * (r + 1) + c;
    for (uint r = 0; r < 2; r++) {
        for (uint c = 0; c < 3; c++) {
            s[l] = own[r * 3 + c];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint d = 1; d < n; d *= 2) {
                if (l % (2 * d) == 0 && l + d < n)
                    s[l] += s[l + d];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            all = all * 7 + s[0];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[i] = all + l;
}

/* A barrier to which two ways lead, one of them through a block that not everybody comes by. */
kernel void bypassed(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = in[i];
    s[l] = 1;
    if (x & 1) {
        x *= 3;
        if (l < n / 2) {
            s[l] = x;
            if (x > 30)
                goto meet;
            x += 2;
        }
        s[l] += 4;
    }
meet:
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = x * 1000 + s[n - 1 - l];
}

/* A flag that the first work-item sets ends the loop for all. */
kernel void flag(global const uint *in, global uint *out)
{
    local uint done;
    uint i = get_global_id(0), l = get_local_id(0), x = in[i], rounds = 0, go;
    do {
        rounds++;
        x = x * 3 + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            done = rounds >= 2 + get_group_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        go = !done;
    } while (go);
    out[i] = x + rounds;
}

/* A butterfly step before a barrier and after it: one product is added, and subtracted. */
kernel void butterfly(global const uint *in, global uint *out)
{
    local double s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    double a = in[i], b = l, c = 1 + (l & 3), t;
    t = a;
    a = fma(c, b, t);
    b = fma(-c, b, t);
    s[l] = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    a = s[n - 1 - l];
    t = a;
    a = fma(c, b, t);
    b = fma(-c, b, t);
    out[i] = (uint)(a + 100000) + 7 * (uint)(b + 100000);
}

/* Sums of groups of which one work-item each writes, and a second step in a part of the group behind a barrier. */
kernel void leaders(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), part = l / 4;
    s[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = part * 4; k < min(part * 4 + 4, n); k++)
        sum += s[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 4 == 0) {
        if (part < 32)
            s[part] = sum;
        else
            goto end;
    }
end:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part == 0) {
        uint all = 0;
        for (uint k = l; k < (n + 3) / 4; k += 4)
            all += s[k] * (k + 1);
        out[i] = all;
    } else {
        out[i] = sum;
    }
}
