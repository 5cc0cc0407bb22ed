// Where the number of iterations is not known, none of them are done together: most loops of which that is true end soon.
// RUN: heddle run %s unknown --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: store i16
// CHECK-NOT: store i16
kernel void unknown(global ushort *out, int mask, int n)
{
    int s = get_global_id(0) * 1024;

    for (int j = 0; j < n; j++)
        out[(s + j) & mask] = j;
}
