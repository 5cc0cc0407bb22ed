// A loop that fits in a line of the cache begins at one; a longer one does not.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --dump asm
// CPU: x86-64-v3
// WIDTHS: 1
// ENGINES: compiled
// CHECK: k.kernel:
// CHECK-NOT: .p2align{{\s+}}6
// CHECK: imull{{.*}}374761393
// CHECK: .p2align{{\s+}}6
// CHECK: ret
kernel void k(global const uint *a, global uint *y, uint n)
{
    uint id = get_global_id(0), x = a[id], count = 0;

    for (uint i = 0; i < n; i++) {
        x = x * 2654435761u + (x >> 13) + i;
        x = x * 2246822519u + (x >> 11) + i;
        x = x * 3266489917u + (x >> 15) + i;
        x = x * 668265263u + (x >> 9) + i;
        x = x * 374761393u + (x >> 7) + i;
    }
    while (x != 0) {
        x = a[x];
        count++;
    }
    y[id] = count;
}
