// The estimate knows that iterations of a loop of each work-item's own run together as vectors (opt/jam.c): a row times a matrix
// runs item by item, a row times rows, whose sums are scalars, in lanes.
// RUN: heddle run %s columns --dump lanes
// RUN: heddle run %s rows --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"{{columns" \(\) -> \(\) width 1 |rows" \(\) -> \(\) width (16|32|8) }}{
// CHECK: FMA f32
kernel void columns(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);

    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
}

kernel void rows(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);

    for (int j = 0; j < n; j++) {
        float s = 0;

        for (int k = 0; k < n; k++)
            s += a[i * n + k] * b[j * n + k];
        c[i * n + j] = s;
    }
}
