/* debug/debug.h -- stopping, inspecting and continuing a checked run.
 *
 * A thin layer over the interpreter: HdDebug is its hook (interp/interp.h). A front end (console,
 * editor) provides a function that is called whenever the run stops; it inspects the state there,
 * and calls hd_debug_go to continue. Everything happens on the one thread that interprets.
 *
 * One work-item is in focus: steps are its steps, names are looked up in its frames. Lanes of a
 * sub-group execute together, so others move along; and the group in focus is the running one:
 * groups before it have ended, those after it have not begun.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_DEBUG_H
#define HD_DEBUG_DEBUG_H

#include "debug/lines.h"
#include "interp/interp.h"

typedef struct HdDebug HdDebug;

typedef enum HdDebugReason {
    HD_STOP_ENTRY, /* where a run begins */
    HD_STOP_STEP,
    HD_STOP_BREAKPOINT,
    HD_STOP_DEFECT,
    HD_STOP_ASKED, /* a pause was requested */
    HD_STOP_WATCH, /* memory has changed: the instruction before has */
    HD_STOP_ENDED  /* the work-item in focus has; another one is now */
} HdDebugReason;

typedef struct HdDebugStop {
    HdDebugReason reason;
    uint32_t breakpoint;    /* its number */
    const HdDefect *defect; /* of HD_STOP_DEFECT */
    uint64_t lanes;         /* of the sub-group in focus, that stop here */
} HdDebugStop;

typedef enum HdDebugGo {
    HD_GO_ON,
    HD_GO_INST,      /* one instruction of the work-item in focus … */
    HD_GO_OVER_INST, /* … with what it calls */
    HD_GO_LINE,      /* to its next line … */
    HD_GO_OVER_LINE, /* … not inside calls */
    HD_GO_OUT,       /* until its function returns */
    HD_GO_GROUP,     /* all work-items of the group go to another line, or wait */
    HD_GO_AWAY       /* the run ends here */
} HdDebugGo;

typedef struct HdDebugHost {
    void *user;
    /* The run has stopped; it continues when this returns, as hd_debug_go said (else HD_GO_ON). */
    void (*stopped)(void *user, const HdDebugStop *why);
    /* Called periodically: was a pause requested? */
    bool (*wants_pause)(void *user);
} HdDebugHost;

/*   m           the module that runs (borrowed)
 *   path, text  as hd_debug_lines_open has them
 *   cancel      set when the run shall end */
HdStatus hd_debug_open(const HdModule *m, const HdBuildLayout *layout, const char *path,
                       const char *text, size_t len, volatile bool *cancel, const HdDebugHost *host,
                       HdDebug **out);
void hd_debug_close(HdDebug *d);
const HdInterpHook *hd_debug_hook(HdDebug *d);
/* A run is about to begin: where does it stop first? Nowhere, or at the kernel's first line. */
void hd_debug_start(HdDebug *d, bool stops_at_entry);
void hd_debug_go(HdDebug *d, HdDebugGo how);
/* Is the run stopped (inside `stopped`)? */
bool hd_debug_is_stopped(const HdDebug *d);
/* Pause when something new is wrong; on from the beginning. */
void hd_debug_stop_at_defects(HdDebug *d, bool stops);
HdDebugLines *hd_debug_lines(HdDebug *d);
/* words.c: has the module shaders instead of kernels? d: may be NULL. */
bool hd_debug_is_shader(const HdDebug *d);
/* words.c: append a text about kernels in the words of what is debugged: of a shader, Vulkan's.
 *   d  may be NULL: nothing is known yet */
void hd_debug_words(const HdDebug *d, const char *text, HdStrbuf *out);
const HdModule *hd_debug_module(const HdDebug *d);

/* ---- breakpoints: breaks.c ----------------------------------------------------------------- */

#define HD_DEBUG_WATCHED 64u /* bytes at most */

/* Memory that a breakpoint is about: watches.c. */
typedef struct HdDebugWatch {
    const struct HdType *type;
    uint64_t address;
    uint32_t bytes;     /* 0: none is */
    bool is_of_group;   /* local or private memory: it goes with the work-group */
    uint64_t hit_lanes; /* that have just changed it, until the stop */
    unsigned char now[HD_DEBUG_WATCHED], before[HD_DEBUG_WATCHED];
} HdDebugWatch;

typedef struct HdDebugBreak {
    uint32_t number;
    char *where;     /* as the user wrote it */
    char *condition; /* heap; NULL */
    HdDebugPlace at; /* the first place */
    uint32_t *words; /* of instructions; heap */
    uint32_t word_count;
    bool is_enabled, is_temporary;
    bool is_item; /* only for the work-item `item` */
    uint64_t item[3];
    uint64_t hits, ignore;
    HdDebugWatch watched;
} HdDebugBreak;

/* Add a breakpoint at "LINE", "FILE:LINE", "FUNCTION" or "*%ID", "*BYTE".
 *   why   gets the reason when there is no such place
 * Returns its number, 0 on failure. */
uint32_t hd_debug_break(HdDebug *d, const char *where, const char *condition, HdStrbuf *why);
/* What hd_debug_break would stop at first, without a breakpoint. */
bool hd_debug_find_place(HdDebug *d, const char *where, HdDebugPlace *at, HdStrbuf *why);
uint32_t hd_debug_break_line(HdDebug *d, uint32_t file, uint32_t line, const char *condition,
                             HdStrbuf *why);
HdDebugBreak *hd_debug_break_find(HdDebug *d, uint32_t number);
bool hd_debug_break_remove(HdDebug *d, uint32_t number);
/* Number `index` of all, in the order they were made; NULL past the last. */
const HdDebugBreak *hd_debug_break_at(const HdDebug *d, size_t index);
/* Stop when the place in memory that an expression names changes. Returns its number, 0 on failure.
 */
uint32_t hd_debug_watch(HdDebug *d, uint32_t item, uint32_t frame, const char *text, HdStrbuf *why);
/* Something in a breakpoint has been changed. */
void hd_debug_break_changed(HdDebug *d);

/* ---- work-items and frames: frame.c; the run has stopped --------------------------------------
 */

/* Work-items are numbered inside their group. */
uint32_t hd_debug_items(const HdDebug *d);
uint32_t hd_debug_focus(const HdDebug *d);
void hd_debug_set_focus(HdDebug *d, uint32_t item);
void hd_debug_item(const HdDebug *d, uint32_t item, HdDefectItem *out);
/* The work-item with a global id; false when it is not in the group that runs. */
bool hd_debug_find_item(const HdDebug *d, const uint64_t global[3], uint32_t *item);
/* What it does: "runs", "waits at a barrier", "has ended" …; a literal. */
const char *hd_debug_item_state(const HdDebug *d, uint32_t item);

typedef struct HdDebugFrame {
    struct HdInterpFrame *at;
    const HdInst *in; /* that it executes next, or is in */
    const char *function;
    HdDebugPlace place;
    HdId scope; /* of debug information; 0 */
    HdId inlined;
    bool is_inlined; /* not a separate frame: `at` is that of the next frame */
} HdDebugFrame;
#define HD_DEBUG_FRAMES 64u
/* Frames of a work-item, innermost first: how many; 0 when it has ended. */
uint32_t hd_debug_frames(const HdDebug *d, uint32_t item, HdDebugFrame out[HD_DEBUG_FRAMES]);
/* "in f at x.cl:3:5" */
void hd_debug_frame_text(const HdDebug *d, const HdDebugFrame *f, HdStrbuf *out);
/* The instruction in text. */
void hd_debug_inst_text(const HdDebug *d, uint32_t word, HdStrbuf *out);

#endif
