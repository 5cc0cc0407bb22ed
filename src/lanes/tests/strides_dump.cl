// Lanes that leave a loop together but for the last iteration are all busy in it, so that they stay lanes, on Zen 4; under a
// branch on data most of them may be idle.
// RUN: heddle run %s strides --dump lanes
// RUN: heddle run %s guarded --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"{{(strides" \(\) -> \(\) width (16|32)|guarded" \(\) -> \(\) width 1)}} {
kernel void strides(global const float *in, constant float *pivots, global int *found, global uint *counts, int size)
{
    for (int i = get_global_id(0); i < size; i += get_global_size(0)) {
        int at = 511, jump = 256;

        for (; jump >= 1; jump /= 2)
            at = in[i] < pivots[at] ? at - jump : at + jump;
        found[i] = atomic_inc(&counts[at]) + at;
    }
}

kernel void guarded(global const uchar *edge, global uint *counts, int rho)
{
    int x = get_global_id(0);

    if (edge[x] < 250)
        return;
    for (int t = 0; t < 32; t++) {
        float a = t * 0.09817477f;

        atomic_inc(&counts[t * rho + convert_int_rte(x * cos(a))]);
    }
}
