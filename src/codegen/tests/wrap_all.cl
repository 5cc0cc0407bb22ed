// Unsigned indices that wrap: between lanes, all of which access; and below lanes that do not.
// RUN: heddle run %s rows --global 40,3 --local 8,1 --arg u32[160]=range --arg u32[120]=zeros --arg u32=4294967294 --arg u32=8
// RUN: heddle run %s below --global 40 --local 8 --arg u32[40]=range --arg u32[40]=zeros --arg u32=5
// WIDTHS: 1 4 8 16
kernel void rows(global const uint *a, global uint *out, uint from, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1);

    // The sum begins just below 2^32 and is within the object for each lane.
    out[y * 40 + x] = a[(from + x * 2 + 4) / 2 + y * k];
}

kernel void below(global const uint *a, global uint *out, uint n)
{
    uint i = get_global_id(0);

    out[i] = i >= n ? a[i - n] : 77;
}
