/* launch/tune_turns.h -- when launches try another way to run that needs no other code.
 *
 * Such a trial costs nothing but the launches of the slower way, so it is due as soon as launches
 * have taken as long as it does; the next one much later, since the outcome depends on the data.
 *
 * All but `every` is for the launch that is being timed, alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_TURNS_H
#define HD_LAUNCH_TUNE_TURNS_H

#include <stdatomic.h>

#include "launch/tune_pair.h"

typedef struct HdTuneTurns {
    bool is_on, is_trying;
    _Atomic uint32_t every; /* of so many launches one is timed; a power of two */
    uint32_t times;         /* consecutive trials with the same outcome; 0: not tried */
    double spent_ns;        /* by launches since the last trial */
    double last_ns;         /* that one took; 0: not known */
    HdTunePair pairs;
} HdTuneTurns;

/* With is_on false, or HEDDLE_TRIAL=0, nothing is tried. */
void hd_tune_turns_init(HdTuneTurns *t, bool is_on);
/* The code of the launches has changed: what was found is forgotten. */
void hd_tune_turns_reset(HdTuneTurns *t);

/* Begin a trial if one is due. */
void hd_tune_turns_begin(HdTuneTurns *t);
/* Does the launch, which is to be timed, go the other way? */
bool hd_tune_turns_is_others(const HdTuneTurns *t);
/* It took `ns`; 0 = it did not finish. True: a trial is over, and the other way is faster if *wins.
 *   every  of so many launches one was timed */
bool hd_tune_turns_note(HdTuneTurns *t, uint64_t ns, uint32_t every, bool *wins);

#endif
