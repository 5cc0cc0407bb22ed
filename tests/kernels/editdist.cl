/* Levenshtein distance of pairs of strings, one pair per work-item, with one row of the table
 * in private memory. A pair is two slots of SLOT bytes, each begun by its length.
 * SPDX-License-Identifier: MIT */
#define SLOT 32

__kernel void editdist(__global const uchar *pairs, __global uint *distances, uint n)
{
    uint item = get_global_id(0);
    ushort row[SLOT];

    if (item >= n)
        return;
    __global const uchar *a = pairs + item * 2 * SLOT;
    __global const uchar *b = a + SLOT;
    uint na = a[0], nb = b[0];

    for (uint j = 0; j <= nb; j++)
        row[j] = j;
    for (uint i = 1; i <= na; i++) {
        ushort diagonal = row[0];

        row[0] = i;
        for (uint j = 1; j <= nb; j++) {
            ushort above = row[j];
            ushort change = diagonal + (a[i] != b[j] ? 1 : 0);

            row[j] = min(change, (ushort)(min(above, row[j - 1]) + 1));
            diagonal = above;
        }
    }
    distances[item] = row[nb];
}
