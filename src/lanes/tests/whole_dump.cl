// A kernel of bytes is there twice where lanes may be missing, with masks and without.
// RUN: heddle run %s bytes --global 62,7 --arg u8[434]=zeros --arg u8[434]=zeros --no-print --dump lanes
// CPU: znver3
// WIDTHS: 8
// ENGINES: compiled
// CHECK: ACTIVE bool
// CHECK: ANY bool
// CHECK: LOAD.global i8 masked
// CHECK: STORE.global void masked
// CHECK: LOAD.global i8 imm
// CHECK: STORE.global void imm
kernel void bytes(global const uchar *a, global uchar *b)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    b[i] = a[i] + 1;
}
