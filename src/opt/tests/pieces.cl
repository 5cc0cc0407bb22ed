// Each work-item goes through a piece of its own, which may be empty, or end before it begins, by one or more at a time.
// RUN: heddle run %s sum --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=7 --expect 0=21,70,119,168,217,266,315,364
// RUN: heddle run %s sum --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=0 --expect 0=0,0,0,0,0,0,0,0
// RUN: heddle run %s sum --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=-3 --expect 0=0,0,0,0,0,0,0,0
// RUN: heddle run %s fours --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=7 --expect 0=4,18,32,46,60,74,88,102
// RUN: heddle run %s fours --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=8 --expect 0=4,20,36,52,68,84,100,116
// RUN: heddle run %s once --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=3 --expect 0=3,12,21,30,39,48,57,66
// RUN: heddle run %s once --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg i32=0 --expect 0=0,1,2,3,4,5,6,7
kernel void sum(global uint *y, global const uint *x, int each)
{
    int begin = get_global_id(0) * each, end = begin + each;
    uint s = 0;

    for (int i = begin; i < end; i++)
        s += x[i];
    y[get_global_id(0)] = s;
}

kernel void fours(global uint *y, global const uint *x, int each)
{
    int begin = get_global_id(0) * each, end = each + begin;
    uint s = 0;

    for (int i = begin; i < end; i += 4)
        s += x[i];
    y[get_global_id(0)] = s;
}

kernel void once(global uint *y, global const uint *x, int each)
{
    int i = get_global_id(0) * each + (each == 0 ? get_global_id(0) : 0), end = i + each;
    uint s = 0;

    do
        s += x[i];
    while (++i < end);
    y[get_global_id(0)] = s;
}
