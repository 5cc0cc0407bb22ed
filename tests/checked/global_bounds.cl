// A store one element behind the end of a buffer.
// RUN: heddle check %s bad --global 17 --arg i32[16]
// EXIT: 1
// CHECK: error: write of 4 bytes right behind the end of buffer 0 [check.out-of-bounds]
// CHECK: who: work-item (16, 0, 0)
// CHECK: memory: buffer 0, 64 bytes, argument 0
// CHECK: check: 1 error, 0 notes in 1 launch

kernel void bad(global int *out)
{
    out[get_global_id(0)] = 1;
}
