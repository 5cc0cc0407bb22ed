/* launch/tune_pair.h -- which of two ways to run launches is faster, by turns.
 *
 * Consecutive launches do about the same work, so the ways alternate, in turns of one launch or of
 * some short ones, and each turn is compared with its neighbour: the result is the median of the
 * pairs' ratios, which is robust against preemption and growing launches.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_PAIR_H
#define HD_LAUNCH_TUNE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

/* Pairs of turns, one of each way, that a trial takes at most. */
#define HD_PAIRS 6u
/* Nanoseconds of consecutive launches of one way, which warm up the branch predictors. */
#define HD_TUNE_PAIR_TURN_NS 500000u
/* The same in the first trial, which is to end soon; its outcome is looked at again. */
#define HD_TUNE_PAIR_FIRST_TURN_NS 250000u
/* Pairs that the first trial mostly takes. */
#define HD_TUNE_PAIR_FIRST 3u
/* Launches that take less are timed now and then: looking at the clock costs 0.05 us. */
#define HD_TUNE_PAIR_SHORT_NS 20000u
/* One of so many of these is timed. */
#define HD_TUNE_PAIR_TIME_EVERY 32u

typedef struct HdTunePair {
    unsigned turns;             /* that are over */
    uint64_t turn_ns, launches; /* of this one up to now */
    double each_ns[2];          /* a launch of the best way in its last turn, and of the other; */
    double least_ns[2];         /* in the one in which it took least */
    double ratios[HD_PAIRS];    /* of the other way's time to the best one's */
} HdTunePair;

/* How long a turn takes in the trial after `times` that had the same outcome. */
uint64_t hd_tune_pair_turn_ns(uint32_t times);
/* So many times as long as for the first one the next trial has to wait. */
double hd_tune_pair_pause(uint32_t times);
/* How many trials had the same outcome after one that the other way won or did not win. */
uint32_t hd_tune_pair_times(uint32_t times, bool wins);

/* Between trials one launch of so many is timed, where one takes `ns`; a power of two. */
static inline uint32_t hd_tune_pair_every(uint64_t ns)
{
    return ns < HD_TUNE_PAIR_SHORT_NS ? HD_TUNE_PAIR_TIME_EVERY : 1;
}

void hd_tune_pair_open(HdTunePair *p);
/* Is it the other way's turn? */
bool hd_tune_pair_is_others(const HdTunePair *p);
/* A launch of the way whose turn it is took `ns`. True: the trial is over, and the other way is
 * faster if *wins.
 *   turn_ns  as hd_tune_pair_turn_ns has it */
bool hd_tune_pair_note(HdTunePair *p, uint64_t ns, uint64_t turn_ns, bool *wins);

#endif
