// Neighbours' halves of words, vectors, and bytes of what was written as words.
// RUN: heddle check %s shorts --global 16 --local 16 --arg u16[16]=zeros --arg u16[16]=zeros
// RUN: heddle check %s vectors --global 16 --local 16 --arg f32[64]=zeros --arg f32[64]=zeros
// RUN: heddle check %s bytes --global 16 --local 16 --arg u32[16]=zeros --arg u8[16]=zeros
// EXIT: 1
// CHECK: races with a write by another work-item of the work-group [check.race]
// CHECK: times: 16

kernel void shorts(global ushort *a, global ushort *out)
{
    int i = get_local_id(0);

    a[i] = i;
    out[i] = a[i ^ 1];
}

kernel void vectors(global float4 *a, global float4 *out)
{
    int i = get_local_id(0);

    a[i] = i;
    out[i] = a[i ^ 1];
}

kernel void bytes(global uint *a, global uchar *out)
{
    int i = get_local_id(0);

    a[i] = i;
    out[i] = ((global uchar *)a)[(i * 4 + 5) % 64];
}
