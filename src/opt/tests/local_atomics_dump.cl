// OpenCL C 2.0's atomic functions take generic addresses. Those that lead to local memory alone are operations on local memory
// (3 in the second byte); those that may lead elsewhere stay.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --global 32 --local 32 --arg u32[32]=range --arg u32[32]=zeros --dump ir
// ENGINES: compiled
// CHECK: ATOMIC_STORE void imm 772
// CHECK: ATOMIC_RMW.add i32 imm 772
// CHECK: ATOMIC_LOAD i32 imm 772
// CHECK: ATOMIC_RMW.add i32 imm 4
kernel void k(global const uint *x, global atomic_uint *out)
{
    local atomic_uint count[8];
    uint i = get_local_id(0);

    if (i < 8)
        atomic_store(&count[i], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&count[x[i] % 8], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 8)
        atomic_store(&out[i], atomic_load(&count[i]));
    atomic_fetch_add((x[i] & 1) != 0 ? (atomic_uint *)&out[i] : (atomic_uint *)&count[0], 1);
}
