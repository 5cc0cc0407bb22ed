// Barriers in loops and behind conditions that all of a group come to equally often, by ways that differ from work-item to
// work-item; shapes that compilers of other drivers have got wrong. Numbers: each work-item executed on its own, up to the next
// barrier, by a C compiler.
// SPDX-License-Identifier: MIT
// WIDTHS: 4 8 16 32
// ENGINES: compiled dispatch interpreted fibers
// RUN: heddle run %s guarded --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=10,6,2,22,20,18,17,17,17,18,20,22,2,6,10,15,21,4,11,19,4,13,23,10,21,10,22,12,3,17,9,2,18,15,13,12,11,11,12,13,15,18,21,2,7,12,18,2,9,17,3,12,22,10,21,10,23,13,4,19,11,4,21,15
// RUN: heddle run %s checked_tree --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=7593,7594,7595,7596,7597,7598,7599,7600,7601,7602,7603,7604,7605,7606,7607,7608,7609,10086,10087,10088,10089,10090,10091,10092,10093,10094,10095,10096,10097,10098,10099,10100,10101,10102,8133,8134,8135,8136,8137,8138,8139,8140,8141,8142,8143,8144,8145,8146,8147,8148,8149
// RUN: heddle run %s checked_tree --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=348,349,350,351,352,1053,1054,1055,1056,1057
// RUN: heddle run %s own_rounds --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=302,196,28,1233,6943,338,734,112,806,1341,40,5971,1125,369,6619,172,1017,194,50,770,698,5647,590,196,196,208,698,6943,50,194,338,518,2205,40,3379,1989,369,4027,268,1017,734,112,770,410,787,1773,100,16
// RUN: heddle run %s late_rounds --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=544,436,706,544,571,571,463,625,301,463,463,301,625,463,571,571,625,706,436,706,706,436,706,706,436,706,706,571,706,625,571,706,463,463,301,625,463,571,571,544,706,436,544,706,436,544,706,436,544,625,571,490,463,625,301,463,463,301,544,463,436,463,544,301
// RUN: heddle run %s skipped_loop --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=36,96,229,79,26,124,84,431,132,164,87,18,90,87,18,189,157,86,92,327,186,34,76,112,317,191,239,34,98,106,101,140,164,349,18,74,119,18,253,333,84,343,319,162,26,50,293,111,74,148,26
// RUN: heddle run %s two_ways --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,106,107,108,109,110,111,112,113,114,115
// RUN: heddle run %s conditional --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078,12078
// RUN: heddle run %s kept --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=26756,26833,26471,24815,22121,19611,13716,7600,11509,12239,12668,14127,15852,17103,20070,22786,27561,27373,27043,25333,24886,22667,19829,14576,8138,11741,12717,14334,15020,16199,17757,20404,23346,27777,26200,26257,25902,24351,21791,19442,13806,7978,11831,12476,12795,14184,15807,16931,19814,22411,27042
// RUN: heddle run %s own_side --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,167,32
// RUN: heddle run %s ragged --global 64 --local 32 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[64]=zeros --no-print --expect 1=376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,376,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339,339
// RUN: heddle run %s ragged --global 10 --local 5 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[10]=zeros --no-print --expect 1=9,9,9,9,9,30,30,30,30,30
// RUN: heddle run %s halving --global 51 --local 17 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[51]=zeros --no-print --expect 1=208,208,208,208,208,208,208,208,208,208,208,208,208,208,208,208,208,242,242,242,242,242,242,242,242,242,242,242,242,242,242,242,242,242,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200
// RUN: heddle run %s called --global 48 --local 48 --arg u32[64]=1,8,16,2,11,21,9,20,9,22,12,3,18,10,3,20,14,9,5,1,21,19,17,16,16,16,17,19,21,1,5,9,14,20,3,10,18,3,12,22,9,20,9,21,11,2,16,8,1,17,11,6,1,20,17,14,12,11,10,10,11,12,14,17 --arg u32[48]=zeros --no-print --expect 1=164,277,161,209,220,120,157,281,184,230,261,156,269,148,169,149,105,109,64,226,305,284,148,242,365,209,221,124,89,125,281,192,230,245,148,261,140,189,245,128,106,94,186,233,213,216,112,233
/* A test of bounds that all pass, with another way for those who would not; the barrier stands behind it. */
kernel void guarded(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    if (i < in[0] * 100) {
        s[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = s[n - 1 - l] + 1;
    } else {
        out[0] = 1000 + i;
    }
}

/* A reduction whose loop has a way out for an index that is never out of bounds, and a second choice within the first. */
kernel void checked_tree(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), d = 1;
    s[l] = in[i];
    while (d < n) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = 2 * d * l;
        if (k < n) {
            uint other = 0;
            if (k + d < n) {
                if (k + d >= 64) {
                    out[i] = 1000;
                    return;
                }
                other = s[k + d];
            }
            s[k] = s[k] * 3 + other;
        }
        d *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[0] + l;
}

