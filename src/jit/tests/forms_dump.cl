// Which forms are compared, and which one is taken: numbers of rows that share what they load, until registers run out; lanes
// of two sub-groups; work-items alone; tiles. A kernel that nothing of this suits stays as it is written.
// RUN: heddle run %s product --dump forms
// RUN: heddle run %s mirrored --dump forms
// RUN: heddle run %s turned --dump forms
// RUN: heddle run %s doubled --dump forms
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: forms of {{[a-z]+}} for sub-groups of 16
// CHECK-NEXT: ;   as written{{: [0-9.]+ cycles for a row in lanes$|, taken$|$}}
// CHECK-NEXT: ;   {{2 rows: [0-9.]+ cycles for a row in lanes$|item by item: 0[0-9.]+ of the time in lanes, taken$|tiles, taken$|item by item: [0-9.]+ of the time in lanes$}}
kernel void product(global float *out, global const float *a, global const float *b, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
}

kernel void mirrored(global float *out, global const float *in)
{
    int at = get_global_id(0) * 64;

    for (int i = 0; i < 64; i++)
        out[at + i] = in[at + (63 - i)] + in[at + (i ^ 1)];
}

kernel void turned(global float *out, global const float *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[x * n + y] = in[y * n + x];
}

kernel void doubled(global float *out, global const float *in)
{
    int i = get_global_id(0);

    out[i] = 2 * in[i];
}
