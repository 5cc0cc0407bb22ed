// An atomic counts behind the end of its buffer.
// RUN: heddle check %s bad --global 8 --arg u32[4]
// EXIT: 1
// CHECK: atomic operation on 4 bytes right behind the end of buffer 0 [check.out-of-bounds]

kernel void bad(global uint *count)
{
    atomic_inc(&count[get_global_id(0) & 4]);
}
