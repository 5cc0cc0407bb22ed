/* Half precision as a storage format: every rounding mode, scalars and vectors. Needs no
 * arithmetic in half.
 * SPDX-License-Identifier: MIT */
__kernel void half_store(__global const float *in, __global half *rte, __global half *rtz,
                         __global half *rtp, __global half *rtn, uint n)
{
    uint i = get_global_id(0);

    if (i >= n)
        return;
    vstore_half_rte(in[i], i, rte);
    vstore_half_rtz(in[i], i, rtz);
    vstore_half_rtp(in[i], i, rtp);
    vstore_half_rtn(in[i], i, rtn);
}

/* Four at a time, and the tail one by one. */
__kernel void half_load(__global const half *in, __global float *out, uint n)
{
    uint i = get_global_id(0);

    if (4 * i + 4 <= n) {
        vstore4(vload_half4(i, in), i, out);
    } else {
        for (uint k = 4 * i; k < n; k++)
            out[k] = vload_half(k, in);
    }
}
