/* launch/tune_pair.c -- which of two ways to run launches is faster, by turns.
 *
 * The order within a pair alternates, because launches may alternate, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_pair.h"

#include <math.h>

/* Of the time, at most, for the other way. */
#define GAIN 0.95
/* Of a pair: so many times as long is clearly slower, */
#define SLOWER 1.25
/* and so many times as long clearly faster. */
#define FASTER 0.8
/* Of a way that is so much slower, and of launches that take so long, two pairs that agree will
 * do; what takes longer still is not made twice. Where a thread loses its processor that is for
 * less. */
#define FAR_SLOWER 4.0
/* Nanoseconds of a launch from which on two pairs that agree will do, */
#define DEAR_NS 10000000u
/* and from which on it is not run twice. */
#define DEAREST_NS 100000000u
/* Times as long until the next trial. */
#define RETRY 32u
/* Four times that each time that trials agree: the logarithm of the factor, */
#define MORE_BITS 2u
/* and how often it applies at most. */
#define MOST_MORE 4u

uint64_t hd_tune_pair_turn_ns(uint32_t times)
{
    return times == 0 ? HD_TUNE_PAIR_FIRST_TURN_NS : HD_TUNE_PAIR_TURN_NS;
}

double hd_tune_pair_pause(uint32_t times)
{
    uint32_t agreed = times != 0 ? times - 1 : 0;
    uint32_t bits = MORE_BITS * (agreed < MOST_MORE ? agreed : MOST_MORE);

    return times == 0 ? 1 : RETRY << bits;
}

uint32_t hd_tune_pair_times(uint32_t times, bool wins)
{
    return wins || times == UINT32_MAX >> 1 ? 1 : times + 1;
}

void hd_tune_pair_open(HdTunePair *p)
{
    *p = (HdTunePair){.least_ns = {INFINITY, INFINITY}};
}

bool hd_tune_pair_is_others(const HdTunePair *p)
{
    return ((p->turns ^ p->turns / 2) & 1) != 0;
}

static double median(double *of, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0 && of[k] < of[k - 1]; k--) {
            double more = of[k - 1];

            of[k - 1] = of[k];
            of[k] = more;
        }
    return of[count / 2];
}

/* Which way a pair says is slower: what differs by far counts twice, unless two pairs will do. */
static int verdict(double ratio, bool two_do)
{
    int slower = (ratio > SLOWER) + (!two_do && ratio > SLOWER * SLOWER);
    int faster = (ratio < FASTER) + (!two_do && ratio < FASTER * FASTER);

    return faster - slower;
}

/* Does the other way win? Before the last pair that is known where pairs agree, and the quickest
 * turn of each way with them; in the first pair of short launches the other way found nothing in
 * caches, so it says little. */
static bool is_known(HdTunePair *p, bool *wins)
{
    unsigned pairs = p->turns / 2;
    bool is_dear = p->each_ns[0] > DEAR_NS && p->each_ns[1] > DEAR_NS;
    bool is_far = p->ratios[0] > FAR_SLOWER, two_do = is_dear || is_far;
    /* of the pairs in which it was clearly faster */
    int lead = two_do ? verdict(p->ratios[0], true) : -(p->ratios[0] > SLOWER * SLOWER);

    for (unsigned i = 1; i < pairs; i++)
        lead += verdict(p->ratios[i], two_do);
    *wins = lead >= (is_dear ? 2 : 3) && p->least_ns[1] < FASTER * p->least_ns[0];
    if (*wins || (lead <= (two_do ? -2 : -3) && p->least_ns[1] > SLOWER * p->least_ns[0]))
        return true;
    if (is_far && p->each_ns[1] > DEAREST_NS)
        return true;
    /* On a busy machine most turns of a way may be those of a thread that lost its processor. */
    if (pairs == HD_PAIRS)
        *wins = p->least_ns[1] < p->least_ns[0] && median(p->ratios + 1, HD_PAIRS - 1) < GAIN;
    return pairs == HD_PAIRS;
}

bool hd_tune_pair_note(HdTunePair *p, uint64_t ns, uint64_t turn_ns, bool *wins)
{
    bool other = hd_tune_pair_is_others(p);

    p->turn_ns += ns;
    p->launches++;
    if (p->turn_ns < turn_ns)
        return false;
    p->each_ns[other] = (double)p->turn_ns / (double)p->launches;
    p->least_ns[other] = fmin(p->least_ns[other], p->each_ns[other]);
    if (p->turns % 2 == 1)
        p->ratios[p->turns / 2] = p->each_ns[1] / p->each_ns[0];
    p->turns++;
    p->turn_ns = p->launches = 0;
    return p->turns % 2 == 0 && is_known(p, wins);
}
