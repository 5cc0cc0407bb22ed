// Small vectors of bytes and halves at an index that is chosen at an edge: where a sub-group has the edge in it, each lane's
// are gathered and scattered as a word, of all lanes and of some.
// RUN: heddle check %s k --global 16 --local 16 --arg u8[64]=range --arg u8[64]=zeros --arg u16[64]=range --arg u16[64]=zeros --arg u32=16
// CHECK: arg 1: u8[64] = 8, 9, 10, 11, 0, 0, 0, 0, 16, 17, 18, 19,{{.*}}60, 61, 62, 63, 60, 61, 62, 63, 4, 5, 6, 7
// CHECK: arg 3: u16[64] = 9, 9, 11, 11, 13, 13, 15, 15,{{.*}}61, 61, 63, 63, 61, 61, 63, 63, 5, 5, 7, 7
kernel void k(global const uchar4 *in, global uchar4 *out, global const ushort4 *in2, global ushort4 *out2, uint n)
{
    uint i = (uint)get_global_id(0), before = i == 0 ? n - 1 : i - 1, after = min(i + 1, n - 1);

    if (i != 2)
        out[before] = in[after];
    out2[before] = in2[after] | (ushort4)1;
}
