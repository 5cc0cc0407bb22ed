// Loops that only count arrive at once: up and down, signed and unsigned, with bounds that are passed before the first
// iteration, and with narrow counters that wrap on the way.
// RUN: heddle run %s --cl=-cl-opt-disable fill --global 8 --local 8 --arg u8[8]=0,1,2,3,4,5,200,255 --arg i32[8]=0,62,63,64,100,-3,60,-200 --arg i32[8]=zeros --arg i32[8]=zeros --expect 2=1,64,64,65,101,3,64,56 --expect 3=0,1,0,0,0,5,3,255 --no-print
// RUN: heddle run %s --cl=-cl-opt-disable down --global 8 --local 8 --arg i32[8]=5,-7,0,1,2147483647,-2147483647,40,41 --arg u32[8]=1,2,3,0,4294967295,7,41,39 --arg i32[8]=zeros --arg u32[8]=zeros --expect 2=4,-8,-1,0,2147483605,-2147483648,0,2 --expect 3=0,1,2,4294967295,4294967253,6,1,0 --no-print
// RUN: heddle run %s --cl=-cl-opt-disable wraps --global 8 --local 8 --arg u8[8]=0,1,9,250,255,128,10,11 --arg u8[8]=3,2,8,4,255,100,10,12 --arg u32[8]=zeros --expect 2=3,1,11,10,11,11,11,1 --no-print
kernel void fill(global const uchar *run, global const int *from, global int *end, global int *rounds)
{
    int id = get_global_id(0), to = from[id], k = 0;

    do
        to++;
    while (k++ < run[id] & to < 64);
    end[id] = to;
    rounds[id] = k - 1;
}

kernel void down(global const int *from, global const uint *count, global int *end, global uint *left)
{
    int id = get_global_id(0), x = from[id];
    uint n = count[id], least = n > 42 ? n - 42 : 0;
    int last = x > 42 ? x - 42 : 0;

    do {
        x--;
        n--;
    } while (x > last & n > least);
    end[id] = x;
    left[id] = n;
}

kernel void wraps(global const uchar *from, global const uchar *to, global uint *rounds)
{
    int id = get_global_id(0);
    uchar x = from[id], end = to[id];
    uint n = 0;

    do {
        x++;
        n++;
    } while (x != end & n < 11);
    rounds[id] = n;
}
