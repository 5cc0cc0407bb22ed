// An index past its row, in the same array.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[16] --arg i32=5
// EXIT: 1
// CHECK: [check.index]

struct grid {
    int cell[4][4];
};

kernel void bad(global struct grid *g, int i)
{
    g->cell[1][i] = 1;
}
