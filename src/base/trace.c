/* base/trace.c -- events to a file in the JSON format of Chrome's traces.
 *
 * Events are kept as they are, and become text when a buffer is full or a tenth of a second old.
 * The file is valid JSON after each write: it ends with the bracket that the next write overwrites.
 * A forked child begins a file of its own, FILE.PID, and so does a process whose FILE another one
 * is writing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/option.h"
#include "base/strbuf.h"
#include "base/ticks.h"
#include "base/write.h"

#define ROOM     1024u
#define LINE     640u    /* of text for an event: literals, and HD_TRACE_TEXT */
#define TEXT     262144u /* what is written at once; it stays in the processor's cache */
#define OLD_US   100000u /* what is not written yet is at most so old while events come */
#define TRACKS   256u
#define LANES    8u
#define FIRST_ID 0x40000000u /* above the numbers of threads */

typedef struct Record {
    HdTraceSpan span;
    uint64_t end; /* 0: a moment */
    uint32_t thread;
} Record;

/* What many events have in common, as text: a trace of short launches has millions of events, and
 * each of them shall take no longer than reading the clock. */
#define PIECES     64u /* of each kind; a power of two */
#define PIECE_ROOM 128u

typedef struct Piece {
    const char *name, *category; /* of an event's beginning: literals, told by their place */
    uint32_t thread;             /* of an event's place */
    bool is_moment;
    unsigned length; /* 0: not made yet */
    char text[PIECE_ROOM];
} Piece;

typedef struct Track {
    const void *key;
    const char *what;
    uint32_t busy, named; /* lanes, by bits */
} Track;

typedef struct Trace {
    pthread_mutex_t lock;
    pthread_once_t once;
    char path[4096];
    int fd; /* -1: none */
    bool is_forked;
    pid_t pid;
    unsigned forks;        /* how many led here */
    uint64_t written, old; /* when, and how long is too long ago: in ticks */
    off_t at;              /* where the bracket is */
    unsigned count;
    size_t length; /* of the text */
    char text[TEXT];
    HdTicks ticks;
    Record records[ROOM];
    Track tracks[TRACKS];
    Piece beginnings[PIECES], places[PIECES];
} Trace;

_Atomic int hd_trace_state = HD_TRACE_UNKNOWN;

/* There is one trace in a process, as there is one HEDDLE_TRACE. */
static Trace trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT, .fd = -1};

void hd_trace_fill(HdTraceSpan *s, const char *category, const char *name)
{
    s->category = category;
    s->name = name;
    s->text_name = s->number_name[0] = s->number_name[1] = NULL;
    s->track = 0;
    s->start = hd_ticks_now(&trace.ticks);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* By hand: printf takes as long as a short launch. */
static char *put_text(char *to, const char *text)
{
    size_t len = strlen(text);

    memcpy(to, text, len);
    return to + len;
}

static const char two_digits[] = "0001020304050607080910111213141516171819"
                                 "2021222324252627282930313233343536373839"
                                 "4041424344454647484950515253545556575859"
                                 "6061626364656667686970717273747576777879"
                                 "8081828384858687888990919293949596979899";

static char *put_number(char *to, uint64_t n)
{
    char digits[20];
    unsigned first = sizeof digits;

    for (; n >= 100; n /= 100)
        memcpy(digits + (first -= 2), two_digits + n % 100 * 2, 2);
    if (n >= 10)
        memcpy(digits + (first -= 2), two_digits + n * 2, 2);
    else
        digits[--first] = (char)('0' + n);
    memcpy(to, digits + first, sizeof digits - first);
    return to + sizeof digits - first;
}

/* Nanoseconds as microseconds. */
static char *put_time(char *to, uint64_t ns)
{
    unsigned rest = (unsigned)(ns % 1000);

    to = put_number(to, ns / 1000);
    *to++ = '.';
    *to++ = (char)('0' + rest / 100);
    memcpy(to, two_digits + rest % 100 * 2, 2);
    return to + 2;
}

static char *put_key(char *to, const char *before, const char *key)
{
    return put_text(put_text(put_text(to, before), key), "\":");
}

/* A name of a kernel: what JSON would want escaped becomes "?". */
static char *put_string(char *to, const char *text)
{
    *to++ = '"';
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        *to++ = c < ' ' || c == '"' || c == '\\' ? '?' : *text;
    }
    *to++ = '"';
    return to;
}

