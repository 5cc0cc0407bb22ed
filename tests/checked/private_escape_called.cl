// A pointer to the middle of an array, used by a function that another work-item calls.
// RUN: heddle check %s bad --global 70 --local 70 --arg u64[70] --arg i32[70]
// EXIT: 1
// CHECK: read of 4 bytes in the private memory of another work-item [check.private-escape]
// CHECK: kernel: bad, function read
// CHECK: variable: values
// CHECK-NEXT: memory: byte 8 of a private variable of 16 bytes
// CHECK-NEXT: the variable is made in bad at {{.*}}, by work-item (1, 0, 0)
// CHECK: called in bad at
// CHECK: times: 70

static int read(global ulong *where, int i)
{
    return *(private int *)where[i];
}

kernel void bad(global ulong *where, global int *out)
{
    int i = get_local_id(0), n = get_local_size(0);
    int values[4] = {1, 2, 3, i};

    where[i] = (ulong)&values[2];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = read(where, (i + 1) % n);
}
