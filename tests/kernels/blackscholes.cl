/* Prices of European options by Black and Scholes; the normal distribution by a polynomial
 * (Abramowitz and Stegun, 26.2.17).
 * SPDX-License-Identifier: MIT */
float normal_below(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float poly = k * (0.319381530f +
                      k * (-0.356563782f +
                           k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * d * d) * poly;

    return d > 0 ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global const float *price, __global const float *strike,
                           __global const float *years, __global float *call, __global float *put,
                           float rate, float volatility, uint n)
{
    uint i = get_global_id(0);

    if (i >= n)
        return;
    float root = volatility * sqrt(years[i]);
    float d1 = (log(price[i] / strike[i]) +
                (rate + 0.5f * volatility * volatility) * years[i]) / root;
    float d2 = d1 - root;
    float later = strike[i] * exp(-rate * years[i]);

    call[i] = price[i] * normal_below(d1) - later * normal_below(d2);
    put[i] = later * normal_below(-d2) - price[i] * normal_below(-d1);
}
