// SPDX-License-Identifier: MIT
// groups 2048; local 256; bind 0.0=f32[524288]=random:1; bind 0.1=f32[524288]=random:2; bind 0.2=f32x2[524288]=zeros; push f32=0.02,f32=0.3; tolerance 1e-3
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float price[]; };
layout(set = 0, binding = 1) readonly buffer B { float strike[]; };
layout(set = 0, binding = 2) writeonly buffer C { vec2 result[]; };
layout(push_constant) uniform P { float r, v; };
float cnd(float d) {
    float k = 1.0 / (1.0 + 0.2316419 * abs(d));
    float c = 0.39894228 * exp(-0.5 * d * d) *
              (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    return d > 0 ? 1.0 - c : c;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    float s = 5 + 25 * price[i], x = 1 + 99 * strike[i], t = 0.25 + 9.75 * price[i];
    float root = sqrt(t), d = (log(s / x) + (r + 0.5 * v * v) * t) / (v * root), e = d - v * root;
    float discount = x * exp(-r * t), c = cnd(d), p = cnd(e);
    result[i] = vec2(s * c - discount * p, discount * (1 - p) - s * (1 - c));
}
