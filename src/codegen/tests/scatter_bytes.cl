// Bytes and halves of some lanes, and of all of them, go to places of their own.
// RUN: heddle check %s k --global 32 --local 32 --arg u8[32]=zeros --arg u16[32]=zeros --arg u32[32]=range
// WIDTHS: 1 4 8 16 32
// CHECK: arg 0: u8[32] = 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 29, 0, 0, 0, 0, 22, 0, 0, 0, 0, 15, 0, 0, 0, 0, 8, 0, 0, 0, 0
// CHECK: arg 1: u16[32] = 1000, 1007, 1014, 1021, 1028, 1003, 1010, 1017, 1024, 1031, 1006, 1013, 1020, 1027, 1002, 1009,
kernel void k(global uchar *bytes, global ushort *halves, global const uint *at)
{
    uint i = get_global_id(0), place = at[i] * 23 & 31;

    if (i % 7 == 1)
        bytes[at[i] * 13 + 19 & 31] = i;
    else
        halves[place] = 1000 + i;
}
