// What neighbours wrote is read behind a barrier, and what nobody else touches without one.
// RUN: heddle check %s shorts --global 32 --local 16 --arg u16[32]=zeros --arg u16[32]=zeros
// RUN: heddle check %s vectors --global 32 --local 16 --arg f32[128]=zeros --arg f32[128]=zeros
// RUN: heddle check %s bytes --global 32 --local 16 --arg u32[32]=zeros --arg u8[32]=zeros

kernel void shorts(global ushort *a, global ushort *out)
{
    int i = get_global_id(0);

    a[i] += i;
    out[i] = a[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] += a[i ^ 1];
}

kernel void vectors(global float4 *a, global float4 *out)
{
    int i = get_global_id(0);

    a[i] += i;
    out[i] = a[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] += a[i ^ 1];
}

kernel void bytes(global uint *a, global uchar *out)
{
    int i = get_global_id(0);

    a[i] += i;
    out[i] = ((global uchar *)a)[4 * i + 3];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] += ((global uchar *)a)[4 * (i ^ 1) + 1];
    ((global uchar *)a)[4 * i] = 1;
}
