/* base/status.h -- the result of everything that can fail.
 *
 * A function that can fail returns HdStatus and says why through the HdDiags it was handed
 * (base/diag.h). There are six classes of failure besides "fine"; callers map them, never guess.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_STATUS_H
#define HD_BASE_STATUS_H

typedef enum HdStatus {
    HD_OK = 0,
    HD_BAD_INPUT,   /* the module, text or argument is wrong: the user's to mend */
    HD_UNSUPPORTED, /* valid, but this build or device does not do it */
    HD_NO_MEMORY,   /* an allocation failed; the requested object was not created */
    HD_IO,          /* a file or process could not be read, written or run */
    HD_ABORTED,     /* the program that ran ended itself: OpAbortKHR */
    HD_BUG          /* an invariant of ours broke: report it */
} HdStatus;

/* Return early with the status of `call` unless it is HD_OK. */
#define HD_TRY(call)               \
    do {                           \
        HdStatus hd_try_ = (call); \
        if (hd_try_ != HD_OK)      \
            return hd_try_;        \
    } while (0)

/* Assign an allocation to `place`, or return HD_NO_MEMORY. */
#define HD_TAKE(place, expr)     \
    do {                         \
        (place) = (expr);        \
        if ((place) == 0)        \
            return HD_NO_MEMORY; \
    } while (0)

/* A constant English name: "ok", "bad input", … */
const char *hd_status_name(HdStatus st);

#if defined(__GNUC__)
#define HD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HD_PRINTF(fmt, args)
#endif

#endif
