// Two sub-groups of eight lanes run as one where registers are half empty.
// RUN: heddle run %s bytes --dump lanes
// CPU: znver3
// WIDTHS: 8
// ENGINES: compiled
// CHECK: kernel @"bytes" () -> () width 16 {
kernel void bytes(global const uchar *a, global const uchar *b, global uchar *c)
{
    int i = get_global_id(0);

    c[i] = max(a[i], b[i]) - min(a[i], b[i]);
}