/* Work-items do different numbers of rounds, all of them at least two; only the first two have a barrier. */
kernel void own_rounds(global const uint *in, global uint *out)
{
    local uint s[128];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), sum = 0;
    for (uint j = 0; j < 2 + (in[i] & 3); j++) {
        if (j < 2) {
            s[64 * j + l] = in[i] + j;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += s[64 * j + (l + 1) % n];
        }
        sum = sum * 3 + j;
    }
    out[i] = sum;
}

/* The same with the barrier in the last rounds: who has fewer begins later. */
kernel void late_rounds(global const uint *in, global uint *out)
{
    local uint s[128];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), sum = 0;
    for (uint j = in[i] & 3; j < 6; j++) {
        sum = sum * 3 + j;
        if (j < 4)
            continue;
        s[64 * (j & 1) + l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[64 * (j & 1) + (l + 3) % n];
    }
    out[i] = sum;
}

/* Right behind a barrier some skip a loop of their own, and meet the rest before the next barrier. */
kernel void skipped_loop(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = in[i];
    for (uint j = 0; j < 3; j++) {
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((x & 1) == 0) {
            for (uint k = 0; k < (x & 7); k++)
                x += s[(l + k) % n] + k;
        }
        x += 5;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

/* Two ways to the end of a round, of which one has a barrier that all take or none. */
kernel void two_ways(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = l;
    s[l] = 0;
    for (uint j = 16; j > 0; j--) {
        if (in[j] & 1) {
            x += 3;
            continue;
        }
        s[l] = x + j;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

/* Barriers behind conditions in loops within each other, and one behind a condition after them. */
kernel void conditional(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), a = in[0] & 1, b = in[1] | 1, x = l, rounds = 0;
    for (uint j = 0; j < 2 + a; j++) {
        for (uint k = 0; k < 2; k++) {
            rounds++;
            s[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x += s[n - 1 - l];
            if (b > a)
                barrier(CLK_LOCAL_MEM_FENCE);
            if (a > 0 || b > 0)
                barrier(CLK_LOCAL_MEM_FENCE);
            x += k;
        }
    }
    if (b > 0) {
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 5 + s[(l + 2) % n];
    }
    out[i] = x + 1000 * rounds;
}

/* A work-item's array and what it computed before a barrier are still there behind it. */
kernel void kept(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), own[8];
    for (uint j = 0; j < 8; j++)
        own[j] = in[i] + j * l;
    s[l] = 0;
    for (uint j = 0; j < 8; j++) {
        uint c = j * 8 + l, k = (l + j) % n;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[k] = s[k] + own[j] * c;
        own[(j + l) & 7] += c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[l] + own[0] + own[5];
}

/* A store behind a condition that must stay on its side of a barrier. */
kernel void own_side(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = 0;
    for (uint j = 0; j < 4; j++) {
        if (l == j)
            s[0] = in[i] + j;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l != n - 1 || (j & 1))
            x = x * 3 + s[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

/* A reduction of a ragged number of elements: who has nothing to add goes straight to the next barrier. */
kernel void ragged(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), count = get_local_size(0) - 3;
    s[l] = l < count ? in[i] : 0;
    for (uint j = 1; j < get_local_size(0); j <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & (2 * j - 1)) == 0 && l + j < count)
            s[l] = s[l] + s[l + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[0];
}

/* Steps that halve, with the way out in the middle and two stores of which each work-item does one or none. */
kernel void halving(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), d = 32;
    s[l] = in[i];
    for (;;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (d == 0)
            break;
        uint step = d;
        d >>= 1;
        if (l >= step)
            continue;
        if (l + step < n) {
            s[l] = s[l] + s[l + step];
            continue;
        }
        s[l] = s[l] ^ 1;
    }
    out[i] = s[0] + s[n / 2];
}

static uint turn(local uint *s, uint l, uint n, uint x)
{
    for (uint j = 0; j < 3; j++) {
        s[l] = x + j;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint y = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y & 1)
            continue;
        x += y;
    }
    return x;
}

/* Barriers in a function that is called in a loop. */
kernel void called(global const uint *in, global uint *out)
{
    local uint s[64];
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = in[i];
    for (uint j = 0; j < 3; j++) {
        switch (in[j] & 3) {
        case 0:
            x = turn(s, l, n, x);
        case 1:
            if (x & 2)
                x += 7;
            break;
        default:
            x = turn(s, l, n, x + l) + 1;
        }
    }
    out[i] = x;
}
