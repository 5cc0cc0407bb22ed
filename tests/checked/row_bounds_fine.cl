// The twin of row_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[16] --arg i32=5
// CHECK-NOT: [check.

struct grid {
    int cell[4][4];
};

kernel void good(global struct grid *g, int i)
{
    g->cell[i / 4][i % 4] = 1;
}
