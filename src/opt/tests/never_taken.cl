// A switch with a case for each number that there can be has no other way: where its lanes meet again they do what follows
// together, without a mask.
// RUN: heddle run %s k --global 70 --arg u32[70]=random:1 --arg u32[280]=random:2 --arg u32[70]=zeros --arg u32=69
// RUN: heddle run %s two --global 70 --arg u32[70]=random:1 --arg u32[280]=random:2 --arg u32[70]=zeros --arg u32=69
kernel void k(global const uint *what, global const uint *a, global uint *out, uint n)
{
    uint i = get_global_id(0), r;

    if (i >= n)
        return;
    switch (what[i] & 3) {
    case 0: r = a[i] + a[i + 70]; break;
    case 1: r = a[i + 140] * 3; break;
    case 2: r = a[i] ^ a[i + 210]; break;
    case 3: r = 7; break;
    }
    out[i] = r;
}

kernel void two(global const uint *what, global const uint *a, global uint *out, uint n)
{
    uint i = get_global_id(0), r = 1;

    switch (what[i] & 1) {
    case 0: r = a[i + 70]; break;
    case 1:
        for (uint j = 0; j < n; j++)
            r = r * 31 + a[i + j];
        break;
    default: __builtin_unreachable();
    }
    out[i] = r;
}
