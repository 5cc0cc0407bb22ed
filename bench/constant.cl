/* The small program of bench/latency.py with a constant argument, which a launch looks at. */
kernel void k0(global float *y, constant float *x, float a)
{
    size_t i = get_global_id(0);

    y[i] = a * x[i] + y[i] + as_float(0x3f123456);
}
