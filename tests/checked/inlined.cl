// What an always_inline function reads counts though nobody uses the value; and the function is named.
// RUN: heddle check %s bad --global 32 --local 16 --arg local[68]
// EXIT: 1
// CHECK: error: a write of 4 bytes races with a read by another work-item of the work-group [check.race]
// CHECK: read in peek at

inline __attribute__((always_inline)) int peek(local int *p) { return p[get_local_id(0)]; }

kernel void bad(local int *p)
{
    peek(p);
    p[get_local_id(0) + 1] = get_local_id(0);
}
