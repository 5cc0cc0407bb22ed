// The twin of generic_bounds.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 2 --local 2 --arg i32[2]
// CHECK-NOT: [check.
void put(int *p) { *p = 1; }
void clear(int *p) { *p = 0; }

kernel void good(global int *out)
{
    local int t[8];
    int own[4] = {1, 2, 3, 4}, i = get_local_id(0);

    t[i] = own[i];
    put(t + 6 + i);
    clear(own + 3);
    out[get_global_id(0)] = own[i];
}
