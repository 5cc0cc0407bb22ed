// A buffer without elements has a name and an end: each access is one behind it, also where another buffer's memory follows.
// RUN: heddle check %s k --global 256 --arg i32[0] --arg i32[256]=zeros --no-print
// EXIT: 1
// CHECK: error: write of 4 bytes {{[0-9]+ bytes|right}} behind the end of buffer 0 [check.out-of-bounds]
// CHECK: variable: a
// CHECK: memory: buffer 0, 0 bytes, argument 0 'a'
// CHECK: times: 256
// CHECK-NOT: wild-pointer
// CHECK: check: 1 error, 0 notes
kernel void k(global int *a, global int *b)
{
    a[get_global_id(0)] = b[get_global_id(0)];
}
