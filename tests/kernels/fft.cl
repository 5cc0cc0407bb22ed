/* Stockham's FFT, radix 2: one launch per step, no bit reversal.
 * SPDX-License-Identifier: MIT */
__kernel void fft_twiddles(__global float2 *table, uint half_n)
{
    uint i = get_global_id(0);

    if (i < half_n) {
        float turn = -(float)i / (float)half_n;

        table[i] = (float2)(cospi(turn), sinpi(turn));
    }
}

float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* One butterfly per work-item; `span` is 1, 2, 4 … half_n. */
__kernel void fft_step(__global const float2 *in, __global float2 *out,
                       __global const float2 *table, uint half_n, uint span)
{
    uint i = get_global_id(0);
    uint inside = i & (span - 1);
    float2 a = in[i];
    float2 b = times(in[i + half_n], table[inside * (half_n / span)]);
    uint to = 2 * i - inside;

    out[to] = a + b;
    out[to + span] = a - b;
}
