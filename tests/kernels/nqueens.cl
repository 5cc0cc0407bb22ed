/* Counts the solutions of the N queens problem: each work-item takes one placement of the first
 * two queens and backtracks over the rest with bit masks and a stack of its own.
 * SPDX-License-Identifier: MIT */
#define MOST 16

__kernel void nqueens(__global uint *solutions, uint n)
{
    uint item = get_global_id(0);
    uint a = item / n, b = item % n;
    uint all = (1u << n) - 1;
    uint columns[MOST], left[MOST], right[MOST], open[MOST];
    uint found = 0;
    int depth = 0;

    if (item >= n * n)
        return;
    if (abs_diff(a, b) > 1) {
        uint first = 1u << a, second = 1u << b;

        columns[0] = first | second;
        left[0] = (first << 2) | (second << 1);
        right[0] = (first >> 2) | (second >> 1);
        open[0] = all & ~(columns[0] | left[0] | right[0]);
        while (depth >= 0) {
            uint bit = open[depth] & -open[depth];

            if (bit == 0) {
                depth--;
                continue;
            }
            open[depth] ^= bit;
            if ((columns[depth] | bit) == all) {
                found++;
                continue;
            }
            columns[depth + 1] = columns[depth] | bit;
            left[depth + 1] = (left[depth] | bit) << 1;
            right[depth + 1] = (right[depth] | bit) >> 1;
            depth++;
            open[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
        }
    }
    solutions[item] = found;
}
