// Arguments of each integer type, and a float, for expressions.
kernel void numbers(global int *out, int a, uint b, long c, ulong d, char e, uchar f, float g)
{
    size_t i = get_global_id(0);

    out[i] = a + (int)b + (int)c + (int)d + e + f + (g > 0);
}
