/* debug/private.h -- the state of the debugger.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_PRIVATE_H
#define HD_DEBUG_PRIVATE_H

#include "base/bitset.h"
#include "debug/debug.h"
#include "debug/value.h"
#include "interp/state.h"
#include "text/as.h"
#include "text/names.h"

/* clang makes a function of each kernel that others may call: people know it by the kernel's name.
 */
#define HD_KERNEL_BODY "__clang_ocl_kern_imp_"

/* Where a step began. */
typedef struct HdDebugStart {
    HdDebugPlace place;
    uint32_t depth;
} HdDebugStart;

struct HdDebug {
    const HdModule *m;
    const HdBuildLayout *layout;
    HdArena *arena;
    HdDebugHost host;
    HdInterpHook hook;
    HdDebugLines lines;
    HdNames *names;
    HdTextIds ids; /* of the assembly text; empty: the module came without one */
    HD_ARRAY(HdDebugBreak) breaks;
    uint32_t last_break;
    uint64_t *break_at;            /* set of words */
    HD_ARRAY(HdDebugType *) types; /* made so far */
    volatile bool *cancel;
    uint32_t watch_count; /* of `breaks` */
    HdInterpSub *wrote;   /* while there are any: what was executed last; NULL: nothing */
    const HdInst *wrote_by;
    uint64_t wrote_mask;
    bool stops_at_defects, is_stopped, stops_at_entry;
    uint64_t ticks;
    /* The run. */
    HdInterpRun *r; /* NULL: none */
    HdInterpSub *s; /* that executes */
    HdDebugGo go;
    uint32_t focus;
    bool has_focus; /* one that lives in this group */
    HdDebugStart start;
    HdDebugStart *starts; /* [sub_count] of a step of the group; heap */
    bool *has_arrived;    /* [sub_count] */
    uint32_t start_count;
};

/* Do breakpoints stop one of the lanes at an instruction? */
bool hd_debug_break_hit(HdDebug *d, uint32_t word, uint64_t mask, HdDebugStop *stop);
void hd_debug_breaks_free(HdDebug *d);
/* Those of the lanes of the sub-group that executes (d->s) that a breakpoint is for: its work-item,
 * its condition. */
uint64_t hd_debug_break_lanes(HdDebug *d, const HdDebugBreak *b, uint64_t mask);
/* A condition of a breakpoint's own; NULL for none and for an empty one. Heap. */
char *hd_debug_condition(const char *text);
/* Compare watched memory with what it was before the last instruction. */
void hd_debug_watch_look(HdDebug *d);
/* The next place that has changed; false: no other has. */
bool hd_debug_watch_hit(HdDebug *d, HdDebugStop *stop);
/* An instruction is about to be executed. */
void hd_debug_watch_note(HdDebug *d, HdInterpSub *s, const HdInst *in, uint64_t mask);
/* A work-group has ended. */
void hd_debug_watches_end(HdDebug *d);
const HdInterpSub *hd_debug_sub(const HdDebug *d, uint32_t item);
static inline unsigned hd_debug_lane(const HdDebug *d, uint32_t item)
{
    return item % d->r->g->width;
}
/* Where a sub-group executes, for one of its active work-items. */
HdDebugPlace hd_debug_sub_place(const HdDebug *d, const HdInterpSub *s);
/* literal.c: the number or the character that begins at p; returns where it ends, NULL when it is
 * no character. */
const char *hd_debug_literal(HdDebug *d, const char *p, HdDebugValue *out);
/* builtins.c: a built-in variable of a shader's work-item; a function of no arguments that gives
 * one. false: there is none of that name. */
bool hd_debug_builtin(HdDebug *d, uint32_t item, const char *name, size_t len, bool is_call,
                      HdDebugValue *out);
const char *hd_debug_function_name(const HdDebug *d, HdId function);
/* Does a function's name, to which GLSL's compilers add the types of its parameters, "f(i1;", begin
 * with this one? */
bool hd_debug_is_function(const char *is, const char *name);

#endif
