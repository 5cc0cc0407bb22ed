// A number is read at an odd place of an array of characters, wherever that begins.
// RUN: heddle check %s bad --global 4 --arg i32[4] --cl -cl-std=CL3.0 --arg i32=1
// EXIT: 1
// CHECK: is not a multiple of 4 [check.misaligned]
// CHECK: variable: bytes
// CHECK: times: 4

__attribute__((noinline)) int at(char *p)
{
    return *(int *)p;
}

kernel void bad(global int *out, int place)
{
    char odd[3] = {1, 2, 3}, bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = i + odd[i % 3];
    out[get_global_id(0)] = at(bytes + place);
}
