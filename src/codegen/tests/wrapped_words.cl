// Small vectors of bytes and halves where a lane's index wraps: words of each lane, with a mask and without.
// RUN: heddle run %s bytes --global 64 --local 64 --arg u8[256]=range --arg u8[256]=zeros --arg u32=44 --arg u32=1000 --print 1
// RUN: heddle run %s bytes --global 64 --local 64 --arg u8[256]=range --arg u8[256]=zeros --arg u32=44 --arg u32=200 --print 1
// RUN: heddle run %s bytes --global 64 --local 64 --arg u8[256]=range --arg u8[256]=zeros --arg u32=4294967276 --arg u32=200 --print 1
// RUN: heddle run %s halves --global 64 --local 64 --arg u16[256]=range --arg u16[256]=zeros --arg u32=46 --arg u32=1000 --print 1
// RUN: heddle run %s halves --global 64 --local 64 --arg u16[256]=range --arg u16[256]=zeros --arg u32=4294967276 --arg u32=90 --print 1
// RUN: heddle run %s pairs --global 64 --local 64 --arg u8[256]=range --arg u8[256]=zeros --arg u32=44 --arg u32=150 --print 1
kernel void bytes(global const uchar *in, global uchar *out, uint start, uint n)
{
    uint x = get_global_id(0) * 4 + start, w = x & 255;

    if (x < n)
        vstore4(vload4(0, in + w) * (uchar4)(3), 0, out + w);
}

kernel void halves(global const ushort *in, global ushort *out, uint start, uint n)
{
    uint x = get_global_id(0) * 4 + start, w = x & 255;

    if (x < n && w < 253)
        vstore4(vload4(0, in + w) * (ushort4)(300), 0, out + w);
}

kernel void pairs(global const uchar *in, global uchar *out, uint start, uint n)
{
    uint x = get_global_id(0) * 2 + start, w = x & 255;

    if (x < n)
        vstore2(vload2(0, in + w) * (uchar2)(5), 0, out + w);
}
