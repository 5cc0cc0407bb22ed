// Where nothing gets to a case of a switch, lanes that part there meet after it.
// RUN: heddle run %s --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"k"
// CHECK: STORE.global void imm 4
kernel void k(global const uint *what, global const uint *a, global uint *out)
{
    uint i = get_global_id(0), r;

    switch (what[i] & 3) {
    case 0: r = a[i] + a[i + 70]; break;
    case 1: r = a[i + 140] * 3; break;
    case 2: r = a[i] ^ a[i + 210]; break;
    case 3: r = 7; break;
    }
    out[i] = sin((float)r);
}
