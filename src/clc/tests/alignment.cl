// Private variables are aligned as their types ask, up to 128 bytes; also those that live across barriers.
// RUN: heddle run %s --global 20 --local 10 --arg u32[20]=fill:9 --arg i64x16[1]=range
// CHECK: arg 0: u32[20] = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
typedef struct {
    long before[12];
    long16 vector;
    long after[12];
} Aligned;

kernel void k(global uint *bits, global const long16 *in)
{
    Aligned a;
    size_t i = get_global_id(0);

    a.vector = in[0];
    a.before[i % 12] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    bits[i] = (uint)((size_t)&a.vector & 127) + (a.before[i % 12] != i);
}
