// An access that leaves its memory at either end is two findings.
// RUN: heddle check %s bad --global 4 --arg i32[4]=zeros --arg i32[4]=range --arg i32=4
// EXIT: 1
// CHECK: error: read of 4 bytes 4 bytes before the start of buffer 1 [check.out-of-bounds]
// CHECK: who: work-item (0, 0, 0)
// CHECK: error: read of 4 bytes right behind the end of buffer 1 [check.out-of-bounds]
// CHECK: who: work-item (3, 0, 0)
// CHECK: check.out-of-bounds          2 places, 2 times
// CHECK: check: 2 errors, 0 notes in 1 launch

kernel void bad(global int *out, global const int *in, int n)
{
    int i = get_global_id(0);

    out[i] = in[i == 0 ? -1 : i == 3 ? n : i];
}
