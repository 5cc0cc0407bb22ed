// Rows of 250 work-items are no whole sub-groups. Which lanes exist says nothing of how long they stay in a loop: such rows run
// in lanes as those of 256 do.
// RUN: heddle run %s window --global 250,19 --arg u8[19000]=range --arg u8[19000]=zeros --arg i32=250 --arg i32=19 --dump forms
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: as written
// CHECK-NOT: item by item: 0
// CHECK: arg 0
kernel void window(global const uchar4 *in, global uchar4 *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 s = 0;

    for (int j = max(y - 1, 0); j <= min(y + 1, h - 1); j++)
        for (int i = max(x - 1, 0); i <= min(x + 1, w - 1); i++)
            s += convert_int4(in[j * w + i]);
    out[y * w + x] = convert_uchar4_sat(convert_int4(in[y * w + x]) * 2 - s / 9);
}
