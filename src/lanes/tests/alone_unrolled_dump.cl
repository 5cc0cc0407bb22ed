// A short loop of a work-item alone takes whole cycles for each iteration: where their number is known, several are one.
// RUN: heddle run %s known --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: store i16
// CHECK: store i16
// CHECK: store i16
kernel void known(global ushort *out, int mask)
{
    int s = get_global_id(0) * 1024;

    for (int j = 0; j < 1024; j++)
        out[(s + j) & mask] = j;
}
