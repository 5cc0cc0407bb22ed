// An array of pointers, which clang-22 declares as one pointer: two buffers that change places, behind barriers.
// RUN: heddle run %s swap --global 32 --local 32 --arg f32[32]=range --arg f32[32]=zeros --arg local[128] --arg local[128] --arg i32=3 --no-print --expect 1=3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,0,1,2
kernel void swap(global const float *in, global float *out, local float *first, local float *second, int rounds)
{
    local float *banks[2] = {first, second};
    int i = get_local_id(0);

    banks[0][i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        banks[(r + 1) & 1][i] = banks[r & 1][(i + 1) & 31];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = banks[rounds & 1][i];
}
