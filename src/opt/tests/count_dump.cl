// A loop that only finds where counters end is none: the ways out are compared once.
// RUN: heddle run %s k --cl=-cl-opt-disable --dump ir
// ENGINES: compiled
// CHECK: kernel
// CHECK-NOT: PHI
// CHECK: UMIN
// CHECK-NOT: PHI
// CHECK: RET
kernel void k(global const uchar *run, global const int *from, global int *end)
{
    int id = get_global_id(0), to = from[id], k = 0;

    do
        to++;
    while (k++ < run[id] & to < 64);
    end[id] = to;
}
