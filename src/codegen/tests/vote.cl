// Conditions on ids that all lanes find alike, some, or none: what the first and the last lane find is
// enough to know, with ids on either side, signed and unsigned, wide and narrow, alone and together.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 40 --local 40 --arg u32[40]=zeros --arg u32=20 --arg i32=-1
// CHECK: arg 0: u32[40] = 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 63, 46, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10
kernel void k(global uint *y, uint n, int low)
{
    size_t wide = get_global_id(0);
    uint i = (uint)get_global_id(0);
    int s = (int)get_local_id(0);
    uint r = 0;

    if (wide < n)
        r |= 1;
    if (n <= i)
        r |= 2;
    if (i <= n && s > low)
        r |= 4;
    if (!(s >= 32 && i > 50) && low < s)
        r |= 8;
    if (s < low || i < n)
        r |= 16;
    if (wide <= 20 || low > s)
        r |= 32;
    if (wide >= 19 && s < (int)n)
        r += 2;
    y[i] = r;
}
