/* base/trace.h -- what happens when, for Perfetto and chrome://tracing.
 *
 * HEDDLE_TRACE names a file, or hd_trace_open does. A span is a variable: it begins where it is
 * declared and ends with its block. Without a trace it costs a load and a branch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_TRACE_H
#define HD_BASE_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HD_TRACE_TEXT 40u

typedef struct HdTraceSpan {
    uint64_t start; /* in ticks (base/ticks.h); 0: nothing is traced */
    const char *category, *name;
    const char *text_name, *number_name[2]; /* literals; NULL: none */
    uint64_t number[2];
    char text[HD_TRACE_TEXT];
    uint32_t track; /* 0: that of the thread */
} HdTraceSpan;

enum { HD_TRACE_UNKNOWN, HD_TRACE_OFF, HD_TRACE_ON };
extern _Atomic int hd_trace_state;

/* Not inline: the rest of the work, when a trace may be wanted. */
bool hd_trace_starts(void);
void hd_trace_add(HdTraceSpan *s);
void hd_trace_fill(HdTraceSpan *s, const char *category, const char *name);

static inline bool hd_trace_is_on(void)
{
    int state = atomic_load_explicit(&hd_trace_state, memory_order_acquire);

    return __builtin_expect(state != HD_TRACE_OFF, 0) &&
           (state == HD_TRACE_ON || hd_trace_starts());
}

/* category, name: literals. */
static inline HdTraceSpan hd_trace_begin(const char *category, const char *name)
{
    HdTraceSpan s;

    s.start = 0;
    if (hd_trace_is_on())
        hd_trace_fill(&s, category, name);
    return s;
}

static inline void hd_trace_end(HdTraceSpan *s)
{
    if (__builtin_expect(s->start != 0, 0))
        hd_trace_add(s);
}

/* Is there a trace, and did the span begin so long ago? */
bool hd_trace_has_lasted(const HdTraceSpan *s, unsigned us);

/* Until the end of the block. */
#define HD_TRACE_NAMED(span, category, name) \
    HdTraceSpan span __attribute__((cleanup(hd_trace_end))) = hd_trace_begin((category), (name))
#define HD_TRACE(category, name) HD_TRACE_NAMED(hd_span, category, name)

/* What a span is about: `name` is a literal, the text is copied. */
void hd_trace_text(HdTraceSpan *s, const char *name, const char *text);
static inline void hd_trace_number(HdTraceSpan *s, unsigned i, const char *name, uint64_t value)
{
    if (s->start == 0)
        return;
    s->number_name[i] = name;
    s->number[i] = value;
}
/* Put a span on a track of what `key` stands for, which is called "what N"; at the same time others
 * of that key may be on others. */
void hd_trace_track(HdTraceSpan *s, const void *key, const char *what);
/* A moment. */
void hd_trace_instant(const char *category, const char *name);

/* Begin a trace, unless there is one. False: the file cannot be written. */
bool hd_trace_open(const char *path);
/* Write what has been seen so far. */
void hd_trace_flush(void);

#endif
