// A pointer to a work-item's own memory, used by its neighbour.
// RUN: heddle check %s bad --global 2 --local 2 --arg u64[2] --arg i32[2]
// EXIT: 1
// CHECK: in the private memory of another work-item [check.private-escape]
// CHECK: variable: x
// CHECK-NEXT: memory: byte 0 of a private variable of 4 bytes
// CHECK-NEXT: the variable is made in bad at {{.*}}, by work-item (1, 0, 0), local (1, 0, 0), group (0, 0, 0)

kernel void bad(global ulong *where, global int *out)
{
    volatile int x = get_local_id(0);

    where[get_local_id(0)] = (ulong)&x;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_local_id(0)] = *(volatile int *)where[1 - get_local_id(0)];
}
