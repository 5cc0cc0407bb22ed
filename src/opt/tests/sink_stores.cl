// In a triangle what is loaded is never what is stored, and the sum goes to memory once behind the loop; where the loop
// may come to the place that it stores to, each round sees what the one before left.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 20 --local 20 --arg i32[400]=random:3 --arg i32[400]=random:4 --arg i32[400]=random:5 --arg i32[400]=random:6 --arg i32=20
#define N 20
kernel void k(global int *lower, global int *upper, global int *meets, global int *other, int n)
{
    local int a[N][N];
    int t = get_local_id(0);

    for (int i = 0; i < N; i++)
        a[i][t] = lower[i * N + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < N - 1; i++) {
        if (t > i)
            for (int j = 0; j < i; j++)
                a[t][i] -= a[t][j] * a[j][i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                a[i + 1][t] -= a[i + 1][j] * a[j][t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < N; i++)
        lower[i * N + t] = a[i][t];
    for (int i = N - 1; i >= 0; i--)
        for (int j = i + 1; j < N; j++)
            upper[t * N + i] += upper[t * N + j] * 3;
    for (int i = 0; i < n; i++) /* j comes to i */
        for (int j = 0; j < n; j++)
            meets[t * N + i] += meets[t * N + j] * 3 + j;
    for (int i = 0; i < N; i++) /* j comes to i in the end */
        for (int j = 0; j < i + 1; j++)
            other[t * N + i] += other[t * N + j] * 5 ^ j;
    for (uint i = 0; i < n; i++)
        for (uint j = 0; j < i; j++)
            other[t * N + i] += other[t * N + j] * 7;
    if (get_local_id(0) + 1 < n)
        for (size_t j = 0; j < get_local_id(0); j++)
            upper[get_local_id(0) * N + get_local_id(0)] ^= upper[get_local_id(0) * N + j];
    for (int j = n - 2; j >= 0; j--) /* down, as far as what is stored */
        meets[t * N] += meets[t * N + j];
    for (long i = 1; i < N - 4; i++) /* j goes on to i + 3 */
        for (long j = 0;; j++) {
            meets[t * N + i] += meets[t * N + j] * 3;
            if (j + (17 - n) == i)
                break;
        }
}
