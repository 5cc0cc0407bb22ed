float twice(float x);
kernel void k(global float *y)
{
    size_t i = get_global_id(0);

    y[i] = twice(y[i]);
}
