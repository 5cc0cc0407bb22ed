/* Monte Carlo for pi: each work-item draws points with a 64-bit xorshift generator of its own,
 * counts in whole numbers those inside the quarter circle, and adds to one counter.
 * SPDX-License-Identifier: MIT */
ulong next(ulong *state)
{
    ulong x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1DUL;
}

/* A whole number below `below`, without division. */
ulong draw(ulong *state, ulong below)
{
    return mul_hi(next(state), below);
}

__kernel void xorshift(__global ulong *states, uint draws, volatile __global uint *inside, uint n)
{
    uint i = get_global_id(0);
    const ulong side = 1000003;
    uint count = 0;

    if (i >= n)
        return;
    ulong state = states[i];
    for (uint d = 0; d < draws; d++) {
        ulong x = draw(&state, side);
        ulong y = draw(&state, side);

        count += x * x + y * y < side * side;
    }
    states[i] = state;
    atomic_add(inside, count);
}
