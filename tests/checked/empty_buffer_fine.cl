// A buffer without elements that nothing accesses.
// RUN: heddle check %s k --global 256 --arg i32[0] --arg i32=0 --arg i32[256]=zeros --no-print
// EXIT: 0
// CHECK-NOT: error
kernel void k(global int *a, int n, global int *b)
{
    int i = get_global_id(0);

    b[i] = i < n ? a[i] : 1;
}