static char *put_args(char *to, const HdTraceSpan *s)
{
    const char *before = ",\"args\":{\"";

    if (s->text_name != NULL) {
        to = put_string(put_key(to, before, s->text_name), s->text);
        before = ",\"";
    }
    for (unsigned i = 0; i < 2 && s->number_name[i] != NULL; i++, before = ",\"")
        to = put_number(put_key(to, before, s->number_name[i]), s->number[i]);
    *to++ = '}';
    return to;
}

static void stop(void)
{
    atomic_store_explicit(&hd_trace_state, HD_TRACE_OFF, memory_order_relaxed);
    if (trace.fd >= 0)
        close(trace.fd);
    trace.fd = -1;
}

/* With the bracket, so that what is in the file is whole. */
static void write_text(void)
{
    static const char end[] = "\n]\n";

    if (trace.fd < 0 || trace.length == 0)
        return;
    memcpy(trace.text + trace.length, end, sizeof end - 1);
    if (hd_write_all(trace.fd, trace.text, trace.length + sizeof end - 1, trace.at) == 0)
        trace.at += (off_t)trace.length;
    else
        stop(); /* the disk is full: what was written stays */
    trace.length = 0;
}

/* Room for an event's text, and the bracket. */
static char *text_end(void)
{
    if (trace.length > TEXT - 2 * LINE)
        write_text();
    return trace.text + trace.length;
}

/* All of a piece is copied, which is a few instructions; what lies behind its length is
 * overwritten. */
static char *put_piece(char *to, const Piece *p)
{
    memcpy(to, p->text, sizeof p->text);
    return to + p->length;
}

/* Up to the value of "ts". */
static char *put_beginning(char *to, const Record *r)
{
    const HdTraceSpan *s = &r->span;
    Piece *p = &trace.beginnings[((uintptr_t)s->name ^ (uintptr_t)s->name >> 6) % PIECES];
    bool is_moment = r->end == 0;
    char *end;

    if (p->length != 0 && p->name == s->name && p->category == s->category &&
        p->is_moment == is_moment)
        return put_piece(to, p);
    end = put_text(put_text(to, ",\n{\"name\":\""), s->name);
    end = put_text(put_text(end, "\",\"cat\":\""), s->category);
    end = put_text(end, is_moment ? "\",\"ph\":\"i\",\"s\":\"t\"" : "\",\"ph\":\"X\"");
    end = put_text(end, ",\"ts\":");
    if ((size_t)(end - to) <= sizeof p->text) {
        *p = (Piece){.name = s->name, .category = s->category, .is_moment = is_moment};
        p->length = (unsigned)(end - to);
        memcpy(p->text, to, p->length);
    }
    return end;
}

/* Process and thread. */
static char *put_place(char *to, uint32_t thread)
{
    Piece *p = &trace.places[thread % PIECES];

    if (p->length == 0 || p->thread != thread) {
        char *end = put_number(put_text(p->text, ",\"pid\":"), (uint64_t)trace.pid);

        end = put_number(put_text(end, ",\"tid\":"), thread);
        p->thread = thread;
        p->length = (unsigned)(end - p->text);
    }
    return put_piece(to, p);
}

static void add_record(const Record *r)
{
    const HdTraceSpan *s = &r->span;
    uint64_t start = hd_ticks_ns(&trace.ticks, s->start);
    char *to = text_end();

    to = put_time(put_beginning(to, r), start);
    if (r->end != 0)
        to = put_time(put_text(to, ",\"dur\":"), hd_ticks_ns(&trace.ticks, r->end) - start);
    to = put_place(to, s->track != 0 ? s->track : r->thread);
    if (s->text_name != NULL || s->number_name[0] != NULL)
        to = put_args(to, s);
    *to++ = '}';
    trace.length = (size_t)(to - trace.text);
}

