// SPDX-License-Identifier: MIT
float cnd(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float c = 0.39894228f * exp(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
blackscholes(global const float *price, global const float *strike, global float2 *result, float r, float v) {
    uint i = get_global_id(0);
    float s = 5 + 25 * price[i], x = 1 + 99 * strike[i], t = 0.25f + 9.75f * price[i];
    float root = sqrt(t), d = (log(s / x) + (r + 0.5f * v * v) * t) / (v * root), e = d - v * root;
    float discount = x * exp(-r * t), c = cnd(d), p = cnd(e);
    result[i] = (float2)(s * c - discount * p, discount * (1 - p) - s * (1 - c));
}
