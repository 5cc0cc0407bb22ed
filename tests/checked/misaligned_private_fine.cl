// The same at a place where numbers may be, and byte by byte at any.
// RUN: heddle check %s good --global 4 --arg i32[4] --cl -cl-std=CL3.0 --arg i32=4
// CHECK-NOT: check.

__attribute__((noinline)) int at(char *p)
{
    return *(int *)p;
}

kernel void good(global int *out, int place)
{
    char odd[3] = {1, 2, 3}, bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = i + odd[i % 3];
    out[get_global_id(0)] = at(bytes + place) + as_int(vload4(0, bytes + 1));
}