static void add_name(unsigned tid, const char *what, unsigned n)
{
    char *to = text_end();

    to = put_number(put_text(to, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":"),
                    (uint64_t)trace.pid);
    to = put_number(put_text(to, ",\"tid\":"), tid);
    to = put_text(put_text(to, ",\"args\":{\"name\":\""), what);
    *to++ = ' ';
    to = put_text(put_number(to, n), "\"}}");
    trace.length = (size_t)(to - trace.text);
}

static void add_track_names(void)
{
    for (unsigned i = 0; i < TRACKS && trace.tracks[i].key != NULL; i++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            Track *t = &trace.tracks[i];

            if ((t->named >> lane & 1) != 0) {
                add_name(FIRST_ID + i * LANES + lane, t->what, i + 1);
                t->named &= ~(1u << lane);
            }
        }
}

/* Open the file, and write its first event. Under the lock. */
static bool open_file(bool is_own)
{
    HdStrbuf head = {0};
    char own[sizeof trace.path + 16];
    bool fine;

    trace.pid = getpid();
    memset(trace.places, 0, sizeof trace.places);
    snprintf(own, sizeof own, "%s.%d", trace.path, (int)trace.pid);
    trace.fd = open(is_own ? own : trace.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (trace.fd >= 0 && !is_own && flock(trace.fd, LOCK_EX | LOCK_NB) != 0) {
        close(trace.fd); /* another process is writing it */
        return open_file(true);
    }
    if (trace.fd < 0)
        return false;
    hd_strbuf_printf(
        &head,
        "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"%s %d\"}}",
        (int)trace.pid, "Heddle", (int)trace.pid);
    hd_strbuf_add(&head, "\n]\n");
    (void)!ftruncate(trace.fd, 0); /* a pipe or a device has no length */
    fine = !head.failed && hd_write_all(trace.fd, head.at, head.count, 0) == 0;
    trace.at = (off_t)head.count - 3;
    trace.written = hd_ticks_now(&trace.ticks);
    hd_strbuf_free(&head);
    return fine;
}

/* Under the lock. */
static void write_records(void)
{
    if (trace.is_forked && trace.count > 0) {
        trace.is_forked = false;
        if (!open_file(true))
            stop();
    }
    if (trace.fd < 0 || trace.count == 0)
        return;
    add_track_names();
    hd_ticks_compare(&trace.ticks);
    for (unsigned i = 0; i < trace.count; i++)
        add_record(&trace.records[i]);
    trace.count = 0;
    trace.written = hd_ticks_now(&trace.ticks);
    write_text();
}

void hd_trace_flush(void)
{
    pthread_mutex_lock(&trace.lock);
    write_records();
    pthread_mutex_unlock(&trace.lock);
}

/* ---- beginning and ending ------------------------------------------------------------------ */

static void before_fork(void)
{
    pthread_mutex_lock(&trace.lock);
}

static void behind_fork(void)
{
    pthread_mutex_unlock(&trace.lock);
}

/* What the parent has not written yet is the parent's. */
static void in_child(void)
{
    if (trace.fd >= 0) {
        close(trace.fd);
        trace.fd = -1;
        trace.is_forked = true;
    }
    trace.count = 0;
    trace.forks++;
    pthread_mutex_unlock(&trace.lock);
}

static bool begin(const char *path)
{
    bool fine;

    snprintf(trace.path, sizeof trace.path, "%s", path);
    hd_ticks_begin(&trace.ticks);
    trace.old = OLD_US * trace.ticks.ticks_per_us;
    fine = open_file(false);
    if (fine)
        pthread_atfork(before_fork, behind_fork, in_child);
    atomic_store_explicit(&hd_trace_state, fine ? HD_TRACE_ON : HD_TRACE_OFF, memory_order_release);
    return fine;
}

static void begin_as_told(void)
{
    const char *path = hd_option_text(HD_OPTION_TRACE);

    if (atomic_load_explicit(&hd_trace_state, memory_order_relaxed) != HD_TRACE_UNKNOWN)
        return; /* hd_trace_open was first */
    if (*path == '\0')
        atomic_store_explicit(&hd_trace_state, HD_TRACE_OFF, memory_order_relaxed);
    else if (!begin(path)) /* who asked for it is told */
        fprintf(stderr, "heddle: HEDDLE_TRACE: cannot write '%s': %s\n", path, strerror(errno));
}

bool hd_trace_starts(void)
{
    pthread_once(&trace.once, begin_as_told);
    return atomic_load_explicit(&hd_trace_state, memory_order_acquire) == HD_TRACE_ON;
}

bool hd_trace_open(const char *path)
{
    bool fine = true;

    pthread_mutex_lock(&trace.lock);
    if (trace.fd < 0)
        fine = begin(path);
    pthread_mutex_unlock(&trace.lock);
    return fine;
}

__attribute__((destructor)) static void end(void)
{
    if (atomic_load_explicit(&hd_trace_state, memory_order_relaxed) == HD_TRACE_ON)
        hd_trace_flush();
}

/* ---- events -------------------------------------------------------------------------------- */

static uint32_t thread_number(void)
{
    static _Thread_local uint32_t number;
    static _Thread_local unsigned of; /* the child's thread has another one */

    if (number == 0 || of != trace.forks) {
        of = trace.forks;
        number = (uint32_t)syscall(SYS_gettid);
    }
    return number;
}

static void put(const HdTraceSpan *s, uint64_t end)
{
    Record *r;

    pthread_mutex_lock(&trace.lock);
    r = &trace.records[trace.count++];
    r->span = *s;
    r->end = end;
    r->thread = thread_number();
    if (s->track != 0)
        trace.tracks[(s->track - FIRST_ID) / LANES].busy &= ~(1u << s->track % LANES);
    if (trace.count == ROOM || (end != 0 ? end : s->start) - trace.written > trace.old)
        write_records();
    pthread_mutex_unlock(&trace.lock);
}

void hd_trace_add(HdTraceSpan *s)
{
    put(s, hd_ticks_now(&trace.ticks));
}

bool hd_trace_has_lasted(const HdTraceSpan *s, unsigned us)
{
    return s->start != 0 && hd_ticks_now(&trace.ticks) - s->start >= us * trace.ticks.ticks_per_us;
}

void hd_trace_instant(const char *category, const char *name)
{
    const HdTraceSpan s = {.start = hd_trace_is_on() ? hd_ticks_now(&trace.ticks) : 0,
                           .category = category,
                           .name = name};

    if (s.start != 0)
        put(&s, 0);
}

void hd_trace_text(HdTraceSpan *s, const char *name, const char *text)
{
    size_t len = 0;

    if (s->start == 0)
        return;
    s->text_name = name;
    while (len < sizeof s->text - 1 && text[len] != '\0')
        len++;
    while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--; /* not inside a letter */
    memcpy(s->text, text, len);
    s->text[len] = '\0';
}

void hd_trace_track(HdTraceSpan *s, const void *key, const char *what)
{
    unsigned i = 0, lane = 0;

    if (s->start == 0)
        return;
    pthread_mutex_lock(&trace.lock);
    while (i < TRACKS - 1 && trace.tracks[i].key != NULL && trace.tracks[i].key != key)
        i++; /* the last one is shared by all that come later */
    if (trace.tracks[i].key == NULL)
        trace.tracks[i] = (Track){.key = key, .what = what, .named = (1u << LANES) - 1};
    while (lane < LANES - 1 && (trace.tracks[i].busy >> lane & 1) != 0)
        lane++;
    trace.tracks[i].busy |= 1u << lane;
    s->track = FIRST_ID + i * LANES + lane;
    pthread_mutex_unlock(&trace.lock);
}
