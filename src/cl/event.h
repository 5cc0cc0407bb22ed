/* cl/event.h -- events and their commands: one node of the event graph each.
 *
 * An event is a command of a queue or a user event. A command is held by its queue until it has
 * ended. It becomes ready when everything it waits for has ended; queue.c decides who runs it then.
 * Everything below the payload is guarded by what guards its queue (cl/queue.h), of a user event by
 * the context's graph lock, except `status`, which may be read without.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_EVENT_H
#define HD_CL_EVENT_H

#include "base/round.h"
#include "cl/callback.h"
#include "cl/context.h"

typedef void(CL_CALLBACK HdEventFn)(cl_event event, cl_int status, void *user);

/* Bytes from one place to another, as a box. */
typedef struct HdCopy {
    unsigned char *to;
    const unsigned char *from;
    size_t region[3]; /* bytes, rows, slices */
    size_t to_row, to_slice, from_row, from_slice;
} HdCopy;

typedef struct HdFill {
    unsigned char *to;
    size_t size;
    size_t pattern_size;
    unsigned char pattern[128];
} HdFill;

/* A box of bytes filled with a pattern. */
typedef struct HdBoxFill {
    unsigned char *to;
    size_t region[3]; /* bytes, rows, slices */
    size_t row, slice;
    size_t pattern_size;
    unsigned char pattern[16];
} HdBoxFill;

typedef struct HdNative {
    void(CL_CALLBACK *fn)(void *);
    void *args;
} HdNative;

typedef struct HdSvmFree {
    void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *);
    void *user;
    cl_uint count;
    void **pointers;
} HdSvmFree;

struct HdNdrangeCommand;   /* cl/ndrange.c */
struct HdRecording;        /* cl/command_buffer.c */
struct HdSemaphoreCommand; /* cl/semaphore.c */

/* What waits for an event through its own wait list, or after a barrier. In an in-order queue a
 * command waits for the previous one without an edge: the queue's list implies it. */
struct HdEdge {
    cl_event to;      /* held */
    bool is_explicit; /* from a wait list: errors carry over */
};

/* Bytes after an event that its command may use, so that most launches allocate nothing else. */
#define HD_EVENT_ROOM 480u

struct _cl_event {
    HdObject object;
    cl_context context;     /* held by the queue; of a user event, by the event */
    cl_command_queue queue; /* held; NULL: a user event */
    cl_command_type type;
    atomic_int status;

    /* The command: runs without locks. Returns CL_SUCCESS or the error that the event ends with. */
    cl_int (*run)(cl_event e);
    void (*drop)(cl_event e); /* frees what the payload owns; NULL = nothing */
    /* With the graph lock held, which its queue joins; NULL = nothing. May a command run once all
     * events it waits for have ended? If not, whatever unblocks it calls hd_queue_ready, and this
     * is called again. It has ended without an error, and its payload still exists. */
    bool (*may_run)(cl_event e);
    void (*ended)(cl_event e);
    union {
        HdCopy copy;
        HdFill *fill;     /* in the event's room */
        HdBoxFill *boxes; /* likewise */
        HdNative native;
        HdSvmFree svm_free;
        struct HdNdrangeCommand *ndrange;
        struct HdRecording *recording;
        struct HdSemaphoreCommand *semaphores; /* in the event's room */
    } payload;
    HdObject *held[6]; /* objects that the command uses, without gaps */
    unsigned held_count;
    HdObject **more_held; /* further ones; heap */
    size_t more_count;
    bool spans_queues; /* a command buffer of several queues, of which `queue` is one */
    bool is_heavy;     /* worth starting immediately */
    bool is_cheap;     /* takes less than handing it to another thread does */
    bool is_ahead;     /* run by a worker before somebody waits for it */

    uint64_t serial;  /* in its queue */
    unsigned blocked; /* events that it still waits for */
    bool is_failed;   /* one of them ended with an error */
    bool is_barrier;
    struct HdEdge first_edge; /* of what waits for this one: the first, and further ones */
    bool has_edge;
    HD_ARRAY(struct HdEdge) more_edges;
    struct HdEventCallback *callbacks;
    cl_event next, previous; /* in the queue's list of what has not ended */
    cl_event next_ready;
    cl_event next_spare;
    uint64_t queued_ns, submitted_ns, started_ns, ended_ns; /* in queues that profile */
};

/* The command's room: HD_EVENT_ROOM bytes, aligned for anything, not initialised. */
static inline void *hd_event_room(cl_event e)
{
    return (unsigned char *)e + hd_round_up(sizeof *e, 64);
}

static inline bool hd_event_is(cl_event e)
{
    return hd_object_is(e, HD_MAGIC_EVENT);
}

static inline cl_int hd_event_status(cl_event e)
{
    return atomic_load_explicit(&e->status, memory_order_acquire);
}

/* Create a command of a queue, not yet enqueued, with HD_EVENT_ROOM bytes for what it needs. NULL
 * if there is no memory. */
cl_event hd_event_new(cl_command_queue q, cl_command_type type, cl_int (*run)(cl_event));
/* Make a user event. */
cl_event hd_event_new_user(cl_context c);
/* The command uses this object until it has ended. */
bool hd_event_hold(cl_event e, HdObject *o);
/* Give back what the command used. Without locks: the host's callbacks may be called. */
void hd_event_drop_payload(cl_event e);

/* Make room for `extra` edges; false when there is no memory. Draw one, for which there is room. */
bool hd_event_reserve_edges(cl_event from, size_t extra);
void hd_event_draw_edge(cl_event from, cl_event to, bool is_explicit);

/* Give back what a queue keeps for events to come. */
void hd_event_drop_spares(cl_command_queue q);

/* With what guards the event locked: enter a state and post the callbacks that wait for it. */
void hd_event_enter(cl_event e, cl_int status);
/* The same: end events, `e` with `status`, and what fails because of it. */
void hd_event_end(cl_event e, cl_int status);

/* clSetUserEventStatus; false when it was set before. */
bool hd_event_set_user_status(cl_event e, cl_int status);
cl_int hd_event_on_status(cl_event e, cl_int status, HdEventFn *fn, void *user);
bool hd_event_answer(cl_event e, cl_uint query, HdAnswer *a);
/* Errors: CL_PROFILING_INFO_NOT_AVAILABLE, CL_INVALID_VALUE. */
cl_int hd_event_profile(cl_event e, cl_uint query, HdAnswer *a);

#endif
