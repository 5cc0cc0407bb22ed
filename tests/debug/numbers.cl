// Arguments of each integer type, and a float, for expressions.
kernel void numbers(global int *out, int a, uint b, long c, ulong d, char e, uchar f, float g)
{
    size_t i = get_global_id(0);

    out[i] = a + (int)b + (int)c + (int)d + e + f + (g > 0);
}

// Components of vectors.
kernel void swizzles(global int8 *out)
{
    int8 v = out[0];
    int3 w = v.xyz;

    out[0] = v;
    out[0].xyz += w;
}
