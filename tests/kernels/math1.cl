/* One kernel per function of the mathematics library, over an array.
 * SPDX-License-Identifier: MIT */
#define UNARY(name)                                                                   \
    __kernel void map_##name(__global const float *x, __global const float *y,        \
                             __global float *out, uint n)                             \
    {                                                                                 \
        uint i = get_global_id(0);                                                    \
                                                                                      \
        if (i < n)                                                                    \
            out[i] = name(x[i]);                                                      \
    }
#define BINARY(name)                                                                  \
    __kernel void map_##name(__global const float *x, __global const float *y,        \
                             __global float *out, uint n)                             \
    {                                                                                 \
        uint i = get_global_id(0);                                                    \
                                                                                      \
        if (i < n)                                                                    \
            out[i] = name(x[i], y[i]);                                                \
    }
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(exp)
UNARY(exp2)
UNARY(expm1)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(cbrt)
UNARY(erf)
UNARY(erfc)
UNARY(tgamma)
UNARY(lgamma)
BINARY(pow)
BINARY(atan2)
BINARY(hypot)
BINARY(fmod)
