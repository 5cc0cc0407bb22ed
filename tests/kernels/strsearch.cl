/* Where does a pattern stand in a text? Once by trying each place, once by chunks with
 * Horspool's skips.
 * SPDX-License-Identifier: MIT */
bool matches(__global const char *text, __constant char *pattern, uint length)
{
    for (uint i = 0; i < length; i++)
        if (text[i] != pattern[i])
            return false;
    return true;
}

/* One flag per place; `places` = text length - pattern length + 1. */
__kernel void find_naive(__global const char *text, uint places, __constant char *pattern,
                         uint length, __global uchar *flags)
{
    uint i = get_global_id(0);

    if (i < places)
        flags[i] = matches(text + i, pattern, length);
}

/* Matches that start in each chunk of `chunk` places; skips[c] is how far the pattern may move
 * when c stands under its last character. */
__kernel void find_horspool(__global const char *text, uint places, __constant char *pattern,
                            uint length, __constant uchar *skips, uint chunk,
                            __global uint *counts, uint chunks)
{
    uint item = get_global_id(0);
    uint found = 0;

    if (item >= chunks)
        return;
    uint end = min((item + 1) * chunk, places);
    for (uint at = item * chunk; at < end;) {
        char last = text[at + length - 1];

        if (last == pattern[length - 1] && matches(text + at, pattern, length))
            found++;
        at += skips[(uchar)last];
    }
    counts[item] = found;
}
