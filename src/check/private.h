/* check/private.h -- the state of a check.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_PRIVATE_H
#define HD_CHECK_PRIVATE_H

#include <pthread.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/counts.h"
#include "heddle/heddle.h"

/* Memory that a kernel's instruction has written values into that are none. */
typedef struct HdSpoiled {
    uint64_t at, bytes;
    HdDefect defect; /* strings are the check's */
    bool is_told;
} HdSpoiled;

/* Numbers of a launch. */
typedef struct HdEpochs {
    uint32_t first, count;
    bool is_old; /* it began before cells were last emptied */
    bool has_ended;
} HdEpochs;

struct HdCheck {
    pthread_mutex_t lock;
    HdArena *arena;
    HD_ARRAY(HdRegion *) regions; /* sorted, none overlap */
    HD_ARRAY(HdRegion *) released;
    HD_ARRAY(HdDefect) defects;
    HD_ARRAY(HdSpoiled) spoiled;
    HdDefects told; /* what hd_check_defects gave last */
    pthread_mutex_t texts_lock;
    HD_ARRAY(char *) texts;
    uint64_t launches, more;
    size_t errors;
    uint32_t made;             /* buffers so far */
    uint32_t epoch;            /* the next one */
    HD_ARRAY(HdEpochs) ranges; /* of launches that run, and of some that have ended */
    atomic_bool is_counting;
    pthread_mutex_t counts_lock; /* of what follows; may be taken before texts_lock */
    HD_ARRAY(HdCountCode *) codes;
    HD_ARRAY(HdCounts *) counts;
    bool has_observer;
    heddle_observer observer;
};

/* Keep a defect whose strings live as long as the check. The lock is held. */
void hd_check_keep(HdCheck *c, const HdDefect *d);
/* A text about a kernel as it is said of a shader; names in quotes stay. From the arena; NULL for
 * NULL, and when there is no memory. */
const char *hd_defect_shaders_words(HdArena *a, const char *text);

#endif
