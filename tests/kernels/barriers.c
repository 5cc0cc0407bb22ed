/* tests/kernels/barriers.c -- the same steps on the host, one group at a time, all work-items
 * between two barriers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { LOCAL = 37 };

static void mix_with_neighbour(uint32_t *room, uint32_t size, uint32_t step)
{
    uint32_t old[LOCAL];

    memcpy(old, room, size * sizeof *old);
    for (uint32_t i = 0; i < size; i++)
        room[i] = old[i] * 3 + old[(i + step) % size];
}

static void last_steps(uint32_t *room, uint32_t *kept, uint32_t size, uint32_t turns)
{
    if (turns == 0 || turns == 3 || turns == 7) {
        mix_with_neighbour(room, size, 2);
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        if (turns == 1 || turns == 5)
            kept[i] += room[size - 1 - i];
        kept[i] ^= room[i * 3 % size];
    }
}

static void reference(uint32_t turns, uint32_t size, uint32_t *out)
{
    uint32_t room[LOCAL];
    uint32_t kept[LOCAL];

    for (uint32_t i = 0; i < size; i++) {
        room[i] = i * 7 + 1;
        kept[i] = i;
    }
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t inner = 0; inner <= turn % 3; inner++) {
            mix_with_neighbour(room, size, inner + 1);
            for (uint32_t i = 0; (turns & 1) && i < size; i++) {
                for (uint32_t spin = 0; spin < i % 5; spin++)
                    kept[i] = kept[i] * 5 + spin;
                room[i] ^= kept[i];
            }
        }
        if (room[0] % 7 == 3)
            break;
        for (uint32_t i = 0; i < size; i++)
            kept[i] += room[size - 1];
    }
    last_steps(room, kept, size, turns);
    for (uint32_t i = 0; i < size; i++)
        out[i] = room[i] + kept[i];
}

void case_barriers(Kc *c)
{
    size_t n = kc_pick(c, 1003, 50021);
    size_t groups = kc_ceil_div(n, LOCAL);
    size_t items = kc_device(c)->non_uniform ? n : groups * LOCAL;
    uint32_t *rounds = kc_words(c, groups, 9);
    uint32_t *got = kc_alloc(c, items * sizeof *got);
    uint32_t *want = kc_alloc(c, items * sizeof *want);
    cl_kernel k = kc_kernel(c, "barriers");
    cl_mem in = kc_buffer(c, groups * sizeof *rounds, rounds);
    cl_mem out = kc_buffer(c, items * sizeof *got, NULL);

    kc_args(c, k, "mml", in, out, LOCAL * sizeof *got);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, items, LOCAL);
        kc_end(c);
    }
    kc_read(c, out, got, items * sizeof *got);

    for (size_t g = 0; g < groups; g++) {
        size_t left = items - g * LOCAL;

        reference(rounds[g], (uint32_t)(left < LOCAL ? left : LOCAL), want + g * LOCAL);
    }
    kc_check_u32(c, "value", got, want, items);
}
