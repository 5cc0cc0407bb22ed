// An unsigned index that may wrap: where all lanes access, none is on the other side of a wrap, as no object spans 2^32
// elements. Nothing is gathered. Rows of a torus, which clang writes with an OR.
// RUN: heddle run %s rows --dump asm
// RUN: heddle run %s torus --dump asm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: vmovdqu
// CHECK: retq
// CHECK-NOT: vpcmp
// CHECK-NOT: vpmovzxdq
kernel void rows(global const uint *a, global uint *out, uint n, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[y * n + x] = a[k * n + x] + a[y * n + k];
}

kernel void torus(global const uint *a, global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[(y + 5 & 1023) * 1024 + (x & 1023)] = a[(y + 5 & 1023) * 1024 + (x & 1023)] + 1;
}
