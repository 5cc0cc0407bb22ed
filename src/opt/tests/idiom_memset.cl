// Fills of some bytes, whose number is known at run time: none, less than a line of the cache, and more. What is before
// and behind them stays.
// RUN: heddle check %s k --global 8 --local 8 --arg i32[8]=0,1,63,64,65,127,128,200 --arg u8[2048]=zeros --arg u32[8]=zeros --arg u32[8]=zeros --no-print --expect 2=0,7,693,960,1235,2921,3456,6200 --expect 3=0,1,63,64,65,127,128,200
// RUN: heddle run %s k --global 8 --local 8 --arg i32[8]=0,1,63,64,65,127,128,200 --arg u8[2048]=zeros --arg u32[8]=zeros --arg u32[8]=zeros --no-print
// WIDTHS: 1 4 8 16 32
kernel void k(global const int *n, global uchar *out, global uint *sum, global uint *count)
{
    int id = get_global_id(0), bytes = n[id];
    global uchar *to = out + id * 256 + id;
    uchar c = id * 4 + 3;

    for (int i = 0; i < bytes; i++)
        to[i] = c;
    for (int i = 0; i < 256; i++) {
        sum[id] += out[id * 256 + i];
        count[id] += out[id * 256 + i] == c;
    }
}
