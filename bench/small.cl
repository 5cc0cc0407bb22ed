/* The small program of bench/latency.py. The number is replaced by others, so that no cache knows it. */
kernel void k0(global float *y, global const float *x, float a)
{
    size_t i = get_global_id(0);

    y[i] = a * x[i] + y[i] + as_float(0x3f123456);
}
