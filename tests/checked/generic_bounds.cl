// A generic pointer that goes past a local variable, and one past a private one.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 2 --local 2 --arg i32[2]
// EXIT: 1
// CHECK: write of 4 bytes right behind the end of local memory of 32 bytes [check.out-of-bounds]
// CHECK: variable: t
// CHECK: write of 4 bytes 39984 bytes behind the end of the private variable of 16 bytes [check.out-of-bounds]
// CHECK: variable: own
void put(int *p) { *p = 1; }
void clear(int *p) { *p = 0; }

kernel void bad(global int *out)
{
    local int t[8];
    int own[4] = {1, 2, 3, 4}, i = get_local_id(0);

    t[i] = own[i];
    put(t + 8 + i);
    clear(own + 10000);
    out[get_global_id(0)] = own[i];
}
