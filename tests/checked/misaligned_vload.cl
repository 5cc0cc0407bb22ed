// vload and vstore need no vector's alignment, but their elements'.
// RUN: heddle check %s bad --global 1 --arg u8[32]=range --arg f32[4]
// EXIT: 1
// CHECK: error: read of 16 bytes at byte 2 of buffer 0, whose address {{0x[0-9a-f]+}} is not a multiple of 4 [check.misaligned]
// CHECK: hint: vload and vstore need a pointer that is aligned to its elements

kernel void bad(global const char *in, global float *out)
{
    vstore4(vload4(0, (global const float *)(in + 2)), 0, out);
}
